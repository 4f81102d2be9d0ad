"""Fit the numbers of `overtrick/search/luz_weights.py` to games of searching bots: `python bench/train_luz.py [GAMES]`.

Searching bots play themselves with the numbers as they are; then the strengths of cards are fitted to which cards took
a trick, and, with those in force, the net and the bets to what the bots chose (imitation). The file is written anew.
Running it again repeats the step with better teachers.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import weights_file
from overtrick._jit import kernel, records
from overtrick.rules import luz
from overtrick.rules.bits import count
from overtrick.rules.rng import below, seeded
from overtrick.search import luz_history, luz_mind, luz_model, luz_policy, luz_weights
from self_play import decide, desk

WEIGHTS = Path(luz_weights.__file__)
BANK = 96
TEACHERS = ((160, 320, 0.0), (800, 4000, 1.0))
"""Playouts a card, playouts a bet, and belief in what others do: each seat of a game is one of these, drawn."""
PLAYERS = (3, 4, 5)


@kernel
def play(work: Any, states: Any, owner: Any, ends: Any, players: int, teachers: Any, rng: Any) -> None:
    """Play a game; write the state at the end of each deal into `ends`."""
    states[0] = states[1]
    state = states[0]
    luz.begin(state, players, below(rng, players), luz.NONE)
    who = np.zeros(luz.MAX_PLAYERS, np.int64)
    for seat in range(players):
        who[seat] = below(rng, len(teachers))
    for number in range(luz.DEALS):
        luz.random_owner(owner, players, rng)
        luz.deal(state, owner)
        while not luz_policy.settled(state):
            teacher = teachers[who[int(state.turn)]]
            budget = teacher[1] if state.phase == luz.BETTING else teacher[0]
            luz.apply(state, decide(work, state, int(budget), teacher[2]))
        ends[number] = state


def teach(games: int, seed: int) -> Any:
    """Return the states at the ends of all deals of self-play, [players' case, game, deal]."""
    work = desk(luz.OBSERVATION, seed=seed, bank=BANK)
    ends = records(luz.STATE, len(PLAYERS) * games * luz.DEALS).reshape(len(PLAYERS), games, luz.DEALS)
    rng, states, owner = seeded(seed), records(luz.STATE, 2), np.zeros(luz.CARDS, np.int8)
    for case, players in enumerate(PLAYERS):
        began = time.time()
        for game in range(games):
            play(work, states, owner, ends[case, game], players, np.array(TEACHERS), rng)
        print(f"{players} players: {games} games in {time.time() - began:.0f} s", flush=True)
    return ends


@kernel
def strengths(end: Any, past: Any, mind: Any, rows: Any) -> int:
    """Write how each held card looked at every third decision of a deal, and whether it took a trick; return rows."""
    luz_history.rewind(end, past)
    luz_mind.recall(past, mind)
    took = np.zeros((luz.MAX_PLAYERS, luz.HAND), np.bool_)
    for again in range(2):
        if again:
            luz_history.rewind(end, past)
            luz_mind.recall(past, mind)
        n = 0
        laid = np.zeros(luz.MAX_PLAYERS, np.int8)
        for i in range(int(end.logged)):
            seat, action = int(past.turn), int(end.log[i])
            if again and i % 3 == 0:
                n = note_strengths(past, mind, took, rows, n)
            if action < luz.BET:
                laid[seat] = action
            taken = int(past.taken)
            luz_mind.act(past, mind, action)
            if int(past.taken) > taken:
                winner = int(past.last_winner)
                took[winner, laid[winner]] = True
    return n


@kernel
def note_strengths(state: Any, mind: Any, took: Any, rows: Any, n: int) -> int:
    """Write one row for each card of the seat to act."""
    seat, players = int(state.turn), int(state.players)
    luz_model.promise(state, mind)
    for place in range(luz.HAND):
        if int(state.held[seat]) >> place & 1:
            suit = int(state.hand[seat, place]) // luz.RANKS
            others = int(mind.in_hands[suit]) & ~int(mind.cards[seat, suit])
            higher = count(others & (-2 << int(mind.value[seat, place])))
            voids = 0
            for other in range(players):
                if (
                    suit != luz.TRUMP
                    and other != seat
                    and mind.cards[other, suit] == 0
                    and mind.cards[other, luz.TRUMP]
                ):
                    voids += 1
            rows[n, 0] = suit == luz.TRUMP
            rows[n, 1] = luz.HAND - int(state.taken)
            rows[n, 2] = min(higher, 7)
            rows[n, 3] = min(count(others) - higher, 7)
            rows[n, 4] = voids
            rows[n, 5] = took[seat, place]
            n += 1
    return n


@kernel
def choices_made(end: Any, past: Any, mind: Any, plays: Any, chosen: Any, bets: Any) -> int:
    """Write every unforced play of a deal as inputs of the net, [play, place, input], and every bet; return plays."""
    luz_history.rewind(end, past)
    luz_mind.recall(past, mind)
    n = 0
    for i in range(int(end.logged)):
        action = int(end.log[i])
        legal = luz.legal(past)
        if action >= luz.BET:
            luz_model.bet_inputs(past, mind, bets[i])
            bets[i, 4] = action - luz.BET
        elif legal & (legal - 1):
            missing = luz_model.play_context(past, mind)
            led = int(past.trick[0]) // luz.RANKS if past.laid else -1
            for place in range(luz.HAND):
                if legal >> place & 1:
                    luz_model.play_inputs(past, mind, place, led, missing)
                    plays[n, place, : luz_model.CONTEXT] = mind.context
                    plays[n, place, luz_model.CONTEXT :] = mind.inputs
                else:
                    plays[n, place, 0] = np.nan
            chosen[n] = action
            n += 1
        luz_mind.act(past, mind, action)
    return n


def gather(ends: Any, step: Any) -> list[Any]:
    """Return what a step over one deal says of every deal, in the order of the deals."""
    past, mind = records(luz.STATE), records(luz_mind.MIND)
    return [step(ends.reshape(-1)[i : i + 1], past, mind) for i in range(ends.size)]


def fit_strengths(ends: Any) -> Any:
    """Return logistic coefficients, [players, trump, feature], by Newton's method with a little shrinking."""
    found = []
    rows = np.zeros((200, 6))
    for case in ends:
        seen = gather(case, lambda end, past, mind: rows[: strengths(end[0], past[0], mind[0], rows)].copy())
        data = np.concatenate(seen)
        for trump in (0, 1):
            left, higher, lower, voids, took = data[data[:, 0] == trump][:, 1:].T
            x = luz_model.strength_features(left, higher, lower, voids).T
            b = np.zeros(x.shape[1])
            for _ in range(12):
                p = 1 / (1 + np.exp(-x @ b))
                h = (x * (p * (1 - p))[:, None]).T @ x + np.eye(len(b))
                b += np.linalg.solve(h, x.T @ (took - p) - b)
            found.append(b)
            print(f"strengths: {len(took)} cards, took {took.mean():.3f}, log loss {_log_loss(p, took):.4f}")
    return np.array(found).reshape(len(ends), 2, -1)


def _log_loss(p: Any, y: Any) -> float:
    return float(-np.mean(np.log(np.where(y > 0, p, 1 - p))))


def fit_net(plays: Any, chosen: Any, hidden: int, passes: int = 40) -> tuple[Any, Any, Any]:
    """Return the layers of the net that makes the chosen plays likeliest: Adam on the softmax over legal cards."""
    rng = np.random.default_rng(1)
    legal = ~np.isnan(plays[:, :, 0])
    x = np.nan_to_num(plays).astype(np.float32)
    n, _, inputs = x.shape
    cut = n - n // 10
    weights = [rng.normal(0, 0.4, (inputs, hidden)), np.zeros(hidden), rng.normal(0, 0.4, hidden)]
    weights = [w.astype(np.float32) for w in weights]
    first, second = [0 * w for w in weights], [0 * w for w in weights]
    order, steps, size = np.arange(cut), 0, 512

    def forward(part: Any) -> tuple[Any, Any, Any]:
        top = np.maximum(x[part] @ weights[0] + weights[1], 0)
        logits = np.where(legal[part], top @ weights[2], -1e9)
        chances = np.exp(logits - logits.max(1, keepdims=True))
        return top, chances / chances.sum(1, keepdims=True), chosen[part]

    for number in range(passes):
        rng.shuffle(order)
        rate = 0.01 * 0.5 * (1 + np.cos(np.pi * number / passes))
        for i in range(0, cut, size):
            part = order[i : i + size]
            top, chances, right = forward(part)
            slope = chances.copy()
            slope[np.arange(len(part)), right] -= 1
            slope /= len(part)
            back = (slope[:, :, None] * weights[2]) * (top > 0)
            slopes = [
                np.einsum("npi,nph->ih", x[part], back),
                back.sum((0, 1)),
                np.einsum("np,nph->h", slope, top),
            ]
            steps += 1
            for w, m, v, g in zip(weights, first, second, slopes, strict=True):
                g = g + 1e-5 * w
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                w -= rate * (m / (1 - 0.9**steps)) / (np.sqrt(v / (1 - 0.999**steps)) + 1e-8)
        if number % 10 == 9:
            for name, part in (("fitted", np.arange(min(cut, 20000))), ("kept apart", np.arange(cut, n))):
                _, chances, right = forward(part)
                p = chances[np.arange(len(part)), right]
                print(f"net: pass {number + 1}, {name}: log loss {-np.log(p).mean():.4f}, top choice right "
                      f"{(chances.argmax(1) == right).mean():.3f}", flush=True)  # fmt: skip
    return weights[0], weights[1], weights[2]


def bet_logits(p: Any, x: Any) -> Any:
    """Return the logits of all bets, [row, bet], as the kernel has them."""
    total, spread, excess, share = x.T
    centre = p[0] + p[1] * total + p[2] * excess + p[3] * total**2 / 4 + p[4] * share
    narrow, wide = np.exp(p[5] + p[6] * total), np.exp(p[7] + p[8] * total)
    safe = p[9] + p[10] * spread + p[11] * total + p[12] * excess + p[13] * share
    away = np.arange(luz.MAX_BEADS + 1) - centre[:, None]
    logits = np.stack([-(away**2) * narrow[:, None], safe[:, None] - (away + p[14]) ** 2 * wide[:, None]], 2)
    return np.maximum(logits, -20).reshape(len(x), -1)


def fit_bets(x: Any, bets: Any, start: Any) -> Any:
    """Return the numbers that make the bets likeliest, by Adam with slopes by small differences."""
    p = np.array(start, float)
    m, v = 0 * p, 0 * p

    def loss(p: Any) -> float:
        logits = bet_logits(p, x)
        norm = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1)
        return float((norm - logits[np.arange(len(x)), bets]).mean() + 0.001 * (p**2).sum())

    for step in range(1, 401):
        here = loss(p)
        g = np.array([(loss(p + 1e-4 * e) - here) / 1e-4 for e in np.eye(len(p))])
        m += 0.1 * (g - m)
        v += 0.01 * (g * g - v)
        p -= (0.05 if step < 250 else 0.01) * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.99**step)) + 1e-8)
    print(f"bets: {len(x)} rows, log loss {loss(p):.4f}", np.round(p, 2))
    return p


def fit_spreads(ends: Any) -> Any:
    """Return, by deals played, the scale at which scores predict who wins a game in the end."""
    scales = [luz_weights.SPREADS[0]]
    for played in (1, 2, 3):
        best, chosen = np.inf, 0.0
        for scale in np.arange(5.0, 120.0, 2.5):
            loss, n = 0.0, 0
            for case, players in enumerate(PLAYERS):
                scores = ends[case, :, played - 1]["scores"][:, :players] / scale
                won = np.array([luz.winner(end) for end in ends[case, :, -1]])
                logits = scores - np.log(np.exp(scores).sum(1, keepdims=True))
                loss -= float(logits[np.arange(len(won)), won].sum())
                n += len(won)
            if loss / n < best:
                best, chosen = loss / n, float(scale)
        print(f"after deal {played}: scale {chosen}, log loss {best:.3f}")
        scales.append(chosen)
    scales[1:] = sorted(scales[1:], reverse=True)  # what is left to play only shrinks; the rest is noise
    return [*scales, 10.0]


def fit_choices(ends: Any) -> dict[str, Any]:
    """Return the net over all players and the bets by players."""
    plays = np.zeros((60, luz.HAND, luz_model.INPUTS), np.float32)
    chosen, bets = np.zeros(60, np.int64), np.zeros((luz.MAX_PLAYERS, 5))

    def step(end: Any, past: Any, mind: Any) -> tuple[Any, Any, Any]:
        n = choices_made(end[0], past[0], mind[0], plays, chosen, bets)
        made = plays[:n].copy(), chosen[:n].copy(), bets[: int(end["players"][0])].copy()
        plays[:] = 0
        return made

    every: list[Any] = []
    found: list[Any] = []
    for case in ends:
        seen = gather(case, step)
        every += [(p, c) for p, c, _ in seen]
        x = np.concatenate([b for _, _, b in seen])
        found.append(fit_bets(x[:, :4], x[:, 4].astype(int), luz_weights.BETS[len(found)]))
    order = np.random.default_rng(2).permutation(len(every))
    x, y = np.concatenate([every[i][0] for i in order]), np.concatenate([every[i][1] for i in order])
    print(f"net: {len(x)} plays", flush=True)
    first, bias, second = fit_net(x, y, luz_model.HIDDEN)
    return {"FIRST": first, "FIRST_BIAS": bias, "SECOND": second, "BETS": found}


MEANING = {
    "STRENGTHS": "By players (3, 4, 5), plain or trump: a card's strength, as `luz_model.strength_features`.",
    "FIRST": "The net over plays: inputs by hidden units.",
    "FIRST_BIAS": "Biases of its hidden units.",
    "SECOND": "Hidden units to the weight of a play.",
    "BETS": "By players: how bets follow from what a hand promises, as `luz_model` reads it.",
    "SPREADS": "By deals played: points that make a seat e times as likely to win the game.",
}


def write(changed: dict[str, Any]) -> None:
    """Write the file anew with some of its tables changed."""
    tables = {
        name: (changed.get(name, getattr(luz_weights, name)), meaning) for name, meaning in MEANING.items()
    }
    heading = "Numbers fitted to games of searching bots by `bench/train_luz.py`, which writes this file."
    weights_file.write(WEIGHTS, heading, tables)


def main() -> None:
    """Play, fit the strengths, and in a fresh process, where they are in force, fit the rest."""
    ends_file = Path(sys.argv[2] if len(sys.argv) > 2 else "luz-games.npy")
    if sys.argv[1:2] == ["--rest"]:
        ends = np.load(ends_file)
        write(fit_choices(ends) | {"SPREADS": fit_spreads(ends)})
        return
    ends = teach(int(sys.argv[1]) if len(sys.argv) > 1 else 300, seed=int(time.time()))
    np.save(ends_file, ends)
    write({"STRENGTHS": fit_strengths(ends)})
    subprocess.run([sys.executable, __file__, "--rest", str(ends_file)], check=True)


if __name__ == "__main__":
    main()
