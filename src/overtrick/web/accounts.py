"""What people do with their accounts and data, by a page's form or by JSON: the same acts under both.

An act after which this device stands for somebody else gives it a new secret, so that an old one, wherever it may have
been kept, stands for nobody any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.errors import N_
from overtrick.web.problems import Problem
from overtrick.web.visitor import new_secret, person_of

if TYPE_CHECKING:
    from overtrick.tables import House, Person

NOT_SURE = N_("Nothing was deleted: first say that you are sure.")


async def claim(house: House, device: Person, name: str, password: str) -> None:
    """Make an account of a guest. Raises Refused."""
    await house.people.claim(device, name, password)


async def log_in(house: House, device: Person | None, name: str, password: str) -> str:
    """Return a secret that stands for an account; `device`, which asked, stands for one no more. Raises Refused."""
    secret = new_secret()
    await house.people.log_in(person_of(secret), name, password)
    if device is not None:
        await house.shut_out(await house.people.log_out(device))
    return secret


async def log_out(house: House, device: Person) -> str:
    """Log one device out; return its secret as a guest."""
    await house.shut_out(await house.people.log_out(device))
    return new_secret()


async def log_out_everywhere(house: House, device: Person) -> str:
    """Log every device of an account out; return the secret of this one as a guest. Raises Refused."""
    await house.shut_out(await house.people.log_out_everywhere(device))
    return new_secret()


async def change_password(house: House, device: Person, old: str, new: str) -> None:
    """Change the password of an account and log every other device out. Raises Refused."""
    await house.shut_out(await house.people.change_password(device, old, new))


async def delete(house: House, device: Person, password: str, *, sure: bool) -> tuple[str, bool]:
    """Delete all that is kept of a person; return the secret of a new guest, and whether it is done already.

    Raises Problem (422) for one who is not sure, Refused for the wrong password of an account.
    """
    if not sure:
        raise Problem(NOT_SURE, status=422, kind="invalid")
    finished = await house.forget(device, password)
    return new_secret(), finished
