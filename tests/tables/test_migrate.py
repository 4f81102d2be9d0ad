"""The schema of the database: the migrations make exactly what the code works with, and nobody else's is touched."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, text
from sqlalchemy.engine import Connection, Engine, make_url

from cli.processes import next_line
from overtrick.tables import migrate
from overtrick.tables.database import InvalidDatabase, address_of
from overtrick.tables.migrate import Schema, Unusable
from overtrick.tables.migrations.versions.v0005_forgotten import NEXT
from overtrick.tables.schema import METADATA
from overtrick.tables.store import Store
from overtrick.tables.traces import tables_naming
from overtrick.tables.transactions import InThreads, OnLoop
from tables.before_migrations import BEFORE_MIGRATIONS
from tables.databases import transactions

pytestmark = pytest.mark.anyio

OPENER = Path(__file__).with_name("opener.py")


async def run(url: str, *statements: str) -> None:
    def execute(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    async with transactions(url) as there:
        await there.write(execute)


async def before_migrations(url: str) -> None:
    """What the versions before there were migrations made, with a table in it."""
    await run(
        url,
        *BEFORE_MIGRATIONS[make_url(url).get_backend_name()],
        "INSERT INTO tables VALUES ('t', 'token', 'over', true, false, 0, 7, 8, '{}')",
    )


def with_remains(file: Path) -> None:
    """Delete something from a database as the versions did that did not overwrite it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        for number in range(100):
            row = (f"gone {number}", f"token {number}", "over", True, False, 0, 7, 8, "Somebody once" * 300)
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        connection.execute("DELETE FROM tables WHERE id LIKE 'gone %'")
        connection.commit()
    assert b"Somebody once" in file.read_bytes()


async def migrated(url: str) -> Schema:
    return await anyio.to_thread.run_sync(migrate.migrate, url)


async def differences(url: str) -> list[Any]:
    """What `METADATA` has that the database has not, and the other way round."""

    def compare(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        found: list[Any] = compare_metadata(context, METADATA)
        return found

    async with transactions(url) as there:
        return await there.read(compare)


async def test_the_migrations_make_exactly_what_the_code_works_with(url: str) -> None:
    assert (await migrated(url)).state == "empty"
    assert await differences(url) == []


async def test_opening_an_empty_database_makes_the_same(url: str) -> None:
    await (await Store.open(url)).close()
    assert await differences(url) == []
    assert await migrated(url) == Schema(migrate.newest(), "newest")


async def test_a_column_too_many_would_be_noticed(url: str) -> None:
    await migrated(url)
    await run(url, "ALTER TABLE tables ADD COLUMN more INTEGER")
    assert len(await differences(url)) == 1


async def test_a_database_from_before_migrations_is_recognised_and_keeps_what_it_has(url: str) -> None:
    await before_migrations(url)
    with pytest.raises(Unusable, match="run overtrick migrate") as refused:
        await Store.open(url)
    assert refused.value.params == {"found": migrate.FIRST, "newest": migrate.newest()}
    assert await migrated(url) == Schema(migrate.FIRST, "older", marked=False)
    assert await differences(url) == []
    store = await Store.open(url)
    assert await store.made_at("t") == 7
    await store.close()


async def test_whom_the_logs_name_is_found_out_and_what_was_deleted_is_gone(url: str) -> None:
    await before_migrations(url)
    ann, ben = "a" * 64, "b" * 64
    log = [("made", {"host": ann}), ("sat", {"seat": 0, "person": ann, "name": "Ann"})]
    log += [
        ("sat", {"seat": 1, "person": ben, "name": "Ben"}),
        ("freed", {"seat": 1}),
        ("hosted", {"person": ""}),
    ]
    for seq, (kind, data) in enumerate(log, 1):
        row = f"'t', {seq}, '{kind}', 1, 1, 7, '{json.dumps(data)}'".replace(":", "\\:")
        await run(url, f"INSERT INTO events VALUES ({row})")
    if url.startswith("sqlite"):
        with_remains(Path(url.removeprefix("sqlite:///")))
    await migrated(url)
    store = await Store.open(url)
    assert [await tables_naming(store, person) for person in (ann, ben, "")] == [["t"], ["t"], []]
    await store.close()
    if url.startswith("sqlite"):
        assert b"Somebody once" not in Path(url.removeprefix("sqlite:///")).read_bytes()


async def test_a_file_that_could_not_be_written_anew_is_so_the_next_time(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    url = f"sqlite:///{file}"
    await before_migrations(url)
    with_remains(file)
    with closing(sqlite3.connect(file)) as somebody:
        somebody.execute("BEGIN")
        somebody.execute("SELECT * FROM tables").fetchone()
        with pytest.raises(Unusable, match=r"still holds what earlier versions deleted.*is reading it"):
            await migrated(url)
        assert b"Somebody once" in file.read_bytes()
    for _ in range(2):
        assert (await migrated(url)).state == "newest"
        assert b"Somebody once" not in file.read_bytes()


async def test_only_a_file_of_before_deleting_overwrote_is_written_anew(tmp_path: Path) -> None:
    for revision, anew in (("0004", True), ("0005", False)):
        found = Schema(revision, "older")
        assert migrate.leaves_remains(found) == anew


async def test_each_part_of_the_log_is_found_by_its_index(url: str) -> None:
    """However long a log is, the migration reads it once."""
    await migrated(url)
    sqlite = url.startswith("sqlite")

    def plan_of(connection: Connection) -> str:
        query = text(NEXT).bindparams(table_id="t", seq=5, most=10)
        compiled = query.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        if not sqlite:
            connection.execute(text("SET enable_seqscan = off"))
            connection.execute(text("SET enable_bitmapscan = off"))
        explain = "EXPLAIN QUERY PLAN" if sqlite else "EXPLAIN"
        return str(connection.execute(text(f"{explain} {compiled}")).all())

    async with transactions(url) as there:
        plan = await there.read(plan_of)
    assert ("(table_id,seq)>(?,?)" if sqlite else "Index Cond: (ROW(") in plan, plan


async def test_a_schema_whose_commit_fails_is_not_there(url: str) -> None:
    """A schema fits in memory, so a full disk tells at the commit."""

    def commit(_connection: Connection) -> None:
        raise OSError("no room is left")

    event.listen(Engine, "commit", commit)
    try:
        for use in (Store.open, migrated):
            with pytest.raises(Unusable, match="no room is left") as refused:
                await use(url)
            assert refused.value.kind == "unavailable"
    finally:
        event.remove(Engine, "commit", commit)
    assert (await migrated(url)).state == "empty"


async def test_who_has_waited_in_vain_is_told_so(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(*_: object) -> None:
        async with asyncio.timeout(0):
            await asyncio.sleep(60)

    for kind in (InThreads, OnLoop):
        monkeypatch.setattr(kind, "read", late)
    with pytest.raises(Unusable, match="TimeoutError"):
        await Store.open(url)


async def test_a_newer_database_is_left_alone(url: str) -> None:
    await migrated(url)
    await run(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(Unusable, match="schema 9999, which this version of Overtrick does not know"):
        await Store.open(url)
    with pytest.raises(Unusable, match="schema 9999"):
        await migrated(url)
    await run(url, f"UPDATE alembic_version SET version_num = '{migrate.newest()}'")
    assert await differences(url) == []


async def test_tables_of_other_programs_are_left_alone(url: str) -> None:
    await run(url, "CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT)")
    for use in (Store.open, migrated):
        with pytest.raises(Unusable, match="other programs"):
            await use(url)
    await run(url, "INSERT INTO events VALUES (1, 'a concert')")


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise OSError("the power is gone")

    monkeypatch.setattr(migrate.command, "upgrade", fail)
    await before_migrations(url)
    with pytest.raises(Unusable, match="the power is gone"):
        await migrated(url)
    with pytest.raises(Unusable, match="run overtrick migrate"):
        await Store.open(url)


async def test_two_processes_that_open_a_new_database_at_once_make_it_once(url: str) -> None:
    path = os.pathsep.join([str(OPENER.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, str(OPENER), url]
    openers = [
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        for _ in range(2)
    ]
    for opener in openers:  # both have imported what they need, so that they set out together
        assert next_line(opener) == "ready\n"
    for opener in openers:
        assert opener.stdin is not None
        opener.stdin.write("go\n")
        opener.stdin.flush()
    assert [opener.communicate(timeout=60)[0] for opener in openers] == ["open\n"] * 2
    assert await differences(url) == []
    store = await Store.open(url)
    marks = await store.rows(text("SELECT version_num FROM alembic_version"))
    assert [mark[0] for mark in marks] == [migrate.newest()]
    await store.close()


def test_the_migrations_are_numbered_in_one_line() -> None:
    numbers = [
        script.revision for script in ScriptDirectory.from_config(migrate.config_for()).walk_revisions()
    ]
    assert sorted(numbers) == [f"{number:04}" for number in range(1, len(numbers) + 1)]


@pytest.mark.parametrize(
    "url",
    [
        "mysql://x/y",
        "postgresql",
        "",
        "postgresql://host:port/x",
        "sqlite+pysqlite:///x",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:x?uri=true",
    ],
)
def test_an_address_of_no_known_database_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InvalidDatabase, match="must look like"):
        address_of(url)


@pytest.mark.parametrize("kind", ["sqlite", "sqlite+aiosqlite"])
def test_an_address_of_sqlite_means_the_driver_of_the_library_also_as_earlier_versions_wrote_it(
    kind: str,
) -> None:
    assert address_of(f"{kind}:///b/c").drivername == "sqlite"


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_an_address_of_postgresql_means_the_asynchronous_driver(kind: str) -> None:
    assert address_of(f"{kind}://a@b/c").drivername == "postgresql+asyncpg"


async def test_a_database_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/no/folder/x.db", "postgresql://a:secret@127.0.0.1:1/c"):
        with pytest.raises(Unusable, match="cannot be used") as refused:
            await Store.open(url)
        assert "secret" not in str(refused.value)
