"""The server that is measured: started for it or running already; its processor time and memory."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from urllib.parse import urlsplit

import psutil

from overtrick.load.wire import Address, Asker
from overtrick.web.settings import Settings, variable_of

READY_WITHIN = 600.0
"""Seconds that a server may take to be ready and quiet; the very first start compiles the engine and the search."""


QUIET_FOR, QUIET_SHARE = 0.5, 0.1
"""A server is quiet that uses less than this share of a core for so many seconds."""


class NoFigures(Exception):  # noqa: N818 - it says what there is
    """Nothing could be measured; the text says why, for people."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server, by its address and its main process."""

    address: Address
    process: psutil.Process

    def cpu_seconds(self) -> float:
        """Processor seconds that all its processes have used so far."""
        return float(sum(sum(process.cpu_times()[:2]) for process in self._processes()))

    def memory(self) -> int:
        """Bytes of memory in use by all its processes: what is theirs alone where the system says, else RSS."""
        return sum(_own_memory(process) for process in self._processes())

    async def quiet(self) -> None:
        """Wait until it has nothing to do: at its first start the bots' search is compiled for a minute."""
        async with asyncio.timeout(READY_WITHIN):
            used = self.cpu_seconds()
            while True:
                await asyncio.sleep(QUIET_FOR)
                before, used = used, self.cpu_seconds()
                if used - before < QUIET_SHARE * QUIET_FOR:
                    return

    def _processes(self) -> list[psutil.Process]:
        try:
            return [self.process, *self.process.children(recursive=True)]
        except psutil.NoSuchProcess as error:
            raise NoFigures(f"The server (process {self.process.pid}) has ended.") from error


def _own_memory(process: psutil.Process) -> int:
    # RSS counts pages that forked workers share once for each of them.
    try:
        full = process.memory_full_info()
    except psutil.Error:
        return int(process.memory_info().rss)
    return int(getattr(full, "uss", full.rss))


def allow_many_sockets(wanted: int) -> None:
    """Let this process, and those that it starts, hold `wanted` sockets; raises NoFigures where they may not."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard not in {resource.RLIM_INFINITY} and wanted > hard:
        raise NoFigures(
            f"{wanted} open sockets are needed and the system allows {hard}: ask for fewer viewers, or raise "
            "the hard limit (ulimit -Hn)."
        )
    if soft != resource.RLIM_INFINITY and wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@asynccontextmanager
async def started() -> AsyncIterator[Server]:
    """Serve on a free port with a data folder of its own, until the block ends."""
    with tempfile.TemporaryDirectory(prefix="overtrick-bench-") as data:
        command = [sys.executable, "-m", "overtrick", "serve", "--port", "0", "--data", data]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_environment())
        try:
            assert process.stdout is not None
            line = await asyncio.to_thread(process.stdout.readline)
            found = re.search(r"http://([\d.]+):(\d+)", line)
            if found is None:
                raise NoFigures(f"The server did not start: {line.strip() or 'it said nothing'}")
            server = Server((found[1], int(found[2])), psutil.Process(process.pid))
            await _until_ready(server.address)
            yield server
        finally:
            process.terminate()
            await asyncio.to_thread(process.communicate)


def _environment() -> dict[str, str]:
    """The environment without the settings that the measurement decides."""
    decided = {"OVERTRICK_PORT", "OVERTRICK_DATA", "OVERTRICK_BASE_URL", "OVERTRICK_HOST"}
    kept = {name: value for name, value in os.environ.items() if name not in decided}
    # All scripted people come from one address: without limits, unless a measurement is to be made with them.
    limits = {variable_of(entry.name): "0" for entry in fields(Settings) if entry.name.startswith("limit_")}
    return limits | kept


@asynccontextmanager
async def running(url: str, pid: int) -> AsyncIterator[Server]:
    """The server that runs at `url` on this machine already, its main process being `pid`. Raises NoFigures."""
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.hostname is None:
        raise NoFigures(f"The address must look like http://127.0.0.1:8000, not {url}.")
    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess as error:
        raise NoFigures(f"There is no process {pid} on this machine.") from error
    server = Server((parts.hostname, parts.port or 80), process)
    await _until_ready(server.address)
    yield server


async def _until_ready(address: Address) -> None:
    try:
        async with asyncio.timeout(READY_WITHIN):
            while True:
                asker = await Asker.connect(address)
                status, _ = await asker.ask("GET", "/health")
                asker.close()
                if status == 200:
                    return
                await asyncio.sleep(0.1)
    except TimeoutError as error:
        raise NoFigures(f"The server was not ready within {READY_WITHIN:.0f} s.") from error
    except OSError as error:
        raise NoFigures(f"Nothing answers at {address[0]} port {address[1]}: {error}") from error
