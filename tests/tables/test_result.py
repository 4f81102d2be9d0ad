"""Who has won at a table, also where somebody had lost by time."""

from __future__ import annotations

import random
from typing import Any

import pytest

from overtrick.games import Record
from overtrick.tables.commands import AgreeEnd, ProposeEnd
from overtrick.tables.record import record
from overtrick.tables.redact import table_view
from overtrick.tables.result import Result, winners
from strategies import random_record
from tables.setting import ANN, BEN, CAT, DAN, Desk, playing

PEOPLE = (ANN, BEN, CAT, DAN)
FORFEIT = {"kind": "bank", "seconds": 600, "flag": "forfeit"}


def played_without(late: tuple[int, ...], seed: int = 3, **timing: object) -> Desk:
    """A game of Luz of four people, of whom these run out of time at their first turn."""
    desk = playing("luz", dealer=0, timing=timing or FORFEIT)
    rng = random.Random(seed)
    while desk.table.status == "playing":
        seat = desk.table.to_act
        assert seat is not None
        if desk.table.bot_to_act:
            desk.bot_moves(rng.choice(desk.legal()))
        elif seat in late:
            desk.wait(600)
        else:
            desk.say(PEOPLE[seat], rng.choice(desk.legal()))
    return desk


def scores_of(desk: Desk) -> dict[str, Any]:
    """What the cards alone make of it."""
    view = table_view(desk.table, None).view
    assert view is not None
    found: dict[str, Any] = view.to_json()["result"]
    return found


def test_the_best_of_those_who_kept_their_time_wins_and_the_points_stay_as_they_were_played() -> None:
    whole = scores_of(played_without(()))
    best = whole["winner"]
    desk = played_without((best,))
    seen = table_view(desk.table, None)
    cards = scores_of(desk)
    assert cards == whole, "the same moves, whoever made them"
    second = max((seat for seat in range(4) if seat != best), key=lambda seat: whole["scores"][seat])
    assert seen.result == Result((second,), (best,))
    assert seen.to_json()["result"] == {"winners": [second], "forfeited": [best], "by_house": False}


def test_the_record_says_who_was_late_and_who_won_and_is_as_sound_as_any() -> None:
    best = scores_of(played_without(()))["winner"]
    desk = played_without((best,))
    kept = record(desk.table, made_at=None)
    result = table_view(desk.table, None).result
    assert result is not None
    assert (kept["meta"]["forfeited"], kept["meta"]["winners"]) == ([best], list(result.winners))
    assert kept["meta"]["seats"][best]["time_was_up"]
    replayed = Record.of(kept).replay()
    assert replayed.error is None
    outcome = replayed.position.outcome()
    assert outcome is not None
    assert outcome.to_json() == scores_of(desk)
    usual = record(played_without(()).table, made_at=None)["meta"]
    assert not {"forfeited", "winners"} & set(usual)


def test_nobody_wins_if_everybody_was_late() -> None:
    assert table_view(played_without((0, 1, 2, 3)).table, None).result == Result((), (0, 1, 2, 3))


def test_where_a_bot_plays_on_the_seat_may_still_win() -> None:
    best = scores_of(played_without(()))["winner"]
    desk = played_without((best,), kind="bank", seconds=600, flag="bot")
    assert table_view(desk.table, None).result == Result((best,), ())


@pytest.mark.parametrize("variant", ["luz-3", "luz-4", "luz-5"])
def test_with_nobody_late_the_winner_is_the_rules(variant: str) -> None:
    for seed in range(5):
        replayed = Record.of(random_record(variant, seed)).replay()
        outcome = replayed.position.outcome()
        assert outcome is not None
        assert winners(replayed.position) == (outcome.to_json()["winner"],)


def test_a_tie_of_those_who_are_left_goes_by_the_last_deal_then_by_the_first_player() -> None:
    """L-24, over games in which ties are made."""
    ties = 0
    for seed in range(40):
        position = Record.of(random_record("luz-5", seed)).replay().position
        states = position.states.copy()
        rng = random.Random(seed)
        states["scores"][0, :5] = [rng.choice((-5, 10)) for _ in range(5)]
        states["by_deal"][0, 3, :5] = [rng.choice((-5, 10)) for _ in range(5)]
        changed = type(position)(position.game, states)
        late = tuple(sorted(rng.sample(range(5), rng.randint(1, 4))))
        left = [seat for seat in range(5) if seat not in late]
        scores, last = states["scores"][0].tolist(), states["by_deal"][0, 3].tolist()
        first = position.view(None).to_json()["first"]
        best = max((scores[seat], last[seat]) for seat in left)
        tied = [seat for seat in left if (scores[seat], last[seat]) == best]
        ties += len(tied) > 1
        assert winners(changed, late) == (min(tied, key=lambda seat: (seat - first) % 5),)
    assert ties > 5


def test_a_team_wins_or_loses_together() -> None:
    for seed in range(6):
        record_ = random_record("duet-1", seed, care=0.95)
        position = Record.of(record_).replay().position
        outcome = position.outcome()
        assert outcome is not None
        assert winners(position) == ((0, 1) if outcome.to_json()["won"] else ())
    duet = playing("duet", timing=FORFEIT)
    late = duet.table.to_act
    duet.wait(600)
    assert table_view(duet.table, None).result == Result((), (late,))


def test_there_is_no_result_before_the_end_nor_a_winner_of_a_game_that_was_cut_short() -> None:
    desk = playing("luz")
    assert table_view(desk.table, None).result is None
    desk.ask(ANN, ProposeEnd(0))
    for person in (BEN, CAT, DAN):
        desk.ask(person, AgreeEnd(1))
    assert table_view(desk.table, None).result == Result(())
