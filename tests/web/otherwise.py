"""A story played truly, and again in worlds that one viewer cannot tell from the true one."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.worlds import moments
from overtrick.seals import compare, verify
from strategies import seats_of
from web.audit import Clock, ScriptedEntropy, Stage, World, changed, deal_anew, other_world, spoken, stage
from web.stories import Play, Story, happen
from web.wire import Viewer, Watcher, same


@dataclass(frozen=True)
class Checkpoint:
    """Up to a ply of a deal that began at `first` this viewer cannot tell the world from the true one."""

    deal: int
    first: int
    ply: int
    viewer: Viewer
    world: World


def checkpoints(record: dict[str, Any], wanted: dict[int, tuple[Viewer, ...]], seed: int) -> list[Checkpoint]:
    """For each ply and viewer wanted another world there."""
    rng = random.Random(seed)
    found = []
    deal, first = -1, 0
    for ply, moment in enumerate(moments(record)):
        if not moment.moves:
            deal, first = deal + 1, ply
        for viewer in wanted.get(ply, ()):
            found.append(Checkpoint(deal, first, ply, viewer, other_world(moment, viewer, rng)))
    return found


def by_turns(record: dict[str, Any], deals: int, seed: int) -> dict[int, tuple[Viewer, ...]]:
    """Moments for everybody at the beginning, in the middle and towards the end of deals, by turns."""
    rng = random.Random(seed)
    starts = [ply for ply, moment in enumerate(moments(record)) if not moment.moves]
    ends = [*starts[1:], len(record["moves"])]
    everybody = (None, *range(seats_of(record["game"], record["options"])))
    plies = [
        min(end - 1, start + (end - start) * (number % 3) // 3 + rng.randrange(6))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    return dict.fromkeys(plies[:deals], everybody)


class Audit:
    """A story played truly, and again in other worlds."""

    def __init__(self, story: Story, found: list[Checkpoint], folder: Path, clock: Clock) -> None:
        self.story = story
        self.found = found
        self.folder = folder
        self.clock = clock
        self.truth: dict[str, Watcher] = {}
        self.secrets: dict[str, str] = {}
        self.times: dict[int, int] = {}
        self.views: dict[tuple[int, str], Any] = {}

    def compare(self) -> tuple[int, int]:
        """Play truly, and then in all the other worlds, and compare.

        Returns how much was compared, and in how many worlds others saw something else.
        """
        with stage(self.folder / "server") as on:
            self._play_truly(on)
            return self._compare_worlds(on)

    def _play_truly(self, on: Stage) -> None:
        """Play the whole story; what is sent to people is kept where it is going to be compared."""
        story, turns = self.story, self.story.turns
        on.turn_to(self.folder / "true", ScriptedEntropy(story.record, story.seeds(turns)), self.secrets)
        story.open(on)
        Play(story, on, turns, self.clock, self._compared, lambda ply: self._at(ply, on)).go(0, story.end)
        self.truth = {name: on.watcher(name) for name in story.everybody()}
        for happening in story.after:
            happen(on, self.clock, happening)
        assert on.watcher("seat-0").table()["status"] == "over"
        sealed_until_the_end(self.truth)

    def _compared(self, ply: int) -> list[str]:
        viewers = {one.viewer for one in self.found if one.first <= ply <= one.ply}
        return [name for viewer in viewers for name in self.story.knowing(viewer, ply)]

    def _at(self, ply: int, true: Stage) -> None:
        if ply in {one.first for one in self.found}:
            true.copy(self.folder / f"at {ply}")
            self.times[ply] = self.clock.now
        if ply in {one.ply for one in self.found}:
            for name in self.story.everybody():
                self.views[ply, name] = view_of(true.watcher(name))

    def _compare_worlds(self, on: Stage) -> tuple[int, int]:
        compared = apart = 0
        for number, one in enumerate(self.found):
            is_other = self._play_in(on, one, number)
            seen = [on.watcher(name) for name in self.story.knowing(one.viewer, one.ply)]
            compared += sum(same(watcher, self.truth[watcher.name]) for watcher in seen)
            apart += is_other
        return compared, apart

    def _play_in(self, on: Stage, one: Checkpoint, number: int) -> bool:
        """Play in another world, and return whether others see something else there."""
        story, folder = self.story, self.folder / f"world {number}"
        other = changed(story.record, one.deal, one.first, one.world)
        turns = [*spoken(other), *story.turns[one.ply :]]
        shutil.copytree(self.folder / f"at {one.first}", folder)
        deal_anew(folder, other["deals"], random.Random(number))
        self.clock.now = self.times[one.first]
        on.turn_to(folder, ScriptedEntropy(other, story.seeds(turns, one.first)), dict(self.secrets))
        Play(story, on, turns, self.clock, lambda ply: story.knowing(one.viewer, ply)).go(one.first, one.ply)
        others = set(story.everybody()) - set(story.knowing(one.viewer, one.ply))
        return any(view_of(on.watcher(name)) != self.views[one.ply, name] for name in others)


def view_of(watcher: Watcher) -> Any:
    return watcher.table().get("view")


def sealed_until_the_end(watchers: dict[str, Watcher]) -> None:
    """Everybody was shown the same commitments, and nothing of what they hide was sent while the game went on."""
    record = watchers["seat-0"].api("GET", "/tables/thetable/record").json()
    commitments = watchers["seat-0"].table()["commitments"]
    seals = verify(record["game"], record["deals"], record["meta"]["seals"], whole=len(commitments))
    compare(seals, commitments)
    assert any(one.nonce in str(record) for one in seals)
    for watcher in watchers.values():
        everything = str([watcher.sent, watcher.pushes, watcher.events])
        assert not any(one.nonce in everything for one in seals)
