"""What a state remembers of its deal or round: the actions in order, as far as a viewer may know them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.worlds import moments
from overtrick.games import Position
from overtrick.rules import duet
from strategies import VARIANTS, random_record, seats_of

Seen = list[int]
GIFTS = range(duet.GIFT, duet.DECREE)


def logged(position: Position, viewer: int | None) -> Seen:
    seen = position.view(viewer).observation[0]
    assert not seen["log"][int(seen["logged"]) :].any()
    return [int(action) for action in seen["log"][: int(seen["logged"])]]


def played(variant: str, seed: int) -> Iterator[tuple[Position, Seen]]:
    """Every moment of a random game, with the actions since the last deal as the legal moves name them."""
    actions: Seen = []
    before: Position | None = None
    for moment in moments(random_record(variant, seed, care=0.9)):
        position = moment.position()
        if moment.moves:
            assert before is not None
            actions.append(chosen(before, moment.moves[-1]))
        else:
            actions = []
        yield position, actions
        before = position


def chosen(position: Position, move: str) -> int:
    actions = position.view(position.to_act).legal_actions
    return next(a for a in actions if position.game.record_moves(position.states, [a]) == [move])


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_every_action_of_the_deal_is_remembered_in_order(variant: str) -> None:
    steps = 0
    for position, actions in played(variant, 5):
        kept = [action for action in actions if action < duet.FOREST or position.game.name == "luz"]
        state = position.states[0]
        assert [int(a) for a in state["log"][: int(state["logged"])]] == kept
        steps += len(kept) > 0
    assert steps > 20


@pytest.mark.parametrize("variant", [v for v in sorted(VARIANTS) if VARIANTS[v][0] == "luz"])
def test_in_luz_bets_and_places_are_known_to_all(variant: str) -> None:
    """L-11, L-17: the log names places, whose values are shown by the hands as far as they were played."""
    for position, actions in played(variant, 6):
        for viewer in (None, *range(seats_of(*VARIANTS[variant]))):
            assert logged(position, viewer) == actions


def test_a_gift_is_known_to_both_partners_once_exchanged_and_never_to_the_public() -> None:
    """D-18: the second giver chooses without sight of the first gift."""
    pending = exchanged = 0
    for seed in range(12):
        for position, actions in played("duet-1", seed):
            hidden = [duet.NONE if action in GIFTS else action for action in actions]
            assert logged(position, None) == hidden
            giver = position.to_act if position.phase == "gift" else None
            for viewer in range(2):
                if giver == viewer and actions[-1] in GIFTS:
                    assert logged(position, viewer) == [*actions[:-1], duet.NONE]
                    pending += 1
                else:
                    assert logged(position, viewer) == actions
                    exchanged += duet.NONE in hidden
    assert pending > 5
    assert exchanged > 50
