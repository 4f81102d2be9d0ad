"""No byte sent to a viewer depends on what the viewer may not know.

A whole game is played through the real server, with everything kept that it sends to each seat and to a
spectator: pages, pushed fragments, events, JSON, refusals, headers. Then it is played again and again with one
deal changed in what one viewer cannot know up to some moment (the moves being the same in that viewer's eyes),
and up to that moment not a byte sent to that viewer is another.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from games.worlds import moments
from overtrick.seals import compare, verify
from strategies import random_record
from web.audit import Viewer, Watcher, World, changed, other_world, play, spoken, table_of


def checkpoints(
    record: dict[str, Any], rng: random.Random
) -> list[tuple[int, int, int, dict[Viewer, World]]]:
    """For each deal, a moment of it and for each viewer another world there: (deal, first ply, ply, worlds).

    The moments lie at the beginning, in the middle and towards the end of deals, by turns.
    """
    viewers: list[Viewer] = [None, *range(record["options"].get("players", 2))]
    by_deal: list[list[int]] = []
    for ply, moment in enumerate(moments(record)):
        if not moment.moves:
            by_deal.append([])
        by_deal[-1].append(ply)
    chosen = [
        plies[min(len(plies) - 1, len(plies) * (n % 3) // 3 + rng.randrange(6))]
        for n, plies in enumerate(by_deal)
    ]
    found = []
    for ply, moment in enumerate(moments(record)):
        if ply in chosen:
            deal = chosen.index(ply)
            worlds = {viewer: other_world(moment, viewer, rng) for viewer in viewers}
            found.append((deal, by_deal[deal][0], ply, worlds))
    return found


@pytest.mark.parametrize(
    ("variant", "seed", "show_played", "deals"),
    [("luz-3", 5, True, 4), ("duet-1", 8, True, 3), ("luz-3", 6, False, 1), ("duet-3", 9, False, 1)],
)
def test_no_byte_depends_on_what_its_reader_may_not_know(
    variant: str, seed: int, show_played: bool, deals: int, tmp_path: Path
) -> None:
    record = random_record(variant, seed, care=0.95)
    said = spoken(record)
    found = checkpoints(record, random.Random(seed))
    whole = deals >= len(found)
    with table_of(record, tmp_path / "true", show_played=show_played) as watchers:
        plies = range(len(said) + 1 if whole else found[deals][1])
        play(watchers, said, recorded=watchers, plies=plies)
        truth = {watcher.viewer: watcher.sent for watcher in watchers}
        assert (watchers[0].json()["status"] == "over") == whole
        if whole:
            sealed_until_the_end(watchers)
    compared = apart = 0
    for deal, first, ply, worlds in found[:deals]:
        for viewer, world in worlds.items():
            other = changed(record, deal, first, world)
            hidden = world[0] != record["deals"][deal]
            with table_of(other, tmp_path / f"{deal}-{viewer}", show_played=show_played) as watchers:
                watcher = next(watcher for watcher in watchers if watcher.viewer == viewer)
                turns = [*spoken(other), *said[ply:]]
                play(watchers, turns, recorded=[watcher], plies=range(first, ply + 1))
                for at in range(first, ply + 1):
                    seen, true = watcher.sent[at], truth[viewer][at]
                    for way in seen.keys() - ({"move"} if at == ply else set()):
                        assert seen[way] == true[way], (deal, viewer, at, way)
                        compared += 1
                if first == 0:
                    assert watcher.sent[-1] == truth[viewer][-1]
                apart += hidden and any(
                    one.json()["view"] != truth_at(truth, one.viewer, ply)
                    for one in watchers
                    if one is not watcher
                )
    assert compared > 50 * deals
    assert apart > deals, "the other worlds were hardly other"


def sealed_until_the_end(watchers: list[Watcher]) -> None:
    """Everybody was shown the same commitments, and nothing of what they hide was sent while the game went on."""
    found = watchers[0].commitments
    assert all(watcher.commitments == found for watcher in watchers)
    record = watchers[0].finished_record()
    seals = verify(record["game"], record["deals"], record["meta"]["seals"], whole=len(found))
    compare(seals, found)
    for watcher in watchers:
        last = max(watcher.sent)
        everything = str([sent for ply, sent in watcher.sent.items() if ply < last])
        assert len(everything) > 100_000
        assert "commitment-1---" in everything
        assert not any(one.nonce in everything for one in seals)
        assert any(one.nonce in str(watcher.finished_record()) for one in seals)


def truth_at(truth: dict[Viewer, Any], viewer: Viewer, ply: int) -> Any:
    """The view that a viewer truly got at a ply."""
    return json.loads(truth[viewer][ply]["json"][2])["view"]
