"""Sealed deals: what the server shows of every deal from the start, so that anybody can check it at the end.

The commitment to a deal is the SHA-256, in hexadecimal, of its `sealed_text`. Nobody can find the deal from it, for the
nonce beside the deal is 256 bits long and secret; nobody can find another deal with the same commitment. What a record
gives out at the end, under `seals` of its `meta`, is a list with one object for each deal of the whole game, played or
not: `{"deal": ..., "nonce": ..., "commitment": ...}`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Self

from overtrick.errors import N_, OvertrickError

NONCE_BITS = 256
_HEX = re.compile("[0-9a-f]{64}")

NO_SEALS = N_(
    "The record holds no sealed deals (`seals` in its `meta`), so there is nothing to check it against."
)
BAD_SEALS = N_(
    "`seals` is a list of objects with `deal`, `nonce` and `commitment`, the latter two of 64 hexadecimal digits."
)
WRONG_NUMBER = N_("The record holds %(found)d sealed deals; a whole game of %(game)s has %(deals)d.")
NOT_ITS_SEAL = N_("Deal %(deal)d was not the one sealed: its SHA-256 is not its commitment.")
NOT_DEALT = N_("Deal %(deal)d was not played as it was sealed: the record's hands are other ones.")
NOT_PUBLISHED = N_("Deal %(deal)d has another commitment than the one noted at the start.")
TOO_FEW_NOTED = N_("%(noted)d commitments were noted at the start; this game has %(deals)d.")


class BrokenSeal(OvertrickError, ValueError):  # noqa: N818 - it names what happened
    """A record that does not go with its commitments; `deal`: the number of the deal at fault, None for the whole."""

    def __init__(self, msgid: str, *, deal: int | None = None, **params: object) -> None:
        super().__init__(msgid)
        self.params = params if deal is None else {"deal": deal, **params}
        self.deal = deal


def sealed_text(game: str, number: int, deal: Mapping[str, Any], nonce: str) -> str:
    """Return the text whose SHA-256 is the commitment to deal `number`, from 1, of a game.

    It is the JSON object `{"deal": ..., "game": ..., "nonce": ..., "number": ...}` with the keys of every object in
    order of the alphabet, no spaces, and nothing but ASCII.
    """
    content = {"deal": deal, "game": game, "nonce": nonce, "number": number}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def commitment(game: str, number: int, deal: Mapping[str, Any], nonce: str) -> str:
    """Return the commitment to a deal: 64 hexadecimal digits."""
    return hashlib.sha256(sealed_text(game, number, deal, nonce).encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Seal:
    """A deal as a record writes it, the nonce that hid it, and the commitment that showed it was chosen."""

    deal: dict[str, Any]
    nonce: str
    commitment: str

    @classmethod
    def of(cls, data: object) -> Self:
        """Read what `to_json` wrote; raises BrokenSeal for anything else."""
        if not isinstance(data, dict) or set(data) != {"deal", "nonce", "commitment"}:
            raise BrokenSeal(BAD_SEALS)
        deal, nonce, committed = data["deal"], data["nonce"], data["commitment"]
        if not isinstance(deal, dict) or not _is_hex(nonce) or not _is_hex(committed):
            raise BrokenSeal(BAD_SEALS)
        return cls(deal, nonce, committed)

    def to_json(self) -> dict[str, Any]:
        """Return the seal as JSON: the secret itself, for the log and for the record of a game that is over."""
        return {"deal": self.deal, "nonce": self.nonce, "commitment": self.commitment}


def seal(game: str, deals: Iterable[Mapping[str, Any]], rng: Random) -> tuple[Seal, ...]:
    """Seal the deals of a whole game, each with a fresh nonce."""
    return tuple(_sealed(game, number, dict(deal), rng) for number, deal in enumerate(deals, start=1))


def _sealed(game: str, number: int, deal: dict[str, Any], rng: Random) -> Seal:
    nonce = f"{rng.getrandbits(NONCE_BITS):064x}"
    return Seal(deal, nonce, commitment(game, number, deal, nonce))


def noted(text: str) -> tuple[str, ...] | None:
    """Return the commitments in a text, in order: words of 64 hexadecimal digits, and nothing else; else None."""
    words = text.replace(",", " ").lower().split()
    return tuple(words) if words and all(_is_hex(word) for word in words) else None


def verify(game: str, deals: Sequence[Mapping[str, Any]], seals: object, *, whole: int) -> tuple[Seal, ...]:
    """Check that the deals of a record are those sealed, and return the seals of the whole game.

    `deals`: those that began, of a sound record. `seals`: of its `meta`, not yet looked at. `whole`: the deals of a
    whole game. Raises BrokenSeal.
    """
    if not isinstance(seals, list):
        raise BrokenSeal(NO_SEALS if seals is None else BAD_SEALS)
    found = tuple(Seal.of(data) for data in seals)
    if len(found) != whole:
        raise BrokenSeal(WRONG_NUMBER, found=len(found), game=game, deals=whole)
    for number, one in enumerate(found, start=1):
        if not _keeps(game, number, one):
            raise BrokenSeal(NOT_ITS_SEAL, deal=number)
        if number <= len(deals) and _held(deals[number - 1]) != _held(one.deal):
            raise BrokenSeal(NOT_DEALT, deal=number)
    return found


def compare(seals: Sequence[Seal], published: Sequence[str]) -> None:
    """Check that these are the commitments that were noted at the start, in order; raises BrokenSeal."""
    if len(published) != len(seals):
        raise BrokenSeal(TOO_FEW_NOTED, noted=len(published), deals=len(seals))
    for number, (one, noted_one) in enumerate(zip(seals, published, strict=True), start=1):
        if one.commitment != noted_one:
            raise BrokenSeal(NOT_PUBLISHED, deal=number)


def _keeps(game: str, number: int, one: Seal) -> bool:
    try:
        return commitment(game, number, one.deal, one.nonce) == one.commitment
    except RecursionError:  # nested so deeply that no server has written it
        return False


def _held(deal: Mapping[str, Any]) -> dict[str, Any]:
    """Return a deal with each hand as a set, for a record may list a hand in any order."""
    hands = deal.get("hands")
    sets = (
        [sorted(map(str, hand)) for hand in hands if isinstance(hand, list)]
        if isinstance(hands, list)
        else []
    )
    return {**deal, "hands": sets}


def _is_hex(text: object) -> bool:
    return isinstance(text, str) and _HEX.fullmatch(text) is not None
