"""Nobody can tell two worlds apart that differ only in what they cannot know: whole games, every seat, every step."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from games.worlds import Viewer, duet_secrets, luz_secrets, moments, other_world
from naive.luz import Luz
from overtrick.errors import IllegalMove
from overtrick.games import Position
from strategies import VARIANTS, random_record, seats_of

ASKED = {
    "luz": [
        *[f"play:#{place}" for place in range(12)],
        *["bet:0", "bet:6+", "bet:10", "bet:11", "resign", "", "play:"],
        *[f"play:{colour}{value}" for colour in "RYGBP" for value in range(1, 13)],
    ],
    "duet": [
        *[f"{kind}:{suit}{rank}" for kind in ("play", "gift", "decree") for suit in "DRS" for rank in range(1, 11)],
        *["foxes:self", "foxes:partner", "decree:keep", "forest:low", "forest:high", "play:", "move:+1", "move:-7"],
    ],
}  # fmt: skip


def what_it_sees(position: Position, viewer: Viewer) -> tuple[str, bytes, tuple[str, ...], tuple[int, ...]]:
    view = position.view(viewer)
    return json.dumps(view.to_json()), view.observation.tobytes(), view.legal, view.legal_actions


def what_it_is_told(position: Position, viewer: int, *, game: str) -> list[str]:
    """Every answer that a seat gets by trying moves, in and out of turn."""
    told = []
    for move in ASKED[game]:
        try:
            position.record_move(viewer, move)
            told.append("")
        except IllegalMove as error:
            told.append(str(error))
    if position.to_act == viewer:
        told += [str(position.view(viewer).why_not(move)) for move in ASKED[game]]
    return told


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_worlds_alike_to_a_viewer_look_alike_to_it(variant: str, seed: int) -> None:
    """Byte for byte: the view, the observation that bots compute with, and what may be played."""
    record = random_record(variant, seed, care=0.95)
    viewers: list[Viewer] = [None, *range(seats_of(record["game"], record["options"]))]
    rng = random.Random(seed)
    steps = others = 0
    for moment in moments(record):
        position = moment.position()
        for viewer in viewers:
            world = other_world(moment, viewer, rng)
            assert what_it_sees(world, viewer) == what_it_sees(position, viewer)
            steps += 1
            others += world.state() != position.state()
    assert others > 0.6 * steps  # late in a deal there may be no other world


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_worlds_alike_to_a_seat_answer_its_tries_alike(variant: str) -> None:
    """No refusal is an oracle for what is hidden."""
    record = random_record(variant, 3, care=0.95)
    rng = random.Random(variant)
    for moment in moments(record):
        if rng.random() < 0.9:
            continue
        position = moment.position()
        for seat in range(seats_of(record["game"], record["options"])):
            told = what_it_is_told(position, seat, game=record["game"])
            world = other_world(moment, seat, rng)
            assert what_it_is_told(world, seat, game=record["game"]) == told


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_no_hidden_card_is_named_in_a_view(variant: str) -> None:
    record = random_record(variant, 4, care=0.95)
    for moment in moments(record):
        position = moment.position()
        for viewer in (None, *range(seats_of(record["game"], record["options"]))):
            twin = moment.twin
            secrets = luz_secrets(twin, viewer) if isinstance(twin, Luz) else duet_secrets(twin, viewer)
            view = position.view(viewer).to_json()
            if of_an_earlier_deal(view):  # its cards were open to all, and are shuffled since
                view["last_trick"] = None
            assert not set(re.findall(r"[RYGBPDS]\d+", json.dumps(view))) & secrets


def of_an_earlier_deal(view: dict[str, Any]) -> bool:
    name = "deal" if view["game"] == "luz" else "round"
    return view["last_trick"] is not None and view["last_trick"][name] < view[name]


def test_views_of_different_knowledge_differ() -> None:
    """The comparison can fail: a seat does tell apart worlds that differ in what it sees."""
    record = random_record("duet-1", 5, care=0.95)
    rng = random.Random(0)
    told_apart = 0
    for moment in moments(record):
        world = other_world(moment, 0, rng)
        told_apart += what_it_sees(world, 1) != what_it_sees(moment.position(), 1)
    assert told_apart > 10
