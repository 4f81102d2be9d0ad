"""`overtrick verify`: whether the deals of records are those that were sealed at the start (`overtrick.seals`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overtrick.cli.reading import MOST_BYTES, judge_files
from overtrick.errors import N_, InvalidRecord, OvertrickError
from overtrick.games import Record
from overtrick.seals import compare, noted, verify


@dataclass(frozen=True)
class Options:
    """What was asked for: JSON or text, and the commitments noted at the start, if any were."""

    as_json: bool
    published: tuple[str, ...] | None


def parse_published(text: str) -> tuple[str, ...]:
    """Return the commitments that `--published` gives, itself or in a file; raise ValueError where there are none."""
    if (given := noted(text)) is not None:
        return given
    try:
        given = noted(Path(text).read_text(encoding="utf-8", errors="replace")[:MOST_BYTES])
    except (OSError, ValueError):
        raise ValueError("commitments of 64 hexadecimal digits, or a file of them, were expected") from None
    if given is None:
        raise ValueError(f"{text} holds something else than commitments of 64 hexadecimal digits")
    return given


def verify_files(names: Iterable[str], options: Options) -> int:
    """Check every record of the files, with a verdict each on standard output; return the exit status."""
    return judge_files(names, lambda label, text: _judge(label, text, options))


def _judge(label: str, text: bytes, options: Options) -> bool:
    verdict = verdict_on(text, options.published)
    print(json.dumps(verdict) if options.as_json else f"{label}: {_words(verdict)}")
    return bool(verdict["ok"])


def verdict_on(text: bytes, published: Sequence[str] | None) -> dict[str, Any]:
    """Return what `--json` says of one record: `ok`, and what was checked or which deal (null: the whole) fails why."""
    try:
        if len(text) > MOST_BYTES:
            raise InvalidRecord(
                N_("A record has at most %(most)d bytes; this one is longer."), most=MOST_BYTES
            )
        record = Record.loads(text)
        meta = json.loads(text.decode()).get("meta")
        seals = meta.get("seals") if isinstance(meta, dict) else None
        found = verify(record.game.name, record.deals, seals, whole=record.game.max_deals)
        if published is not None:
            compare(found, published)
    except OvertrickError as error:
        return {"ok": False, "deal": getattr(error, "deal", None), "error": str(error)}
    return {
        "ok": True,
        "deals": len(record.deals),
        "sealed": len(found),
        "published": published is not None,
        "commitments": [one.commitment for one in found],
    }


def _words(verdict: dict[str, Any]) -> str:
    if not verdict["ok"]:
        return str(verdict["error"])
    deals, sealed = verdict["deals"], verdict["sealed"]
    words = f"all {sealed} deals are as they were sealed ({deals} of them began)"
    if verdict["published"]:
        return f"{words}, and their commitments are those noted at the start"
    listed = "".join(f"\n  {one}" for one in verdict["commitments"])
    return f"{words}; these are their commitments, to compare with those shown at the start:{listed}"
