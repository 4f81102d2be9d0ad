"""No byte sent to a viewer depends on what the viewer may not know.

Whole games are played through the real server, with everything kept that it sends to each seat and to who watches:
pages, pushed fragments, events, JSON, refusals, headers. Then deals are changed in what one viewer cannot know up to
some moment (the moves being the same in that viewer's eyes) and played again, and up to that moment not a byte sent
to that viewer is another.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from strategies import random_record, seats_of
from web.audit import Clock
from web.otherwise import Audit, by_turns, checkpoints
from web.stories import Story


@pytest.mark.parametrize(
    ("variant", "seed", "show_played", "deals"),
    [("luz-3", 5, True, 4), ("duet-1", 8, True, 3), ("luz-3", 6, False, 1), ("duet-3", 9, False, 1)],
)
def test_no_byte_depends_on_what_its_reader_may_not_know(
    variant: str, seed: int, show_played: bool, deals: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = random_record(variant, seed, care=0.95)
    seats = seats_of(record["game"], record["options"])
    fields: dict[str, object] = {"show_played": 1} if show_played else {}
    kinds = ("me", *("friend",) * (seats - 1))
    story = Story(record=record, kinds=kinds, fields=fields, passers_by=("watcher",), look_every=1)
    audit = Audit(
        story, checkpoints(record, by_turns(record, deals, seed), seed), tmp_path, Clock.set(monkeypatch)
    )
    compared, apart = audit.compare()
    assert compared > 50 * deals
    assert apart > deals, "the other worlds were hardly other"
