"""Every transcript comes out again, line by line, when it is made anew from its own record."""

from __future__ import annotations

from pathlib import Path

import pytest

from playthroughs.transcript import FOLDER, read_record, write
from strategies import VARIANTS

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_transcript_comes_out_again_from_its_record(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert write(read_record(text)).splitlines() == text.splitlines()


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_transcript_is_short_enough_to_read(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 200
    assert max(len(line) for line in lines) <= 240


def test_every_variant_of_every_game_has_a_transcript() -> None:
    kinds = [read_record(file.read_text(encoding="utf-8")) for file in FILES]
    for name, options in VARIANTS.values():
        assert any(kind["game"] == name and options.items() <= kind["options"].items() for kind in kinds)


def test_transcripts_of_duet_show_every_way_to_end() -> None:
    ends = "".join(file.read_text(encoding="utf-8").splitlines()[-1] for file in FILES)
    for reason in ("won", "lost in the forest", "out of time", "given up"):
        assert f'"{reason}"' in ends
