"""Clocks, pauses and bots that stand in, in a real browser: what is shown is what holds, and everybody finds back."""

from __future__ import annotations

import re
from typing import Any

import httpx
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.playing import PATIENCE, SECOND_CLICK, Player

SLACK = 4.0
"""Seconds that a page may be behind on a busy machine: what it shows was drawn by the server a little earlier."""


def two_at_duet(arrive: Arrive, **selects: str) -> tuple[Player, Player]:
    """Ann and Ben at a game of Duet that has begun, made with these choices of the form."""
    ann, ben = arrive("Ann"), arrive("Ben")
    ann.page.goto(ann.url)
    form = ann.page.locator("section.game-duet form")
    form.locator("summary").click()
    for name, value in selects.items():
        # Choices that the form does not have are as good to the server, and make a test quick.
        add = "(select, value) => select.add(new Option(value, value, true, true))"
        form.locator(f"select[name={name}]").evaluate(add, value)
    ben.sit(ann.make_here("duet", "friend"))
    ann.start()
    expect(ben.page.locator(".turn-text")).to_be_visible()
    return ann, ben


CLICK = """const click = (selector) => document.querySelector(selector).dispatchEvent(
  new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, clientX: 50, clientY: 50 }));"""
CLICK_ONCE_ASKED = f"""selector => {{
  {CLICK}
  window.clicked = new Promise((done) => {{
    const look = () => document.querySelector(".time") && (watch.disconnect(), done(click(selector)));
    const watch = new MutationObserver(look);
    watch.observe(document.body, {{ subtree: true, childList: true }});
  }});
}}"""
"""Click something as soon as clocks or a question about a pause have come above it."""


def mover_of(ann: Player, ben: Player) -> tuple[Player, Player]:
    """Whose turn it is, and the other one."""
    return (ann, ben) if ann.page.locator(".turn.is-mine").count() else (ben, ann)


def told(player: Player) -> dict[str, Any]:
    """The table as the server has it now."""
    found: dict[str, Any] = httpx.get(player.page.url.replace("/t/", "/api/tables/"), timeout=PATIENCE).json()
    return found


def left_on(player: Player) -> list[float]:
    """The seconds that the page shows, the own clock first."""
    texts = player.page.locator(".clocks .left").all_inner_texts()
    return [60 * int(minutes) + int(seconds) for minutes, seconds in (text.split(":") for text in texts)]


def check_clocks(ann: Player, ben: Player) -> None:
    """The clocks of both pages show what the server says, just before and just after they are read."""
    for me, player in enumerate((ann, ben)):
        before = [told(player)["time"]["left"][seat] / 1000 for seat in (me, 1 - me)]
        shown = left_on(player)
        after = [told(player)["time"]["left"][seat] / 1000 for seat in (me, 1 - me)]
        for least, seconds, most in zip(after, shown, before, strict=True):
            assert least - 1 <= seconds <= most + SLACK


def test_the_clocks_shown_are_the_servers_after_a_pause_a_reload_and_a_lost_line(arrive: Arrive) -> None:
    ann, ben = two_at_duet(arrive, clock="bank-300-5")
    check_clocks(ann, ben)
    mover, other = mover_of(ann, ben)
    mover.play()
    check_clocks(ann, ben)
    other.page.get_by_role("button", name="Pause").click()
    expect(mover.page.locator(".paused")).to_have_text(f"{other.name} would like to pause.")
    mover.page.get_by_role("button", name="Agree to pause").click()
    for player in (ann, ben):
        expect(player.page.locator(".turn-text")).to_have_text("The game is paused")
        expect(player.page.locator("[data-runs]")).to_have_count(0)
        expect(player.choices()).to_have_count(0)
        expect(player.page).to_have_title(re.compile("^The Fox"))
    assert told(ann)["time"]["running"] is None
    check_clocks(ann, ben)
    ann.page.reload()
    assert left_on(ann) == left_on(ben)[::-1], "they stand"
    other.page.get_by_role("button", name="Go on").click()
    for player in (ann, ben):
        expect(player.page.locator("[data-runs]")).to_have_count(1)
    ann.page.reload()
    check_clocks(ann, ben)
    ben.page.context.set_offline(True)
    expect(ben.page.locator("#offline")).to_be_visible()
    seq = ben.seq
    if mover_of(ann, ben)[0] is ann:
        ann.play()
    ben.page.context.set_offline(False)
    expect(ben.page.locator("#offline")).to_be_hidden()
    ben.page.wait_for_function(
        "seq => Number(document.getElementById('table').dataset.seq) >= seq", arg=max(seq, ann.seq)
    )
    check_clocks(ann, ben)
    ben.complaints[:] = [said for said in ben.complaints if "ERR_INTERNET_DISCONNECTED" not in said]


def test_a_flag_that_falls_leaves_the_seat_to_a_bot_and_the_person_may_come_back(arrive: Arrive) -> None:
    ann, ben = two_at_duet(arrive, clock="move-10")
    fallen = ann.page.locator("h2", has_text=re.compile("A bot plays for you|a bot stands in"))
    expect(fallen.first).to_be_visible(timeout=1000 * PATIENCE)
    late, other = (ann, ben) if ann.page.locator(".stand-in").count() else (ben, ann)
    expect(late.page.get_by_role("heading", name="A bot plays for you")).to_be_visible()
    expect(other.page.locator("main")).to_contain_text("a bot stands in")
    expect(late.page.locator("#meanwhile li.me").first).to_contain_text("For you: plays")
    late.page.get_by_role("button", name="Take your seat back").click()
    expect(late.page.locator(".stand-in")).to_have_count(0)
    assert told(late)["seats"][0 if late is ann else 1]["flagged"]


def test_who_steps_out_sees_what_the_bot_plays_and_takes_the_seat_back(arrive: Arrive) -> None:
    ann, ben = two_at_duet(arrive)
    ann.page.get_by_text("Step out…").click()
    ann.page.get_by_role("button", name="Let a bot play for me").click()
    expect(ann.page.get_by_role("heading", name="A bot plays for you")).to_be_visible()
    expect(ben.page.locator("main")).to_contain_text("a bot stands in")
    for _ in range(10):  # a 3 or a 7 asks Ben again before the bot
        ben.await_turn()
        if ann.page.locator("#meanwhile li.me").count():
            break
        ben.play()
    expect(ann.page.locator("#meanwhile li.me").first).to_be_visible()
    expect(ann.choices()).to_have_count(0)
    expect(ann.page).to_have_title("The Fox in the Forest Duet – Overtrick")
    played = ann.page.locator("#meanwhile li").all_inner_texts()
    ann.page.get_by_role("button", name="Take your seat back").click()
    expect(ann.page.locator(".stand-in")).to_have_count(0)
    summary = ann.page.get_by_text("What was played while you were away")
    summary.click()
    assert ann.page.locator(".meanwhile li").all_inner_texts()[: len(played)] == played
    expect(ben.page.locator("main")).not_to_contain_text("a bot stands in")
    while not ann.page.locator(".turn.is-mine").count():
        ben.await_turn()
        ben.play()
        ann.await_change(ben.seq - 1)
    ann.play()
    expect(summary).to_have_count(0)


def test_a_card_that_has_just_slipped_away_under_the_finger_is_not_played(arrive: Arrive) -> None:
    mover, other = mover_of(*two_at_duet(arrive, away="120"))
    top = mover.hand().first.evaluate("card => card.getBoundingClientRect().top")
    seq = mover.seq
    mover.page.evaluate(CLICK_ONCE_ASKED, "#hand button.open")
    other.page.get_by_text("Step out, or pause…").click()
    other.page.get_by_role("button", name="Pause", exact=True).click()
    assert mover.page.evaluate("window.clicked") is False
    assert mover.hand().first.evaluate("card => card.getBoundingClientRect().top") > top + 20
    mover.page.wait_for_timeout(SECOND_CLICK)
    assert (mover.seq, told(mover)["ply"]) == (seq + 1, 0)
    mover.play()
    assert told(mover)["ply"] == 1


def test_a_second_click_on_the_spot_does_not_end_the_pause_that_the_first_agreed_to(arrive: Arrive) -> None:
    ann, ben = two_at_duet(arrive, clock="bank-900-10")
    ann.page.locator(".time button").click()
    ben.page.get_by_role("button", name="Agree to pause").wait_for()
    clicks = f"""async () => {{
      {CLICK}
      const now = performance.now();
      performance.now = () => now;  // however slow the server is
      const first = click(".time button");
      while (document.querySelector(".time button").innerText !== "Go on") await new Promise(requestAnimationFrame);
      const second = click(".time button");
      delete performance.now;
      return [first, second];
    }}"""
    assert ben.page.evaluate(clicks) == [True, False]
    assert told(ben)["time"]["paused"]
    ben.page.wait_for_timeout(SECOND_CLICK)
    ben.page.get_by_role("button", name="Go on").click()
    ben.page.get_by_role("button", name="Pause", exact=True).wait_for()
    assert not told(ann)["time"]["paused"]
