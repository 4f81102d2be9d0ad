"""The same page with JavaScript off: plain forms, redirects and reloads."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.playing import Player


def reload_until_my_turn(player: Player, address: str) -> bool:
    """Use the reload link while others play, as the page says; False once the game is over."""
    page = player.page
    while not (player.over or page.locator(".turn.is-mine").count()):
        page.goto(address)
    return not player.over


def test_a_whole_game_of_duet_without_scripts(arrive: Arrive) -> None:
    player = arrive(java_script_enabled=False)
    address = player.make("duet")
    page = player.page
    page.get_by_role("button", name="Start the game").click()
    moves = 0
    while reload_until_my_turn(player, address):
        player.choice().click()
        assert page.url == address
        moves += 1
    assert moves >= 5
    expect(page.locator(".result h2")).to_contain_text("team")
    page.get_by_role("button", name="Play again with the same people").click()
    page.wait_for_url(re.compile(r"/t/(?!.*again)"))
    assert page.url != address


def test_a_deal_of_luz_without_scripts(arrive: Arrive) -> None:
    player = arrive(java_script_enabled=False)
    address = player.make("luz")
    player.page.get_by_role("button", name="Start the game").click()
    for _ in range(11):
        assert reload_until_my_turn(player, address)
        player.choice().click()
    reload_until_my_turn(player, address)
    expect(player.page.locator(".where")).to_contain_text("Deal 2 of 4")


def test_a_refused_card_says_why_without_scripts(arrive: Arrive) -> None:
    player = arrive(java_script_enabled=False)
    address = player.make("luz")
    page = player.page
    page.get_by_role("button", name="Start the game").click()
    for _ in range(40):
        assert reload_until_my_turn(player, address)
        blocked = page.locator("#hand button.blocked")
        if blocked.count():
            blocked.first.click(force=True)
            expect(page.get_by_role("alert")).to_contain_text("(L-16)")
            return
        player.choice().click()
    raise AssertionError("no card was ever blocked")


def test_the_page_offers_to_reload_itself_while_others_play(arrive: Arrive) -> None:
    ann, ben = arrive("Ann", java_script_enabled=False), arrive("Ben", java_script_enabled=False)
    address = ann.make("duet", "friend")
    ben.page.goto(address)
    ben.page.get_by_label("Your name").first.fill("Ben")
    ben.page.get_by_role("button", name="Sit here").click()
    ann.page.goto(address)
    ann.page.get_by_role("button", name="Start the game").click()
    ben.page.goto(address)
    turn, other = (ann, ben) if ann.page.locator(".turn.is-mine").count() else (ben, ann)
    expect(turn.page.locator("meta[http-equiv=refresh]")).to_have_count(0)
    expect(other.page.locator("meta[http-equiv=refresh]")).to_have_count(1)
    expect(other.page.get_by_role("link", name="Reload now")).to_be_visible()
