"""Real PostgreSQL and Redis servers for the tests, from Debian's packages.

Each runs on a free port of 127.0.0.1, in a folder of its own that is deleted at the end, and ends with the process
that started it, however that ends. No service of the system is used.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

PATIENCE = 60.0
"""Seconds that a server may take to start or to stop; far more than it needs, for a busy machine."""
_POSTGRES_PROGRAMS = Path("/usr/lib/postgresql")
_SMALL = {"shared_buffers": "16MB", "max_connections": "200", "max_wal_size": "64MB"}


class MissingServer(Exception):  # noqa: N818 - it names what is wrong
    """A program that the tests need is not installed."""


class Server:
    """A program that listens on a port; it can be stopped and started again on the same port and data."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="overtrick-server-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def answers(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        """Start, and wait until it answers; nothing if it runs. It ends with the thread that started it."""
        if self._process is not None:
            return
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder
            )
        process = self._process
        wait_for(lambda: process.poll() is not None or self.answers(), "the server to answer")
        assert process.poll() is None, (self.folder / "log").read_text("utf-8", "replace")

    def send(self, what: signal.Signals) -> None:
        """Send it a signal that does not end it."""
        assert self._process is not None
        self._process.send_signal(what)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it, and wait until it has ended."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        """End it and delete its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Server):
    """A PostgreSQL server with one database; each test gets a user, and with it a schema, of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._programs = newest_postgres()
        self._users = count(1)
        self._owner = "postgres" if os.geteuid() == 0 else ""
        if self._owner:  # it refuses to run as root
            shutil.chown(self.folder, self._owner, self._owner)
        made = self._run("initdb", "--pgdata=data", "--username=overtrick", "--auth=trust", "--encoding=UTF8",
                         "--locale=C.UTF-8", "--no-sync")  # fmt: skip
        assert made.returncode == 0, made.stderr

    def command(self) -> list[str]:
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder), **_SMALL}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return self._words("postgres", "-D", "data", "-p", str(self.port), *options)

    def answers(self) -> bool:
        return self._run("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)).returncode == 0

    def ask(self, statement: str) -> str:
        """Run SQL as the owner of the server, and return what it answers as plain text."""
        done = self._run("psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "overtrick", "-d", "postgres",
                         "-v", "ON_ERROR_STOP=1", "-q", "-A", "-t", "-c", statement)  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def new_url(self) -> str:
        """The URL of an empty schema: that of a new user, whom PostgreSQL takes to the schema of the same name."""
        user = f"test_{next(self._users)}"
        self.ask(f"CREATE ROLE {user} LOGIN; CREATE SCHEMA AUTHORIZATION {user}")
        return f"postgresql://{user}@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self._words(program, *options),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def _words(self, program: str, *options: str) -> list[str]:
        owner = [f"--reuid={self._owner}", f"--regid={self._owner}", "--init-groups"] if self._owner else []
        return ["setpriv", *owner, "--pdeathsig=INT", str(self._programs / program), *options]


class Redis(Server):
    """A Redis server that keeps nothing on the disk."""

    def command(self) -> list[str]:
        program = shutil.which("redis-server")
        if program is None:
            raise MissingServer("The tests need Redis: install Debian's package redis-server.")
        options = {"--port": str(self.port), "--bind": "127.0.0.1", "--save": "", "--appendonly": "no"}
        return ["setpriv", "--pdeathsig=TERM", program, *(word for pair in options.items() for word in pair)]

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line:
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


def newest_postgres() -> Path:
    """The folder of the programs of the newest PostgreSQL installed."""
    found = sorted(_POSTGRES_PROGRAMS.glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    if not found:
        raise MissingServer("The tests need PostgreSQL: install Debian's package postgresql.")
    return found[-1].parent


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def wait_for(reached: Callable[[], bool], what: str) -> None:
    """Ask again and again until it is so."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, f"waited too long for {what}"
        time.sleep(0.02)
