"""The files that pages are made of, kept in memory, so that a browser asks again and is told "unchanged".

They are few and small. Each has an ETag of its content: a browser keeps its copy, asks whether it still
holds, and after an update of the server gets the new one at once, without file names that change.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from overtrick.errors import N_
from overtrick.web.problems import Problem

NO_FILE = N_("There is no such file.")

_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
_TEXT = ("text/", "image/svg")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file: its content, that content compressed (None if that gains nothing), type and ETag."""

    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Return every file by its path below `static`."""
    return dict(_read(files("overtrick.web").joinpath("static"), ""))


def _read(folder: Traversable, path: str) -> list[tuple[str, StaticFile]]:
    found: list[tuple[str, StaticFile]] = []
    for entry in folder.iterdir():
        name = f"{path}{entry.name}"
        if entry.is_dir():
            found += _read(entry, f"{name}/")
        else:
            found.append((name, _static_file(name, entry.read_bytes())))
    return found


def _static_file(name: str, content: bytes) -> StaticFile:
    suffix = f".{name.rpartition('.')[2]}"
    media_type = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    compressed = gzip.compress(content, mtime=0) if media_type.startswith(_TEXT) else None
    return StaticFile(content, compressed, media_type, f'"{hashlib.sha256(content).hexdigest()[:16]}"')


@get("/static/{path:path}", include_in_schema=False)
async def static(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
    """Send a file, or 304 if the browser has it already."""
    found = static_files().get(str(path).lstrip("/"))
    if found is None:
        raise Problem(NO_FILE, status=404, kind="no_such_file")
    headers = {"etag": found.etag, "cache-control": "no-cache", "vary": "Accept-Encoding"}
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=found.media_type)
    if found.compressed is None or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(found.content, headers=headers, media_type=found.media_type)
    headers["content-encoding"] = "gzip"
    return Response(found.compressed, headers=headers, media_type=found.media_type)
