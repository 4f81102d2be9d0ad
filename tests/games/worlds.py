"""Other worlds: the same game so far for one viewer's eyes, with the cards that it cannot know dealt otherwise.

Each is made honestly, by replaying a record of the deal going on with other cards in it. In Luz the hidden cards of a
colour are swapped within the bounds that the revealed ones set. In Duet hidden cards change their names in the deal and
in the moves alike, and a gift that is chosen and not yet exchanged may be another one. What the rules then refuse was
no such world. The draw pile and the cards set aside take part.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from naive import duet as duet_twin
from naive import luz as luz_twin
from naive.duet import Duet
from naive.luz import Luz
from naive.replaying import Twin, twin_of
from overtrick.errors import IllegalMove
from overtrick.games import Position, load

Viewer = int | None
Swap = dict[str, str]


@dataclass(frozen=True)
class Moment:
    """A moment of a deal: the position before it was dealt, the deal, the moves since, what the twin says of now."""

    before: Position
    deal: dict[str, Any]
    moves: tuple[str, ...]
    twin: Twin

    def position(self, deal: dict[str, Any] | None = None, moves: tuple[str, ...] | None = None) -> Position:
        position = self.before.deal(self.deal if deal is None else deal)
        for move in self.moves if moves is None else moves:
            position = position.play(move)
        return position


def moments(record: dict[str, Any]) -> Iterator[Moment]:
    """Yield every moment of a recorded game at which somebody is to act; use each before asking for the next."""
    twin = twin_of(record["game"], record["options"])
    before = load(record["game"], **record["options"]).start()
    deals = iter(record["deals"])
    moment = Moment(before, {}, (), twin)
    for move in record["moves"]:
        if twin.needs_deal:
            deal = next(deals)
            twin.deal(deal)
            moment = Moment(before, deal, (), twin)
        yield moment
        twin.play(move)
        moment = Moment(before, moment.deal, (*moment.moves, move), twin)
        if twin.needs_deal:
            before = moment.position()


def other_world(moment: Moment, viewer: Viewer, rng: random.Random) -> Position:
    """Return another position that the viewer cannot tell from this one; the same one if none was found."""
    if isinstance(moment.twin, Luz):
        return moment.position(other_luz_deal(moment.twin, moment.deal, viewer, rng))
    return other_duet_world(moment, moment.twin, viewer, rng)


# Luz


def luz_secrets(twin: Luz, viewer: Viewer) -> set[str]:
    """The cards set aside and the unplayed ones of the hands that the viewer does not see (L-9, L-10)."""
    now = twin.now()
    seen = {card for _, card in now.plays}
    for seat in range(twin.players):
        if viewer is not None and seat != viewer:
            seen |= set(now.dealt[seat])
    return set(luz_twin.deck(twin.players)) - seen


def other_luz_deal(twin: Luz, deal: dict[str, Any], viewer: Viewer, rng: random.Random) -> dict[str, Any]:
    hands = [list(hand) for hand in deal["hands"]]
    dealt = {card for hand in hands for card in hand}
    aside = [card for card in luz_twin.deck(twin.players) if card not in dealt]
    holders = [*hands, aside]
    secrets = luz_secrets(twin, viewer)
    played = {card for _, card in twin.now().plays}
    for _ in range(30):
        one, other = rng.sample(range(len(holders)), 2)
        mine = [card for card in holders[one] if card in secrets]
        if not mine:
            continue
        card = rng.choice(mine)
        theirs = [c for c in holders[other] if c in secrets and c[0] == card[0]]
        if theirs:
            swap_if_places_stay(holders, one, other, (card, rng.choice(theirs)), played)
    return {"hands": holders[:-1]}


def swap_if_places_stay(
    holders: list[list[str]], one: int, other: int, swapped: tuple[str, str], played: set[str]
) -> None:
    """Swap two cards of a colour, unless a revealed card would then have had another place."""
    mine, theirs = swapped
    changed = {
        one: [theirs if card == mine else card for card in holders[one]],
        other: [mine if card == theirs else card for card in holders[other]],
    }
    aside = len(holders) - 1
    for holder, hand in changed.items():
        if holder != aside and places(holders[holder], played) != places(hand, played):
            return
    for holder, hand in changed.items():
        holders[holder] = hand


def places(hand: list[str], played: set[str]) -> list[tuple[int, str]]:
    return [(place, card) for place, card in enumerate(luz_twin.sort_cards(hand)) if card in played]


# Duet


def duet_secrets(twin: Duet, viewer: Viewer) -> set[str]:
    """The draw pile and the cards of a hand that the viewer does not see, but for those it knows (D-6, D-16, D-18).

    Decrees that were swapped out are no secrets either: who holds one may be, that it was not dealt to a hand is not.
    """
    view = twin.view(viewer)
    decrees = {entry[3] for entry in twin.log if entry[0] == "swap"}
    seen = {*view["played"], twin.decree, *view["known"][0], *view["known"][1], *decrees}
    if viewer is not None:
        seen |= set(twin.hands[viewer])
    return set(duet_twin.deck()) - seen


def other_duet_world(moment: Moment, twin: Duet, viewer: Viewer, rng: random.Random) -> Position:
    world, deal, moves = moment.position(), moment.deal, moment.moves
    secrets = sorted(duet_secrets(twin, viewer))
    for _ in range(6):
        one, other = rng.sample(secrets, 2)
        swap = {one: other, other: one}
        new_deal, new_moves = renamed(deal, swap), tuple(renamed_move(move, swap) for move in moves)
        try:
            world = moment.position(new_deal, new_moves)
        except IllegalMove:
            continue
        deal, moves = new_deal, new_moves
    if viewer is None:
        world, moves = with_other_gifts(moment, world, deal, moves, rng)
    chooser = next((seat for seat in (0, 1) if twin.gifts[seat] is not None), None)
    if chooser is not None and chooser != viewer:
        gift = rng.choice(world.state()["hands"][chooser])
        world = moment.position(deal, (*moves[:-1], f"gift:{gift}"))
    return world


def with_other_gifts(
    moment: Moment, world: Position, deal: dict[str, Any], moves: tuple[str, ...], rng: random.Random
) -> tuple[Position, tuple[str, ...]]:
    """Let other cards be exchanged, face down as they are, wherever the moves after it stay legal (D-18)."""
    for at in range(len(moves)):
        if not moves[at].startswith("gift:"):
            continue
        hands = moment.position(deal, moves[:at])
        new_moves = (*moves[:at], rng.choice(hands.legal_moves()), *moves[at + 1 :])
        try:
            world, moves = moment.position(deal, new_moves), new_moves
        except IllegalMove:
            continue
    return world, moves


def renamed(deal: dict[str, Any], swap: Swap) -> dict[str, Any]:
    return {
        "hands": [[swap.get(card, card) for card in hand] for hand in deal["hands"]],
        "decree": deal["decree"],
    }


def renamed_move(move: str, swap: Swap) -> str:
    kind, _, said = move.partition(":")
    return f"{kind}:{swap.get(said, said)}" if said else move
