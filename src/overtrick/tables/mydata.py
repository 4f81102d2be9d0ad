"""All that is kept of one person, for that person to take along: built by allow-list, like a view.

Of a game that goes on it holds what they see now and no more; of others it holds what they wrote to the table while
they could be read, and their names.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from overtrick.tables.events import Logged, Sat, Spoke
from overtrick.tables.fold import replay
from overtrick.tables.forgotten import held_by
from overtrick.tables.ledger import Ledger
from overtrick.tables.outage import is_outage
from overtrick.tables.record import record
from overtrick.tables.redact import table_view
from overtrick.tables.seats import Person
from overtrick.tables.table import Table
from overtrick.tables.traces import tables_naming

if TYPE_CHECKING:
    from overtrick.tables.mine import MyTable
    from overtrick.tables.runner import House

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Asked:
    """For whom it is, and what a look at a table needs besides the table."""

    person: Person
    now: Callable[[], int]
    bots_preparing: Callable[[Table], bool]


async def my_data(
    house: House, ledger: Ledger, device: Person, bots_preparing: Callable[[Table], bool]
) -> dict[str, Any]:
    """The account and its devices, every table with its chat, records of finished games, looks at the others.

    `left`: the names under which they once sat where they sit no more. `unreadable`: the tables that are left out, for
    something is wrong with their logs. Times are Unix time in milliseconds. Raises Refused if the database fails.
    """
    person, account = await house.people.who(device), await house.people.account(device)
    asked = _Asked(person, ledger.now, bots_preparing)
    tables = await _tables(house, device)
    found: dict[str, Any] = {
        "account": None if account is None else {"name": account.name, "made_at": account.made_at},
        "devices": await house.people.devices(person) if account else [],
        "tables": [table.to_json() for table in tables],
        "records": {},
        "looks": {},
        "chat": {},
        "left": {},
        "unreadable": [],
    }
    named = await tables_naming(ledger.store, person.id)
    for table_id in dict.fromkeys([*(table.id for table in tables), *named]):
        try:
            # The log itself, once: tables that nobody plays at would only drive others out of the ledger.
            parts = _of_table(table_id, await ledger.store.read(table_id), asked)
        except Exception as error:
            if is_outage(error):
                raise
            LOG.exception("table %s: the log cannot be read, so it is left out of somebody's data", table_id)
            found["unreadable"].append(table_id)
        else:
            for part, what in parts.items():
                found[part][table_id] = what
    return found


def _of_table(table_id: str, log: Sequence[Logged], asked: _Asked) -> dict[str, Any]:
    """What there is of one table, by the part of the whole where it belongs; nothing of one that was cleared away."""
    if not log:
        return {}
    table = replay(table_id, log)
    sits = table.seat_of(asked.person.id) is not None
    parts: dict[str, Any] = {"chat": chat(log, asked.person, sits=sits)}
    if not sits:
        parts["left"] = names_of(log, asked.person)
    elif table.status == "over" and table.game is not None:
        parts["records"] = record(table, made_at=log[0].at)
    else:
        preparing = asked.bots_preparing(table)
        parts["looks"] = table_view(table, asked.person, now=asked.now(), bots_preparing=preparing).to_json()
    return {part: what for part, what in parts.items() if what}


async def _tables(house: House, device: Person) -> list[MyTable]:
    page = await house.tables_of(device)
    found = [*page.going_on, *page.over]
    while page.more is not None:
        page = await house.tables_of(device, before=page.more)
        found += page.over
    return found


def chat(log: Sequence[Logged], person: Person, *, sits: bool) -> list[dict[str, Any]]:
    """All messages of a table at which they sit, or those that they wrote themselves where they sit no more."""
    mine = held_by(log, person.id)
    found, names = [], dict[int, str]()
    number = 0
    for seq, one in enumerate(log, 1):
        match one.event:
            case Sat(seat=seat, name=name):
                names[seat] = name
            case Spoke(seat=seat, text=text):
                number += 1
                if text and (sits or seq in mine):
                    words = {"number": number, "seat": seat, "name": names[seat], "text": text}
                    found.append(words | {"at": one.at, "mine": seq in mine})
    return found


def names_of(log: Sequence[Logged], person: Person) -> list[str]:
    """The names under which somebody has sat, each once."""
    mine = held_by(log, person.id)
    sat = (one.event for seq, one in enumerate(log, 1) if seq in mine and isinstance(one.event, Sat))
    return list(dict.fromkeys(event.name for event in sat))
