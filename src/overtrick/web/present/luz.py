"""The table of Luz as a viewer sees it: the colours of the own hand, the faces of everybody else's (L-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.web.i18n import Language
from overtrick.web.present.cards import LUZ_SUITS, Scene, luz_back, luz_card
from overtrick.web.present.luz_news import luz_news, luz_turn, scored
from overtrick.web.present.luz_parts import bet_control, bet_of, played_list
from overtrick.web.present.scores import score_sheet
from overtrick.web.present.seen import SeenTable

if TYPE_CHECKING:
    from overtrick.games import View
    from overtrick.tables import TableView

HAND = 10  # L-6


class LuzTable(SeenTable):
    """A table of Luz."""

    counted = "deal"

    @property
    def over(self) -> bool:
        """Whether nothing more is played: the fourth deal is scored, or the persons agreed to end the game."""
        return self.seen["result"] is not None or self.table.cut_short

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; () while the game goes on, or if nobody has."""
        return self.table.result.winners if self.table.result is not None else ()


def luz_scene(table: TableView, view: View, tongue: Language) -> Scene:
    """Return the scene of a game of Luz that is being played or is over."""
    at = LuzTable(table, view, tongue)
    strips = {seat: _strip(at, seat) for seat in at.people.clockwise()}
    mine = strips.pop(at.people.me, None) if at.people.me is not None else None
    return {
        "heading": tongue.gettext("Deal %(deal)s of 4", deal=at.seen["deal"]),
        "step": _step(at),
        "turn": luz_turn(at),
        "heard": "",
        "then": scored(at),
        "news": at.lately(luz_news(at)),
        "mine": mine,
        "others": list(strips.values()),
        "hand": _hand(at) if mine else None,
        "trick": _trick(at),
        "last": _last_trick(at),
        "bet": bet_control(at),
        "scores": score_sheet(at),
        "played": played_list(at) if table.show_played else None,
        "over": at.over,
        "won": bool(at.winners),
    }


def _step(at: LuzTable) -> str:
    done = sum(at.seen["tricks"])
    if at.seen["phase"] == "bet":
        return at.tongue.gettext("Bets")
    return at.tongue.gettext("Trick %(trick)s of 10", trick=min(done + 1, HAND))


def _strip(at: LuzTable, seat: int) -> Scene:
    """Return one player's line: name, bet against tricks taken, and the cards by place."""
    seen = at.seen
    return {
        **at.people.tag(seat),
        "to_act": at.mine if seat == at.people.me else seen["to_act"] == seat,
        "first": seen["first"] == seat,
        "bet": bet_of(at, seat),
        "score": seen["scores"][seat],
        "slots": _slots(at, seat),
    }


def _slots(at: LuzTable, seat: int) -> list[Scene]:
    """Return the places of a hand in order: cards still held, and gaps where a card was played.

    A gap keeps its colour, which everybody saw; its value shows only if the table lists played cards (L-10).
    """
    held = {slot["place"]: slot for slot in at.seen["hands"][seat]} if at.seen["hands"] else {}
    gone = {slot["place"]: slot["card"] for slot in at.seen["played"][seat]} if at.seen["played"] else {}
    slots = []
    for place in sorted({*held, *gone}):
        known = held[place].get("card") if place in held else gone[place]
        suit = known[0] if known else held[place]["suit"]
        shown = known if known and (place in held or at.table.show_played) else None
        card = luz_card(at.tongue, shown) if shown else luz_back(at.tongue, suit)
        slots.append({"place": place, "held": place in held, "card": card, "fly": _fly(seat, place)})
    for before, slot in zip([None, *slots], slots, strict=False):
        slot["new_suit"] = before is not None and before["card"]["suit"] != slot["card"]["suit"]
    return slots


def _fly(seat: int, place: int) -> str:
    """Return the name by which the page follows one card: whose it was and from which place, never its value."""
    return f"s{seat}-{place}"


def _hand(at: LuzTable) -> Scene:
    """Return the own hand as controls: what each place sends, and for blocked ones which reason applies."""
    me = at.people.me
    assert me is not None
    reasons: list[str] = []
    slots = _slots(at, me)
    to_move = at.mine and at.seen["phase"] == "play"
    for slot in slots:
        move = f"play:#{slot['place']}"
        slot["move"] = move
        slot["open"] = move in at.legal
        slot["why"] = _reason(at, move, reasons) if slot["held"] and to_move and not slot["open"] else None
        slot["label"] = _own_label(at, slot)
    return {
        "slots": slots,
        "playing": at.seen["phase"] == "play" and not at.over,
        "to_move": to_move,
        "reasons": reasons,
        "left": sum(slot["held"] for slot in slots),
    }


def _reason(at: LuzTable, move: str, reasons: list[str]) -> int | None:
    """Return the number, from 1, of the sentence that says why a move is not allowed, adding it if it is new."""
    refusal = at.view.why_not(move)
    if refusal is None:
        return None
    sentence = at.tongue.say(refusal)
    if sentence not in reasons:
        reasons.append(sentence)
    return reasons.index(sentence) + 1


def _own_label(at: LuzTable, slot: Scene) -> str:
    """Return what a place of the own hand is called: its colour, and once the game is over its card."""
    if slot["card"]["value"] is not None:
        card = slot["card"]["name"]
        return at.tongue.gettext("%(card)s, place %(place)s", card=card, place=slot["place"])
    colour = at.tongue.gettext(LUZ_SUITS[slot["card"]["suit"]])
    return at.tongue.gettext("%(colour)s, place %(place)s", colour=colour, place=slot["place"])


def _trick(at: LuzTable) -> list[Scene]:
    """Return the trick on the table in playing order: cards laid, then the seats still to play."""
    if at.seen["phase"] != "play":
        return []
    leader, laid = at.seen["leader"], at.seen["trick"]
    count = len(at.table.seats)
    line = []
    for step in range(count):
        seat = (leader + step) % count
        code = laid[step] if step < len(laid) else None
        line.append(_laid(at, seat, code, led=step == 0))
    return line


def _last_trick(at: LuzTable) -> Scene | None:
    """Return the trick taken last; until this deal's first one is complete, the last of the deal before."""
    last = at.seen["last_trick"]
    if last is None:
        return None
    _ = at.tongue.gettext
    count = len(at.table.seats)
    cards = [
        _laid(at, (last["leader"] + step) % count, code, led=step == 0)
        for step, code in enumerate(last["cards"])
    ]
    for card in cards:
        card["won"] = card["seat"] == last["winner"]
        # Cards of a deal that is over lie at no place of the hands now held.
        card["fly"] = "" if at.begins else card["fly"]
    title = _("Last trick of deal %(deal)s", deal=last["deal"]) if at.begins else _("Last trick")
    return {"cards": cards, "title": title}


def _laid(at: LuzTable, seat: int, code: str | None, *, led: bool) -> Scene:
    return {
        **at.people.tag(seat),
        "card": luz_card(at.tongue, code) if code else None,
        "fly": _fly(seat, _place_of(at, seat, code)) if code else "",
        "led": led,
        "to_act": code is None and at.seen["to_act"] == seat,
    }


def _place_of(at: LuzTable, seat: int, code: str) -> int:
    """Return the place in the hand from which a card now face up was played."""
    return next((slot["place"] for slot in at.seen["played"][seat] if slot["card"] == code), 0)
