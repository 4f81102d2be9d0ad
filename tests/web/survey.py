"""Every route of the server asked by one viewer, and asked wrongly: what the audit compares of it.

What is asked here changes nothing, or it could not be asked of both plays of a game: it is refused, or a repeat. What
really changes something is part of the stories (`web.stories`), which keep the answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from web.wire import Answer, Sent, Watcher

LATE = 9999
"""A ply, and a number of proposals, that no game reaches: whoever names it has not seen this table."""
WRONG = "wrong" * 5
NOT_AUDITED = {
    "GET /static/{path}": "a file of the package, the same for everybody",
    "GET /api/openapi.json": "made once from the program alone, before there is a table",
    "GET /api/openapi.json/{path}": "the same",
    "GET /api/openapi.json/openapi.json": "the same",
}
"""Routes left out, each with the reason."""
STREAMS = ("LIVE /t/{table_id}/live", "GET /api/tables/{table_id}/events")
"""Routes that `Watcher.watch` opens."""


@dataclass(frozen=True)
class Asked:
    """One thing to ask; `wanted`: who asks it, of what the viewer sees of the table (None: nothing)."""

    route: str
    fields: dict[str, Any] | None = None
    wanted: Callable[[Any], bool] = lambda table: True
    path: str = ""
    head: dict[str, str] = field(default_factory=dict)

    def of(self, watcher: Watcher) -> Answer:
        method, _, template = self.route.partition(" ")
        path = (self.path or template).format(table_id="thetable", secret=WRONG)
        if path.startswith("/api/"):
            return watcher.api(method, path.removeprefix("/api"), self.fields, **self.head)
        return watcher.page(method, path, self.fields if method == "POST" else None, **self.head)

    @property
    def way(self) -> str:
        return " ".join([self.route, self.path, *map(str, (self.fields or {}).items()), *self.head.values()])


def stands_by(table: Any) -> bool:
    """Whether the viewer has no seat, so that whatever they ask of a table that is begun is refused."""
    return table is None or table["me"] is None


def nothing_to_come_back_to(table: Any) -> bool:
    return stands_by(table) or table["seats"][table["me"]]["stand_in"] is None


def nothing_to_pause(table: Any) -> bool:
    return stands_by(table) or not (table["timing"]["away"] or table["timing"]["kind"] != "none")


def nothing_paused(table: Any) -> bool:
    return stands_by(table) or not (table["time"] and table["time"]["asked"])


def goes_on(table: Any) -> bool:
    return stands_by(table) or table["status"] == "playing"


ACTS: tuple[tuple[str, dict[str, Any], Callable[[Any], bool]], ...] = (
    ("sit", {"seat": 0, "name": "Eve"}, goes_on),
    ("leave", {}, goes_on),
    ("bot", {"seat": 1, "bot": "easy"}, goes_on),
    ("start", {}, goes_on),
    ("move", {"ply": LATE, "move": "bet:3"}, goes_on),
    ("remove", {"seat": 1, "name": "Eve"}, goes_on),
    ("host", {"seat": 1, "name": "Eve"}, goes_on),
    ("propose-end", {"after": LATE}, goes_on),
    ("agree-end", {"number": LATE}, goes_on),
    ("decline-end", {"number": LATE}, goes_on),
    ("step-out", {}, stands_by),
    ("come-back", {}, nothing_to_come_back_to),
    ("pause", {}, nothing_to_pause),
    ("resume", {}, nothing_paused),
    ("say", {"token": "t", "text": "\u200b"}, goes_on),
    ("propose", {"ply": LATE, "end": "low"}, goes_on),
    ("again", {}, goes_on),
)
"""Acts at a table by the last part of their address, page and API alike."""

PAGES = (
    Asked("GET /"),
    Asked("GET /games"),
    Asked("GET /me"),
    Asked("GET /me/data.json"),
    Asked("GET /me/delete"),
    Asked("GET /t/{table_id}"),
    Asked("GET /t/{table_id}/record.json"),
    Asked("GET /t/{table_id}/qr.svg"),
    Asked("GET /t/{table_id}/link"),
    Asked("GET /t/{table_id}/link.svg"),
    Asked("GET /t/{table_id}/seat/{secret}"),
    Asked("GET /health"),
    Asked("GET /metrics", head={"x-forwarded-for": "203.0.113.9"}),
    Asked("GET /api/tables"),
    Asked("GET /api/tables/{table_id}"),
    Asked("GET /api/tables/{table_id}/record"),
    Asked("GET /api/tables/{table_id}/link"),
    Asked("GET /api/me/tables"),
    Asked("GET /api/me"),
    Asked("GET /api/me/data"),
)
FORMS = (
    Asked("POST /tables", {"game": "luz"}),
    Asked("POST /language", {"language": "uk", "next": "/t/thetable"}),
    Asked("POST /me/claim", {"name": "Eve", "password": "short"}),
    Asked("POST /me/login", {"name": "Eve"}),
    Asked("POST /me/delete", {"password": ""}),
    Asked("POST /me/password", {"password": "short", "new": "shorter"}),
    Asked("POST /me/logout", {}),
    Asked("POST /me/everywhere", {}),
    Asked("POST /t/{table_id}/link", {}, stands_by),
    Asked("POST /t/{table_id}/seat", {"secret": WRONG}),
    Asked("POST /api/me/claim", {"name": "Eve", "password": "short"}),
    Asked("POST /api/me/login", {"name": "Eve"}),
    Asked("POST /api/me/delete", {"sure": False}),
    Asked("POST /api/me/password", {"password": "short", "new": "shorter"}),
    Asked("POST /api/me/logout"),
    Asked("POST /api/me/everywhere"),
    Asked("POST /api/guests"),
    Asked("POST /api/tables", {"game": "luz", "seats": []}),
    Asked("POST /api/tables/{table_id}/link", None, stands_by),
    Asked("POST /api/tables/{table_id}/join", {"secret": WRONG}),
)
ENDS_A_SESSION = {f"POST {path}/{act}" for path in ("/me", "/api/me") for act in ("logout", "everywhere")}
"""Not for those who are logged in; to guests they do nothing."""
WRONGLY = (
    Asked("GET /t/{table_id}", path="/t/thetable/nonsense"),
    Asked("GET /t/{table_id}", path="/t/anothertable"),
    Asked("GET /t/{table_id}", head={"accept-language": "uk", "hx-request": "true", "if-none-match": '"x"'}),
    Asked("GET /t/{table_id}", head={"host": "evil.example"}),
    Asked("GET /api/tables/{table_id}", path="/api/tables/thetable/nonsense"),
    Asked("GET /api/tables/{table_id}", head={"authorization": "Bearer nonsense"}),
    Asked("HEAD /t/{table_id}"),
    Asked("HEAD /api/tables/{table_id}"),
    Asked("HEAD /t/{table_id}/record.json"),
    Asked("DELETE /t/{table_id}"),
    Asked("DELETE /api/tables/{table_id}"),
    Asked("OPTIONS /t/{table_id}/move"),
    Asked("POST /t/{table_id}/move", {"_csrf_token": "nonsense"}),
    Asked("POST /t/{table_id}/move", {"ply": "x"}),
    Asked("POST /t/{table_id}/move", {}, head={"origin": "http://evil.example"}),
    Asked("POST /api/tables/{table_id}/move", {"ply": 0}),
    Asked("POST /api/tables/{table_id}/move", {}, head={"content-type": "text/plain"}),
    Asked("POST /api/tables/{table_id}/move", {"ply": 0, "move": "x" * 20_000}),
)


def survey(watcher: Watcher, *, turn: int, logged_in: bool = False) -> Sent:
    """Ask every route. `turn`: of several surveys; what an act says by page in one it says by the API in the next."""
    answer = watcher.api("GET", "/tables/thetable")
    table = answer.json() if answer.status == 200 else None
    return {
        one.way: watcher.kept(one.of(watcher))
        for one in asked(turn)
        if one.wanted(table) and not (logged_in and one.route in ENDS_A_SESSION)
    }


def asked(turn: int) -> Iterator[Asked]:
    yield from (*PAGES, *FORMS, *WRONGLY)
    for number, (act, fields, wanted) in enumerate(ACTS):
        if (number + turn) % 2:
            yield Asked(f"POST /api/tables/{{table_id}}/{act}", fields or None, wanted)
        else:
            head = {"hx-request": "true"} if number % 3 else {}
            yield Asked(f"POST /t/{{table_id}}/{act}", fields, wanted, head=head)


def audited() -> set[str]:
    """The routes that two surveys in a row ask."""
    return {one.route for turn in (0, 1) for one in asked(turn)}


def routes(site: Any) -> set[str]:
    """Every route of an application: method and template."""
    found = set()
    for route in site.routes:
        methods = (getattr(route, "methods", None) or {"LIVE"}) - {"OPTIONS"}
        found |= {f"{method} {route.path_format}" for method in methods}
    return found


PROBES = (
    "play:R5", "play:#1", "play:#10", "bet:0", "bet:11", "play:D1", "play:S10", "gift:R2", "decree:D3", "foxes:self",
    "move:0", "forest:low", "play:Y3", "play:#7", "decree:keep", "play:#4", "play:R9", "nonsense",
)  # fmt: skip
EVERY = 3
"""Plies from one round of attempts to the next."""


def attempts(watcher: Watcher, ply: int) -> Sent:
    """Ask for hidden things and for moves that are refused, as a form and by the API: what comes of it."""
    sent = {
        "record": watcher.kept(watcher.api("GET", "/tables/thetable/record")),
        "record.json": watcher.kept(watcher.page("GET", "/t/thetable/record.json")),
    }
    for step in (1, 5, 7):
        probe = PROBES[(ply // EVERY * step + step) % len(PROBES)]
        if probe not in watcher.legal:
            fields, head = {"ply": ply, "move": probe}, {"hx-request": "true"} if ply % 2 else {}
            sent[f"form {probe}"] = watcher.kept(watcher.page("POST", "/t/thetable/move", fields, **head))
            sent[f"json {probe}"] = watcher.kept(watcher.api("POST", "/tables/thetable/move", fields))
    return sent
