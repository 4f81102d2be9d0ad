"""Every decision has its control, only what is legal looks playable, and the rest says why not."""

from __future__ import annotations

import pytest

from overtrick.games import load
from overtrick.web.pages import table_fragment, table_page
from strategies import VARIANTS
from web.looks import Element, finished, game_moments, look, read_page, waiting


def controls(page: Element) -> dict[str, list[Element]]:
    """The buttons that send a move, by what they send."""
    found: dict[str, list[Element]] = {}
    for button in page.all("button", name="move"):
        found.setdefault(button["value"], []).append(button)
    return found


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_what_may_be_played_is_what_looks_playable(variant: str) -> None:
    for moment in game_moments(variant, seed=21, every=9):
        position = moment.position()
        for seat in range(position.game.seats):
            sent = controls(read_page(look(position, seat)))
            ready = {move for move, found in sent.items() if any(not b["aria-disabled"] for b in found)}
            assert ready == set(position.view(seat).legal)


@pytest.mark.parametrize("variant", ["luz-4", "luz-5", "duet-1"])
def test_a_card_that_may_not_be_played_is_described_by_the_clause(variant: str) -> None:
    blocked = 0
    for moment in game_moments(variant, seed=22, every=3):
        position = moment.position()
        seat, view = position.to_act, position.view(position.to_act)
        page = read_page(look(position, seat))
        for move, found in controls(page).items():
            if move not in view.legal:
                why = page.all(id=found[0]["aria-describedby"])[0]
                refusal = view.why_not(move)
                assert refusal is not None
                assert refusal.clause in why.words()
                blocked += 1
    assert blocked > 10


def test_every_decision_of_duet_is_met_and_offered_in_words() -> None:
    met = set()
    for seed in range(2):
        for moment in game_moments("duet-1", seed):
            position = moment.position()
            met.add(position.phase)
            page = read_page(look(position, position.to_act))
            if position.phase in ("foxes", "decree", "gift", "move", "forest"):
                panel = page.all("section", class_="decide")[0]
                in_words = {button["value"] for button in panel.all("button") if button.words()}
                cards = {
                    move
                    for move in position.legal_moves()
                    if move[-1].isdigit() and move[-2] in "DRS0123456789"
                }
                assert in_words | {c for c in cards if not c.startswith("move")} == set(
                    position.legal_moves()
                )
    assert met >= {"play", "foxes", "decree", "gift", "move", "forest"}


def test_a_move_that_ends_on_the_path_can_be_chosen_on_the_path() -> None:
    seen = 0
    for moment in game_moments("duet-1", seed=2):
        position = moment.position()
        if position.phase != "move":
            continue
        view = position.view(position.to_act)
        path = read_page(look(position, position.to_act)).all("section", class_="path")[0]
        json = view.to_json()
        low, high = json["covered"]
        inside = [
            move
            for move in view.legal
            if low <= json["tracker"] + int(move.removeprefix("move:")) < len(json["gems"]) - high
        ]
        assert {button["value"] for button in path.all("button")} == set(inside)
        seen += 1
    assert seen


def test_bets_come_with_their_points_and_their_meaning() -> None:
    moment = next(game_moments("luz-4", seed=5))
    position = moment.position()
    page = read_page(look(position, position.to_act))
    betting = page.all("section", class_="betting")[0]
    assert "+10 points" in betting.words()
    assert "+5 points" in betting.words()
    labels = {button["value"]: button["aria-label"] for button in betting.all("button")}
    assert labels["bet:3"] == "Bet 3: exactly 3 tricks"
    assert labels["bet:3+"] == "Bet 3 with safety: 3 or 4 tricks"
    assert len(labels) == 22


def test_a_limited_supply_of_beads_leaves_only_the_bets_it_allows() -> None:
    """L-3."""
    position = load("luz", players=3, bead_supply=15).start()
    position = position.deal(position.game.random_deal(Unshuffled()))
    position = position.play("bet:10").play("bet:3")
    page = read_page(look(position, position.to_act))
    assert set(controls(page)) == {"bet:0", "bet:0+", "bet:1", "bet:1+", "bet:2", "bet:2+"}
    assert "2 bet beads are left." in page.words()


class Unshuffled:
    def shuffle(self, x: list[object], /) -> None:
        """Leave it as it is."""


def test_forms_carry_the_token_and_moves_the_ply() -> None:
    for page in pages_of_every_kind():
        for form in page.all("form"):
            fields = {entry["name"]: entry["value"] for entry in form.all("input")}
            assert fields["_csrf_token"] == "form-token"
            assert form["method"] == "post"
            if form["action"].endswith("/move"):
                assert fields["ply"] == "7"


def test_who_watches_has_nothing_to_press() -> None:
    for variant in ("luz-4", "duet-1"):
        page = read_page(look(next(game_moments(variant, seed=1)).position(), None))
        assert not page.all("button")
        assert "You are watching" in page.words()


def test_the_host_may_seat_bots_and_start_and_others_may_not() -> None:
    host = read_page(waiting("person", "empty", "bot"))
    assert [form["action"] for form in host.all("form")] == [
        "/t/k3v9/leave", "/t/k3v9/bot", "/t/k3v9/bot", "/t/k3v9/say"
    ]  # fmt: skip
    full = read_page(waiting("person", "person", "bot"))
    assert "/t/k3v9/start" in [form["action"] for form in full.all("form")]
    guest = read_page(waiting("person", "empty", "bot", me=None))
    assert [form["action"] for form in guest.all("form")] == ["/t/k3v9/sit"]
    second = read_page(waiting("person", "person", "bot", me=1))
    assert [form["action"] for form in second.all("form")] == ["/t/k3v9/leave", "/t/k3v9/say"]


def test_a_finished_game_offers_its_record_and_another_game() -> None:
    for variant in ("luz-4", "duet-1"):
        over = finished(variant)
        page = read_page(look(over, 0))
        assert [form["action"] for form in page.all("form")] == ["/t/k3v9/again", "/t/k3v9/say"]
        assert page.all("a", href="/t/k3v9/record.json")
        later = read_page(look(over, 1, next_table="m4w8"))
        assert later.all("a", href="/t/m4w8")
        assert [form["action"] for form in later.all("form")] == ["/t/k3v9/say"]


def test_the_score_sheet_adds_up() -> None:
    over = finished("luz-3")
    sheet = read_page(look(over, 1)).all("table", class_="scores")[0]
    rows = [[cell.words().replace("−", "-") for cell in row.all("td")] for row in sheet.all("tr")[1:]]
    *deals, totals = [[int(cell) for cell in row] for row in rows]
    assert [sum(column) for column in zip(*deals, strict=True)] == totals


def test_the_fragment_is_the_page_without_its_frame() -> None:
    for variant in ("luz-5", "duet-2"):
        page = look(next(game_moments(variant, seed=1)).position(), 0)
        fragment = table_fragment(page)
        assert fragment.startswith('<main id="table"')
        assert fragment.endswith("</main>")
        assert fragment in table_page(page)


def test_without_scripts_the_page_reloads_only_while_others_are_awaited() -> None:
    position = next(game_moments("luz-4", seed=1)).position()
    me = position.to_act
    assert me is not None
    assert not reloads(read_page(look(position, me)))
    assert reloads(read_page(look(position, (me + 1) % 4)))
    assert not reloads(read_page(look(finished("luz-4"), 0)))
    assert not reloads(read_page(waiting("person", "empty", "bot", me=None)))
    assert reloads(read_page(waiting("person", "empty", "bot")))


def reloads(page: Element) -> bool:
    return bool(page.all("noscript")[0].all("meta", http_equiv="refresh"))


def pages_of_every_kind() -> list[Element]:
    moment_pages = [
        look(moment.position(), moment.position().to_act)
        for variant in ("luz-4", "duet-1", "duet-3")
        for moment in game_moments(variant, seed=1, every=9)
    ]
    over = [look(finished(variant), 0) for variant in ("luz-4", "duet-1")]
    rooms = [waiting("person", "empty", "bot"), waiting("person", "empty", "bot", me=None)]
    return [read_page(page) for page in [*moment_pages, *over, *rooms]]
