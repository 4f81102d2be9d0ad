"""One game of a match: dealt from the seed and its number, played by whoever sits there, kept as a record."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from overtrick.bots import Budget, Choice, Reason
from overtrick.games import Position, Record, View
from overtrick.match import Entrant, Setting, make_setting, parse_entrant
from overtrick.match.arena import Misplay, play_game

GAMES = [
    make_setting(game, options, [parse_entrant(name) for name in names], seed=7, players=players)
    for game, options, names, players in (
        ("luz", {}, ["rules_of_thumb", "uniform"], None),
        ("luz", {}, ["rules_of_thumb", "uniform"], 3),
        ("luz", {"bead_supply": 15}, ["uniform"], 5),
        ("duet", {}, ["rules_of_thumb", "uniform"], None),
        ("duet", {"level": 3}, ["rules_of_thumb"], None),
    )
]


def named(setting: Setting) -> str:
    return f"{setting.game.name}-{'-'.join(map(str, setting.game.options.values()))}"


def untimed(ended: dict[str, Any]) -> dict[str, Any]:
    thought = {bot: spent["decisions"] for bot, spent in ended["thought"].items()}
    return ended | {"thought": thought}


@pytest.mark.parametrize("setting", GAMES, ids=named)
def test_every_game_is_a_record_that_replays_to_its_result(setting: Setting) -> None:
    for rotation in range(len(setting.rotations)):
        ended = play_game(setting, (1, rotation), with_record=True)
        replayed = Record.loads(json.dumps(ended["record"])).replay()
        assert replayed.error is None
        outcome = replayed.position.outcome()
        assert outcome is not None
        assert outcome.to_json() == ended["result"]
        assert ended["record"]["meta"]["seats"] == [str(e) for e in setting.rotations[rotation]]


@pytest.mark.parametrize("setting", GAMES, ids=named)
def test_a_game_repeats_from_the_seed_and_its_number(setting: Setting) -> None:
    first, again = (untimed(play_game(setting, (3, 0), with_record=True)) for _ in range(2))
    assert first == again
    assert first["record"]["moves"] != play_game(setting, (4, 0), with_record=True)["record"]["moves"]


@pytest.mark.parametrize("setting", GAMES, ids=named)
def test_every_rotation_plays_the_same_deals(setting: Setting) -> None:
    records = [
        play_game(setting, (2, rotation), with_record=True)["record"]
        for rotation in range(len(setting.rotations))
    ]
    for one in records:
        for other in records:  # a game of Duet may end before its last round
            assert all(a == b for a, b in zip(one["deals"], other["deals"], strict=False))
    assert len({json.dumps(record["moves"]) for record in records}) == len(records)


@pytest.mark.parametrize("setting", [s for s in GAMES if s.game.name == "luz"], ids=named)
def test_the_bets_are_told_by_deal_and_seat(setting: Setting) -> None:
    for number in range(4):
        ended = play_game(setting, (number, 0), with_record=True)
        record = ended["record"]
        replayed = Record.loads(json.dumps(record))
        seen = []
        for at, move in enumerate(record["moves"]):
            if move.startswith("bet:"):
                position = replayed.replay(at).position
                seen.append((len(seen) // setting.game.seats, position.to_act, move[4:]))
        assert all(ended["bets"][deal][seat] == bet for deal, seat, bet in seen)
        assert len(seen) == 4 * setting.game.seats


def test_forced_moves_are_not_asked_for() -> None:
    ended = play_game(GAMES[0], (0, 0), with_record=True)
    replayed = Record.loads(json.dumps(ended["record"]))
    asked = sum(
        len(replayed.replay(at).position.legal_moves()) > 1 for at in range(len(ended["record"]["moves"]))
    )
    assert sum(spent["decisions"] for spent in ended["thought"].values()) == asked


@dataclass(frozen=True, slots=True)
class Made(Entrant):
    """An entrant whose player a test gives."""

    made: Any = None

    def player(self) -> Any:
        return self.made()


def with_player(made: Any, game: str = "luz") -> Setting:
    return make_setting(game, {}, [Made("made", made=made)], seed=1)


class Failing:
    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        raise RuntimeError("lost its way")


class Illegal:
    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        return Choice("play:#1", Reason(""))


class Nonsense:
    def choose(self, view: View, *, seed: int, budget: Budget) -> Any:
        return None


class Resigning:
    def choose(self, view: View, *, seed: int, budget: Budget) -> Choice:
        return Choice("resign", Reason(""))


@pytest.mark.parametrize(
    ("made", "game", "sentence"),
    [
        (Failing, "luz", "made failed: RuntimeError: lost its way."),
        (Illegal, "luz", "made chose a move that is not legal."),
        (Nonsense, "duet", "made chose a move that is not legal."),
        (Resigning, "duet", "made chose a move that is not legal."),
    ],
)
def test_a_bot_that_fails_is_named(made: Any, game: str, sentence: str) -> None:
    with pytest.raises(Misplay) as told:
        play_game(with_player(made, game), (3, 0))
    assert sentence in str(told.value)


class Seeing:
    """Takes the highest card that it may play: only who sees the position can."""

    def choose_open(self, position: Position, seat: int, *, seed: int, budget: Budget) -> Choice:
        assert position.to_act == seat
        legal = position.view(seat).legal
        for move in legal:
            position.play(position.record_move(seat, move))
        return Choice(legal[-1], Reason(""))


def test_a_yardstick_is_shown_the_position() -> None:
    assert play_game(with_player(Seeing), (0, 0))["result"]["scores"]


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_the_omniscient_plays_games_that_repeat(game: str) -> None:
    setting = make_setting(game, {}, [parse_entrant("omniscient@nodes=30"), parse_entrant("uniform")], seed=2)
    first, again = (untimed(play_game(setting, (0, 0), with_record=True)) for _ in range(2))
    assert first == again
    assert first["thought"]["omniscient@nodes=30"] > 5
