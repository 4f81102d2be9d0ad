"""Limits: nobody asks for too much, and nobody who plays notices."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from overtrick.web.limits import Limits, address_of, kind_of
from overtrick.web.problems import Problem
from overtrick.web.rates import Rate
from overtrick.web.settings import Settings
from web.serving import PATIENCE, Client, alert, play_json, serving, settings_for
from web.test_tables import playing


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def asked(rate: Rate, client: str = "ann") -> bool:
    if rate.wait(client):
        return False
    rate.count(client)
    return True


def test_a_client_gets_its_share_at_once_and_then_one_turn_at_a_time() -> None:
    clock = Clock()
    rate = Rate(5, 60.0, now=clock)
    assert [asked(rate) for _ in range(7)] == [True] * 5 + [False] * 2
    assert rate.wait("ann") == pytest.approx(12.0)
    assert rate.wait("ben") == 0
    clock.now += 12.01
    assert [asked(rate) for _ in range(2)] == [True, False]
    clock.now += 60
    assert [asked(rate) for _ in range(6)] == [True] * 5 + [False]


def test_what_is_refused_is_not_counted() -> None:
    clock = Clock()
    rate = Rate(2, 60.0, now=clock)
    assert [asked(rate) for _ in range(100)].count(True) == 2
    clock.now += 30.01
    assert asked(rate)


def test_clients_who_have_their_share_again_are_forgotten_and_never_too_many_kept() -> None:
    clock = Clock()
    rate = Rate(5, 60.0, kept=100, now=clock)
    for number in range(1000):
        rate.count(f"client {number}")
    assert rate.remembered == 100
    clock.now += 61
    rate.count("ann")
    assert rate.remembered == 1


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("203.0.113.9", "203.0.113.9"), ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8:1:2::9", "2001:db8:1:2::"), ("unix", "unix"),
    ],
)  # fmt: skip
def test_an_address_of_ipv6_is_counted_by_its_network(host: str, address: str) -> None:
    assert address_of({"client": (host, 1)}) == address  # type: ignore[typeddict-item, arg-type]


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/", "look"), ("POST", "/tables", "table"), ("GET", "/api/tables", "look"),
        ("POST", "/api/tables", "table"), ("GET", "/t/{table_id}", "look"),
        ("POST", "/t/{table_id}/move", "act"), ("POST", "/t/{table_id:str}/sit", "seat"),
        ("GET", "/api/tables/{table_id}/events", "stream"), ("GET", "/t/{table_id:str}/live", "stream"),
        ("POST", "/api/guests", "guest"), ("GET", "/static/{path}", "uncounted"),
        ("GET", "/me/data.json", "data"), ("GET", "/api/me/data", "data"),
    ],
)  # fmt: skip
def test_a_request_is_counted_as_what_it_does(method: str, path: str, kind: str) -> None:
    assert kind_of({"method": method, "path_template": path}) == kind  # type: ignore[typeddict-item, arg-type]


def test_too_many_looks_are_refused_with_a_page_that_says_when(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_looks=3)) as served:
        ann, ben = served.browser(), served.browser()
        for _ in range(4):
            ann.get("/")
        refused = ann.get("/")
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 60
        assert alert(refused.text).startswith("That was too often; please try again in ")
        assert ben.get("/").status_code == 200
        assert ann.get("/static/base.css").status_code == 200
        assert ann.get("/health").status_code == 200


def test_too_many_acts_are_a_problem_that_says_when_and_nothing_is_done(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_acts=2)) as served:
        ann, ben = served.client(), served.client()
        path = ann.make("duet", "me", "friend")
        ben.post(f"{path}/sit", seat=1, name="Ben")
        assert ann.post(f"{path}/start").status_code == 200
        assert ann.post(f"{path}/move", ply=9, move="play:D1").status_code == 409
        table = ann.look(path)
        mover = ann if table["view"]["to_act"] == 0 else ben
        for _ in range(2):
            mover.post(f"{path}/move", ply=9, move="play:D1")
        refused = mover.post(f"{path}/move", ply=0, move=mover.look(path)["view"]["legal"][0])
        problem = refused.json()
        assert (refused.status_code, problem["status"], problem["kind"]) == (429, 429, "too_often")
        assert refused.headers["content-type"] == "application/problem+json"
        assert f" {refused.headers['retry-after']} s." in problem["detail"]
        assert ann.look(path)["ply"] == 0


@pytest.mark.parametrize(
    ("setting", "kind"), [("limit_tables", "table"), ("limit_seats", "seat"), ("limit_guests", "guest")]
)
def test_tables_seats_and_guests_have_limits_of_their_own(tmp_path: Path, setting: str, kind: str) -> None:
    with serving(settings_for(tmp_path, **{setting: 3})) as served:
        ann = served.client()
        path = ann.make()
        act = {
            "table": lambda: ann.http.post(
                "/tables", json={"game": "duet", "seats": ["me", "friend"], "name": "A"}
            ),
            "seat": lambda: ann.post(f"{path}/leave"),
            "guest": lambda: ann.post("/guests"),
        }[kind]
        answers = [act().status_code for _ in range(4)]
        assert answers[0] < 300
        assert answers[-1] == 429
        assert ann.get(path).status_code == 200


def test_an_address_with_many_secrets_is_one_client(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_looks=3)) as served:
        answers = [
            httpx.get(served.url, cookies={"overtrick": f"{number:043}"}).status_code for number in range(13)
        ]
        # The first look of all was the one that waited for the start; /health is not counted.
        assert answers == [200] * 12 + [429]


def looks(url: str, forwarded: str, count: int) -> list[int]:
    headers = {"x-forwarded-for": forwarded}
    return [httpx.get(url, headers=headers).status_code for _ in range(count)]


def test_behind_a_trusted_proxy_each_client_is_counted_by_its_own_address(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_looks=1)) as served:
        assert looks(served.url, "203.0.113.1", 5) == [200] * 4 + [429]
        assert looks(served.url, "203.0.113.2", 1) == [200]
        # What the client itself has written stands before what the proxy adds, and counts for nothing.
        assert looks(served.url, "203.0.113.77, 203.0.113.1", 1) == [429]


def test_an_address_forwarded_by_a_stranger_is_not_believed(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, limit_looks=1, trusted_proxies="192.0.2.1, 192.0.2.128/25")
    with serving(settings) as served:
        assert looks(served.url, "203.0.113.1", 4) == [200] * 4
        assert looks(served.url, "203.0.113.2", 1) == [429]


def test_a_stream_too_many_is_refused_until_one_is_closed(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_streams=2)) as served:
        ann, guest = served.browser(), served.client()
        path, table = ann.make(), guest.make()
        read = []  # a stream whose reader is let go of is closed
        with ExitStack() as stack:
            for _ in range(2):
                assert stack.enter_context(ann.live(path)).recv(PATIENCE)
                read.append(stack.enter_context(guest.events(table)))
                assert next(read[-1])
            with pytest.raises(InvalidStatus) as denied, ann.live(path):
                pass
            assert denied.value.response.status_code == 429
            assert denied.value.response.headers["retry-after"] == "15"
            refused = guest.get(f"{table}/events")
            assert (refused.status_code, refused.json()["kind"]) == (429, "too_many_streams")
            assert served.client().get(f"{table}").status_code == 200
        limits = served.site.services.limits
        deadline = time.monotonic() + PATIENCE
        while limits.streams.clients:  # the server hears of the hanging up a moment later
            assert time.monotonic() < deadline
            ann.get("/health")
        with ann.live(path) as line:
            assert line.recv(PATIENCE)


def test_two_whole_games_are_played_within_the_default_limits(tmp_path: Path) -> None:
    defaults = Settings()
    generous = {name: getattr(defaults, name) for name in ("limit_looks", "limit_acts", "limit_seats")}
    with serving(settings_for(tmp_path, **generous, limit_tables=60, limit_guests=120)) as served:
        ann, ben = served.client(), served.client()
        for token in "xy":
            path = ann.make("duet", token=token)
            ben.post(f"{path}/sit", seat=1, name="Ben")
            ann.post(f"{path}/start")
            assert play_json(ann, ben, path=path)["status"] == "over"
        path = playing(served.browser(), served.browser())
        assert path


def test_nothing_is_counted_with_the_limits_off(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path)) as served:
        client = Client(served, "a" * 43)
        with client.http:
            assert {client.get("/tables").status_code for _ in range(300)} == {200}


def test_all_ones_data_comes_a_few_times_an_hour_by_page_and_by_json_together(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_data=2)) as served:
        ann, program = served.browser(), served.client()
        ann.get("/me")
        asks = [ann.get("/me/data.json"), program.get("/me/data"), ann.get("/me/data.json")]
        assert [answer.status_code for answer in asks] == [200] * 3
        refused = [ann.get("/me/data.json"), program.get("/me/data"), program.get("/me/data")]
        assert [answer.status_code for answer in refused] == [429, 200, 429]
        assert 1700 < int(refused[0].headers["retry-after"]) <= 1800
        assert (ann.get("/me").status_code, program.get("/me").status_code) == (200, 200)


def test_nobodys_data_is_gathered_twice_at_a_time() -> None:
    limits, served = Limits(Settings(limit_data=0)), []

    async def gather() -> None:
        done = asyncio.Event()

        async def app(scope: Any, _receive: Any, _send: Any) -> None:
            served.append(scope)
            async with asyncio.timeout(PATIENCE):
                await done.wait()

        async def ask(secret: str) -> None:
            headers = [(b"authorization", f"Bearer {secret}".encode())]
            scope: Any = {"type": "http", "method": "GET", "path": "/api/me/data", "headers": headers}
            scope |= {"path_template": "/api/me/data", "client": ("127.0.0.1", 1), "query_string": b""}
            await limits.handle(scope, None, None, app)  # type: ignore[arg-type]

        first = [asyncio.create_task(ask(secret)) for secret in ("a" * 43, "b" * 43)]
        while len(served) < 2:
            await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await ask("a" * 43)
        assert (refused.value.status, refused.value.headers) == (429, {"retry-after": "5"})
        done.set()
        await asyncio.gather(*first)
        await ask("a" * 43)

    asyncio.run(asyncio.wait_for(gather(), PATIENCE))
    assert len(served) == 3
