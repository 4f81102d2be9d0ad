"""What is forged is refused with a sentence, and nothing of it stands in the log of the table."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from overtrick.web.security import server_key
from web.serving import ACTS, Browser, Client, Served, alert, serving, settings_for

JSON = {"content-type": "application/json"}
NO_WHOLE_NUMBERS = (
    "-1", "5", "99", "9223372036854775808", "1" + "0" * 30, "9" * 5000, "1.5", "1e400", "NaN", "Infinity", "-Infinity",
    "true", "false", "null", '"0"', '"1"', '""', "[0]", "{}", '"\\u0661"',
)  # fmt: skip
"""In place of the number of a seat, a ply or a proposal; 5 and 99 are whole numbers, but of nothing."""
NO_TEXTS = ("7", "true", "null", '["Cat"]', '{"a": 1}')


@pytest.fixture
def path(guest: Client, other: Client) -> str:
    """A game of Duet between a guest (seat 0, the host) and another one, who is to lead."""
    made = guest.make()
    assert other.post(f"{made}/sit", seat=1, name="Ben").status_code == 200
    assert guest.post(f"{made}/start").status_code == 200
    return made


def log_of(served: Served) -> list[tuple[Any, ...]]:
    """All events of all tables, as they stand on the disk."""
    file = Path(served.site.services.settings.data) / "overtrick.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        return database.execute("SELECT * FROM events ORDER BY table_id, seq").fetchall()


@contextmanager
def nothing_happens(served: Served) -> Iterator[None]:
    before = log_of(served)
    assert before
    yield
    assert log_of(served) == before


def assert_refused(answer: httpx.Response, *statuses: int) -> None:
    assert answer.status_code in (statuses or (400, 403, 404, 409, 422)), answer.text
    if answer.headers["content-type"].startswith("text/html"):
        assert re.fullmatch(r"[A-Z].*[.!]", alert(answer.text)), answer.text
    else:
        assert answer.headers["content-type"] == "application/problem+json"
        assert re.fullmatch(r".{10,}\.", answer.json()["detail"])


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("move", '{"ply": @, "move": "play:D1"}'),
        ("propose", '{"ply": @, "end": "low"}'),
        ("host", '{"seat": @, "name": "Ben"}'),
        ("remove", '{"seat": @, "name": "Ben"}'),
        ("sit", '{"seat": @, "name": "Cat"}'),
        ("bot", '{"seat": @, "bot": "easy"}'),
        ("propose-end", '{"after": @}'),
        ("agree-end", '{"number": @}'),
        ("decline-end", '{"number": @}'),
    ],
)
def test_what_is_no_whole_number_of_anything_is_refused(
    served: Served, guest: Client, other: Client, path: str, act: str, body: str
) -> None:
    waiting = guest.make()
    with nothing_happens(served):
        for forged in NO_WHOLE_NUMBERS:
            content = body.replace("@", forged)
            for who in (guest, other):
                assert_refused(who.http.post(f"{path}/{act}", content=content, headers=JSON))
            if act in {"sit", "bot", "remove"}:
                assert_refused(guest.http.post(f"{waiting}/{act}", content=content, headers=JSON))


@pytest.mark.parametrize(
    "field",
    ['"dealer": @', '"options": {"level": @}', '"options": {"players": @}', '"timing": {"seconds": @}',
     '"timing": {"increment": @}', '"timing": {"away": @}', '"token": @', '"name": @', '"seats": @', '"game": @',
     '"public": @', '"pace": @', '"watching": @', '"talk": @', '"options": @', '"timing": @', '"explain": @'],
)  # fmt: skip
def test_no_table_is_made_of_what_is_none(served: Served, guest: Client, path: str, field: str) -> None:
    whole = {
        "game": "duet",
        "seats": ["me", "friend"],
        "name": "Ann",
        "timing": {"kind": "bank", "seconds": 600},
    }
    name = json.loads("{" + field.replace("@", "0") + "}").popitem()[0]
    rest = json.dumps({key: value for key, value in whole.items() if key != name})[1:-1]
    texts = (*NO_TEXTS, '"\\u0000"', '"' + "x" * 4000 + '"')
    harmless = {
        "token": {'""', '"0"', '"1"', '"\\u0661"', '"\\u0000"'},
        "name": {'"0"', '"1"', '"\\u0661"'},
        "public": {"true", "false"},
        "explain": {"true", "false"},
        "options": {"{}"},
        "timing": {"{}"},
    }.get(name, set())
    numbers = {"5", "99", "7"} if "timing" in field else set()  # so many seconds may be
    with nothing_happens(served):
        for forged in (*NO_WHOLE_NUMBERS, *texts):
            if forged in harmless | numbers:
                continue
            content = "{" + rest + ", " + field.replace("@", forged) + "}"
            answer = guest.http.post("/tables", content=content, headers=JSON)
            assert answer.status_code != 201, content[:200]
            assert_refused(answer, 400, 422)


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("move", '{"ply": 0, "move": @}'),
        ("propose", '{"ply": 0, "end": @}'),
        ("host", '{"seat": 1, "name": @}'),
        ("sit", '{"seat": 1, "name": @}'),
        ("bot", '{"seat": 1, "bot": @}'),
        ("say", '{"token": "t", "text": @}'),
        ("say", '{"token": @, "text": "Hello"}'),
        ("join", '{"secret": @}'),
    ],
)
def test_what_is_no_text_is_refused(
    served: Served, guest: Client, other: Client, path: str, act: str, body: str
) -> None:
    with nothing_happens(served):
        for forged in NO_TEXTS:
            for who in (guest, other):
                content = body.replace("@", forged)
                assert_refused(who.http.post(f"{path}/{act}", content=content, headers=JSON), 422)


@pytest.mark.parametrize(
    "body",
    [
        '{"ply": 0, "ply": 0, "move": "@"}',
        '{"ply": 0, "move": "@", "move": "@"}',
        '{"ply": 9, "ply": 0, "move": "@"}',
        '{"ply": 0, "move": "play:D1", "mov\\u0065": "@"}',
    ],
)
def test_a_field_that_is_there_twice_is_refused(served: Served, other: Client, path: str, body: str) -> None:
    legal = other.look(path)["view"]["legal"][0]
    with nothing_happens(served):
        refused = other.http.post(f"{path}/move", content=body.replace("@", legal), headers=JSON)
        assert_refused(refused, 422)
        assert refused.json()["detail"] == "That JSON names the same field twice."
        nested = (
            '{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "options": {"level": 1, "level": 2}}'
        )
        assert_refused(other.http.post("/tables", content=nested, headers=JSON), 422)


def test_a_whole_number_may_be_written_as_one_with_a_point(other: Client, path: str) -> None:
    legal = other.look(path)["view"]["legal"][0]
    done = other.http.post(f"{path}/move", content=f'{{"ply": 0.0, "move": "{legal}"}}', headers=JSON)
    assert done.json()["ply"] == 1


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml",
     "application/jsonx", "text/json", "*/*", "", "application/json+evil"],
)  # fmt: skip
def test_a_body_of_another_kind_is_refused(served: Served, other: Client, path: str, kind: str) -> None:
    move = json.dumps({"ply": 0, "move": other.look(path)["view"]["legal"][0]})
    form = f"ply=0&move={other.look(path)['view']['legal'][0]}"
    with nothing_happens(served):
        for content in (move, form):
            refused = other.http.post(f"{path}/move", content=content, headers={"content-type": kind})
            assert_refused(refused, 415)


def test_a_page_reads_no_json(served: Served, ann: Browser) -> None:
    path = ann.make()
    with nothing_happens(served):
        for kind in ("application/json", "text/plain", "application/octet-stream"):
            body = json.dumps({"_csrf_token": ann.token(), "seat": 1, "bot": "easy"})
            assert_refused(ann.http.post(f"{path}/bot", content=body, headers={"content-type": kind}), 403)


def bodies(look: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """For each act a body that could be meant."""
    of_a_seat = {"seat": 1, "name": "Ben"}
    return {
        "sit": of_a_seat, "bot": {"seat": 1, "bot": "easy"}, "move": {"ply": look["ply"], "move": "play:D1"},
        "remove": of_a_seat, "host": of_a_seat, "propose-end": {"after": 0}, "agree-end": {"number": 1},
        "decline-end": {"number": 1}, "say": {"token": "t", "text": "Hello"}, "propose": {"ply": 0, "end": "low"},
    }  # fmt: skip


SECRETS: dict[str, Callable[[str], str]] = {
    "a fresh one": lambda secret: "A" * 43,
    "one letter off": lambda secret: ("B" if secret[0] != "B" else "C") + secret[1:],
    "the last letter off": lambda secret: secret[:-1] + ("g" if secret[-1] != "g" else "w"),
    "in the other case": lambda secret: secret.swapcase(),
    "cut short": lambda secret: secret[:-1],
    "longer": lambda secret: secret + "A",
    "twice": lambda secret: f"{secret}, {secret}",
    "a wildcard": lambda secret: "%" * 43,
}


@pytest.mark.parametrize("forged", SECRETS)
def test_nobody_acts_by_a_secret_that_was_made_up(
    served: Served, guest: Client, other: Client, path: str, forged: str
) -> None:
    offered = bodies(guest.look(path))
    assert other.look(path)["view"]["legal"]
    offered["move"]["move"] = other.look(path)["view"]["legal"][0]
    for holder in (guest, other):
        stranger = served.client(holder.secret)
        stranger.http.headers["authorization"] = f"Bearer {SECRETS[forged](holder.secret)}"
        with nothing_happens(served):
            for act in ACTS:
                assert_refused(stranger.post(f"{path}/{act}", **offered.get(act, {})), 401, 403, 409)
            assert_refused(stranger.post(f"{path}/link"), 401, 403)
            assert_refused(stranger.get(f"{path}/link"), 401, 403)


def test_nobody_moves_for_another_seat_or_with_what_is_no_card_of_theirs(
    served: Served, guest: Client, other: Client, path: str
) -> None:
    mine, legal = guest.look(path)["view"], other.look(path)["view"]["legal"]
    assert mine["to_act"] == 1
    own = [f"play:{card}" for card in mine["hands"][0]]
    made_up = [
        "", "play", "play:", "play:#1", "play:Z1", "play:D0", "play:D12", "play:d1", "play: D1", "play:D١", "resign",
        "deal", "pass", "play:D1;play:D2", "\x00", "play:D1\n", *own,
    ]  # fmt: skip
    with nothing_happens(served):
        for move in legal:
            assert_refused(guest.post(f"{path}/move", ply=0, move=move), 409)
        for move in made_up:
            if move not in legal:
                assert_refused(other.post(f"{path}/move", ply=0, move=move), 422)
            assert_refused(guest.post(f"{path}/move", ply=0, move=move), 409, 422)


def neighbours(table_id: str) -> list[str]:
    swapped = table_id[:-1] + ("a" if table_id[-1] != "a" else "b")
    return [
        swapped, table_id[:-1], table_id + "a", table_id.upper(), f"{table_id}%20", f"%20{table_id}", f"{table_id}%00",
        "%25", "_" * len(table_id), f"{table_id[:-1]}_", "*", "..", f"..%2f{table_id}", f"{table_id}'--", "0" * 27,
    ]  # fmt: skip


def test_an_address_that_was_made_up_leads_to_no_table(
    served: Served, guest: Client, other: Client, path: str
) -> None:
    offered = bodies(guest.look(path))
    with nothing_happens(served):
        for table_id in neighbours(path.rpartition("/")[2]):
            for act in ACTS:
                assert_refused(other.post(f"/tables/{table_id}/{act}", **offered.get(act, {})), 404, 405)
            for part in ("", "/events", "/record", "/link"):
                assert other.get(f"/tables/{table_id}{part}").status_code in (307, 404, 405)


def test_a_link_that_was_made_up_leads_to_no_seat(
    served: Served, guest: Client, other: Client, path: str, tmp_path: Path
) -> None:
    stranger, elsewhere = served.client(), guest.make()
    true = guest.get(f"{path}/link").json()["url"].rpartition("/")[2]
    of_another_table = guest.get(f"{elsewhere}/link").json()["url"].rpartition("/")[2]
    changed = ("b" if true[0] != "b" else "c") + true[1:]
    with serving(settings_for(tmp_path)) as another:
        twin = another.client()
        of_another_server = twin.get(f"{twin.make()}/link").json()["url"].rpartition("/")[2]
    made_up = (
        changed,
        true.upper(),
        true[:-1],
        true + "a",
        "",
        "a" * 28,
        of_another_table,
        of_another_server,
    )
    with nothing_happens(served):
        for secret in made_up:
            assert_refused(stranger.post(f"{path}/join", secret=secret), 403, 404, 422)
    assert guest.post(f"{path}/link").status_code == 200
    with nothing_happens(served):
        assert_refused(stranger.post(f"{path}/join", secret=true), 403, 404)


@pytest.mark.parametrize("forged", ["cookie", "form", "both", "unsigned", "another server", "another name"])
def test_a_form_token_that_was_made_up_does_nothing(
    served: Served, ann: Browser, tmp_path: Path, forged: str
) -> None:
    path = ann.make()
    token = ann.token()
    name = next(name for name, value in ann.http.cookies.items() if value == token)
    tampered = token[:-1] + ("0" if token[-1] != "0" else "1")
    with serving(settings_for(tmp_path), ready=False) as another:
        theirs = another.browser().token()
    assert server_key(tmp_path) != server_key(Path(served.site.services.settings.data))
    cookie, sent = {
        "cookie": ({name: tampered}, token),
        "form": ({name: token}, tampered),
        "both": ({name: tampered}, tampered),
        "unsigned": ({name: token[:64]}, token[:64]),
        "another server": ({name: theirs}, theirs),
        "another name": ({"overtrick-csrf-00000000": theirs}, theirs),
    }[forged]
    head = {"cookie": "; ".join(f"{key}={value}" for key, value in
                                {"overtrick": ann.http.cookies["overtrick"], **cookie}.items())}  # fmt: skip
    with nothing_happens(served):
        for act, fields in (
            ("bot", {"seat": "1", "bot": "easy"}),
            ("leave", {}),
            ("say", {"token": "t", "text": "x"}),
        ):
            form = {"_csrf_token": sent, **fields}
            refused = httpx.post(f"{served.url}{path}/{act}", data=form, headers=head)
            assert_refused(refused, 403)
            by_header = {**head, "x-csrftoken": sent}
            assert_refused(httpx.post(f"{served.url}{path}/{act}", data=fields, headers=by_header), 403)


@pytest.mark.parametrize("forged", [name for name in SECRETS if name != "twice"])
def test_a_cookie_that_was_made_up_holds_no_seat(
    served: Served, ann: Browser, ben: Browser, forged: str
) -> None:
    path = ann.make()
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert ann.post(f"{path}/start").status_code == 303
    look = {"ply": 0}
    ben.http.cookies.set(
        "overtrick", SECRETS[forged](ben.http.cookies["overtrick"]), domain="127.0.0.1", path="/"
    )
    with nothing_happens(served):
        for act in ACTS:
            fields = {"ply": 0, "move": "play:D1", "to": "1 Ben", **bodies(look).get(act, {})}
            assert_refused(ben.post(f"{path}/{act}", **fields))


NUMBERS = (
    "-1", "5", "99", "1e0", "1.0", " 1", "+1", "0x1", "1" * 7, "1" * 5000, "true", "None", "NaN", "١", "", "1\x00",
)  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
def test_a_form_takes_whole_numbers_of_something_only(
    served: Served, ann: Browser, ben: Browser, number: str
) -> None:
    waiting, path = ann.make(token="waits"), ann.make(token="plays")
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert ann.post(f"{path}/start").status_code == 303
    with nothing_happens(served):
        assert_refused(ben.post(f"{waiting}/sit", seat=number, name="Ben"))
        assert_refused(ann.post(f"{waiting}/bot", seat=number, bot="easy"))
        assert_refused(ann.post(f"{path}/host", to=f"{number} Ben"))
        assert_refused(ann.post(f"{path}/propose-end", after=number))
        for who in (ann, ben):
            assert_refused(who.post(f"{path}/move", ply=number, move="play:D1"))
        for field in ("level", "dealer"):
            form = {"token": "x", "game": "duet", "level": 1, "name": "Ann", "dealer": "0", "seat_dash_0": "me",
                    "seat_dash_1": "friend", field: number}  # fmt: skip
            assert_refused(ann.post("/tables", **form))
