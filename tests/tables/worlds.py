"""Other deals that one viewer of a table cannot tell from the true one."""

from __future__ import annotations

import random
from typing import Any

from msgspec import structs

from overtrick.errors import IllegalMove
from overtrick.tables.events import Dealt, Event, Started
from overtrick.tables.fold import fold, fold_all
from overtrick.tables.table import Table
from tables.setting import logged


def worlds(table: Table, seat: int | None, tries: int) -> list[Table]:
    """The same table after another last deal that the seat cannot tell from the true one."""
    redeal = redealt_luz if table.game_name == "luz" else redealt_duet
    found = []
    for seed in range(tries):
        deal = redeal(table, seat, random.Random(seed))
        other = with_last_deal(table, deal)
        if other is not None and other.position != table.position:
            found.append(other)
    return found


def with_last_deal(table: Table, deal: dict[str, Any]) -> Table | None:
    """The table with its last deal replaced, or None if its moves do not go with that deal.

    The commitments stay: what a viewer sees of the true deal it would see of the other, under another nonce.
    """
    start = structs.replace(table, game=None, position=None, deals=(), moves=(), seals=(), seq=0)
    events: list[Event] = [Started(table.options, table.rules_version)]
    moves, deals = list(table.moves), [*table.deals[:-1], deal]
    try:
        other = fold_all(start, logged(events))
        while moves or deals:
            assert other.position is not None
            other = fold(other, Dealt(deals.pop(0)) if other.position.needs_deal else moves.pop(0), 1)
    except (IllegalMove, IndexError):
        return None
    return structs.replace(other, seq=table.seq, at=table.at, seals=table.seals)


def luz_order(card: str) -> tuple[int, int]:
    return "RYGBP".index(card[0]), int(card[1:])


def redealt_luz(table: Table, seat: int | None, rng: random.Random) -> dict[str, Any]:
    """Deal the values of the hidden hands anew: colours and places stay (L-9), played cards keep their place."""
    hands = [sorted(hand, key=luz_order) for hand in table.deals[-1]["hands"]]
    hidden = range(len(hands)) if seat is None else [seat]
    played = last_deals(table)
    for suit in "RYGBP":
        places = [(n, p) for n in hidden for p, card in enumerate(hands[n]) if card[0] == suit]
        places = [(n, p) for n, p in places if hands[n][p] not in played]
        seen = {card for hand in hands for card in hand} - {hands[n][p] for n, p in places}
        top = {3: 8, 4: 10, 5: 12}[len(hands)]
        unseen = [card for value in range(1, top + 1) if (card := f"{suit}{value}") not in seen]
        for _ in range(30):
            cards = rng.sample(unseen, len(places))
            other = [list(hand) for hand in hands]
            for number in hidden:
                mine = sorted(
                    (card for card, (n, _) in zip(cards, places, strict=True) if n == number), key=luz_order
                )
                for place, card in zip((p for n, p in places if n == number), mine, strict=True):
                    other[number][place] = card
            if all(sorted(hand, key=luz_order) == hand for hand in other):
                hands = other
                break
    return {"hands": hands}


def last_deals(table: Table) -> set[str]:
    """The cards played since the last deal."""
    assert table.position is not None
    left = {card for hand in table.position.state()["hands"] for card in hand}
    return {card for hand in table.deals[-1]["hands"] for card in hand} - left


def redealt_duet(table: Table, seat: int | None, rng: random.Random) -> dict[str, Any]:
    """Deal anew the partner's cards that the seat has not seen, and the seven set aside (D-6)."""
    deal = table.deals[-1]
    assert table.position is not None
    hidden = (0, 1) if seat is None else (1 - seat,)
    named = {moved.move.partition(":")[2] for moved in table.moves[first_ply(table) :]}
    cards = {f"{suit}{rank}" for suit in "DRS" for rank in range(1, 11)}
    unseen = sorted(cards - {card for hand in deal["hands"] for card in hand} - {deal["decree"]})
    unseen += [card for number in hidden for card in deal["hands"][number] if card not in named]
    rng.shuffle(unseen)
    hands = [
        [unseen.pop() if number in hidden and card not in named else card for card in hand]
        for number, hand in enumerate(deal["hands"])
    ]
    return {"hands": hands, "decree": deal["decree"]}


def first_ply(table: Table) -> int:
    """The ply at which the last deal was dealt."""
    assert table.game is not None
    position, deals = table.game.start().deal(table.deals[0]), list(table.deals[1:])
    first = 0
    for ply, moved in enumerate(table.moves, start=1):
        position = position.play(moved.move)
        if position.needs_deal:
            position, first = position.deal(deals.pop(0)), ply
    return first
