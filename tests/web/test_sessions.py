"""Without the secret of a seat there is the public view and nothing else, however one asks for it."""

from __future__ import annotations

import hashlib
import json
import re

import httpx
import pytest

from web.serving import PATIENCE, Browser, Client, Served, alert, read_events
from web.test_links import link_of
from web.test_tables import moves, playing

WRONG = {
    "missing": lambda secret: None,
    "empty": lambda secret: "",
    "malformed": lambda secret: "{}",
    "cut short": lambda secret: secret[:-1],
    "too long": lambda secret: secret + "A",
    "of another": lambda secret: "A" * 43,
    "in the other case": lambda secret: secret.swapcase(),
    "the id that tables know": lambda secret: hashlib.sha256(secret.encode()).hexdigest(),
}
"""What a browser or a program may bring, made from the true secret."""


def cookies(browser: Browser, secret: str | None) -> str:
    """The browser's cookies, with another secret in them or none."""
    kept = {name: value for name, value in browser.http.cookies.items() if name != "overtrick"}
    kept |= {} if secret is None else {"overtrick": secret}
    return "; ".join(f"{name}={value}" for name, value in kept.items())


def unsigned(text: str) -> str:
    """HTML without the form token, which is each browser's own."""
    return re.sub(r'name="_csrf_token" value="[^"]*"', "", text)


@pytest.fixture
def path(ann: Browser, ben: Browser) -> str:
    """A game of Duet in which it is Ben's turn."""
    return playing(ann, ben)


@pytest.mark.parametrize("wrong", WRONG)
def test_a_page_and_its_line_show_the_public_view(
    ann: Browser, ben: Browser, served: Served, path: str, wrong: str
) -> None:
    stranger = served.browser(cookies={"overtrick-name": "Ben"})
    public = unsigned(stranger.get(path).text)
    assert 'id="hand"' in ben.get(path).text
    said = WRONG[wrong](ben.http.cookies["overtrick"])
    head = {"cookie": cookies(ben, said)}
    assert unsigned(httpx.get(f"{served.url}{path}", headers=head).text) == public
    assert 'id="hand"' not in public
    with ben.live(path, Cookie=head["cookie"]) as line, stranger.live(path) as theirs:
        for _ in range(2):
            pushed = unsigned(str(line.recv(PATIENCE)))
            assert pushed == unsigned(str(theirs.recv(PATIENCE)))
            assert pushed in unsigned(stranger.get(path).text)
            if moves(ben, path):
                ben.post(f"{path}/move", ply=0, move=moves(ben, path)[0])


@pytest.mark.parametrize("wrong", WRONG)
def test_nothing_can_be_done_in_the_name_of_the_seat(
    ann: Browser, ben: Browser, served: Served, path: str, wrong: str
) -> None:
    move, said = moves(ben, path)[0], WRONG[wrong](ben.http.cookies["overtrick"])
    for act, fields in (("move", {"ply": 0, "move": move}), ("propose-end", {"after": 0}), ("link", {})):
        answer = httpx.post(
            f"{served.url}{path}/{act}",
            data={"_csrf_token": ben.token(), **fields},
            headers={"cookie": cookies(ben, said)},
        )
        assert answer.status_code == 403, act
        assert "You do not sit at this table" in alert(answer.text)
        assert 'id="hand"' not in answer.text
    for page in ("link", "link.svg"):
        found = httpx.get(f"{served.url}{path}/{page}", headers={"cookie": cookies(ben, said)})
        assert found.status_code == 403
    assert path not in httpx.get(f"{served.url}/games", headers={"cookie": cookies(ben, said)}).text
    assert moves(ben, path)[0] == move


@pytest.mark.parametrize("wrong", WRONG)
def test_a_program_gets_the_public_view_or_is_told_that_its_secret_is_none(
    guest: Client, other: Client, served: Served, wrong: str
) -> None:
    path = guest.make("duet")
    other.post(f"{path}/sit", seat=1, name="Ben")
    guest.post(f"{path}/start")
    public = httpx.get(f"{served.url}/api{path}").json()
    assert (public["view"]["hands"], public["me"]) == ([None, None], None)
    assert other.look(path)["view"]["hands"][1]
    said = WRONG[wrong](other.secret)
    head = {} if said is None else {"authorization": f"Bearer {said}".strip()}
    with httpx.Client(base_url=f"{served.url}/api", headers=head, timeout=PATIENCE) as program:
        refused = said is not None and len(said) != 43
        looked = program.get(path)
        assert looked.status_code == (401 if refused else 200)
        assert refused or looked.json() == public
        with program.stream("GET", f"{path}/events") as events:
            assert events.status_code == looked.status_code
            if refused:
                assert b"hands" not in events.read()
            else:
                stream = read_events(events.iter_lines())
                assert next(stream)[1] == public
                legal = other.look(path)["view"]["legal"]
                assert other.post(f"{path}/move", ply=0, move=legal[0]).status_code == 200
                seen = next(stream)[1]
                assert (seen["view"]["hands"], seen["view"]["legal"]) == ([None, None], [])
        answer = program.post(f"{path}/propose-end", json={"after": 0})
        assert answer.status_code in {401, 403}
        assert program.get(f"{path}/link").status_code in {401, 403}
        mine = program.get("/me/tables")
        assert mine.status_code == 401 or path.rsplit("/", 1)[1] not in json.dumps(mine.json())


def test_a_cookie_sent_twice_is_at_most_one_person(ben: Browser, served: Served, path: str) -> None:
    secret = ben.http.cookies["overtrick"]
    shown = [
        'id="hand"'
        in httpx.get(f"{served.url}{path}", headers={"cookie": f"overtrick={one}; overtrick={two}"}).text
        for one, two in ((secret, "A" * 43), ("A" * 43, secret), ("x", "A" * 43))
    ]
    assert sorted(shown) == [False, False, True]


def test_a_seat_shut_out_while_its_streams_are_open_sees_the_public_view_on_each(
    ann: Browser, ben: Browser, served: Served, path: str
) -> None:
    """The private link renewed from elsewhere: the page's line and the API's events show no hand from then on."""
    phone = served.browser()
    secret = link_of(ben, path).rsplit("/", 1)[1]
    assert phone.post(f"{path}/seat", secret=secret).status_code == 303
    program = served.client(ben.http.cookies["overtrick"])
    api = path.replace("/t/", "/tables/")
    with ben.live(path) as line, program.events(api) as events:
        assert 'id="hand"' in str(line.recv(PATIENCE))
        assert next(events)[1]["me"] == 1
        assert phone.post(f"{path}/link").status_code == 303
        assert 'id="hand"' not in str(line.recv(PATIENCE))
        seen = next(events)[1]
        assert (seen["me"], seen["view"]["hands"]) == (None, [None, None])
        assert phone.post(f"{path}/move", ply=0, move=moves(phone, path)[0]).status_code == 303
        assert 'id="hand"' not in str(line.recv(PATIENCE))
        assert next(events)[1]["view"]["hands"] == [None, None]
    assert moves(ben, path) == []
    assert ben.post(f"{path}/propose-end", after=0).status_code == 403
