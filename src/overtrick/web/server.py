"""Running the server: a socket that listens first, Uvicorn on it, and an end without waiting.

The socket listens before anything heavy is imported, so whoever opens the page at once is answered as soon
as there is an answer. Told to stop, the server closes every stream and is gone within a second.
"""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from overtrick.errors import OvertrickError
from overtrick.web.logs import set_up_logging
from overtrick.web.settings import Settings

if TYPE_CHECKING:
    import uvicorn

    from overtrick.web.app import Site
    from overtrick.web.neighbours import Neighbours

WHOLE_ROUND_AFTER = 6 * 3600.0
"""Seconds after which the garbage collector looks at all that there is, and not at what is new alone."""
WHOLE_ROUND_AT = 1.5
"""How many times what it spared after the last such round."""
NEW_BEFORE_ROUND = 10_000
"""New objects before the garbage collector looks at them; the usual 700 are a few moves' worth."""
OLDEST = 2
"""The garbage collector's oldest generation: a round that takes it in is a full one."""
MOST_SOCKETS = 65_536
"""Sockets that one process holds at most; far more viewers than one core can tell anything."""


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens already; raises OSError if the address cannot be used.

    It is marked as TCP, for asyncio switches Nagle's algorithm off only on sockets that are: with it, each
    answer waits 40 ms for the other side's acknowledgement.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    _end_dead_lines(made, settings.heartbeat)
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())


def _end_dead_lines(listener: socket.socket, heartbeat: float) -> None:
    """Let the system end a connection whose other end acknowledges nothing for twice the time between signs of life.

    Without it, a stream to a machine that has vanished without a word looks alive for a quarter of an hour.
    """
    if sys.platform == "linux":  # which hands the option on to each connection
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(2000 * heartbeat))


def address(settings: Settings, listener: socket.socket) -> str:
    """Return the address of the front page: one by which friends reach it, where other machines are let in."""
    if settings.origin:
        return f"{settings.origin}/"
    host = {"0.0.0.0": _own_address(), "::": _own_address()}.get(settings.host, settings.host)
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{host}:{listener.getsockname()[1]}/"


def _own_address() -> str:
    """Return this machine's address in its network, or the loopback's if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(
                ("192.0.2.1", 9)
            )  # sends nothing: it asks by which of our addresses others would see us
        except OSError:
            return "127.0.0.1"
        return str(line.getsockname()[0])


def run(
    settings: Settings, listener: socket.socket, *, slot: int = 0, neighbours: Neighbours | None = None
) -> int:
    """Serve on `listener` until told to stop; return the exit status.

    `slot`: which of several workers this is; `neighbours`: the others.

    Raises OSError if the data folder cannot be used, OvertrickError if the database cannot.
    """
    from overtrick.web.app import create_app

    set_up_logging(settings)
    site = create_app(settings, slot=slot)
    site.services.engine.on_ready.append(spare_the_collector)
    allow_many_sockets()
    server = server_for(site, settings, neighbours)
    server.run(sockets=[listener])
    status = 1 if site.services.engine.failed else 0
    if site.services.engine.busy:
        # A compiler at work cannot be told to stop, and nothing of its work needs saving.
        logging.shutdown()
        os._exit(status)
    if isinstance(site.services.engine.failed, OvertrickError):
        raise site.services.engine.failed
    return status


def spare_the_collector() -> None:
    """Let the garbage collector look at what is new alone: what has been loaded by now stays for good.

    So do most of the streams, and whatever else outlives a full round: with four thousand viewers such a round took
    0.9 s, in which nobody's move was answered. What has been spared is looked at again once it is `WHOLE_ROUND_AT`
    times what there was of it, for streams that have ended are among it, and every `WHOLE_ROUND_AFTER` seconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_BEFORE_ROUND, *gc.get_threshold()[1:])
    gc.callbacks.append(_Rounds())


class _Rounds:
    """Told by the garbage collector when a round begins ("start") and ends ("stop")."""

    def __init__(self) -> None:
        self._spared = gc.get_freeze_count()
        self._looked_at_all = time.monotonic()

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if info["generation"] < OLDEST:
            return
        if phase == "start":
            self._begin()
            return
        gc.freeze()
        self._spared = self._spared or gc.get_freeze_count()

    def _begin(self) -> None:
        now, grown = time.monotonic(), gc.get_freeze_count() > WHOLE_ROUND_AT * self._spared
        if grown or now - self._looked_at_all > WHOLE_ROUND_AFTER:
            gc.unfreeze()
            self._spared, self._looked_at_all = 0, now


def allow_many_sockets() -> None:
    """Let the server hold as many sockets as the system allows; the usual 1,024 are too few for a thousand viewers."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_SOCKETS if hard == resource.RLIM_INFINITY else min(hard, MOST_SOCKETS)
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def server_for(site: Site, settings: Settings, neighbours: Neighbours | None = None) -> uvicorn.Server:
    """Return a server that closes every stream as soon as it is told to stop."""
    from overtrick.web.listening import Server, config_for

    server = Server(config_for(site, settings, neighbours), site.services.closing, neighbours)
    site.services.engine.on_failure = server.stop
    if neighbours is not None:
        # Not before: those whose table it is are served by another while this one gets ready.
        site.services.engine.on_ready.append(partial(neighbours.begin, server.take))
    return server
