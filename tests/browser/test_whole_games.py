"""Whole games, played by clicks only."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.playing import Player
from browser.test_accessible import check
from overtrick.games import Record


def download_record(player: Player, folder: Path) -> Record:
    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Download the record").click()
    file = folder / "record.json"
    download.value.save_as(file)
    return Record.loads(file.read_bytes())


def test_a_whole_game_of_luz_against_three_bots(arrive: Arrive, tmp_path: Path) -> None:
    player = arrive()
    player.make_and_start("luz")
    assert player.play_on() == 44  # four bets and forty cards
    page = player.page
    expect(page.locator(".result h2")).to_contain_text("game")
    expect(page.locator(".result .scores tbody tr")).to_have_count(4)
    check(page)
    record = download_record(player, tmp_path)
    assert len(record.moves) == 4 * 44
    assert record.replay().position.over
    page.get_by_role("button", name="Play again with the same people").click()
    expect(page.locator("#table .turn-text, .seats h2").first).to_be_visible()
    assert not player.over


def test_a_whole_game_of_duet_with_a_bot(arrive: Arrive, tmp_path: Path) -> None:
    player = arrive()
    player.make_and_start("duet")
    assert player.play_on() >= 5
    expect(player.page.locator(".result h2")).to_contain_text("team")
    record = download_record(player, tmp_path)
    assert record.replay().position.over


def test_two_partners_see_each_others_moves_without_reloading(arrive: Arrive) -> None:
    ann, ben = arrive("Ann"), arrive("Ben")
    address = ann.make("duet", "friend")
    ben.sit(address)
    expect(ann.page.get_by_role("paragraph").filter(has_text="Ben")).to_be_visible()
    ann.start()
    for player in (ann, ben):
        player.page.evaluate("window.neverReloaded = true")
    moves = 0
    while not (ann.over or ben.over):
        turn = ann if ann.page.locator(".turn.is-mine").count() else ben
        other = ben if turn is ann else ann
        turn.await_turn()
        turn.play()
        other.await_change(turn.seq - 1)
        moves += 1
    assert moves >= 10
    for player in (ann, ben):
        expect(player.page.locator("main.is-over")).to_be_visible()
        assert player.page.evaluate("window.neverReloaded")


def test_a_spectator_follows_without_seeing_a_hand(arrive: Arrive) -> None:
    ann, eve = arrive("Ann"), arrive("Eve")
    eve.page.goto(ann.make_and_start("luz"))
    expect(eve.page.get_by_text("You are watching")).to_be_visible()
    expect(eve.page.locator(".others .slot .card.back")).to_have_count(40)
    ann.play_on(3)
    eve.await_change(ann.seq - 1)
    assert not eve.page.locator("#table form").count()


def test_giving_up_takes_two_steps(arrive: Arrive) -> None:
    player = arrive()
    player.make_and_start("duet")
    page = player.page
    propose = page.get_by_role("button", name="Propose to give up")
    expect(propose).not_to_be_visible()
    page.get_by_text("Give up…").click()
    propose.dblclick()
    confirm = page.get_by_role("button", name="Give the game up")
    expect(confirm).to_be_visible()  # a double click was one step
    confirm.click()
    expect(page.locator(".result h2")).to_contain_text("given up")
    expect(page.locator(".result")).to_be_in_viewport(ratio=1)
    expect(page.locator(".turn")).to_have_count(0)
