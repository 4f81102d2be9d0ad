"""A table's life by forms: every act, every refusal with its status and its sentence, and no effect."""

from __future__ import annotations

import html
from urllib.parse import unquote

import pytest

from web.serving import Browser, Page, Served, alert, give_up, make_fields


def seq(browser: Browser, path: str) -> str:
    """The number of things that have happened at a table."""
    return Page(browser.get(path).text).attributes("main", "data-seq")[0]


def playing(ann: Browser, ben: Browser, game: str = "duet", **fields: object) -> str:
    """A game of Duet between Ann (seat 0) and Ben (seat 1), who is to lead."""
    path = ann.make(game, **fields)
    assert ben.post(f"{path}/sit", seat=1, name="Ben").status_code == 303
    assert ann.post(f"{path}/start").status_code == 303
    return path


def moves(browser: Browser, path: str) -> list[str]:
    """The moves that a page offers as buttons."""
    page = Page(browser.get(path).text)
    return [
        str(attrs["value"])
        for tag, attrs in page.elements
        if tag == "button" and attrs.get("name") == "move" and "disabled" not in attrs
        and attrs.get("aria-disabled") != "true"
    ]  # fmt: skip


def test_the_front_page_offers_both_games(ann: Browser) -> None:
    answer = ann.get("/")
    assert answer.status_code == 200
    games = [value for tag, attrs in Page(answer.text).elements
             if attrs.get("name") == "game" and (value := attrs.get("value"))]  # fmt: skip
    assert set(games) == {"luz", "duet"}


def test_making_a_table_leads_to_its_page(ann: Browser) -> None:
    path = ann.make("luz", "me", "bot:uniform", "bot:rules_of_thumb", "friend")
    page = ann.get(path)
    assert page.status_code == 200
    assert path.rsplit("/", 1)[1] in page.text


def test_making_a_table_twice_with_one_token_makes_one(ann: Browser) -> None:
    assert ann.make(token="same") == ann.make(token="same")
    assert ann.make(token="other") != ann.make(token="same")


def test_a_public_table_is_listed_until_it_is_full(ann: Browser, ben: Browser) -> None:
    path = ann.make("duet", public=1)
    assert path in Page(ben.get("/").text).attributes("a", "href")
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert path not in Page(ben.get("/").text).attributes("a", "href")


def test_a_private_table_is_not_listed(ann: Browser) -> None:
    assert ann.make("duet") not in ann.get("/").text


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": None}, "game"),
        ({"level": "4"}, "level"),
        ({"level": "one"}, "level"),
        ({"level": "-1"}, "level"),
        ({"level": "9" * 400}, "level"),
        ({"token": ""}, "token"),
        ({"dealer": "7"}, "dealer"),
        ({"seat_dash_0": None}, "seat-0"),
        ({"seat_dash_1": "bot:nobody"}, "bot"),
        ({"seat_dash_1": "me"}, "seat"),
        ({"name": ""}, "name"),
    ],
)
def test_a_table_that_cannot_be_made_is_refused_on_the_form(
    ann: Browser, changes: dict[str, object], part: str
) -> None:
    answer = ann.post("/tables", **{**make_fields("duet"), **changes})
    assert answer.status_code == 422
    assert part in alert(answer.text).lower()


def test_a_refused_form_comes_back_filled_in(ann: Browser) -> None:
    answer = ann.post("/tables", **make_fields("duet", name="Zoë \u202e"))
    assert answer.status_code == 422
    assert "Zoë" in answer.text


@pytest.mark.parametrize(
    "name",
    ["", " ", "a" * 10_000, "ab\u202ecd", "a\u200bb", "a\x07b", "\u0301" * 24, "\ufeff", "\ud7ff\u2028"],
)
def test_a_hostile_name_is_refused_with_a_sentence(ann: Browser, ben: Browser, name: str) -> None:
    path = ann.make()
    before = seq(ann, path)
    answer = ben.post(f"{path}/sit", seat=1, name=name)
    assert answer.status_code in {413, 422}
    assert alert(answer.text)
    assert seq(ann, path) == before


@pytest.mark.parametrize(
    "name", ["<b>x</b>", '"><script>1</script>', "{{ 7*7 }}", "%(name)s", "O'Neill & Söhne"]
)
def test_a_name_with_markup_is_shown_as_text(ann: Browser, ben: Browser, name: str) -> None:
    path = ann.make()
    ben.post(f"{path}/sit", seat=1, name=name[:24])
    text = ann.get(path).text
    assert "<b>x" not in text
    assert "<script>1" not in text
    assert name[:24] in html.unescape(text)


def test_the_browser_remembers_the_name(ann: Browser, ben: Browser) -> None:
    path = ann.make()
    ben.post(f"{path}/sit", seat=1, name="Бен Ö")
    other = ann.make("duet", token="2")
    assert 'value="Бен Ö"' in ben.get(other).text


def kept_name(browser: Browser) -> str | None:
    kept = browser.http.cookies.get("overtrick-name")
    return None if kept is None else unquote(kept.strip('"'))


def test_the_browser_remembers_a_name_as_the_table_shows_it(ann: Browser, ben: Browser) -> None:
    path = ann.make(name=f"  Ann {' ' * 90} O\u0308  ")
    ben.post(f"{path}/sit", seat=1, name="\tBen \n Ö")
    assert (kept_name(ann), kept_name(ben)) == ("Ann Ö", "Ben Ö")


def test_the_browser_remembers_no_name_without_a_seat_taken_under_it(ann: Browser, ben: Browser) -> None:
    path = ann.make("duet", "friend", "friend", name="x" * 5000)
    assert kept_name(ann) is None
    assert ben.post(f"{path}/sit", seat=9, name="Ben").status_code == 422
    assert ben.post(f"{path}/sit", seat=1, name="\u202e").status_code == 422
    assert kept_name(ben) is None
    assert ben.post(f"{path}/sit", seat=1, name="Ben").status_code == 303
    assert kept_name(ben) == "Ben"


def test_a_seat_is_taken_once(ann: Browser, ben: Browser, served: Served) -> None:
    path = ann.make()
    assert ben.post(f"{path}/sit", seat=1, name="Ben").status_code == 303
    before = seq(ann, path)
    late = served.browser().post(f"{path}/sit", seat=1, name="Cat")
    assert (late.status_code, alert(late.text)) == (409, "That seat is taken.")
    assert seq(ann, path) == before


def test_a_seat_can_be_given_up_and_taken_again(ann: Browser, ben: Browser) -> None:
    path = ann.make()
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert ben.post(f"{path}/leave").status_code == 303
    assert ben.post(f"{path}/sit", seat=1, name="Benny").status_code == 303
    assert "Benny" in ann.get(path).text


def test_only_the_host_seats_bots_and_starts(ann: Browser, ben: Browser) -> None:
    path = ann.make("luz", players=3)
    ben.post(f"{path}/sit", seat=1, name="Ben")
    for act, fields in (("bot", {"seat": 2, "bot": "uniform"}), ("start", {})):
        before = seq(ann, path)
        answer = ben.post(f"{path}/{act}", **fields)
        assert answer.status_code == 403
        assert "host" in alert(answer.text)
        assert seq(ann, path) == before
    assert ann.post(f"{path}/bot", seat=2, bot="uniform").status_code == 303
    assert ann.post(f"{path}/bot", seat=2, bot="").status_code == 303
    assert ann.post(f"{path}/start").status_code == 409


def test_a_game_of_duet_is_played_by_forms(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    for ply in range(500):
        for browser in (ann, ben):
            offered = moves(browser, path)
            if offered:
                answer = browser.post(f"{path}/move", ply=ply, move=offered[0])
                assert answer.status_code == 303, alert(answer.text)
                break
        else:
            break
    over = ann.get(path)
    assert f"{path}/record.json" in over.text
    record = ann.get(f"{path}/record.json")
    assert record.status_code == 200
    assert record.json()["overtrick"] == 1
    assert "attachment" in record.headers["content-disposition"]
    for act, fields in (("move", {"ply": ply, "move": "play:D1"}), ("propose-end", {"after": 0})):
        late = ben.post(f"{path}/{act}", **fields)
        assert (late.status_code, alert(late.text)) == (409, "The game is over.")


def test_a_move_out_of_turn_is_refused(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    before = seq(ann, path)
    answer = ann.post(f"{path}/move", ply=0, move="play:D1")
    assert (answer.status_code, alert(answer.text)) == (409, "It is not your turn.")
    assert seq(ann, path) == before


def test_a_move_for_anothers_seat_is_refused(ann: Browser, ben: Browser, served: Served) -> None:
    path = playing(ann, ben)
    move = moves(ben, path)[0]
    before = seq(ann, path)
    stranger = served.browser().post(f"{path}/move", ply=0, move=move)
    assert (stranger.status_code, alert(stranger.text)) == (403, "You do not sit at this table.")
    assert seq(ann, path) == before


def test_a_repeated_move_acts_once(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    move = moves(ben, path)[0]
    first = ben.post(f"{path}/move", ply=0, move=move)
    after = seq(ann, path)
    again = ben.post(f"{path}/move", ply=0, move=move)
    assert first.status_code == 303
    assert again.status_code in {303, 409}
    assert seq(ann, path) == after


def test_another_move_on_an_old_look_is_refused(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    offered = moves(ben, path)
    ben.post(f"{path}/move", ply=0, move=offered[0])
    after = seq(ann, path)
    second_tab = ben.post(f"{path}/move", ply=0, move=offered[1])
    assert second_tab.status_code == 409
    assert alert(second_tab.text)
    assert seq(ann, path) == after


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"ply": 0, "move": "play:Z9"}, 422),
        ({"ply": 0, "move": ""}, 422),
        ({"ply": 0}, 422),
        ({"move": "play:D1"}, 422),
        ({"ply": "x", "move": "play:D1"}, 422),
        ({"ply": "１", "move": "play:D1"}, 422),
        ({"ply": 0, "move": "decree:keep"}, 422),
        ({"ply": 0, "move": "resign"}, 422),
        ({"ply": 0, "move": "play:D1\x00"}, 422),
        ({"ply": 0, "move": "p" * 9000}, 422),
        ({"ply": 999999, "move": "play:D1"}, 409),
    ],
)
def test_an_illegal_move_is_refused(
    ann: Browser, ben: Browser, fields: dict[str, object], status: int
) -> None:
    path = playing(ann, ben)
    before = seq(ann, path)
    answer = ben.post(f"{path}/move", **fields)
    assert answer.status_code == status, alert(answer.text)
    assert alert(answer.text)
    assert seq(ann, path) == before


def test_not_following_suit_is_refused_with_its_clause(ann: Browser, ben: Browser) -> None:
    for number in range(50):
        path = playing(ann, ben, token=f"table {number}")
        lead = next(move for move in moves(ben, path) if not move.endswith(("3", "7", "9")))
        ben.post(f"{path}/move", ply=0, move=lead)
        if all(move[5] == lead[5] for move in moves(ann, path)):
            break
    held = [f"play:{suit}{rank}" for suit in "DRS" for rank in range(1, 11) if suit != lead[5]]
    said = [ann.post(f"{path}/move", ply=1, move=card) for card in held]
    assert {answer.status_code for answer in said} == {422}
    assert any("(D-8)" in alert(answer.text) for answer in said)
    assert ann.post(f"{path}/move", ply=1, move=moves(ann, path)[0]).status_code == 303


def test_a_luz_seat_cannot_ask_for_a_card_by_its_value(ann: Browser) -> None:
    path = ann.make("luz", "me", "friend", "friend", players=3, dealer=2)
    seats = [ann.served.browser() for _ in range(2)]
    for number, friend in enumerate(seats, start=1):
        friend.post(f"{path}/sit", seat=number, name=f"Friend {number}")
    ann.post(f"{path}/start")
    for ply, browser in enumerate((ann, *seats)):
        assert browser.post(f"{path}/move", ply=ply, move="bet:3").status_code == 303
    said = {
        (answer.status_code, alert(answer.text).replace(f"{suit}{value}", "CARD"))
        for suit in "RYGBP"
        for value in range(1, 9)
        if (answer := ann.post(f"{path}/move", ply=3, move=f"play:{suit}{value}"))
    }
    assert len(said) == 1
    assert said.pop()[0] == 422


def test_the_record_is_kept_back_until_the_end(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    answer = ann.get(f"{path}/record.json")
    assert answer.status_code == 409
    assert "hands" not in answer.text


def test_playing_again_takes_everybody_to_one_new_table(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    early = ann.post(f"{path}/again", token="t")
    assert early.status_code == 409
    give_up(path, ann, ben)
    goal = ann.post(f"{path}/again", token="t").headers["location"]
    assert goal != path
    assert ben.post(f"{path}/again", token="u").headers["location"] == goal
    assert goal in ben.get(path).text
    by_script = ben.post(f"{path}/again", token="v", htmx=True)
    assert (by_script.status_code, by_script.headers["hx-redirect"]) == (200, goal)


def test_with_scripts_an_act_answers_with_the_fragment(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    answer = ben.post(f"{path}/move", ply=0, move=moves(ben, path)[0], htmx=True)
    assert answer.status_code == 200
    assert answer.text.startswith('<main id="table"')
    assert answer.text.rstrip().endswith("</main>")
    assert answer.text in ben.get(path).text
    refused = ben.post(f"{path}/move", ply=9, move="play:D1", htmx=True)
    assert refused.status_code == 409
    assert refused.text.startswith('<main id="table"')
    assert alert(refused.text)


@pytest.mark.parametrize("end", ["", "/record.json", "/qr.svg"])
def test_an_unknown_table_is_a_page_that_says_so(ann: Browser, end: str) -> None:
    answer = ann.get(f"/t/nosuchtable{end}")
    assert (answer.status_code, alert(answer.text)) == (404, "There is no such table.")


@pytest.mark.parametrize(
    "act", ["sit", "leave", "bot", "start", "move", "remove", "host", "propose-end", "agree-end", "again"]
)
def test_nothing_can_be_done_at_an_unknown_table(ann: Browser, act: str) -> None:
    fields = {
        "seat": 0,
        "name": "Ann",
        "bot": "uniform",
        "ply": 0,
        "move": "play:D1",
        "to": "1 Ben",
        "after": 0,
        "number": 1,
        "token": "t",
    }
    answer = ann.post(f"/t/nosuchtable/{act}", **fields)
    assert (answer.status_code, alert(answer.text)) == (404, "There is no such table.")


def test_the_invitation_is_a_picture(ann: Browser) -> None:
    answer = ann.get(f"{ann.make()}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<?xml")
    assert "<svg" in answer.text


def test_a_spectator_sees_no_hand_of_duet(ann: Browser, ben: Browser, served: Served) -> None:
    path = playing(ann, ben)
    assert "play:" in ben.get(path).text
    assert "play:" not in served.browser().get(path).text
