"""The Fox in the Forest Duet in text: options, moves, rounds, states, views and the reasons for refusing a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick._jit import records
from overtrick.errors import N_, IllegalMove, InvalidRecord, Word
from overtrick.games.boards import BOARDS, Board, default_board
from overtrick.games.game import DealJson, Game, bits_above, check_options, fields, int_option, short, to_text
from overtrick.games.outcome import DuetOutcome
from overtrick.rules import duet as rules
from overtrick.rules import path
from overtrick.rules.cards import DUET_DECK

SUITS = (Word(N_("Doves")), Word(N_("Roses")), Word(N_("Stars")))
PHASES = ("deal", "play", "foxes", "decree", "gift", "move", "forest", "over")
REASONS = ("", "won", "lost in the forest", "out of time", "given up")

_NAMES = DUET_DECK.names
_SUIT_BITS = (1 << rules.RANKS) - 1
_NAMED = [
    [
        tuple(_NAMES[rules.RANKS * suit + rank] for rank in bits_above(0, bits))
        for bits in range(_SUIT_BITS + 1)
    ]
    for suit in range(rules.SUITS)
]
"""The names of every set of cards of each suit."""
_MOVES: tuple[str, ...] = (
    *(f"play:{card}" for card in _NAMES),
    *(f"gift:{card}" for card in _NAMES),
    *(f"decree:{card}" for card in _NAMES),
    "decree:keep", "foxes:self", "foxes:partner",
    *(f"move:{d:+d}" if d else "move:0" for d in range(-rules.FAR, rules.FAR + 1)),
    "forest:low", "forest:high", "resign",
)  # fmt: skip

_ASKED = {
    rules.PLAYING: (N_("A card is asked for now, such as play:D3."), "D-8"),
    rules.FOXING: (N_("The Foxes ask for foxes:self or foxes:partner now."), "D-16"),
    rules.DECREEING: (
        N_("The decree is asked for now: decree:keep, or a card of the hand such as decree:R2."),
        "D-16",
    ),
    rules.GIFTING: (N_("A gift is asked for now: a card of the hand, such as gift:S4."), "D-18"),
    rules.MOVING: (N_("The tracker's move is asked for now, such as move:+2."), "D-15, D-17"),
    rules.FORESTING: (N_("An end for the forest token is asked for now: forest:low or forest:high."), "D-21"),
}
_NOT_HELD = N_("Seat %(seat)d does not hold %(card)s; a card of its hand was expected.")


@dataclass(frozen=True)
class Duet(Game):
    """Duet at a level; `dealer` deals the first round."""

    level: int = 1
    dealer: int = 0
    board: Board = field(default_factory=lambda: default_board(1))

    name = "duet"
    deck = DUET_DECK
    hand_size = rules.HAND
    max_deals = rules.ROUNDS
    rules_version = rules.RULES_VERSION
    actions = rules.ACTIONS
    state_dtype = rules.STATE
    observation_dtype = rules.OBSERVATION
    phases = PHASES
    codes = {move: action for action, move in enumerate(_MOVES)}  # noqa: RUF012 - never changed
    deal_fields = frozenset({"hands", "decree"})
    end_clause = "D-22, D-23"
    turn_clause = "D-7"
    size_clause = "D-6"
    deck_clause = "D-1"

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Duet:
        """Make the game from the options of a record; raise InvalidRecord for one that it does not allow.

        `board` is a board's name, by default the level's; from Python it may be a Board, known by name or not.
        """
        check_options(cls.name, options, ("level", "dealer", "board"))
        level = int_option(options, "level", 1, range(1, 4))
        dealer = int_option(options, "dealer", 0, range(2))
        name = options.get("board")
        if name is None:
            return cls(level, dealer, default_board(level))
        if isinstance(name, Board):
            return cls(level, dealer, name)
        board = BOARDS.get(name) if isinstance(name, str) else None
        if board is None:
            raise InvalidRecord(
                N_("There is no board %(board)s; known are %(known)s."),
                clause="D-3, D-4", board=short(name), known=", ".join(sorted(BOARDS)),
            )  # fmt: skip
        return cls(level, dealer, board)

    @property
    def seats(self) -> int:
        """Two partners."""
        return 2

    @property
    def options(self) -> dict[str, Any]:
        """The options as a record keeps them."""
        return {"level": self.level, "dealer": self.dealer, "board": self.board.name}

    def begun(self) -> Any:
        """Return a new state that waits for the first round."""
        states = records(rules.STATE)
        rules.begin(states[0], self.level, self.dealer, self.board.records[0])
        return states

    @property
    def cards_in_use(self) -> Sequence[int]:
        """All 30 cards (D-6)."""
        return range(rules.CARDS)

    def not_in_deck(self, card: object) -> InvalidRecord:
        """Return the error for a card that is not in the deck."""
        return InvalidRecord(
            N_("%(card)s is not in the deck: it has D, R and S from 1 to 10."), clause="D-1", card=short(card)
        )

    def _turn_up(self, deal: DealJson, rest: list[int]) -> DealJson:
        return deal | {"decree": _NAMES[rest[0]]}

    def _parse_decree(self, deal: Mapping[str, Any], owner: NDArray[np.int8]) -> int:
        name = deal.get("decree")
        if name is None:
            raise InvalidRecord(N_("`decree` is missing: the card turned up beside the board."), clause="D-6")
        card = DUET_DECK.numbers.get(name) if isinstance(name, str) else None
        if card is None:
            raise self.not_in_deck(name)
        if owner[card] != -1:
            raise self._twice(name)
        return card

    def seat_moves(self, observation: Any, actions: list[int]) -> tuple[str, ...]:
        """Return the text of these actions, sorted; the same in both notations."""
        return tuple(sorted(_MOVES[action] for action in actions))

    def record_moves(self, states: Any, actions: list[int]) -> list[str]:
        """Return the text of these actions, sorted; the same in both notations."""
        return sorted(_MOVES[action] for action in actions)

    def seat_action(self, move: str) -> int:
        """Return the action of a move; the same in both notations."""
        return self.code(move)

    def resigns(self, action: int) -> bool:
        """Return whether the action gives the game up (D-23)."""
        return action == rules.RESIGN

    def unknown_move(self, move: object) -> IllegalMove:
        """Return the refusal of something that is no move."""
        return IllegalMove(
            N_("%(move)s is not a move of Duet: a card such as play:D3 or a decision such as foxes:self was expected."),
            clause="D-8, D-20", move=short(move),
        )  # fmt: skip

    def refusal(self, observation: Any, action: int) -> IllegalMove:
        """Return why the seat to act may not play an action that is not legal, from what that seat knows."""
        o = fields(observation)
        phase, seat = o["phase"], o["turn"]
        bit = action - int(rules.BASES[phase])
        asked, clause = _ASKED[phase]
        if phase in (rules.PLAYING, rules.DECREEING, rules.GIFTING) and 0 <= bit < rules.CARDS:
            if not int(o["hand"][seat]) >> bit & 1:
                return IllegalMove(_NOT_HELD, clause=clause, seat=seat, card=_NAMES[bit])
            suit = SUITS[int(o["trick"][0]) // rules.RANKS]
            return IllegalMove(
                N_("%(suit)s must be followed while the hand holds a card of that suit."),
                clause="D-8",
                suit=suit,
            )
        if phase == rules.MOVING and rules.MOVE <= action < rules.FOREST:
            allowed = [_MOVES[a] for a in bits_above(o["base"], o["choices"])]
            return IllegalMove(
                N_("The two cards do not allow %(move)s; they allow %(allowed)s."),
                clause="D-10, D-15, D-17", move=_MOVES[action], allowed=", ".join(allowed),
            )  # fmt: skip
        return IllegalMove(asked, clause=clause)

    def record_refusal(self, states: Any, code: int) -> IllegalMove:
        """Return why a code cannot be played: its owner knows all that it takes."""
        return self.refusal(self.observe(states, int(states["turn"][0])), code)

    def state_json(self, states: Any) -> dict[str, Any]:
        """Return the `state` of RECORD.md."""
        s = fields(states)
        return {
            "round": max(1, s["number"]),
            "dealer": s["dealer"],
            "leader": s["leader"],
            "decree": _card(s["decree"]),
            "tracker": s["tracker"],
            "gems": s["gems"][: s["spaces"]].tolist(),
            "covered": [s["low"], s["high"]],
            "tokens": s["tokens"],
            "trick": [_NAMES[card] for card in s["trick"][: s["laid"]]],
            "hands": [_cards(hand) for hand in s["hand"].tolist()],
            "tricks": s["tricks"].tolist(),
        }

    def open_text(self, observation: Any) -> str:
        """Return all but the hands and what is known of them."""
        o = fields(observation)
        known = {
            "game": self.name,
            "options": self.options,
            "phase": PHASES[o["phase"]],
            "round": max(1, o["number"]),
            "dealer": o["dealer"],
            "leader": o["leader"],
            "to_act": None if o["turn"] < 0 else o["turn"],
            "decree": _card(o["decree"]),
            "tracker": o["tracker"],
            "start": o["start"],
            "gems": o["gems"][: o["spaces"]].tolist(),
            "plus": list(self.board.plus),
            "covered": [o["low"], o["high"]],
            "tokens": o["tokens"],
            "supply": path.GEM_TOKENS - o["gems_left"],
            "tricks": o["tricks"].tolist(),
            "trick": [_NAMES[card] for card in o["trick"][: o["laid"]]],
            "last_trick": _last_trick(o),
            "hand_sizes": o["hand_size"].tolist(),
            "played": _cards(o["played"]),
            "result": None if o["phase"] != rules.OVER else self.outcome(observation).to_json(),
        }
        return to_text(known)[1:-1]

    def own_texts(self, observations: Any) -> list[str]:
        """Return the seat of each, the hands, and what it knows of them besides."""
        own = ("seat", "hidden", "hand", "known", "void", "given", "gift")
        by_field = (observations[field].tolist() for field in own)
        return [_own_text(dict(zip(own, o, strict=True))) for o in zip(*by_field, strict=True)]

    def outcome(self, observation: Any) -> DuetOutcome:
        """Return how a game that is over ended, from anybody's observation (D-22, D-23)."""
        o = fields(observation)
        reason = REASONS[o["ended"]]
        return DuetOutcome(o["ended"] == path.WON, o["score"], max(1, o["number"]), o["gems_left"], reason)


def _own_text(o: Mapping[str, Any]) -> str:
    seen = {
        "seat": None if o["seat"] < 0 else o["seat"],
        "hands": [None if o["hidden"][seat] else _cards(o["hand"][seat]) for seat in range(2)],
        "known": [_cards(known) for known in o["known"]],
        "void": [[DUET_DECK.suits[i] for i in range(rules.SUITS) if void >> i & 1] for void in o["void"]],
        "gifts": [_gift(o, seat) for seat in range(2)],
    }
    return to_text(seen)[1:-1]


def _card(card: int) -> str | None:
    return None if card == rules.NONE else _NAMES[card]


def _cards(bits: Any) -> list[str]:
    low, middle, high = (int(bits) >> rules.RANKS * suit & _SUIT_BITS for suit in range(rules.SUITS))
    return [*_NAMED[0][low], *_NAMED[1][middle], *_NAMED[2][high]]


def _gift(o: Mapping[str, Any], seat: int) -> str | None:
    if not o["given"][seat]:
        return None
    return "?" if o["gift"][seat] == rules.NONE else _NAMES[o["gift"][seat]]


def _last_trick(o: Mapping[str, Any]) -> dict[str, Any] | None:
    if o["last_winner"] == rules.NONE:
        return None
    return {
        "round": o["number"] if sum(o["tricks"].tolist()) else o["number"] - 1,
        "leader": o["last_leader"],
        "cards": [_NAMES[card] for card in o["last"]],
        "winner": o["last_winner"],
        "move": o["last_move"],
        "ran_off": bool(o["last_ran_off"]),
        "gem": bool(o["last_gem"]),
    }
