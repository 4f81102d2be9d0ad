"""What it is worth, on Duet's path, to end a trick in one way or another; a gem taken counts 1."""

from __future__ import annotations

from overtrick.bots.duet_sight import Sight
from overtrick.rules import duet
from overtrick.search import duet_weigh

GEM = 1.0
LOST = -50.0
NEAR: list[float] = duet_weigh.NEAR.tolist()


def trick_worth(sight: Sight, trick: tuple[int, int], decree: int) -> float:
    """Return what a whole trick is worth when its winner moves the tracker as well as the cards allow."""
    lead, second = trick
    winner = duet.winner_of(sight.leader, lead, second, decree // duet.RANKS)
    moves = duet.displacements(lead, second, winner)
    return max(move_worth(sight, d) for d in range(-duet.FAR, duet.FAR + 1) if moves >> (d + duet.FAR) & 1)


def move_worth(sight: Sight, displacement: int) -> float:
    """Return what it is worth to move the tracker so (D-11, D-13)."""
    space = sight.tracker + displacement
    if not sight.first <= space <= sight.last:
        return duet_weigh.RAN_OFF + _standing(sight.gems, sight.start) if sight.tokens else LOST
    if sight.gems[space]:
        return GEM + _standing(sight.gems, space) - NEAR[0]
    return _standing(sight.gems, space)


def forest_worth(sight: Sight, *, low: bool) -> float:
    """Return how far the tracker stands from an end of the path: the nearer end needs its room more (D-21b)."""
    return sight.tracker - sight.first if low else sight.last - sight.tracker


def _standing(gems: list[int], space: int) -> float:
    """Return what it is worth to stand on a space with these gems about."""
    return sum(there * NEAR[abs(other - space)] for other, there in enumerate(gems) if there)
