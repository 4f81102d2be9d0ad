"""Everything can be done from the keyboard, and focus never gets lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from browser.conftest import Arrive
from browser.playing import Player

FOCUSED = "document.activeElement.closest('li')?.id ?? document.activeElement.id"


def tab_to(page: Page, selector: str, *, most: int = 120) -> None:
    """Press Tab until an element that fits has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def make_by_keyboard(player: Player, game: str) -> None:
    page = player.page
    page.goto(player.url)
    tab_to(page, f"#{game}-name")
    page.keyboard.type(player.name)
    page.keyboard.press("Enter")
    page.wait_for_selector("form[action$='/start']")
    tab_to(page, "form[action$='/start'] button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#turn .turn-text")


def play_by_keyboard(player: Player) -> None:
    page, seq = player.page, player.seq
    wanted = "#table button[name=move]:not([aria-disabled])"
    if page.locator(".betting").count():
        wanted = ".betting .exact button"
    tab_to(page, wanted)
    page.keyboard.press("Enter")
    player.await_change(seq)


def test_a_deal_of_luz_by_keyboard_alone(arrive: Arrive) -> None:
    player = arrive()
    make_by_keyboard(player, "luz")
    for _ in range(11):
        assert player.await_turn()
        play_by_keyboard(player)
        assert player.page.evaluate("document.activeElement !== document.body")
    expect(player.page.locator(".where")).to_contain_text("Deal 2 of 4")


def test_a_whole_game_of_duet_by_keyboard_alone(arrive: Arrive) -> None:
    player = arrive()
    make_by_keyboard(player, "duet")
    while player.await_turn():
        play_by_keyboard(player)
        assert player.page.evaluate("document.activeElement !== document.body")
    expect(player.page.locator(".result h2")).to_contain_text("team")


def test_the_first_tab_offers_to_skip_to_the_table(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("luz")
    page = player.page
    page.reload()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the main part")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "table"


def test_arrows_walk_along_the_hand(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("duet")
    page = player.page
    player.hand().first.focus()
    ids = [f"card-{button.get_attribute('data-fly')}" for button in player.hand().all()[:3]]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED) == ids[2]
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(FOCUSED) == ids[1]


def test_focus_stays_on_a_card_while_others_play(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    address = ann.make("duet", "friend")
    ben.sit(address)
    ann.start()
    ben.page.wait_for_selector(".turn-text")
    turn, other = (ann, ben) if ann.page.locator(".turn.is-mine").count() else (ben, ann)
    other.hand().nth(4).focus()
    before = other.page.evaluate(FOCUSED)
    other.page.evaluate("window.held = document.activeElement")
    seq = other.seq
    turn.play()
    other.await_change(seq)
    assert other.page.evaluate(FOCUSED) == before
    assert other.page.evaluate("window.held === document.activeElement")


def test_after_a_card_is_played_focus_goes_to_the_card_now_at_its_place(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("luz")
    player.play()
    player.await_turn()
    page = player.page
    open_now = player.hand().and_(page.locator(":not([aria-disabled])")).first
    index = player.hand().evaluate_all("(all, one) => all.indexOf(one)", open_now.element_handle())
    open_now.focus()
    seq = player.seq
    page.keyboard.press("Enter")
    player.await_change(seq)
    now = player.hand().evaluate_all("all => all.indexOf(document.activeElement)")
    assert now == min(index, player.hand().count() - 1)
