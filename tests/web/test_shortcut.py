"""A move's short way: the same answer to the byte as the long one's, and nothing gets through that would not there."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from overtrick.web.shortcut import Shortcut
from web.serving import PATIENCE, Client, Served, serving, settings_for

SECRET = "s" * 43


class Game:
    """A game of Duet of two clients, and its moves on a connection of their own."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.clients = [served.client(), served.client()]
        self.path = self.clients[0].make("duet")
        self.clients[1].post(f"{self.path}/sit", seat=1, name="Ben")
        self.clients[0].post(f"{self.path}/start")

    def wish(self) -> tuple[Client, dict[str, Any]]:
        """Who is to move, and a legal move of theirs."""
        to_act = self.clients[0].look(self.path)["view"]["to_act"]
        look = self.clients[to_act].look(self.path)
        return self.clients[to_act], {"ply": look["ply"], "move": random.choice(look["view"]["legal"])}

    def ask(self, client: Client, body: bytes, **headers: str) -> tuple[int, list[str], bytes]:
        """Send a move as plain bytes; return the status, the lines of the head but for the date, and the body."""
        head = {
            "host": f"127.0.0.1:{self.served.port}",
            "authorization": f"Bearer {client.secret}",
            "content-type": "application/json",
            "content-length": str(len(body)),
            "connection": "close",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        lines = [f"POST /api{self.path}/move HTTP/1.1", *(f"{name}: {value}" for name, value in head.items())]
        with socket.create_connection(("127.0.0.1", self.served.port), PATIENCE) as line:
            line.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            with line.makefile("rb") as answer:
                whole = answer.read()
        top, _, rest = whole.partition(b"\r\n\r\n")
        status, *sent = top.decode().split("\r\n")
        return int(status.split()[1]), [line for line in sent if not line.startswith("date:")], rest

    def origin(self) -> dict[str, str]:
        """What is harmless and yet not plain."""
        return {"origin": self.served.url}


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with serving(settings_for(tmp_path)) as served:
        yield Game(served)


def encoded(wish: object) -> bytes:
    return json.dumps(wish).encode()


def test_both_ways_give_the_same_answer_to_the_byte(game: Game) -> None:
    for _ in range(6):
        client, wish = game.wish()
        short = game.ask(client, encoded(wish))
        assert short[0] == 200
        assert json.loads(short[2])["ply"] == wish["ply"] + 1
        # The same move once more does nothing and is answered by the table as it is.
        assert game.ask(client, encoded(wish), **game.origin()) == short
        assert game.ask(client, encoded(wish)) == short


def test_plain_moves_go_the_short_way_and_all_others_the_long_one(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, wish = game.wish()
    shortened: list[bool] = []
    short = Shortcut.__call__

    async def noted(self: Shortcut, scope: Any, receive: Any, send: Any) -> Any:
        left = await short(self, scope, receive, send)
        shortened.append(left is None)
        return left

    monkeypatch.setattr(Shortcut, "__call__", noted)
    assert game.ask(client, encoded(wish))[0] == 200
    assert game.ask(client, encoded(wish), **game.origin())[0] == 200
    assert game.ask(client, encoded(wish), content_type="application/json; charset=utf-8")[0] == 200
    assert shortened == [True, False, False]


REFUSED: dict[str, tuple[bytes | None, dict[str, str]]] = {
    "no JSON": (b"{", {}),
    "a field twice": (b'{"ply": 0, "move": "play:D1", "ply": 1}', {}),
    "another field": (b'{"ply": 0, "move": "play:D1", "seat": 1}', {}),
    "a text for a number": (b'{"ply": "0", "move": "play:D1"}', {}),
    "no such move": (b'{"ply": 0, "move": "bet:3"}', {}),
    "a ply of long ago": (b'{"ply": 99, "move": "play:D1"}', {}),
    "nothing": (b"", {}),
    "too much": (b"[" * 150, {}),
    "a stranger": (None, {"authorization": f"Bearer {SECRET}"}),
    "half a secret": (None, {"authorization": "Bearer short"}),
    "no JSON said": (None, {"content_type": "text/plain"}),
    "another host": (None, {"host": "evil.example"}),
    "another site": (None, {"origin": "https://evil.example"}),
    "another site, twice": (None, {"origin": "http://127.0.0.1", "Origin": "https://evil.example"}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_refused_as_ever_and_nothing_has_happened(game: Game, what: str) -> None:
    client, wish = game.wish()
    body, headers = REFUSED[what]
    before = client.look(game.path)
    sent = encoded(wish) if body is None else body
    short = game.ask(client, sent, **headers)
    assert 400 <= short[0] < 500
    if "origin" not in headers:
        assert game.ask(client, sent, **{**game.origin(), **headers}) == short
    assert client.look(game.path) == before
    assert game.ask(client, encoded(wish))[0] == 200


def test_a_move_counts_once_and_one_too_many_is_refused(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_acts=6)) as served:
        game = Game(
            served
        )  # of which two are acts of the host and the guest: starting and sitting count apart
        answers = []
        for _ in range(40):
            client, wish = game.wish()
            answers.append((client, game.ask(client, encoded(wish))))
            if answers[-1][1][0] != 200:
                break
        client, (status, head, _) = answers[-1]
        assert status == 429
        assert any(line.startswith("retry-after: ") for line in head)
        mine = sum(one is client for one, _ in answers)
        assert mine in (6, 7)  # the host has started the game besides
