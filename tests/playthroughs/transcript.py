"""Write a record as a transcript: every move with what it led to, and now and then what each viewer sees.

A transcript begins with its own record, so it can be made anew from itself:

    PYTHONPATH=tests python -m playthroughs.transcript           make all transcripts anew from their records
    PYTHONPATH=tests python -m playthroughs.transcript FILE.txt  only these
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from overtrick.games import Position, load

FOLDER = Path(__file__).parent
LOOKS = 4
"""At how many moments of a game its views are shown."""

Record = dict[str, Any]


def read_record(text: str) -> Record:
    """Return the record at the head of a transcript."""
    head, _, _ = text.partition("\n\n")
    return dict(json.loads("".join(line for line in head.splitlines() if not line.startswith("#"))))


def write(record: Record) -> str:
    return "\n".join([*heading(record), *body(record)]) + "\n"


def heading(record: Record) -> Iterator[str]:
    """The record as JSON, a line a hand and a few lines of moves, under its title."""
    yield f"# {record['meta']['title']}"
    yield f'{{"overtrick": 1, "game": "{record["game"]}", "options": {json.dumps(record["options"])},'
    yield f' "meta": {json.dumps(record["meta"])},'
    deals = [
        ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in deal.items())
        for deal in record["deals"]
    ]
    yield from (' "deals": [{' + "},\n {".join(deals) + "}],").replace("], [", "],\n   [").splitlines()
    yield ' "moves": ['
    for at in range(0, len(record["moves"]), 12):
        more = "," if at + 12 < len(record["moves"]) else ""
        yield "  " + ", ".join(json.dumps(move) for move in record["moves"][at : at + 12]) + more
    yield " ]}"


def body(record: Record) -> Iterator[str]:
    """A line for the moves of a trick, or of the betting, with the number of the first; then what they led to."""
    position = load(record["game"], **record["options"]).start()
    deals, moves = iter(record["deals"]), record["moves"]
    every = max(1, len(moves) // LOOKS)
    line: list[str] = []
    for number, move in enumerate(moves):
        if position.needs_deal and (deal := next(deals, None)) is not None:
            position = position.deal(deal)
            yield from dealt(position)
        if number % every == every // 2:
            yield from (*joined(line, number), *look(position))
            line = []
        before, position = position, position.play(move)
        line.append(move if before.to_act is None else f"{before.to_act} {move}")
        happened = list(events(before, position))
        if happened or (before.phase, position.phase) == ("bet", "play") or number == len(moves) - 1:
            yield from (*joined(line, number + 1), *happened)
            line = []
    outcome = position.outcome()
    yield "result " + json.dumps(outcome.to_json() if outcome else None)


def joined(line: list[str], end: int) -> list[str]:
    return [f"{end - len(line):3}  {' · '.join(line)}"] if line else []


def dealt(position: Position) -> Iterator[str]:
    state = position.state()
    yield ""
    yield (
        f"deal {state['deal']}, first seat {state['first']}" if "deal" in state else f"round {state['round']}"
    )
    for seat, hand in enumerate(state["hands"]):
        yield f"    seat {seat} {' '.join(hand)}"
    if "decree" in state:
        yield f"    decree {state['decree']}"


def events(before: Position, after: Position) -> Iterator[str]:
    """Say what a move led to: a trick taken, the tracker moved, a deal or round ended."""
    old, new = before.state(), after.state()
    if sum(new["tricks"]) > sum(old["tricks"]):
        last = after.view(None).to_json()["last_trick"]
        yield f"    {' '.join(last['cards'])} to seat {last['winner']}, tricks {new['tricks']}"
        if "move" in last:
            gem = " and takes a gem" if last["gem"] else ""
            end = " off the path, back to the start" if last["ran_off"] else f" to {new['tracker']}{gem}"
            yield f"    tracker {last['move']:+d}{end}"
    if new.get("gems") != old.get("gems") or new.get("covered") != old.get("covered"):
        yield f"    path {path(new)}, {new['tokens']} forest tokens"
    if new.get("decree") != old.get("decree"):
        yield f"    decree {new['decree']}"
    if new.get("scores") != old.get("scores"):
        yield f"    bets {' '.join(new['bets'])}, scores {new['scores']}"


def path(state: dict[str, Any]) -> str:
    low, high = state["covered"]
    spaces = [str(gems) for gems in state["gems"]]
    spaces[:low] = ["#"] * low
    spaces[len(spaces) - high :] = ["#"] * high
    spaces[state["tracker"]] = f"[{spaces[state['tracker']]}]"
    return " ".join(spaces)


def look(position: Position) -> Iterator[str]:
    """Say what may be played and what everybody sees."""
    for viewer in (None, *range(position.game.seats)):
        view = position.view(viewer).to_json()
        name = "public" if viewer is None else f"seat {viewer}"
        hands = " | ".join(hand_seen(hand) for hand in view["hands"])
        told = {key: view[key] for key in ("known", "void", "gifts") if key in view}
        yield f"  . {name} sees {hands}{' ' + json.dumps(told) if told else ''}"
        if view["legal"]:
            yield f"  . {name} may {' '.join(view['legal'])}"


def hand_seen(hand: list[Any] | None) -> str:
    if hand is None:
        return "?"
    return (
        " ".join(card if isinstance(card, str) else card.get("card") or card["suit"] for card in hand) or "-"
    )


def main() -> None:
    for file in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.txt")):
        file.write_text(write(read_record(file.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
