"""Viewers who stop reading, over real sockets with small buffers, and clients who send half a request and stay.

What is kept for them is bounded, nobody else waits for them, who reads again finds the newest state, and who never
does is cut off.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from overtrick.tables.acts import Bound
from overtrick.web import lines, stream
from overtrick.web.server import listen
from overtrick.web.settings import Settings
from web.serving import PATIENCE, Client, Served, read_events, serving, settings_for

SMALL = 4096
"""Bytes of the sockets' buffers, at both ends: the system makes a few times as much of it."""
BUFFERED = 64 * 1024
"""Bytes after which asyncio lets whoever writes wait."""
LARGEST_LOOK = 40_000
MOST = 300
"""Changes after which something must be full."""
MORE = 20
"""Changes once nothing more fits."""

Seqs = Callable[[], Iterator[int]]
Sticking = Callable[[Served, str], AbstractContextManager[tuple[int, Seqs]]]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    def listen_narrowly(settings: Settings) -> socket.socket:
        listener = listen(settings)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)  # connections inherit it
        return listener

    monkeypatch.setattr("web.serving.listen", listen_narrowly)
    monkeypatch.setattr("overtrick.tables.acts.WAITING", Bound(most=100_000, back=1))  # of coming and going
    with serving(settings_for(tmp_path)) as running:
        running.server.config.ws_ping_interval = (
            None  # an unanswered ping would end the line before the test does
        )
        yield running


def connected(served: Served) -> socket.socket:
    """A connection that takes little at a time."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    line.settimeout(PATIENCE)
    line.connect(("127.0.0.1", served.port))
    return line


@contextmanager
def by_events(served: Served, path: str) -> Iterator[tuple[int, Seqs]]:
    """Follow a table by the API's event stream; gives the port and, for later, the numbers of the states sent."""
    with connected(served) as line, line.makefile("r", newline="\n") as answer:
        line.sendall(f"GET /api{path}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
        yield (
            line.getsockname()[1],
            lambda: (int(seq) for seq, _ in read_events(text.rstrip("\n") for text in answer)),
        )


@contextmanager
def by_page(served: Served, path: str) -> Iterator[tuple[int, Seqs]]:
    """The same as the page does it; the client takes in one message beforehand and no more."""
    address = f"ws://127.0.0.1:{served.port}/t/{path.rpartition('/')[2]}/live"
    with connect(
        address,
        sock=connected(served),
        additional_headers={"origin": served.url},
        compression=None,
        max_queue=1,
        close_timeout=1,
        ping_interval=None,
    ) as line:

        def seqs() -> Iterator[int]:
            while True:
                found = re.search(r'data-seq="(\d+)"', str(line.recv(PATIENCE)))
                assert found
                yield int(found[1])

        yield line.local_address[1], seqs


BOTH = pytest.mark.parametrize("sticking", [by_events, by_page])


def kept_for(served: Served, port: int) -> int | None:
    """Bytes that wait in the server for the client at that port; None if it has none."""
    connections: list[Any] = list(served.server.server_state.connections)
    for connection in connections:
        if connection.client is not None and connection.client[1] == port:
            return int(connection.transport.get_write_buffer_size())
    return None


def change(client: Client, path: str, number: int) -> int:
    """Sit down and stand up in turn; returns the number of the new state."""
    act = "leave" if number % 2 else "sit"
    answer = client.post(f"{path}/{act}", **({} if number % 2 else {"seat": 1, "name": "Ben"}))
    assert answer.status_code == 200, answer.text
    return int(answer.json()["seq"])


@BOTH
def test_one_who_stops_reading_costs_little_holds_up_nobody_and_finds_the_newest_state(
    served: Served, sticking: Sticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, patience in ((lines, "STUCK_AFTER"), (stream, "STALLED_AFTER")):
        monkeypatch.setattr(module, patience, 20 * PATIENCE)  # on a busy machine all this may take long
    ann, ben, kept = served.client(), served.client(), [0]
    path = ann.make("duet")
    with sticking(served, path) as (port, seqs), ann.events(path) as events:
        next(events)
        while kept[-MORE:][0] <= BUFFERED and len(kept) < MOST:
            newest = change(ben, path, len(kept) - 1)
            assert next(look["seq"] for _, look in events if look["seq"] >= newest) == newest
            kept.append(kept_for(served, port) or 0)
        assert BUFFERED < max(kept) < BUFFERED + LARGEST_LOOK
        assert len(set(kept[-MORE:])) == 1  # nothing more is added
        got = []
        for seq in seqs():
            got.append(seq)
            if seq == newest:
                break
        assert got == sorted(set(got))
        assert len(got) < len(kept)


@BOTH
def test_one_who_never_reads_again_is_cut_off(
    served: Served, sticking: Sticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "STUCK_AFTER", 0.2)
    ann, ben = served.client(), served.client()
    path = ann.make("duet")
    deadline, number = time.monotonic() + 4 * PATIENCE, 0
    with sticking(served, path) as (port, _):
        while kept_for(served, port) is None:
            assert time.monotonic() < deadline
        while kept_for(served, port) is not None:
            change(ben, path, number)
            number += 1
            assert time.monotonic() < deadline
    house = served.site.services.engine._house
    assert house is not None
    while house._ledger.hub.watched(path.rpartition("/")[2]):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert number > 10


HALVES = {
    "nothing": b"",
    "half a head": b"POST /api/guests HTTP/1.1\r\nhost: 127.0.0.1\r\nx-half:",
    "half a body": b"POST /api/guests HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf",
    "a whole one, then half": b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\nGET /heal",
}


@pytest.mark.parametrize("sent", HALVES.values(), ids=HALVES)
def test_one_who_sends_half_a_request_and_stays_is_cut_off(
    served: Served, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(lines, "WHOLE_WITHIN", 0.3)
    with connected(served) as line:
        line.sendall(sent)
        assert served.client().get("/tables").status_code == 200
        try:
            while line.recv(4096):
                pass
        except ConnectionResetError:
            pass


def test_one_who_follows_a_table_has_sent_all_and_is_left_alone(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "WHOLE_WITHIN", 0.05)
    ann, ben = served.client(), served.client()
    path = ann.make("duet")
    for sticking in (by_events, by_page):
        with sticking(served, path) as (_, seqs):
            states, number, until = seqs(), 0, time.monotonic() + 4 * lines.WHOLE_WITHIN
            while time.monotonic() < until:
                newest = change(ben, path, number)
                assert next(seq for seq in states if seq >= newest) == newest
                number += 1
            if number % 2:
                change(ben, path, number)
