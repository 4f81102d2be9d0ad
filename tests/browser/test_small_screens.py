"""On a phone everything fits the width, and what is to be pressed is large enough."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.conftest import Arrive
from browser.playing import Player

PHONES = {"390": {"width": 390, "height": 844}, "320": {"width": 320, "height": 640}}
SMALLEST = 44

FAULTS = """smallest => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
  const inline = (element) => getComputedStyle(element).display === 'inline' || element.closest('.toast, .foot');
  const pressed = [...document.querySelectorAll('button, select, summary, .button, input:not([type=hidden])')];
  const small = pressed.filter((element) => {
    const target = element.closest('label') ?? element;
    const box = target.getBoundingClientRect();
    return element.checkVisibility() && !inline(target) && (box.height < smallest - .5 || box.width < smallest - .5);
  });
  const out = [...document.querySelectorAll('#table .card, #table button')].filter((element) => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility() && (box.left < 0 || box.right > innerWidth + .5);
  });
  const tell = (what) => (element) => `${what}: ${element.outerHTML.slice(0, 120)}`;
  return [...wide, ...small.map(tell('small')), ...out.map(tell('outside'))];
}"""


def faults(page: Page) -> list[str]:
    found: list[str] = page.evaluate(FAULTS, SMALLEST)
    return found


@pytest.mark.parametrize("phone", sorted(PHONES))
def test_the_lobby_and_the_waiting_room_fit_a_phone(arrive: Arrive, phone: str) -> None:
    player = arrive(viewport=PHONES[phone])
    player.page.goto(player.url)
    for summary in player.page.locator(".options summary").all():
        summary.click()
    assert faults(player.page) == []
    player.make("luz", "friend", "friend")
    assert faults(player.page) == []


def test_a_phone_names_both_games_at_first_and_asks_what_a_clock_does_once_there_is_one(
    arrive: Arrive,
) -> None:
    page = arrive(viewport=PHONES["390"], java_script_enabled=False).page
    page.goto(arrive().url)
    for name in ("Luz", "The Fox in the Forest Duet"):
        expect(page.locator(".jump").get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    page.locator(".jump").get_by_role("link", name="Duet").click()
    expect(page.locator("#duet-title")).to_be_in_viewport(ratio=1)
    form = page.locator("section.game-duet form")
    form.locator(".options summary").click()
    flag = form.get_by_label("When a clock runs out")
    expect(flag).to_be_hidden()
    form.get_by_label("Clock", exact=True).select_option("move-60")
    expect(flag).to_be_visible()
    form.get_by_label("Clock", exact=True).select_option("none")
    expect(flag).to_be_hidden()


COVERED = """() => [...document.querySelectorAll('.top a')].filter((link) => {
  const box = link.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return link.checkVisibility() && !link.contains(hit);
}).map((link) => link.outerHTML)"""


@pytest.mark.parametrize("width", [390, 1280])
def test_the_links_above_a_table_can_be_pressed(arrive: Arrive, width: int) -> None:
    player = arrive(viewport={"width": width, "height": 800})
    player.make("duet", "friend")
    assert player.page.evaluate(COVERED) == []
    player.page.locator(".top a").last.click()
    expect(player.page).not_to_have_url(re.compile("/t/"))


@pytest.mark.parametrize("phone", sorted(PHONES))
def test_luz_with_five_players_fits_a_phone(arrive: Arrive, phone: str) -> None:
    player = arrive("A name as long as can be", viewport=PHONES[phone], has_touch=True)
    player.make_and_start("luz", choices={"players": "5"})
    page = player.page
    assert page.locator("#table .slot .card").count() == 50
    assert faults(page) == []
    player.await_turn()
    assert faults(page) == []
    player.play()
    player.await_turn()
    assert faults(page) == []
    if phone == "390":
        assert page.locator("#hand").evaluate("hand => hand.getBoundingClientRect().bottom <= innerHeight")


def at_rest(place: Locator) -> Any:
    """Where something is once it moves no more, as while the first cards still fly."""
    box = place.bounding_box()
    for _ in range(50):
        place.page.wait_for_timeout(200)
        before, box = box, place.bounding_box()
        if box == before:
            return box
    raise AssertionError("it moves on and on")


@pytest.mark.parametrize("phone", sorted(PHONES))
def test_clocks_a_pause_a_bot_that_stands_in_and_a_proposal_fit_a_phone(arrive: Arrive, phone: str) -> None:
    ann, ben = (
        arrive("Ann", viewport=PHONES[phone]),
        arrive("A name as long as can be", viewport=PHONES[phone]),
    )
    ann.page.goto(ann.url)
    form = ann.page.locator("section.game-luz form")
    form.locator("summary").click()
    form.get_by_label("Clock", exact=True).select_option("bank-900-10")
    form.locator("select[name=dealer]").select_option("3")  # so that Ann bets first, and no bot before her
    ben.sit(ann.make_here("luz", "friend", "bot:easy", "bot:easy"))
    ben.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    ann.start()
    for player in (ann, ben):
        expect(player.page.locator("#table .turn-text")).to_be_in_viewport(ratio=1)
        player.page.wait_for_function("scrollY === 0")
    board = ann.page.locator(".others")
    top = at_rest(board)
    for player in (ben, ann):
        player.page.get_by_role("button", name=re.compile("^(Pause|Agree to pause)$")).click()
        player.page.get_by_role("button", name=re.compile("Go on|No pause after all")).wait_for()
        assert faults(player.page) == []
        assert at_rest(board) == top, "what is tapped stays where it is"
    ann.page.get_by_role("button", name="Go on").click()
    ann.page.get_by_text("End the game…").click()
    ann.page.get_by_role("button", name="Propose to end the game").click()
    for player in (ann, ben):
        player.page.get_by_role("button", name="Play on").wait_for()
        assert faults(player.page) == []
    ben.page.get_by_text("Step out…").click()
    ben.page.get_by_role("button", name="Let a bot play for me").click()
    back = ben.page.get_by_role("button", name="Take your seat back")
    expect(back).to_be_in_viewport()
    assert faults(ben.page) == []
    back.click()
    expect(ben.page.locator(".stand-in")).to_have_count(0)
    ben.page.goto(f"{ben.url}/games")
    assert faults(ben.page) == []
    height = ben.page.locator(".brand span").evaluate("name => name.getBoundingClientRect().height")
    assert height < SMALLEST, "the name stands in one line"


def check_in_sight(player: Player) -> None:
    """The banner, the path and all that is to be chosen from are on the screen at once, at the top of the page."""
    page = player.page
    page.evaluate("scrollTo(0, 0)")
    asked = page.locator(".decide button" if page.locator(".decide button").count() else "#hand button.open")
    for place in (page.locator("#turn"), page.locator(".path"), asked.first, asked.last):
        expect(place).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("phone", sorted(PHONES))
def test_every_decision_of_duet_fits_a_phone(arrive: Arrive, phone: str) -> None:
    player = arrive(viewport=PHONES[phone], has_touch=True)
    player.make_and_start("duet")
    decisions = 0
    while player.await_turn() and decisions < 3:
        assert faults(player.page) == []
        decisions += player.page.locator(".decide").count()
        if phone == "390":
            check_in_sight(player)
        player.play()
    assert faults(player.page) == []
