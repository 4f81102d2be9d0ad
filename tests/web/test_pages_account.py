"""What bots say of their moves, on the page."""

from __future__ import annotations

import re

import pytest

from overtrick.bots import Reason
from overtrick.games import load
from overtrick.tables.explaining import Said, Told
from overtrick.web import pages
from overtrick.web.i18n import language
from overtrick.web.present.account import move_words, why_words
from strategies import VARIANTS, random_record
from web.looks import finished, game_moments, look, read

WHY = Reason("It is the only card that may be played.")
ENGLISH = language("en")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_move_of_a_game_can_be_said(variant: str) -> None:
    record = random_record(variant, 2, care=0.95)
    for move in record["moves"]:
        said = move_words(ENGLISH, record["game"], move)
        assert re.fullmatch(r"[a-z0-9 ,]+", said), (move, said)


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_every_code_of_a_move_can_be_said(game: str) -> None:
    said = [move_words(ENGLISH, game, move) for move in load(game).codes]
    assert len(set(said)) == len(said)


def test_every_move_is_said_as_something_done() -> None:
    said = [move_words(ENGLISH, game, move) for game in ("luz", "duet") for move in load(game).codes]
    done = {words.split()[0] for words in said}
    assert done == {"plays", "bets", "gives", "makes", "keeps", "takes", "leaves", "moves", "puts"}


def test_a_reason_names_its_cards() -> None:
    why = Reason(
        "%(card)s, not %(cards)s, for %(tricks)s", {"card": "R4", "cards": ["Y1", "Y2"], "tricks": "2.5"}
    )
    assert why_words(ENGLISH, "luz", why) == "red 4, not yellow 1, yellow 2, for 2.5"


def test_a_reason_counts_and_goes_on() -> None:
    for n, ways in ((1, "1 way"), (21, "21 ways")):
        why = Reason("%(n)s way.", {"n": n}, "%(n)s ways.", (Reason("Not %(other)s.", {"other": "play:#3"}),))
        assert why_words(ENGLISH, "luz", why) == f"{ways}. Not playing the card at place 3."


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_move_that_a_seat_can_name_can_stand_in_a_reason(variant: str) -> None:
    said = set()
    for moment in game_moments(variant, 3, every=1):
        position = moment.position()
        legal = position.view(position.to_act).legal
        words = [
            why_words(ENGLISH, position.game.name, Reason("%(other)s", {"other": move})) for move in legal
        ]
        assert all(re.fullmatch(r"[a-z]+ing [A-Za-z0-9 ,]+", one) for one in words), words
        assert len(set(words)) == len(legal)
        said |= {one.split()[0] for one in words}
    wanted = {"playing", "betting"} if variant.startswith("luz") else {"playing", "giving", "making", "going"}
    assert wanted <= said


def test_after_a_game_the_page_lists_the_moves_by_deal() -> None:
    told = (
        Told(1, 0, "bet:1+", None), Told(1, 1, "bet:2", Reason("Two.")), Told(1, 0, "play:R4", None),
        Told(2, 2, "play:P10", Reason("Purple <it> is.")),
    )  # fmt: skip
    page = read(pages.table_page(look(finished("luz-3"), 0, told=told)))
    (account,) = page.all("details", class_="account")
    assert account.words() == (
        "Every move, and why the bots made theirs"
        " Deal 1 Oksana : bets 1 trick, with safety Jean-Baptiste : bets 2 tricks Two. Oksana : plays red 4"
        " Deal 2 葉子 : plays purple 10 Purple <it> is."
    )
    assert [line.words()[:6] for line in account.all("li", class_="leads")] == ["Oksana", "葉子 : p"]


def test_a_game_of_persons_has_no_reasons_to_list() -> None:
    told = (Told(1, 0, "bet:1", None),)
    assert not read(pages.table_page(look(finished("luz-3"), 0, told=told))).all("details", class_="account")


@pytest.mark.parametrize("variant", ["luz-4", "duet-1"])
def test_during_a_game_the_page_tells_what_the_table_lets_it(variant: str) -> None:
    moment = next(game_moments(variant, 1, every=9))
    silent = read(pages.table_page(look(moment.position(), 0)))
    (told,) = read(pages.table_page(look(moment.position(), 0, said=Said(1, WHY)))).all("p", class_="said")
    assert not silent.all("p", class_="said")
    assert told.words() == f"Jean-Baptiste : {WHY}"


def test_of_the_last_card_nobody_says_that_it_was_the_only_one() -> None:
    """L-6: in the last trick of a deal nobody holds a second card."""
    shown = set()
    for moment in game_moments("luz-3", 1):
        position = moment.position()
        view = position.view(0).to_json()
        if not (view["played"] and any(view["played"])) and view["phase"] == "play":
            continue
        cards = sum(len(hand) for hand in view["played"]) or 30
        last = cards > 27 and (view["phase"] != "play" or bool(view["trick"]))
        if view["phase"] != "play" and (not view["last_trick"] or any(view["bets"])):
            continue
        page = read(pages.table_page(look(position, 0, said=Said(1, WHY))))
        assert bool(page.all("p", class_="said")) != last, (cards, view["phase"])
        shown.add(last)
    assert shown == {True, False}


def test_the_front_page_offers_three_levels_the_middle_one_chosen() -> None:
    from overtrick.web.contexts import LobbyPage

    page = read(pages.lobby_page(LobbyPage(csrf="c", token="t")))
    seat = page.all("select", id="luz-seat-1")[0]
    offered = [option["value"] for option in seat.all("option")]
    assert offered == ["me", "friend", "bot:easy", "bot:medium", "bot:strong"]
    assert [option["value"] for option in seat.all("option") if "selected" in option.attributes] == [
        "bot:medium"
    ]
    paces = page.all("select", id="duet-pace")[0].all("option")
    assert [option["value"] for option in paces] == ["unhurried", "normal", "fast"]
