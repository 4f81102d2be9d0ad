"""Settings: one place, environment and options, and a sentence for what cannot be."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from overtrick.web.settings import (
    InvalidSetting,
    Settings,
    help_of,
    user_data_folder,
    variable_of,
)


def test_every_setting_has_a_default_and_a_help_text() -> None:
    Settings()
    for entry in fields(Settings):
        assert help_of(entry.name).endswith(".")
        assert variable_of(entry.name) == f"OVERTRICK_{entry.name.upper()}"


def test_the_environment_is_read_and_options_go_before_it() -> None:
    environment = {"OVERTRICK_PORT": "9000", "OVERTRICK_PACE": "0.5", "OVERTRICK_HOST": "", "OTHER": "x"}
    settings = Settings.from_environment(environment, port=None, pace=2.0)
    assert (settings.port, settings.pace, settings.host) == (9000, 2.0, "127.0.0.1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "x"), ("port", "70000"), ("port", "-1"), ("pace", "-1"), ("pace", "nan"), ("pace", "61"),
        ("max_body", "1"), ("log_level", "loud"), ("base_url", "games.example.org"), ("base_url", "ftp://x"),
        ("base_url", "https://x/y"),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=name):
        Settings.from_environment({variable_of(name): value})


def test_the_database_is_a_file_in_the_data_folder_unless_given(tmp_path: Path) -> None:
    assert Settings(data=str(tmp_path)).database.endswith(f"{tmp_path}/overtrick.sqlite3")
    assert Settings(database_url="postgresql+asyncpg://x/y").database == "postgresql+asyncpg://x/y"


def test_the_data_folder_is_where_the_system_keeps_such_things() -> None:
    assert user_data_folder("linux", {"XDG_DATA_HOME": "/d"}) == Path("/d/overtrick")
    assert user_data_folder("linux", {}).parts[-3:] == (".local", "share", "overtrick")
    assert user_data_folder("darwin", {}).parts[-2:] == ("Application Support", "overtrick")
    assert user_data_folder("win32", {"LOCALAPPDATA": "/l"}) == Path("/l/overtrick")
