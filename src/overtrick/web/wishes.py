"""The JSON that the API is sent, as types; unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from overtrick.web.shapes import Dealer, End, Explain, Options, Ply, Proposals, Talk, Watching
from overtrick.web.shapes_view import Move, Seat


class NewTable(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to make. `token`: anything; the same one again gives the same table instead of a second one."""

    game: Annotated[str, Meta(max_length=20, examples=["luz", "duet"])]
    options: Options = field(default_factory=dict)
    seats: Annotated[
        list[Annotated[str, Meta(max_length=40)]],
        Meta(max_length=5, description='For each seat "me" (one at most), "friend" or "bot:NAME".'),
    ]
    name: Annotated[str, Meta(description='Your name, if a seat is for "me".')] = ""
    public: Annotated[bool, Meta(description="Whether the front page lists it.")] = False
    show_played: Annotated[bool, Meta(description="Whether the page lists the cards played.")] = False
    dealer: Dealer = "random"
    pace: Annotated[
        str,
        Meta(max_length=20, description='Of the bots: "unhurried", "normal" or "fast".', examples=["fast"]),
    ] = "normal"
    explain: Explain = False
    timing: Annotated[
        dict[str, Any],
        Meta(
            description="Clocks and leavers, as the table shows them; what is left out has its default.",
            examples=[{"kind": "bank", "seconds": 900, "increment": 10, "flag": "bot", "away": 600}],
        ),
    ] = field(default_factory=dict)
    watching: Watching = "link"
    talk: Talk = "open"
    token: Annotated[str, Meta(max_length=100)] = ""


class SitDown(Struct, kw_only=True, forbid_unknown_fields=True):
    """Which seat to take, under which name."""

    seat: Seat
    name: str


class PutBot(Struct, kw_only=True, forbid_unknown_fields=True):
    """Which bot to put in a seat; `""` takes it away."""

    seat: Seat
    bot: Annotated[str, Meta(max_length=40, examples=["medium"])]


class MakeMove(Struct, kw_only=True, forbid_unknown_fields=True):
    """The move, and the ply of the look on which it was decided: one decided on an older look is refused."""

    ply: Ply
    move: Move


class JoinSeat(Struct, kw_only=True, forbid_unknown_fields=True):
    """The secret of a seat's private link, the last part of its address."""

    secret: Annotated[str, Meta(max_length=100)]


class NamedSeat(Struct, kw_only=True, forbid_unknown_fields=True):
    """A seat and the name of the person whom you saw there; refused if somebody else has sat down since."""

    seat: Seat
    name: str


class ProposeEnd(Struct, kw_only=True, forbid_unknown_fields=True):
    """The proposals made before, `ending.proposals` of the look on which it was decided."""

    after: Proposals


class AnswerEnd(Struct, kw_only=True, forbid_unknown_fields=True):
    """The number of the open proposal, `ending.proposals` of a look that shows it."""

    number: Proposals


class Write(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to write. `token`: anything; the same text with the same one again is not written a second time."""

    text: Annotated[str, Meta(description="At most 300 characters; what is invisible is taken out.")]
    token: Annotated[str, Meta(max_length=100)] = ""


class ProposeForest(Struct, kw_only=True, forbid_unknown_fields=True):
    """The end to propose, and the ply of the look on which it was decided."""

    ply: Ply
    end: End


class NameAndPassword(Struct, kw_only=True, forbid_unknown_fields=True):
    """An account's name, of at most 24 characters, and its password, of 8 to 200."""

    name: str
    password: str


class LogIn(NameAndPassword, kw_only=True, forbid_unknown_fields=True):
    """An account's name and password; `with_seats`: the account comes to hold the guest's seats in games that go on."""

    with_seats: bool = False


class NewPassword(Struct, kw_only=True, forbid_unknown_fields=True):
    """The present password of your account, and the new one."""

    password: str
    new: str


class DeleteMe(Struct, kw_only=True, forbid_unknown_fields=True):
    """`sure`: true, or nothing is deleted. `password`: of your account, if you have one."""

    sure: bool
    password: str = ""
