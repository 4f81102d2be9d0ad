"""Passwords cannot be tried out, and whoever tries cannot shut anybody out of what they have open."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from web.serving import PATIENCE, Browser, Client, Served, alert, serving, settings_for

PASSWORD = "correct horse"
MOST = 3


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(settings_for(tmp_path_factory.mktemp("data"), limit_passwords=MOST)) as running:
        yield running


def claimed(served: Served, name: str) -> Client:
    owner = served.client()
    assert owner.post("/me/claim", name=name, password=PASSWORD).status_code == 200
    return owner


def wrong(served: Served, name: str, address: str, password: str = "wrong password") -> tuple[int, str, str]:
    answer = served.client().http.post(
        "/me/login", json={"name": name, "password": password}, headers={"x-forwarded-for": address}
    )
    return answer.status_code, answer.json().get("detail", ""), answer.headers.get("retry-after", "")


def test_after_too_many_wrong_ones_the_name_has_to_wait_from_any_address(guarded: Served) -> None:
    claimed(guarded, "Tried out")
    said = [wrong(guarded, "tried OUT", f"203.0.113.{number}") for number in range(MOST + 1)]
    assert [status for status, _, _ in said] == [403] * MOST + [429]
    assert said[-1][1].startswith("That was too often")
    assert 0 < int(said[-1][2]) <= 3600
    # Not even the right one counts then, or it could be told from the wrong ones.
    assert wrong(guarded, "Tried out", "203.0.113.99", PASSWORD)[0] == 429
    # Others are not held up.
    claimed(guarded, "Not tried out")
    assert wrong(guarded, "Not tried out", "203.0.113.99", PASSWORD)[0] == 200


def test_a_name_that_is_not_there_is_refused_alike(guarded: Served) -> None:
    claimed(guarded, "Is there")
    there = [wrong(guarded, "Is there", f"198.51.100.{number}") for number in range(MOST + 2)]
    nobody = [wrong(guarded, "Is not there", f"198.51.100.{100 + number}") for number in range(MOST + 2)]
    assert [one[:2] for one in there[:MOST]] == [one[:2] for one in nobody[:MOST]]
    assert [one[0] for one in there] == [one[0] for one in nobody]


def test_the_owner_who_is_logged_in_changes_the_password_and_goes_on_playing(guarded: Served) -> None:
    owner = claimed(guarded, "Besieged")
    path = owner.make(name="Besieged")
    for number in range(MOST + 2):
        wrong(guarded, "Besieged", f"192.0.2.{number}")
    assert owner.look(path)["me"] == 0
    changed = owner.post("/me/password", password=PASSWORD, new="another one")
    assert changed.status_code == 200
    assert owner.post("/me/delete", sure=True, password="another one").status_code == 200


def test_an_open_session_is_no_way_to_try_passwords_out(guarded: Served) -> None:
    owner = claimed(guarded, "Left open")
    for act, more in (("password", {"new": "another one"}), ("delete", {"sure": True})):
        assert owner.post(f"/me/{act}", password="wrong password", **more).status_code == 403
    # What is refused for another reason is not counted as a wrong password.
    for _ in range(MOST):
        assert owner.post("/me/password", password=PASSWORD, new="short").status_code == 422
        assert owner.post("/me/delete", sure=False, password="wrong password").status_code == 422
    assert owner.post("/me/delete", sure=True, password="wrong password").status_code == 403
    refused = owner.post("/me/password", password=PASSWORD, new="another one")
    assert (refused.status_code, refused.json()["kind"]) == (429, "too_often")


def test_right_passwords_are_not_counted(guarded: Served) -> None:
    claimed(guarded, "Logs in often")
    for _ in range(2 * MOST):
        assert wrong(guarded, "Logs in often", "192.0.2.77", PASSWORD)[0] == 200


def test_many_at_once_are_no_more_tries(guarded: Served) -> None:
    claimed(guarded, "Stormed")
    with ThreadPoolExecutor(12) as people:
        tries = [people.submit(wrong, guarded, "Stormed", f"192.0.2.{100 + number}") for number in range(12)]
        found = [one.result(60)[0] for one in tries]
    assert sorted(found) == [403] * MOST + [429] * (12 - MOST)


def test_an_address_tries_no_more_names_than_its_share(guarded: Served) -> None:
    found = [wrong(guarded, f"Name {number}", "198.18.0.1")[0] for number in range(4 * MOST + 1)]
    assert found == [403] * (4 * MOST) + [429]


def test_the_page_says_when_to_come_back(guarded: Served) -> None:
    claimed(guarded, "On the page")
    ann = Browser(guarded)
    with ann.http:
        for _ in range(MOST):
            assert ann.post("/me/login", name="On the page", password="wrong password").status_code == 403
        refused = ann.post("/me/login", name="On the page", password=PASSWORD)
        assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)
        assert alert(refused.text).startswith("That was too often")
        assert 'value="On the page"' in refused.text


def test_the_devices_of_an_account_have_one_share_together(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_looks=10)) as served:
        phone = claimed(served, "Many devices")
        path = phone.make(name="Ann")
        # Without a secret of one's own nobody is logged out by it.
        answer = httpx.post(
            f"{served.url}/api/me/login",
            json={"name": "Many devices", "password": PASSWORD},
            timeout=PATIENCE,
        )
        laptop, stranger = served.client(answer.json()["secret"]), served.client()
        found = [one.get(path).status_code for _ in range(6) for one in (phone, laptop)]
        assert found == [200] * 10 + [429] * 2
        assert stranger.get(path).status_code == 200
