"""How far the persons of a table have come in ending its game early: a value, folded from what they said.

It takes two steps, and where two people play they are two people's: one proposes, then every other person who plays
agrees, and whoever has been away only a short while (`Table.asked_to_end`). Whoever plays alone with bots confirms the
own proposal, by its number, which no look before it holds.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class Agreement(Struct, frozen=True):
    """What has been proposed and said so far.

    `number`: of proposals made, an open one included; it names the last one. `seat`: who made that one. `is_open`:
    whether it still waits for an answer. `agreed`: the seats that agreed to it. `declined`: the seats whose proposal
    others would not have; they may propose again in the next deal. `reached`: all agreed, and the game is over.
    """

    number: int = 0
    seat: int | None = None
    is_open: bool = False
    agreed: frozenset[int] = frozenset()
    declined: frozenset[int] = frozenset()
    reached: bool = False

    def proposed(self, seat: int) -> Agreement:
        """After a seat has proposed to end the game."""
        return replace(self, number=self.number + 1, seat=seat, is_open=True, agreed=frozenset())

    def accepted(self, seat: int) -> Agreement:
        """After another seat has agreed."""
        return replace(self, agreed=self.agreed | {seat})

    def refused(self, *, alone: bool) -> Agreement:
        """After somebody wanted to play on; `alone`: nobody but the proposer was asked."""
        declined = self.declined if alone or self.seat is None else self.declined | {self.seat}
        return replace(self, is_open=False, declined=declined)

    def dealt(self) -> Agreement:
        """After the next deal: everybody may propose again."""
        return replace(self, declined=frozenset()) if self.declined else self

    def ended(self) -> Agreement:
        """After the game has ended by agreement, without a result."""
        return replace(self, is_open=False, reached=True)

    def awaited(self, persons: tuple[int, ...]) -> tuple[int, ...]:
        """The seats, of those that have a say, that have not said yes to the open proposal."""
        if not self.is_open:
            return ()
        return tuple(seat for seat in persons if seat != self.seat and seat not in self.agreed)


NOTHING_SAID = Agreement()
