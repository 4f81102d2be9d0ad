"""The table of The Fox in the Forest Duet as a viewer sees it: path, trick, own hand, and each decision's control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.web.i18n import Language
from overtrick.web.present.cards import DUET_SUITS_MANY, Scene, duet_card, footprints
from overtrick.web.present.duet_news import (
    duet_heard,
    duet_news,
    duet_then,
    duet_turn,
    moved_words,
    round_begins,
)
from overtrick.web.present.duet_parts import decision, proposing, reference, result_sheet
from overtrick.web.present.path import path_scene
from overtrick.web.present.seen import SeenTable

if TYPE_CHECKING:
    from overtrick.games import Board, View
    from overtrick.tables import TableView

ROUNDS = 3  # D-6


class DuetTable(SeenTable):
    """A table of Duet."""

    counted = "round"

    @property
    def level(self) -> int:
        """The level played, 1..3 (D-25)."""
        return int(self.seen["options"]["level"])


def board_of(options: dict[str, object], view: View | None) -> Board:
    """Return the board that is played on; of a table that waits the one its options name, or its level's."""
    from overtrick.games.boards import BOARDS, default_board
    from overtrick.games.duet import Duet

    if view is not None and isinstance(view.game, Duet):
        return view.game.board
    return BOARDS.get(str(options.get("board"))) or default_board(int(str(options.get("level", 1))))


def duet_scene(table: TableView, view: View, tongue: Language) -> Scene:
    """Return the scene of a game of Duet that is being played or is over."""
    at = DuetTable(table, view, tongue)
    me = at.people.me
    over = at.seen["result"] is not None
    partners = [_partner(at, seat) for seat in reversed(at.people.clockwise()) if seat != me or over]
    return {
        "heading": tongue.gettext("Round %(round)s of 3", round=at.seen["round"]),
        "step": tongue.gettext("Trick %(trick)s of 11", trick=min(sum(at.seen["tricks"]) + 1, 11)),
        "reconstructed": board_of(at.seen["options"], view).reconstructed,
        "turn": duet_turn(at),
        "heard": duet_heard(at),
        "then": duet_then(at),
        "between": round_begins(at),
        "news": at.lately(duet_news(at)),
        "path": path_scene(at),
        "decree": _decree(at),
        "tokens": at.seen["tokens"],
        "supply": at.seen["supply"],
        "partners": partners,
        "tells": any(who["cards"] or who["void"] or who["gift"] for who in partners),
        "tricks": [
            {**at.people.tag(seat), "count": at.seen["tricks"][seat]} for seat in at.people.clockwise()
        ],
        "hand": _hand(at) if me is not None and not over else None,
        "decision": decision(at),
        "proposing": proposing(at),
        "trick": _trick(at),
        "last": _last_trick(at),
        "reference": reference(tongue),
        "footprints": list(footprints()),
        "played": [_marked(at, code) for code in at.seen["played"]] if table.show_played else None,
        "over": over,
        "result": result_sheet(at) if over else None,
    }


def _decree(at: DuetTable) -> Scene | None:
    code = at.seen["decree"]
    if code is None:
        return None
    trump = at.tongue.gettext(DUET_SUITS_MANY[code[0]])
    return {"card": duet_card(at.tongue, code), "trump": trump}


def _marked(at: DuetTable, code: str) -> Scene:
    """Return a card with the mark of trump on it when its suit is the decree's (D-6)."""
    decree = at.seen["decree"]
    return {**duet_card(at.tongue, code), "trump": decree is not None and code[0] == decree[0]}


def _partner(at: DuetTable, seat: int) -> Scene:
    """Return what a viewer may know of a seat that is not its own: how many cards, and what it can tell of them."""
    hand = at.seen["hands"][seat]
    known = at.seen["known"][seat]
    size = at.seen["hand_sizes"][seat]
    return {
        **at.people.tag(seat),
        "to_act": at.seen["to_act"] == seat,
        "size": size,
        "backs": range(size - len(known)) if hand is None else range(0),
        "cards": [_marked(at, code) for code in (hand if hand is not None else known)],
        "shown": hand is not None,
        "void": _missing(at, seat),
        "gift": at.seen["gifts"][seat] is not None,
    }


def _missing(at: DuetTable, seat: int) -> str:
    """Return the suits of which a seat holds no card, or none but those that the viewer knows; empty if any may be."""
    _ = at.tongue.gettext
    parts: list[str] = []
    for suit in at.seen["void"][seat] if at.seen["hand_sizes"][seat] else ():
        name = _(DUET_SUITS_MANY[suit])
        known = any(code[0] == suit for code in at.seen["known"][seat])
        parts.append(_("no other %(suit)s", suit=name) if known else _("no %(suit)s", suit=name))
    return ", ".join(parts)


def _hand(at: DuetTable) -> Scene:
    """Return the own hand as controls: what each card sends in this phase, and why some may not be chosen."""
    me, phase = at.people.me, at.seen["phase"]
    assert me is not None
    mine = at.mine
    to_move = mine and phase in ("play", "gift", "decree")
    verb = phase if to_move else "play"
    reasons: list[str] = []
    slots = []
    for code in at.seen["hands"][me]:
        move = f"{verb}:{code}"
        is_open = move in at.legal
        why = _reason(at, move, reasons) if mine and not is_open else None
        given = at.seen["gifts"][me] == code
        slots.append({"card": _marked(at, code), "move": move, "open": is_open, "why": why, "given": given})
    return {
        "slots": slots,
        "to_move": to_move,
        "waits": mine and not to_move,
        "reasons": reasons,
        "left": len(slots),
    }


def _reason(at: DuetTable, move: str, reasons: list[str]) -> int | None:
    refusal = at.view.why_not(move)
    if refusal is None:
        return None
    sentence = at.tongue.say(refusal)
    if at.seen["phase"] in ("foxes", "move", "forest"):
        sentence = f"{at.tongue.gettext('The choice above comes first.')} ({refusal.clause})"
    if sentence not in reasons:
        reasons.append(sentence)
    return reasons.index(sentence) + 1


def _trick(at: DuetTable) -> list[Scene]:
    leader, laid = at.seen["leader"], at.seen["trick"]
    if at.seen["phase"] in ("over", "deal", "forest"):
        return []
    line = []
    for step in range(2):
        seat = (leader + step) % 2
        code = laid[step] if step < len(laid) else None
        line.append(_laid(at, seat, code, led=step == 0))
    return line


def _laid(at: DuetTable, seat: int, code: str | None, *, led: bool) -> Scene:
    waits = code is None and at.seen["to_act"] == seat and at.seen["phase"] == "play"
    card = _marked(at, code) if code else None
    return {**at.people.tag(seat), "card": card, "led": led, "to_act": waits}


def _last_trick(at: DuetTable) -> Scene | None:
    """Return the trick taken last; until this round's first one is complete, the last of the round before."""
    last = at.seen["last_trick"]
    if last is None:
        return None
    _ = at.tongue.gettext
    cards = [
        _laid(at, (last["leader"] + step) % 2, code, led=step == 0) for step, code in enumerate(last["cards"])
    ]
    for card in cards:
        card["won"] = card["seat"] == last["winner"]
    title = _("Last trick of round %(round)s", round=last["round"]) if at.begins else _("Last trick")
    # The cards of a round that is over are dealt again, so they are not followed.
    return {"cards": cards, "title": title, "fly": not at.begins, "moved": moved_words(at)}
