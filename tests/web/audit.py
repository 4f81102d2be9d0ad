"""Everything that the server sends to one viewer of a game, kept byte by byte.

A game is played through the real server from a record: its deals come from the record, every person's secret
and form token is given, so two plays of one record give the same bytes, and a difference means that something
else than the viewer's knowledge went into them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from litestar.middleware.csrf import generate_csrf_token
from websockets.sync.client import ClientConnection, connect

from games.worlds import Moment, duet_secrets, other_luz_deal, renamed, renamed_move
from naive.luz import Luz
from overtrick.errors import IllegalMove
from overtrick.games import Position, load
from web.serving import PATIENCE, Served, serving, settings_for

Viewer = int | None
Sent = dict[str, tuple[object, ...]]
World = tuple[dict[str, Any], tuple[str, ...]]

BOT = "rules_of_thumb"
ORIGIN = "http://table.example"
KEY = "0123456789abcdef" * 4
FORM_TOKEN = generate_csrf_token(KEY)
PROBES = (
    "play:R5", "play:#1", "play:#10", "bet:0", "bet:11", "play:D1", "play:S10", "gift:R2", "decree:D3", "foxes:self",
    "move:0", "forest:low", "play:Y3", "play:#7", "decree:keep", "play:#4", "play:R9", "nonsense",
)  # fmt: skip
NOT_COMPARED = {"date", "sec-websocket-accept"}


class ScriptedRng(random.Random):
    """Deals the deals of a record, one after the other; what the record lacks is dealt in the order of the deck.

    All deals of a game are drawn at its start, and a record that stops early has no more of them.
    """

    def __init__(self, record: dict[str, Any]) -> None:
        super().__init__(0)
        self._numbers = load(record["game"], **record["options"]).deck.numbers
        self._deals = iter(record["deals"])

    def shuffle(self, x: Any) -> None:
        deal = next(self._deals, None)
        if deal is None:
            return
        dealt = [card for hand in deal["hands"] for card in hand] + [
            deal[key] for key in ("decree",) if key in deal
        ]
        first = [self._numbers[card] for card in dealt]
        x[:] = first + [card for card in x if card not in set(first)]


class ScriptedEntropy:
    """No chance at all."""

    def __init__(self, record: dict[str, Any]) -> None:
        self._rng = ScriptedRng(record)

    def table_id(self) -> str:
        return "thetable"

    def rng(self) -> random.Random:
        return self._rng

    def bot_seed(self) -> int:
        return 0


@dataclass(frozen=True)
class Turn:
    """A move as its seat says it, and what else that seat could have said."""

    seat: int
    move: str
    legal: tuple[str, ...]


def spoken(record: dict[str, Any]) -> list[Turn]:
    """The record's moves as their seats say them."""
    position: Position = load(record["game"], **record["options"]).start()
    deals = iter(record["deals"])
    turns = []
    for move in record["moves"]:
        if position.needs_deal:
            position = position.deal(next(deals))
        seat = position.to_act
        assert seat is not None
        legal = position.view(seat).legal
        turns.append(
            Turn(seat, next(said for said in legal if position.record_move(seat, said) == move), legal)
        )
        position = position.play(move)
    return turns


class Watcher:
    """One viewer with every way to look and to act open; `sent` holds what came, by ply and way.

    Commitments hide deals by nonces nobody knows, so they alone may differ from world to world: what is kept holds a
    word of the same length for each. `commitments`: those that this viewer was shown first.
    """

    def __init__(self, served: Served, viewer: Viewer) -> None:
        self.viewer = viewer
        self.commitments: list[str] = []
        self.sent: dict[int, Sent] = {}
        secret = f"{viewer}".rjust(43, "s")
        cookies = {"overtrick": secret, served.site.services.csrf.cookie_name: FORM_TOKEN}
        self._head = {"host": "table.example", "cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())}
        self._url = served.url
        self.http = httpx.Client(base_url=served.url, timeout=PATIENCE)
        self._bearer = {"host": "table.example", "authorization": f"Bearer {secret}"}
        self._streams = ExitStack()
        self._live: ClientConnection | None = None
        self._events: Iterator[str] = iter(())

    def form(self, path: str, *, htmx: bool = True, **fields: object) -> httpx.Response:
        head = {**self._head, "origin": ORIGIN} | ({"hx-request": "true"} if htmx else {})
        return self.http.post(path, data={"_csrf_token": FORM_TOKEN, **fields}, headers=head)

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get("/api/tables/thetable", headers=self._bearer).json()
        return found

    def finished_record(self) -> dict[str, Any]:
        """The record, as this viewer gets it at the end."""
        found: dict[str, Any] = self.http.get("/api/tables/thetable/record", headers=self._bearer).json()
        return found

    def look(self) -> Sent:
        """What this viewer is sent on asking for the table, as a page and as JSON."""
        page = self.http.get("/t/thetable", headers=self._head)
        return {
            "page": self.kept_answer(page),
            "json": self.kept_answer(self.http.get("/api/tables/thetable", headers=self._bearer)),
        }

    def watch(self) -> None:
        """Open the streams; their heads count as sent at ply -1."""
        self._live = self._streams.enter_context(
            connect(
                f"{self._url.replace('http', 'ws')}/t/thetable/live",
                additional_headers={"Origin": ORIGIN, "Cookie": self._head["cookie"]},
            )
        )
        assert self._live.response is not None
        heads = kept(self._live.response.headers.raw_items())
        stream = self.http.stream("GET", "/api/tables/thetable/events", headers=self._bearer)
        events = self._streams.enter_context(stream)
        self._events = events.iter_lines()
        self.sent[-1] = {"live": heads, "events": kept(events.headers.items())}

    def record(self, ply: int, probes: tuple[str, ...]) -> None:
        """Keep what is sent to this viewer now that `ply` moves are made, and how these attempts are refused."""
        assert self._live is not None
        sent: Sent = {"pushed": (self._veiled(self._live.recv(PATIENCE)),), "event": (self._event(),)}
        sent |= self.look()
        if probes:
            sent["record"] = self.kept_answer(
                self.http.get("/api/tables/thetable/record", headers=self._bearer)
            )
            for file in ("record.json", "qr.svg"):
                sent[file] = self.kept_answer(self.http.get(f"/t/thetable/{file}", headers=self._head))
        for probe in probes:
            fields = {"ply": ply, "move": probe}
            sent[f"form {probe}"] = self.kept_answer(
                self.form("/t/thetable/move", htmx=ply % 2 == 0, **fields)
            )
            api = self.http.post("/api/tables/thetable/move", json=fields, headers=self._bearer)
            sent[f"json {probe}"] = self.kept_answer(api)
        self.sent[ply] = sent

    def kept_answer(self, response: httpx.Response) -> tuple[object, ...]:
        """What is kept of an answer to this viewer."""
        status, headers, content = answer(response)
        return (status, headers, self._veiled(content))

    def _veiled(self, content: Any) -> Any:
        """The text or the bytes with a word in place of each commitment."""
        for number, one in enumerate(self.commitments, start=1):
            word = f"commitment-{number}".ljust(64, "-")
            content = (
                content.replace(one, word)
                if isinstance(content, str)
                else content.replace(one.encode(), word.encode())
            )
        return content

    def close(self) -> None:
        self._streams.close()
        self.http.close()

    def _event(self) -> tuple[str, ...]:
        lines = []
        for line in self._events:
            if not line and any(kept.startswith("data") for kept in lines):
                break
            if line and not line.startswith((":", "retry")):
                lines.append(line)
        return tuple(self._veiled(line) for line in lines)


def other_world(moment: Moment, viewer: Viewer, rng: random.Random) -> World:
    """Another deal, and the moves since it, that the viewer cannot tell from the true ones."""
    if isinstance(moment.twin, Luz):
        return other_luz_deal(moment.twin, moment.deal, viewer, rng), moment.moves
    deal, moves = moment.deal, moment.moves
    secrets = sorted(duet_secrets(moment.twin, viewer))
    for _ in range(12):
        swap = dict(zip(pair := rng.sample(secrets, 2), reversed(pair), strict=True))
        new_deal, new_moves = renamed(deal, swap), tuple(renamed_move(move, swap) for move in moves)
        try:
            moment.position(new_deal, new_moves)
        except IllegalMove:
            continue
        deal, moves = new_deal, new_moves
    return deal, moves


def changed(record: dict[str, Any], deal: int, first: int, world: World) -> dict[str, Any]:
    """The record up to a moment of a deal, that deal and the moves since it changed."""
    return {
        **record,
        "deals": [*record["deals"][:deal], world[0]],
        "moves": [*record["moves"][:first], *world[1]],
    }


def kept(headers: Any) -> tuple[object, ...]:
    return tuple((name.lower(), value) for name, value in headers if name.lower() not in NOT_COMPARED)


def answer(response: httpx.Response) -> tuple[object, ...]:
    return (response.status_code, kept(response.headers.multi_items()), response.content)


@contextmanager
def table_of(
    record: dict[str, Any], folder: Path, *, show_played: bool = True, bots: frozenset[int] = frozenset()
) -> Iterator[list[Watcher]]:
    """Serve a table with the record's deals, begun; the watchers by seat, a spectator last.

    At the seats of `bots` sit bots, so that the watchers of these are spectators too; persons at the others.
    """
    folder.mkdir()
    (folder / "key").write_text(KEY)
    settings = settings_for(folder, base_url=ORIGIN)
    options = dict(record["options"])
    seats = options.get("players", 2)
    with serving(settings, entropy=ScriptedEntropy(record)) as served:
        watchers = [Watcher(served, viewer) for viewer in (*range(seats), None)]
        try:
            making = {
                "token": "t", "game": record["game"], "dealer": options["dealer"], "name": "Seat 0",
                "explain": 1, "pace": "fast",
                "players": seats, "level": options.get("level", 1), "bead_supply": options.get("bead_supply") or "",
                **{f"seat-{seat}": "friend" if seat else "me" for seat in range(seats)},
                **{f"seat-{seat}": f"bot:{BOT}" for seat in bots}, **({"show_played": 1} if show_played else {}),
            }  # fmt: skip
            assert watchers[0].form("/tables", **making).status_code == 303
            for seat in set(range(1, seats)) - bots:
                assert (
                    watchers[seat].form("/t/thetable/sit", seat=seat, name=f"Seat {seat}").status_code == 200
                )
            assert watchers[0].form("/t/thetable/start").status_code == 200
            for watcher in watchers:
                watcher.commitments = watcher.json()["commitments"]
            yield watchers
        finally:
            for watcher in watchers:
                watcher.close()


def play(watchers: list[Watcher], turns: list[Turn], *, recorded: list[Watcher], plies: range) -> None:
    """Make the moves before the last of `plies`, recording what is sent to some at each ply in it.

    `turns` may go further: they say what is worth trying at that last ply.
    """
    for ply in range(plies.stop):
        if ply == plies.start:
            for watcher in recorded:
                watcher.watch()
        if ply in plies:
            for watcher in recorded:
                watcher.record(ply, probes_at(turns, ply, watcher.viewer))
        if ply < min(len(turns), plies.stop - 1):
            turn = turns[ply]
            done = watchers[turn.seat].form("/t/thetable/move", ply=ply, move=turn.move)
            assert done.status_code == 200
            if watchers[turn.seat] in recorded and ply in plies:
                watchers[turn.seat].sent[ply]["move"] = watchers[turn.seat].kept_answer(done)


def probes_at(turns: list[Turn], ply: int, viewer: Viewer) -> tuple[str, ...]:
    """At every third ply, attempts that are refused: it is not the viewer's turn, or the viewer may not do that."""
    if ply % 3:
        return ()
    tries = tuple(PROBES[(ply // 3 * step + step) % len(PROBES)] for step in (1, 5, 7))
    legal = turns[ply].legal if ply < len(turns) and turns[ply].seat == viewer else ()
    return tuple(probe for probe in tries if probe not in legal)
