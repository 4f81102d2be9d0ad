"""Random games for tests: which games there are, and how to play one that gets somewhere.

Everything random comes from one seed, which a failing test shows. `VARIANTS` names every game with the options
that change its rules; `random_record` plays one through on the twin, so it needs no engine.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import strategies as st

from naive import duet as duet_twin
from naive import luz as luz_twin
from naive.duet import Duet
from naive.luz import Luz
from naive.replaying import Twin, twin_of

Record = dict[str, Any]

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "luz-3": ("luz", {"players": 3}),
    "luz-4": ("luz", {"players": 4}),
    "luz-5": ("luz", {"players": 5}),
    "luz-3-beads": ("luz", {"players": 3, "bead_supply": 15}),
    "luz-4-beads": ("luz", {"players": 4, "bead_supply": 15}),
    "luz-5-beads": ("luz", {"players": 5, "bead_supply": 15}),
    "duet-1": ("duet", {"level": 1}),
    "duet-2": ("duet", {"level": 2}),
    "duet-3": ("duet", {"level": 3}),
}

seeds = st.integers(min_value=0, max_value=2**32 - 1)
variants = st.sampled_from(sorted(VARIANTS))


def seats_of(game: str, options: dict[str, Any]) -> int:
    return int(options["players"]) if game == "luz" else 2


def options_with_dealer(variant: str, rng: random.Random) -> tuple[str, dict[str, Any]]:
    game, options = VARIANTS[variant]
    return game, {**options, "dealer": rng.randrange(seats_of(game, options))}


def random_deal(game: str, seats: int, rng: random.Random) -> dict[str, Any]:
    """Deal at random, as a record holds it."""
    if game == "luz":
        cards = luz_twin.deck(seats)
        rng.shuffle(cards)
        return {"hands": [cards[10 * seat : 10 * seat + 10] for seat in range(seats)]}
    cards = duet_twin.deck()
    rng.shuffle(cards)
    return {"hands": [cards[:11], cards[11:22]], "decree": cards[22]}


def random_board(rng: random.Random) -> dict[str, Any]:
    """Make up a board that the engine takes, many of them short of gem tokens or with "+" marks at the ends."""
    tokens = rng.randint(0, 4)
    spaces = rng.randint(max(5, 2 * tokens + 3), 15)
    start = rng.randint(tokens + 1, spaces - tokens - 2)
    gems = [0] * spaces
    for _ in range(rng.choice([rng.randint(1, 22), 22])):
        gems[rng.randrange(spaces)] += 1
    plus = sorted(rng.sample(range(spaces), rng.randint(0, spaces)))
    return {"name": "made-up", "gems": gems, "plus": plus, "start": start, "tokens": tokens}


def choose(twin: Twin, rng: random.Random, care: float) -> str:
    """Choose a legal move: with probability `care` one that keeps a Duet team on the path and takes gems.

    Without care nearly every game of Duet is lost in its second round, and late clauses are never reached.
    """
    legal = twin.legal()
    if isinstance(twin, Luz):
        if legal[0].startswith("bet") and rng.random() < care:
            legal = [move for move in legal if int(move[4:].rstrip("+")) <= 4]
        return rng.choice(legal)
    if rng.random() >= care:
        return rng.choice(legal)
    rng.shuffle(legal)
    return min(legal, key=lambda move: loss(twin, move))


def loss(twin: Duet, move: str) -> tuple[int, int, int]:
    after = copy.deepcopy(twin)
    after.play(move)
    return (int(after.over and after.reason != "won"), -after.tokens, sum(after.gems))


def random_record(variant: str, seed: int, *, care: float = 0.8, resign: float = 0.0) -> Record:
    """Play one whole game at random; `resign` is the chance a move that a Duet team gives up."""
    rng = random.Random(seed)
    game, options = options_with_dealer(variant, rng)
    twin = twin_of(game, options)
    record: Record = {"overtrick": 1, "game": game, "options": options, "deals": [], "moves": []}
    while not twin.over:
        if twin.needs_deal:
            record["deals"].append(random_deal(game, seats_of(game, options), rng))
            twin.deal(record["deals"][-1])
        move = "resign" if game == "duet" and rng.random() < resign else choose(twin, rng, care)
        twin.play(move)
        record["moves"].append(move)
    return record


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Whole games of any kind, some of them given up."""
    return random_record(
        draw(variants),
        draw(seeds),
        care=draw(st.sampled_from([0.0, 0.8, 1.0])),
        resign=draw(st.sampled_from([0.0, 0.02])),
    )
