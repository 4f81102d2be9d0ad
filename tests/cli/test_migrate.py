"""`overtrick migrate`, and what `overtrick serve` says of a database that it cannot work with."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from overtrick.tables import migrate
from servers import Postgres
from tables.before_migrations import BEFORE_MIGRATIONS

PATIENCE = 120.0


def overtrick(*words: str, **environment: str) -> tuple[int, str, str]:
    """Run the command to its end: status, output, errors."""
    done = subprocess.run(
        [sys.executable, "-m", "overtrick", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_it_makes_the_schema_of_a_new_file_and_finds_it_the_next_time(tmp_path: Path) -> None:
    data = str(tmp_path / "new")
    made = f"Made the schema of an empty database: {migrate.newest()}.\n"
    assert overtrick("migrate", "--data", data) == (0, made, "")
    found = f"The database has the newest schema already: {migrate.newest()}.\n"
    assert overtrick("migrate", "--data", data) == (0, found, "")


def test_a_database_in_postgresql_is_named_by_the_environment(postgres: Postgres) -> None:
    made = f"Made the schema of an empty database: {migrate.newest()}.\n"
    assert overtrick("migrate", OVERTRICK_DATABASE_URL=postgres.new_url()) == (0, made, "")


def test_a_server_says_what_to_do_about_an_older_and_a_newer_schema(tmp_path: Path) -> None:
    file = sqlite3.connect(tmp_path / "overtrick.sqlite3")
    file.executescript(";".join(BEFORE_MIGRATIONS["sqlite"]))
    file.commit()
    status, _, errors = overtrick("serve", "--port", "0", "--data", str(tmp_path))
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.endswith("stop all servers, make a backup and run overtrick migrate.\n")
    file.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    file.execute("INSERT INTO alembic_version VALUES ('9999')")
    file.commit()
    file.close()
    for words in (("serve", "--port", "0"), ("migrate",)):
        status, _, errors = overtrick(*words, "--data", str(tmp_path))
        assert (status, errors.count("\n")) == (1, 1)
        assert errors.startswith(
            "The database has schema 9999, which this version of Overtrick does not know;"
        )


@pytest.mark.parametrize(
    ("command", "url", "sentence"),
    [
        (
            "serve --port 0",
            "mysql://me:secret@host/x",
            "database_url must look like sqlite:///FILE or postgresql://",
        ),
        ("serve --port 0", "postgresql://me:secret@127.0.0.1:1/x", "The database cannot be used: "),
        (
            "migrate",
            "sqlite:////no/such/folder/x.db",
            "The database cannot be used: unable to open database file",
        ),
    ],
)
def test_a_database_that_cannot_be_used_is_a_sentence(
    tmp_path: Path, command: str, url: str, sentence: str
) -> None:
    status, _, errors = overtrick(*command.split(), "--data", str(tmp_path), "--database-url", url)
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith(sentence)
    assert "secret" not in errors
