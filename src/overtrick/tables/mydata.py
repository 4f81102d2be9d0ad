"""All that is kept of one person, for that person to take along: built by allow-list, like a view.

Of a game that goes on it holds what they see now and no more; of others it holds what they wrote to the table while
they could be read, and their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from overtrick.tables.events import Logged, Sat, Spoke
from overtrick.tables.forgotten import held_by
from overtrick.tables.ledger import Ledger
from overtrick.tables.seats import Person
from overtrick.tables.traces import tables_naming

if TYPE_CHECKING:
    from overtrick.tables.mine import MyTable
    from overtrick.tables.runner import House


async def my_data(house: House, ledger: Ledger, device: Person) -> dict[str, Any]:
    """The account and its devices, every table with its chat, records of finished games, looks at the others.

    `left`: the names under which they once sat where they sit no more. Times are Unix time in milliseconds.
    """
    person, account = await house.people.who(device), await house.people.account(device)
    tables = await _tables(house, device)
    mine = {table.id: table for table in tables}
    found: dict[str, Any] = {
        "account": None if account is None else {"name": account.name, "made_at": account.made_at},
        "devices": await house.people.devices(person) if account else [],
        "tables": [table.to_json() for table in tables],
        "records": {one.id: await house.record(one.id, device) for one in tables if one.status == "over"},
        "looks": {
            one.id: (await house.look(one.id, device)).to_json() for one in tables if one.status != "over"
        },
        "chat": {},
        "left": {},
    }
    for table_id in await tables_naming(ledger.store, person.id):
        log = await ledger.store.read(table_id)
        if said := chat(log, person, sits=table_id in mine):
            found["chat"][table_id] = said
        if table_id not in mine and (names := names_of(log, person)):
            found["left"][table_id] = names
    return found


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
