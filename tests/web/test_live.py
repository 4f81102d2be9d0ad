"""Live lines: each viewer is pushed the newest look that is theirs, and nobody waits for anybody."""

from __future__ import annotations

import asyncio
import html
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from web.serving import PATIENCE, Browser, Client, Served, serving, settings_for
from web.test_tables import moves, playing


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@contextmanager
def half_sent(served: Served, path: str, method: str = "POST") -> Iterator[socket.socket]:
    """Send a part of a body: for POST, once the server asks for it."""
    kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    head = (f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"content-type: {kind}", "content-length: 100")
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as line:
        line.sendall(
            "\r\n".join([*head, "expect: 100-continue" if method == "POST" else "x: y", "", ""]).encode()
        )
        if method == "POST":
            assert line.recv(25, socket.MSG_WAITALL) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(b"half=")
        yield line


def read_all(line: socket.socket) -> bytes:
    with line.makefile("rb") as answer:
        return answer.read()


def test_the_first_message_is_the_table_as_it_is(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    for browser in (ann, ben):
        with browser.live(path) as line:
            fragment = line.recv(PATIENCE)
            assert isinstance(fragment, str)
            assert fragment.startswith('<main id="table"')
            assert fragment in browser.get(path).text


def test_the_invitation_that_is_pushed_can_be_opened(ann: Browser) -> None:
    path = ann.make("duet")
    with ann.live(path) as line:
        fragment = line.recv(PATIENCE)
    assert f'value="{ann.served.url}{path}"' in html.unescape(str(fragment))
    assert fragment in ann.get(path).text


def test_a_move_is_pushed_to_both_players_and_a_spectator(ann: Browser, ben: Browser, served: Served) -> None:
    path = playing(ann, ben)
    stranger = served.browser()
    stranger.get(path)
    with ann.live(path) as hers, ben.live(path) as his, stranger.live(path) as public:
        before = [line.recv(PATIENCE) for line in (hers, his, public)]
        ben.post(f"{path}/move", ply=0, move=moves(ben, path)[0])
        after = [line.recv(PATIENCE) for line in (hers, his, public)]
    assert len({*before, *after}) == 6
    for browser, fragment in zip((ann, ben, stranger), after, strict=True):
        assert fragment in browser.get(path).text


def test_a_waiting_table_pushes_who_comes_and_goes(ann: Browser, ben: Browser) -> None:
    path = ann.make()
    with ann.live(path) as line:
        line.recv(PATIENCE)
        ben.post(f"{path}/sit", seat=1, name="Benvolio")
        assert "Benvolio" in str(line.recv(PATIENCE))


def test_what_a_browser_sends_is_not_read(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    with ben.live(path) as line:
        line.recv(PATIENCE)
        for junk in ("hello", "x" * 4000, b"\x00\xff", '{"move": "play:D1"}'):
            line.send(junk)
        ben.post(f"{path}/move", ply=0, move=moves(ben, path)[0])
        assert str(line.recv(PATIENCE)).startswith("<main")


def test_a_message_too_large_ends_the_line(ann: Browser) -> None:
    with ann.live(ann.make()) as line:
        line.recv(PATIENCE)
        line.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            line.recv(PATIENCE)


@pytest.mark.parametrize("origin", [None, "", " ", "http://evil.example", "null"])
def test_a_line_for_another_sites_page_is_refused(ann: Browser, origin: str | None) -> None:
    path = ann.make()
    with pytest.raises(InvalidStatus) as refused, ann.live(path, Origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_a_line_to_an_unknown_table_is_refused(ann: Browser) -> None:
    with pytest.raises(InvalidStatus) as refused, ann.live("/t/unknown"):
        pass
    assert refused.value.response.status_code == 404
    assert refused.value.response.body == b"There is no such table."


def test_a_refused_line_is_no_error_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(settings_for(tmp_path)) as running:
        ann = running.browser()
        for path, origin in (("/t/unknown", running.url), ("/t/unknown", ""), ("/nowhere", running.url)):
            with pytest.raises(InvalidStatus), ann.live(path, Origin=origin):
                pass
        assert ann.get("/").status_code == 200
    assert errors(caplog) == []


def test_a_line_without_cookies_shows_the_public_look(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    with ben.live(path, Cookie=None) as line:
        assert "play:" not in str(line.recv(PATIENCE))


def test_events_begin_with_the_present_and_go_on(guest: Client, other: Client) -> None:
    path = guest.make()
    with guest.events(path) as events:
        seq, table = next(events)
        assert (seq, table["me"]) == (str(table["seq"]), 0)
        other.post(f"{path}/sit", seat=1, name="Ben")
        seq, table = next(events)
        assert (seq, table["seats"][1]["name"]) == (str(table["seq"]), "Ben")
        guest.post(f"{path}/start")
        assert next(events)[1]["status"] == "playing"


def test_events_leave_out_what_was_seen(guest: Client, other: Client) -> None:
    path = guest.make()
    with guest.events(path) as events:
        seen, _ = next(events)
    with guest.events(path, **{"last-event-id": seen}) as events:
        other.post(f"{path}/sit", seat=1, name="Ben")
        seq, table = next(events)
        assert seq != seen
        assert table["seats"][1]["name"] == "Ben"


@pytest.mark.parametrize("seen", ["0", "999999", "nonsense", "-1"])
def test_events_after_an_unknown_id_begin_with_the_present(guest: Client, seen: str) -> None:
    with guest.events(guest.make(), **{"last-event-id": seen}) as events:
        assert next(events)[1]["status"] == "waiting"


def test_events_for_a_spectator_show_no_hand(served: Served, guest: Client, other: Client) -> None:
    path = guest.make()
    other.post(f"{path}/sit", seat=1, name="Ben")
    guest.post(f"{path}/start")
    with served.client().events(path) as events:
        assert next(events)[1]["view"]["hands"] == [None, None]


def test_events_skip_what_was_overtaken(guest: Client, other: Client) -> None:
    path = guest.make()
    with guest.events(path) as events:
        next(events)
        for _ in range(50):
            other.post(f"{path}/sit", seat=1, name="Ben")
            other.post(f"{path}/leave")
        last = guest.look(path)["seq"]
        ids = []
        for seq, _ in events:
            ids.append(int(seq))
            if ids[-1] == last:
                break
    assert ids == sorted(set(ids))


def test_one_who_does_not_read_holds_nobody_up(ann: Browser, ben: Browser, served: Served) -> None:
    path = playing(ann, ben)
    request = f"GET /api/tables/{path[3:]}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode()
    lines = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(5)]
    try:
        for line in lines:
            line.sendall(request)
        began = time.monotonic()
        for _ in range(20):
            ben.post(f"{path}/move", ply=0, move=moves(ben, path)[0] if _ == 0 else "play:D1")
        assert time.monotonic() - began < PATIENCE
    finally:
        for line in lines:
            line.close()


def test_the_server_stops_at_once_with_lines_open(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path)) as running:
        ann, guest = running.browser(), running.client()
        path = ann.make()
        with ann.live(path) as line, guest.events(f"/tables/{path[3:]}") as events:
            line.recv(PATIENCE)
            next(events)
            began = time.monotonic()
            running.server.should_exit = True
            with pytest.raises(ConnectionClosed) as closed:
                line.recv(PATIENCE)
            assert next(events, None) is None
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code in {1001, 1012}
            running.thread.join(PATIENCE)
            assert time.monotonic() - began < 3


def test_the_server_waits_for_no_body_half_sent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(settings_for(tmp_path)) as running, ExitStack() as opened:
        path = f"/api{running.client().make()}/events"
        events = opened.enter_context(half_sent(running, path, method="GET"))
        assert b" 200 " in events.recv(15)
        lines = [opened.enter_context(half_sent(running, path)) for path in ("/tables", "/api/tables")]
        running.server.should_exit = True
        answers = [read_all(line) for line in lines]
        running.thread.join(PATIENCE)
    assert [answer.split()[1] for answer in answers] == [b"503", b"503"]
    assert errors(caplog) == []


def test_what_is_not_done_in_time_is_cut_off_and_told_so_without_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    async def never() -> None:
        begun.set()
        await asyncio.Event().wait()

    with serving(settings_for(tmp_path)) as running:
        monkeypatch.setattr(running.site.services.engine, "house_in_time", never)
        with socket.create_connection(("127.0.0.1", running.port), PATIENCE) as line:
            line.sendall(b"GET /t/x/record.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert begun.wait(PATIENCE)
            running.server.should_exit = True
            answer = read_all(line)
            running.thread.join(PATIENCE)
    assert answer.split()[1] == b"503"
    assert b"The server is stopping" in answer
    assert [record for record in caplog.records if record.exc_info] == []


def test_a_client_that_goes_in_the_middle_of_a_body_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(settings_for(tmp_path)) as running:
        for path in ("/tables", "/api/tables"):
            with half_sent(running, path):
                pass
        assert running.browser().get("/").status_code == 200
    assert errors(caplog) == []


def test_head_of_events_is_a_head_and_no_watcher(served: Served, guest: Client) -> None:
    path = guest.make()
    answer = guest.http.head(f"{path}/events")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert guest.http.head("/tables/unknown/events").status_code == 404
    house = served.site.services.engine._house  # its hub has no public face
    assert house is not None
    assert not house._ledger.hub.watched(path.rsplit("/", 1)[1])


def test_streams_that_end_leave_nothing_behind(ann: Browser, guest: Client, served: Served) -> None:
    path = ann.make()
    for _ in range(3):
        with ann.live(path) as line, guest.events(f"/tables/{path[3:]}") as events:
            line.recv(PATIENCE)
            next(events)
    house = served.site.services.engine._house  # its hub has no public face
    assert house is not None
    gone = threading.Event()
    for _ in range(500):
        if not house._ledger.hub.watched(path[3:]):
            break
        gone.wait(0.02)
    assert not house._ledger.hub.watched(path[3:])
