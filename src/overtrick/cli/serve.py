"""`overtrick serve`: the web server, from one command.

The socket listens before anything heavy is imported, so whoever opens the page at once is answered as soon
as there is an answer. SIGINT and SIGTERM end the server at once, open streams included.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overtrick.web.settings import InvalidSetting, Settings, help_of, variable_of

if TYPE_CHECKING:
    from types import FrameType

    import uvicorn

    from overtrick.web.app import Site

LAST_WORDS = 1
"""Seconds that answers under way get when the server stops."""


def _option(name: str) -> Any:
    return typer.Option(help=help_of(name), envvar=variable_of(name), show_default=False)


def serve(
    host: Annotated[str | None, _option("host")] = None,
    port: Annotated[int | None, _option("port")] = None,
    data: Annotated[str | None, _option("data")] = None,
    database_url: Annotated[str | None, _option("database_url")] = None,
    base_url: Annotated[str | None, _option("base_url")] = None,
    allowed_hosts: Annotated[str | None, _option("allowed_hosts")] = None,
    pace: Annotated[float | None, _option("pace")] = None,
    log_level: Annotated[str | None, _option("log_level")] = None,
) -> None:
    """Serve the tables in the browser: open the address that it prints."""
    given = {
        "host": host, "port": port, "data": data, "database_url": database_url, "base_url": base_url,
        "allowed_hosts": allowed_hosts, "pace": pace, "log_level": log_level,
    }  # fmt: skip
    try:
        settings = Settings.from_environment(os.environ, **given)
        listener = listen(settings)
    except InvalidSetting as error:
        raise _fatal(str(error)) from error
    except OSError as error:
        raise _fatal(f"Cannot listen on {settings.host} port {settings.port}: {error.strerror}.") from error
    with listener:
        print(f"Overtrick is at {address(settings, listener)} (Ctrl+C stops it)", flush=True)
        status = run(settings, listener)
    raise typer.Exit(status)


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens already; raises OSError if the address cannot be used."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    return socket.create_server((settings.host, settings.port), family=family, backlog=2048)


def address(settings: Settings, listener: socket.socket) -> str:
    """Return the address of the front page, as a person on this machine opens it."""
    if settings.origin:
        return f"{settings.origin}/"
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{host}:{listener.getsockname()[1]}/"


def run(settings: Settings, listener: socket.socket) -> int:
    """Serve on `listener` until told to stop; return the exit status."""
    set_up_logging(settings)
    from overtrick.web.app import create_app

    try:
        site = create_app(settings)
    except OSError as error:
        raise _fatal(f"Cannot use the data folder: {error}") from error
    server = server_for(site, settings)
    server.run(sockets=[listener])
    return 1 if site.services.engine.failed else 0


def set_up_logging(settings: Settings) -> None:
    """Log to standard error.

    Only the product's own lines go below INFO: at DEBUG, the libraries write down the headers and the
    statements that they handle, and with them people's secrets and hidden cards.
    """
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    logging.getLogger("overtrick").setLevel(level)
    logging.getLogger("uvicorn").setLevel(max(level, logging.INFO))


def server_for(site: Site, settings: Settings) -> uvicorn.Server:
    """Return a server that closes every stream as soon as it is told to stop."""
    import uvicorn

    class Server(uvicorn.Server):
        """Uvicorn, but a signal ends the process with status 0, and streams end before it waits for them."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            self.stop(force=self.should_exit and sig == signal.SIGINT)

        def stop(self, *, force: bool = False) -> None:
            """Stop serving; `force`: without waiting for answers under way."""
            self.should_exit = True
            self.force_exit = force

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            site.services.closing.set()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        site,
        log_config=None,
        access_log=settings.log_level in {"debug", "info"},
        server_header=False,
        timeout_graceful_shutdown=LAST_WORDS,
        ws_max_size=4096,
        ws_max_queue=4,
    )
    server = Server(config)
    site.services.engine.on_failure = server.stop
    return server


def _fatal(sentence: str) -> typer.Exit:
    print(sentence, file=sys.stderr)
    return typer.Exit(1)
