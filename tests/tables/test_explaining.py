"""What bots say of their moves: nothing that gives anything away while the game goes on, everything afterwards."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from overtrick.bots import BOTS, Budget, Choice, Reason, make_bot
from overtrick.bots.findings import SAMPLED
from overtrick.games import Record
from overtrick.tables.commands import Start
from overtrick.tables.decide import play, play_bot
from overtrick.tables.explaining import HARMLESS, reason_of, said
from overtrick.tables.fold import fold_all
from overtrick.tables.record import record
from overtrick.tables.redact import table_view
from overtrick.tables.table import Table
from tables.setting import ANN, Desk, logged, making, waiting
from tables.worlds import worlds

SEATS = {"luz": ("me", "bot:easy", "bot:easy", "bot:easy"), "duet": ("me", "bot:easy")}
BUDGET = Budget(nodes=30)
TRIES = 6


def at_the_table(game: str, **changes: object) -> Desk:
    desk = waiting(game, seats=SEATS[game], dealer=0, **{"explain": True, **changes})
    desk.ask(ANN, Start())
    return desk


def moved(table: Table, choice: Choice) -> Table:
    """The table after the bot to act has made a choice."""
    assert table.to_act is not None
    return fold_all(table, logged(play_bot(table, table.to_act, choice, random.Random(3))))


def chosen(table: Table, bot: str) -> Choice:
    assert table.position is not None
    return make_bot(bot).choose(table.position.view(table.to_act), seed=1, budget=BUDGET)


def seen(table: Table, viewer: int | None) -> object:
    assert table.position is not None
    return table.position.view(viewer).to_json()


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("game", ["luz", "duet"])
def test_what_is_told_during_a_game_is_the_same_in_every_world_that_its_reader_thinks_possible(
    game: str, bot: str
) -> None:
    table, rng, compared = at_the_table(game).table, random.Random(5), 0
    while table.status == "playing" and len(table.deals) == 1:
        assert table.position is not None
        if table.to_act == 0:
            said_there = rng.choice(table.position.view(0).legal)
            table = fold_all(table, logged(play(table, 0, said_there, random.Random(3))))
            continue
        after = moved(table, chosen(table, bot))
        if len(after.deals) > 1:
            break
        for viewer in (None, 0):
            for other in worlds(table, viewer, tries=TRIES):
                there = moved(other, chosen(other, bot))
                if len(there.deals) == 1 and seen(there, viewer) == seen(after, viewer):
                    assert said(there) == said(after)
                    compared += 1
        table = after
    assert compared > 5


def test_some_reasons_are_told_during_a_game_and_only_where_it_is_wished() -> None:
    for game in SEATS:
        told, table = set(), at_the_table(game).table
        while table.status == "playing":
            bot = "rules_of_thumb" if table.to_act else "uniform"
            table = moved(table, chosen(table, bot))
            shown = table_view(table, ANN).said
            assert table_view(replace(table, explain=False), ANN).said is None
            told |= {str(shown.why)} if shown else set()
        assert told
        assert told <= {sentence for _, _, sentence in HARMLESS}
        assert table_view(table, ANN).said is None


@pytest.mark.parametrize(
    "why",
    [
        Reason("Your red card is a 4."),
        Reason("It is the only card that may be played.", {"card": "R4"}),
        Reason("We need the room least at this end."),
        Reason(
            "It is the only card that may be played.", {"n": 1}, "They are the only cards that may be played."
        ),
        Reason("I tried %(n)s way.", {"n": 3}, "I tried %(n)s ways.", (Reason("Your red card is a 4."),)),
    ],
)
def test_a_reason_that_is_not_listed_stays_hidden(why: Reason) -> None:
    table = at_the_table("luz").table
    assert table.position is not None
    table = moved(table, Choice(table.position.view(table.to_act).legal[0], why))
    view = table_view(table, ANN)
    assert (view.said, view.told) == (None, ())
    assert str(why) not in str(view.to_json())


def test_of_what_a_search_found_nothing_is_told_but_the_harmless_sentence_beside_it() -> None:
    harmless = "Of the spaces that we can reach, this one serves us best."
    told: Counter[bool] = Counter()
    for seed in range(4):
        table = moved_to_the_way(seed)
        after = moved(table, chosen(table, "medium"))
        found = reason_of(after.moves[-1])
        assert found is not None
        assert (found.msgid, found.plural) == SAMPLED
        shown = said(after)
        assert shown is None or shown.why == Reason(harmless)
        told[shown is not None] += 1
    assert told[True]


def moved_to_the_way(seed: int) -> Table:
    """A table of Duet at which a bot is asked which way the lantern goes."""
    rng, table = random.Random(seed), at_the_table("duet").table
    while table.position is None or table.position.view(None).phase != "move" or table.to_act == 0:
        if table.status == "over":
            table = at_the_table("duet").table
        assert table.position is not None
        assert table.to_act is not None
        legal = table.position.view(table.to_act).legal
        table = fold_all(table, logged(play(table, table.to_act, rng.choice(legal), rng)))
    return table


@pytest.mark.parametrize("game", ["luz", "duet"])
def test_after_the_game_every_move_stands_with_its_reason(game: str) -> None:
    table = at_the_table(game, explain=False).table
    while table.status == "playing":
        table = moved(table, chosen(table, "rules_of_thumb"))
    told = table_view(table, None).told
    assert [one.move for one in told] == [one.move for one in table.moves]
    assert all(one.why is not None and str(one.why) for one in told)
    assert sorted({one.deal for one in told}) == list(range(1, len(table.deals) + 1))
    kept = record(table, made_at=None)
    assert kept["meta"]["reasons"] == [str(one.why) for one in told]
    assert Record.of(kept).replay().error is None


def test_a_persons_moves_have_no_reason() -> None:
    desk = Desk(at_the_table("luz").table)
    while desk.table.to_act != 0:
        desk.table = moved(desk.table, chosen(desk.table, "uniform"))
    desk.say(ANN, desk.legal()[0])
    assert desk.table.moves[-1].why is None
    assert making().explain is False
