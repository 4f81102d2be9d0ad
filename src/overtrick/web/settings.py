"""Every setting of the server, each written once: name, default, help.

A setting `name` is read from the environment as `OVERTRICK_NAME`; the command line has an option for the
common ones and takes its help from here.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from overtrick.errors import N_, OvertrickError

PREFIX = "OVERTRICK_"
_TOKEN = re.compile(r"[!-~]{16,200}")


class InvalidSetting(OvertrickError, ValueError):  # noqa: N818 - named as its siblings are
    """A setting whose value cannot be used; the message names it."""


def _setting(default: Any, help_text: str) -> Any:
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How one server runs.

    Raises `InvalidSetting` for a value that cannot be used.
    """

    host: str = _setting("127.0.0.1", "Address to listen on; 0.0.0.0 lets other machines in.")
    port: int = _setting(8000, "Port to listen on; 0 picks a free one.")
    data: str = _setting(
        "", "Folder of the database and the server's key; empty means your user data folder."
    )
    database_url: str = _setting(
        "",
        "Database, such as postgresql://USER:PASSWORD@HOST/NAME; empty means a SQLite file in the folder.",
    )
    base_url: str = _setting(
        "",
        "Address by which people reach the server, if not the one it listens on (https://games.example.org).",
    )
    allowed_hosts: str = _setting(
        "", "More names, separated by commas, by which people may reach the server."
    )
    redis_url: str = _setting(
        "",
        "Redis by which several processes tell each other of changes; empty means that they look into the database.",
    )
    workers: int = _setting(1, "Processes that serve the same address.")
    trusted_proxies: str = _setting(
        "127.0.0.1, ::1",
        "Addresses or networks of proxies, separated by commas, whose X-Forwarded-For and -Proto are believed.",
    )
    limit_looks: int = _setting(
        600,
        "Looks a minute for each person; an address has four times as many, as of all limits; 0: no limit.",
    )
    limit_acts: int = _setting(600, "Moves and other acts a minute for each person; 0: no limit.")
    limit_seats: int = _setting(
        60, "Taking, giving up and filling of seats a minute for each person; 0: no limit."
    )
    limit_tables: int = _setting(60, "Tables that each person may make in an hour; 0: no limit.")
    limit_guests: int = _setting(
        120, "Guests' secrets that the API gives one address in an hour; 0: no limit."
    )
    limit_data: int = _setting(6, "Copies of all their data that each person gets in an hour; 0: no limit.")
    limit_streams: int = _setting(
        40, "Live lines and event streams open at once for each person; 0: no limit."
    )
    limit_passwords: int = _setting(
        20,
        "Wrong passwords in an hour for each account's name; an address has four times as many; 0: no limit.",
    )
    heartbeat: float = _setting(
        15.0,
        "Seconds between signs of life on live lines and event streams; who answers none for as long is cut off.",
    )
    pace: float = _setting(0.7, "Seconds that a bot's move takes at least, at a table of normal pace.")
    bot_processes: int = _setting(
        0, "Processes in which bots search; 0 means one for each core, but two at most."
    )
    max_body: int = _setting(16_384, "Largest request body in bytes.")
    languages: str = _setting("", "Folder with further translations, laid out as overtrick/web/locale is.")
    log_level: str = _setting("warning", "How much to log: debug, info, warning, error or critical.")
    log_format: str = _setting("text", "How to log: text, or json, one object a line.")
    metrics_token: str = _setting(
        "",
        "Secret with which Prometheus may read /metrics, 16 to 200 signs; empty means that nobody may.",
    )

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65_535:
            raise InvalidSetting(N_("port must be 0 to 65535, not %(value)s"), value=self.port)
        if not 0 <= self.pace <= 60:
            raise InvalidSetting(N_("pace must be 0 to 60 seconds, not %(value)s"), value=self.pace)
        if not 0.1 <= self.heartbeat <= 60:
            raise InvalidSetting(
                N_("heartbeat must be 0.1 to 60 seconds, not %(value)s"), value=self.heartbeat
            )
        if not 1 <= self.workers <= 64:
            raise InvalidSetting(N_("workers must be 1 to 64, not %(value)s"), value=self.workers)
        if self.redis_url and urlsplit(self.redis_url).scheme not in {"redis", "rediss", "unix"}:
            raise InvalidSetting(N_("redis_url must look like redis://localhost:6379/0"))
        if not 0 <= self.bot_processes <= 64:
            raise InvalidSetting(N_("bot_processes must be 0 to 64, not %(value)s"), value=self.bot_processes)
        if self.max_body < 1024:
            raise InvalidSetting(
                N_("max_body must be 1024 bytes or more, not %(value)s"), value=self.max_body
            )
        for name in ("looks", "acts", "seats", "tables", "guests", "data", "streams", "passwords"):
            if (most := getattr(self, f"limit_{name}")) < 0:
                raise InvalidSetting(
                    N_("%(name)s must be 0 (no limit) or more, not %(value)s"),
                    name=f"limit_{name}",
                    value=most,
                )
        if self.log_level not in {"debug", "info", "warning", "error", "critical"}:
            raise InvalidSetting(N_("log_level is not known: %(value)s"), value=self.log_level)
        if self.log_format not in {"text", "json"}:
            raise InvalidSetting(N_("log_format must be text or json, not %(value)s"), value=self.log_format)
        if self.metrics_token and not _TOKEN.fullmatch(self.metrics_token):
            raise InvalidSetting(
                N_("metrics_token must be 16 to 200 letters, digits and signs without blanks, or empty")
            )
        base = urlsplit(self.base_url)
        if self.base_url and not (
            base.scheme in {"http", "https"} and base.hostname and base.path in {"", "/"}
        ):
            raise InvalidSetting(
                N_("base_url must look like https://games.example.org: %(value)s"), value=self.base_url
            )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], **given: object) -> Settings:
        """Return the settings of an environment; those `given` that are not None go before it."""
        chosen: dict[str, Any] = {}
        for entry in fields(cls):
            name = entry.name
            if given.get(name) is not None:
                chosen[name] = given[name]
            elif text := environment.get(PREFIX + name.upper()):
                chosen[name] = _parsed(name, text, type(entry.default))
        return cls(**chosen)

    @property
    def folder(self) -> Path:
        """The data folder (not yet made)."""
        return Path(self.data).expanduser() if self.data else user_data_folder()

    @property
    def database(self) -> str:
        """The URL of the database."""
        return self.database_url or f"sqlite:///{self.folder / 'overtrick.sqlite3'}"

    @property
    def origin(self) -> str:
        """`base_url` without a slash at its end; empty if not set."""
        return self.base_url.rstrip("/")

    @property
    def https(self) -> bool:
        """True if people reach the server by https."""
        return self.base_url.startswith("https:")


def help_of(name: str) -> str:
    """Return the help text of a setting."""
    return next(str(entry.metadata["help"]) for entry in fields(Settings) if entry.name == name)


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


def user_data_folder(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder where this system keeps a program's data for a user."""
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "overtrick"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "overtrick"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "overtrick"


def _parsed(name: str, text: str, kind: type) -> object:
    try:
        return kind(text)
    except ValueError as error:
        raise InvalidSetting(N_("%(name)s must be a number, not %(value)s"), name=name, value=text) from error
