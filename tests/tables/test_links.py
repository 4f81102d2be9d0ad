"""A seat's private link: who it lets in, whom it shuts out, and where its secret is not."""

from __future__ import annotations

import dataclasses
import json

import pytest
from msgspec import structs
from sqlalchemy import text

from overtrick.tables import House, Person, Refused, refusals
from overtrick.tables.commands import Again, Join, Leave, Move, Relink, Sit, Start
from overtrick.tables.events import EVENTS
from overtrick.tables.links import LENGTH, MOST_DEVICES, SeatLinks
from tables.setting import (
    ANN,
    BEN,
    CAT,
    DAN,
    SeededEntropy,
    give_up,
    making,
    playing,
    until,
    waiting,
    watched,
)

pytestmark = pytest.mark.anyio

KEY = b"k" * 32


async def seated(house: House) -> str:
    """A game between Ann (host) and Ben, begun."""
    table_id = await house.make(ANN, making("duet", dealer=0))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    return table_id


async def refused(house: House, table_id: str, person: Person, secret: str) -> str:
    seq = (await house.look(table_id, ANN)).seq
    with pytest.raises(Refused) as error:
        await house.act(table_id, person, Join(secret))
    assert (await house.look(table_id, ANN)).seq == seq
    return error.value.kind


async def test_the_link_lets_another_device_hold_the_same_seat(house: House) -> None:
    table_id = await seated(house)
    secret = await house.link(table_id, BEN)
    view = await house.act(table_id, CAT, Join(secret))
    assert view.me == 1
    assert view.view is not None
    assert view.view.to_json() == (await house.look(table_id, BEN)).view.to_json()  # type: ignore[union-attr]
    seq = view.seq
    # A second time, from either device, nothing happens.
    assert (await house.act(table_id, CAT, Join(secret))).seq == seq
    assert (await house.act(table_id, BEN, Join(secret))).seq == seq
    # Each device acts, and what one has done is done for both.
    move = view.view.legal[0]
    assert (await house.act(table_id, CAT, Move(0, move))).ply == 1
    assert (await house.act(table_id, BEN, Move(0, move))).ply == 1
    assert [table.id for table in (await house.tables_of(CAT)).going_on] == [table_id]


async def test_a_device_that_shares_the_hosts_seat_is_the_host_too(house: House) -> None:
    table_id = await house.make(ANN, making("duet", dealer=0))
    view = await house.act(table_id, CAT, Join(await house.link(table_id, ANN)))
    assert (view.is_host, view.seats[0].is_host) == (True, True)
    await house.act(table_id, BEN, Sit(1, "Ben"))
    assert (await house.look(table_id, BEN)).is_host is False
    assert (await house.act(table_id, CAT, Start())).status == "playing"
    await give_up(house, table_id, CAT, BEN)
    again = (await house.act(table_id, BEN, Again())).next_table
    assert again is not None
    assert [(await house.look(again, person)).me for person in (ANN, CAT, BEN)] == [0, 0, 1]


async def test_a_renewed_link_shuts_every_other_device_out_at_once(house: House) -> None:
    table_id = await seated(house)
    old = await house.link(table_id, ANN)
    await house.act(table_id, CAT, Join(old))
    looks = watched(house, table_id, ANN)
    assert (await anext(looks)).me == 0
    view = await house.act(table_id, CAT, Relink())
    assert (view.me, view.is_host, view.seats[0].name) == (0, True, "Ann")
    pushed = await anext(looks)
    assert (pushed.me, pushed.is_host) == (None, False)
    assert pushed.view is not None
    assert pushed.view.seat is None
    assert pushed.view.to_json() == (await house.look(table_id, DAN)).view.to_json()  # type: ignore[union-attr]
    await looks.aclose()
    with pytest.raises(Refused) as error:
        await house.act(table_id, ANN, Move(0, "play:D1"))
    assert error.value.kind == "forbidden"
    with pytest.raises(Refused):
        await house.link(table_id, ANN)
    assert await refused(house, table_id, ANN, old) == "unknown"
    assert (await house.tables_of(ANN)).going_on == ()
    new = await house.link(table_id, CAT)
    assert new != old
    assert (await house.act(table_id, ANN, Join(new))).me == 0


async def test_who_is_shut_out_is_told_so_until_they_hold_a_seat_again_and_nobody_else_is(
    house: House,
) -> None:
    table_id = await seated(house)
    await house.act(table_id, CAT, Join(await house.link(table_id, ANN)))
    await house.act(table_id, CAT, Relink())

    async def told() -> list[bool]:
        return [(await house.look(table_id, person)).shut_out for person in (ANN, BEN, CAT, DAN, None)]

    assert await told() == [True, False, False, False, False]
    await house.act(table_id, ANN, Join(await house.link(table_id, CAT)))
    assert await told() == [False] * 5


async def test_who_is_shut_out_of_a_table_that_nobody_may_watch_reads_that_and_no_more(house: House) -> None:
    table_id = await house.make(ANN, making("duet", watching="nobody"))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, CAT, Join(await house.link(table_id, ANN)))
    await house.act(table_id, ANN, Start())
    looks = watched(house, table_id, CAT)
    assert (await anext(looks)).me == 0
    await house.act(table_id, ANN, Relink())
    with pytest.raises(Refused) as pushed:
        await anext(looks)
    await looks.aclose()
    for person, reason in ((CAT, refusals.SHUT_OUT), (DAN, refusals.NOT_SHOWN)):
        with pytest.raises(Refused) as error:
            await house.look(table_id, person)
        assert (error.value.msgid, error.value.kind) == (reason.msgid, "forbidden")
    assert pushed.value.msgid == refusals.SHUT_OUT.msgid


async def test_the_link_of_who_sat_there_before_does_not_lead_to_the_seat(house: House) -> None:
    table_id = await house.make(ANN, making("duet"))
    for person, name in ((BEN, "Ben"), (CAT, "Cat"), (BEN, "Ben")):
        await house.act(table_id, person, Sit(1, name))
        secret = await house.link(table_id, person)
        await house.act(table_id, person, Leave())
        assert await refused(house, table_id, DAN, secret) == "unknown"
        await house.act(table_id, DAN, Sit(1, "Dan"))
        assert await refused(house, table_id, person, secret) == "unknown"
        await house.act(table_id, DAN, Leave())


async def test_a_link_leads_to_one_seat_of_one_table(house: House) -> None:
    one, other = await seated(house), await house.make(ANN, making("duet", token="2"))
    secret = await house.link(one, ANN)
    assert await refused(house, other, CAT, secret) == "unknown"
    assert await refused(house, one, BEN, secret) == "forbidden"
    wrong = ["", "x", secret[:-1], secret.upper(), secret + "a", "é" * LENGTH, "\ud800", "a" * 10_000]
    for said in wrong:
        assert await refused(house, one, CAT, said) == "unknown"


async def test_so_many_devices_and_no_more(house: House) -> None:
    table_id = await seated(house)
    secret = await house.link(table_id, ANN)
    for number in range(MOST_DEVICES - 1):
        await house.act(table_id, Person(f"device {number}"), Join(secret))
    assert await refused(house, table_id, CAT, secret) == "full"


async def test_the_same_link_is_shown_after_a_restart(url: str) -> None:
    links = []
    for seed in (1, 2):
        house = await House.open(url, pace=0, entropy=SeededEntropy(seed), key=KEY)
        table_id = await house.make(ANN, making("duet", token="same"))
        links.append(await house.link(table_id, ANN))
        await house.close()
    assert links[0] == links[1]
    assert len(links[0]) == LENGTH


async def test_the_secret_is_neither_in_the_log_nor_in_any_row_nor_in_what_is_shown(url: str) -> None:
    house = await House.open(url, pace=0, entropy=SeededEntropy(1), key=KEY)
    table_id = await seated(house)
    secret = await house.link(table_id, ANN)
    await house.act(table_id, CAT, Join(secret))
    views = [await house.look(table_id, person) for person in (ANN, BEN, CAT, None)]
    await give_up(house, table_id, CAT, BEN)
    shown = json.dumps([view.to_json() for view in views]) + json.dumps(await house.record(table_id, None))
    for name in ("events", "tables", "seats"):
        shown += repr(await house._ledger.store.rows(text(f"SELECT * FROM {name}")))
    assert table_id in shown
    assert secret not in shown
    assert not any("secret" in {f.name for f in dataclasses.fields(kind)} for kind in EVENTS.values())
    await house.close()


async def test_a_spectator_who_joins_is_pushed_the_hand(house: House) -> None:
    table_id = await seated(house)
    looks = watched(house, table_id, CAT)
    assert (await anext(looks)).me is None
    await looks.aclose()
    await house.act(table_id, CAT, Join(await house.link(table_id, ANN)))
    assert (await until(house, table_id, CAT, lambda view: view.me == 0)).me == 0


def test_keys_tables_seats_and_tenants_make_different_secrets() -> None:
    one, two = playing("duet").table, waiting("duet").table
    other = structs.replace(one, id="u")
    links = SeatLinks(KEY)
    found = [
        links.secret(one, 0),
        links.secret(one, 1),
        links.secret(other, 0),
        SeatLinks(b"x").secret(one, 0),
    ]
    assert len(set(found)) == 4
    assert links.secret(two, 0) == found[0], "a start changes no link"
