"""Luz in text: its options, moves, deals, states, views and the reasons for refusing a move."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from overtrick._cached import cached_property
from overtrick._jit import records
from overtrick.errors import N_, IllegalMove, InvalidRecord, Word
from overtrick.games.game import Game, check_options, fields, int_option, short, to_text
from overtrick.games.kernels import LUZ_CARD
from overtrick.games.luz_hands import hands_texts
from overtrick.games.outcome import LuzOutcome
from overtrick.rules import luz as rules
from overtrick.rules.cards import LUZ_DECK

COLOURS = (Word(N_("Red")), Word(N_("Yellow")), Word(N_("Green")), Word(N_("Blue")), Word(N_("Purple")))
PHASES = ("deal", "bet", "play", "over")

_BETS = {
    f"bet:{beads}{'+' * safety}": rules.BET + 2 * beads + safety for beads in range(11) for safety in (0, 1)
}
_BET_NAMES = {action: name for name, action in _BETS.items()}
_CARDS = {f"play:{name}": LUZ_CARD + card for card, name in enumerate(LUZ_DECK.names)}
_PLACES = {f"play:#{place + 1}": place for place in range(rules.HAND)}
_PLACE_NAMES = tuple(_PLACES)


@dataclass(frozen=True)
class Luz(Game):
    """Luz for 3 to 5 players; `dealer` deals first; `bead_supply` 15 limits the bet beads (L-3), None does not."""

    players: int = 4
    dealer: int = 0
    bead_supply: int | None = None

    name = "luz"
    deck = LUZ_DECK
    hand_size = rules.HAND
    max_deals = rules.DEALS
    rules_version = rules.RULES_VERSION
    actions = rules.ACTIONS
    state_dtype = rules.STATE
    observation_dtype = rules.OBSERVATION
    phases = PHASES
    codes = _BETS | _CARDS
    end_clause = "L-5"
    turn_clause = "L-11, L-14"
    size_clause = "L-6"
    deck_clause = "L-1"

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Luz:
        """Make the game from the options of a record; raise InvalidRecord for one that it does not allow."""
        check_options(cls.name, options, ("players", "dealer", "bead_supply"))
        players = int_option(options, "players", 4, range(3, rules.MAX_PLAYERS + 1))
        supply = options.get("bead_supply")
        if supply is not None and (isinstance(supply, bool) or supply != 15 or not isinstance(supply, int)):
            raise InvalidRecord(
                N_("The option bead_supply is null (no limit) or 15, not %(value)s."),
                clause="L-3",
                value=short(supply),
            )
        return cls(players, int_option(options, "dealer", 0, range(players)), supply)

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.players

    @property
    def options(self) -> dict[str, Any]:
        """The options as a record keeps them."""
        return {"players": self.players, "dealer": self.dealer, "bead_supply": self.bead_supply}

    def begun(self) -> Any:
        """Return a new state that waits for the first deal."""
        states = records(rules.STATE)
        supply = rules.NONE if self.bead_supply is None else self.bead_supply
        rules.begin(states[0], self.players, self.dealer, supply)
        return states

    @cached_property
    def cards_in_use(self) -> Sequence[int]:
        """The cards of the deck in use (L-2)."""
        top = rules.values_in_use(self.players)
        return tuple(card for card in range(rules.CARDS) if card % rules.RANKS < top)

    def not_in_deck(self, card: object) -> InvalidRecord:
        """Return the error for a card that is not in the deck in use."""
        return InvalidRecord(
            N_("%(card)s is not in the deck: with %(players)d players it has R, Y, G, B and P from 1 to %(top)d."),
            clause="L-2", card=short(card), players=self.players, top=rules.values_in_use(self.players),
        )  # fmt: skip

    def seat_moves(self, observation: Any, actions: list[int]) -> tuple[str, ...]:
        """Return the text of these actions in seat notation: cards by their place (L-17)."""
        return tuple(sorted(_PLACE_NAMES[a] if a < rules.BET else _BET_NAMES[a] for a in actions))

    def record_moves(self, states: Any, actions: list[int]) -> list[str]:
        """Return the text of these actions of the seat to act: cards by their value."""
        if not actions:
            return []
        hand = states["hand"][0, int(states["turn"][0])]
        names = LUZ_DECK.names
        return sorted(f"play:{names[hand[a]]}" if a < rules.BET else _BET_NAMES[a] for a in actions)

    def seat_action(self, move: str) -> int:
        """Return the action of a move in seat notation: a bet, or a card by its place."""
        action = _PLACES.get(move)
        if action is None:
            action = _BETS.get(move)
        if action is None:
            raise IllegalMove(
                N_("%(move)s is no move here: a bet such as bet:3 or bet:3+, or a place such as play:#1 was expected."),
                clause="L-11, L-17", move=short(move),
            )  # fmt: skip
        return action

    def unknown_move(self, move: object) -> IllegalMove:
        """Return the refusal of something that is no move of record notation."""
        if isinstance(move, str) and re.fullmatch(r"bet:[0-9]{1,9}\+?", move):
            return IllegalMove(
                N_("%(move)s is out of range: a bet is 0 to 10 bet beads, with or without the safety bead."),
                clause="L-11", move=move,
            )  # fmt: skip
        if isinstance(move, str) and re.fullmatch(r"play:[RYGBP][0-9]{1,9}", move):
            return IllegalMove(
                N_("%(card)s is not a card of the game: values are 1 to 12."), clause="L-1", card=move[5:]
            )
        return IllegalMove(
            N_("%(move)s is not a move of Luz: a bet such as bet:3 or bet:3+, or a card such as play:R4 was expected."),
            clause="L-11, L-17", move=short(move),
        )  # fmt: skip

    def refusal(self, observation: Any, action: int) -> IllegalMove:
        """Return why the seat to act may not play an action that is not legal, from what that seat knows."""
        o = fields(observation)
        if o["phase"] == rules.BETTING:
            if action < rules.BET:
                return IllegalMove(N_("A bet is asked for now, not a card."), clause="L-11")
            return IllegalMove(
                N_("The bet takes more bet beads than are left: %(left)d."),
                clause="L-3",
                left=o["beads_left"],
            )
        if action >= rules.BET:
            return IllegalMove(N_("A card is asked for now, not a bet."), clause="L-11, L-14")
        if not o["held"][o["turn"]] >> action & 1:
            return IllegalMove(
                N_("The card at place %(place)d was already played."), clause="L-17", place=action + 1
            )
        return _must_follow(o)

    def record_refusal(self, states: Any, code: int) -> IllegalMove:
        """Return why a code of record notation cannot be played; knows every card."""
        s = fields(states)
        seat, card = s["turn"], code - LUZ_CARD
        if card < 0 or s["phase"] == rules.BETTING:
            return self.refusal(self.observe(states, seat), code if card < 0 else 0)
        if card not in self._in_use:
            error = self.not_in_deck(LUZ_DECK.names[card])
            return IllegalMove(error.msgid, clause=error.clause, **error.params)
        if card not in _held(s, seat):
            return IllegalMove(
                N_("Seat %(seat)d does not hold %(card)s; a card of its hand was expected."),
                clause="L-17", seat=seat, card=LUZ_DECK.names[card],
            )  # fmt: skip
        return _must_follow(s)

    def state_json(self, states: Any) -> dict[str, Any]:
        """Return the `state` of RECORD.md."""
        s = fields(states)
        n, names = self.players, LUZ_DECK.names
        return {
            "deal": max(1, s["deal"]),
            "first": s["first"],
            "leader": s["leader"],
            "bets": _bets(s, n),
            "tricks": s["tricks"][:n].tolist(),
            "trick": [names[card] for card in s["trick"][: s["laid"]]],
            "hands": [[names[card] for card in _held(s, seat)] for seat in range(n)],
            "scores": s["scores"][:n].tolist(),
        }

    @cached_property
    def _begins(self) -> str:
        return to_text({"game": self.name, "options": self.options})[1:-1]

    def open_text(self, observation: Any) -> str:
        """Return all but the cards of the hands and those that have been played from them."""
        o = fields(observation)
        n = self.players
        # Every look of every viewer holds it: written out, for an encoder takes as long as all the rest.
        return (
            f'{self._begins},"phase":"{PHASES[o["phase"]]}","deal":{max(1, o["deal"])},"first":{o["first"]},'
            f'"leader":{o["leader"]},"to_act":{_or_null(o["turn"])},"bets":{_texts(_bets(o, n))},'
            f'"beads_left":{"null" if self.bead_supply is None else o["beads_left"]},'
            f'"tricks":{o["tricks"][:n].tolist()},"trick":{_card_names(o["trick"][: o["laid"]])},'
            f'"last_trick":{_last_trick(o, n)},"scores":{o["scores"][:n].tolist()},"by_deal":{_by_deal(o, n)},'
            f'"result":{to_text(self.outcome(observation).to_json()) if o["phase"] == rules.OVER else "null"}'
        )

    def own_texts(self, observations: Any) -> list[str]:
        """Return the seat of each, and the cards in the hands with those that have been played from them."""
        seats = ["null" if seat == rules.NONE else seat for seat in observations["seat"].tolist()]
        texts = zip(seats, hands_texts(observations), strict=True)
        return [f'"seat":{seat},"hands":{held},"played":{played}' for seat, (held, played) in texts]

    def outcome(self, observation: Any) -> LuzOutcome:
        """Return how a game that is over ended, from anybody's observation."""
        o = fields(observation)
        scores: list[int] = o["scores"][: self.players].tolist()
        return LuzOutcome(scores, _by_deal(o, self.players), o["winner"])


def _must_follow(f: Mapping[str, Any]) -> IllegalMove:
    colour = COLOURS[int(f["trick"][0]) // rules.RANKS]
    return IllegalMove(
        N_("%(colour)s must be followed while the hand holds a card of that colour."),
        clause="L-16",
        colour=colour,
    )


def _held(f: Mapping[str, Any], seat: int) -> list[int]:
    held = int(f["held"][seat])
    return [card for place, card in enumerate(f["hand"][seat].tolist()) if held >> place & 1]


def _bets(f: Mapping[str, Any], n: int) -> list[str | None]:
    pairs = zip(f["bets"][:n].tolist(), f["safety"][:n].tolist(), strict=True)
    return [None if beads < 0 else f"{beads}{'+' * safety}" for beads, safety in pairs]


def _last_trick(o: Mapping[str, Any], n: int) -> str:
    if o["last_winner"] == rules.NONE:
        return "null"
    deal = o["deal"] if o["taken"] else o["deal"] - 1
    return (
        f'{{"deal":{deal},"leader":{o["last_leader"]},"cards":{_card_names(o["last"][:n])},'
        f'"winner":{o["last_winner"]}}}'
    )


def _by_deal(f: Mapping[str, Any], n: int) -> list[list[int]]:
    scored = f["deal"] - (1 if f["phase"] in (rules.BETTING, rules.PLAY) else 0)
    points: list[list[int]] = f["by_deal"][: max(0, scored), :n].tolist()
    return points


def _or_null(seat: int) -> int | str:
    return "null" if seat == rules.NONE else seat


def _card_names(cards: Any) -> str:
    return _texts([LUZ_DECK.names[card] for card in cards])


def _texts(texts: Sequence[str | None]) -> str:
    return "[" + ",".join(["null" if text is None else f'"{text}"' for text in texts]) + "]"
