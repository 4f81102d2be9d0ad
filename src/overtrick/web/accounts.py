"""What people do with their accounts and data, by a page's form or by JSON: the same acts under both.

An act after which this device stands for somebody else gives it a new secret: an old one of an account, wherever
it may have been kept, stands for nobody any more. A guest's stands for that guest until their data is deleted.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from overtrick.errors import N_
from overtrick.web.problems import Problem
from overtrick.web.services import services_of
from overtrick.web.visitor import new_secret, person_of, unauthorized

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection

    from overtrick.tables import House, Person

    Connection = ASGIConnection[Any, Any, Any, Any]

NOT_SURE = N_("Nothing was deleted: first say that you are sure.")


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for it, over which connection; `device`: None for a program that has no secret yet."""

    connection: Connection
    house: House
    device: Person | None

    def known(self) -> Person:
        """The device; raises Problem (401) without one."""
        if self.device is None:
            raise unauthorized()
        return self.device

    async def account(self) -> str:
        """As whom the device's own password is counted."""
        return f"account {(await self.house.people.who(self.known())).id}"

    def tried(self, whose: str) -> AbstractContextManager[None]:
        """Count a password that is tried in the block; raises Problem (429)."""
        return services_of(self.connection).limits.passwords.tried(self.connection, whose)


async def account_name(house: House, device: Person) -> str:
    """Return the name of the account that a device is logged in to; "" for a guest's."""
    account = await house.people.account(device)
    return account.name if account else ""


async def claim(asked: Asked, name: str, password: str) -> None:
    """Make an account of a guest. Raises Refused."""
    await asked.house.people.claim(asked.known(), name, password)


async def log_in(asked: Asked, name: str, password: str, *, with_seats: bool = False) -> str:
    """Return a secret that stands for an account; the device that asked stands for one no more.

    `with_seats`: the account comes to hold the seats of the guest who asks, at the tables that go on. Raises Refused,
    and then the guest is who they were, or Problem (429) after too many wrong passwords for that name, be there an
    account or not.
    """
    house, device, secret = asked.house, asked.device, new_secret()
    with asked.tried(f"name {house.people.searched(name)}"):
        await house.people.log_in(person_of(secret), name, password)
    if device is not None:
        if with_seats:
            await _take_seats(house, device, person_of(secret))
        house.shut_out(await house.people.log_out(device))
    return secret


async def _take_seats(house: House, guest: Person, device: Person) -> None:
    """Let the person for whom a device stands since just now hold the seats of a guest; refused, it stands for nobody.

    By each seat's private link, as on a second device, so that it is one and the same seat. An account that the
    device was logged in to before is no guest: its seats stay with it.
    """
    from overtrick.tables import refusals  # brings the engine with it; see `prepare`
    from overtrick.tables.commands import Join

    if await house.people.account(guest) is not None:
        return
    try:
        own = {table.id: table.me for table in (await house.tables_of(device)).going_on}
        theirs = (await house.tables_of(guest)).going_on
        if any(own.get(table.id, table.me) != table.me for table in theirs):
            raise refusals.TWO_SEATS()
        for table in theirs:
            await house.act(table.id, device, Join(await house.link(table.id, guest)))
    except BaseException:
        await house.people.log_out(device)
        raise


async def log_out(asked: Asked) -> str:
    """Log one device out; return its secret as a guest."""
    asked.house.shut_out(await asked.house.people.log_out(asked.known()))
    return new_secret()


async def log_out_everywhere(asked: Asked) -> str:
    """Log every device of an account out; return the secret of this one as a guest. Raises Refused."""
    asked.house.shut_out(await asked.house.people.log_out_everywhere(asked.known()))
    return new_secret()


async def change_password(asked: Asked, old: str, new: str) -> None:
    """Change the password of an account and log every other device out. Raises Refused, or Problem (429)."""
    with asked.tried(await asked.account()):
        asked.house.shut_out(await asked.house.people.change_password(asked.known(), old, new))


async def delete(asked: Asked, password: str, *, sure: bool) -> tuple[str, bool]:
    """Delete all that is kept of a person; return the secret of a new guest, and whether it is done already.

    Raises Problem (422) for one who is not sure, Refused for the wrong password of an account, Problem (429) after too
    many.
    """
    if not sure:
        raise Problem(NOT_SURE, status=422, kind="invalid")
    with asked.tried(await asked.account()):
        finished = await asked.house.forget(asked.known(), password)
    return new_secret(), finished
