"""The page of a seat for which a bot plays, of a game that is paused, and of one that somebody lost by time."""

from __future__ import annotations

import pytest

from overtrick.tables.commands import ComeBack, Pause, Propose, Resume, StepOut
from overtrick.tables.redact import table_view
from overtrick.tables.seats import Person
from tables.setting import ANN, BEN, CAT, DAN, Desk, playing
from web.looks import Element, page_of, read_page

PEOPLE = (ANN, BEN, CAT, DAN)
GAMES = {"luz": "Luz", "duet": "The Fox in the Forest Duet"}


def page_for(desk: Desk, person: Person | None) -> Element:
    return read_page(page_of(table_view(desk.table, person, now=desk.now)))


def turn_of(page: Element) -> str:
    return page.all("p", class_="turn-text")[0].words()


def title_and_icon(page: Element) -> tuple[str, str]:
    main = page.all("main")[0]
    return main["data-title"], main["data-icon"]


def offered(page: Element) -> list[Element]:
    """The buttons that look as if a move could be made by them."""
    return [button for button in page.all("button", name="move") if not button["aria-disabled"]]


def at_my_turn(game: str) -> tuple[Desk, Person]:
    """A game, and the person whose turn it is."""
    desk = playing(game, dealer=0, timing={"away": 600})
    if game == "luz":  # a bet is made already, so that cards are asked for
        desk.play_on(4, PEOPLE)
    return desk, PEOPLE[desk.table.to_act or 0]


@pytest.mark.parametrize("game", GAMES)
def test_who_has_a_bot_playing_is_not_called_and_finds_one_way_back(game: str) -> None:
    desk, person = at_my_turn(game)
    called = page_for(desk, person)
    assert title_and_icon(called)[0].startswith("●")
    assert offered(called)
    desk.ask(person, StepOut())
    page = page_for(desk, person)
    assert title_and_icon(page) == (f"{GAMES[game]} – Overtrick", "/static/icon.svg")
    assert turn_of(page) == "A bot plays for you"
    assert (offered(page), page.all(class_="blocked"), page.all(class_="is-mine")) == ([], [], [])
    assert not page.all("section", class_="decide")
    backs = [form for form in page.all("form") if form["action"].endswith("/come-back")]
    assert [form.words() for form in backs] == ["Take your seat back"]
    desk.ask(person, ComeBack())
    assert offered(page_for(desk, person))


@pytest.mark.parametrize("game", GAMES)
def test_what_the_bot_played_is_told_as_its_doing(game: str) -> None:
    desk, person = at_my_turn(game)
    seat = desk.table.to_act
    desk.ask(person, StepOut())
    assert "The bot has made no move for you." in page_for(desk, person).words()
    desk.bot_moves(desk.legal()[0])
    page = page_for(desk, person)
    assert page.all("p", class_="news")[0].words().startswith("Your bot played")
    assert "The bot has made 1 move for you." in page.words()
    log = page.all(id="meanwhile")[0]
    assert [line.words().partition(":")[0] for line in log.all("li")] == ["For you"]
    # The others are told by name, and what is mine again is mine.
    name = ("Ann", "Ben", "Cat", "Dan")[seat or 0]
    assert page_for(desk, None).all("p", class_="news")[0].words().startswith(f"{name} played")
    desk.ask(person, ComeBack())
    back = page_for(desk, person)
    assert "What was played while you were away" in back.all("details", class_="meanwhile")[0].words()
    assert not back.all("section", class_="stand-in")


@pytest.mark.parametrize("game", GAMES)
def test_a_paused_game_calls_nobody(game: str) -> None:
    desk, person = at_my_turn(game)
    persons = PEOPLE[: len(desk.table.seats)]
    for one in persons:
        desk.ask(one, Pause())
    for viewer in (*persons, None):
        page = page_for(desk, viewer)
        assert turn_of(page) == "The game is paused"
        assert not title_and_icon(page)[0].startswith("●")
        assert offered(page) == []
    desk.ask(person, Resume())
    assert offered(page_for(desk, person))


def test_a_partner_for_whom_a_bot_chooses_the_forests_end_is_asked_for_no_proposal() -> None:
    desk = playing("duet", dealer=0)
    while desk.table.position is None or desk.table.position.phase != "forest":
        assert desk.table.status == "playing"
        desk.play_on(1, PEOPLE, seed=desk.table.ply)
    decider = desk.table.to_act or 0
    partner = PEOPLE[1 - decider]
    end = next(move for move in desk.legal() if move.startswith("forest:")).partition(":")[2]
    assert page_for(desk, partner).all("button", name="end")
    offered_before = {button["value"] for button in page_for(desk, PEOPLE[decider]).all("button", name="end")}
    desk.ask(PEOPLE[decider], Propose(desk.table.ply, end))
    # What one has proposed need not be proposed again.
    left = {button["value"] for button in page_for(desk, PEOPLE[decider]).all("button", name="end")}
    assert left == offered_before - {end}
    desk.ask(PEOPLE[decider], StepOut())
    for person in (PEOPLE[decider], partner):
        page = page_for(desk, person)
        assert page.all(class_="proposing"), "what was proposed stays"
        assert not page.all("button", name="end")


def test_where_there_is_no_clock_to_see_a_pause_is_asked_for_beside_stepping_out() -> None:
    desk = playing("luz", dealer=0, timing={"away": 600})
    page = page_for(desk, ANN)
    assert not page.all("section", class_="time")
    box = page.all("details", class_="leaving")[0]
    assert box.all("summary")[0].words() == "Step out, or pause…"
    assert "waiting for 10 minutes" in box.words()
    assert [form["action"].rpartition("/")[2] for form in box.all("form")] == ["step-out", "pause"]
    desk.ask(ANN, Pause())
    assert "Ann would like to pause." in page_for(desk, BEN).all("section", class_="time")[0].words()
    untimed = page_for(playing("luz", dealer=0), ANN).all("details", class_="leaving")[0]
    assert [form["action"].rpartition("/")[2] for form in untimed.all("form")] == ["step-out"]


def test_a_result_tells_how_often_a_bot_played_and_not_that_one_stands_in() -> None:
    desk = playing("duet", dealer=0)
    desk.ask(ANN, StepOut())
    while desk.table.status == "playing":
        if desk.table.bot_to_act:
            desk.bot_moves(desk.legal()[0])
        else:
            desk.say(BEN, desk.legal()[0])
    words = page_for(desk, BEN).words()
    assert "moves for Ann." in words
    assert "a bot stands in" not in words


def test_the_page_of_a_game_lost_by_time_says_who_was_late_and_who_won() -> None:
    desk = playing("luz", dealer=0, timing={"kind": "bank", "seconds": 600, "flag": "forfeit"})
    late = desk.table.to_act or 0
    desk.wait(600)
    assert "lost by time" in page_for(desk, PEOPLE[(late + 1) % 4]).words()
    while desk.table.status == "playing":
        if desk.table.bot_to_act:
            desk.bot_moves(desk.legal()[0])
        else:
            desk.say(PEOPLE[desk.table.to_act or 0], desk.legal()[-1])
    result = table_view(desk.table, None).result
    assert result is not None
    (winner,) = result.winners
    names = ("Ann", "Ben", "Cat", "Dan")
    page = page_for(desk, None)
    assert page.all(id="result-title")[0].words() == f"{names[winner]} wins the game"
    assert f"{names[late]} ran out of time, and so could not win." in page.words()
    sheet = page.all("table", class_="scores")[0]
    columns = [column.words() for column in sheet.all("th", scope="col")]
    assert columns[late] == f"{names[late]} lost by time"
    assert columns[winner] == f"{names[winner]} winner"
    assert turn_of(page_for(desk, PEOPLE[winner])) == "You win the game"


def test_the_page_of_a_duet_lost_by_time_says_whose() -> None:
    desk = playing("duet", dealer=0, timing={"kind": "move", "seconds": 60, "flag": "forfeit"})
    late = ("Ann", "Ben")[desk.table.to_act or 0]
    desk.wait(60)
    for person in (ANN, BEN, None):
        page = page_for(desk, person)
        assert turn_of(page) == f"The team has lost: {late} ran out of time"
        assert "A bot made" not in page.words(), "giving up is no move of a bot's"
        assert not page.all(class_="helped")


def news_of(desk: Desk, person: Person | None) -> str:
    return page_for(desk, person).all("p", class_="news")[0].words()


@pytest.mark.parametrize("game", GAMES)
def test_all_are_told_that_a_bot_begins_to_play_for_somebody_and_that_they_are_back_until_the_next_move(
    game: str,
) -> None:
    desk, person = at_my_turn(game)
    seat = PEOPLE.index(person)
    name, other = ("Ann", "Ben", "Cat", "Dan")[seat], PEOPLE[1 - seat] if seat < 2 else ANN
    desk.ask(person, StepOut())
    for viewer in (other, None):
        assert news_of(desk, viewer) == f"A bot plays for {name} now."
    assert "A bot plays" not in news_of(desk, person), "the line above says so"
    desk.bot_moves(desk.legal()[0])
    assert news_of(desk, other).startswith(f"{name} played")
    desk.ask(person, ComeBack())
    for viewer in (other, None):
        assert news_of(desk, viewer) == f"{name} is back."
    assert news_of(desk, person).startswith("Your bot played")


def test_who_is_asked_for_a_pause_can_agree_and_reads_who_may_end_it() -> None:
    desk = playing("duet", dealer=0, timing={"kind": "bank", "seconds": 300, "increment": 5})

    def button(person: Person, act: str) -> str:
        [form] = [form for form in page_for(desk, person).all("form") if form["action"].endswith(f"/{act}")]
        return form.words()

    assert (button(ANN, "pause"), button(BEN, "pause")) == ("Pause", "Pause")
    desk.ask(ANN, Pause())
    assert (button(ANN, "resume"), button(BEN, "pause")) == ("No pause after all", "Agree to pause")
    asked = page_for(desk, BEN).all("p", class_="paused")
    assert [line.words() for line in asked] == ["Ann would like to pause."]
    desk.ask(BEN, Pause())
    for person in (ANN, BEN):
        assert (turn_of(page_for(desk, person)), button(person, "resume")) == ("The game is paused", "Go on")
        assert news_of(desk, person) == "Any player can go on."
