"""How often somebody may ask: so many in a span of time for a person, and SHARED times as many for an address."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from overtrick.errors import N_
from overtrick.web.problems import Problem

SHARED = 4
"""How many people's share an address gets: a family or a club behind one router."""
MOST_KEPT = 100_000
"""Clients that a tier remembers; the one not seen for longest is forgotten first."""

TOO_OFTEN = N_("That was too often; please try again in %(seconds)s s.")


class Rate:
    """So many in a span of time for each client, given back evenly as time passes.

    This is the generic cell rate algorithm: of each client one moment is kept, at which all that it asked for
    would have come in turn. A client that asks for more than `most` at once waits for one turn, no longer.
    """

    def __init__(
        self, most: int, seconds: float, *, kept: int = MOST_KEPT, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._turn = seconds / most
        self._span = seconds
        self._kept = kept
        self._now = now
        self._moments: OrderedDict[str, float] = OrderedDict()

    def wait(self, client: str) -> float:
        """Return the seconds until this client may ask once more; 0 if it may now."""
        now = self._now()
        return max(0.0, max(self._moments.get(client, 0.0), now) + self._turn - self._span - now)

    def count(self, client: str) -> None:
        """Count one request of this client, and forget those who have all of their share again."""
        now = self._now()
        self._moments[client] = max(self._moments.get(client, 0.0), now) + self._turn
        self._moments.move_to_end(client)
        oldest = next(iter(self._moments))
        while self._moments[oldest] <= now or len(self._moments) > self._kept:
            del self._moments[oldest]
            oldest = next(iter(self._moments))

    def give_back(self, client: str) -> None:
        """Take back that one request of this client was counted."""
        if client in self._moments:
            self._moments[client] -= self._turn

    @property
    def remembered(self) -> int:
        """The number of clients remembered."""
        return len(self._moments)


@dataclass(frozen=True, slots=True)
class Tier:
    """One kind of request: the rate for an address, and that for a person, if persons are counted."""

    address: Rate
    person: Rate | None

    @classmethod
    def of(cls, most: int, seconds: float) -> Tier | None:
        """Return the tier for `most` a person in a span of time; None, no limit, for 0."""
        return cls(Rate(SHARED * most, seconds), Rate(most, seconds)) if most else None

    @classmethod
    def of_addresses(cls, most: int, seconds: float) -> Tier | None:
        """Return the tier for `most` an address, whoever asks; None, no limit, for 0."""
        return cls(Rate(most, seconds), None) if most else None

    def pass_or_refuse(self, address: str, person: str | None) -> None:
        """Count a request; raises Problem (429), and then it is not counted, if that is too often."""
        counted = self._counted(address, person)
        if wait := max(rate.wait(client) for rate, client in counted):
            raise too_often(wait)
        for rate, client in counted:
            rate.count(client)

    def give_back(self, address: str, person: str | None) -> None:
        """Take back that a request was counted."""
        for rate, client in self._counted(address, person):
            rate.give_back(client)

    def _counted(self, address: str, person: str | None) -> list[tuple[Rate, str]]:
        counted = [(self.address, address)]
        if person and self.person is not None:
            counted.append((self.person, person))
        return counted


def too_often(wait: float) -> Problem:
    """Return the refusal (429) of a client that has to wait for so many seconds."""
    seconds = math.ceil(wait)
    headers = {"retry-after": str(seconds)}
    return Problem(TOO_OFTEN, status=429, kind="too_often", headers=headers, seconds=seconds)
