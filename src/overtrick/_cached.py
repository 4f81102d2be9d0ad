"""Properties that are worked out once: the standard library's, which until Python 3.12 took a lock each time.

That lock was a thirtieth of what a move at a table costs. No property here needs it: worked out twice by two threads at
once, it does for either.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - it takes the place of the one above
        """Puts what its function returns into the object's `__dict__`, where it is found before this."""

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self._function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._function(instance)
            return value


__all__ = ["cached_property"]
