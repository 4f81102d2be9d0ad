"""The figures of a match as tables for a terminal."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console
from rich.table import Table

WIDTH = 120
"""Columns, where there is no terminal to ask."""


def print_report(report: dict[str, Any]) -> None:
    """Print what `match --json` gives, with 95 % intervals in brackets."""
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    match, run = report["match"], report["run"]
    options = ", ".join(f"{key} {value}" for key, value in match["options"].items() if value is not None)
    console.print(
        f"{match['game']}, {options}, seed {match['seed']}: {report['games']:,} games on the deals of "
        f"{report['deals_from']:,}, {report['rotations']} rotations of the seats", highlight=False,
    )  # fmt: skip
    if match["game"] == "luz":
        console.print(_luz_table(report))
        if report["differences"]:
            console.print(_differences(report))
    else:
        console.print(_duet_table(report))
    console.print(_thought_table(report))
    console.print(
        f"{run['games_played']:,} games in {run['seconds']:,.1f} s, {run['backend']}, {run['jobs']} at once; "
        f"load {run['load_before'][0]:.2f} before, {run['load_after'][0]:.2f} after", highlight=False,
    )  # fmt: skip


def _luz_table(report: dict[str, Any]) -> Table:
    table = Table("bot", "seats", "games won", "points a game", "points a deal", "bets won", "safety bead")
    for bot in report["bots"]:
        table.add_row(
            bot["bot"], str(bot["seats"]), _percent(bot["win_rate"]), _number(bot["score_a_game"], 1),
            _number(bot["score_a_deal"], 2), _percent(bot["bets_won"]), _percent(bot["safety_share"]),
        )  # fmt: skip
    table.caption = f"each seat of a bot; a fair share of the games is {100 * bot['fair_win_rate']:.0f} %"
    return table


def _differences(report: dict[str, Any]) -> Table:
    table = Table("bot", "minus", "games won", "points a game", "points a deal", "bets won")
    for row in report["differences"]:
        table.add_row(
            row["bot"], row["minus"], _percent(row["win_rate"]), _number(row["score_a_game"], 1),
            _number(row["score_a_deal"], 2), _percent(row["bets_won"]),
        )  # fmt: skip
    table.caption = "on the same deals, seat for seat"
    return table


def _duet_table(report: dict[str, Any]) -> Table:
    pair = report["pair"]
    table = Table("pair", "games won", "score (0 if lost)", "rounds", "tokens left", "gems left", "endings")
    table.add_row(
        " + ".join(report["match"]["seats"]), _percent(pair["won"]), _number(pair["score"], 2),
        _number(pair["rounds"], 2), _number(pair["tokens_left"], 2), _number(pair["gems_left"], 2),
        ", ".join(f"{ending} {number:,}" for ending, number in pair["endings"].items()),
    )  # fmt: skip
    return table


def _thought_table(report: dict[str, Any]) -> Table:
    table = Table("bot", "decisions", "a second", "ms median", "mean", "99th of 100")
    for bot in report["bots"]:
        thought = bot["thought"]
        ms = thought["ms"]
        table.add_row(
            bot["bot"], f"{thought['decisions']:,}", f"{thought['decisions_per_s']:,.0f}",
            f"{ms['median']:g}", f"{ms['mean']:g}", f"{ms['p99']:g}",
        )  # fmt: skip
    return table


def _percent(estimate: dict[str, float | None]) -> str:
    return _number({key: None if value is None else 100 * value for key, value in estimate.items()}, 1)


def _number(estimate: dict[str, float | None], places: int) -> str:
    mean = f"{estimate['mean']:.{places}f}"
    if estimate["low"] is None:
        return mean
    return f"{mean} [{estimate['low']:.{places}f}, {estimate['high']:.{places}f}]"
