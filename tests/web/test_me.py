"""The account's page: every act by forms without scripts, every refusal with its sentence."""

from __future__ import annotations

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from web.serving import PATIENCE, Browser, Page, Served, alert, give_up
from web.test_tables import moves, playing

PASSWORD = "correct horse"


def claim(browser: Browser, name: str) -> None:
    assert browser.post("/me/claim", name=name, password=PASSWORD).status_code == 303
    assert name in browser.get("/me").text


def test_a_game_begun_as_a_guest_goes_on_on_another_device(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = playing(ann, ben)
    claim(ben, "Ben of the phone")
    phone = served.browser()
    phone.get("/")
    before = phone.http.cookies["overtrick"]
    answer = phone.post("/me/login", name="ben of THE phone", password=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/games")
    assert phone.http.cookies["overtrick"] != before
    assert phone.http.cookies["overtrick"] != ben.http.cookies["overtrick"]
    assert path in phone.get("/games").text
    for page in ("/", "/games"):
        assert "Ben of the phone</bdi></a>" in phone.get(page).text
    assert moves(phone, path) == moves(ben, path) != []
    # Out again, the phone is a guest who sits nowhere.
    assert phone.post("/me/logout").status_code == 303
    assert path not in phone.get("/games").text
    assert "Ben of the phone</bdi></a>" not in phone.get("/").text
    assert moves(phone, path) == []
    assert moves(ben, path) != []


def test_logging_out_everywhere_ends_open_lines_and_streams(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = playing(ann, ben)
    claim(ben, "Ben everywhere")
    old = ben.http.cookies["overtrick"]
    program = served.client(old)
    phone = served.browser()
    phone.post("/me/login", name="Ben everywhere", password=PASSWORD)
    with (
        ben.live(path) as line,
        ann.live(path) as hers,
        program.events(path.replace("/t/", "/tables/")) as events,
    ):
        assert 'id="hand"' in str(line.recv(PATIENCE))
        hers.recv(PATIENCE)
        assert next(events)[1]["me"] == 1
        assert phone.post("/me/everywhere").status_code == 303
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert list(events) == []
        with pytest.raises(TimeoutError):
            hers.recv(0.2)
    shown = httpx.get(f"{served.url}{path}", headers={"cookie": f"overtrick={old}"}).text
    assert 'id="hand"' not in shown
    assert program.look(path.replace("/t/", "/tables/"))["me"] is None
    assert moves(ben, path) == moves(phone, path) == []


@pytest.mark.parametrize(
    ("act", "fields", "status", "part"),
    [
        ("claim", {"name": "", "password": PASSWORD}, 422, "visible"),
        ("claim", {"name": "New", "password": "short"}, 422, "8 to 200"),
        ("claim", {"name": "New"}, 422, "password"),
        ("claim", {"name": "TAKEN", "password": PASSWORD}, 422, "under that name"),
        ("login", {"name": "Taken", "password": "wrong password"}, 403, "no account with"),
        ("login", {"name": "Nobody at all", "password": PASSWORD}, 403, "no account with"),
        ("everywhere", {}, 403, "not logged in"),
        ("password", {"password": PASSWORD, "new": "another one"}, 403, "not logged in"),
    ],
)
def test_what_is_refused_says_why(
    ann: Browser, ben: Browser, act: str, fields: dict[str, object], status: int, part: str
) -> None:
    ann.post("/me/claim", name="Taken", password=PASSWORD)
    answer = ben.post(f"/me/{act}", **fields)
    assert answer.status_code == status
    assert part in alert(answer.text)
    assert PASSWORD not in answer.text


def test_a_form_without_its_token_does_nothing(ann: Browser) -> None:
    for act in ("claim", "login", "logout", "everywhere", "password", "delete"):
        answer = ann.post(f"/me/{act}", _csrf_token=None, name="Ann", password=PASSWORD, new=PASSWORD, sure=1)
        assert answer.status_code == 403
        assert "Load it again" in alert(answer.text)


def test_a_changed_password_is_said_and_counts(ann: Browser, served: Served) -> None:
    claim(ann, "Ann who changes")
    answer = ann.post("/me/password", password=PASSWORD, new="another one")
    assert (answer.status_code, "every other device" in answer.text) == (200, True)
    phone = served.browser()
    assert phone.post("/me/login", name="Ann who changes", password=PASSWORD).status_code == 403
    assert phone.post("/me/login", name="Ann who changes", password="another one").status_code == 303


def with_account(served: Served, name: str) -> Browser:
    """A browser that has claimed a name, which another one may log in to."""
    owner = served.browser()
    owner.get("/me")
    claim(owner, name)
    return owner


def take_boxes(page: str) -> list[bool]:
    """Whether the boxes by which a guest's seats come along are ticked."""
    return ["checked" in attrs for _, attrs in Page(page).elements if attrs.get("name") == "seats"]


def test_a_guest_who_logs_in_takes_the_games_along_that_go_on(
    ann: Browser, ben: Browser, served: Served
) -> None:
    owner = with_account(served, "Ann who takes")
    assert take_boxes(ann.get("/me").text) == []
    path, old = playing(ann, ben), ann.http.cookies["overtrick"]
    waiting = ann.make("luz", "me", "friend", "friend", "friend", token="waits")
    asked = ann.get("/me").text
    assert (take_boxes(asked), "Take the 2 games along" in asked) == ([True], True)
    assert ann.post("/me/login", name="Ann who takes", password=PASSWORD, seats=1).status_code == 303
    assert ann.http.cookies["overtrick"] != old
    for browser in (ann, owner):
        assert [one in browser.get("/games").text for one in (path, waiting)] == [True, True]
        assert "Play this seat on another device" in browser.get(path).text
    # It is one seat: what one of them does is done for both.
    assert owner.post(f"{path}/step-out").status_code == 303
    assert "A bot plays for you" in ann.get(path).text


def test_a_guest_who_logs_in_alone_leaves_the_games_behind(
    ann: Browser, ben: Browser, served: Served
) -> None:
    owner = with_account(served, "Ann who leaves")
    path, old = playing(ann, ben), ann.http.cookies["overtrick"]
    wrong = ann.post("/me/login", name="Ann who leaves", password="wrong password")
    assert (wrong.status_code, take_boxes(wrong.text)) == (403, [False])
    wrong = ann.post("/me/login", name="Ann who leaves", password="wrong password", seats=1)
    assert (wrong.status_code, take_boxes(wrong.text)) == (403, [True])
    assert ann.http.cookies["overtrick"] == old
    assert ann.post("/me/login", name="Ann who leaves", password=PASSWORD).status_code == 303
    assert [path in browser.get("/games").text for browser in (ann, owner)] == [False, False]
    assert moves(ann, path) == []


def test_nobody_comes_to_two_seats_of_a_table_by_logging_in(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path, other = playing(ann, ben), ann.make("duet", "me", "friend", token="other")
    claim(ben, "Ben of two seats")
    old, devices = ann.http.cookies["overtrick"], len(ben.get("/me/data.json").json()["devices"])
    refused = ann.post("/me/login", name="Ben of two seats", password=PASSWORD, seats=1)
    assert (refused.status_code, "two seats of one" in alert(refused.text)) == (403, True)
    # Nothing is half done: the guest is who they were, and nothing came along.
    assert ann.http.cookies["overtrick"] == old
    assert path in ann.get("/games").text
    assert other not in ben.get("/games").text
    assert len(ben.get("/me/data.json").json()["devices"]) == devices
    assert ann.post("/me/login", name="Ben of two seats", password=PASSWORD).status_code == 303
    assert moves(ann, path) == moves(ben, path) != []


def test_what_an_account_holds_does_not_come_along_to_another(
    ann: Browser, ben: Browser, served: Served
) -> None:
    owner = with_account(served, "Eve of two accounts")
    path = playing(ann, ben)
    claim(ann, "Ann of one account")
    assert ann.post("/me/login", name="Eve of two accounts", password=PASSWORD, seats=1).status_code == 303
    assert [path in browser.get("/games").text for browser in (ann, owner)] == [False, False]


def test_my_data_comes_as_a_file_with_the_records_of_finished_games(ann: Browser, ben: Browser) -> None:
    path = playing(ann, ben)
    give_up(path, ann, ben)
    claim(ann, "Ann with data")
    answer = ann.get("/me/data.json")
    assert "attachment" in answer.headers["content-disposition"]
    data = answer.json()
    assert data["account"]["name"] == "Ann with data"
    assert list(data["records"]) == [path.rsplit("/", 1)[1]]
    assert ann.http.cookies["overtrick"] not in answer.text
    assert "argon2" not in answer.text


def test_passwords_are_fields_that_hide_them_and_managers_know(ann: Browser) -> None:
    fields = [attrs for tag, attrs in Page(ann.get("/me").text).elements if attrs.get("type") == "password"]
    assert {attrs["autocomplete"] for attrs in fields} == {"new-password", "current-password"}
    assert all("value" not in attrs for attrs in fields)


def sat_and_spoke(browser: Browser, ben: Browser, name: str) -> str:
    """A game against Ben under that name, in which its person has written something."""
    path = browser.make(name=name, token=name)
    assert ben.post(f"{path}/sit", seat=1, name="Ben").status_code == 303
    assert browser.post(f"{path}/say", token=name, text=f"words of {name}").status_code == 303
    assert browser.post(f"{path}/start").status_code == 303
    return path


def test_a_guest_deletes_all_in_two_steps_and_is_somebody_new(
    ann: Browser, ben: Browser, served: Served
) -> None:
    over, running = sat_and_spoke(ann, ben, "Ann who goes"), sat_and_spoke(ann, ben, "Ann who went")
    give_up(over, ann, ben)
    # The first step is a link, which changes nothing.
    assert "/me/delete" in Page(ann.get("/me").text).attributes("a", "href")
    page = ann.get("/me/delete")
    assert (page.status_code, "You leave 1 game" in page.text) == (200, True)
    assert "password" not in Page(page.text).attributes("input", "type")
    refused = ann.post("/me/delete")
    assert (refused.status_code, "are sure" in alert(refused.text)) == (422, True)
    assert "words of Ann who goes" in ben.get(over).text
    secret = ann.http.cookies["overtrick"]
    done = ann.post("/me/delete", sure=1)
    assert (done.status_code, done.headers["location"]) == (303, "/me")
    assert ann.http.cookies["overtrick"] != secret
    assert "overtrick-name" not in ann.http.cookies
    assert "is deleted" in ann.get("/me").text
    for path in (over, running, f"{over}/record.json", "/games", "/me/data.json"):
        assert "Ann who" not in ben.get(path).text, path
    assert "Seat 1" in ben.get(over).text
    old = served.browser(cookies={"overtrick": secret})
    for browser in (ann, old):
        assert over not in browser.get("/games").text
        assert 'id="hand"' not in browser.get(running).text
    assert moves(old, running) == []


def test_an_account_is_deleted_by_its_password_alone_and_on_every_device(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = sat_and_spoke(ann, ben, "Ann of accounts")
    claim(ann, "Ann of accounts")
    phone = served.browser()
    phone.post("/me/login", name="Ann of accounts", password=PASSWORD)
    assert "Your account" in phone.get("/me/delete").text
    for fields in ({"sure": 1}, {"sure": 1, "password": "wrong password"}):
        refused = phone.post("/me/delete", **fields)
        assert (refused.status_code, alert(refused.text)) == (403, "That is not your password.")
    with ann.live(path) as line, ben.live(path) as his:
        assert 'id="hand"' in str(line.recv(PATIENCE))
        his.recv(PATIENCE)
        assert phone.post("/me/delete", sure=1, password=PASSWORD).status_code == 303
        with pytest.raises(ConnectionClosed):
            line.recv(PATIENCE)
        assert "Ann of accounts" not in str(his.recv(PATIENCE))
    assert served.browser().post("/me/login", name="Ann of accounts", password=PASSWORD).status_code == 403
    assert path not in ann.get("/games").text
    # Sent again, as by an impatient finger, it does nothing more.
    assert phone.post("/me/delete", sure=1).status_code == 303


def test_who_has_nothing_can_delete_it(ann: Browser) -> None:
    page = ann.get("/me/delete").text
    assert "You leave" not in page
    assert ann.post("/me/delete", sure=1).headers["location"] == "/me"


def test_that_all_is_deleted_is_told_once_and_to_nobody_who_did_not_ask(
    ann: Browser, ben: Browser, served: Served
) -> None:
    ben.get("/me")
    ann.post("/me/delete", sure=1)
    assert [ann.get("/me").text.count("kept of you is deleted") for _ in range(2)] == [1, 0]
    for browser in (ann, ben):
        for path in ("/me", "/me/deleted", "/me/deleting"):
            assert "This browser is a new guest" not in browser.get(path).text, path
    assert "few minutes" in served.browser(cookies={"overtrick-news": "deleting"}).get("/me").text


def test_where_somebody_has_gone_the_others_see_a_seat_with_a_number(
    ann: Browser, ben: Browser, served: Served
) -> None:
    cat = served.browser()
    path = ben.make("luz", "me", "friend", "friend", players=3, name="Ben", token="gone")
    for seat, browser, name in ((1, ann, "Ann who leaves"), (2, cat, "Cat")):
        assert browser.post(f"{path}/sit", seat=seat, name=name).status_code == 303
    assert ben.post(f"{path}/start").status_code == 303
    assert ann.post("/me/delete", sure=1).status_code == 303
    page = ben.get(path).text
    assert "Seat 2" in page
    assert "None" not in page
    # The host's role can be handed to Cat, and to nobody who is not there.
    assert [value for value in Page(page).attributes("option", "value") if value[1:2] == " "] == ["2 Cat"]
    lists = ben.get("/games").text
    assert "Seat 2" in lists
    assert "free seat" not in lists
    assert cat.post("/me/delete", sure=1).status_code == 303
    # Alone with bots there is nobody to write to.
    assert f'action="{path}/say"' not in ben.get(path).text
