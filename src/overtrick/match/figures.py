"""All of a match's numbers, as JSON values: by bot, by pair of bots, and how long they thought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from overtrick.match.entrant import Entrant
from overtrick.match.estimate import Estimate, mean_of, share_of
from overtrick.match.setting import Setting
from overtrick.match.thought import Thought

Ended = Mapping[str, Any]
"""A finished game, as `arena.play_game` returns it."""

Group = Sequence[Ended]
"""The games on the same deals, one a rotation."""

Measure = Callable[[Ended, int], float]
"""What a seat came to in a finished game."""


def figures_of(setting: Setting, games: Iterable[Ended]) -> dict[str, Any]:
    """Return the figures of the groups of games that are complete; ValueError if there is none."""
    groups = _complete(setting, games)
    if not groups:
        raise ValueError("no group of games is complete")
    report: dict[str, Any] = {
        "match": setting.to_json(),
        "deals_from": len(groups),
        "rotations": len(setting.rotations),
        "games": len(groups) * len(setting.rotations),
    }
    if setting.game.name == "luz":
        report["deals"] = report["games"] * setting.game.max_deals
        report["bots"] = [_luz_bot(setting, groups, entrant) for entrant in setting.entrants]
        pairs = combinations(setting.entrants, 2)
        report["differences"] = [_luz_difference(setting, groups, one, other) for one, other in pairs]
    else:
        report["pair"] = _duet_pair(groups)
        report["bots"] = [{"bot": str(e), "thought": _thought(groups, e)} for e in setting.entrants]
    return report


def _complete(setting: Setting, games: Iterable[Ended]) -> list[Group]:
    """Return the groups of which every rotation was played, by number: in no order that depends on who was faster."""
    by_number: dict[int, dict[int, Ended]] = defaultdict(dict)
    for ended in games:
        by_number[ended["game"]][ended["rotation"]] = ended
    wanted = range(len(setting.rotations))
    return [
        [by_number[number][rotation] for rotation in wanted]
        for number in sorted(by_number)
        if len(by_number[number]) == len(wanted)
    ]


# Luz


def _score(ended: Ended, seat: int) -> float:
    return float(ended["result"]["scores"][seat])


def _won(ended: Ended, seat: int) -> float:
    return float(ended["result"]["winner"] == seat)


def _bets_won(ended: Ended, seat: int) -> float:
    return fmean(points[seat] > 0 for points in ended["result"]["by_deal"])  # a lost bet costs points (L-22)


def _safety(ended: Ended, seat: int) -> float:
    return fmean(bets[seat].endswith("+") for bets in ended["bets"])


def _by_group(setting: Setting, groups: Iterable[Group], entrant: Entrant, measure: Measure) -> list[float]:
    """Return, for each group, the mean of a measure over the seats that the entrant had in its games."""
    return [
        fmean(
            measure(ended, seat)
            for ended in group
            for seat, sitting in enumerate(setting.rotations[ended["rotation"]])
            if sitting == entrant
        )
        for group in groups
    ]


def _luz_bot(setting: Setting, groups: Sequence[Group], entrant: Entrant) -> dict[str, Any]:
    seats = setting.seats.count(entrant)
    deals = setting.game.max_deals
    played = len(groups) * len(setting.rotations) * seats
    score = _by_group(setting, groups, entrant, _score)

    def share(measure: Measure, cases: int) -> dict[str, Any]:
        return share_of(_by_group(setting, groups, entrant, measure), cases).to_json()

    return {
        "bot": str(entrant),
        "seats": seats,
        "score_a_deal": mean_of([points / deals for points in score]).to_json(),
        "score_a_game": mean_of(score).to_json(),
        "win_rate": share(_won, played),
        "fair_win_rate": round(1 / setting.game.seats, 6),
        "bets_won": share(_bets_won, played * deals),
        "safety_share": share(_safety, played * deals),
        "thought": _thought(groups, entrant),
    }


def _luz_difference(
    setting: Setting, groups: Sequence[Group], one: Entrant, other: Entrant
) -> dict[str, Any]:
    """Return by how much one bot's seat did better than the other's on the same deals."""

    def difference(measure: Measure) -> Estimate:
        pairs = zip(
            _by_group(setting, groups, one, measure),
            _by_group(setting, groups, other, measure),
            strict=True,
        )
        return mean_of([a - b for a, b in pairs])

    score = difference(_score)
    return {
        "bot": str(one),
        "minus": str(other),
        "score_a_deal": difference(
            lambda ended, seat: _score(ended, seat) / setting.game.max_deals
        ).to_json(),
        "score_a_game": score.to_json(),
        "win_rate": difference(_won).to_json(),
        "bets_won": difference(_bets_won).to_json(),
    }


# Duet


def _duet_pair(groups: Sequence[Group]) -> dict[str, Any]:
    """Return what the two came to together; with two bots a group holds both seatings."""
    results = [[ended["result"] for ended in group] for group in groups]

    def mean(field: str) -> dict[str, Any]:
        return mean_of([fmean(result[field] for result in group) for group in results]).to_json()

    wins = [fmean(result["won"] for result in group) for group in results]
    reasons = Counter(result["reason"] for group in results for result in group)
    return {
        "won": share_of(wins, sum(map(len, groups))).to_json(),
        "score": mean("score"),
        "rounds": mean("round"),
        "tokens_left": mean_of([fmean(ended["tokens"] for ended in group) for group in groups]).to_json(),
        "gems_left": mean("gems_left"),
        "endings": dict(sorted(reasons.items())),
    }


def _thought(groups: Sequence[Group], entrant: Entrant) -> dict[str, Any]:
    return Thought.of(ended["thought"][str(entrant)] for group in groups for ended in group).summary()
