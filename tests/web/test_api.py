"""The JSON API: whole games by programs, every refusal, and what it says being what it describes."""

from __future__ import annotations

import socket
import time
from typing import Any

import httpx
import msgspec
import pytest

from overtrick.games import load
from overtrick.web import shapes
from web.serving import PATIENCE, Client, Served, give_up, play_json

Json = dict[str, Any]


def playing(*clients: Client, game: str = "duet", **body: object) -> str:
    """A game of these people, begun; the first sits in seat 0 and is the host."""
    path = clients[0].make(game, "me", *("friend",) * (len(clients) - 1), **body)
    for seat, client in enumerate(clients[1:], start=1):
        assert client.post(f"{path}/sit", seat=seat, name=f"Guest {seat}").status_code == 200
    assert clients[0].post(f"{path}/start").status_code == 200
    return path


def problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    told = msgspec.convert(answer.json(), shapes.ProblemDetails)
    assert told.status == answer.status_code
    assert told.detail
    return told.status, told.kind


def conforms(table: Json) -> None:
    """A look is exactly what its description says: nothing missing, nothing more."""
    typed = msgspec.convert(table, shapes.Table, strict=True)
    assert msgspec.to_builtins(typed) == table


def test_every_guest_gets_a_secret_of_their_own(served: Served) -> None:
    secrets = {served.client().secret for _ in range(20)}
    assert len(secrets) == 20
    assert all(len(secret) == 43 for secret in secrets)


def test_a_table_is_made_and_found(guest: Client) -> None:
    answer = guest.post(
        "/tables", game="duet", options={"level": 2}, seats=["me", "friend"], name="Ann", public=True
    )
    table = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/tables/{table['id']}"
    conforms(table)
    assert (table["status"], table["me"], table["is_host"]) == ("waiting", 0, True)
    listed = guest.get("/tables").json()
    msgspec.convert(listed, shapes.OpenTables)
    assert table["id"] in [entry["id"] for entry in listed["tables"]]


def test_one_token_makes_one_table(guest: Client, other: Client) -> None:
    same = {guest.make(token="t") for _ in range(3)}
    assert len(same) == 1
    assert guest.make(token="u") not in same
    assert guest.make() != guest.make()
    assert other.make(token="t") not in same


@pytest.mark.parametrize(
    ("game", "options", "people"),
    [
        ("luz", {"players": 3}, 3), ("luz", {"players": 4, "bead_supply": 15}, 4), ("luz", {"players": 5}, 5),
        ("duet", {"level": 1}, 2), ("duet", {"level": 3}, 2),
    ],
)  # fmt: skip
def test_a_whole_game_is_played_by_json(served: Served, game: str, options: Json, people: int) -> None:
    clients = [served.client() for _ in range(people)]
    path = playing(*clients, game=game, options=options)
    conforms(clients[0].look(path))
    over = play_json(*clients, path=path)
    conforms(over)
    assert over["view"]["result"]
    record = clients[0].get(f"{path}/record").json()
    msgspec.convert(record, shapes.GameRecord)
    assert len(record["moves"]) == over["ply"]
    replayed = load(record["game"], **record["options"]).start()
    deals = iter(record["deals"])
    for move in record["moves"]:
        replayed = (replayed.deal(next(deals)) if replayed.needs_deal else replayed).play(move)
    outcome = replayed.outcome()
    assert outcome is not None
    assert outcome.to_json() == over["view"]["result"]


def test_every_look_at_a_game_is_as_described(served: Served) -> None:
    clients = [served.client() for _ in range(3)]
    stranger = served.client()
    for game, people in (("luz", 3), ("duet", 2)):
        seated = clients[:people]
        path = playing(*seated, game=game, options={"players": 3} if game == "luz" else {"level": 1})
        for turn in range(40):
            for client in (*seated, stranger):
                conforms(client.look(path))
            mover = next((c for c in seated if c.look(path)["view"]["legal"]), None)
            if mover is None:
                break
            table = mover.look(path)
            legal = table["view"]["legal"]
            mover.post(f"{path}/move", ply=table["ply"], move=legal[turn % len(legal)])


def test_a_game_with_bots_goes_on_by_itself(guest: Client) -> None:
    path = guest.make("luz", "me", "bot:uniform", "bot:rules_of_thumb", "bot:uniform")
    assert guest.post(f"{path}/start").status_code == 200
    with guest.events(path) as events:
        for _, table in events:
            if table["status"] == "over":
                break
            if legal := table["view"]["legal"]:
                guest.post(f"{path}/move", ply=table["ply"], move=legal[0])
    assert guest.look(path)["view"]["result"]["winner"] in range(4)


def test_bots_come_and_go_before_the_start(guest: Client) -> None:
    path = guest.make()
    assert guest.post(f"{path}/bot", seat=1, bot="uniform").json()["seats"][1]["bot"] == "uniform"
    assert guest.post(f"{path}/bot", seat=1, bot="").json()["seats"][1]["kind"] == "empty"
    assert problem(guest.post(f"{path}/bot", seat=1, bot="nobody")) == (422, "invalid")


def test_a_seat_is_left_and_taken(guest: Client, other: Client) -> None:
    path = guest.make()
    assert other.post(f"{path}/sit", seat=1, name="Ben").json()["me"] == 1
    assert problem(guest.post(f"{path}/sit", seat=1, name="Ann")) == (403, "forbidden")
    assert other.post(f"{path}/leave").json()["me"] is None
    assert problem(other.post(f"{path}/leave")) == (403, "forbidden")


def test_the_host_removes_a_person_and_hands_the_role_on(guest: Client, other: Client) -> None:
    path = guest.make()
    other.post(f"{path}/sit", seat=1, name="Ben")
    assert guest.post(f"{path}/remove", seat=1, name="Ben").json()["seats"][1]["kind"] == "empty"
    assert problem(guest.post(f"{path}/host", seat=1, name="Ben")) == (422, "invalid")
    other.post(f"{path}/sit", seat=1, name="Ben")
    assert guest.post(f"{path}/host", seat=1, name="Ben").json()["is_host"] is False
    assert other.look(path)["is_host"] is True
    assert problem(guest.post(f"{path}/remove", seat=1, name="Ben")) == (403, "forbidden")


def test_a_game_of_luz_ends_by_agreement_and_gives_its_record_out(guest: Client, other: Client) -> None:
    path = guest.make("luz", "me", "friend", "bot:uniform", "bot:uniform", dealer=3)
    other.post(f"{path}/sit", seat=1, name="Ben")
    assert len(guest.post(f"{path}/start").json()["commitments"]) == 4
    assert other.look(path)["ending"] == {
        "proposals": 0, "seat": None, "agreed": [], "awaited": [], "asked": [0, 1], "may_propose": True,
    }  # fmt: skip
    asked = guest.post(f"{path}/propose-end", after=0).json()["ending"]
    assert asked == {
        "proposals": 1,
        "seat": 0,
        "agreed": [],
        "awaited": [1],
        "asked": [0, 1],
        "may_propose": False,
    }
    assert problem(guest.get(f"{path}/record")) == (409, "started")
    ended = other.post(f"{path}/agree-end", number=1).json()
    assert (ended["status"], ended["cut_short"], ended["ending"]) == ("over", True, None)
    assert (ended["view"]["to_act"], ended["view"]["legal"], ended["view"]["result"]) == (None, [], None)
    meta = guest.get(f"{path}/record").json()["meta"]
    assert meta["ended"] == "by agreement"
    assert [one["commitment"] for one in meta["seals"]] == ended["commitments"]


def test_whoever_declines_lets_the_game_go_on(guest: Client, other: Client) -> None:
    path = playing(guest, other)
    guest.post(f"{path}/propose-end", after=0)
    assert other.post(f"{path}/decline-end", number=1).json()["ending"]["seat"] is None
    assert problem(guest.post(f"{path}/propose-end", after=1)) == (409, "declined")
    assert problem(other.post(f"{path}/agree-end", number=1)) == (409, "stale")


def test_playing_again_leads_everybody_to_one_table(guest: Client, other: Client) -> None:
    path = playing(guest, other)
    assert problem(guest.post(f"{path}/again"))[0] == 409
    give_up(path, guest, other)
    goals = {client.post(f"{path}/again").json()["next_table"] for client in (guest, other, guest)}
    assert len(goals) == 1
    assert other.look(f"/tables/{goals.pop()}")["me"] == 1


def test_refusals_have_no_effect(guest: Client, other: Client, served: Served) -> None:
    path = playing(guest, other)
    leader = other.look(path)["view"]["legal"][0]
    stranger = served.client()
    before = guest.look(path)
    refused = [
        (guest.post(f"{path}/move", ply=0, move="play:D1"), 409, "not_your_turn"),
        (stranger.post(f"{path}/move", ply=0, move=leader), 403, "forbidden"),
        (other.post(f"{path}/move", ply=5, move=leader), 409, "stale"),
        (other.post(f"{path}/move", ply=0, move="play:Q9"), 422, "illegal"),
        (other.post(f"{path}/move", ply=0, move="decree:keep"), 422, "illegal"),
        (other.post(f"{path}/move", ply=-1, move=leader), 422, "invalid"),
        (other.post(f"{path}/move", ply="x", move=leader), 422, "invalid"),
        (other.post(f"{path}/move", ply=0), 422, "invalid"),
        (other.post(f"{path}/move", ply=0, move="p" * 30), 422, "invalid"),
        (other.post(f"{path}/move", ply=0, move=leader, seat=0), 422, "invalid"),
        (stranger.post(f"{path}/sit", seat=0, name="Cat"), 409, "started"),
        (stranger.post(f"{path}/propose-end", after=0), 403, "forbidden"),
        (guest.post(f"{path}/propose-end", after=7), 409, "stale"),
        (guest.post(f"{path}/agree-end", number=1), 409, "stale"),
        (guest.post(f"{path}/propose-end", ply=0), 422, "invalid"),
        (other.post(f"{path}/move", ply=0, move="resign"), 422, "illegal"),
        (guest.post(f"{path}/remove", seat=1, name="Ben"), 409, "started"),
        (other.post(f"{path}/host", seat=1, name="Ben"), 403, "forbidden"),
        (guest.post(f"{path}/leave"), 409, "started"),
        (stranger.post(f"{path}/start"), 403, "forbidden"),
        (guest.post(f"{path}/bot", seat=1, bot="uniform"), 409, "started"),
        (guest.get(f"{path}/record"), 409, "started"),
        (guest.post("/tables/unknown/leave"), 404, "unknown"),
        (guest.get("/tables/unknown"), 404, "unknown"),
        (guest.get("/tables/unknown/events"), 404, "unknown"),
        (guest.get("/tables/unknown/record"), 404, "unknown"),
        (guest.get("/nowhere"), 404, "no_such_address"),
        (guest.http.delete(path), 405, "method"),
    ]  # fmt: skip
    for number, (answer, status, kind) in enumerate(refused):
        assert problem(answer) == (status, kind), (number, answer.text)
    assert guest.look(path) == before


def test_starting_twice_starts_once(guest: Client, other: Client) -> None:
    path = playing(guest, other)
    before = guest.look(path)
    assert guest.post(f"{path}/start").json() == before
    assert guest.look(path) == before


def test_an_illegal_card_is_refused_with_its_clause(guest: Client, other: Client) -> None:
    wrong: list[str] = []
    while not wrong:
        path = playing(guest, other)
        lead = next(m for m in other.look(path)["view"]["legal"] if not m.endswith(("3", "7", "9")))
        other.post(f"{path}/move", ply=0, move=lead)
        view = guest.look(path)["view"]
        wrong = [card for card in view["hands"][0] if f"play:{card}" not in view["legal"]]
    told = guest.post(f"{path}/move", ply=1, move=f"play:{wrong[0]}").json()
    assert (told["status"], told["kind"], told["clause"]) == (422, "illegal", "D-8")


@pytest.mark.parametrize(
    "kind", [None, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json"]
)
def test_a_body_that_is_not_called_json_is_not_read(guest: Client, kind: str | None) -> None:
    body = b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann"}'
    headers = {} if kind is None else {"content-type": kind}
    path = guest.make()
    for address in ("/tables", f"{path}/sit", f"{path}/start", "/guests"):
        answer = guest.http.post(address, content=body, headers=headers)
        assert problem(answer) == (415, "not_json")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON ; charset=utf-8"])
def test_a_body_that_is_called_json_is_read(guest: Client, kind: str) -> None:
    body = b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann"}'
    answer = guest.http.post("/tables", content=body, headers={"content-type": kind})
    assert answer.status_code == 201


def test_without_a_body_no_type_is_asked_for(guest: Client) -> None:
    path = guest.make()
    assert guest.http.post(f"{path}/leave").status_code == 200
    assert guest.http.post("/guests", headers={"content-type": "text/plain"}).status_code == 201
    assert problem(guest.http.post("/tables")) == (422, "invalid")


def test_a_missing_field_is_named(guest: Client) -> None:
    told = guest.post("/tables", game="duet").json()
    assert told["errors"]
    assert "seats" in str(told["errors"])


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer x", "Basic QTpC", "Bearer " + "a" * 44, "Bearer " + "é" * 43]
)
def test_without_a_secret_nothing_can_be_done(served: Served, guest: Client, header: str | None) -> None:
    path = guest.make()
    headers = {} if header is None else {"authorization": header.encode()}
    with httpx.Client(base_url=f"{served.url}/api", headers=headers) as anybody:
        for call in ("leave", "start", "again"):
            answer = anybody.post(f"{path}/{call}")
            assert problem(answer) == (401, "unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
        looked = anybody.get(path)
        assert looked.status_code == (200 if header is None else 401)
    assert guest.look(path)["seq"] == guest.look(path)["seq"] == 2


def test_a_spectator_gets_the_public_view(served: Served, guest: Client, other: Client) -> None:
    path = playing(guest, other)
    view = served.client().look(path)["view"]
    assert (view["seat"], view["hands"], view["legal"]) == (None, [None, None], [])
    nobody = httpx.get(f"{served.url}/api{path}").json()
    assert nobody["view"] == view


def test_the_browser_and_the_client_of_one_secret_are_one_person(served: Served, guest: Client) -> None:
    path = guest.make()
    browser = served.browser(cookies={"overtrick": guest.secret})
    assert browser.post(f"/t/{path.rsplit('/', 1)[1]}/leave").status_code == 303
    assert guest.look(path)["me"] is None


def test_the_kind_of_a_problem_stays_when_its_language_changes(guest: Client) -> None:
    answer = guest.get("/tables/unknown", headers={"accept-language": "xx, en;q=0.5"})
    assert problem(answer) == (404, "unknown")


def test_a_pace_that_is_none_is_refused_in_the_words_of_the_form(guest: Client) -> None:
    answer = guest.post("/tables", game="duet", seats=["me", "friend"], name="Ann", pace="slow")
    assert problem(answer) == (422, "invalid")
    assert answer.json()["detail"] == "The bots' pace is unhurried, normal or fast."


@pytest.mark.parametrize("field", ["explain", "public", "show_played"])
@pytest.mark.parametrize("value", [1, 0, "true", None])
def test_what_is_true_or_false_is_sent_as_nothing_else(guest: Client, field: str, value: object) -> None:
    answer = guest.post("/tables", game="duet", seats=["me", "friend"], name="Ann", **{field: value})
    assert problem(answer) == (422, "invalid")
    assert set(answer.json()["errors"]) == {field}


def test_a_stream_ends_with_its_connection_whatever_was_asked_behind_it(
    served: Served, guest: Client
) -> None:
    path = guest.make("duet", "me", "friend")
    before = set(served.site.services.closing._blocks)
    asked = f"GET /api{path}/events HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\n\r\n"
    behind = f"GET /health HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as line:
        line.sendall((asked + behind).encode())
        got = b""
        while b"data: " not in got:
            part = line.recv(65_536)
            assert part, got
            got += part
        assert set(served.site.services.closing._blocks) > before
    deadline = time.monotonic() + PATIENCE
    while set(served.site.services.closing._blocks) > before:
        assert time.monotonic() < deadline, "nobody is there any more"
        time.sleep(0.05)
