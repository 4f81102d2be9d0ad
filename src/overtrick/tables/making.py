"""Opening tables: what follows from `Make`, and from `Again` for the table that comes next."""

from __future__ import annotations

from collections.abc import Mapping

from overtrick.bots import BOTS
from overtrick.errors import OvertrickError
from overtrick.games import Game, load
from overtrick.games.boards import newest_board
from overtrick.games.duet import Duet
from overtrick.tables import refusals
from overtrick.tables.chat import TALK
from overtrick.tables.clock import timing_of
from overtrick.tables.commands import Dealer, Make
from overtrick.tables.events import BotSat, Event, Joined, Made, Sat
from overtrick.tables.names import clean_name
from overtrick.tables.pacing import PACES
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import BotSeat, Person, PersonSeat
from overtrick.tables.table import Table
from overtrick.tables.watching import WATCHING

LONGEST_TOKEN = 100


def make(person: Person, command: Make) -> tuple[Event, ...]:
    """Open a table: `Made`, then whoever sits from the first moment. Raises Refused."""
    if not (0 < len(command.token) <= LONGEST_TOKEN and command.token.isprintable()):
        raise refusals.BAD_TOKEN()
    game = _new_game(command)
    if len(command.seats) != game.seats:
        raise refusals.BAD_SEATS(seats=game.seats)
    if command.seats.count("me") > 1:
        raise refusals.BAD_SEAT_CHOICE()
    if command.pace not in PACES:
        raise refusals.NO_SUCH_PACE()
    if timing_of(command.timing) is None:
        raise refusals.BAD_TIMING()
    if command.watching not in WATCHING:
        raise refusals.NO_SUCH_WATCHING()
    if command.talk not in TALK:
        raise refusals.NO_SUCH_TALK()
    made = _made(game, command.dealer, person, command)
    sitters = (_choice(number, choice, person, command.name) for number, choice in enumerate(command.seats))
    return (made, *(sitter for sitter in sitters if sitter is not None))


def remake(table: Table, person: Person) -> tuple[Event, ...]:
    """Open the table after `table`: same people, bots and options; who asks is the host.

    The seat of somebody who is gone is free. A first dealer who was drawn is drawn anew; one who was chosen hands the
    deal to the left.
    """
    dealer: Dealer = "random"
    if table.asked_dealer != "random":
        dealer = (int(table.options["dealer"]) + 1) % len(table.seats)
    game = load_game(table.game_name, _without_dealer(table.options), dealer)
    made = _made(game, dealer, person, table)
    sitters: list[Event] = []
    for number, seat in enumerate(table.seats):
        if isinstance(seat, PersonSeat) and not seat.gone:
            sitters.append(Sat(number, seat.person, seat.name))
            sitters.extend(Joined(number, other) for other in seat.also)
        elif isinstance(seat, BotSeat):
            sitters.append(BotSat(number, seat.bot))
    return (made, *sitters)


def _new_game(command: Make) -> Game:
    """The game asked for; Duet without a board named is played on the one added last for its level (D-25)."""
    game = load_game(command.game, command.options, command.dealer)
    if not isinstance(game, Duet) or command.options.get("board") is not None:
        return game
    board = newest_board(game.level).name
    return load_game(command.game, {**command.options, "board": board}, command.dealer)


def load_game(name: str, options: Mapping[str, object], dealer: Dealer) -> Game:
    """Load a game whose first dealer may still have to be drawn; `options` may hold no "dealer" of their own.

    Raises Refused (kind "invalid").
    """
    if "dealer" in options:
        raise refusals.BAD_OPTIONS()
    try:
        game = load(name, **options)
        if dealer == "random":
            return game
        if isinstance(dealer, bool) or not isinstance(dealer, int) or not 0 <= dealer < game.seats:
            raise refusals.BAD_DEALER(seats=game.seats)
        return load(name, **options, dealer=dealer)
    except Refused:
        raise
    except OvertrickError as error:
        raise Refused.because(error, "invalid") from error


def must_be_bot(name: str) -> None:
    """Refuse a bot that is not registered."""
    if name not in BOTS:
        raise refusals.NO_SUCH_BOT()


def _without_dealer(options: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in options.items() if name != "dealer"}


def _made(game: Game, dealer: Dealer, person: Person, wishes: Make | Table) -> Made:
    """The first event; `wishes`: whatever says how the table is to be."""
    return Made(
        game=game.name,
        options=_without_dealer(game.options),
        dealer=dealer,
        host=person.id,
        seats=game.seats,
        public=wishes.public,
        show_played=wishes.show_played,
        rules_version=game.rules_version,
        pace=wishes.pace,
        explain=wishes.explain,
        timing=dict(wishes.timing) if isinstance(wishes, Make) else wishes.timing.to_json(),
        watching=wishes.watching,
        talk=wishes.talk,
    )


def _choice(number: int, choice: str, person: Person, name: str) -> Sat | BotSat | None:
    if choice == "friend":
        return None
    if choice == "me":
        return Sat(number, person.id, clean_name(name))
    kind, _, bot = choice.partition(":")
    if kind != "bot":
        raise refusals.BAD_SEAT_CHOICE()
    must_be_bot(bot)
    return BotSat(number, bot)
