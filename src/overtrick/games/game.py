"""What a game is: its seats, options and dtypes, and the way between text and the numbers of its kernels."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick._cached import cached_property
from overtrick._jit import records
from overtrick.errors import N_, IllegalMove, InvalidRecord
from overtrick.games import kernels
from overtrick.rules.cards import Deck

if TYPE_CHECKING:
    from overtrick.games.outcome import Outcome
    from overtrick.games.position import Position

DealJson = dict[str, Any]
"""A deal or round as RECORD.md writes it: `hands`, and in Duet `decree`."""


class Shuffler(Protocol):
    """A source of randomness such as `random.SystemRandom()`; only `shuffle` is asked of it."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle the list in place."""


@dataclass(frozen=True)
class Deal:
    """A deal in the kernels' numbers: the seat that holds each card or -1 (int8, one a card), the decree or -1."""

    owner: NDArray[np.int8]
    decree: int = -1


@dataclass(frozen=True)
class Game(ABC):
    """A game with its options chosen. Make one with `overtrick.games.load`.

    Subclasses give the facts below and the text of their moves, deals, states and views.
    """

    name: ClassVar[str]
    """The name in records: "luz" or "duet"."""
    deck: ClassVar[Deck]
    hand_size: ClassVar[int]
    max_deals: ClassVar[int]
    """Deals (Luz) or rounds (Duet) in a whole game."""
    rules_version: ClassVar[int]
    actions: ClassVar[int]
    """The number of actions: they are 0..actions-1."""
    state_dtype: ClassVar[np.dtype[Any]]
    observation_dtype: ClassVar[np.dtype[Any]]
    phases: ClassVar[tuple[str, ...]]
    """What a view calls each phase of the kernels."""
    codes: ClassVar[Mapping[str, int]]
    """Every move of record notation and its code (see `games.kernels`)."""

    end_clause: ClassVar[str]
    """The clause by which the game ends."""
    turn_clause: ClassVar[str]
    """The clause that says whose turn it is."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of seats."""

    @property
    @abstractmethod
    def options(self) -> dict[str, Any]:
        """The options as a record keeps them, defaults filled in."""

    @abstractmethod
    def begun(self) -> Any:
        """Return a new state, in an array of one, that waits for the first deal."""

    @property
    @abstractmethod
    def cards_in_use(self) -> Sequence[int]:
        """The cards that are shuffled (L-2, D-1)."""

    @abstractmethod
    def seat_moves(self, observation: Any, actions: list[int]) -> tuple[str, ...]:
        """Return the text of these actions in seat notation, sorted as text."""

    @abstractmethod
    def record_moves(self, states: Any, actions: list[int]) -> list[str]:
        """Return the text of these actions of the seat to act in record notation, sorted as text."""

    @abstractmethod
    def seat_action(self, move: str) -> int:
        """Return the action that a move in seat notation stands for; raise IllegalMove for no such move."""

    def resigns(self, action: int) -> bool:
        """Return whether the action gives the game up, which any seat may do at any time (D-23)."""
        return False

    @abstractmethod
    def refusal(self, observation: Any, action: int) -> IllegalMove:
        """Return why the seat to act may not play an action that is not legal, from what that seat knows."""

    @abstractmethod
    def record_refusal(self, states: Any, code: int) -> IllegalMove:
        """Return why a code of record notation cannot be played; knows every card."""

    @abstractmethod
    def state_json(self, states: Any) -> dict[str, Any]:
        """Return the `state` of RECORD.md."""

    @abstractmethod
    def open_text(self, observation: Any) -> str:
        """Return the part of a view in which everybody knows the same: JSON without its braces.

        From anybody's observation.
        """

    @abstractmethod
    def own_texts(self, observations: Any) -> list[str]:
        """Return the rest of a view, in which a seat may know more than the public does: JSON without its braces.

        Of each of several observations, one after the other.
        """

    @abstractmethod
    def outcome(self, observation: Any) -> Outcome:
        """Return how a game that is over ended, from anybody's observation."""

    def start(self) -> Position:
        """Return the position that awaits the first deal."""
        from overtrick.games.position import Position

        return Position(self, self.begun())

    def code(self, move: object) -> int:
        """Return the code of a move in record notation; raise IllegalMove for a text that is no move."""
        found = self.codes.get(move) if isinstance(move, str) else None
        if found is None:
            raise self.unknown_move(move)
        return found

    @abstractmethod
    def unknown_move(self, move: object) -> IllegalMove:
        """Return the refusal of something that is no move of record notation."""

    def observe(self, states: Any, seat: int | None) -> Any:
        """Return the observation of a seat (None: the public), in an array of one."""
        seen = records(self.observation_dtype)
        kernels.observe(states, -1 if seat is None else seat, seen)
        return seen

    def random_deal(self, shuffler: Shuffler) -> DealJson:
        """Return a deal at random, as RECORD.md writes it (L-6, D-6)."""
        cards = list(self.cards_in_use)
        shuffler.shuffle(cards)
        names, size = self.deck.names, self.hand_size
        hands = [sorted(cards[seat * size : (seat + 1) * size]) for seat in range(self.seats)]
        deal: DealJson = {"hands": [[names[card] for card in hand] for hand in hands]}
        return self._turn_up(deal, cards[self.seats * size :])

    def _turn_up(self, deal: DealJson, rest: list[int]) -> DealJson:
        """Add to a random deal what the game makes of the undealt cards."""
        return deal

    def parse_deal(self, deal: object) -> Deal:
        """Return a deal of RECORD.md in the kernels' numbers; raise InvalidRecord with what was expected."""
        if not isinstance(deal, dict):
            raise InvalidRecord(N_("A deal is an object with `hands`; this one is not an object."))
        unknown = set(deal) - self.deal_fields
        if unknown:
            raise InvalidRecord(
                N_("A deal of %(game)s has no field %(field)s."), game=self.name, field=short(min(unknown))
            )
        owner = np.full(self.deck.size, -1, np.int8)
        self._deal_hands(deal.get("hands"), owner)
        return Deal(owner, self._parse_decree(deal, owner))

    deal_fields: ClassVar[frozenset[str]] = frozenset({"hands"})

    def _parse_decree(self, deal: Mapping[str, Any], owner: NDArray[np.int8]) -> int:
        return -1

    def _deal_hands(self, hands: object, owner: NDArray[np.int8]) -> None:
        if not isinstance(hands, list) or len(hands) != self.seats:
            raise InvalidRecord(
                N_("`hands` is a list of one hand for each of the %(seats)d seats."), seats=self.seats
            )
        holders = [-1] * self.deck.size
        numbers, in_use = self.deck.numbers, self._in_use
        for seat, hand in enumerate(hands):
            if not isinstance(hand, list) or len(hand) != self.hand_size:
                raise self._wrong_size(seat, hand)
            for name in hand:
                card = numbers.get(name) if isinstance(name, str) else None
                if card is None or card not in in_use:
                    raise self.not_in_deck(name)
                if holders[card] != -1:
                    raise self._twice(name)
                holders[card] = seat
        owner[:] = holders

    @cached_property
    def _in_use(self) -> frozenset[int]:
        return frozenset(self.cards_in_use)

    @abstractmethod
    def not_in_deck(self, card: object) -> InvalidRecord:
        """Return the error for a card that is not in the deck in use."""

    size_clause: ClassVar[str]

    def _wrong_size(self, seat: int, hand: object) -> InvalidRecord:
        if not isinstance(hand, list):
            return InvalidRecord(N_("The hand of seat %(seat)d is not a list of cards."), seat=seat)
        return InvalidRecord(
            N_("The hand of seat %(seat)d has %(cards)d cards; %(expected)d were expected."),
            clause=self.size_clause, seat=seat, cards=len(hand), expected=self.hand_size,
        )  # fmt: skip

    deck_clause: ClassVar[str]

    def _twice(self, card: object) -> InvalidRecord:
        return InvalidRecord(
            N_("The card %(card)s is there twice; the deck has one of each."),
            clause=self.deck_clause,
            card=card,
        )


def bits_above(base: int, bits: int) -> list[int]:
    """Return the members of a set of bits above `base`, ascending: actions from what the kernels' `legal` gives."""
    return [base + i for i in range(bits.bit_length()) if bits >> i & 1]


to_text = json.JSONEncoder(separators=(",", ":")).encode
"""Return a value as JSON text."""


def short(value: object) -> str:
    """Return a value from outside, shortened, to stand in a sentence; of a list or an object only what it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = value if isinstance(value, str) else repr(value)
    text = "".join(c if c.isprintable() else "?" for c in text[:41])
    return text if len(text) <= 40 else text[:37] + "..."


def fields(records: Any) -> dict[str, Any]:
    """Return the fields of the one record of an array: ints and arrays, by name."""
    return dict(zip(records.dtype.names, records.tolist()[0], strict=True))


def int_option(options: Mapping[str, Any], key: str, default: int, allowed: range) -> int:
    """Return a whole-number option or its default; raise InvalidRecord when it is not in `allowed`."""
    value = options.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
        raise InvalidRecord(
            N_("The option %(option)s is a whole number from %(low)d to %(high)d, not %(value)s."),
            option=key, low=allowed.start, high=allowed.stop - 1, value=short(value),
        )  # fmt: skip
    return value


def check_options(name: str, options: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise InvalidRecord for an option that the game does not have."""
    unknown = [key for key in options if key not in known]
    if unknown:
        raise InvalidRecord(
            N_("%(game)s has no option %(option)s; its options are %(known)s."),
            game=name, option=short(unknown[0]), known=", ".join(known),
        )  # fmt: skip


GameFactory = Callable[[Mapping[str, Any]], Game]
"""Makes a game from its options; raises InvalidRecord for an option out of range."""
