"""Passwords, as argon2 keeps them: slow on purpose, so in threads and few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from overtrick.tables import refusals

SHORTEST = 8
LONGEST = 200
AT_ONCE = 2
"""Passwords at work at the same time; each takes 64 MiB and some 50 ms of a core."""

_Result = TypeVar("_Result")


def must_do(password: str) -> None:
    """Refuse a new password that is too short or too long; it may consist of anything. Raises Refused."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise refusals.BAD_PASSWORD(least=SHORTEST, most=LONGEST)


class Passwords:
    """Hashes and checks passwords without holding the event loop up."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def hashed(self, password: str) -> str:
        """What the database keeps of a password."""
        return await self._in_a_thread(lambda: _hasher().hash(_bytes(password)))

    async def fits(self, password: str, kept: str | None) -> bool:
        """Whether a password is the one of which `kept` is kept; just as slow where nothing is."""
        return await self._in_a_thread(lambda: _fits(password, kept))

    async def _in_a_thread(self, work: Callable[[], _Result]) -> _Result:
        async with self._turn:
            return await asyncio.to_thread(work)


def _fits(password: str, kept: str | None) -> bool:
    if len(password) > LONGEST:
        return False
    try:
        _hasher().verify(kept or _nobodys(), _bytes(password))
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


def _bytes(password: str) -> bytes:
    return password.encode(errors="surrogatepass")


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobodys() -> str:
    return _hasher().hash(b"nobody's")
