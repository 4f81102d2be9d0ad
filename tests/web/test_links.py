"""The private link of a seat, by pages and by JSON: shown to the seat alone, opened by a button, renewed."""

from __future__ import annotations

import html
import re

import pytest

from web.serving import PATIENCE, Browser, Client, Page, Served, alert, give_up
from web.test_tables import moves, playing

SHUT_OUT = re.compile(r'<p class="caution"[^>]*>This device does not hold the seat any more[^<]*</p>\n')
SECRET = re.compile(r"/seat/([a-z2-7]{28})")


def link_of(browser: Browser, path: str) -> str:
    """The path of the private link that the page shows."""
    answer = browser.get(f"{path}/link")
    assert answer.status_code == 200
    (address,) = [value for value in Page(answer.text).attributes("input", "value") if "/seat/" in value]
    assert address.startswith(browser.served.url)
    return address.removeprefix(browser.served.url)


def open_link(browser: Browser, link: str) -> int:
    """Press the button of the page that a link opens; the status of what comes then."""
    page = browser.get(link)
    if page.status_code != 200:
        return page.status_code
    fields = dict(
        zip(
            Page(page.text).attributes("input", "name"),
            Page(page.text).attributes("input", "value"),
            strict=True,
        )
    )
    return browser.post(link.rsplit("/", 1)[0], secret=fields["secret"]).status_code


def test_a_link_opened_on_another_device_plays_the_same_seat(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = playing(ann, ben)
    phone = served.browser()
    link = link_of(ben, path)
    assert moves(phone, path) == []
    assert open_link(phone, link) == 303
    assert moves(phone, path) == moves(ben, path) != []
    move = moves(phone, path)[0]
    with ben.live(path) as line:
        line.recv(PATIENCE)
        assert phone.post(f"{path}/move", ply=0, move=move).status_code == 303
        assert str(line.recv(PATIENCE)) in ben.get(path).text
    assert path in phone.get("/games").text
    assert "holds the seat of Ben" in html.unescape(phone.get(link).text)


def test_only_looking_at_a_link_changes_nothing(ann: Browser, ben: Browser, served: Served) -> None:
    path = playing(ann, ben)
    link, preview = link_of(ann, path), served.browser()
    for _ in range(2):
        assert preview.get(link).status_code == 200
        assert preview.http.head(link).status_code == 200
    assert moves(preview, path) == []
    assert (
        preview.http.post(link.rsplit("/", 1)[0], data={"secret": link.rsplit("/", 1)[1]}).status_code == 403
    )


def test_a_renewed_link_shuts_the_other_device_out_and_its_open_line_too(
    ann: Browser, ben: Browser, served: Served
) -> None:
    path = playing(ann, ben)
    phone, stranger = served.browser(), served.browser()
    stranger.get(path)
    old = link_of(ben, path)
    assert open_link(phone, old) == 303
    with phone.live(path) as line:
        assert 'id="hand"' in str(line.recv(PATIENCE))
        made = ben.post(f"{path}/link")
        assert made.status_code == 303
        assert "This is the new link" in ben.get(made.headers["location"]).text
        assert "This is the new link" not in ben.get(f"{path}/link").text
        pushed = str(line.recv(PATIENCE))
    assert 'id="hand"' not in pushed
    # But for the sentence that says so, it is what a stranger sees.
    assert len(SHUT_OUT.findall(pushed)) == 1
    with stranger.live(path) as public:
        assert unsigned(SHUT_OUT.sub("", pushed)) == unsigned(str(public.recv(PATIENCE)))
    assert moves(phone, path) == []
    assert moves(ben, path) != []
    assert open_link(phone, old) == 404
    assert link_of(ben, path) != old
    assert phone.get(f"{path}/link").status_code == 403
    assert phone.post(f"{path}/link").status_code == 403


def unsigned(fragment: str) -> str:
    """A fragment without the form token, which is each browser's own."""
    return re.sub(r'name="_csrf_token" value="[^"]*"', "", fragment)


def test_the_link_is_shown_to_its_seat_alone(ann: Browser, ben: Browser, served: Served) -> None:
    path = playing(ann, ben)
    (secret,) = SECRET.findall(link_of(ann, path))
    stranger = served.browser()
    for browser in (ben, stranger):
        for way in ("", "/link", "/link.svg", "/qr.svg"):
            assert secret not in browser.get(f"{path}{way}").text
    assert stranger.get(f"{path}/link").status_code == 403
    assert stranger.get(f"{path}/link.svg").status_code == 403
    assert SECRET.findall(link_of(ben, path)) != [secret]
    # Of its own pages, only the one that is asked for it shows it.
    assert secret not in ann.get(path).text
    assert f"{path}/link" in Page(ann.get(path).text).attributes("a", "href")
    assert f"{path}/link" not in Page(stranger.get(path).text).attributes("a", "href")
    give_up(path, ann, ben)
    assert secret not in ann.get(f"{path}/record.json").text


@pytest.mark.parametrize("secret", ["x", "a" * 28, "A" * 28, "a" * 2000, "%00", "é", "..%2f"])
def test_a_wrong_link_is_refused_plainly(ann: Browser, ben: Browser, secret: str) -> None:
    path = playing(ann, ben)
    page = ben.get(f"{path}/seat/{secret}")
    assert page.status_code in {404, 400}
    if "/" not in secret and "%" not in secret:
        assert "leads to no seat" in alert(page.text)
    assert ben.post(f"{path}/seat", secret=secret).status_code in {404, 422}
    assert ben.post(f"{path}/seat").status_code == 422


def test_the_page_of_a_link_tells_its_address_to_nobody(ann: Browser, ben: Browser) -> None:
    answer = ben.get(link_of(ann, playing(ann, ben)))
    assert answer.headers["referrer-policy"] == "strict-origin"
    assert Page(answer.text).attributes("meta", "content").count("strict-origin") == 1
    assert answer.headers["cache-control"] == "no-store"
    for name in ("href", "src", "action"):
        for tag in ("a", "link", "script", "img", "form"):
            assert not any(SECRET.search(value) for value in Page(answer.text).attributes(tag, name))


def test_links_by_json(guest: Client, other: Client, served: Served) -> None:
    path = guest.make("duet")
    other.post(f"{path}/sit", seat=1, name="Ben")
    guest.post(f"{path}/start")
    link = other.get(f"{path}/link").json()
    assert link["url"] == f"{served.url}/t/{path.rsplit('/', 1)[1]}/seat/{link['secret']}"
    phone = served.client()
    assert phone.get(f"{path}/link").status_code == 403
    assert phone.post(f"{path}/join", secret="a" * 28).status_code == 404
    joined = phone.post(f"{path}/join", secret=link["secret"])
    assert (joined.status_code, joined.json()["me"]) == (200, 1)
    with phone.events(path) as events:
        assert next(events)[1]["me"] == 1
        renewed = other.post(f"{path}/link").json()
        after = next(events)[1]
    assert (after["me"], after["view"]["seat"], after["view"]["legal"]) == (None, None, [])
    assert after["view"]["hands"] == [None, None]
    assert renewed["secret"] != link["secret"]
    assert phone.post(f"{path}/join", secret=link["secret"]).status_code == 404
    assert guest.http.get(f"{path}/link", headers={"authorization": ""}).status_code == 401
