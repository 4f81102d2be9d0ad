"""What a person gets who asks for their data: all of it, and nothing of what they may not know."""

from __future__ import annotations

import json

import pytest

from overtrick.tables import House, MyTables, Person
from overtrick.tables.commands import Leave, Say, Sit, Start
from overtrick.tables.events import Logged
from tables.databases import do
from tables.setting import ANN, BEN, CAT, DAN, give_up, making

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"


async def game(house: House, game: str = "duet") -> str:
    """A game of Ann and Ben, begun, at which Cat sat for a while; all three have written something."""
    friends = ("friend",) * (1 if game == "duet" else 3)
    table_id = await house.make(ANN, making(game, seats=("me", *friends), token=game))
    await house.act(table_id, CAT, Sit(1, "Cat"))
    await house.act(table_id, CAT, Say("c", "words of Cat"))
    await house.act(table_id, CAT, Leave())
    for seat, (person, name) in enumerate(((BEN, "Ben"), (DAN, "Dan"), (CAT, "Cat again")), 1):
        if seat <= len(friends):
            await house.act(table_id, person, Sit(seat, name))
    for person, name in ((ANN, "Ann"), (BEN, "Ben")):
        await house.act(table_id, person, Say(name, f"words of {name}"))
    await house.act(table_id, ANN, Start())
    return table_id


async def test_an_account_its_devices_its_games_and_their_chat_are_in_it(house: House) -> None:
    over = await game(house)
    await give_up(house, over, ANN, BEN)
    await house.people.claim(ANN, "Ann", PASSWORD)
    await house.people.log_in(DAN, "Ann", PASSWORD)
    data = await house.data_of(DAN)
    assert data == await house.data_of(ANN)
    assert (data["account"]["name"], len(data["devices"])) == ("Ann", 2)
    assert [table["id"] for table in data["tables"]] == list(data["records"]) == [over]
    assert [(one["number"], one["name"], one["text"], one["mine"]) for one in data["chat"][over]] == [
        (1, "Cat", "words of Cat", False),
        (2, "Ann", "words of Ann", True),
        (3, "Ben", "words of Ben", False),
    ]
    assert (data["looks"], data["left"]) == ({}, {})
    json.dumps(data)


async def test_who_has_left_gets_their_own_words_and_name_alone(house: House) -> None:
    table_id = await game(house)
    data = await house.data_of(CAT)
    assert [one["text"] for one in data["chat"][table_id]] == ["words of Cat"]
    assert data["left"] == {table_id: ["Cat"]}
    assert (data["tables"], data["looks"], data["records"]) == ([], {}, {})


async def test_all_that_was_written_is_in_it_not_only_what_is_shown(house: House) -> None:
    table_id = await game(house)
    await give_up(house, table_id, ANN, BEN)
    for number in range(110):
        for person in (ANN, BEN):
            if number % 20 == 0:  # a minute goes by for the limit on messages
                now = house._ledger.now() + 61_000
                house._ledger.now = lambda now=now: now  # type: ignore[misc]
            await house.act(table_id, person, Say(f"n{number}", f"line {number}"))
    assert len((await house.look(table_id, ANN)).chat) == 100
    chat = (await house.data_of(ANN))["chat"][table_id]
    assert (len(chat), sum(one["mine"] for one in chat)) == (223, 111)


@pytest.mark.parametrize("name", ["luz", "duet"])
async def test_a_game_that_goes_on_is_in_it_as_its_person_sees_it(house: House, name: str) -> None:
    table_id = await game(house, name)
    for person in (ANN, BEN):
        data = await house.data_of(person)
        seen = (await house.look(table_id, person)).to_json()
        assert data["looks"] == {table_id: seen}
        others = {key: value for key, value in data.items() if key != "looks"}
        assert not any(word in json.dumps(others) for word in ('"hands"', '"deal"', '"nonce"', '"seals"'))


async def test_who_was_never_here_gets_nothing(house: House) -> None:
    await game(house)
    assert not any((await house.data_of(DAN)).values())


async def test_a_table_that_cannot_be_read_is_left_out_and_named(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    over, running = await game(house), await game(house, "luz")
    await give_up(house, over, ANN, BEN)
    waiting = await house.make(ANN, making("duet", token="waiting"))
    await do(house, "UPDATE events SET version = 99 WHERE table_id = :id AND seq = 2", id=over)
    for person in (ANN, CAT):
        data = await house.data_of(person)
        assert data["unreadable"] == [over]
        assert set(data["looks"]) == ({waiting, running} if person == ANN else {running})
        assert (data["records"], over in data["chat"]) == ({}, False)
    assert f"table {over}" in caplog.text


async def test_a_table_that_is_left_while_the_data_is_gathered_is_no_trouble(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.make(ANN, making("duet", token="t"))
    cleared = await house.make(BEN, making("duet", token="c"))
    for at in (table_id, cleared):
        await house.act(at, CAT, Sit(1, "Cat"))
    tables_of = house.tables_of

    async def then_leaves(person: Person) -> MyTables:
        found = await tables_of(person)
        await house.act(table_id, CAT, Leave())
        await house._ledger.forget(cleared)
        return found

    monkeypatch.setattr(house, "tables_of", then_leaves)
    data = await house.data_of(CAT)
    assert (data["looks"], data["left"], data["unreadable"]) == ({}, {table_id: ["Cat"]}, [])


async def test_each_log_is_read_once_and_stays_out_of_memory(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await game(house), await game(house, "luz")]
    await give_up(house, tables[0], ANN, BEN)
    for table_id in tables:
        house._ledger._drop(table_id)
    read, store_read = [], house._ledger.store.read

    async def counted(table_id: str, *, after: int = 0) -> list[Logged]:
        read.append(table_id)
        return await store_read(table_id, after=after)

    monkeypatch.setattr(house._ledger.store, "read", counted)
    data = await house.data_of(ANN)
    assert sorted(read) == sorted(tables)
    assert not house._ledger._kept
    assert (list(data["records"]), list(data["looks"]), len(data["chat"])) == ([tables[0]], [tables[1]], 2)
    assert data["records"][tables[0]] == await house.record(tables[0], ANN)
