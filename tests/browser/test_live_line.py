"""What the page's script adds: pushed changes, refusals in place, one act for two clicks, a line that mends itself."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.playing import PATIENCE, SECOND_CLICK, Player, Server
from browser.wire import Wire


def until_blocked(player: Player) -> None:
    """Play until some card of the own hand may not be played."""
    while player.await_turn() and not player.page.locator("#hand button.blocked").count():
        player.play()


def test_a_refused_card_says_why_and_nothing_moves(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("luz")
    until_blocked(player)
    page, seq = player.page, player.seq
    page.locator("#hand button.blocked").first.click(force=True)
    expect(page.locator("#table [role=alert]")).to_contain_text("(L-16)")
    assert player.seq == seq
    page.wait_for_timeout(SECOND_CLICK)  # the sentence has moved the cards
    player.play()
    expect(page.locator("#table [role=alert]")).to_have_count(0)


def test_a_card_out_of_turn_is_refused_with_a_sentence(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    address = ann.make("duet", "friend")
    ben.sit(address)
    ann.start()
    ben.page.wait_for_selector(".turn-text")
    other = ben if ann.page.locator(".turn.is-mine").count() else ann
    other.hand().first.click(force=True)
    expect(other.page.locator("#table [role=alert]")).to_contain_text("not your turn")


def test_a_double_click_plays_one_card(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    address = ann.make("duet", "friend")
    ben.sit(address)
    ann.start()
    ben.page.wait_for_selector(".turn-text")
    turn = ann if ann.page.locator(".turn.is-mine").count() else ben
    posts: list[str] = []
    turn.page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    seq, cards = turn.seq, turn.hand().count()
    turn.page.evaluate(
        "button => { button.click(); button.click(); button.click(); }", turn.choices().last.element_handle()
    )
    turn.await_change(seq)
    expect(turn.hand()).to_have_count(cards - 1)
    assert len(posts) == 1


STRAY = """() => {
  const bet = document.querySelector("button[name=move][value^='bet:']");
  const card = Object.assign(document.createElement("button"), { name: "move", value: "play:#1", type: "button" });
  document.getElementById("table").append(card);
  const click = (on, x) => on.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: 50 }));
  return [click(bet, 50), click(card, 52), click(card, 52), click(bet, 300)];
}"""


def test_a_second_click_on_the_spot_does_not_decide_what_came_there_meanwhile(arrive: Arrive) -> None:
    ann = arrive("Ann")
    ann.make_and_start("luz", *["bot:easy"] * 3)
    assert ann.await_turn()
    assert ann.page.evaluate(STRAY) == [True, False, True, True]


def test_a_name_half_typed_survives_what_is_pushed(arrive: Arrive) -> None:
    ann, ben, eve = arrive("Ann"), arrive("Ben"), arrive("Eve")
    address = ann.make("luz", "friend", "friend")
    eve.page.goto(address)
    field = eve.page.get_by_label("Your name, for seat 3")
    field.press_sequentially("Ev")
    seq = eve.seq
    ben.sit(address)
    eve.await_change(seq)
    expect(field).to_have_value("Ev")
    expect(field).to_be_focused()


def test_what_is_open_stays_open(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("luz")
    player.page.get_by_text("How Luz is played").click()
    player.play_on(2)
    expect(player.page.locator("details.help")).to_have_attribute("open", "")


def test_cards_fly_unless_the_reader_wants_less_motion(arrive: Arrive) -> None:
    count = """() => {
      const real = document.startViewTransition.bind(document);
      window.flights = 0;
      document.startViewTransition = (update) => { window.flights += 1; return real(update); };
    }"""
    for motion, flies in (("no-preference", True), ("reduce", False)):
        player = arrive(reduced_motion=motion)
        player.make_and_start("luz")
        player.page.evaluate(count)
        player.play_on(3)
        assert (player.page.evaluate("window.flights") > 0) == flies
        player.await_turn()
        player.page.wait_for_function("() => !document.querySelector('#table [style]')")


def test_the_title_calls_whoever_is_to_act(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("duet")
    player.await_turn()
    expect(player.page).to_have_title("● Your turn – The Fox in the Forest Duet")


def test_the_invitation_can_be_copied(arrive: Arrive) -> None:
    player = arrive(permissions=["clipboard-read", "clipboard-write"])
    address = player.make("duet", "friend")
    player.page.get_by_role("button", name="Copy link").click()
    expect(player.page.get_by_text("Copied")).to_be_visible()
    assert player.page.evaluate("navigator.clipboard.readText()") == address
    expect(player.page.get_by_role("img", name="QR code")).to_be_visible()
    assert player.page.locator("img.qr").evaluate("image => image.naturalWidth") > 0


SHOWS = "seq => Number(document.getElementById('table')?.dataset.seq) === seq"


def leave(player: Player) -> None:
    """Leave the page of a server that has been gone for a time; what the browser says of that is no fault."""
    player.page.goto("about:blank")
    gone = re.compile("ERR_CONNECTION_REFUSED|Failed to fetch")
    player.complaints[:] = [said for said in player.complaints if not gone.search(said)]


def test_a_page_goes_back_with_a_server_whose_tables_were_put_back(arrive: Arrive, tmp_path: Path) -> None:
    database, copy = tmp_path / "overtrick.sqlite3", tmp_path / "copy"
    with Server(tmp_path) as server:
        player = arrive(at=server)
        player.make_and_start("luz")
        player.play_on(2)
        player.await_turn()
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as goal:
            source.backup(goal)
        seq = player.seq
        player.play_on(2)
        player.await_turn()
        assert player.seq > seq
        server.kill()
        for end in ("", "-wal", "-shm"):
            Path(f"{database}{end}").unlink()
        copy.rename(database)
        server.start()
        player.page.wait_for_function(SHOWS, arg=seq, timeout=60_000)
        assert player.play_on(2) == 2
        leave(player)


def test_a_server_killed_in_the_middle_is_waited_for_and_the_game_goes_on(
    arrive: Arrive, tmp_path: Path
) -> None:
    with Server(tmp_path) as server:
        player = arrive(at=server)
        player.make_and_start("luz")
        page = player.page
        player.play_on(5)
        player.await_turn()
        page.evaluate("window.neverReloaded = true")
        seq = player.seq
        server.kill()
        expect(page.locator("#offline")).to_be_visible()
        player.choices().first.click()
        expect(page.locator("#unsent")).to_be_visible()
        server.start()
        expect(page.locator("#offline")).to_be_hidden()
        assert player.seq == seq
        assert player.play_on(3) == 3
        assert page.evaluate("window.neverReloaded")
        leave(player)


HIDDEN = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def icon_of(player: Player) -> str:
    """The picture of the tab; read in the page, where it has to be one that loads."""
    shown: str = player.page.evaluate("""async () => {
      const links = document.querySelectorAll("link[rel=icon]");
      if (links.length !== 1) return "there are " + links.length;
      const picture = new Image();
      picture.src = links[0].href;
      await picture.decode();
      return links[0].getAttribute("href");
    }""")
    return shown


def test_a_tab_that_nobody_looks_at_calls_by_title_and_icon(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    address = ann.make("duet", "friend")
    ben.sit(address)
    assert icon_of(ann) == "/static/icon.svg"
    ann.page.evaluate(HIDDEN)
    ben.page.evaluate(HIDDEN)
    ann.start()
    ben.page.wait_for_selector(".turn-text")
    for _ in range(3):
        mover, other = (ann, ben) if ann.page.locator(".turn.is-mine").count() else (ben, ann)
        expect(mover.page).to_have_title("● Your turn – The Fox in the Forest Duet")
        assert icon_of(mover) == "/static/icon-turn.svg"
        expect(other.page).to_have_title("The Fox in the Forest Duet – Overtrick")
        assert icon_of(other) == "/static/icon.svg"
        seq = other.seq
        mover.play()
        other.await_change(seq)
    # A page that is loaded anew says the same at once, and so does one without scripts.
    mover = ann if ann.page.locator(".turn.is-mine").count() else ben
    mover.page.reload()
    assert mover.page.locator("link[rel=icon]").get_attribute("href") == "/static/icon-turn.svg"
    mover.page.goto(f"{mover.url}/games")
    assert mover.page.locator("link[rel=icon]").get_attribute("href") == "/static/icon-turn.svg"


def test_a_page_says_that_it_is_offline_and_catches_up_by_itself(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    address = ann.make("duet", "friend")
    ben.sit(address)
    ann.start()
    ben.page.wait_for_selector(".turn-text")
    mover, away = (ann, ben) if ann.page.locator(".turn.is-mine").count() else (ben, ann)
    away.page.evaluate("window.neverReloaded = true")
    away.page.context.set_offline(True)
    expect(away.page.locator("#offline")).to_be_visible()
    seq = away.seq
    mover.play()
    assert away.seq == seq
    away.page.context.set_offline(False)
    away.await_change(seq)
    expect(away.page.locator("#offline")).to_be_hidden()
    assert away.seq == mover.seq
    assert away.page.evaluate("window.neverReloaded")
    away.complaints[:] = [said for said in away.complaints if "ERR_INTERNET_DISCONNECTED" not in said]


def test_a_machine_that_slept_gets_a_new_line(arrive: Arrive) -> None:
    ann = arrive("Ann")
    ann.page.clock.install()
    lines: list[str] = []
    ann.page.on("websocket", lambda line: lines.append(line.url))
    ann.make("duet", "friend")
    ann.page.wait_for_function("() => document.documentElement.classList.contains('js')")
    ann.page.clock.fast_forward(30_000)
    assert len(lines) == 1, "the next sign of life may still come"
    with ann.page.expect_websocket():
        ann.page.clock.fast_forward(120_000)
        ann.page.clock.run_for(2_000)
    expect(ann.page.locator("#offline")).to_be_hidden()


COUNTED = """
  window.lines = 0;
  window.beats = 0;
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      window.lines += 1;
      this.addEventListener("message", ({ data }) => { window.beats += data === ""; });
    }
  };
"""
"""Counts the live lines of a page, and the signs of life on them."""


def test_a_network_that_dies_without_a_word_is_noticed_said_and_mended(
    arrive: Arrive, tmp_path: Path
) -> None:
    heartbeat = 1.5
    with Server(tmp_path, heartbeat=heartbeat) as server, Wire(server.port) as wire:
        ann, ben = arrive("Ann", at=server), arrive("Ben", at=server)
        ann.url = wire.url
        ann.page.add_init_script(COUNTED)
        address = ann.make("duet", "friend")
        ben.sit(address.replace(wire.url, server.url))
        ann.start()
        while not ben.page.locator(".turn.is-mine").count():
            ann.await_turn()
            ann.play()
        ann.page.evaluate("window.neverReloaded = true")
        # As long as signs of life come, a table at which nothing happens is no dead line.
        lines = ann.page.evaluate("lines")
        ann.page.wait_for_function("until => beats > until", arg=ann.page.evaluate("beats") + 6)
        # The server may give one line up where a busy machine answers too late; a deaf page gave up two or three.
        assert ann.page.evaluate("lines") <= lines + 1
        expect(ann.page.locator("#offline")).to_be_hidden()
        wire.cut()
        expect(ann.page.locator("#offline")).to_be_visible(timeout=1000 * PATIENCE)
        seq = ann.seq
        ben.play()
        assert ann.seq == seq
        wire.mend()
        ann.await_change(seq)
        expect(ann.page.locator("#offline")).to_be_hidden()
        assert ann.seq == ben.seq
        assert ann.page.evaluate("window.neverReloaded")
        for player in (ann, ben):
            player.page.goto("about:blank")
