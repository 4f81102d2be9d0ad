"""A seat on a second device: the link's pages in a real browser."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.test_accessible import check


def test_a_link_moves_a_seat_to_a_phone_and_names_itself_to_no_other_address(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    phone = arrive("Ben", viewport={"width": 390, "height": 800}, has_touch=True)
    address = ann.make("duet", "friend")
    ben.sit(address)
    ann.start()
    ben.page.goto(address)
    ben.page.get_by_role("link", name="Play this seat on another device").click()
    link = ben.page.get_by_label("Private link of your seat").input_value()
    assert ben.page.locator("img.qr").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    check(ben.page)
    ben.page.goto(f"{ben.url}/games")
    check(ben.page)
    secret = link.rsplit("/", 1)[1]
    told: list[str] = []
    phone.page.on(
        "request", lambda request: told.append(str(request.all_headers())) if request.url != link else None
    )
    phone.page.goto(link)
    check(phone.page)
    phone.page.get_by_role("button", name="Play here").click()
    expect(phone.page.locator("#hand button")).to_have_count(11)
    expect(phone.page).to_have_url(address)
    assert told
    assert not any(secret in headers for headers in told)
    # Shut out, the phone sees at once what anybody may see.
    ben.page.goto(f"{address}/link")
    ben.page.get_by_role("button", name="Make a new link").click()
    expect(phone.page.locator("#hand")).to_have_count(0)
    expect(phone.page.get_by_text("You are watching")).to_be_visible()
    told_off = phone.page.get_by_text("This device does not hold the seat any more")
    expect(told_off).to_be_visible()
    check(phone.page)
    phone.page.reload()
    expect(told_off).to_be_visible()
    for player in (ann, ben):
        player.page.goto(address)
        expect(player.page.locator("#turn")).to_be_visible()
        expect(player.page.get_by_text("does not hold the seat")).to_have_count(0)


def test_the_private_link_is_copied_whole(arrive: Arrive) -> None:
    ann = arrive("Ann", permissions=["clipboard-read", "clipboard-write"])
    ann.page.goto(f"{ann.make('duet', 'friend')}/link")
    field = ann.page.get_by_label("Private link of your seat")
    field.click()
    marked = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert field.evaluate(marked) == field.input_value()
    ann.page.get_by_role("button", name="Copy link").click()
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    assert ann.page.evaluate("navigator.clipboard.readText()") == field.input_value()


def test_an_account_is_made_and_left_without_a_complaint(arrive: Arrive) -> None:
    player = arrive("Ann")
    page = player.page
    page.goto(f"{player.url}/me")
    check(page)
    page.locator("#claim-name").fill("Ann of Chromium")
    page.locator("#claim-password").fill("correct horse")
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("heading", name="Ann of Chromium")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Log out everywhere").click()
    expect(page.get_by_role("heading", name="Keep your games")).to_be_visible()
