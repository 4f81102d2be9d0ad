"""What the server writes down while whole games are played: enough to find a table's lines, and no secret."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from cli.test_serve import PATIENCE, command, printed_address, ready

CARD = re.compile(r"\b[RYGBPDS](?:1[0-2]|[1-9])\b|#\d+")


@contextmanager
def logging(folder: Path, style: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """Serve, logging all there is; gives the address and what ends the server and returns all that it wrote."""
    unlimited = {f"OVERTRICK_LIMIT_{kind}": "0" for kind in ("LOOKS", "ACTS")}
    options = ("--port", "0", "--pace", "0", "--log-level", "debug")
    with command(*options, folder=folder, OVERTRICK_LOG_FORMAT=style, **unlimited) as process:
        address = printed_address(process)
        lines: list[str] = []
        assert process.stderr is not None
        reader = threading.Thread(
            target=lines.extend, args=(process.stderr,)
        )  # a full pipe would stop the server
        reader.start()
        ready(address)

        def written() -> str:
            process.terminate()
            reader.join(PATIENCE)
            assert process.wait(PATIENCE) == 0
            return "".join(lines)

        yield address, written
        process.kill()
        reader.join(PATIENCE)


def guest(address: str, secrets: list[str]) -> httpx.Client:
    client = httpx.Client(base_url=address, timeout=PATIENCE)
    secrets.append(client.post("/api/guests").json()["secret"])
    client.headers["authorization"] = f"Bearer {secrets[-1]}"
    return client


def play(people: list[httpx.Client], game: dict[str, Any]) -> str:
    """Play a whole game by legal moves, with a refused one before each; return the table's id."""
    seats = ["me", *["friend"] * (len(people) - 1)]
    made = people[0].post("/api/tables", json={**game, "seats": seats, "name": "Annabel"})
    path = f"/api/tables/{made.json()['id']}"
    for seat, person in enumerate(people[1:], start=1):
        assert person.post(f"{path}/sit", json={"seat": seat, "name": f"Benedict {seat}"}).status_code == 200
    table = people[0].post(f"{path}/start").json()
    while table["status"] != "over":
        actor = people[table["view"]["to_act"]]
        seen = actor.get(path).json()
        assert actor.post(f"{path}/move", json={"ply": seen["ply"], "move": "play:Z1"}).status_code == 422
        legal = seen["view"]["legal"]
        table = actor.post(f"{path}/move", json={"ply": seen["ply"], "move": legal[0]}).json()
    assert people[0].get(f"{path}/record").status_code == 200
    return path.rpartition("/")[2]


@pytest.mark.parametrize(("style", "game"), [("text", "luz"), ("json", "duet")])
def test_no_line_of_whole_games_holds_a_secret_a_cookie_or_a_card(
    tmp_path: Path, style: str, game: str
) -> None:
    hidden: list[str] = []
    with logging(tmp_path, style) as (address, written), ExitStack() as stack:
        people = [stack.enter_context(closing(guest(address, hidden))) for _ in range(3)]
        options = {"players": 3} if game == "luz" else {"level": 1}
        table = play(people if game == "luz" else people[:2], {"game": game, "options": options})
        with httpx.Client(base_url=address, timeout=PATIENCE) as page:
            page.get(f"/t/{table}?key=a-secret-in-an-address")
            page.get("/a-secret-in-an-address")
            page.post("/tables", data={"_csrf_token": "a-secret-in-a-form"})
            hidden += page.cookies.values()
            cookie = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
            live = f"{address.replace('http', 'ws')}t/{table}/live"
            with connect(live, additional_headers={"origin": address[:-1], "cookie": cookie}) as line:
                line.recv(PATIENCE)
        log = written()
    assert "POST /api/tables/{table_id}/move 200" in log
    assert "LIVE /t/{table_id}/live 101" in log
    for secret in (*hidden, "Bearer", "a-secret", "Annabel", "Benedict", "overtrick-csrf"):
        assert secret not in log
    assert not CARD.search(log)
    if style == "json":
        lines = [json.loads(line) for line in log.splitlines()]
        assert {line["table"] for line in lines if "table" in line} == {table}
        assert all(line["time"] and line["level"] and line["logger"] for line in lines)
        served = [line["request"] for line in lines if line["logger"] == "overtrick.web.logs"]
        assert len(set(served)) == len(served)


def test_a_failing_database_is_logged_without_what_was_to_be_written(tmp_path: Path) -> None:
    hidden: list[str] = []
    with logging(tmp_path, "json") as (address, written):
        with closing(guest(address, hidden)) as ann:
            body = {
                "game": "duet",
                "options": {"level": 1},
                "seats": ["me", "bot:uniform"],
                "name": "Annabel",
            }
            path = f"/api/tables/{ann.post('/api/tables', json=body).json()['id']}"
            with sqlite3.connect(tmp_path / "overtrick.sqlite3") as database:
                database.execute(
                    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END"
                )
            assert ann.post(f"{path}/start").status_code >= 500
        log = written()
    failed = [json.loads(line) for line in log.splitlines() if '"error"' in line]
    assert failed
    assert {line.get("table") for line in failed} == {path.rpartition("/")[2]}
    assert not CARD.search(log)
    assert hidden[0] not in log
