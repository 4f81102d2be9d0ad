"""A record as readable text: who held what, who played what, who took it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from overtrick.games import Position, Record


def account(label: str, record: Record | None, verdict: dict[str, Any]) -> str:
    """Return the readable account of a record, move by move as far as it goes, with the verdict at its end."""
    lines = ["".join(c if c.isprintable() else "?" for c in label)]  # a file's name may hold anything
    if record is not None:
        played = verdict["moves"] if verdict["ok"] else verdict["move"] or 0
        options = ", ".join(
            f"{key} {value}" for key, value in record.game.options.items() if value is not None
        )
        lines.append(f"  {record.game.name}: {options}")
        lines += [f"  {line}" for line in _play(record, min(played, len(record.moves)))]
    if not verdict["ok"]:
        where = "" if verdict["move"] is None else f" at move {verdict['move']}"
        lines.append(f"  not sound{where}: {verdict['error']}")
    elif verdict["result"]:
        lines.append("  result: " + _pairs(verdict["result"]))
    else:
        lines.append(f"  to act: seat {verdict['to_act']}; legal: {' '.join(verdict['legal'])}")
        lines.append("  state: " + _pairs(verdict["state"]))
    if "view" in verdict:
        lines.append("  view: " + _pairs(verdict["view"]))
    return "\n".join(lines)


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in values.items())


def _play(record: Record, moves: int) -> Iterator[str]:
    """Yield a line a deal, and a line a trick: every move with its seat, and who took the cards."""
    position, deals = record.game.start(), 0
    line: list[str] = []
    for i in range(moves + 1):
        if position.needs_deal and deals < len(record.deals):
            position, deals = position.deal(record.deals[deals]), deals + 1
            yield from _dealt(position, deals)
        if i == moves:
            break
        before, seat, move = position, position.to_act, str(record.moves[i])
        position = position.play(move)
        line.append(move if move == "resign" else f"{seat} {move}")
        closing = _closing(before, position)
        if closing is not None:
            yield f"  {' · '.join(line)}{closing}"
            line = []
    if line:
        yield f"  {' · '.join(line)}"


def _dealt(position: Position, number: int) -> Iterator[str]:
    state = position.state()
    decree = f", decree {state['decree']}" if "decree" in state else ""
    yield f"deal {number}: seat {state['leader']} leads{decree}"
    for seat, hand in enumerate(state["hands"]):
        yield f"  seat {seat}: {' '.join(hand)}"


def _closing(before: Position, after: Position) -> str | None:
    """Return the end of a line when a trick, the betting or a round ended with this move, else None."""
    old, new = before.state(), after.state()
    if sum(new["tricks"]) > sum(old["tricks"]):
        trick = after.view(None).to_json()["last_trick"]
        moved = "" if "move" not in trick else _walked(trick, new)
        scores = f"; scores {new['scores']}" if after.needs_deal and "scores" in new else ""
        return f" -> seat {trick['winner']}{moved}{scores}"
    betting_ended = before.phase == "bet" and after.phase != "bet"
    return "" if betting_ended or before.phase == "forest" or after.over else None


def _walked(trick: dict[str, Any], state: dict[str, Any]) -> str:
    if trick["ran_off"]:
        return (
            f", {trick['move']:+d} runs off the path, tracker at {state['tracker']}, tokens {state['tokens']}"
        )
    return f", {trick['move']:+d} to space {state['tracker']}{', a gem' if trick['gem'] else ''}"
