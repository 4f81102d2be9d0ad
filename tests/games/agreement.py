"""Play whole random games on the engine and on the naive twin at once, and compare everything at every step.

Run as a program it plays a number of games of each kind and prints how many steps it compared:

    PYTHONPATH=tests python -m games.agreement --games 2 --seed 1
"""

from __future__ import annotations

import argparse
import json
import random
from typing import Any

from naive.replaying import Twin, twin_of
from overtrick.games import Position, load
from overtrick.games.boards import parse_board
from overtrick.games.duet import Duet
from strategies import VARIANTS, choose, options_with_dealer, random_board, random_deal

CARES = (0.0, 0.8, 0.95)


def as_json(thing: Any) -> str:
    return json.dumps(thing, sort_keys=True)


def compare_views(position: Position, twin: Twin, seats: int) -> None:
    legal = twin.legal()
    for viewer, together in zip((None, *range(seats)), position.views(), strict=True):
        view = position.view(viewer)
        assert together == view
        expected = twin.view(viewer)
        if as_json(view.to_json()) != as_json(expected):  # as text, for True is not 1 and a tuple no list
            assert view.to_json() == expected
            raise AssertionError(f"alike but not in their types: {view.to_json()} {expected}")
        assert as_json(together.to_json()) == as_json(expected)
        assert list(view.legal) == expected["legal"]
        assert (view.game.name, view.seat, view.to_act) == (expected["game"], viewer, expected["to_act"])
        assert view.phase == expected["phase"]
        if viewer is not None and viewer == twin.to_act:
            assert sorted(position.record_move(viewer, said) for said in view.legal) == legal
            assert all(view.why_not(said) is None for said in view.legal)


def compare(position: Position, twin: Twin, seats: int) -> None:
    """Hold one position against its twin: moves, state, result, and what everybody sees."""
    assert position.needs_deal == twin.needs_deal
    assert position.to_act == twin.to_act
    assert position.over == twin.over
    assert position.phase == twin.phase()
    assert list(position.legal_moves()) == twin.legal()
    assert as_json(position.state()) == as_json(twin.state())
    outcome = position.outcome()
    assert as_json(outcome and outcome.to_json()) == as_json(twin.result())
    compare_views(position, twin, seats)


def check_game(variant: str, seed: int) -> int:
    """Play one game and return the number of positions compared; an assertion carries the game's record."""
    rng = random.Random(f"{variant} {seed}")
    name, options = options_with_dealer(variant, rng)
    return play_out(load(name, **options).start(), twin_of(name, options), rng)


def check_board(seed: int) -> int:
    """Play one game of Duet on a made-up board."""
    rng = random.Random(seed)
    board = random_board(rng)
    options = {"level": rng.randint(1, 3), "dealer": rng.randint(0, 1), "board": board["name"]}
    lines = [f"{key} = {json.dumps(value)}" for key, value in board.items()]
    engine_board = parse_board(
        "\n".join([*lines, 'title = "Made up"', "reconstructed = true"]), json.dumps(board)
    )
    game = Duet(options["level"], options["dealer"], engine_board)
    return play_out(game.start(), twin_of("duet", options, board), rng)


def play_out(position: Position, twin: Twin, rng: random.Random) -> int:
    game, seats = position.game, position.game.seats
    care, resign = rng.choice(CARES), rng.choice((0.0, 0.0, 0.02)) if game.name == "duet" else 0.0
    record: dict[str, Any] = {
        "overtrick": 1,
        "game": game.name,
        "options": game.options,
        "deals": [],
        "moves": [],
    }
    compared = 1
    try:
        compare(position, twin, seats)
        while not twin.over:
            if twin.needs_deal and rng.random() >= resign:
                record["deals"].append(random_deal(game.name, seats, rng))
                twin.deal(record["deals"][-1])
                position = position.deal(record["deals"][-1])
            else:
                given_up = twin.needs_deal or rng.random() < resign
                record["moves"].append("resign" if given_up else choose(twin, rng, care))
                twin.play(record["moves"][-1])
                position = position.play(record["moves"][-1])
            compare(position, twin, seats)
            compared += 1
    except Exception as error:
        error.add_note(json.dumps(record))
        raise
    return compared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="games of each kind")
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed")
    parser.add_argument("--variants", nargs="*", default=sorted(VARIANTS))
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    compared = sum(check_game(variant, seed) for variant in arguments.variants for seed in seeds)
    compared += sum(check_board(seed) for seed in seeds)
    print(f"{compared} positions agree")  # noqa: T201


if __name__ == "__main__":
    main()
