"""The chat in a real browser: nothing half typed is lost, nothing is said twice, new words are noticed."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.playing import Player

PHONE = {"viewport": {"width": 390, "height": 420}}


def two_at_luz(arrive: Arrive, **options: object) -> tuple[Player, Player]:
    """Ann and Ben at a game of Luz that has begun, with a bot."""
    ann, ben = arrive("Ann", **options), arrive("Ben", **options)
    address = ann.make("luz", "friend", "bot:easy", choices={"players": "3"})
    ben.sit(address)
    ann.start()
    expect(ben.page.locator(".turn-text")).to_be_visible()
    return ann, ben


def say(player: Player, text: str) -> None:
    player.page.get_by_label("Your message").fill(text)
    player.page.get_by_role("button", name="Send").click()
    expect(player.page.get_by_label("Your message")).to_have_value("")


def test_what_is_half_typed_survives_what_is_pushed_and_keeps_the_focus(arrive: Arrive) -> None:
    ann, ben = two_at_luz(arrive)
    field = ann.page.get_by_label("Your message")
    field.press_sequentially("Hello th")
    field.press("ArrowLeft")
    for number in range(3):
        say(ben, f"Number {number}")
        expect(ann.page.locator("#chat-log")).to_contain_text(f"Number {number}")
        expect(field).to_have_value("Hello th")
        expect(field).to_be_focused()
    assert field.evaluate("element => element.selectionStart") == len("Hello th") - 1
    field.press("End")
    field.press_sequentially("ere")
    field.press("Enter")
    expect(field).to_have_value("")
    expect(ben.page.locator("#chat-log p").last).to_have_text(re.compile(r"Ann:\s+Hello there"))


def test_two_clicks_write_one_message(arrive: Arrive) -> None:
    ann, ben = two_at_luz(arrive)
    ann.page.get_by_label("Your message").fill("Once")
    ann.page.evaluate("() => { for (let n = 0; n < 5; n++) document.getElementById('chat-send').click(); }")
    expect(ann.page.get_by_label("Your message")).to_have_value("")
    expect(ben.page.locator("#chat-log p")).to_have_text(re.compile(r"Ann:\s+Once"))
    say(ann, "Once")
    expect(ben.page.locator("#chat-log p")).to_have_count(2)
    expect(ben.page.locator("#chat-log p").last).to_contain_text("Once")


def test_a_refused_message_stays_to_be_mended(arrive: Arrive) -> None:
    ann, _ben = two_at_luz(arrive)
    field = ann.page.get_by_label("Your message")
    field.fill("\u202e")
    ann.page.get_by_role("button", name="Send").click()
    expect(ann.page.locator("#table [role=alert]")).to_contain_text("visible character")
    expect(field).to_have_value("\u202e")


def test_new_words_are_counted_where_the_chat_is_out_of_sight(arrive: Arrive) -> None:
    ann, ben = two_at_luz(arrive, **PHONE)
    say(ann, "Hello")
    mark = ben.page.locator("#unread")
    expect(mark).to_be_visible()
    expect(mark.locator("b")).to_have_text("1")
    ann.page.evaluate("scrollTo(0, 0)")
    expect(ann.page.locator("#unread")).to_be_hidden()
    say(ann, "Ben?")
    expect(mark.locator("b")).to_have_text("2")
    mark.click()
    expect(mark).to_be_hidden()
    expect(ben.page.get_by_text("Ben?")).to_be_in_viewport()
    ben.page.reload()
    ben.page.wait_for_function("document.documentElement.classList.contains('js')")
    expect(mark).to_be_hidden()


def test_new_words_are_read_out_and_old_ones_are_not_put_there_again(arrive: Arrive) -> None:
    ann, ben = two_at_luz(arrive)
    say(ann, "First")
    log = ben.page.get_by_role("log")
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log.get_by_text("First")).to_be_visible()
    ben.page.evaluate("() => { document.querySelector('#chat-log p').marked = true; }")
    say(ann, "Second")
    expect(log.locator("p")).to_have_count(2)
    assert ben.page.evaluate("() => document.querySelector('#chat-log p').marked")
    assert log.evaluate("log => log.scrollTop") == 0, "the end is in sight"


def test_partners_of_duet_find_the_chat_closed_and_their_draft_kept(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    address = ann.make("duet", "friend")
    ben.sit(address)
    say(ben, "Good luck!")
    expect(ann.page.get_by_text("Good luck!")).to_be_visible()
    field = ben.page.get_by_label("Your message")
    field.fill("And n")
    ann.start()
    expect(ben.page.locator("#chat")).to_contain_text("(D-24)")
    expect(ben.page.get_by_role("button", name="Send")).to_be_disabled()
    expect(field).to_have_value("And n")
    expect(ben.page.get_by_text("Good luck!")).to_be_visible()


def test_one_who_only_watches_is_told_so_and_reads_along(arrive: Arrive) -> None:
    ann, _ben = two_at_luz(arrive)
    eve = arrive("Eve")
    eve.page.goto(ann.page.url)
    expect(eve.page.locator(".watching")).to_have_text("You are watching")
    expect(eve.page.locator(".onlooker")).to_be_visible()
    say(ann, "Hello")
    expect(eve.page.get_by_text("Hello")).to_be_visible()
    expect(eve.page.get_by_label("Your message")).to_have_count(0)


def test_a_stranger_in_the_waiting_room_is_shown_out_as_the_last_seat_is_taken(arrive: Arrive) -> None:
    ann, ben, eve = arrive("Ann"), arrive("Ben"), arrive("Eve")
    ann.page.goto(ann.url)
    form = ann.page.locator("section.game-duet form")
    form.locator("summary").click()
    form.get_by_label("Who may watch").select_option("nobody")
    address = ann.make_here("duet", "friend")
    eve.page.goto(address)
    expect(eve.page.get_by_role("button", name="Sit here")).to_be_visible()
    ben.sit(address)
    expect(eve.page.get_by_text("Only those who belong to this table may see it.")).to_be_visible()
    ann.start()
    expect(ben.page.locator(".turn-text")).to_be_visible()


def test_who_waits_for_the_start_on_a_phone_sees_the_chat_before_the_link_and_what_is_new_in_it(
    arrive: Arrive,
) -> None:
    ann, ben = arrive("Ann"), arrive("Ben", viewport={"width": 390, "height": 844})
    address = ann.make("duet", "friend")
    expect(ann.page.get_by_role("heading", name="Invite friends")).to_be_visible()
    ben.sit(address)
    for player in (ann, ben):
        link = player.page.locator("details.invite")
        expect(link.locator("img.qr")).to_be_hidden()
        chat, invitation = player.page.locator("#chat").bounding_box(), link.bounding_box()
        assert chat is not None
        assert invitation is not None
        assert chat["y"] < invitation["y"]
    ben.page.set_viewport_size({"width": 390, "height": 500})
    ben.page.evaluate("scrollTo(0, 0)")
    ann.page.locator("#chat-text").fill("Ready?")
    ann.page.locator("#chat-send").click()
    mark = ben.page.locator("#unread")
    expect(mark).to_be_in_viewport()
    expect(mark.locator("b")).to_have_text("1")
    mark.click()
    expect(ben.page.locator("#chat-log p").last).to_be_in_viewport()
    expect(mark).to_be_hidden()
    ben.page.locator("details.invite summary").click()
    expect(ben.page.locator("img.qr")).to_be_visible()
