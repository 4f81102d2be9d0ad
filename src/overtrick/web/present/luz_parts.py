"""Parts of the Luz table: bets with their beads, the control for betting, the list of played cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.web.present.cards import LUZ_SUITS, Scene

if TYPE_CHECKING:
    from overtrick.web.present.luz import LuzTable

EXACT, SAFE = 10, 5  # L-21: points in the first deal, times the deal's number
MOST = 10  # L-11
TRICKS = 10  # L-5


def bet_of(at: LuzTable, seat: int) -> Scene | None:
    """Return a seat's bet beside the tricks it has taken, or None before it has bet."""
    bet = at.seen["bets"][seat]
    if bet is None:
        return None
    safety = bet.endswith("+")
    beads, taken = int(bet.rstrip("+")), at.seen["tricks"][seat]
    return {
        "beads": beads,
        "safety": safety,
        "taken": taken,
        "row": _beads(beads, taken, safety=safety),
        "state": _state(beads, taken, safety=safety, done=sum(at.seen["tricks"]) == TRICKS),
        "words": _bet_words(at, beads, safety=safety),
    }


def _beads(beads: int, taken: int, *, safety: bool) -> list[Scene]:
    """Return the beads to draw in order: those of the bet, the safety bead, and tricks beyond both."""
    kinds = ["bet"] * beads + ["safe"] * safety
    kinds += ["over"] * (taken - len(kinds))
    return [{"kind": kind, "full": number < taken} for number, kind in enumerate(kinds)]


def _state(beads: int, taken: int, *, safety: bool, done: bool) -> str:
    """Return `lost` once a bet cannot be won any more (L-22), `met` when it stands won as it is, else `under`."""
    if taken > beads + safety or (done and taken < beads):
        return "lost"
    return "met" if taken >= beads else "under"


def _bet_words(at: LuzTable, beads: int, *, safety: bool) -> str:
    if safety:
        return at.tongue.gettext("bet %(n)s with safety", n=beads)
    return at.tongue.gettext("bet %(n)s", n=beads)


def bet_control(at: LuzTable) -> Scene | None:
    """Return the choice of bets when it is the viewer's turn to bet, only legal ones (L-3, L-11)."""
    if at.seen["phase"] != "bet" or not at.legal:
        return None
    deal = at.seen["deal"]
    return {
        "exact": [_bet_button(at, beads, safety=False) for beads in range(MOST + 1)],
        "safe": [_bet_button(at, beads, safety=True) for beads in range(MOST + 1)],
        "exact_points": EXACT * deal,
        "safe_points": SAFE * deal,
        "beads_left": at.seen["beads_left"],
    }


def _bet_button(at: LuzTable, beads: int, *, safety: bool) -> Scene:
    move = f"bet:{beads}{'+' if safety else ''}"
    upper = min(beads + safety, MOST)
    if safety:
        label = at.tongue.gettext(
            "Bet %(n)s with safety: %(low)s or %(high)s tricks", n=beads, low=beads, high=upper
        )
    else:
        label = at.tongue.ngettext(
            "Bet %(n)s: exactly %(n)s trick", "Bet %(n)s: exactly %(n)s tricks", beads, n=beads
        )
    return {
        "move": move,
        "open": move in at.legal,
        "text": f"{beads}–{upper}" if upper > beads else str(beads),
        "label": label,
    }


def played_list(at: LuzTable) -> list[Scene]:
    """Return every card played in this deal, by colour and value (L-10: only where the table lists them)."""
    codes = [slot["card"] for hand in at.seen["played"] for slot in hand]
    rows = []
    for suit, name in LUZ_SUITS.items():
        values = sorted(int(code[1:]) for code in codes if code[0] == suit)
        rows.append({"suit": suit, "name": at.tongue.gettext(name), "values": values})
    return rows
