"""What has just happened is said, and the last trick of a deal or round is shown on into the next one."""

from __future__ import annotations

import pytest

from overtrick.games import Position
from web.looks import Element, finished, game_moments, look, read_page


def news(page: Element) -> str:
    return page.all("p", class_="news")[0].words()


def last_trick(page: Element) -> Element:
    """The part of the page that shows the last trick: its heading, cards and what came of it."""
    small = page.all("ol", class_="small")
    box = next(found.parent for found in small if "laid" in found["class"].split())
    assert box is not None
    return box


def first_of_each_deal(variant: str, seed: int, count: str) -> list[Position]:
    """The positions right after a deal but the first; `count`: how the view calls its number."""
    found: dict[int, Position] = {}
    for moment in game_moments(variant, seed):
        found.setdefault(moment.position().view(None).to_json()[count], moment.position())
    return [position for number, position in found.items() if number > 1]


def test_news_names_the_bet_the_card_or_who_took_the_trick() -> None:
    seen = set()
    for moment in game_moments("luz-3", seed=41):
        position = moment.position()
        view = position.view(0).to_json()
        said = news(read_page(look(position, 0)))
        if view["phase"] == "bet":
            kind = "bet" if any(view["bets"]) else "deal"
            assert view["deal"] == 1 or {"bet": " bet", "deal": "is scored"}[kind] in said
        elif view["trick"]:
            kind = "card"
            assert "played" in said
        else:
            kind = "trick" if sum(view["tricks"]) else "bet"
            assert {"trick": "the trick", "bet": " bet"}[kind] in said
        seen.add(kind)
    assert seen == {"bet", "deal", "card", "trick"}


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_a_new_deal_of_luz_begins_with_who_took_the_last_trick_and_what_the_deal_brought(
    seat: int | None,
) -> None:
    """L-19, L-25."""
    deals = first_of_each_deal("luz-3", 41, "deal")
    assert len(deals) == 3
    for before, position in enumerate(deals, start=1):
        view = position.view(seat).to_json()
        page = read_page(look(position, seat))
        winner = "You take" if view["last_trick"]["winner"] == seat else " takes the trick"
        assert winner in news(page)
        assert f"Deal {before} is scored" in news(page)
        if seat is not None:
            mine = str(abs(view["by_deal"][-1][seat]))
            assert f"Deal {before} brings you" in news(page)
            assert mine in news(page).split("brings you")[1].split(".")[0]
        for points in view["by_deal"][-1]:
            assert str(abs(points)) in news(page)


def test_the_last_trick_of_a_deal_of_luz_is_shown_until_the_next_deals_first_one() -> None:
    shown = set()
    for moment in game_moments("luz-4", seed=7):
        view = moment.position().view(1).to_json()
        if not view["last_trick"]:
            continue
        box = last_trick(read_page(look(moment.position(), 1)))
        title = box.all("h2")[0].words()
        if sum(view["tricks"]):
            assert title == "Last trick"
        else:
            assert title == f"Last trick of deal {view['deal'] - 1}"
            assert not any(card["data-fly"] for card in box.all("span", class_="lay"))
            shown.add(view["phase"])
        values = [card.words() for card in box.all("span", class_="glass")]
        assert values == [card[1:] for card in view["last_trick"]["cards"]]
    assert shown == {"bet", "play"}


def test_a_new_round_of_duet_begins_with_the_last_trick_of_the_round_before() -> None:
    shown = 0
    for seed in range(6):
        for position in first_of_each_deal("duet-1", seed, "round"):
            view = position.view(0).to_json()
            page = read_page(look(position, 0))
            before = view["round"] - 1
            box = last_trick(page)
            assert box.all("h2")[0].words() == f"Last trick of round {before}"
            assert not any(card["data-fly"] for card in box.all("span", class_="lay"))
            assert "the trick." in news(page)
            assert f"Round {before + 1} begins, with new gems" in news(page)
            shown += 1
    assert shown > 1


@pytest.mark.parametrize("variant", ["luz-3", "duet-1"])
def test_a_card_is_followed_at_one_place_only(variant: str) -> None:
    for moment in game_moments(variant, seed=8, every=2):
        page = read_page(look(moment.position(), 0))
        followed = [element["data-fly"] for element in page.walk() if element["data-fly"]]
        assert len(followed) == len(set(followed))


def test_the_end_of_luz_says_who_took_the_last_trick() -> None:
    said = news(read_page(look(finished("luz-4"), 0)))
    assert "the trick; the last card was" in said
    assert said.endswith(". The fourth deal is scored.")


@pytest.mark.parametrize("variant", ["luz-3", "duet-1"])
def test_a_table_whose_bot_cannot_think_yet_says_so_beside_the_news(variant: str) -> None:
    for moment in game_moments(variant, seed=41, every=20):
        usual = news(read_page(look(moment.position(), 0)))
        waiting = news(read_page(look(moment.position(), 0, bots_preparing=True)))
        prepared = "The bots are being prepared; on a first start this takes a minute or two, on a busy machine longer."
        assert waiting == f"{usual} {prepared}".strip()
