"""Clocks, pauses and bots that stand in, over HTTP: by the API and by the page's forms."""

from __future__ import annotations

import re
from typing import Any

import pytest

from web.looks import read
from web.serving import Browser, Client, Page, Served, make_fields

BANK = {"kind": "bank", "seconds": 600, "increment": 5, "away": 600}


@pytest.fixture
def two(served: Served) -> tuple[Client, Client]:
    return served.client(), served.client()


def begun(clients: tuple[Client, Client], **body: object) -> str:
    """A game of Duet of two people, begun; its path below /api."""
    ann, ben = clients
    path = ann.make("duet", **body)
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert ann.post(f"{path}/start").status_code == 200
    return path


def test_a_table_shows_how_it_deals_with_time_and_how_much_is_left(two: tuple[Client, Client]) -> None:
    path = begun(two, timing=BANK)
    table = two[0].look(path)
    assert table["timing"] == {"kind": "bank", "seconds": 600, "increment": 5, "flag": "bot", "away": 600}
    assert table["time"]["running"] == table["view"]["to_act"]
    assert all(590_000 < left <= 600_000 for left in table["time"]["left"])


def test_what_is_shown_agrees_after_a_pause(two: tuple[Client, Client]) -> None:
    path = begun(two, timing=BANK)
    legal = two[two[0].look(path)["view"]["to_act"]].look(path)["view"]["legal"]
    for client in two:
        paused = client.post(f"{path}/pause").json()
    assert paused["time"]["paused"]
    assert two[0].look(path)["time"]["left"] == two[1].look(path)["time"]["left"] == paused["time"]["left"]
    assert two[paused["view"]["to_act"]].look(path)["view"]["legal"] == []
    refused = two[paused["view"]["to_act"]].post(f"{path}/move", ply=0, move=legal[0])
    assert (refused.status_code, refused.json()["kind"]) == (409, "stale")
    assert two[1].post(f"{path}/resume").json()["time"]["paused"] is False


def test_a_bot_plays_for_who_steps_out_until_they_come_back(two: tuple[Client, Client]) -> None:
    path = begun(two)
    assert two[0].post(f"{path}/step-out").json()["seats"][0]["stand_in"] == "medium"
    back = two[0].post(f"{path}/come-back").json()
    assert back["seats"][0]["stand_in"] is None
    assert two[0].post(f"{path}/come-back").status_code == 200


@pytest.mark.parametrize("act", ["step-out", "come-back", "pause", "resume"])
def test_a_stranger_decides_nothing_about_time(served: Served, two: tuple[Client, Client], act: str) -> None:
    path = begun(two, timing=BANK)
    refused = served.client().post(f"{path}/{act}")
    assert (refused.status_code, refused.json()["kind"]) == (403, "forbidden")


@pytest.mark.parametrize("timing", [{"kind": "bank"}, {"kind": "sand"}, {"away": "soon"}, {"lives": 3}])
def test_a_timing_that_makes_no_sense_makes_no_table(
    two: tuple[Client, Client], timing: dict[str, Any]
) -> None:
    seats = ("me", "friend")
    refused = two[0].post(
        "/tables", game="duet", options={"level": 1}, seats=seats, name="Ann", timing=timing
    )
    assert refused.status_code == 422
    assert "clock" in refused.json()["detail"]


def test_the_pages_forms_do_the_same(served: Served) -> None:
    ann, ben = served.browser(), served.browser()
    path = ann.make("duet", clock="bank-900-10", flag="forfeit", away="120")
    ben.post(f"{path}/sit", seat=1, name="Ben")
    ann.post(f"{path}/start")
    page = Page(ann.get(path).text)
    assert len(page.attributes("span", "data-left")) == 2
    assert page.attributes("li", "class").count("runs") == 1
    assert posts(ann, path, "pause") == posts(ben, path, "pause") == 303
    assert "The game is paused" in ann.get(path).text
    assert posts(ben, path, "resume") == 303
    assert "The game is paused" not in ann.get(path).text
    assert posts(ann, path, "step-out") == 303
    assert "Take your seat back" in ann.get(path).text
    assert "a bot stands in" in ben.get(path).text
    assert posts(ann, path, "come-back") == 303
    assert "Take your seat back" not in ann.get(path).text


def posts(browser: Browser, path: str, act: str) -> int:
    return browser.post(f"{path}/{act}").status_code


def test_a_clock_of_the_form_that_is_none_is_refused_and_nothing_is_lost(served: Served) -> None:
    browser = served.browser()
    for clock in ("bank-x-1", "bank-1-2-3", "sand-60"):
        answer = browser.post("/tables", **make_fields("duet", clock=clock, away="120"))
        assert answer.status_code == 422
        assert re.search(r'<option value="120" selected>', answer.text)


def test_whoever_thinks_of_sitting_down_reads_what_was_chosen(served: Served) -> None:
    ann, ben = served.browser(), served.browser()
    path = ann.make("luz", clock="bank-300-5", flag="forfeit", away="600", talk="between")
    (chosen,) = read(ben.get(path).text).all("dl", class_="chosen")
    words = chosen.words()
    for part in (
        "Clock 5 minutes each, and 5 seconds for every move",
        "When a clock runs out They lose",
        "When somebody keeps the table waiting After 10 minutes a bot sits in",
        "Chat Open between deals",
    ):
        assert part in words


def test_a_clock_that_no_form_offers_is_told_in_words_too(served: Served) -> None:
    path = served.client().make("duet", timing={"kind": "move", "seconds": 90, "away": 30})
    words = " ".join(served.browser().get(path.replace("/tables/", "/t/")).text.split())
    assert "90 seconds for every move" in words
    assert "After 30 seconds a bot sits in" in words


def test_an_address_that_leads_only_to_this_machine_is_called_that(served: Served) -> None:
    ann = served.browser()
    assert "from itself only" in ann.get(ann.make()).text
