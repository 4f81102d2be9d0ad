"""Luz, slow and obvious: a game is a list of deals, a deal is what was bet and played in it."""

from __future__ import annotations

from typing import Any

COLOURS = "RYGBP"  # L-1
TRUMP = "Y"  # L-1
CARDS_EACH = 10  # L-6
LAST_DEAL = 4  # L-5


def sort_cards(cards: list[str]) -> list[str]:
    """Sort by colour, then by value from low to high (L-7)."""
    return sorted(cards, key=lambda card: (COLOURS.index(card[0]), int(card[1:])))


def deck(players: int) -> list[str]:
    """List the cards in use (L-1, L-2)."""
    top = {3: 8, 4: 10, 5: 12}[players]
    return [f"{colour}{value}" for colour in COLOURS for value in range(1, top + 1)]


class Deal:
    """One deal of ten tricks: what was dealt, and everything that was bet and played since."""

    def __init__(self, number: int, first: int, opener: int, hands: list[list[str]]) -> None:
        self.number = number
        self.first = first  # holds the sign
        self.opener = opener  # bets first, leads the first trick
        self.players = len(hands)
        self.dealt = [sort_cards(hand) for hand in hands]
        self.bets: dict[int, str] = {}
        self.plays: list[tuple[int, str]] = []

    def clockwise(self, start: int) -> list[int]:
        return [(start + step) % self.players for step in range(self.players)]

    def held(self, seat: int) -> list[str]:
        played = {card for _, card in self.plays}
        return [card for card in self.dealt[seat] if card not in played]

    def place(self, seat: int, card: str) -> int:
        """The place of a card in the dealt hand, from 1 (L-9)."""
        return self.dealt[seat].index(card) + 1

    def all_tricks(self) -> list[list[tuple[int, str]]]:
        """Cut the cards played into tricks; the last one may be unfinished."""
        return [self.plays[at : at + self.players] for at in range(0, len(self.plays), self.players)]

    def finished_tricks(self) -> list[list[tuple[int, str]]]:
        return [trick for trick in self.all_tricks() if len(trick) == self.players]

    def open_trick(self) -> list[tuple[int, str]]:
        return [play for trick in self.all_tricks() if len(trick) < self.players for play in trick]

    def winner(self, trick: list[tuple[int, str]]) -> int:
        """Say who takes a trick (L-18)."""
        required = trick[0][1][0]  # L-15
        strongest = TRUMP if any(card[0] == TRUMP for _, card in trick) else required
        return max((int(card[1:]), seat) for seat, card in trick if card[0] == strongest)[1]

    def tricks_taken(self) -> list[int]:
        winners = [self.winner(trick) for trick in self.finished_tricks()]
        return [winners.count(seat) for seat in range(self.players)]

    def leader(self) -> int:
        """Say who leads the trick on the table or the next one (L-14)."""
        finished = self.finished_tricks()
        return self.winner(finished[-1]) if finished else self.opener

    def over(self) -> bool:
        """Say whether the hands are empty (L-20)."""
        return len(self.plays) == CARDS_EACH * self.players

    def to_act(self) -> int:
        if len(self.bets) < self.players:
            return self.clockwise(self.opener)[len(self.bets)]  # L-11, L-23
        return self.clockwise(self.leader())[len(self.open_trick())]  # L-14, L-16

    def playable(self, seat: int) -> list[str]:
        held = self.held(seat)
        trick = self.open_trick()
        if not trick:
            return held  # L-15
        follow = [card for card in held if card[0] == trick[0][1][0]]
        return follow or held  # L-16

    def points(self) -> list[int]:
        """Score the finished deal (L-12, L-21, L-22)."""
        points = []
        for seat, taken in enumerate(self.tricks_taken()):
            bet = self.bets[seat]
            safe = bet.endswith("+")
            number = int(bet.rstrip("+"))
            if taken == number or (safe and taken == number + 1):  # L-12
                points.append((5 if safe else 10) * self.number)  # L-21
            else:
                points.append(-5 * abs(taken - number))  # L-22
        return points


class Luz:
    """A whole game; `deal` and `play` move it on, everything else only looks."""

    def __init__(self, players: int = 4, dealer: int = 0, bead_supply: int | None = None) -> None:
        self.players = players
        self.dealer = dealer
        self.bead_supply = bead_supply
        self.deals: list[Deal] = []
        self.scored: list[list[int]] = []

    # the course of the game

    @property
    def needs_deal(self) -> bool:
        if not self.deals:
            return True
        return self.deals[-1].over() and len(self.deals) < LAST_DEAL

    @property
    def over(self) -> bool:
        return len(self.deals) == LAST_DEAL and self.deals[-1].over()  # L-5

    def deal(self, dealt: dict[str, Any]) -> None:
        assert self.needs_deal
        cards = [card for hand in dealt["hands"] for card in hand]
        assert len(set(cards)) == len(cards) == CARDS_EACH * self.players
        assert set(cards) <= set(deck(self.players))
        number = len(self.deals) + 1
        first = (self.dealer + number) % self.players  # L-8
        opener = first  # L-11, L-14
        if self.players == 3 and number == LAST_DEAL:  # L-23
            opener = self.nearest(first, self.best(self.scores(), range(self.players)))
        self.deals.append(Deal(number, first, opener, dealt["hands"]))

    def best(self, points: list[int], seats: Any) -> list[int]:
        top = max(points[seat] for seat in seats)
        return [seat for seat in seats if points[seat] == top]

    def nearest(self, first: int, seats: list[int]) -> int:
        """The first player if among the seats, or else the one of them next in turn (L-23, L-24)."""
        return min(seats, key=lambda seat: (seat - first) % self.players)

    @property
    def to_act(self) -> int | None:
        if self.needs_deal or self.over:
            return None
        return self.deals[-1].to_act()

    def beads_left(self) -> int | None:
        if self.bead_supply is None:
            return None
        bets = self.deals[-1].bets.values() if self.deals else []
        return self.bead_supply - sum(int(bet.rstrip("+")) for bet in bets)

    def legal(self) -> list[str]:
        seat = self.to_act
        if seat is None:
            return []
        now = self.deals[-1]
        if len(now.bets) < self.players:
            left = self.beads_left()
            most = 10 if left is None else min(10, left)  # L-3, L-11
            return sorted(f"bet:{number}{safety}" for number in range(most + 1) for safety in ("", "+"))
        return sorted(f"play:{card}" for card in now.playable(seat))

    def play(self, move: str) -> None:
        seat = self.to_act
        if seat is None or move not in self.legal():
            raise ValueError(f"{move} is not legal here")
        kind, said = move.split(":")
        if kind == "bet":
            self.deals[-1].bets[seat] = said
        else:
            self.deals[-1].plays.append((seat, said))

    # what it comes to

    def by_deal(self) -> list[list[int]]:
        for deal in self.deals[len(self.scored) :]:
            if deal.over():
                self.scored.append(deal.points())
        return [list(points) for points in self.scored]

    def scores(self) -> list[int]:
        return [sum(deal[seat] for deal in self.by_deal()) for seat in range(self.players)]  # L-25

    def result(self) -> dict[str, Any] | None:
        if not self.over:
            return None
        most = self.best(self.scores(), range(self.players))  # L-24
        most_lately = self.best(self.by_deal()[-1], most)
        winner = self.nearest(self.deals[-1].first, most_lately)
        return {"scores": self.scores(), "by_deal": self.by_deal(), "winner": winner}

    # what it looks like

    def now(self) -> Deal:
        """The deal that shows: the one going on, or the one that has ended, or an empty first one."""
        if self.deals:
            return self.deals[-1]
        first = (self.dealer + 1) % self.players  # L-8
        return Deal(1, first, first, [[] for _ in range(self.players)])

    def bets(self) -> list[str | None]:
        return [self.now().bets.get(seat) for seat in range(self.players)]

    def state(self) -> dict[str, Any]:
        now = self.now()
        return {
            "deal": now.number,
            "first": now.first,
            "leader": now.leader(),
            "bets": self.bets(),
            "tricks": now.tricks_taken(),
            "trick": [card for _, card in now.open_trick()],
            "hands": [now.held(seat) for seat in range(self.players)],
            "scores": self.scores(),
        }

    def phase(self) -> str:
        if self.over:
            return "over"
        if self.needs_deal:
            return "deal"
        return "bet" if None in self.bets() else "play"

    def last_trick(self) -> dict[str, Any] | None:
        """The last trick taken in any deal so far, and the deal that it was in."""
        for number, dealt in reversed(list(enumerate(self.deals, 1))):
            if finished := dealt.finished_tricks():
                trick = finished[-1]
                return {
                    "deal": number,
                    "leader": trick[0][0],
                    "cards": [card for _, card in trick],
                    "winner": dealt.winner(trick),
                }
        return None

    def seen_hand(self, seat: int, viewer: int | None) -> list[dict[str, Any]]:
        """One hand as a viewer sees it: colours of all, values of the others' (L-1, L-9)."""
        now = self.now()
        if viewer is None or viewer == seat:
            return [{"place": now.place(seat, card), "suit": card[0]} for card in now.held(seat)]
        return [{"place": now.place(seat, card), "card": card} for card in now.held(seat)]

    def seen_played(self, seat: int) -> list[dict[str, Any]]:
        """The cards that a seat has shown this deal (L-10, L-17)."""
        now = self.now()
        played = {card for _, card in now.plays}
        shown = [card for card in now.dealt[seat] if card in played]
        return [{"place": now.place(seat, card), "card": card} for card in shown]

    def seen_legal(self, viewer: int | None) -> list[str]:
        """What the seat to act may do, its own cards by place (L-17)."""
        if viewer is None or viewer != self.to_act:
            return []
        said = []
        for move in self.legal():
            kind, what = move.split(":")
            said.append(move if kind == "bet" else f"play:#{self.now().place(viewer, what)}")
        return sorted(said)

    def view(self, viewer: int | None) -> dict[str, Any]:
        now = self.now()
        return {
            "game": "luz",
            "seat": viewer,
            "options": {"players": self.players, "dealer": self.dealer, "bead_supply": self.bead_supply},
            "phase": self.phase(),
            "deal": now.number,
            "first": now.first,
            "leader": now.leader(),
            "to_act": self.to_act,
            "bets": self.bets(),  # L-11
            "beads_left": self.beads_left(),
            "tricks": now.tricks_taken(),  # L-19
            "trick": [card for _, card in now.open_trick()],
            "last_trick": self.last_trick(),
            "hands": [self.seen_hand(seat, viewer) for seat in range(self.players)],
            "played": [self.seen_played(seat) for seat in range(self.players)],
            "scores": self.scores(),
            "by_deal": self.by_deal(),
            "legal": self.seen_legal(viewer),
            "result": self.result(),
        }
