"""The Fox in the Forest Duet, slow and obvious: a board in plain lists, and a log of this round."""

from __future__ import annotations

from typing import Any

SUITS = "DRS"  # D-1
FOOTPRINTS = {1: 0, 2: 3, 3: 2, 4: 1, 5: 1, 6: 2, 7: 0, 8: 2, 9: 0, 10: 3}  # D-2
GEM_TOKENS = 22  # D-5
LAST_ROUND = 3  # D-6
TRICKS = 11  # D-6

Board = dict[str, Any]

SIDE_A: Board = {  # D-3, D-5
    "name": "side-a",
    "start": 5,
    "gems": [1, 1, 2, 1, 1, 0, 1, 1, 2, 1, 1],
    "plus": [1, 3, 4, 6, 8],
    "tokens": 4,
}
SIDE_B: Board = {  # D-4, D-5
    "name": "side-b",
    "start": 4,
    "gems": [2, 2, 1, 2, 0, 1, 2, 1, 2],
    "plus": [2, 3, 6],
    "tokens": 3,
}
SIDE_B_DIAMONDS: Board = {**SIDE_B, "name": "side-b-diamonds", "gems": [2, 3, 1, 3, 0, 2, 2, 1, 2]}  # D-4
BOARDS = {1: SIDE_A, 2: SIDE_B, 3: SIDE_B_DIAMONDS}  # D-25


def suit(card: str) -> str:
    return card[0]


def rank(card: str) -> int:
    return int(card[1:])


def sort_cards(cards: list[str]) -> list[str]:
    return sorted(cards, key=lambda card: (SUITS.index(suit(card)), rank(card)))


def deck() -> list[str]:
    """List the thirty cards (D-1)."""
    return [f"{one}{number}" for one in SUITS for number in range(1, 11)]


def signed(displacement: int) -> str:
    return f"{displacement:+d}" if displacement else "0"


class Duet:
    """A whole game; `deal` and `play` move it on, everything else only looks.

    `ask` is the decision that is open: `(kind, seat)` with the kinds of the moves, or `None`.
    """

    def __init__(self, level: int = 1, dealer: int = 0, board: Board | None = None) -> None:
        self.level = level
        self.first_dealer = dealer
        self.board = board or BOARDS[level]
        self.spaces = len(self.board["gems"])
        self.start: int = self.board["start"]
        self.gems: list[int] = list(self.board["gems"])
        self.covered = [0, 0]
        self.tokens: int = self.board["tokens"]
        self.tracker: int = self.start
        self.round = 0
        self.dealer = dealer
        self.leader = 1 - dealer  # D-7
        self.decree: str | None = None
        self.hands: list[list[str]] = [[], []]
        self.trick: list[str] = []
        self.tricks = [0, 0]
        self.gifts: list[str | None] = [None, None]
        self.log: list[tuple[Any, ...]] = []
        self.last_trick: dict[str, Any] | None = None
        self.ask: tuple[str, int] | None = None
        self.reason = ""

    # the course of the game

    @property
    def over(self) -> bool:
        return bool(self.reason)

    @property
    def needs_deal(self) -> bool:
        return self.ask is None and not self.over

    @property
    def to_act(self) -> int | None:
        return self.ask[1] if self.ask and not self.over else None

    def deal(self, dealt: dict[str, Any]) -> None:
        assert self.needs_deal
        assert all(len(hand) == TRICKS for hand in dealt["hands"])  # D-6
        cards = [*dealt["hands"][0], *dealt["hands"][1], dealt["decree"]]
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(deck())
        if self.round:
            self.dealer = 1 - self.dealer  # D-7, D-21 (d)
        self.round += 1
        self.leader = 1 - self.dealer  # D-7
        self.hands = [sort_cards(hand) for hand in dealt["hands"]]
        self.decree = dealt["decree"]  # D-6
        self.trick, self.tricks, self.gifts = [], [0, 0], [None, None]
        self.log = []
        self.ask = ("play", self.leader)

    def play(self, move: str) -> None:
        if move == "resign" and not self.over:
            self.reason = "given up"  # D-23
            return
        if move not in self.legal():
            raise ValueError(f"{move} is not legal here")
        assert self.ask is not None
        kind, said = move.split(":")
        seat = self.ask[1]
        {
            "play": self.play_card,
            "foxes": self.choose_player,
            "decree": self.swap_decree,
            "gift": self.choose_gift,
            "move": self.choose_move,
            "forest": self.choose_end,
        }[kind](seat, said)

    def legal(self) -> list[str]:
        if self.ask is None or self.over:
            return []
        kind, seat = self.ask
        return sorted(f"{kind}:{option}" for option in self.options(kind, seat))

    def options(self, kind: str, seat: int) -> list[str]:
        match kind:
            case "play":
                return self.playable(seat)
            case "foxes":
                return ["self", "partner"]  # D-16
            case "decree":
                return ["keep", *self.hands[seat]]  # D-16
            case "gift":
                return self.hands[seat]  # D-18
            case "move":
                return [signed(displacement) for displacement in self.displacements()]
        return [end for end in ("low", "high") if self.may_cover(end)]  # D-21 (b)

    # cards

    def playable(self, seat: int) -> list[str]:
        if not self.trick:
            return self.hands[seat]  # D-8
        led = self.trick[0]
        follow = [card for card in self.hands[seat] if suit(card) == suit(led)]
        if rank(led) == 9 or not follow:  # D-19, D-8
            return self.hands[seat]
        return follow  # D-8

    def play_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.log.append(("play", seat, card, self.trick[0] if self.trick else None))
        self.trick.append(card)
        if rank(card) == 3:  # D-16, D-20
            self.send_foxes(seat)
        elif rank(card) == 7 and self.hands[0] and self.hands[1]:  # D-18, D-20
            self.ask = ("gift", seat)
        else:
            self.go_on()

    def send_foxes(self, seat: int) -> None:
        able = [one for one in (0, 1) if self.hands[one]]  # D-16
        if len(able) == 2:
            self.ask = ("foxes", seat)
        elif len(able) == 1:
            self.ask = ("decree", able[0])
        else:
            self.go_on()

    def choose_player(self, seat: int, who: str) -> None:
        self.ask = ("decree", seat if who == "self" else 1 - seat)

    def swap_decree(self, seat: int, card: str) -> None:
        if card != "keep":
            assert self.decree is not None
            self.log.append(("swap", seat, card, self.decree))
            self.hands[seat].remove(card)
            self.hands[seat] = sort_cards([*self.hands[seat], self.decree])
            self.decree = card
        self.go_on()

    def choose_gift(self, seat: int, card: str) -> None:
        self.gifts[seat] = card
        if self.gifts[1 - seat] is None:
            self.ask = ("gift", 1 - seat)
            return
        given = list(self.gifts)
        for giver in (0, 1):  # D-18
            self.hands[giver].remove(given[giver])  # type: ignore[arg-type]
        for giver in (0, 1):
            self.hands[1 - giver] = sort_cards([*self.hands[1 - giver], given[giver]])  # type: ignore[list-item]
        self.log.append(("gifts", *given))
        self.gifts = [None, None]
        self.go_on()

    def go_on(self) -> None:
        """Let the other player follow, or resolve the trick."""
        if len(self.trick) == 1:
            self.ask = ("play", 1 - self.leader)
            return
        choices = self.displacements()
        if len(choices) == 1:
            self.move_tracker(choices[0])
        else:
            self.ask = ("move", self.trick_winner())  # D-15, D-17

    def trick_winner(self) -> int:
        """Say who wins the two cards on the table (D-9)."""
        assert self.decree is not None
        led, answer = self.trick
        trump = suit(self.decree)
        if suit(answer) == suit(led):
            return self.leader if rank(led) > rank(answer) else 1 - self.leader
        return 1 - self.leader if suit(answer) == trump else self.leader

    # the path

    def displacements(self) -> list[int]:
        """All displacements the winner may choose, once each; plus is toward seat 1 (D-10, D-15, D-17)."""
        one, other = (FOOTPRINTS[rank(card)] for card in self.trick)
        gazelles = [rank(card) for card in self.trick].count(5)
        steps = {one + other}
        if gazelles >= 1:
            steps |= {one, other}
        if gazelles == 2:
            steps |= {0}
        toward = 1 if self.trick_winner() == 1 else -1
        musician = any(rank(card) == 1 for card in self.trick)
        signs = (toward, -toward) if musician else (toward,)
        return sorted({sign * step for sign in signs for step in steps})

    def choose_move(self, seat: int, said: str) -> None:
        self.move_tracker(int(said))

    def low_end(self) -> int:
        return self.covered[0]

    def high_end(self) -> int:
        return self.spaces - 1 - self.covered[1]

    def move_tracker(self, displacement: int) -> None:
        winner = self.trick_winner()
        target = self.tracker + displacement
        ran_off = ""
        if target < self.low_end():
            ran_off = "low"
        if target > self.high_end():
            ran_off = "high"
        gem: bool = not ran_off and self.gems[target] > 0
        self.last_trick = {
            "round": self.round,
            "leader": self.leader,
            "cards": list(self.trick),
            "winner": winner,
            "move": displacement,
            "ran_off": bool(ran_off),
            "gem": gem,
        }
        self.trick = []
        self.tricks[winner] += 1
        self.leader = winner  # D-7
        self.tracker = self.start if ran_off else target  # D-11
        if ran_off and not self.tokens:
            self.reason = "lost in the forest"  # D-11, D-23
        elif ran_off:
            self.cover(ran_off)  # D-11
        elif gem:
            self.gems[target] -= 1  # D-13
            if not sum(self.gems):
                self.reason = "won"  # D-13, D-22
        if not self.over:
            self.next_trick()

    def cover(self, end: str) -> None:
        """Put a forest token on an end; its gems move one space inward (D-12)."""
        self.tokens -= 1
        if end == "low":
            space, inward = self.low_end(), self.low_end() + 1
            self.covered[0] += 1
        else:
            space, inward = self.high_end(), self.high_end() - 1
            self.covered[1] += 1
        self.gems[inward] += self.gems[space]
        self.gems[space] = 0

    def next_trick(self) -> None:
        if sum(self.tricks) < TRICKS:
            self.ask = ("play", self.leader)
        elif self.round == LAST_ROUND:
            self.reason = "out of time"  # D-23
        else:
            self.end_round()

    # between rounds

    def supply(self) -> int:
        """Gem tokens beside the board: those taken go back there."""
        return GEM_TOKENS - sum(self.gems)

    def end_round(self) -> None:
        for mark in sorted(self.board["plus"], key=lambda mark: (abs(mark - self.start), mark)):  # D-21 (a)
            space = min(max(mark, self.low_end()), self.high_end())
            if self.supply():
                self.gems[space] += 1
        self.leader = self.dealer  # D-7: the one who does not deal the next round
        self.ask = None
        ends = [end for end in ("low", "high") if self.may_cover(end)]
        if self.tokens and len(ends) == 2:  # D-21 (b)
            self.ask = ("forest", 1 - self.dealer)
        elif self.tokens:
            self.cover(ends[0])

    def may_cover(self, end: str) -> bool:
        return self.tracker != {"low": self.low_end(), "high": self.high_end()}[end]  # D-21 (b)

    def choose_end(self, seat: int, end: str) -> None:
        self.cover(end)
        self.ask = None

    # what it comes to

    def result(self) -> dict[str, Any] | None:
        if not self.over:
            return None
        won = self.reason == "won"
        score = 0
        if won:  # D-22
            score = 10 * self.level + len(self.hands[0]) + len(self.hands[1]) + 3 * self.tokens
            score += 10 if self.round <= 2 else 0
        return {
            "won": won,
            "score": score,
            "round": max(self.round, 1),
            "gems_left": sum(self.gems),
            "reason": self.reason,
        }

    # what it looks like

    def state(self) -> dict[str, Any]:
        return {
            "round": max(self.round, 1),
            "dealer": self.dealer,
            "leader": self.leader,
            "decree": self.decree,
            "tracker": self.tracker,
            "gems": list(self.gems),
            "covered": list(self.covered),
            "tokens": self.tokens,
            "trick": list(self.trick),
            "hands": [list(hand) for hand in self.hands],
            "tricks": list(self.tricks),
        }

    def phase(self) -> str:
        if self.over:
            return "over"
        return self.ask[0] if self.ask else "deal"

    def seen_known(self, viewer: int | None) -> list[list[str]]:
        """Cards that a viewer knows to be in a hand it does not see: the log of this round says which."""
        known: list[set[str]] = [set(), set()]
        for what, *rest in self.log:
            if what == "play":
                seat, card, _ = rest
                known[seat].discard(card)
            elif what == "swap":
                seat, card, old = rest
                known[seat].discard(card)
                known[seat].add(old)
            elif viewer is None:  # gifts, face down (D-18)
                known = [set(), set()]
            else:
                mine, theirs = rest[viewer], rest[1 - viewer]
                known[1 - viewer].discard(theirs)
                known[1 - viewer].add(mine)
        return [self.only_others(sort_cards(list(cards)), seat, viewer) for seat, cards in enumerate(known)]

    def seen_void(self, viewer: int | None) -> list[list[str]]:
        """Suits that a seat did not follow although nothing let it off (D-8, D-19)."""
        void: list[set[str]] = [set(), set()]
        for what, *rest in self.log:
            if what == "play":
                seat, card, led = rest
                if led and suit(card) != suit(led) and rank(led) != 9:
                    void[seat].add(suit(led))
            elif what == "gifts" and viewer is None:
                void = [set(), set()]
        return [self.only_others(sorted(suits), seat, viewer) for seat, suits in enumerate(void)]

    def only_others(self, things: list[str], seat: int, viewer: int | None) -> list[str]:
        return [] if self.over or seat == viewer else things

    def seen_gift(self, seat: int, viewer: int | None) -> str | None:
        gift = self.gifts[seat]
        if gift is None or viewer == seat or self.over:
            return gift
        return "?"  # D-18

    def view(self, viewer: int | None) -> dict[str, Any]:
        played = sort_cards([entry[2] for entry in self.log if entry[0] == "play"])
        return {
            "game": "duet",
            "seat": viewer,
            "options": {"level": self.level, "dealer": self.first_dealer, "board": self.board["name"]},
            "phase": self.phase(),
            "round": max(self.round, 1),
            "dealer": self.dealer,
            "leader": self.leader,
            "to_act": self.to_act,
            "decree": self.decree,
            "tracker": self.tracker,
            "start": self.start,
            "gems": list(self.gems),
            "plus": list(self.board["plus"]),
            "covered": list(self.covered),
            "tokens": self.tokens,
            "supply": self.supply(),
            "tricks": list(self.tricks),
            "trick": list(self.trick),
            "last_trick": self.last_trick,
            "hands": [list(self.hands[s]) if self.over or s == viewer else None for s in (0, 1)],
            "hand_sizes": [len(hand) for hand in self.hands],
            "known": self.seen_known(viewer),
            "void": self.seen_void(viewer),
            "gifts": [self.seen_gift(seat, viewer) for seat in (0, 1)],
            "played": played,  # D-14
            "legal": self.legal() if viewer is not None and viewer == self.to_act else [],
            "result": self.result(),
        }
