"""What a match plays: seats, rotations, which games, dealt from the seed."""

from __future__ import annotations

from typing import Any

import pytest

from overtrick.match import InvalidMatch, Setting, make_setting, parse_entrant
from overtrick.match.setting import missing


def luz(*names: str, players: int | None = None, seed: int = 1) -> Setting:
    return make_setting("luz", {}, [parse_entrant(name) for name in names], seed=seed, players=players)


def duet(*names: str, **options: Any) -> Setting:
    return make_setting("duet", options, [parse_entrant(name) for name in names], seed=1)


def seatings(setting: Setting) -> list[str]:
    return ["".join(str(entrant)[0] for entrant in seating) for seating in setting.rotations]


def test_the_last_bot_takes_the_seats_that_are_left() -> None:
    assert [str(entrant) for entrant in luz("rules_of_thumb", "uniform").seats] == [
        "rules_of_thumb",
        *["uniform"] * 3,
    ]
    assert len(duet("uniform").seats) == 2


@pytest.mark.parametrize(("named", "players"), [(1, 4), (2, 4), (3, 3), (4, 4), (5, 5)])
def test_a_table_of_luz_has_as_many_seats_as_bots_or_four(named: int, players: int) -> None:
    assert luz(*["uniform"] * named).game.seats == players


def test_every_different_seating_is_played_once() -> None:
    assert seatings(luz("rules_of_thumb", "uniform")) == ["ruuu", "uuur", "uuru", "uruu"]
    assert seatings(luz(*["rules_of_thumb", "uniform"] * 2)) == ["ruru", "urur"]
    assert seatings(luz("uniform", players=5)) == ["uuuuu"]
    assert seatings(duet("rules_of_thumb", "uniform")) == ["ru", "ur"]


def test_the_seats_take_turns_at_dealing_first() -> None:
    setting = luz("uniform", players=3)
    assert [setting.numbered(number).options["dealer"] for number in range(5)] == [0, 1, 2, 0, 1]


def test_four_deals_make_a_game_of_luz() -> None:
    assert [luz("uniform").games_for(deals) for deals in (1, 4, 5, 1000)] == [1, 1, 2, 250]
    assert duet("uniform").games_for(7) == 7


def test_going_on_plays_what_is_missing() -> None:
    setting = duet("rules_of_thumb", "uniform")
    assert missing(setting, 2, [(0, 1), (1, 0), (5, 0)]) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("game", "options", "entrants", "players", "sentence"),
    [
        ("chess", {}, 1, None, "There is no game chess"),
        ("luz", {}, 5, 4, "The game has 4 seats; 5 bots were named for them."),
        ("luz", {}, 6, None, "The option players is a whole number from 3 to 5, not 6."),
        ("luz", {"level": 1}, 1, None, "luz has no option level"),
        ("luz", {"bead_supply": 3}, 1, None, "The option bead_supply is null"),
        ("duet", {}, 3, None, "The game has 2 seats; 3 bots were named for them."),
        ("duet", {}, 1, 3, "Duet has two players, not 3."),
        ("duet", {"level": 9}, 1, None, "The option level"),
        ("duet", {"board": "x"}, 1, None, "There is no board x"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(
    game: str, options: dict[str, Any], entrants: int, players: int | None, sentence: str
) -> None:
    named = [parse_entrant("uniform")] * entrants
    with pytest.raises(InvalidMatch, match=sentence):
        make_setting(game, options, named, seed=1, players=players)
