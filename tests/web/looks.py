"""Pages of positions, rendered without a server, and a small reader of what came out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from games.worlds import Moment, moments
from overtrick.games import Position, load
from overtrick.tables.result import Result, winners
from overtrick.tables.tableview import SeatView, TableView
from overtrick.web.contexts import TablePage
from overtrick.web.pages import table_page
from strategies import random_record

NAMES = ("Oksana", "Jean-Baptiste", "葉子", "Maximiliane Löwenherz", "Zoë")
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


def look(position: Position, seat: int | None, **changes: Any) -> TablePage:
    """The page of a table at which persons sit, one of them the viewer."""
    page = {key: changes.pop(key) for key in ("error", "name", "locale") if key in changes}
    seats = tuple(
        SeatView(number, "person", NAMES[number], None, is_me=number == seat, is_host=number == 0)
        for number in range(position.game.seats)
    )
    table = {
        "id": "k3v9",
        "seq": 12,
        "status": "over" if position.over else "playing",
        "game": position.game.name,
        "options": position.game.options,
        "public": False,
        "show_played": True,
        "dealer": 0,
        "seats": seats,
        "me": seat,
        "is_host": seat == 0,
        "view": position.view(seat),
        "ply": 7,
        "next_table": None,
        "rules_version": position.game.rules_version,
        "result": Result(winners(position)) if position.over else None,
    }
    return page_of(TableView(**{**table, **changes}), **page)


def waiting(*kinds: str, me: int | None = 0) -> TablePage:
    """The page of a table of Luz that waits; `kinds` of its seats: "person", "empty" or "bot"."""
    seats = tuple(
        SeatView(
            number,
            kind,  # type: ignore[arg-type]
            NAMES[number] if kind == "person" else None,
            "uniform" if kind == "bot" else None,
            is_me=number == me,
            is_host=number == 0,
        )
        for number, kind in enumerate(kinds)
    )
    table = TableView(
        id="k3v9", seq=3, status="waiting", game="luz", options={"players": len(kinds), "bead_supply": None},
        public=True, show_played=True, dealer="random", seats=seats, me=me, is_host=me == 0, view=None, ply=0,
        next_table=None, rules_version=1,
    )  # fmt: skip
    return page_of(table)


def page_of(table: TableView, **changes: Any) -> TablePage:
    return TablePage(table=table, csrf="form-token", invite_url="https://play.example/t/k3v9", **changes)


def game_moments(variant: str, seed: int, every: int = 1) -> Iterator[Moment]:
    """Every so many moments of a random game."""
    for number, moment in enumerate(moments(random_record(variant, seed, care=0.95))):
        if number % every == 0:
            yield moment


def finished(variant: str, seed: int = 1) -> Position:
    record = random_record(variant, seed, care=0.95)
    position, deals = load(record["game"], **record["options"]).start(), iter(record["deals"])
    for move in record["moves"]:
        position = position.deal(next(deals)) if position.needs_deal else position
        position = position.play(move)
    return position


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name) or ""

    def all(self, tag: str = "", **wanted: str) -> list[Element]:
        """Every element below with this tag and these attributes; `class_` asks for one class among several."""
        return [element for element in self.walk() if element is not self and element.fits(tag, wanted)]

    def fits(self, tag: str, wanted: dict[str, str]) -> bool:
        class_ = wanted.get("class_")
        rest = {name: value for name, value in wanted.items() if name != "class_"}
        return (
            tag in ("", self.tag)
            and (class_ is None or class_ in self["class"].split())
            and all(self.attributes.get(name.replace("_", "-")) == value for name, value in rest.items())
        )

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()

    def words(self) -> str:
        """All text in it, in order, with single spaces."""
        return " ".join(" ".join(element.text for element in self.walk()).split())

    def form(self) -> Element:
        element = self
        while element.tag != "form":
            assert element.parent is not None
            element = element.parent
        return element


class Reader(HTMLParser):
    """Builds the tree, and fails on tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("#root", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parent = self._open[-1]
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} has an attribute twice"
        element = Element(tag, dict(attrs), parent)
        parent.children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        opened = self._open.pop()
        assert opened.tag == tag, f"<{opened.tag}> is closed by </{tag}>"

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._open[-1].children.append(Element("#text", {}, self._open[-1], text=data))


def read(text: str) -> Element:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader.root


def read_page(page: TablePage) -> Element:
    return read(table_page(page))
