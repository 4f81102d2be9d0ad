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

from games.worlds import Moment, duet_secrets, moments, other_luz_deal, renamed, renamed_move
from naive.luz import Luz
from overtrick.errors import IllegalMove
from strategies import random_record
from web.audit import Viewer, play, spoken, table_of

World = tuple[dict[str, Any], tuple[str, ...]]


def other_world(moment: Moment, viewer: Viewer, rng: random.Random) -> World:
    """Another deal, and the moves since it, that the viewer cannot tell from the true ones."""
    if isinstance(moment.twin, Luz):
        return other_luz_deal(moment.twin, moment.deal, viewer, rng), moment.moves
    deal, moves = moment.deal, moment.moves
    secrets = sorted(duet_secrets(moment.twin, viewer))
    for _ in range(12):
        swap = dict(zip(pair := rng.sample(secrets, 2), reversed(pair), strict=True))
        new_deal, new_moves = renamed(deal, swap), tuple(renamed_move(move, swap) for move in moves)
        try:
            moment.position(new_deal, new_moves)
        except IllegalMove:
            continue
        deal, moves = new_deal, new_moves
    return deal, moves


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


def changed(record: dict[str, Any], deal: int, first: int, world: World) -> dict[str, Any]:
    """The record up to a moment of a deal, that deal and the moves since it changed."""
    return {
        **record,
        "deals": [*record["deals"][:deal], world[0]],
        "moves": [*record["moves"][:first], *world[1]],
    }


@pytest.mark.parametrize(("variant", "seed"), [("luz-3", 5), ("duet-1", 8)])
def test_no_byte_depends_on_what_its_reader_may_not_know(variant: str, seed: int, tmp_path: Path) -> None:
    record = random_record(variant, seed, care=0.95)
    said = spoken(record)
    with table_of(record, tmp_path / "true") as watchers:
        play(watchers, said, recorded=watchers, plies=range(len(said) + 1))
        truth = {watcher.viewer: watcher.sent for watcher in watchers}
        assert watchers[0].json()["status"] == "over"
    compared = apart = 0
    for deal, first, ply, worlds in checkpoints(record, random.Random(seed)):
        for viewer, world in worlds.items():
            other = changed(record, deal, first, world)
            hidden = world[0] != record["deals"][deal]
            with table_of(other, tmp_path / f"{deal}-{viewer}") as watchers:
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
    assert compared > 500
    assert apart > 4, "the other worlds were hardly other"


def truth_at(truth: dict[Viewer, Any], viewer: Viewer, ply: int) -> Any:
    """The view that a viewer truly got at a ply."""
    return json.loads(truth[viewer][ply]["json"][2])["view"]
