"""Sealing deals and checking them, to the letter of what is documented."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from overtrick.games import load
from overtrick.seals import BrokenSeal, Seal, commitment, compare, noted, seal, sealed_text, verify

NONCE = "0123456789abcdef" * 4
DEAL = {"hands": [["D3", "D1"], ["D9"]], "decree": "S4"}


def sealed(game: str = "luz", seed: int = 1) -> tuple[Seal, ...]:
    rng, loaded = random.Random(seed), load(game)
    return seal(game, [loaded.random_deal(rng) for _ in range(loaded.max_deals)], rng)


def test_the_text_that_is_sealed_is_this_one_to_the_letter() -> None:
    assert sealed_text("duet", 2, DEAL, NONCE) == (
        '{"deal":{"decree":"S4","hands":[["D3","D1"],["D9"]]},"game":"duet",'
        '"nonce":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","number":2}'
    )


def test_a_commitment_is_the_sha256_of_that_text() -> None:
    # By `printf '%s' TEXT | sha256sum` on the text above.
    assert (
        commitment("duet", 2, DEAL, NONCE)
        == "f139ebdf8f963e635d53dbb504861f6eff02122d4f84455ea15b2568ba2d75de"
    )
    text = sealed_text("duet", 2, DEAL, NONCE)
    assert commitment("duet", 2, DEAL, NONCE) == hashlib.sha256(text.encode()).hexdigest()


def test_every_deal_has_a_nonce_of_256_bits_of_its_own() -> None:
    nonces = [one.nonce for seed in range(50) for one in sealed(seed=seed)]
    assert len(set(nonces)) == len(nonces) == 200
    assert {len(nonce) for nonce in nonces} == {64}
    # Each bit is set in some and not in others.
    ored = anded = int(nonces[0], 16)
    for nonce in nonces:
        ored, anded = ored | int(nonce, 16), anded & int(nonce, 16)
    assert (ored, anded) == (2**256 - 1, 0)


def test_the_same_deal_under_another_number_game_or_nonce_has_another_commitment() -> None:
    found = {
        commitment(game, number, DEAL, nonce)
        for game in ("luz", "duet")
        for number in (1, 2, 3)
        for nonce in (NONCE, NONCE[::-1])
    }
    assert len(found) == 12


@pytest.mark.parametrize(("game", "whole"), [("luz", 4), ("duet", 3)])
@pytest.mark.parametrize("begun", [0, 1, 2])
def test_deals_played_as_they_were_sealed_stand(game: str, whole: int, begun: int) -> None:
    seals = sealed(game)
    deals = [copy.deepcopy(one.deal) for one in seals[:begun]]
    for deal in deals:
        for hand in deal["hands"]:
            hand.reverse()  # a record may list a hand in any order
    assert verify(game, deals, [one.to_json() for one in seals], whole=whole) == seals


def swap_cards(deal: dict[str, Any]) -> None:
    first, second = deal["hands"][:2]
    first[0], second[0] = second[0], first[0]


def test_two_cards_that_changed_hands_after_the_start_are_noticed() -> None:
    seals = sealed()
    deals = [copy.deepcopy(one.deal) for one in seals]
    swap_cards(deals[2])
    with pytest.raises(BrokenSeal, match=r"Deal 3 was not played as it was sealed") as broken:
        verify("luz", deals, [one.to_json() for one in seals], whole=4)
    assert broken.value.deal == 3


def test_another_decree_is_noticed() -> None:
    seals = sealed("duet")
    spare = next(f"D{rank}" for rank in range(1, 11) if f"D{rank}" not in str(seals[0].deal))
    with pytest.raises(BrokenSeal, match="Deal 1 was not played as it was sealed"):
        verify("duet", [{**seals[0].deal, "decree": spare}], [one.to_json() for one in seals], whole=3)


@pytest.mark.parametrize("field", ["deal", "nonce", "commitment"])
@pytest.mark.parametrize("at", [0, 3])
def test_whatever_is_changed_in_a_seal_breaks_it(field: str, at: int) -> None:
    seals = [copy.deepcopy(one.to_json()) for one in sealed()]
    if field == "deal":
        swap_cards(seals[at]["deal"])
    else:
        seals[at][field] = NONCE
    with pytest.raises(BrokenSeal, match=rf"Deal {at + 1} was not the one sealed") as broken:
        verify("luz", [], seals, whole=4)
    assert broken.value.deal == at + 1


def test_two_deals_cannot_change_places() -> None:
    first, second, *more = [one.to_json() for one in sealed()]
    with pytest.raises(BrokenSeal, match="Deal 1 was not the one sealed"):
        verify("luz", [], [second, first, *more], whole=4)


GOOD = {"deal": DEAL, "nonce": NONCE, "commitment": NONCE}


@pytest.mark.parametrize(
    ("seals", "sentence"),
    [
        (None, "holds no sealed deals"),
        ({}, "list of objects"),
        ([1], "list of objects"),
        ([{**GOOD, "nonce": NONCE.upper()}], "list of objects"),
        ([{**GOOD, "nonce": NONCE[1:]}], "list of objects"),
        ([{**GOOD, "commitment": 7}], "list of objects"),
        ([{**GOOD, "deal": []}], "list of objects"),
        ([{**GOOD, "more": 1}], "list of objects"),
        ([{"deal": DEAL}], "list of objects"),
        ([], "holds 0 sealed deals; a whole game of luz has 4"),
        ([GOOD], "holds 1 sealed deals; a whole game of luz has 4"),
    ],
)
def test_what_is_no_list_of_seals_is_called_so(seals: object, sentence: str) -> None:
    with pytest.raises(BrokenSeal, match=sentence) as broken:
        verify("luz", [], seals, whole=4)
    assert broken.value.deal is None


def test_commitments_noted_at_the_start_are_compared_in_order() -> None:
    seals = sealed()
    published = [one.commitment for one in seals]
    compare(seals, published)
    for at in range(4):
        with pytest.raises(BrokenSeal, match=rf"Deal {at + 1} has another commitment"):
            compare(seals, [*published[:at], NONCE, *published[at + 1 :]])
    with pytest.raises(BrokenSeal, match="Deal 1 has another"):
        compare(seals, published[::-1])
    with pytest.raises(BrokenSeal, match="3 commitments were noted"):
        compare(seals, published[:3])


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (NONCE, 1),
        (f"{NONCE},{NONCE}", 2),
        (f" {NONCE}\n{NONCE.upper()},\n", 2),
        ("", None),
        ("x", None),
        (NONCE[1:], None),
        (f"{NONCE} and {NONCE}", None),
    ],
)
def test_notes_are_hashes_with_anything_usual_between_them(text: str, count: int | None) -> None:
    assert noted(text) == (None if count is None else (NONCE,) * count)


def test_the_example_in_the_documentation_is_a_true_one() -> None:
    page = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text(encoding="utf-8")
    example = page.partition("```json\n")[2].partition("```")[0]
    one = Seal.of(json.loads(example))
    assert commitment("duet", 2, one.deal, one.nonce) == one.commitment
    assert f"\n{sealed_text('duet', 2, one.deal, one.nonce)}\n" in page


def test_a_seal_survives_its_way_through_json() -> None:
    for one in sealed("duet"):
        assert Seal.of(one.to_json()) == one
