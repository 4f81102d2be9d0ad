"""Who may look at a table, and what a watcher gets."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from overtrick.tables import House, Person, Refused, TableView
from overtrick.tables.commands import Again, Leave, Move, ProposeEnd, Say, SeatBot, Sit, Start
from overtrick.tables.entropy import _ID_LENGTH, _LETTERS, SystemEntropy
from overtrick.tables.redact import table_view
from overtrick.tables.watching import WATCHING, may_look
from tables.setting import ANN, BEN, BOT, give_up, making, watched

pytestmark = pytest.mark.anyio

EVE = Person("e" * 64)
STRANGERS = (EVE, None)


async def of_two(house: House, watching: str = "nobody", **changes: Any) -> str:
    """A table of Duet that Ann has made, with a seat for Ben."""
    return await house.make(ANN, making("duet", watching=watching, dealer=1, **changes))


async def begun(house: House, watching: str = "nobody", **changes: Any) -> str:
    table_id = await of_two(house, watching, **changes)
    await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    return table_id


async def refusal(house: House, table_id: str, person: Person | None, way: str) -> str:
    """With what words somebody is turned away who wants to look in one of the three ways."""
    ways: dict[str, Callable[[], Awaitable[Any]]] = {
        "look": lambda: house.look(table_id, person),
        "record": lambda: house.record(table_id, person),
        "watch": lambda: anext(watched(house, table_id, person)),
    }
    with pytest.raises(Refused) as refused:
        await ways[way]()
    assert refused.value.kind == "forbidden"
    return str(refused.value)


@pytest.mark.parametrize("way", ["look", "watch", "record"])
async def test_a_table_for_nobody_turns_strangers_away_with_the_same_words_all_the_time(
    house: House, way: str
) -> None:
    table_id = await of_two(house)
    await house.act(table_id, BEN, Sit(1, "Ben"))
    said = {await refusal(house, table_id, person, way) for person in STRANGERS}
    await house.act(table_id, ANN, Start())
    said |= {await refusal(house, table_id, person, way) for person in STRANGERS}
    await give_up(house, table_id, ANN, BEN)
    said |= {await refusal(house, table_id, person, way) for person in STRANGERS}
    assert len(said) == 1
    assert (await house.look(table_id, BEN)).status == "over"
    assert (await house.record(table_id, ANN))["moves"] == ["resign"]


async def test_whatever_a_stranger_does_at_a_table_for_nobody_gets_the_same_answer(house: House) -> None:
    table_id = await begun(house)
    said = set()
    commands = (
        Sit(0, "Eve"), Sit(9, "Eve"), Leave(), SeatBot(0, "uniform"), Start(), Move(0, "play:D1"), ProposeEnd(0),
        Again(), Say("t", "Hello"),
    )  # fmt: skip
    for command in commands:
        with pytest.raises(Refused) as refused:
            await house.act(table_id, EVE, command)
        said.add((refused.value.kind, str(refused.value)))
    assert len(said) == 1


async def test_whoever_has_the_link_finds_the_free_seat_of_a_table_for_nobody_and_no_more(
    house: House,
) -> None:
    table_id = await of_two(house)
    await house.act(table_id, ANN, Say("t", "The key is under the mat"))
    view = await house.look(table_id, EVE)
    assert (view.status, view.me, view.chat) == ("waiting", None, ())
    seen = await house.act(table_id, EVE, Sit(1, "Eve"))
    assert [message.text for message in seen.chat] == ["The key is under the mat"]


async def test_a_stranger_who_looks_on_is_let_go_as_the_last_seat_is_taken(house: House) -> None:
    table_id = await of_two(house)
    looks = watched(house, table_id, EVE)
    assert (await anext(looks)).status == "waiting"
    await house.act(table_id, BEN, Sit(1, "Ben"))
    with pytest.raises(Refused) as refused, anyio.fail_after(10):
        await anext(looks)
    assert refused.value.kind == "forbidden"
    assert not house._ledger.hub.watched(table_id)


async def test_a_host_without_a_seat_sees_the_public_view(house: House) -> None:
    table_id = await house.make(ANN, making("duet", watching="nobody", seats=(BOT, "friend")))
    await house.act(table_id, BEN, Sit(1, "Ben"))
    view = await house.act(table_id, ANN, Start())
    assert view.view is not None
    assert (view.me, view.view.seat) == (None, None)


@pytest.mark.parametrize("watching", ["link", "everybody"])
@pytest.mark.parametrize("person", STRANGERS)
async def test_who_may_watch_sees_hands_only_once_the_game_is_over(
    house: House, watching: str, person: Person | None
) -> None:
    table_id = await begun(house, watching)
    assert hands(await house.look(table_id, person)) == [None, None]
    await give_up(house, table_id, ANN, BEN)
    assert None not in hands(await house.look(table_id, person))
    assert len((await house.record(table_id, person))["deals"]) == 1


def hands(view: TableView) -> list[Any]:
    assert view.view is not None
    found: list[Any] = view.view.to_json()["hands"]
    return found


async def test_the_front_page_lists_what_everybody_may_watch_while_it_is_played(house: House) -> None:
    tables = {watching: await begun(house, watching, token=watching, public=True) for watching in WATCHING}
    assert [table.id for table in await house.games_to_watch()] == [tables["everybody"]]
    assert await house.open_tables() == []
    await give_up(house, tables["everybody"], ANN, BEN)
    assert await house.games_to_watch() == []


@pytest.mark.parametrize("watching", WATCHING)
async def test_the_list_of_tables_to_join_has_nothing_to_do_with_who_may_watch(
    house: House, watching: str
) -> None:
    table_id = await of_two(house, watching, public=True)
    await of_two(house, watching, token="other")
    assert [table.id for table in await house.open_tables()] == [table_id]
    assert await house.games_to_watch() == []


async def test_the_next_table_is_watched_by_the_same_people(house: House) -> None:
    table_id = await begun(house, talk="off")
    await give_up(house, table_id, ANN, BEN)
    view = await house.act(table_id, ANN, Again())
    assert view.next_table is not None
    following = await house.look(view.next_table, BEN)
    assert (following.watching, following.talk) == ("nobody", "off")
    assert await refusal(house, view.next_table, EVE, "look")


@pytest.mark.parametrize("changes", [{"watching": "all"}, {"watching": ""}, {"talk": "loud"}, {"talk": ""}])
async def test_a_table_knows_no_other_choices(house: House, changes: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        await house.make(ANN, making("duet", **changes))
    assert refused.value.kind == "invalid"


async def test_one_who_looks_from_a_house_that_has_fallen_behind_is_not_turned_away(
    house: House, url: str
) -> None:
    table_id = await of_two(house)
    await house.act(table_id, EVE, Sit(1, "Eve"))
    other = await House.open(url, pace=0)
    await refusal(other, table_id, BEN, "look")
    await house.act(table_id, EVE, Leave())
    await house.act(table_id, BEN, Sit(1, "Ben"))
    assert (await other.look(table_id, BEN)).me == 1
    await other.close()


async def test_an_address_is_beyond_guessing(house: House) -> None:
    """Every id has more than 128 bits, each letter of them drawn from the system's randomness."""
    assert len(set(_LETTERS)) == len(_LETTERS)
    assert _ID_LENGTH * math.log2(len(_LETTERS)) > 128
    ids = [SystemEntropy().table_id() for _ in range(2000)]
    assert len(set(ids)) == len(ids)
    assert {len(table_id) for table_id in ids} == {_ID_LENGTH}
    for place in range(_ID_LENGTH):
        assert {table_id[place] for table_id in ids} == set(_LETTERS)


async def test_nobody_may_look_at_a_table_of_which_they_know_nothing(house: House) -> None:
    for person in (ANN, *STRANGERS):
        with pytest.raises(Refused) as refused:
            await house.look("unknown", person)
        assert refused.value.kind == "unknown"


async def test_each_choice_lets_these_people_look(house: House) -> None:
    for watching in WATCHING:
        table_id = await begun(house, watching, token=watching)
        table = await house._ledger.table(table_id)
        assert may_look(table, ANN)
        assert may_look(table, BEN)
        assert may_look(table, EVE) == (watching != "nobody")
        assert table_view(table, ANN).watching == watching
