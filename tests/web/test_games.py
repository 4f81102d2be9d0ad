"""The page of a person's own tables, and the same by JSON."""

from __future__ import annotations

import re
from typing import Any

import pytest

from overtrick.tables import MyTable, MyTables
from overtrick.web.contexts import GamesPage
from overtrick.web.pages import games_page
from web.serving import Browser, Client, Page, Served, give_up, play_json
from web.test_tables import moves, playing


def listed(browser: Browser, heading: str) -> list[str]:
    """The tables below a heading of the page."""
    text = browser.get("/games").text
    section = next((part for part in text.split("<section")[1:] if f"{heading}</h2>" in part), "")
    return re.findall(r'href="(/t/[^"]+)"', section.split("</section>")[0])


def test_my_games_stand_by_what_they_wait_for(ann: Browser, ben: Browser, served: Served) -> None:
    running = playing(ann, ben)
    waiting = ann.make("duet", token="2")
    over = playing(ann, ben, token="3")
    give_up(over, ben, ann)
    assert listed(ann, "Waiting for you") == []
    assert listed(ann, "Waiting for others") == [running]
    assert listed(ann, "Not begun") == [waiting]
    assert listed(ann, "Finished") == [over]
    assert '<p class="standing">Lost</p>' in ann.get("/games").text
    assert listed(ben, "Waiting for you") == [running]
    assert "Your turn" in ben.get("/games").text
    assert "<title>● 1 – My games</title>" in ben.get("/games").text
    assert "Ben is to act" in ann.get("/games").text
    stranger = served.browser()
    assert not re.search(r'href="/t/', stranger.get("/games").text)


def test_every_page_leads_to_my_games(ann: Browser) -> None:
    for path in ("/", "/games", ann.make(), "/t/unknown", "/nowhere"):
        assert "/games" in Page(ann.get(path).text).attributes("a", "href"), path


def test_a_page_of_my_games_that_is_none_says_so(ann: Browser) -> None:
    answer = ann.get("/games?before=junk")
    assert answer.status_code == 422
    assert "go back to the first" in answer.text


def test_a_name_with_markup_is_text_among_my_games(ann: Browser, ben: Browser) -> None:
    path = ann.make()
    ben.post(f"{path}/sit", seat=1, name="<b>Ben</b>")
    text = ann.get("/games").text
    assert "<b>Ben" not in text
    assert "&lt;b&gt;Ben" in text


def test_a_turn_made_moves_the_table_to_the_others_list(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    # A 3 or a 7 asks Ben for another decision (D-15).
    card = next(move for move in moves(ben, path) if move[-1] not in "37")
    ben.post(f"{path}/move", ply=0, move=card)
    assert listed(ann, "Waiting for you") == [path]
    assert listed(ben, "Waiting for others") == [path]


def test_my_tables_by_json(guest: Client, other: Client) -> None:
    path = guest.make("duet")
    table_id = path.rsplit("/", 1)[1]
    other.post(f"{path}/sit", seat=1, name="Ben")
    assert other.get("/me/tables").json()["going_on"][0]["waits_for_me"] is False
    guest.post(f"{path}/start")
    (mine,) = other.get("/me/tables").json()["going_on"]
    assert mine["id"] == table_id
    assert (mine["me"], mine["awaits"], mine["waits_for_me"]) == (1, 1, True)
    assert mine["sitters"] == [{"name": "Ann"}, {"name": "Ben"}]
    play_json(guest, other, path=path)
    mine = guest.get("/me/tables").json()
    assert ([table["id"] for table in mine["over"]], mine["going_on"], mine["more"]) == ([table_id], [], None)
    won = guest.look(path)["view"]["result"]["won"]
    assert mine["over"][0]["result"] == {
        "winners": [0, 1] if won else [],
        "forfeited": [],
        "by_house": False,
    }
    assert guest.get("/me/tables?before=x").status_code == 422
    assert guest.http.get("/me/tables", headers={"authorization": ""}).status_code == 401


@pytest.mark.parametrize(
    ("result", "me", "words"),
    [
        ({"winners": [0], "forfeited": []}, 0, "Won"),
        ({"winners": [1], "forfeited": []}, 0, "Ben won"),
        ({"winners": [2], "forfeited": [1]}, 0, "Clover won"),
        ({"winners": [1], "forfeited": [0]}, 0, "Lost by time"),
        ({"winners": [], "forfeited": []}, 0, "Ended without a winner"),
        ({"winners": [], "forfeited": [], "by_house": True}, 0, "Closed by the house"),
        (None, 0, ""),
    ],
)
def test_a_finished_game_of_mine_says_how_it_ended(
    result: dict[str, Any] | None, me: int, words: str
) -> None:
    table = MyTable(
        id="k3v9", status="over", game="luz", options={"players": 3}, dealer=0, me=me, awaits=None,
        sitters=({"name": "Ann"}, {"name": "Ben"}, {"bot": "easy"}), bot_plays=False, result=result, changed_at=0,
    )  # fmt: skip
    text = games_page(GamesPage(MyTables((), (table,), None), now=0, csrf="token"))
    assert re.findall(r'<p class="standing">(.*?)</p>', text) == ([words] if words else [])
