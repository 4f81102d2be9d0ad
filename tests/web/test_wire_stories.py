"""The wire audit of games in which more happens than moves, and of every route that the server has.

As in `test_wire_audit`, but with people who chat, leave while a bot sits in, come back, run out of time, pause, propose
and give up, on second devices, with accounts; and besides the seats with those who watch by the link, whom the host
removed, and whose session is over.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.web.app import create_app
from strategies import random_record
from web.audit import Clock, let_bots_follow_seeds
from web.otherwise import Audit, checkpoints
from web.serving import settings_for
from web.stories import (
    PASSERS_BY,
    Act,
    JoinsByLink,
    LogsIn,
    Look,
    Passing,
    Story,
    moves_of,
    quiet,
    says,
)
from web.survey import NOT_AUDITED, STREAMS, audited, routes
from web.wire import Viewer, Watcher

Wanted = dict[int, tuple[Viewer, ...]]
TRICKY = "<b>loud</b> & \u202eturned"


def test_every_route_is_audited_or_left_out_for_a_reason(tmp_path: Path) -> None:
    found = routes(create_app(settings_for(tmp_path)))
    assert found - audited() - set(STREAMS) == set(NOT_AUDITED)
    for method in ("GET", "POST"):
        known = {route for route in audited() if route.startswith(method)}
        assert known <= found, "asked of routes that there are not"


CARDS_AND_SECRETS = re.compile(r"\b[RYGBPDS]([1-9]|1[0-2])\b|s{20}|[0-9a-f]{64}|Seat \d|loud")


@pytest.fixture(autouse=True)
def _logs_hold_nothing_of_the_game(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.INFO, "overtrick")
    yield
    told = [record for record in caplog.get_records("call") if CARDS_AND_SECRETS.search(record.getMessage())]
    assert not told


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    let_bots_follow_seeds(monkeypatch)
    return Clock.set(monkeypatch)


def audit(story: Story, wanted: Wanted, folder: Path, clock: Clock) -> dict[str, Watcher]:
    """Play the story, then in other worlds: nobody is sent a byte that depends on what they cannot know."""
    found = Audit(story, checkpoints(story.record, wanted, 1), folder, clock)
    compared, apart = found.compare()
    truth = found.truth
    assert compared > 40 * len(found.found)
    assert apart >= len(found.found) // 2, "the other worlds were hardly other"
    surveys = [sent for one in truth.values() for moment, sent in one.sent.items() if "survey" in moment]
    assert {" ".join(way.split()[:2]) for sent in surveys for way in sent} == audited()
    return truth


def test_four_who_chat_leave_come_back_and_play_on_a_second_device(tmp_path: Path, clock: Clock) -> None:
    record = random_record("luz-4", 11, care=0.95)
    kinds = ("me", *("friend",) * 3)
    turns = Story(record=record, kinds=kinds).turns
    leaves, back, renewed = quiet(turns, 6, 1), quiet(turns, 22, 1), 50
    story = Story(
        record=record,
        kinds=kinds,
        fields={"talk": "open", "watching": "link"},
        before=(
            Act("seat-2", "leave"),
            Act("seat-0", "bot", {"seat": 2, "bot": "easy"}),
            Act("seat-0", "bot", {"seat": 2, "bot": ""}),
            Act("seat-2", "sit", {"seat": 2, "name": "Seat 2"}),
            Act("seat-0", "host", {"to": "1 Seat 1"}),
            Act("seat-1", "host", {"to": "0 Seat 0"}),
            JoinsByLink("device-0", "seat-0"),
            says("seat-3", "We begin."),
        ),
        acts={
            2: (
                says("seat-0", TRICKY),
                says("device-0", "From my phone."),
                says("watcher", "Hey!", status=403),
            ),
            leaves: (Act("seat-1", "step-out"), says("seat-1", "Back soon."), Look()),
            back: (Act("seat-1", "come-back"),),
            renewed: (Act("seat-0", "link"),),
            renewed + 1: (says("device-0", "Shut out.", status=403), Look()),
        },
        devices=("device-0",),
        public_from=renewed,
        away=moves_of(turns, 1, range(leaves, back)),
    )
    wanted: Wanted = {back + 1: (None, 0, 1, 2, 3), renewed + 2: (None, 0)}
    audit(story, wanted, tmp_path, clock)


def test_five_whom_nobody_watches_play_against_the_clock_and_stop_early(tmp_path: Path, clock: Clock) -> None:
    record = random_record("luz-5", 12, care=0.95)
    kinds = ("me", *("friend",) * 4)
    turns = Story(record=record, kinds=kinds).turns
    late = 14
    seat = turns[late].seat
    back = quiet(turns, 30, seat)
    five = [f"seat-{number}" for number in range(5)]
    story = Story(
        record=record,
        kinds=kinds,
        fields={"talk": "between", "watching": "nobody", "clock": "move-5", "flag": "bot"},
        acts={
            1: (
                *(Act(who, "pause") for who in five),
                says("seat-3", "A break?", status=409),
                Look(),
                Passing(4, quietly=True),
                Act("seat-2", "resume"),
                Act("watcher", "resume", status=403),
            ),
            8: (Passing(3, quietly=True),),
            back: (Act(f"seat-{seat}", "come-back"),),
            55: (says("seat-2", "Between deals."), Look()),
            56: (says("seat-2", "Too late.", status=409),),
            60: (Act("seat-0", "propose-end", {"after": 0}),),
            61: (Act("seat-1", "decline-end", {"number": 1}),),
        },
        leaving={late: Passing(6)},
        away=moves_of(turns, seat, range(late, back)),
        after=(
            Act("seat-0", "propose-end", {"after": 1}),
            *(Act(who, "agree-end", {"number": 2}) for who in five[1:]),
        ),
        until=112,
    )
    truth = audit(story, {back + 1: (None, 0, seat, 4), 62: (None, 1)}, tmp_path, clock)
    for name in PASSERS_BY:
        told_the_same_whatever_goes_on(truth[name])


def told_the_same_whatever_goes_on(stranger: Watcher) -> None:
    """At a table that nobody may watch a stranger learns nothing but that."""
    answers: dict[str, set[object]] = {}
    for sent in stranger.sent.values():
        for way, kept in sent.items():
            answers.setdefault(way, set()).add(kept)
    assert len(answers) > 60
    several = {way: kept for way, kept in answers.items() if len(kept) > 1}
    assert not several, sorted(several)
    assert not stranger.pushes
    assert not stranger.events


def test_partners_who_talk_between_rounds_and_run_out_of_time(tmp_path: Path, clock: Clock) -> None:
    record = random_record("duet-1", 1, care=0.95)
    kinds = ("me", "friend")
    turns = Story(record=record, kinds=kinds).turns
    forest = record["moves"].index(next(move for move in record["moves"] if move.startswith("forest:")))
    leaves = quiet(turns, forest + 10, 1)
    back = quiet(turns, leaves + 8, 1)
    end = quiet(turns, back + 9, 1)
    story = Story(
        record=record,
        kinds=kinds,
        fields={"talk": "open", "clock": "bank-5-0", "flag": "forfeit"},
        before=(says("seat-1", "Before the first deal we may talk."), JoinsByLink("device-1", "seat-1")),
        acts={
            0: (says("seat-0", "Not now.", status=409), Look()),
            3: (Passing(2, quietly=True), Act("seat-0", "propose", {"ply": 3, "end": "low"}, 409)),
            9: (
                Act("seat-0", "pause"),
                Act("device-1", "pause"),
                Look(survey=False),
                Act("seat-1", "resume"),
            ),
            forest: (
                says("seat-0", "Which end?"),
                says("device-1", TRICKY),
                Act("seat-0", "propose", {"ply": forest, "end": "low"}),
                Act("seat-1", "propose", {"ply": forest, "end": "high"}),
                Look(),
            ),
            leaves: (Act("seat-1", "step-out"),),
            back: (Act("device-1", "come-back"), Look(survey=False)),
        },
        devices=("device-1",),
        public_from=1000,
        away=moves_of(turns, 1, range(leaves, back)),
        after=(Passing(6),),
        until=end,
    )
    wanted: Wanted = {20: (None, 0, 1), forest: (None, 0), back + 1: (None, 1)}
    audit(story, wanted, tmp_path, clock)


def test_partners_whom_everybody_watches_are_away_and_give_up(tmp_path: Path, clock: Clock) -> None:
    record = random_record("duet-3", 12, care=0.95)
    kinds = ("me", "friend")
    turns = Story(record=record, kinds=kinds).turns
    late = next(ply for ply in range(8, 99) if turns[ply].seat == 1 and turns[ply + 1].seat == 0)
    back = quiet(turns, late + 6, 1)
    story = Story(
        record=record,
        kinds=kinds,
        fields={"talk": "off", "watching": "everybody", "public": 1, "away": 5},
        acts={
            1: (says("seat-0", "Closed.", status=403),),
            4: (Act("seat-0", "propose-end", {"after": 0}), Look()),
            5: (Act("seat-1", "decline-end", {"number": 1}),),
            back: (Act("seat-1", "come-back"), Look()),
        },
        leaving={late: Passing(6)},
        away=moves_of(turns, 1, range(late, back)),
        after=(
            Act("seat-1", "propose-end", {"after": 1}),
            Act("seat-0", "agree-end", {"number": 2}),
        ),
        until=quiet(turns, back + 3, 1),
    )
    audit(story, {back + 1: (None, 0, 1)}, tmp_path, clock)


def test_three_with_accounts_of_whom_one_logs_out_while_playing(tmp_path: Path, clock: Clock) -> None:
    record = next(
        one
        for one in (random_record("luz-3", seed, care=0.95) for seed in range(40))
        if one["options"]["dealer"] == 2
    )
    secret = {"name": "Seat 0", "password": "correct horse"}
    kinds = ("me", "friend", "bot:uniform")
    turns = Story(record=record, kinds=kinds).turns
    out = quiet(turns, 38, 2)
    later = quiet(turns, out + 1, 2)
    story = Story(
        record=record,
        kinds=kinds,
        fields={"watching": "everybody", "public": 1},
        before=(
            Act("seat-0", "/me/claim", secret),
            LogsIn("device-0", **secret),
            says("device-0", "Here I am, too."),
        ),
        acts={
            quiet(turns, 5, 2): (Look(),),
            out: (Act("device-0", "/me/logout"),),
            later: (says("device-0", "Who am I?", status=403), Look()),
        },
        devices=("device-0",),
        public_from=out,
        logged_in=("seat-0", "device-0"),
    )
    wanted: Wanted = {quiet(turns, 20, 2): (None, 0, 1), quiet(turns, later + 1, 2): (None, 0)}
    audit(story, wanted, tmp_path, clock)
