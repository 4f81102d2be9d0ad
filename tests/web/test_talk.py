"""Chat and watching by HTTP: what is written is text wherever it comes out, and who may not look gets one answer."""

from __future__ import annotations

import html
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from web.looks import read
from web.serving import PATIENCE, Browser, Client, Served, alert, give_up
from web.test_tables import moves, playing

HOSTILE = [
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "\"><svg/onload='x'>",
    "{{ 7*7 }} {% raw %} %(name)s %s \\u003cb\\u003e",
    "&lt;b&gt; &#x27;",
    "]]></main><!-- -->",
    "data: x id: 9 event: y",
]


def luz(ann: Browser, ben: Browser, **fields: object) -> str:
    """A game of Luz of Ann, Ben and a bot, begun."""
    path = ann.make("luz", "me", "friend", "bot:uniform", players=3, dealer=2, **fields)
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert ann.post(f"{path}/start").status_code == 303
    return path


def said(text: str) -> list[str]:
    """The messages that a page shows."""
    (log,) = read(text).all("div", id="chat-log")
    return [span.words() for line in log.all("p") for span in line.all("span")]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_written_stays_text_on_every_way_out(
    ann: Browser, ben: Browser, served: Served, text: str
) -> None:
    path = luz(ann, ben)
    with ben.live(path) as line:
        line.recv(PATIENCE)
        assert ann.post(f"{path}/say", token="t", text=text).status_code == 303
        pushed = str(line.recv(PATIENCE))
    whole = " ".join(text.split())
    stranger = served.browser()
    plain = stranger.get(path).text
    tags = {element.tag for element in read(plain).walk()}
    for page in (ann.get(path).text, plain, pushed):
        assert said(page) == [whole]
        assert not {"script", "img"} & {e.tag for e in read(page).all("section", id="chat")[0].walk()}
    ann.post(f"{path}/say", token="u", text="plain")
    assert {element.tag for element in read(stranger.get(path).text).walk()} == tags
    api = served.client()
    assert [message["text"] for message in api.look(f"/tables/{path[3:]}")["chat"]] == [whole, "plain"]
    with api.events(f"/tables/{path[3:]}") as events:
        assert next(events)[1]["chat"][0]["text"] == whole


def test_what_turns_text_around_does_not_come_out(ann: Browser, ben: Browser) -> None:
    path = luz(ann, ben)
    ann.post(f"{path}/say", token="t", text="\u202egnp.exe\u2066 \u200b!")
    page = ben.get(path).text
    assert said(page) == ["gnp.exe !"]
    assert not {"\u202e", "\u2066", "\u200b"} & set(page)
    assert 'dir="auto"' in page


def test_the_title_and_the_record_hold_no_chat(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    give_up(path, ben, ann)
    ann.post(f"{path}/say", token="t", text="Thank you, partner")
    assert "Thank you" in ben.get(path).text
    assert "Thank you" not in read(ben.get(path).text).all("title")[0].words()
    assert "Thank you" not in ann.get(f"{path}/record.json").text


def test_ten_copies_of_a_form_at_the_same_time_write_one_message(ann: Browser, ben: Browser) -> None:
    path = luz(ann, ben)
    token = ann.token()

    def send(_: int) -> int:
        return ann.http.post(
            f"{path}/say", data={"_csrf_token": token, "token": "12", "text": "Once"}
        ).status_code

    with ThreadPoolExecutor(10) as pool:
        assert set(pool.map(send, range(10))) == {303}
    assert said(ben.get(path).text) == ["Once"]


def test_the_pages_form_writes_without_scripts(ann: Browser, ben: Browser) -> None:
    path = luz(ann, ben)
    for text in ("First", "Second", "Second"):
        (form,) = read(ann.get(path).text).all("form", action=f"{path}/say")
        fields = {field["name"]: field["value"] for field in form.all("input") if field["type"] == "hidden"}
        assert ann.http.post(f"{path}/say", data={**fields, "text": text}).status_code == 303
    assert said(ben.get(path).text) == ["First", "Second", "Second"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"token": "t", "text": ""}, 422), ({"token": "t", "text": "\u202e"}, 422), ({"token": "t"}, 422),
        ({"text": "Hello"}, 422), ({"token": "", "text": "Hello"}, 422), ({"token": "t" * 101, "text": "Hello"}, 422),
        ({"token": "t", "text": "x" * 301}, 422), ({"token": "t", "text": "x" * 5000}, 422),
    ],
)  # fmt: skip
def test_a_message_that_cannot_be_written_is_refused(
    ann: Browser, ben: Browser, fields: dict[str, object], status: int
) -> None:
    path = luz(ann, ben)
    answer = ann.post(f"{path}/say", **fields)
    assert answer.status_code == status
    assert alert(answer.text)
    assert said(ann.get(path).text) == []


def test_too_many_messages_are_answered_with_429(guest: Client, other: Client) -> None:
    path = guest.make("luz", "me", "friend", "friend", "friend")
    for number in range(20):
        assert guest.post(f"{path}/say", text=f"Number {number}").status_code == 200
    answer = guest.post(f"{path}/say", text="One more")
    assert (answer.status_code, answer.json()["kind"]) == (429, "too_often")
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert other.post(f"{path}/say", text="Hello").status_code == 403


def test_in_a_round_of_duet_nothing_is_said_or_proposed_by_any_way(
    ann: Browser, ben: Browser, guest: Client
) -> None:
    path = playing(ann, ben)
    before = guest.look(f"/tables/{path[3:]}")
    for browser in (ann, ben):
        secret = browser.http.cookies["overtrick"]
        api = Client(browser.served, secret)
        for answer in (
            browser.post(f"{path}/say", token="t", text="I hold the 7"),
            browser.post(f"{path}/propose", ply=0, end="low"),
            api.post(f"/tables/{path[3:]}/say", text="I hold the 7"),
            api.post(f"/tables/{path[3:]}/propose", ply=0, end="low"),
        ):
            assert answer.status_code == 409
            assert "D-24" in answer.text
        api.http.close()
    assert guest.look(f"/tables/{path[3:]}") == before


def test_a_table_says_how_it_is_watched_and_talked_at(guest: Client) -> None:
    path = guest.make(watching="nobody", talk="off")
    table = guest.look(path)
    assert (table["watching"], table["talk"], table["may_talk"], table["chat"]) == (
        "nobody",
        "off",
        False,
        [],
    )
    for wrong in ({"watching": "all"}, {"talk": "loud"}, {"watching": 1}):
        asked = {"game": "duet", "seats": ["me", "friend"], "name": "Ann", **wrong}
        assert guest.post("/tables", **asked).status_code == 422


def stranger_sees(served: Served, path: str) -> list[tuple[int, str]]:
    """All answers that somebody gets who does not belong to the table, by page, by JSON and by doing things."""
    table = f"/tables/{path[3:]}"
    eve, program, nobody = served.browser(), served.client(), httpx.Client(base_url=f"{served.url}/api")
    found: list[httpx.Response] = [eve.get(f"{path}{end}") for end in ("", "/record.json", "/qr.svg")]
    found += [eve.post(f"{path}/{act}", **fields) for act, fields in ACTS.items()]
    found += [program.get(f"{table}{end}") for end in ("", "/events", "/record")]
    found += [program.post(f"{table}/{act}", **fields) for act, fields in JSON_ACTS.items()]
    found += [nobody.get(f"{table}{end}") for end in ("", "/events", "/record")]
    nobody.close()
    eve.http.close()
    return [(answer.status_code, plain(answer)) for answer in found]


def plain(answer: httpx.Response) -> str:
    """The answer's words; form tokens differ."""
    if "json" in answer.headers["content-type"]:
        return json.dumps(answer.json())
    return alert(answer.text)


ACTS: dict[str, dict[str, Any]] = {
    "sit": {"seat": 0, "name": "Eve"}, "leave": {}, "bot": {"seat": 0, "bot": "uniform"}, "start": {},
    "move": {"ply": 0, "move": "play:D1"}, "propose-end": {"after": 0}, "again": {"token": "t"},
    "say": {"token": "t", "text": "Hello"}, "propose": {"ply": 0, "end": "low"},
}  # fmt: skip
JSON_ACTS: dict[str, dict[str, Any]] = {
    **ACTS, "again": {}, "say": {"text": "Hello"}
}  # fmt: skip


def test_a_stranger_gets_the_same_answers_at_a_table_for_nobody_whatever_goes_on_there(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = ann.make(watching="nobody")
    ben.post(f"{path}/sit", seat=1, name="Ben")
    full = stranger_sees(served, path)
    ann.post(f"{path}/say", token="t", text="Only for us")
    ann.post(f"{path}/start")
    begun = stranger_sees(served, path)
    ben.post(f"{path}/move", ply=0, move=moves(ben, path)[0])
    give_up(path, ann, ben)
    over = stranger_sees(served, path)
    assert full == begun == over
    assert {status for status, _ in full} == {403}
    assert {sentence for _, sentence in full if not sentence.startswith("{")} == {
        "Only those who belong to this table may see it. If you do, open it in the browser that you used before."
    }
    for browser in (ann, ben):
        assert "Only for us" in browser.get(path).text
        assert browser.get(f"{path}/qr.svg").status_code == 200
        assert browser.get(f"{path}/record.json").status_code == 200


def test_a_stranger_in_the_waiting_room_of_a_table_for_nobody_sees_seats_and_no_chat(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = ann.make(watching="nobody")
    ann.post(f"{path}/say", token="t", text="Only for us")
    page = ben.get(path).text
    assert "Sit here" in page
    assert "Only for us" not in page
    assert served.client().look(f"/tables/{path[3:]}")["chat"] == []
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert "Only for us" in ben.get(path).text


def test_streams_of_strangers_end_as_the_table_closes_to_them(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = ann.make(watching="nobody")
    eve, program = served.browser(), served.client()
    eve.get(path)
    with eve.live(path) as line, program.events(f"/tables/{path[3:]}") as events:
        assert "Sit here" in str(line.recv(PATIENCE))
        next(events)
        ben.post(f"{path}/sit", seat=1, name="Ben")
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        assert next(events, None) is None
    with eve.live(path) as line, pytest.raises(ConnectionClosed) as closed:
        line.recv(PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


def test_the_front_page_lists_games_that_everybody_may_watch(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = luz(ann, ben, watching="everybody")
    hidden = luz(ann, ben, watching="link", token="other", public=1)
    stranger = served.browser()
    links = [a["href"] for a in read(stranger.get("/").text).all("a", class_="button")]
    assert path in links
    assert hidden not in links
    listed = httpx.get(f"{served.url}/api/tables").json()
    assert path[3:] in [table["id"] for table in listed["to_watch"]]
    assert path[3:] not in [table["id"] for table in listed["tables"]]
    assert "You are watching" in html.unescape(stranger.get(path).text)


def test_a_refused_form_keeps_who_may_watch_and_when_to_talk(ann: Browser) -> None:
    answer = ann.post("/tables", **{
        "token": "t", "game": "luz", "name": "", "players": 3, "dealer": "random", "watching": "nobody",
        "talk": "between", **{f"seat-{seat}": "me" if not seat else "friend" for seat in range(5)},
    })  # fmt: skip
    assert answer.status_code == 422
    page = read(answer.text)
    for name, value in (("watching", "nobody"), ("talk", "between")):
        (select,) = page.all("select", id=f"luz-{name}")
        assert [option["value"] for option in select.all("option") if "selected" in option.attributes] == [
            value
        ]
