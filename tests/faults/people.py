"""People who play on through faults: they repeat what was refused for a fault, and note what was answered."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

import anyio

from overtrick.games import Record
from overtrick.tables import House, Person, Refused
from overtrick.tables.commands import Move, Sit, Start
from overtrick.tables.record import record
from overtrick.tables.table import Table
from tables.setting import ANN, BEN, making, read_table

LONG = os.environ.get("OVERTRICK_FAULTS") == "long"
"""Whether faults last, and are repeated, for as long as a night's run takes."""
BETWEEN_TRIES = 0.05
"""Seconds between two tries of the same command."""


@dataclass
class Notes:
    """What the house has said: the answered moves of each table by ply, and refusals for a fault."""

    answered: dict[tuple[str, int], str] = field(default_factory=dict)
    refused: int = 0


async def seated(house: House, token: str = "token", *, partner: str = "friend") -> str:
    """A table of Duet, begun: Ann leads; Ben is her partner unless that is a bot."""
    table_id = await house.make(ANN, making("duet", token=token, seats=("me", partner), dealer=1))
    if partner == "friend":
        await house.act(table_id, BEN, Sit(1, "Ben"))
    await house.act(table_id, ANN, Start())
    return table_id


async def play_on(house: House, table_id: str, person: Person, notes: Notes) -> None:
    """Play one seat until the game is over, whatever happens to the database."""
    rng = random.Random(f"{table_id} {person.id}")
    while True:
        view = await house.look(table_id, person)
        if view.status == "over":
            return
        if view.view is None or not view.view.legal:
            await anyio.sleep(BETWEEN_TRIES / 10)
            continue
        command = Move(view.ply, rng.choice(view.view.legal))
        while True:
            try:
                await house.act(table_id, person, command)
                break
            except Refused as refused:
                if refused.kind != "unavailable":
                    raise
                notes.refused += 1
                await anyio.sleep(BETWEEN_TRIES)
        notes.answered[table_id, command.ply] = command.move


def first_move(table: Table) -> Move:
    """A move that whoever is to act may make."""
    assert table.position is not None
    return Move(table.ply, table.position.view(table.to_act).legal[0])


async def assert_whole(url: str, table_id: str, notes: Notes) -> Table:
    """Each answered move stands at its ply and once; a game that is over has a sound record."""
    table = await read_table(url, table_id)
    answered = {ply: move for (table_of, ply), move in notes.answered.items() if table_of == table_id}
    assert {ply: table.moves[ply].said for ply in answered} == answered
    if table.status == "over":
        replayed = Record.of(record(table, made_at=None)).replay()
        assert replayed.error is None
        assert replayed.position.over
    return table
