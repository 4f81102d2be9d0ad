"""What searching bots say of their moves: what the search found, and a rule of thumb only where it agrees."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from overtrick._jit import records
from overtrick.bots import BOTS, Budget, Reason, findings, make_bot
from overtrick.bots.searcher import Searcher
from overtrick.bots.thoughts import thoughts
from overtrick.games import Position, View, load
from overtrick.search import Search, Settings, verbs

EVERY_GAME = pytest.mark.parametrize("variant", ["luz-4", "duet-1"])
SEED = 5
SAMPLED = Settings(bank=32, doubt=1e9)
EXACT = Settings(bank=32, exact=64)
COMPARISONS = {findings.CLEAR, findings.AHEAD, findings.CLOSE}


def decisions(variant: str, seed: int, *, most: int = 60) -> Iterator[Position]:
    """Moments of a game by rules of thumb at which there is a choice."""
    name, _, number = variant.partition("-")
    game = load(name, **{"players" if name == "luz" else "level": int(number)})
    rng, bot = random.Random(f"{variant} {seed}"), make_bot("rules_of_thumb")
    position = game.start()
    while not position.over and most:
        if position.needs_deal:
            position = position.deal(game.random_deal(rng))
            continue
        view = position.view(position.to_act)
        if len(view.legal) > 1:
            most -= 1
            yield position
        assert position.to_act is not None
        move = bot.choose(view, seed=1, budget=Budget()).move
        position = position.play(position.record_move(position.to_act, move))


def views(variant: str, seed: int, *, most: int = 60) -> Iterator[View]:
    return (position.view(position.to_act) for position in decisions(variant, seed, most=most))


def search_at(view: View, settings: Settings, nodes: int) -> Search:
    search = Search(view, settings, seed=SEED)
    if nodes:
        search.run(nodes)
    return search


def said_at(view: View, settings: Settings, nodes: int) -> tuple[Search, tuple[Reason, ...]]:
    """A search, and the sentences of its reason."""
    search = search_at(view, settings, nodes)
    return search, findings.why(search, view, thoughts(view, SEED)).sentences


def ways_of(view: View) -> int:
    """In how many ways the cards may lie, counted apart from any search."""
    know, seen = records(verbs.PARTS[view.observation.dtype].knowledge), records(view.observation.dtype)
    seen[0] = view.observation[0]
    verbs.ponder(seen[0], know[0])
    return int(verbs.count_worlds(seen[0], know[0]))


@EVERY_GAME
def test_says_how_many_ways_it_tried_and_never_more_than_there_are(variant: str) -> None:
    fewer = 0
    for view in views(variant, 1):
        search, (counted, *_) = said_at(view, SAMPLED, 400)
        ways = ways_of(view)
        assert (counted.msgid, counted.plural) == findings.SAMPLED
        assert counted.params["n"] == min(search.estimates()[0].worlds, ways)
        fewer += ways < search.estimates()[0].worlds
    assert fewer


@EVERY_GAME
def test_a_move_that_is_close_or_next_best_is_another_legal_one(variant: str) -> None:
    told: Counter[str] = Counter()
    for nodes in (60, 1500):
        for view in views(variant, 2):
            search, sentences = said_at(view, SAMPLED, nodes)
            (compared,) = [said for said in sentences if said.msgid in COMPARISONS]
            told[compared.msgid] += 1
            best, *others = search.estimates()
            if compared.msgid != findings.CLEAR:
                nearest = view.action(str(compared.params["other"]))
                assert nearest in view.legal_actions
                assert nearest != search.best
                means = {estimate.action: estimate.mean for estimate in others}
                assert means[nearest] == max(means.values())
            elif others:
                assert best.mean - others[0].mean > findings.SAME
    assert set(told) == COMPARISONS


@EVERY_GAME
def test_a_race_that_one_move_has_won_is_clear_and_one_called_off_is_close(variant: str) -> None:
    won = called_off = 0
    for view in views(variant, 3):
        race = search_at(view, Settings(bank=32), 20_000)
        if race.decided:
            won += 1
            assert race.rivals() == []
        easy_going = search_at(view, Settings(bank=32, enough=10.0), 20_000)
        assert easy_going.decided
        called_off += len(easy_going.rivals())
        assert all(rival.behind >= 0 for rival in easy_going.rivals())
    assert won
    assert called_off


@EVERY_GAME
def test_a_rule_of_thumb_is_said_where_it_agrees_and_nowhere_else(variant: str) -> None:
    agreed = differed = 0
    for view in views(variant, 4):
        search, sentences = said_at(view, SAMPLED, 300)
        thought = thoughts(view, SEED)
        agrees = (
            search.best in thought.worth and thought.worth[search.best] >= max(thought.worth.values()) - 1e-9
        )
        assert (sentences[-1] == thought.why(search.best)) == agrees
        agreed += agrees
        differed += not agrees
    assert agreed
    assert differed


@EVERY_GAME
def test_an_ending_that_was_solved_is_said_to_be_gone_through_whole(variant: str) -> None:
    solved = 0
    for view in views(variant, 5, most=120):
        search, (counted, compared, *_) = said_at(view, EXACT, 40)
        if search.solved:
            solved += 1
            assert (counted.msgid, counted.plural) == findings.SOLVED
            assert counted.params["n"] == ways_of(view)
            assert compared.msgid in {findings.AHEAD, findings.CLOSE}
            assert {rival.error for rival in search.rivals()} == {0.0}
            assert len(search.rivals()) == len(view.legal) - 1
    assert solved > 1


def test_luz_says_how_often_the_bet_comes_out_and_never_when_it_is_lost() -> None:
    lost = hoped = 0
    for seed in range(3):
        for view in views("luz-4", seed, most=150):
            _, sentences = said_at(view, SAMPLED, 200)
            (kept,) = [said for said in sentences if said.msgid == findings.KEPT]
            seen = view.observation[0]
            most = int(seen["bets"][view.seat]) + int(seen["safety"][view.seat])
            if view.phase == "play" and int(seen["tricks"][view.seat]) > most:
                lost += 1
                assert kept.params["percent"] == 0
            elif kept.params["percent"] != 0:
                hoped += 1
    assert lost > 3
    assert hoped > 50


def test_nobody_bets_in_duet_so_no_bet_is_spoken_of() -> None:
    for view in views("duet-1", 1):
        assert all(said.msgid != findings.KEPT for said in said_at(view, SAMPLED, 50)[1])


@EVERY_GAME
def test_a_search_that_tried_nothing_says_so(variant: str) -> None:
    _, (first, *_) = said_at(next(views(variant, 1)), SAMPLED, 0)
    assert first == Reason(findings.NO_TIME)


@pytest.mark.parametrize("level", ["medium", "strong"])
@EVERY_GAME
def test_a_move_that_is_the_only_one_is_not_searched_for(level: str, variant: str) -> None:
    for position in decisions(variant, 6):
        following = position.play(position.legal_moves()[0])
        view = following.view(following.to_act)
        if len(view.legal) == 1:
            why = make_bot(level).choose(view, seed=1, budget=Budget(nodes=10)).why
            assert why == thoughts(view, 1).why(view.legal_actions[0])
            return
    raise AssertionError("there was always a choice")


def test_bots_that_search_are_known_to() -> None:
    assert {name for name, info in BOTS.items() if isinstance(info.make(), Searcher)} == {
        name for name, info in BOTS.items() if info.searches
    }


def test_one_way_is_said_in_the_singular() -> None:
    singular, plural = findings.SAMPLED
    assert str(Reason(singular, {"n": 1}, plural)) == "I tried 1 way that the cards may lie."
    assert str(Reason(singular, {"n": 2}, plural)) == "I tried 2 ways that the cards may lie."


def test_a_reason_is_the_same_after_json() -> None:
    why = Reason(
        "%(n)s card.", {"n": 3}, "%(n)s cards.", (Reason("Then."), Reason("%(other)s.", {"other": "R4"}))
    )
    again = Reason.from_json(json.loads(json.dumps(why.to_json())))
    assert again == why
    assert str(again) == "3 cards. Then. R4."
    assert Reason.from_json({"msgid": "Old.", "params": {}}) == Reason("Old.")
