"""What one person, or a spectator, may see of a table.

Built from nothing, field by field: whatever is not named here stays hidden. No position, deal, log, record,
person's id or token is among it.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from overtrick._cached import cached_property
from overtrick.games import View
from overtrick.tables.chat import Message
from overtrick.tables.clock import left_at
from overtrick.tables.explaining import said, told
from overtrick.tables.result import result_of
from overtrick.tables.seats import BotSeat, Person, PersonSeat, Seat, Seats
from overtrick.tables.table import Table
from overtrick.tables.tableview import EndingView, MessageView, SeatView, TableView, TimeView
from overtrick.tables.talking import may_talk
from overtrick.tables.watching import Onlooker, onlooker


def table_view(
    table: Table, person: Person | None, *, now: int | None = None, bots_preparing: bool = False
) -> TableView:
    """The table as `person` may see it; without one, or for one who does not sit there, as the public may.

    `now`: Unix time in milliseconds; by default that of the last thing that happened.
    """
    now = table.at if now is None else now
    return Shown(table).to(onlooker(table, person), now=now, bots_preparing=bots_preparing)


@dataclass(frozen=True)
class Shown:
    """A table as it stands, from which what each onlooker may see is made; what several share is made once."""

    table: Table

    @cached_property
    def common(self) -> TableView:
        """What everybody sees alike."""
        return common_view(self.table)

    @cached_property
    def game_views(self) -> tuple[View, ...]:
        """The game as the public knows it, and then as each seat does; () before the start."""
        return () if self.table.position is None else self.table.position.views()

    def to(self, who: Onlooker, *, now: int, bots_preparing: bool) -> TableView:
        """The table as an onlooker may see it."""
        table, me = self.table, who.me
        return replace(
            self.common,
            common=self.common,
            seats=_seat_views(table.seats, table.host, me),
            me=me,
            is_host=who.is_host,
            view=self._game_view(me),
            next_table=_next_table(table, me),
            ending=_ending_view(table, me),
            bots_preparing=bots_preparing,
            time=_time_view(table, max(now, table.at)),
            meanwhile=_meanwhile(table, me),
            shut_out=who.shut_out,
            chat=_chat_view(table) if who.may_watch else (),
            may_talk=me is not None and may_talk(table),
        )

    def _game_view(self, me: int | None) -> View | None:
        """The game as the viewer knows it, with no more to do than the table lets them do.

        One that was cut short is left as it was, with nobody to act and, as it is over, every hand turned over: nothing
        of it is hidden any more (its record holds all of it). While a bot plays for the viewer or the game is
        paused, it is their turn as ever, for all to see, but nothing is theirs to choose.
        """
        table = self.table
        if table.position is None:
            return None
        view = self.game_views[0 if me is None else 1 + me]
        ended = table.cut_short
        if not ended and (not view.my_turn or (me in table.seats.playing_persons and not table.paused)):
            return view
        stopped = view.observation.copy()
        stopped["choices"] = 0
        if ended:
            stopped["turn"] = -1
            stopped["hand"] = table.position.states["hand"]
        return View(view.game, stopped)


def common_view(table: Table) -> TableView:
    """What everybody sees of a table alike, and nothing else: no game, no chat, nobody's seat."""
    return TableView(
        id=table.id,
        seq=table.seq,
        status=table.status,
        game=table.game_name,
        options=dict(table.options),
        public=table.public,
        show_played=table.show_played,
        pace=table.pace,
        explain=table.explain,
        watching=table.watching,
        talk=table.talk,
        dealer=table.dealer,
        seats=(),
        me=None,
        is_host=False,
        view=None,
        ply=table.ply,
        next_table=None,
        rules_version=table.rules_version,
        commitments=tuple(one.commitment for one in table.seals),
        cut_short=table.cut_short,
        said=said(table),
        told=told(table),
        timing=table.timing.to_json(),
        swapped=table.swapped,
        proposals=table.proposals,
        result=result_of(table),
    )


def _next_table(table: Table, me: int | None) -> str | None:
    """Where the same people play again: an invitation, so for them alone unless the front page lists their tables."""
    return table.next_table if me is not None or table.public else None


def _ending_view(table: Table, me: int | None) -> EndingView | None:
    if table.status != "playing":
        return None
    said = table.agreement
    return EndingView(
        proposals=said.number,
        seat=said.seat if said.is_open else None,
        agreed=tuple(sorted(said.agreed)) if said.is_open else (),
        awaited=said.awaited(table.seats.asked_to_end),
        asked=table.seats.asked_to_end,
        may_propose=me in table.seats.playing_persons and not said.is_open and me not in said.declined,
    )


def _time_view(table: Table, now: int) -> TimeView | None:
    clock, timing = table.clock, table.timing
    if clock is None or not timing.runs or table.status != "playing":
        return None
    persons = table.seats.playing_persons
    running = table.to_act if table.to_act in persons and clock.since is not None else None
    left = (
        left_at(timing, clock, seat, now if seat == table.to_act else None)
        if seat in persons and timing.kind != "none"
        else None
        for seat in range(len(table.seats))
    )
    return TimeView(
        left=tuple(left), running=running, paused=table.paused, asked=tuple(sorted(table.asked_pause))
    )


def _meanwhile(table: Table, me: int | None) -> tuple[tuple[int, str], ...]:
    """What lay open as it was played, and the own gifts; what another gave is in the hand (D-18)."""
    seat = None if me is None else table.seats[me]
    if not isinstance(seat, PersonSeat) or seat.away_from is None:
        return ()
    moves = table.moves[seat.away_from :]
    return tuple(
        (moved.seat, moved.move) for moved in moves if moved.seat == me or not moved.move.startswith("gift:")
    )


def _chat_view(table: Table) -> tuple[MessageView, ...]:
    return tuple(map(_message_view, (message for message in table.chat if message.text)))


def _message_view(message: Message) -> MessageView:
    return MessageView(message.number, message.seat, message.name, message.text)


def _seat_views(seats: Seats, host: str, me: int | None) -> tuple[SeatView, ...]:
    """The seats as somebody sees them."""
    shown: tuple[SeatView, ...] | None = seats.shown.get((host, me))
    if shown is None:
        shown = tuple(_seat_view(number, seat, host, me) for number, seat in enumerate(seats))
        seats.shown[host, me] = shown
    return shown


def _seat_view(number: int, seat: Seat, host: str, me: int | None) -> SeatView:
    if isinstance(seat, PersonSeat):
        is_host = host in seat.people
        return SeatView(
            number,
            "person",
            seat.name or None,
            None,
            is_me=number == me,
            is_host=is_host,
            stand_in=seat.stand_in,
            helped=seat.helped,
            flagged=seat.flagged,
        )
    if isinstance(seat, BotSeat):
        return SeatView(number, "bot", None, seat.bot, is_me=False, is_host=False)
    return SeatView(number, "empty", None, None, is_me=False, is_host=False)
