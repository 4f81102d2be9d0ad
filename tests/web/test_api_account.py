"""Accounts and one's data by JSON: the same as on the page, with problem details where it says no."""

from __future__ import annotations

import httpx
import msgspec
import pytest

from overtrick.web import shapes_me
from web.serving import PATIENCE, Client, Served, give_up

PASSWORD = "correct horse"


def game(guest: Client, other: Client, name: str) -> str:
    """A game between them, begun, in which the first has written something."""
    path = guest.make(name=name, token=name)
    other.post(f"{path}/sit", seat=1, name="Ben")
    guest.post(f"{path}/say", text=f"words of {name}", token=name)
    guest.post(f"{path}/start")
    return path


def test_an_account_from_its_claim_to_its_end(guest: Client, other: Client, served: Served) -> None:
    path = game(guest, other, "Ada of JSON")
    assert guest.get("/me").json() == {"account": None}
    claimed = guest.post("/me/claim", name=" Ada of JSON ", password=PASSWORD)
    assert (claimed.status_code, claimed.json()["account"]["name"]) == (200, "Ada of JSON")
    # Whoever has no secret yet can log in; the answer is the one to use.
    answer = httpx.post(
        f"{served.url}/api/me/login", json={"name": "ada OF json", "password": PASSWORD}, timeout=PATIENCE
    )
    phone = served.client(answer.json()["secret"])
    assert phone.get("/me").json() == claimed.json()
    assert phone.look(path)["me"] == 0
    changed = phone.post("/me/password", password=PASSWORD, new="another one")
    assert changed.json() == claimed.json()
    assert guest.get("/me").json() == {"account": None}
    again = guest.post("/me/login", name="Ada of JSON", password="another one")
    laptop = served.client(again.json()["secret"])
    out = phone.post("/me/logout").json()["secret"]
    assert phone.look(path)["me"] is served.client(out).look(path)["me"] is None
    everywhere = laptop.post("/me/everywhere").json()["secret"]
    assert laptop.get("/me").json() == {"account": None}
    back = served.client(everywhere).post("/me/login", name="Ada of JSON", password="another one")
    tablet = served.client(back.json()["secret"])
    data = tablet.get("/me/data").json()
    assert msgspec.convert(data, shapes_me.MyData).account is not None
    assert list(data["looks"]) == [path.rpartition("/")[2]]
    deleted = tablet.post("/me/delete", sure=True, password="another one").json()
    assert deleted["finished"]
    assert not any(served.client(deleted["secret"]).get("/me/data").json().values())
    assert tablet.get("/me").json() == {"account": None}
    seen = other.look(path)
    assert (seen["seats"][0]["name"], seen["seats"][0]["stand_in"], seen["chat"]) == (None, "medium", [])


def test_a_guest_takes_all_away_and_deletes_it(guest: Client, other: Client) -> None:
    path = game(guest, other, "Ada the guest")
    give_up(path, guest, other)
    data = guest.get("/me/data").json()
    msgspec.convert(data, shapes_me.MyData)
    table_id = path.rpartition("/")[2]
    assert (list(data["records"]), data["chat"][table_id][0]["text"]) == (
        [table_id],
        "words of Ada the guest",
    )
    assert guest.post("/me/delete", sure=True).json()["finished"]
    assert "Ada" not in other.get(f"{path}/record").text
    assert "Ada" not in other.get("/me/data").text


@pytest.mark.parametrize(
    ("act", "body", "status", "kind"),
    [
        ("claim", {"name": "", "password": PASSWORD}, 422, "name"),
        ("claim", {"name": "New by JSON", "password": "short"}, 422, "invalid"),
        ("claim", {"name": "New by JSON"}, 422, "invalid"),
        ("claim", {"name": "TAKEN by json", "password": PASSWORD}, 422, "name"),
        ("login", {"name": "Taken by JSON", "password": "wrong password"}, 403, "forbidden"),
        ("login", {"name": "Nobody at all", "password": PASSWORD}, 403, "forbidden"),
        ("everywhere", {}, 403, "forbidden"),
        ("password", {"password": PASSWORD, "new": "another one"}, 403, "forbidden"),
        ("delete", {"sure": False}, 422, "invalid"),
        ("delete", {"sure": 1}, 422, "invalid"),
        ("delete", {}, 422, "invalid"),
    ],
)
def test_what_is_refused_is_a_problem(
    guest: Client, other: Client, act: str, body: dict[str, object], status: int, kind: str
) -> None:
    guest.post("/me/claim", name="Taken by JSON", password=PASSWORD)
    answer = other.post(f"/me/{act}", **body)
    assert (answer.status_code, answer.json()["kind"]) == (status, kind), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert PASSWORD not in answer.text
    assert other.get("/me").json() == {"account": None}


@pytest.mark.parametrize(
    "path", ["/me", "/me/data", "/me/claim", "/me/logout", "/me/everywhere", "/me/password", "/me/delete"]
)
def test_without_a_secret_there_is_nobody(served: Served, path: str) -> None:
    body = {"name": "Ada", "password": PASSWORD}
    bodies = {"/me/claim": body, "/me/password": {"password": "x", "new": "y"}, "/me/delete": {"sure": True}}
    with httpx.Client(base_url=f"{served.url}/api", timeout=PATIENCE) as nobody:
        get = path in {"/me", "/me/data"}
        answer = nobody.get(path) if get else nobody.post(path, json=bodies.get(path))
        assert (answer.status_code, answer.json()["kind"]) == (401, "unauthorized")


def test_a_guests_seats_come_along_to_an_account_if_that_is_asked_for(
    guest: Client, other: Client, served: Served
) -> None:
    owner = served.client()
    owner.post("/me/claim", name="Ada who takes", password=PASSWORD)
    path = game(guest, other, "Ada before")
    asked = {"name": "Ada who takes", "password": PASSWORD}
    for wish, me in ((False, None), (True, 0)):
        logged_in = served.client(guest.post("/me/login", **asked, with_seats=wish).json()["secret"])
        assert logged_in.look(path)["me"] == owner.look(path)["me"] == me
    assert guest.look(path)["me"] == 0, "the guest's secret is theirs"
    odd = guest.post("/me/login", **asked, with_seats="yes")
    assert odd.status_code == 422
