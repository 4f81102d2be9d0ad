"""The page's way to end a game early, and what a host does there: by forms, as a browser sends them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from web.serving import Browser, Served, alert
from web.test_tables import playing, seq

Fields = dict[str, str]


def forms(browser: Browser, path: str, act: str) -> list[Fields]:
    """The hidden fields of each form of the page that does `act`, beside its token."""
    found: list[Fields] = []
    inside = False
    for tag, attrs in page_of(browser, path).elements:
        if tag == "form":
            inside = attrs.get("action") == f"{path}/{act}"
            if inside:
                found.append({})
        elif inside and tag == "input" and attrs["name"] != "_csrf_token":
            found[-1][str(attrs["name"])] = str(attrs["value"])
    return found


def page_of(browser: Browser, path: str) -> Any:
    from web.serving import Page

    return Page(browser.get(path).text)


def press(browser: Browser, path: str, act: str) -> None:
    """Send the one form of the page that does `act`."""
    [fields] = forms(browser, path, act)
    assert browser.post(f"{path}/{act}", **fields).status_code == 303


def test_a_duet_is_given_up_by_two_people_in_two_steps(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    press(ann, path, "propose-end")
    assert "You propose to give the game up." in ann.get(path).text
    assert "Still asked: Ben." in ann.get(path).text
    assert forms(ann, path, "agree-end") == forms(ann, path, "propose-end") == []
    assert "Ann proposes to give the game up." in ben.get(path).text
    press(ben, path, "agree-end")
    assert ann.get(f"{path}/record.json").json()["moves"] == ["resign"]


def test_playing_on_takes_the_proposal_away_and_the_proposer_cannot_nag(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    press(ann, path, "propose-end")
    press(ben, path, "decline-end")
    for browser in (ann, ben):
        assert "propose to give" not in browser.get(path).text
        assert forms(browser, path, "agree-end") == []
    assert forms(ann, path, "propose-end") == []
    assert forms(ben, path, "propose-end") == [{"after": "1"}]
    refused = ann.post(f"{path}/propose-end", after=1)
    assert (refused.status_code, "want to play on" in alert(refused.text)) == (409, True)


def test_a_double_click_never_ends_a_game(ann: Browser) -> None:
    """Ten copies of the first step at once, alone with bots: the game goes on until the second form is sent."""
    for game, seats in (("duet", ("me", "bot:uniform")), ("luz", ("me", *("bot:uniform",) * 3))):
        path = ann.make(game, *seats, token=game)
        ann.post(f"{path}/start")
        [fields] = forms(ann, path, "propose-end")
        assert forms(ann, path, "agree-end") == []
        with ThreadPoolExecutor(10) as clicks:
            answers = list(
                clicks.map(
                    lambda _, path=path, fields=fields: ann.post(f"{path}/propose-end", **fields), range(10)
                )
            )
        assert {answer.status_code for answer in answers} == {303}
        assert ann.get(f"{path}/record.json").status_code == 409
        [second] = forms(ann, path, "agree-end")
        assert second == {"number": "1"}
        assert forms(ann, path, "propose-end") == []
        press(ann, path, "agree-end")
        assert ann.get(f"{path}/record.json").status_code == 200


def test_a_game_of_luz_that_was_ended_says_so_and_has_nothing_left_to_play(
    ann: Browser, ben: Browser
) -> None:
    path = ann.make("luz", "me", "friend", "bot:uniform", "bot:uniform", dealer=3)
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert ann.post(f"{path}/start").status_code == 303
    press(ann, path, "propose-end")
    press(ben, path, "agree-end")
    for browser in (ann, ben):
        text = browser.get(path).text
        assert "The game was ended by agreement, without a winner" in text
        assert 'name="move"' not in text
        assert f"{path}/record.json" in text
    assert ann.get(f"{path}/record.json").json()["meta"]["ended"] == "by agreement"


def test_who_watches_reads_the_proposal_and_can_answer_nothing(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = playing(ann, ben)
    press(ann, path, "propose-end")
    watcher = served.browser()
    assert "Ann proposes to give the game up." in watcher.get(path).text
    for act in ("propose-end", "agree-end", "decline-end"):
        assert forms(watcher, path, act) == []
        assert watcher.post(f"{path}/{act}", after=1, number=1).status_code == 403


def test_everybody_finds_the_same_fingerprints_on_the_page(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = playing(ann, ben)
    shown = {text_of(browser.get(path).text) for browser in (ann, ben, served.browser())}
    assert len(shown) == 1
    lines = shown.pop().split()
    assert [len(line) for line in lines] == [64, 64, 64]
    press(ann, path, "propose-end")
    press(ben, path, "agree-end")
    seals = ann.get(f"{path}/record.json").json()["meta"]["seals"]
    assert [one["commitment"] for one in seals] == lines == text_of(ann.get(path).text).split()


def text_of(page: str) -> str:
    return page.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]


def test_the_host_removes_and_hands_on_by_forms(ann: Browser, ben: Browser) -> None:
    path = ann.make()
    ben.post(f"{path}/sit", seat=1, name="Ben B")
    assert forms(ben, path, "remove") == forms(ben, path, "host") == []
    press(ann, path, "remove")
    before = seq(ann, path)
    assert ann.post(f"{path}/remove", seat=1, name="Ben B").status_code == 303
    assert seq(ann, path) == before
    ben.post(f"{path}/sit", seat=1, name="Ben B")
    press(ann, path, "host")
    assert forms(ann, path, "remove") == []
    assert forms(ben, path, "remove") == [{"seat": "0", "name": "Ann"}]
    assert ben.post(f"{path}/start").status_code == 303
    answer = ben.post(f"{path}/host", to="0 Ann")
    assert answer.status_code == 303
    assert 'value="1 Ben B"' in ann.get(path).text
    wrong = ann.post(f"{path}/host", to="x Ben")
    assert wrong.status_code == 422
