"""What has just happened at a Luz table, and who is asked for what, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.web.present.cards import Scene, luz_card

if TYPE_CHECKING:
    from overtrick.web.present.luz import LuzTable


def luz_turn(at: LuzTable) -> Scene:
    """Return who is to act and what is asked, and whether that is the viewer."""
    turn, phase = at.seen["to_act"], at.seen["phase"]
    return {"mine": at.mine, "text": _my_turn(at) if at.mine else _their_turn(at, turn, phase)}


def _my_turn(at: LuzTable) -> str:
    _ = at.tongue.gettext
    if at.seen["phase"] == "bet":
        return _("Your turn: bet on your tricks")
    return _("Your turn: play a card") if at.seen["trick"] else _("Your turn: lead any card")


def _their_turn(at: LuzTable, turn: int | None, phase: str) -> str:
    _ = at.tongue.gettext
    if at.table.cut_short:
        return _("The game was ended by agreement, without a winner")
    if phase == "over":
        return _winner(at)
    if turn is None:
        return _("The cards are being dealt")
    if at.held_up:
        return at.held_up
    if phase == "bet":
        return _("%(name)s is to bet", name=at.people.name(turn))
    if not at.seen["trick"]:
        return _("%(name)s is to lead", name=at.people.name(turn))
    return _("%(name)s is to play", name=at.people.name(turn))


def _winner(at: LuzTable) -> str:
    if not at.winners:
        return at.tongue.gettext("Nobody wins the game: everybody ran out of time")
    (winner,) = at.winners
    if winner == at.people.me:
        return at.tongue.gettext("You win the game")
    return at.tongue.gettext("%(name)s wins the game", name=at.people.name(winner))


def luz_news(at: LuzTable) -> str:
    """Return the last thing that happened: a bet, a card or a trick taken; or nothing."""
    seen = at.seen
    if seen["phase"] == "over":
        return f"{_trick_taken(at)} {at.tongue.gettext('The fourth deal is scored.')}"
    if seen["phase"] in ("deal", "bet"):
        return _last_bet(at) or _deal_over(at)
    if seen["trick"]:
        return _card_played(at)
    return _trick_taken(at) if seen["last_trick"] and not at.begins else _last_bet(at)


def _last_bet(at: LuzTable) -> str:
    """Return the newest bet; betting runs from the seat that leads the first trick (L-11, L-14, L-23)."""
    count = len(at.table.seats)
    order = [(at.seen["leader"] + step) % count for step in range(count)]
    made = [seat for seat in order if at.seen["bets"][seat] is not None]
    if not made:
        return ""
    bet = at.seen["bets"][made[-1]]
    return _bet_sentence(at, made[-1], int(bet.rstrip("+")), safety=bet.endswith("+"))


def _bet_sentence(at: LuzTable, seat: int, n: int, *, safety: bool) -> str:
    ngettext, name, mine = at.tongue.ngettext, at.mover(seat), at.was_mine(seat)
    if mine and safety:
        return ngettext("You bet %(n)s trick, with safety.", "You bet %(n)s tricks, with safety.", n, n=n)
    if mine:
        return ngettext("You bet %(n)s trick.", "You bet %(n)s tricks.", n, n=n)
    if safety:
        return ngettext(
            "%(name)s bets %(n)s trick, with safety.",
            "%(name)s bets %(n)s tricks, with safety.",
            n,
            name=name,
            n=n,
        )
    return ngettext("%(name)s bets %(n)s trick.", "%(name)s bets %(n)s tricks.", n, name=name, n=n)


def _card_played(at: LuzTable) -> str:
    seen = at.seen
    seat = (seen["leader"] + len(seen["trick"]) - 1) % len(at.table.seats)
    card = luz_card(at.tongue, seen["trick"][-1])["name"]
    if at.was_mine(seat):
        return at.tongue.gettext("You played %(card)s.", card=card)
    return at.tongue.gettext("%(name)s played %(card)s.", name=at.mover(seat), card=card)


def _trick_taken(at: LuzTable) -> str:
    last = at.seen["last_trick"]
    card = luz_card(at.tongue, last["cards"][-1])["name"]
    if last["winner"] == at.people.me:
        return at.tongue.gettext("You take the trick; the last card was %(card)s.", card=card)
    name = at.people.name(last["winner"])
    return at.tongue.gettext("%(name)s takes the trick; the last card was %(card)s.", card=card, name=name)


def _deal_over(at: LuzTable) -> str:
    """Return who took the last trick of the deal that ended, and what the deal brought the viewer (L-25)."""
    rows = at.seen["by_deal"]
    if not rows:
        return ""
    if at.people.me is None:
        return _trick_taken(at)
    points = signed(rows[-1][at.people.me])
    brought = at.tongue.gettext("Deal %(deal)s brings you %(points)s.", deal=len(rows), points=points)
    return f"{_trick_taken(at)} {brought}"


def scored(at: LuzTable) -> str:
    """Return the points that the deal before brought each, until the first bet, for those who only hear (L-25)."""
    rows = at.seen["by_deal"]
    if not rows or at.seen["phase"] not in ("bet", "deal") or any(at.seen["bets"]):
        return ""
    parts = [
        at.tongue.gettext("%(name)s %(points)s", name=at.people.name(seat), points=signed(points))
        for seat, points in enumerate(rows[-1])
    ]
    return at.tongue.gettext("Deal %(deal)s is scored: %(points)s.", deal=len(rows), points=", ".join(parts))


def signed(points: int) -> str:
    """Return points with their sign, a true minus before a loss (L-25)."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")
