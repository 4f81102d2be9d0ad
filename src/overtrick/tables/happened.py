"""What every event has: a kind, a version, and the row form in which the log keeps it."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Self


class UnknownEvent(ValueError):  # noqa: N818
    """A log row of a kind, version or shape that this program does not know."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as the log keeps it; `data` is JSON."""

    kind: str
    version: int
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Happened:
    """What every kind of event is made from: its fields are its data."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int] = 1

    def to_row(self) -> EventRow:
        """The row form; `from_row` reads it back."""
        names: tuple[str, ...] = self.__match_args__  # the fields, found once for each kind
        return EventRow(self.KIND, self.VERSION, {name: getattr(self, name) for name in names})

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Read this kind's data; raises UnknownEvent if a field without a default is missing, or one too many."""
        needed = {f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING}
        if not needed <= set(data) <= {f.name for f in fields(cls)}:
            raise UnknownEvent(f"an event {cls.KIND!r} with fields {sorted(data)}")
        return cls(**data)
