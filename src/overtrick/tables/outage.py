"""What becomes of a failing database: a refusal for whoever asked, and one line in the server's log."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from overtrick.tables.database import in_short, is_fault, is_lost_line
from overtrick.tables.figures import Trouble
from overtrick.tables.refusals import Reason, Refused

LOG = logging.getLogger(__name__)

Result = TypeVar("Result")


class Unsure(Exception):  # noqa: N818 - it names what happened
    """The database was lost in the middle of a commit: it may have been saved or not; the log will tell."""


@contextmanager
def unsure() -> Iterator[None]:
    """Raise Unsure for whatever breaks the block, a commit, off."""
    try:
        yield
    except Exception as error:
        raise Unsure from error


def is_outage(error: BaseException) -> bool:
    """Whether an error is the database's failing, told already or not: trying again later is all there is to do."""
    refused = isinstance(error, Refused) and error.kind == "unavailable"
    return refused or isinstance(error, Unsure) or is_fault(error)


class Outage:
    """Keeps account of one sort of work with the database.

    `refusal`: what is said while it cannot be done; `trouble`: where that is counted.
    """

    def __init__(self, what: str, refusal: Reason, trouble: Trouble) -> None:
        self._what = what
        self._refusal = refusal
        self._trouble = trouble
        self.failing = False
        """Whether it failed when it was tried last."""

    async def over(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Do `work`, and once more on a new connection if the one that it got turned out to be dead.

        Raises Refused (kind "unavailable") if the database fails; other errors of `work` pass.
        """
        try:
            with self._told():
                try:
                    return await work()
                except Exception as error:
                    if not is_lost_line(error):
                        raise
                    return await work()
        except Exception as error:
            if not is_fault(error):
                raise
            raise self._refusal() from error

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say whether the database fails in what the block does, or that it works again; every error passes."""
        try:
            yield
        except Exception as error:
            if isinstance(error, Unsure) or is_fault(error):
                self._begin(error.__cause__ if isinstance(error, Unsure) else error)
            raise
        self._end()

    def _begin(self, error: BaseException | None) -> None:
        """Tell that the database fails: once, however many ask."""
        if not self.failing:
            self.failing = True
            self._trouble.begin()
            LOG.error(
                "The database cannot %s: %s", self._what, in_short(error) if error else "the line broke"
            )

    def _end(self) -> None:
        if self.failing:
            self.failing = False
            self._trouble.end()
            LOG.warning("The database can %s again", self._what)
