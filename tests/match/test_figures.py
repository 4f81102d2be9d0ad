"""The figures of a match, against counting by hand."""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Any

import pytest

from overtrick.match import Setting, figures_of, make_setting, parse_entrant
from overtrick.match.arena import play_game


def played(setting: Setting, games: int) -> list[dict[str, Any]]:
    return [play_game(setting, place) for place in setting.places(games)]


def setting_of(game: str, *names: str, **options: Any) -> Setting:
    return make_setting(game, options, [parse_entrant(name) for name in names], seed=5)


def test_luz_is_counted_seat_by_seat() -> None:
    setting = setting_of("luz", "rules_of_thumb", "uniform")
    games = played(setting, 3)
    report = figures_of(setting, games)
    assert (report["deals_from"], report["rotations"], report["games"], report["deals"]) == (3, 4, 12, 48)
    bots = {bot["bot"]: bot for bot in report["bots"]}
    assert {name: bot["seats"] for name, bot in bots.items()} == {"rules_of_thumb": 1, "uniform": 3}
    for name, bot in bots.items():
        sat = [
            (ended, seat)
            for ended in games
            for seat, entrant in enumerate(setting.rotations[ended["rotation"]])
            if str(entrant) == name
        ]
        points = [row[seat] for ended, seat in sat for row in ended["result"]["by_deal"]]
        bets = [row[seat] for ended, seat in sat for row in ended["bets"]]
        assert bot["score_a_deal"]["mean"] == pytest.approx(fmean(points), abs=1e-5)
        assert bot["score_a_game"]["mean"] == pytest.approx(4 * fmean(points), abs=1e-5)
        assert bot["win_rate"]["mean"] == pytest.approx(
            fmean(ended["result"]["winner"] == seat for ended, seat in sat), abs=1e-5
        )
        assert bot["bets_won"]["mean"] == pytest.approx(fmean(p > 0 for p in points), abs=1e-5)
        assert bot["safety_share"]["mean"] == pytest.approx(fmean("+" in bet for bet in bets), abs=1e-5)
    [difference] = report["differences"]
    assert (difference["bot"], difference["minus"]) == ("rules_of_thumb", "uniform")
    for key in ("score_a_deal", "score_a_game", "win_rate", "bets_won"):
        apart = bots["rules_of_thumb"][key]["mean"] - bots["uniform"][key]["mean"]
        assert difference[key]["mean"] == pytest.approx(apart, abs=1e-5)
        assert difference[key]["low"] <= difference[key]["mean"] <= difference[key]["high"]


def test_shares_of_all_seats_make_one_winner_a_game() -> None:
    setting = setting_of("luz", "rules_of_thumb", "uniform", "uniform")
    report = figures_of(setting, played(setting, 2))
    assert sum(bot["seats"] * bot["win_rate"]["mean"] for bot in report["bots"]) == pytest.approx(1)


def test_duet_is_counted_by_pair() -> None:
    setting = setting_of("duet", "rules_of_thumb", level=1)
    games = played(setting, 12)
    report = figures_of(setting, games)
    results = [ended["result"] for ended in games]
    pair = report["pair"]
    assert pair["won"]["mean"] == pytest.approx(fmean(r["won"] for r in results), abs=1e-5)
    assert pair["score"]["mean"] == pytest.approx(fmean(r["score"] for r in results), abs=1e-5)
    assert pair["rounds"]["mean"] == pytest.approx(fmean(r["round"] for r in results), abs=1e-5)
    assert pair["gems_left"]["mean"] == pytest.approx(fmean(r["gems_left"] for r in results), abs=1e-5)
    assert pair["tokens_left"]["mean"] == pytest.approx(fmean(e["tokens"] for e in games), abs=1e-5)
    assert sum(pair["endings"].values()) == 12


def test_figures_do_not_depend_on_who_was_faster() -> None:
    setting = setting_of("duet", "rules_of_thumb", "uniform")
    games = played(setting, 5)
    shuffled = games[:]
    Random(1).shuffle(shuffled)
    assert figures_of(setting, games) == figures_of(setting, shuffled)


def test_deals_that_not_every_rotation_has_played_do_not_count() -> None:
    setting = setting_of("duet", "rules_of_thumb", "uniform")
    games = played(setting, 3)
    assert figures_of(setting, games[:-1]) == figures_of(setting, games[:4])
    with pytest.raises(ValueError, match="no group"):
        figures_of(setting, games[:1])
