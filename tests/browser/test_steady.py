"""What one is about to tap stays where it is while others move, and every bet is at hand without scrolling."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browser.conftest import Arrive
from browser.playing import Player
from overtrick.games import Position
from overtrick.web.pages import table_page
from overtrick.web.static_files import static_files
from web.looks import game_moments, look

PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}
WATCH = """selectors => {
  window.places = Object.fromEntries(selectors.map((selector) => [selector, new Set()]));
  window.lines = new Set();
  const note = () => {
    const table = document.getElementById('table');
    if (!table.querySelector('.trick .now, .luz .trick, .trick > .laid') || table.querySelector('.result')) return;
    window.lines.add(document.querySelector('#turn').innerText);
    for (const selector of selectors) {
      const found = table.querySelector(selector);
      if (!found) continue;
      const away = found.getBoundingClientRect().top - table.getBoundingClientRect().top;
      window.places[selector].add(Math.round(away));
    }
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  note();
}"""
PLACES = (
    "() => Object.fromEntries(Object.entries(window.places).map(([name, tops]) => [name, [...tops].sort()]))"
)


def make_with_reasons(player: Player, game: str, bots: int, dealer: int) -> None:
    """Make a table at which bots say why they moved, and start it with the deal of the seat `dealer`."""
    page = player.page
    page.goto(player.url)
    form = page.locator(f"section.game-{game} form")
    form.locator("input[name=name]").fill(player.name)
    form.locator(".options summary").click()
    form.locator("input[name=explain]").check()
    form.locator("select[name=dealer]").select_option(str(dealer))
    for seat in range(1, bots + 1):
        form.locator(f"select[name=seat-{seat}]").select_option("bot:easy")
    form.get_by_role("button", name="Make a table").click()
    page.wait_for_url("**/t/**")
    player.start()


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize(
    ("game", "bots", "watched"),
    [("luz", 3, (".others", ".trick", "#hand")), ("duet", 1, (".path", ".facts"))],
)
def test_nothing_jumps_while_others_move(
    arrive: Arrive, game: str, bots: int, watched: tuple[str, ...], size: dict[str, int]
) -> None:
    player = arrive(viewport=size)
    make_with_reasons(player, game, bots, dealer=bots)  # whoever is first of all is marked so
    if game == "luz":
        player.play_on(1)
    watched += (".decide, .own",) if size is WIDE else ()
    player.page.evaluate(WATCH, list(watched))
    assert player.play_on(9) == 9
    places = player.page.evaluate(PLACES)
    assert player.page.evaluate("window.lines.size") > 9
    for name in watched:
        assert places[name], name
        assert max(places[name]) - min(places[name]) <= 1, (name, places[name])


@pytest.mark.parametrize("width", [800, 1024, 1280])
def test_what_comes_to_be_known_of_the_other_hand_moves_nothing(chromium: Browser, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 800})
    shown = ""
    page.route("**/*", lambda route: route.abort())  # no scripts: the pages are only laid out
    page.route("**/t/*", lambda route: route.fulfill(body=shown, content_type="text/html"))
    page.route(
        "**/static/*.css", lambda route: route.fulfill(body=sheet(route.request.url), content_type="text/css")
    )
    tops: dict[int, str] = {}
    for seat, position in telling():
        shown = table_page(look(position, seat))
        page.goto("http://table.test/t/k3v9")
        box = page.locator(".decide, .own").first.bounding_box()
        assert box
        tops[round(box["y"])] = page.locator(".others").inner_text()
    page.close()
    assert len(tops) == 1, tops


def sheet(address: str) -> bytes:
    return static_files()[address.rpartition("/")[2]].content


def telling() -> Iterator[tuple[int, Position]]:
    """Moments of whole games at which much is known of the other hand, each with the seat that knows it."""
    for seed in range(4):
        for moment in game_moments("duet-1", seed, every=3):
            position = moment.position()
            for seat in (0, 1):
                seen = position.view(seat).to_json()
                if seen["hand_sizes"][seat] and seen["known"][1 - seat] and seen["void"][1 - seat]:
                    yield seat, position


@pytest.mark.parametrize("dealer", [3, 0], ids=["betting first", "betting last"])
def test_a_phone_shows_every_bet_of_four_players_without_scrolling(arrive: Arrive, dealer: int) -> None:
    player = arrive(viewport=PHONE, has_touch=True)
    make_with_reasons(player, "luz", 3, dealer)
    assert player.await_turn()
    fits = "bet => bet.getBoundingClientRect().bottom <= innerHeight && scrollY === 0"
    assert player.page.locator(".bets.safe button").last.evaluate(fits)
    player.page.locator(".bets.safe button").last.tap()
    player.page.wait_for_selector("#hand button")
    assert player.page.evaluate("scrollY") == 0
