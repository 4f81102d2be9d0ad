"""Accounts and who holds them: a guest claims a name with a password and is then known on any device.

A device is known by the hash of its secret. A guest's person has that hash for its id, and keeps it with an account, so
that all seats stay theirs. `sessions` says which devices stand for an account's person, the first one included.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, exists, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from overtrick.tables import refusals
from overtrick.tables.names import clean_name, name_key
from overtrick.tables.outage import Result
from overtrick.tables.passwords import Passwords, must_do
from overtrick.tables.schema import ACCOUNTS, FORGOTTEN, SESSIONS, TRACES
from overtrick.tables.seats import Person
from overtrick.tables.store import Store
from overtrick.tables.writes import Writes

REMEMBERED_FOR = 30.0
"""Seconds after which it is asked again for whom a device stands, for another process may have shut it out."""
REMEMBERED_ALONE = 600.0
"""The same for a process that is alone, as far as it knows: somebody may have started another beside it by mistake."""
MOST_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Account:
    """A claimed name; `made_at`: Unix time in milliseconds."""

    person: str
    name: str
    made_at: int


_STANDS_FOR = select(
    select(SESSIONS.c.person).where(SESSIONS.c.secret == bindparam("device")).scalar_subquery(),
    exists().where(ACCOUNTS.c.person == bindparam("device")),
    exists().where(FORGOTTEN.c.mark == bindparam("mark")),
)
"""Whose account a device is logged in to; whether its own guest has made one; whether that one's data is deleted."""
_PASSWORD = select(ACCOUNTS.c.password).where(ACCOUNTS.c.person == bindparam("of"))


class People:
    """The accounts of one database.

    `now`: Unix time in milliseconds. `alone`: no other process changes them.
    """

    def __init__(self, store: Store, now: Callable[[], int], *, alone: bool = False) -> None:
        self._store = store
        self._now = now
        self._remembered_for = REMEMBERED_ALONE if alone else REMEMBERED_FOR
        self._passwords = Passwords()
        self._changes = 0
        self._writes = Writes()
        self._remembered: OrderedDict[str, tuple[float, Person]] = OrderedDict()

    async def drain(self) -> None:
        """Wait until nothing is being written."""
        await self._writes.drain()

    async def who(self, device: Person) -> Person:
        """The person for whom a device stands: an account's, or a guest of its own."""
        found = self.remembered(device)
        if found is not None:
            return found
        changes = self._changes
        person = await self._looked_up(device)
        if changes != self._changes:
            return await self.who(device)
        self._remembered[device.id] = (time.monotonic() + self._remembered_for, person)
        self._remembered.move_to_end(device.id)
        while len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        return person

    def remembered(self, device: Person) -> Person | None:
        """The person for whom a device stands, if that was asked a short while ago."""
        found = self._remembered.get(device.id)
        return found[1] if found is not None and found[0] > time.monotonic() else None

    async def account(self, device: Person) -> Account | None:
        """The account that a device is logged in to, if it is."""
        person = await self.who(device)
        columns = (ACCOUNTS.c.person, ACCOUNTS.c.name, ACCOUNTS.c.made_at)
        rows = await self._store.rows(select(*columns).where(ACCOUNTS.c.person == person.id))
        return Account(rows[0].person, rows[0].name, rows[0].made_at) if rows else None

    async def devices(self, person: Person) -> list[int]:
        """When each device was logged in to an account, Unix time in milliseconds, the first one first."""
        mine = SESSIONS.c.person == person.id
        rows = await self._store.rows(select(SESSIONS.c.made_at).where(mine).order_by(SESSIONS.c.made_at))
        return [row.made_at for row in rows]

    async def claim(self, device: Person, name: str, password: str) -> None:
        """Make an account of a guest. Raises Refused."""
        name = clean_name(name)
        must_do(password)
        if await self.account(device) is not None:
            raise refusals.HAS_ACCOUNT()
        person, at = await self.who(device), self._now()
        kept = await self._passwords.hashed(password)
        row = {"person": person.id, "name": name, "name_key": name_key(name), "password": kept, "made_at": at}
        session = {"secret": device.id, "person": person.id, "made_at": at}

        def claimed(connection: Connection) -> None:
            connection.execute(insert(ACCOUNTS), row)
            connection.execute(delete(SESSIONS).where(SESSIONS.c.secret == device.id))
            connection.execute(insert(SESSIONS), session)

        try:
            await self._write(claimed)
        except IntegrityError as error:
            raise refusals.NAME_CLAIMED() from error

    def searched(self, name: str) -> str:
        """The key under which a typed name is looked for, however it is written; "" if it is no name."""
        try:
            return name_key(clean_name(name))
        except refusals.Refused:
            return ""

    async def log_in(self, device: Person, name: str, password: str) -> None:
        """Let a new device stand for an account. Raises Refused, in the same words and time whatever is wrong."""
        columns = (ACCOUNTS.c.person, ACCOUNTS.c.password)
        rows = await self._store.rows(select(*columns).where(ACCOUNTS.c.name_key == self.searched(name)))
        if not await self._passwords.fits(password, rows[0].password if rows else None):
            raise refusals.NO_SUCH_ACCOUNT()
        person, kept = rows[0].person, rows[0].password
        session = {"secret": device.id, "person": person, "made_at": self._now()}

        def logged_in(connection: Connection) -> None:
            if connection.scalar(_PASSWORD.with_for_update(), {"of": person}) != kept:  # or None: it is gone
                raise refusals.NO_SUCH_ACCOUNT()
            connection.execute(insert(SESSIONS), session)

        await self._write(logged_in)

    async def leave(self, device: Person, password: str, due_at: int) -> Person | None:
        """End the account, if there is one, and every device; from now on their secrets stand for nobody's past.

        Returns the person of whom the tables have still to be cleared, which is kept in mind until somebody has done
        it and looks for remains at `due_at`; None if nothing is kept of them. Raises Refused for a wrong password.
        """
        account = await self.account(device)
        fitted = None if account is None else await self._must_fit(account, password)
        person = await self.who(device) if account is None else Person(account.person)
        named = select(TRACES.c.table_id).where(TRACES.c.person == person.id).limit(1)
        note = {"mark": _mark(person), "person": person.id, "due_at": due_at}

        def left(connection: Connection) -> Person | None:
            if account is None and not connection.execute(named).all():
                return None
            now = connection.scalar(_PASSWORD.with_for_update(), {"of": person.id})
            if now is not None and now != fitted:  # it has been changed meanwhile, or claimed
                raise refusals.WRONG_PASSWORD()
            _end(connection, person)
            connection.execute(insert(FORGOTTEN), note)
            return person

        try:
            return await self._write(left)
        except IntegrityError:  # noted already, by the same request sent twice
            return person

    async def look_again(self, person: Person, due_at: int | None) -> None:
        """Have the remains of a person looked for at that time; None: there are none, so nothing says who it was.

        Where another process has found none meanwhile, it stays so.
        """
        mine = (FORGOTTEN.c.mark == _mark(person), FORGOTTEN.c.due_at.is_not(None))
        now = {"due_at": due_at, "person": "" if due_at is None else person.id}

        def noted(connection: Connection) -> None:
            _end(connection, person)  # which may have been claimed anew by a process that was behind
            connection.execute(update(FORGOTTEN).where(*mine).values(now))

        await self._write(noted)

    async def put_off(self, person: Person, due_at: int) -> None:
        """Let no other process take up before `due_at` what this one is at."""
        mine = (FORGOTTEN.c.mark == _mark(person), FORGOTTEN.c.due_at < due_at)
        await self._write(lambda line: line.execute(update(FORGOTTEN).where(*mine).values(due_at=due_at)))

    async def next_to_clear(self, now: int, due_at: int) -> Person | None:
        """Take up whose remains are to be looked for by `now`; no other process does it before `due_at`."""
        first = (
            select(FORGOTTEN.c.mark).where(FORGOTTEN.c.due_at <= now).order_by(FORGOTTEN.c.due_at).limit(1)
        )
        if not await self._store.rows(first):
            return None
        mine = first.with_for_update(skip_locked=True).scalar_subquery()
        taken = (
            update(FORGOTTEN)
            .where(FORGOTTEN.c.mark == mine)
            .values(due_at=due_at)
            .returning(FORGOTTEN.c.person)
        )
        row = await self._write(lambda connection: connection.execute(taken).one_or_none())
        return Person(row.person) if row else None

    async def log_out(self, device: Person) -> Person:
        """Let a device stand for nobody's account any more; returns the person it stood for."""
        person = await self.who(device)
        await self._write(lambda line: line.execute(delete(SESSIONS).where(SESSIONS.c.secret == device.id)))
        return person

    async def log_out_everywhere(self, device: Person) -> Person:
        """Shut every device of the account out, this one too; returns the account's person. Raises Refused."""
        account = await self._own(device)
        everywhere = delete(SESSIONS).where(SESSIONS.c.person == account.person)
        await self._write(lambda line: line.execute(everywhere))
        return Person(account.person)

    async def change_password(self, device: Person, old: str, new: str) -> Person:
        """Give the account another password and shut every other device out. Raises Refused."""
        account = await self._own(device)
        must_do(new)
        fitted = await self._must_fit(account, old)
        kept = await self._passwords.hashed(new)
        mine = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person, ACCOUNTS.c.password == fitted)
        others = delete(SESSIONS).where(SESSIONS.c.person == account.person, SESSIONS.c.secret != device.id)

        def changed(connection: Connection) -> None:
            if not connection.execute(mine, {"password": kept}).rowcount:  # it has been changed meanwhile
                raise refusals.WRONG_PASSWORD()
            connection.execute(others)

        await self._write(changed)
        return Person(account.person)

    async def _own(self, device: Person) -> Account:
        account = await self.account(device)
        if account is None:
            raise refusals.NOT_LOGGED_IN()
        return account

    async def _must_fit(self, account: Account, password: str) -> str:
        rows = await self._store.rows(_PASSWORD, {"of": account.person})
        if not await self._passwords.fits(password, rows[0].password if rows else None):
            raise refusals.WRONG_PASSWORD()
        return str(rows[0].password)

    async def _looked_up(self, device: Person) -> Person:
        guest = device
        while True:
            asked = {"device": guest.id, "mark": _mark(guest)}
            found: tuple[Any, ...] = (await self._store.rows(_STANDS_FOR, asked))[0]
            person, claimed, gone = found
            if person is not None:
                return Person(person)
            if not claimed and not gone:
                return guest
            # A guest no more: who claimed a name and has logged out since, or whose data was deleted. The device goes
            # on as another guest, without any seat.
            guest = Person(hashlib.sha256(f"logged out:{guest.id}".encode()).hexdigest())

    async def _write(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work` in a transaction, after which it is asked again for whom each device stands, whatever came of it.

        It goes on to its end though whoever asked has gone. Raises Refused (kind "unavailable").
        """
        return await self._writes.see_through(self._store.write(work), self._written)

    def _written(self, writing: asyncio.Future[Any]) -> None:
        self._changes += 1
        self._remembered.clear()
        if not writing.cancelled():
            writing.exception()  # for whoever asked, if they are there yet; the store has told of a failing database


def _mark(person: Person) -> str:
    return hashlib.sha256(f"forgotten:{person.id}".encode()).hexdigest()


def _end(connection: Connection, person: Person) -> None:
    """End an account and log its devices out, all of them."""
    # The account first: who is logging in just then holds it until their session can be seen.
    connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.person == person.id))
    connection.execute(delete(SESSIONS).where(SESSIONS.c.person == person.id))
