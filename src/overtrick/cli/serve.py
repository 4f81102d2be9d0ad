"""`overtrick serve`: the web server, from one command. SIGINT and SIGTERM end it at once, with status 0."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from overtrick.cli.options import Data, DatabaseUrl, setting
from overtrick.errors import OvertrickError
from overtrick.web.server import address, listen, run
from overtrick.web.settings import InvalidSetting, Settings
from overtrick.web.workers import Supervisor


def serve(
    host: Annotated[str | None, setting("host")] = None,
    port: Annotated[int | None, setting("port")] = None,
    data: Data = None,
    database_url: DatabaseUrl = None,
    base_url: Annotated[str | None, setting("base_url")] = None,
    allowed_hosts: Annotated[str | None, setting("allowed_hosts")] = None,
    redis_url: Annotated[str | None, setting("redis_url")] = None,
    workers: Annotated[int | None, setting("workers")] = None,
    pace: Annotated[float | None, setting("pace")] = None,
    log_level: Annotated[str | None, setting("log_level")] = None,
) -> None:
    """Serve the tables in the browser: open the address that it prints."""
    given = {
        "host": host, "port": port, "data": data, "database_url": database_url, "base_url": base_url,
        "allowed_hosts": allowed_hosts, "redis_url": redis_url, "workers": workers, "pace": pace,
        "log_level": log_level,
    }  # fmt: skip
    try:
        settings = Settings.from_environment(os.environ, **given)
        listener = listen(settings)
    except InvalidSetting as error:
        raise _fatal(str(error)) from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise _fatal(f"Cannot listen on {settings.host} port {settings.port}: {reason}.") from error
    with listener:
        print(f"Overtrick is at {address(settings, listener)} (Ctrl+C stops it)", flush=True)
        try:
            status = Supervisor(settings, listener).run() if settings.workers > 1 else run(settings, listener)
        except OSError as error:
            raise _fatal(f"Cannot use the data folder: {error}") from error
        except OvertrickError as error:
            raise _fatal(str(error)) from error
    raise typer.Exit(status)


def _fatal(sentence: str) -> typer.Exit:
    print(sentence, file=sys.stderr)
    return typer.Exit(1)
