"""axe finds nothing to complain of on any page, in the light and in the dark."""

from __future__ import annotations

import json

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

from browser.conftest import Arrive

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def complaints(page: Page) -> list[str]:
    """What axe finds, a line for each place."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]} {json.dumps(node['any'][:1])[:300]}"
        for violation in found
        for node in violation["nodes"]
    ]


def check(page: Page) -> None:
    """Look at the page as it stands, in the light and in the dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert complaints(page) == [], scheme


def test_the_lobby_and_the_waiting_room(arrive: Arrive) -> None:
    player, guest = arrive(), arrive("Ann")
    player.page.goto(player.url)
    for summary in player.page.locator(".options summary").all():
        summary.click()
    check(player.page)
    address = player.make("luz", "friend", "friend")
    check(player.page)
    guest.page.goto(address)
    check(guest.page)


def test_a_table_of_luz(arrive: Arrive) -> None:
    player, watcher = arrive(), arrive()
    watcher.page.goto(player.make_and_start("luz"))
    player.await_turn()
    check(player.page)
    player.play_on(4)
    player.await_turn()
    player.page.get_by_text("How Luz is played").click()
    check(player.page)
    check(watcher.page)


def test_a_table_of_duet(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("duet", choices={"level": "2"})
    page, decisions = player.page, 0
    while player.await_turn() and decisions < 2:
        if page.locator(".decide").count():
            check(page)
            decisions += 1
        player.play()
    if not player.over:
        page.get_by_text("Give up…").click()
        check(page)
        page.get_by_role("button", name="Propose to give up").click()
        page.get_by_role("button", name="Give the game up").click()
        page.wait_for_selector("main.is-over")
    check(page)


def test_pages_of_people_who_come_and_go(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    ann.page.goto(ann.url)
    form = ann.page.locator("section.game-duet form")
    form.locator("summary").click()
    form.get_by_label("Clock", exact=True).select_option("bank-300-5")
    address = ann.make_here("duet", "friend")
    ben.sit(address)
    ann.start()
    ben.page.get_by_text("Step out…").click()
    ben.page.get_by_role("button", name="Let a bot play for me").click()
    while not ben.page.locator("#meanwhile").count():
        assert ann.await_turn()
        ann.play()
    check(ben.page)
    ben.page.get_by_role("button", name="Take your seat back").click()
    ben.page.get_by_text("What was played while you were away").click()
    for player in (ann, ben):
        player.page.get_by_role("button", name="Pause").click()
    ben.page.get_by_role("button", name="Go on").wait_for()
    check(ben.page)
    ann.page.get_by_text("Give up…").click()
    ann.page.get_by_role("button", name="Propose to give up").click()
    ben.page.get_by_role("button", name="Give the game up").wait_for()
    check(ben.page)
    for path in ("/games", "/me"):
        ann.page.goto(f"{ann.url}{path}")
        check(ann.page)


def test_an_unknown_table(arrive: Arrive) -> None:
    player = arrive()
    player.page.goto(f"{player.url}/t/nosuchtable")
    check(player.page)
