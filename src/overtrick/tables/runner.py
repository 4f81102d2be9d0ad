"""House: all tables of one server, as the web layer uses them.

Takes commands, decides, appends, tells. Gives out `TableView`s, summaries and the records of finished games,
and nothing else.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from overtrick.bots.pool import Pool
from overtrick.tables import refusals
from overtrick.tables.appending import ATTEMPTS, LostRace
from overtrick.tables.commands import Command, Join, Make
from overtrick.tables.decide import decide
from overtrick.tables.entropy import Entropy, SystemEntropy
from overtrick.tables.events import Continued
from overtrick.tables.fanout import Fanout, NoFanout, RedisFanout
from overtrick.tables.figures import Figures
from overtrick.tables.forgetting import Forgetting
from overtrick.tables.hub import Hub
from overtrick.tables.ledger import KEPT, Change, Ledger
from overtrick.tables.links import LinkedSeat, SeatLinks, join
from overtrick.tables.listing import TableSummary
from overtrick.tables.making import make, remake
from overtrick.tables.mine import MyTables
from overtrick.tables.mydata import my_data
from overtrick.tables.people import People
from overtrick.tables.record import record
from overtrick.tables.refusals import Refused
from overtrick.tables.seats import Person, PersonSeat
from overtrick.tables.store import Store
from overtrick.tables.table import Table
from overtrick.tables.tableview import TableView
from overtrick.tables.upkeep import Upkeep
from overtrick.tables.views import Views
from overtrick.tables.watch import Viewer, Watch
from overtrick.tables.watching import belongs, may_look, must_look

PACE = 0.7
"""Seconds that a bot's move takes at least at a table of normal pace, so that people can follow."""
LISTED_FOR = 24 * 3600 * 1000
"""Milliseconds for which the lobby lists a table at which nothing happens."""
MOST_LISTED = 50
MOST_MINE = 20
"""Finished games on one page of a person's tables."""


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Among:
    """One process of several that serve the same tables.

    `name`: its own, which it has again after a restart, so that it takes its own work up at once. `redis_url`: where
    they tell each other of changes; "": they look into the log for them.
    """

    name: str
    redis_url: str = ""

    def fanout(self) -> Fanout:
        """How it hears of the others."""
        return RedisFanout(self.redis_url) if self.redis_url else NoFanout(shared=True)


class House:
    """The tables of one server. Make one with `await House.open(...)`, end it with `await house.close()`."""

    def __init__(self, ledger: Ledger, upkeep: Upkeep, entropy: Entropy, links: SeatLinks) -> None:
        self._ledger = ledger
        self._upkeep = upkeep
        self._entropy = entropy
        self._links = links
        self.people = People(ledger.store, ledger.now, alone=ledger.alone)
        self._forgetting = Forgetting(ledger, self.people)
        ledger.on_change(upkeep.wake)
        self._views = Views()

    @classmethod
    async def open(
        cls,
        database_url: str,
        *,
        pace: float = PACE,
        pool: Pool | None = None,
        entropy: Entropy | None = None,
        now: Callable[[], int] = _milliseconds,
        kept: int = KEPT,
        among: Among | None = None,
        key: bytes = b"",
        figures: Figures | None = None,
    ) -> Self:
        """Open the database, make the schema of an empty one, and take up what is due at its tables.

        `pace`: seconds that a bot's move takes at least at a table of normal pace. `pool`: where bots think; it is
        closed with the house. `entropy`: the system's by default. `now`: Unix time
        in milliseconds. `kept`: tables kept in memory. `among`: the other processes, if any serve the same tables.
        `key`: of the seats' private links, the same at every start; without one they end with the house.
        `figures`: where it counts what happens.
        """
        chance = entropy or SystemEntropy()
        store = await Store.open(database_url, among.name if among else "server", figures)
        ledger = Ledger(store, Hub(), now, kept=kept, fanout=among.fanout() if among else None)
        upkeep = Upkeep(ledger, chance, pool or Pool(), pace=pace)
        house = cls(ledger, upkeep, chance, SeatLinks(key or secrets.token_bytes(32)))
        try:
            await ledger.begin()
            await upkeep.begin()
            house._forgetting.begin()
        except BaseException:
            await house.close()
            raise
        return house

    @property
    def failing(self) -> bool:
        """Whether the database fails, as far as is known; it is tried every few seconds (`leases.BEAT`)."""
        return self._ledger.store.failing

    async def close(self) -> None:
        """Stop the bots, end all streams, finish what is being written."""
        self._ledger.hub.close()
        await self._forgetting.close()
        # The bots first, so that they begin no more; what they and people have begun is then on its way.
        await self._upkeep.close()
        await self._ledger.drain()
        await self.people.drain()
        await self._upkeep.release()
        await self._ledger.close()

    async def make(self, person: Person, command: Make) -> str:
        """Open a table and return its id; the same token of the same person gives the same table.

        Raises Refused.
        """
        person = await self.people.who(person)
        events = make(person, command)
        token = f"make:{person.id}:{command.token}"
        for _ in range(ATTEMPTS):
            made = await self._ledger.store.by_token(token)
            if made is not None:
                return made
            table_id = self._entropy.table_id()
            with suppress(LostRace):
                await self._ledger.commit(Change(table_id, None, events, self._ledger.now(), token))
                return table_id
        raise LostRace

    async def look(self, table_id: str, person: Person | None) -> TableView:
        """The table as a person, or a spectator, may see it now. Raises Refused, so too if they may not."""
        person = await self._who(person)
        return self._seen(await self._shown(table_id, person), person)

    async def act(self, table_id: str, person: Person, command: Command | Join) -> TableView:
        """Do what a command asks and return the table as the person then sees it.

        Raises Refused, and then nothing has happened. When this returns, the effect is on the disk.
        """
        person = await self.people.who(person)
        table = await self._ledger.recent(table_id)
        for _ in range(ATTEMPTS):
            refused, lost = None, False
            try:
                after = await self._acted(table, person, command)
                if after is not table or self._ledger.alone:
                    return self._seen(after, person)
            except LostRace:
                lost = True
            except Refused as error:
                if error.kind == "unavailable":
                    raise
                refused = error
            newest = await self._ledger.reload(table_id)
            # That it is refused, or done already, stands only if it was decided from all that the log holds.
            if newest.seq == table.seq and not lost:
                if refused is not None:
                    raise refused
                return self._seen(table, person)
            table = newest
        raise LostRace

    async def _shown(self, table_id: str, person: Person | None) -> Table:
        """The table, for somebody who may look at it. Raises Refused."""
        table = await self._ledger.table(table_id)
        if not may_look(table, person):
            # As in `act`: a refusal stands only if it was made from all that the log holds.
            table = await self._ledger.reload(table_id)
            must_look(table, person)
        return table

    def _seen(self, table: Table, person: Person | None) -> TableView:
        must_look(table, person)
        return self._views.of(
            table, person, now=self._ledger.now(), bots_preparing=self._upkeep.is_preparing(table)
        )

    async def _acted(self, table: Table, person: Person, command: Command | Join) -> Table:
        now = self._ledger.now()
        if isinstance(command, Join):
            events = join(table, person, command, self._links)
        else:
            must_look(table, person)
            events = decide(table, person, command, self._entropy, now=now)
        if not events:
            return table
        change = Change(table.id, table, events, now)
        await self._ledger.commit(change, *_next_tables(person, change))
        return change.after

    async def link(self, table_id: str, person: Person) -> str:
        """The secret of a person's own seat. Raises Refused for one who holds none."""
        table = await self._ledger.table(table_id)
        seat = table.seat_of((await self.people.who(person)).id)
        if seat is None:
            raise refusals.NOT_SEATED()
        return self._links.secret(table, seat)

    async def linked_seat(self, table_id: str, secret: str, device: Person) -> LinkedSeat:
        """The seat to which a secret leads, for somebody who may not have been able to look so far. Raises Refused."""
        table = await self._ledger.table(table_id)
        number, person = self._links.seat(table, secret), await self.people.who(device)
        seat = table.seats[number]
        assert isinstance(seat, PersonSeat)
        return LinkedSeat(table.game_name, seat.name, person.id in seat.people)

    async def watch(self, table_id: str, device: Person | None, viewer: Viewer) -> Watch:
        """Show a viewer the table as it is, then the newest state at each change; slow ones miss states between.

        Goes on until the end of the `with` block of what it returns. Raises Refused for who may not look; for whoever
        must not look any more it ends with that.
        """
        sitter = await self._who(device)
        table = await self._shown(table_id, sitter)
        return Watch(self._ledger, self.people, self._seen, device, viewer).begin(table, sitter)

    async def open_tables(self) -> list[TableSummary]:
        """The public tables that wait with free seats, the latest changed first."""
        since = self._ledger.now() - LISTED_FOR
        return await self._ledger.store.open_tables(since=since, most=MOST_LISTED)

    async def tables_of(
        self, person: Person, *, before: str | None = None, most: int = MOST_MINE
    ) -> MyTables:
        """The tables at which a person sits, those that wait for them first; `before`: `more` of the page before."""
        person = await self.people.who(person)
        return await self._ledger.store.tables_of(person.id, before=before, most=most)

    async def games_to_watch(self) -> list[TableSummary]:
        """The games under way that everybody may watch, the latest changed first."""
        since = self._ledger.now() - LISTED_FOR
        return await self._ledger.store.watched_by_all(since=since, most=MOST_LISTED)

    def shut_out(self, person: Person) -> None:
        """End the streams of devices that stand for a person no longer."""
        self._ledger.hub.wake_tables_of(person.id)

    async def data_of(self, device: Person) -> dict[str, Any]:
        """All that is kept of a person: see `mydata`."""
        return await my_data(self, self._ledger, device, self._upkeep.is_preparing)

    async def forget(self, device: Person, password: str = "") -> bool:
        """Delete all that is kept of a person; `password`: of their account, if they have one. Raises Refused.

        From when this returns no device stands for them. It is true if nothing is left of them, false if they have so
        many games that it takes a while yet, which it does by itself, over a restart too.
        """
        return await self._forgetting.ask(device, password)

    async def _who(self, device: Person | None) -> Person | None:
        return None if device is None else await self.people.who(device)

    async def record(self, table_id: str, person: Person | None) -> dict[str, Any]:
        """The whole game as RECORD has it. Raises Refused until the game is over, and to who may not look.

        Of a table that the house has closed, those who belong to it get the record still.
        """
        person = await self._who(person)
        table = await self._ledger.table(table_id)
        if not (table.closed and belongs(table, person)):
            table = await self._shown(table_id, person)
        return record(table, made_at=await self._ledger.store.made_at(table_id))


def _next_tables(person: Person, change: Change) -> list[Change]:
    """The table that goes with a link to it, for the same transaction."""
    table = change.after
    return [
        Change(event.next_table, None, remake(table, person), change.now, f"again:{table.id}")
        for event in change.events
        if isinstance(event, Continued)
    ]
