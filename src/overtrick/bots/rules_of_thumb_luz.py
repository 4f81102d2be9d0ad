"""Luz as a good beginner plays it: count the likely tricks, bet them, then steer towards the bet.

A card's strength is the chance that it takes a trick. It starts from a question that a person can answer by
looking round the table: were I to lead this card, how likely would it hold, if everybody answered with any card
that they may play? The answer is scaled by how often cards like it took a trick in games of this bot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from overtrick.bots.bot import Reason
from overtrick.bots.luz_sight import OwnCard, Sight
from overtrick.errors import N_
from overtrick.games import View
from overtrick.rules import luz
from overtrick.rules.tricks import beats

SCALES = {
    3: ((-0.013, 0.626), (0.703, 0.426)),
    4: ((-0.011, 0.559), (0.581, 0.525)),
    5: ((-0.020, 0.520), (0.544, 0.531)),
}
"""By number of players, for a plain card and for a trump: base and slope from "holds when led" to "takes a trick".

Least squares over the hands of 300 games of this bot against itself (residual 1.17, 0.99, 0.89 tricks a hand).
"""


class LuzThoughts:
    """What a good beginner thinks of each legal action: the expected points of this deal. Nothing is drawn at random.

    It never uses the safety bead: `worth` has no bet with one.
    """

    def __init__(self, view: View, seed: int) -> None:
        self._view = view
        self._sight = Sight(view)

    @cached_property
    def worth(self) -> dict[int, float]:
        """By action."""
        return self._bets() if self._view.legal_actions[0] >= luz.BET else self._plays()

    @cached_property
    def _strengths(self) -> dict[int, float]:
        return {card.place: _strength(card, self._sight) for card in self._sight.own}

    @cached_property
    def _chances(self) -> dict[int, float]:
        legal = self._view.legal_actions
        return {card.place: _chance_now(card, self._sight) for card in self._sight.own if card.place in legal}

    @property
    def _wanted(self) -> int:
        return self._sight.beads - self._sight.won

    def _bets(self) -> dict[int, float]:
        tricks = _number_of_tricks([*self._strengths.values()])
        plain = (action for action in self._view.legal_actions if (action - luz.BET) % 2 == 0)
        return {action: _points(self._sight, (action - luz.BET) // 2, tricks) for action in plain}

    def _plays(self) -> dict[int, float]:
        if len(self._view.legal_actions) == 1:
            return {self._view.legal_actions[0]: 0.0}
        return {place: self._worth_of_play(place) for place in self._chances}

    def _worth_of_play(self, place: int) -> float:
        rest = [strength for other, strength in self._strengths.items() if other != place]
        return _points(self._sight, self._wanted, _number_of_tricks([*rest, self._chances[place]]))

    def why(self, action: int) -> Reason:
        """Say what an action is for; all of it follows from what the seat sees."""
        if action >= luz.BET:
            tricks = sum(self._strengths.values())
            return Reason(N_("My cards look good for about %(tricks)s tricks."), {"tricks": f"{tricks:.1f}"})
        if len(self._view.legal_actions) == 1:
            return Reason(N_("It is the only card that may be played."))
        return _why(self._wanted, self._chances[action])


def _why(wanted: int, chance: float) -> Reason:
    percent = {"chance": round(100 * chance)}
    if wanted > 0 and chance >= 0.5:
        return Reason(
            N_("I still need tricks, and this card should take this one: %(chance)d %% likely."), percent
        )
    if wanted > 0:
        return Reason(N_("I still need tricks, but keep better cards for them than this one."))
    if chance < 0.5:
        return Reason(N_("I want no more tricks; this card should lose: %(chance)d %% likely."), {
            "chance": 100 - percent["chance"]
        })  # fmt: skip
    return Reason(N_("I want no more tricks, but my other cards look harder to lose with later."))


def _strength(card: OwnCard, sight: Sight) -> float:
    """Return the chance that a card of the own hand takes a trick at some time."""
    holds = sum(odds * _holds(value, card.suit, sight, sight.hands) for value, odds in card.odds)
    base, slope = SCALES[sight.players][card.suit == luz.TRUMP]
    return min(1.0, max(0.0, base + slope * holds))


def _chance_now(card: OwnCard, sight: Sight) -> float:
    """Return the chance that a card takes the trick on the table, or the one that it would lead."""
    led = sight.trick[0] // luz.RANKS if sight.trick else card.suit
    return sum(
        odds * _holds(value, led, sight, sight.yet_to_play)
        for value, odds in card.odds
        if sight.best is None or beats(value, sight.best, luz.RANKS, luz.TRUMP)
    )


def _holds(card: int, led: int, sight: Sight, replies: Iterable[int]) -> float:
    """Return the chance that none of those seats beats the card, each playing any card that it may (L-16)."""
    chance = 1.0
    for seat in replies:
        hand = sight.hands[seat]
        choices = [reply for reply in hand if reply // luz.RANKS == led] or hand
        beaten = sum(beats(reply, card, luz.RANKS, luz.TRUMP) for reply in choices)
        chance *= 1 - beaten / len(choices)
    return chance


def _number_of_tricks(strengths: Sequence[float]) -> list[float]:
    """Return the chances of taking 0, 1, 2... tricks with cards of these strengths, each on its own."""
    chances = [1.0]
    for strength in strengths:
        more = [0.0, *(chance * strength for chance in chances)]
        fewer = [*(chance * (1 - strength) for chance in chances), 0.0]
        chances = [a + b for a, b in zip(more, fewer, strict=True)]
    return chances


def _points(sight: Sight, wanted: int, tricks: Sequence[float]) -> float:
    """Return the expected points of this deal when `wanted` more tricks make the bet (negative: too many already)."""
    deal, safety = sight.deal, sight.safety
    return sum(chance * luz.bet_points(deal, wanted, safety, taken) for taken, chance in enumerate(tricks))
