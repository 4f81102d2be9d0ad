"""What follows from a command: one short function for each thing that can be asked.

Pure but for the chance handed in: a table, a person and a command in, the new events out. No events mean
that all is already as asked (a repeat). Raises Refused, and then nothing has happened.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from overtrick.bots import Choice
from overtrick.errors import IllegalMove
from overtrick.games import Game
from overtrick.games.duet import Duet
from overtrick.seals import seal
from overtrick.tables import ending, hosting, presence, refusals
from overtrick.tables.acts import must_have_acts_left
from overtrick.tables.checks import must_be_at, must_be_host, must_wait, own_seat, seat_at
from overtrick.tables.commands import (
    Again,
    AgreeEnd,
    ComeBack,
    Command,
    DeclineEnd,
    HandOver,
    Leave,
    Move,
    Pause,
    Propose,
    ProposeEnd,
    Relink,
    Remove,
    Resume,
    Say,
    SeatBot,
    Sit,
    Start,
    StepOut,
)
from overtrick.tables.entropy import Entropy
from overtrick.tables.events import (
    BotSat,
    Continued,
    Dealt,
    Events,
    Freed,
    Hosted,
    Moved,
    Sat,
    Started,
)
from overtrick.tables.links import relink
from overtrick.tables.making import load_game, must_be_bot
from overtrick.tables.names import clean_name, same_name
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import (
    EMPTY,
    BotSeat,
    Empty,
    Person,
    PersonSeat,
    bot_of,
    first_of,
    replaced,
)
from overtrick.tables.table import Table
from overtrick.tables.talking import propose, say


def decide(table: Table, person: Person, command: Command, entropy: Entropy, *, now: int) -> Events:
    """The events that a command causes; none if it is a repeat. `now`: Unix time in milliseconds. Raises Refused."""
    events = _follows(table, person, command, entropy, now=now)
    must_have_acts_left(table, events, now)
    return events


def _follows(table: Table, person: Person, command: Command, entropy: Entropy, *, now: int) -> Events:
    match command:
        case Sit():
            return sit(table, person, command)
        case Leave():
            return leave(table, person)
        case SeatBot():
            return seat_bot(table, person, command)
        case Start():
            return start(table, person, entropy.rng())
        case Move():
            return move(table, person, command, entropy.rng())
        case Remove():
            return hosting.remove(table, person, command)
        case HandOver():
            return hosting.hand_over(table, person, command)
        case ProposeEnd():
            return ending.propose_end(table, own_seat(table, person), command)
        case AgreeEnd():
            return ending.agree_end(table, own_seat(table, person), command)
        case DeclineEnd():
            return ending.decline_end(table, own_seat(table, person), command)
        case StepOut():
            return presence.step_out(table, own_seat(table, person))
        case ComeBack():
            return presence.come_back(table, own_seat(table, person))
        case Pause():
            return presence.pause(table, own_seat(table, person))
        case Resume():
            return presence.resume(table, own_seat(table, person))
        case Say():
            return say(table, own_seat(table, person), command, now=now)
        case Propose():
            return propose(table, own_seat(table, person), command)
        case Again():
            return again(table, person, entropy)
        case Relink():
            return relink(table, person)


def sit(table: Table, person: Person, command: Sit) -> Events:
    """Take an empty seat; at a table that its host has left, the host's role comes with it."""
    must_wait(table)
    seat = seat_at(table, command.seat)
    name = clean_name(command.name)
    if isinstance(seat, PersonSeat) and person.id in seat.people and seat.name == name:
        return ()
    if table.seat_of(person.id) is not None:
        raise refusals.ALREADY_SEATED()
    if not isinstance(seat, Empty):
        raise refusals.SEAT_TAKEN()
    if any(isinstance(other, PersonSeat) and same_name(other.name, name) for other in table.seats):
        raise refusals.NAME_TAKEN()
    sat = Sat(command.seat, person.id, name)
    return (sat,) if table.host else (sat, Hosted(person.id))


def leave(table: Table, person: Person) -> Events:
    """Give one's seat up; a host who leaves is followed by the next person, or by whoever sits down next."""
    number = own_seat(table, person)
    must_wait(table)
    if table.is_host(person.id):
        return (Freed(number), Hosted(first_of(replaced(table.seats, number, EMPTY))))
    return (Freed(number),)


def seat_bot(table: Table, person: Person, command: SeatBot) -> Events:
    """Put a bot where no person sits, or take one away (`bot` "")."""
    must_be_host(table, person)
    must_wait(table)
    seat = seat_at(table, command.seat)
    if isinstance(seat, PersonSeat):
        raise refusals.SEAT_TAKEN()
    if command.bot == "":
        return () if isinstance(seat, Empty) else (Freed(command.seat),)
    must_be_bot(command.bot)
    return () if seat == BotSeat(command.bot) else (BotSat(command.seat, command.bot),)


def start(table: Table, person: Person, rng: Random) -> Events:
    """Draw the first dealer if nobody was chosen, draw and seal every deal of the game, and open the first."""
    must_be_host(table, person)
    if table.status == "over":
        raise refusals.OVER()
    if table.status == "playing":
        return ()
    if table.seats.free:
        raise refusals.SEATS_EMPTY()
    dealer = rng.randrange(len(table.seats)) if table.asked_dealer == "random" else table.asked_dealer
    game = load_game(table.game_name, table.options, dealer)
    board = game.board.to_json() if isinstance(game, Duet) else None
    # All at once: nothing that is played bears on a deal, and no chance is left for the server to choose by.
    seals = seal(game.name, [game.random_deal(rng) for _ in range(game.max_deals)], rng)
    sealed = [one.to_json() for one in seals]
    return (Started(dict(game.options), game.rules_version, board, sealed), Dealt(seals[0].deal))


def move(table: Table, person: Person, command: Move, rng: Random) -> Events:
    """Make a person's move; the same move asked for again at the same ply does nothing."""
    seat = own_seat(table, person)
    if _already_said(table, seat, command.ply, command.move):
        return ()
    must_be_at(table, command.ply)
    if bot_of(table.seats[seat]):
        raise refusals.COME_BACK_FIRST()
    if command.move == "resign":
        raise refusals.NOT_ALONE()
    return play(table, seat, command.move, rng)


def play_bot(table: Table, seat: int, choice: Choice, rng: Random) -> Events:
    """Make a bot's move, and keep its reason."""
    moved, *rest = play(table, seat, choice.move, rng)
    assert isinstance(moved, Moved)
    return (replace(moved, why=choice.why.to_json()), *rest)


def play(table: Table, seat: int, said: str, rng: Random) -> Events:
    """Make a seat's move, be it a person's or a bot's; deals the next deal at once if one is due.

    `record_move` reads what the seat says from that seat's own view, and so refuses by what the seat knows.
    """
    position, game = table.position, table.game
    if position is None or game is None:
        raise refusals.NOT_STARTED()
    if position.to_act != seat:
        raise refusals.NOT_YOUR_TURN()
    try:
        moved = Moved(seat, position.record_move(seat, said), said)
    except IllegalMove as error:
        raise Refused.because(error, "illegal") from error
    # The deal goes into the same append: the log never stops where chance would have to be drawn again.
    if position.play(moved.move).needs_deal:
        return (moved, Dealt(_next_deal(table, game, rng)))
    return (moved,)


def _next_deal(table: Table, game: Game, rng: Random) -> dict[str, Any]:
    """The next sealed deal; one drawn now in a game that began before deals were sealed."""
    return table.seals[len(table.deals)].deal if table.seals else game.random_deal(rng)


def again(table: Table, person: Person, entropy: Entropy) -> Events:
    """Link the next table; the caller opens it with `remake` in the same append."""
    own_seat(table, person)
    if table.status == "waiting":
        raise refusals.NOT_STARTED()
    if table.status == "playing":
        raise refusals.NOT_OVER()
    return () if table.next_table is not None else (Continued(entropy.table_id()),)


def _already_said(table: Table, seat: int, ply: int, said: str) -> bool:
    if not 0 <= ply < table.ply:
        return False
    moved = table.moves[ply]
    return moved.seat == seat and moved.said == said
