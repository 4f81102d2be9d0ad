"""What a form says, as a command of the tables.

Fields that are missing or are not numbers are refused here; what they may mean is for the tables to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from overtrick.errors import N_
from overtrick.web.problems import Problem

if TYPE_CHECKING:
    from litestar import Request

    from overtrick.tables import commands

MISSING = N_("The form lacks its field %(field)s.")
NOT_A_NUMBER = N_("The field %(field)s must be a whole number.")

_LONGEST_NUMBER = 6
_MOST_SEATS = 5


class Form(Mapping[str, str]):
    """The text fields of a form, each once (the first counts)."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = dict(fields)

    @classmethod
    async def of(cls, request: Request[Any, Any, Any]) -> Form:
        """Read the form that came with a request; files are left out."""
        sent = await request.form()
        return cls(
            {name: value for name, value in reversed(list(sent.multi_items())) if isinstance(value, str)}
        )

    def __getitem__(self, name: str) -> str:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def text(self, name: str) -> str:
        """Return a field that must be there."""
        if name not in self._fields:
            raise _invalid(MISSING, name)
        return self._fields[name]

    def number(self, name: str) -> int:
        """Return a field that must be a whole number, not negative."""
        text = self.text(name)
        if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
            raise _invalid(NOT_A_NUMBER, name)
        return int(text)

    def ticked(self, name: str) -> bool:
        """Return whether a box is ticked."""
        return self._fields.get(name) == "1"


def make(form: Form) -> commands.Make:
    """Return the command of either of the lobby's two forms."""
    from overtrick.tables.commands import Make

    game = form.text("game")
    dealer = form.get("dealer", "random")
    seats = form.number("players") if game == "luz" else 2
    return Make(
        token=form.text("token"),
        game=game,
        options=_options(game, form),
        seats=tuple(form.text(f"seat-{seat}") for seat in range(min(seats, _MOST_SEATS))),
        name=form.get("name", ""),
        public=form.ticked("public"),
        show_played=form.ticked("show_played"),
        dealer="random" if dealer == "random" else form.number("dealer"),
        pace=form.get("pace", "normal"),
        timing=_timing(form),
        explain=form.ticked("explain"),
        watching=form.get("watching", "link"),
        talk=form.get("talk", "open"),
    )


def _options(game: str, form: Form) -> dict[str, object]:
    if game == "luz":
        supply = form.number("bead_supply") if form.get("bead_supply") else None
        return {"players": form.number("players"), "bead_supply": supply}
    if game == "duet":
        return {"level": form.number("level")}
    return {}


def _timing(form: Form) -> dict[str, object]:
    """The clock is one field: kind, seconds and increment, with dashes between them."""
    kind, *numbers = form.get("clock", "none").split("-")
    away = form.number("away") if "away" in form else 0
    if len(numbers) > 2 or not all(text.isascii() and text.isdigit() for text in numbers):
        raise _invalid(NOT_A_NUMBER, "clock")
    amounts = dict(
        zip(("seconds", "increment"), (int(text[:_LONGEST_NUMBER]) for text in numbers), strict=False)
    )
    return {"kind": kind, **amounts, "flag": form.get("flag", "bot"), "away": away}


def sit(form: Form) -> commands.Sit:
    """Return the command to take a seat."""
    from overtrick.tables.commands import Sit

    return Sit(form.number("seat"), form.get("name", ""))


def leave(form: Form) -> commands.Leave:
    """Return the command to give the seat up."""
    from overtrick.tables.commands import Leave

    return Leave()


def start(form: Form) -> commands.Start:
    """Return the command to begin the game."""
    from overtrick.tables.commands import Start

    return Start()


def again(form: Form) -> commands.Again:
    """Return the command to play once more."""
    from overtrick.tables.commands import Again

    return Again()


def step_out(form: Form) -> commands.StepOut:
    """Return the command to let a bot play."""
    from overtrick.tables.commands import StepOut

    return StepOut()


def come_back(form: Form) -> commands.ComeBack:
    """Return the command to play oneself again."""
    from overtrick.tables.commands import ComeBack

    return ComeBack()


def pause(form: Form) -> commands.Pause:
    """Return the command to ask that the clocks stand."""
    from overtrick.tables.commands import Pause

    return Pause()


def resume(form: Form) -> commands.Resume:
    """Return the command to let the clocks run."""
    from overtrick.tables.commands import Resume

    return Resume()


def seat_bot(form: Form) -> commands.SeatBot:
    """Return the command to put a bot in a seat; "" takes one away."""
    from overtrick.tables.commands import SeatBot

    return SeatBot(form.number("seat"), form.get("bot", ""))


def move(form: Form) -> commands.Move:
    """Return the command to make a move."""
    from overtrick.tables.commands import Move

    return Move(form.number("ply"), form.text("move"))


def remove(form: Form) -> commands.Remove:
    """Return the command to free another person's seat."""
    from overtrick.tables.commands import Remove

    return Remove(form.number("seat"), form.text("name"))


def hand_over(form: Form) -> commands.HandOver:
    """Return the command to make another person the host; `to` holds the seat and, after a blank, the name."""
    from overtrick.tables.commands import HandOver

    seat, _, name = form.text("to").partition(" ")
    return HandOver(Form({"to": seat}).number("to"), name)


def propose_end(form: Form) -> commands.ProposeEnd:
    """Return the command to propose an early end."""
    from overtrick.tables.commands import ProposeEnd

    return ProposeEnd(form.number("after"))


def agree_end(form: Form) -> commands.AgreeEnd:
    """Return the command to agree to a proposal."""
    from overtrick.tables.commands import AgreeEnd

    return AgreeEnd(form.number("number"))


def decline_end(form: Form) -> commands.DeclineEnd:
    """Return the command to play on."""
    from overtrick.tables.commands import DeclineEnd

    return DeclineEnd(form.number("number"))


def say(form: Form) -> commands.Say:
    """Return the command to write a message."""
    from overtrick.tables.commands import Say

    return Say(form.text("token"), form.text("text"))


def propose(form: Form) -> commands.Propose:
    """Return the command to propose an end for the forest token."""
    from overtrick.tables.commands import Propose

    return Propose(form.number("ply"), form.text("end"))


def _invalid(msgid: str, field: str) -> Problem:
    return Problem(msgid, status=422, kind="invalid", field=field)
