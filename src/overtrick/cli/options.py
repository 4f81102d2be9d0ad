"""Options of the command line that are settings: help and environment variable come from there."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from overtrick.web.settings import help_of, variable_of


def setting(name: str) -> Any:
    """Return the option of a setting."""
    return typer.Option(help=help_of(name), envvar=variable_of(name), show_default=False)


Data = Annotated[str | None, setting("data")]
DatabaseUrl = Annotated[str | None, setting("database_url")]
