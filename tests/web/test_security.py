"""What keeps one person's seat, and everybody's page, from others."""

from __future__ import annotations

import re
import socket
import stat
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from overtrick.web.security import HEADERS, Door, server_key
from overtrick.web.settings import Settings
from web.serving import ACTS, PATIENCE, Browser, Client, Served, alert, make_fields, serving, settings_for


def raw(served: Served, *lines: str) -> str:
    """Send a request as it stands and return all of the answer."""
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as line:
        line.sendall("\r\n".join([*lines, "connection: close", "", ""]).encode())
        with line.makefile("rb") as answer:
            return answer.read().decode()


def set_cookies(answer: httpx.Response) -> dict[str, SimpleCookie]:
    found = {}
    for line in answer.headers.get_list("set-cookie"):
        cookie = SimpleCookie(line)
        found[next(iter(cookie))] = cookie
    return found


@pytest.mark.parametrize(
    "path", ["/", "/t/unknown", "/nowhere", "/health", "/static/base.css", "/static/none.css",
             "/api/tables", "/api/tables/unknown", "/api/openapi.json", "/api/nowhere"]
)  # fmt: skip
def test_every_answer_carries_the_safety_headers(ann: Browser, path: str) -> None:
    answer = ann.get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_the_policy_allows_nothing_unsafe() -> None:
    policy = HEADERS["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy


def test_pages_are_not_stored_but_static_files_may_be(ann: Browser) -> None:
    assert ann.get("/").headers["cache-control"] == "no-store"
    assert ann.get("/api/tables").headers["cache-control"] == "no-store"
    assert ann.get("/static/base.css").headers["cache-control"] == "no-cache"


def test_the_secret_is_a_cookie_that_scripts_cannot_read(served: Served) -> None:
    cookies = set_cookies(served.browser().get("/"))
    secret = cookies["overtrick"]["overtrick"]
    assert re.fullmatch(r"[\w-]{43}", secret.value)
    for name, cookie in cookies.items():
        assert cookie[name]["httponly"], name
        assert cookie[name]["samesite"].lower() == "lax", name
        assert not cookie[name]["secure"], name
        assert cookie[name]["path"] == "/", name


def test_cookies_are_for_https_only_when_the_address_is(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, base_url="https://games.example.org")
    with serving(settings) as running:
        answer = running.browser(host="games.example.org").get("/")
        cookies = set_cookies(answer)
        assert [name for name in cookies if not name.startswith("__Host-overtrick")] == []
        for name, cookie in cookies.items():
            assert cookie[name]["secure"], name
            assert (cookie[name]["path"], cookie[name]["domain"]) == ("/", ""), name


BY_PROXY = {"x-forwarded-proto": "https"}


def test_cookies_are_for_https_only_where_a_trusted_proxy_says_so(served: Served) -> None:
    cookies = set_cookies(served.browser().get("/", headers=BY_PROXY))
    assert len(cookies) > 1
    for name, cookie in cookies.items():
        assert name.startswith("__Host-overtrick")
        assert cookie[name]["secure"], name
        assert (cookie[name]["path"], cookie[name]["domain"]) == ("/", ""), name


def test_cookies_are_plain_where_somebody_else_says_so(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, trusted_proxies="192.0.2.1"), ready=False) as running:
        for name, cookie in set_cookies(running.browser().get("/", headers=BY_PROXY)).items():
            assert name.startswith("overtrick")
            assert not cookie[name]["secure"], name


def test_a_form_behind_a_proxy_works_by_the_token_of_https_alone(served: Served) -> None:
    with httpx.Client(base_url=served.url, headers=BY_PROXY, timeout=PATIENCE) as http:
        cookies = {name: cookie[name].value for name, cookie in set_cookies(http.get("/")).items()}
        (form_token,) = (name for name in cookies if name.startswith("__Host-overtrick-csrf-"))

        def made(names: dict[str, str]) -> httpx.Response:
            sent = "; ".join(f"{name}={value}" for name, value in names.items())
            fields = {name.replace("_dash_", "-"): str(value) for name, value in make_fields().items()}
            form = {"_csrf_token": cookies[form_token], **fields}
            return http.post("/tables", data=form, headers={"cookie": sent})

        assert (
            made({name.removeprefix("__Host-"): value for name, value in cookies.items()}).status_code == 403
        )
        answer = made(cookies)
        assert answer.status_code == 303
    # What is pushed over the same proxy holds the same token.
    seen = "; ".join(f"{name}={value}" for name, value in cookies.items())
    with served.browser().live(answer.headers["location"], Cookie=seen, **BY_PROXY) as line:
        text = line.recv(PATIENCE)
    assert isinstance(text, str)
    assert f'name="_csrf_token" value="{cookies[form_token]}"' in text


def test_a_person_of_before_the_names_changed_stays_who_they_are(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, base_url="https://games.example.org")
    with serving(settings) as running:
        old, new = "o" * 43, "n" * 43

        def shown(path: str, **cookies: str) -> httpx.Response:
            sent = "; ".join(
                f"{name.replace('_HOST_', '__Host-')}={value}" for name, value in cookies.items()
            )
            headers = {"host": "games.example.org", "cookie": sent}
            return httpx.get(f"{running.url}{path}", headers=headers)

        # On any page they get the new name with the same secret, and the old one goes.
        for path in ("/", "/me", "/games"):
            cookies = set_cookies(shown(path, overtrick=old))
            assert cookies["__Host-overtrick"]["__Host-overtrick"].value == old
            assert cookies["overtrick"]["overtrick"]["max-age"] == "0"
        # Who has the new name is not to be made somebody else by a cookie that another host has set.
        cookies = set_cookies(shown("/", overtrick=old, _HOST_overtrick=new))
        assert cookies["__Host-overtrick"]["__Host-overtrick"].value == new
        assert "__Host-overtrick" not in set_cookies(shown("/me", overtrick=old, _HOST_overtrick=new))


def test_a_malformed_secret_is_replaced(served: Served) -> None:
    for secret in ("x", "a" * 44, "é" * 43):
        answer = httpx.get(served.url, headers=[("cookie", f"overtrick={secret}".encode())])
        assert answer.status_code == 200
        assert re.fullmatch(r"[\w-]{43}", answer.cookies["overtrick"])


def test_the_secret_stays_the_same_while_one_comes_back(ann: Browser) -> None:
    ann.get("/")
    first = ann.http.cookies["overtrick"]
    ann.make()
    ann.get("/")
    assert ann.http.cookies["overtrick"] == first


def test_a_browser_that_lost_its_secret_gets_one_with_the_seat(ann: Browser, ben: Browser) -> None:
    path = ann.make()
    ben.get("/")
    del ben.http.cookies["overtrick"]
    taken = ben.post(f"{path}/sit", seat=1, name="Ben")
    assert taken.status_code == 303
    assert "overtrick" in set_cookies(taken)
    assert ben.post(f"{path}/leave").status_code == 303


@pytest.mark.parametrize("token", [None, "", "x", "a" * 128, "é" * 128, "0" * 10_000])
def test_a_form_without_its_token_does_nothing(ann: Browser, token: str | None) -> None:
    path = ann.make()
    before = ann.get(path).text
    answer = ann.post(f"{path}/leave", _csrf_token=token)
    assert answer.status_code == 403
    assert "Load it again" in alert(answer.text)
    assert ann.get(path).text == before


def test_a_form_with_anothers_token_does_nothing(ann: Browser, ben: Browser) -> None:
    answer = ann.post("/tables", **make_fields(), _csrf_token=ben.token())
    assert answer.status_code == 403


def test_a_form_without_cookies_does_nothing(served: Served, ann: Browser) -> None:
    form = {"_csrf_token": ann.token(), "token": "t", "game": "duet", "level": "1"}
    assert httpx.post(f"{served.url}/tables", data=form).status_code == 403


def test_a_token_sent_as_a_file_or_twice_does_no_harm(ann: Browser) -> None:
    ann.get("/")
    as_file = ann.http.post("/tables", files={"_csrf_token": ("x", b"y"), "game": ("y", b"z")})
    assert (as_file.status_code, alert(as_file.text)) == (415, "Forms here take no files.")
    twice = ann.http.post("/tables", data={"_csrf_token": [ann.token(), "x"], "game": "duet"})
    assert twice.status_code in {403, 422}


@pytest.mark.parametrize("path", ["/tables", "/language", "/t/x/move"])
def test_an_act_from_another_sites_page_is_turned_away(ann: Browser, path: str) -> None:
    form = {"_csrf_token": ann.token(), **{k: str(v) for k, v in make_fields().items()}}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        answer = ann.http.post(path, data=form, headers={"origin": origin})
        assert answer.status_code == 403
        assert "another site" in alert(answer.text)


def test_an_act_from_the_own_page_passes(ann: Browser, served: Served) -> None:
    form = {"_csrf_token": ann.token(), "language": "en", "next": "/"}
    assert ann.http.post("/language", data=form, headers={"origin": served.url}).status_code == 303


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "[::1", "a" * 300]
)
def test_a_name_that_is_not_ours_is_turned_away(served: Served, host: str) -> None:
    page = httpx.get(served.url, headers={"host": host})
    assert page.status_code in {400, 403}
    api = httpx.get(f"{served.url}/api/tables", headers={"host": host})
    assert api.status_code in {400, 403}


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8000", True), ("127.0.0.1", True), ("192.168.1.7:80", True), ("[::1]:8000", True),
        ("games.example.org", True), ("GAMES.example.org:443", True), ("cards.lan", True),
        ("[fe80::1]", True), ("localhost:65535", True),
        ("example.org", False), ("127.0.0.1.evil.example", False), ("localhost:0", False),
        ("localhost:65536", False), ("localhost:", False), ("localhost:١", False), ("localhost/x", False),
        ("evil.example@localhost", False), ("localhost, localhost", False), ("[localhost]", False),
        ("[::1]x", False), ("localhost ", False), ("localhost\n", False), ("fe80::1", False),
    ],
)  # fmt: skip
def test_addresses_in_numbers_and_given_names_are_ours(host: str, known: bool) -> None:
    door = Door(Settings(base_url="https://games.example.org", allowed_hosts="cards.lan, deck.lan"))
    assert door.knows(host) is known


@pytest.mark.parametrize(
    "hosts",
    [
        ["127.0.0.1:x"], ["127.0.0.1:99999999"], ["127.0.0.1:-1"], ["evil.example@127.0.0.1"],
        ["a:b@127.0.0.1:80"], ["127.0.0.1/evil"], ["127.0.0.1?evil"], ["127.0.0.1#evil"], [],
        ["127.0.0.1", "127.0.0.1"], ["127.0.0.1", "evil.example"], ["evil.example", "127.0.0.1"],
    ],
)  # fmt: skip
def test_what_is_not_one_plain_host_is_turned_away(ann: Browser, served: Served, hosts: list[str]) -> None:
    path = ann.make()
    for address in (path, f"{path}/qr.svg", f"/api/tables/{path[3:]}"):
        answer = raw(served, f"GET {address} HTTP/1.1", *(f"host: {host}" for host in hosts))
        assert answer.startswith(("HTTP/1.1 400 ", "HTTP/1.1 403 "))
        assert "evil" not in answer


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("https://games.example.org", True), ("http://127.0.0.1:8000", True), ("https://127.0.0.1:8000", True),
        ("http://127.0.0.1:9000", False), ("https://example.org", False), ("null", False), ("", False),
    ],
)  # fmt: skip
def test_an_origin_is_ours_by_host_or_by_base_url(origin: str, ours: bool) -> None:
    door = Door(Settings(base_url="https://games.example.org/"))
    assert door.comes_from_here(origin, "127.0.0.1:8000", needed=True) is ours


@pytest.mark.parametrize("origin", ["", " "])
def test_an_empty_origin_is_not_ours(origin: str) -> None:
    for base in ("", "https://games.example.org"):
        door = Door(Settings(base_url=base))
        for needed in (True, False):
            assert not door.comes_from_here(origin, "127.0.0.1:8000", needed=needed)


@pytest.mark.parametrize("origins", [[""], ["{own}", "{own}"], ["{own}", "http://evil.example"]])
def test_an_act_with_an_empty_or_a_second_origin_is_turned_away(
    ann: Browser, served: Served, origins: list[str]
) -> None:
    headers = [("origin", origin.format(own=served.url)) for origin in origins]
    form = {"_csrf_token": ann.token(), "language": "en", "next": "/"}
    answer = ann.http.post("/language", data=form, headers=headers)
    assert answer.status_code == 403
    assert "another site" in alert(answer.text)


def test_cookies_count_for_nothing_in_the_api(ann: Browser) -> None:
    ann.get("/")
    answer = ann.http.post("/api/tables", json={"game": "duet", "seats": ["me", "friend"], "name": "Ann"})
    assert answer.status_code == 401


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "BREW"])
@pytest.mark.parametrize(
    "path", ["/", "/tables", "/t/x", "/t/x/move", "/api/tables", "/health", "/static/base.css"]
)
def test_other_methods_are_refused(ann: Browser, method: str, path: str) -> None:
    answer = ann.http.request(method, path)
    assert answer.status_code == {"OPTIONS": 204, "BREW": 400}.get(method, 405)
    if method != "BREW":
        assert method not in answer.headers["allow"].replace("OPTIONS", "") or method == "OPTIONS"


def test_head_is_allowed_where_get_is(ann: Browser) -> None:
    for path in ("/", "/t/x", "/api/tables", "/api/tables/x/events", "/health", "/static/base.css"):
        for method in ("OPTIONS", "PUT"):
            allowed = ann.http.request(method, path).headers["allow"].split(", ")
            assert {"GET", "HEAD"} <= set(allowed), path
    for path in ("/tables", "/t/x/move", "/api/guests"):
        assert "HEAD" not in ann.http.options(path).headers["allow"]


def test_get_never_acts(ann: Browser) -> None:
    path = ann.make()
    for act in ACTS:
        answer = ann.get(f"{path}/{act}")
        assert (answer.status_code, alert(answer.text)) == (405, "That cannot be done at this address.")
    assert ann.get("/tables").status_code == 405


def test_head_answers_as_get_without_a_body(ann: Browser) -> None:
    for path in ("/", "/api/tables", "/static/base.css", "/health"):
        answer = ann.http.head(path)
        assert answer.status_code == 200
        assert answer.content == b""
        assert answer.headers["content-type"] == ann.get(path).headers["content-type"]
    assert ann.http.head("/nowhere").status_code == 404


def test_a_body_too_large_is_refused(ann: Browser, guest: Client) -> None:
    form = ann.post("/tables", **make_fields(name="x" * 20_000))
    assert (form.status_code, alert(form.text)) == (413, "That is too much to send at once.")
    api = guest.post("/tables", game="duet", seats=["me"] * 5000, name="Ann")
    assert (api.status_code, api.json()["kind"]) == (413, "too_large")


def test_a_body_too_large_is_refused_when_it_comes_in_pieces(ann: Browser, guest: Client) -> None:
    def pieces() -> list[bytes]:
        return [b"x" * 1000] * 40

    head = {"content-type": "application/x-www-form-urlencoded"}
    assert ann.http.post("/tables", content=iter(pieces()), headers=head).status_code == 413
    assert guest.http.post("/tables", content=iter(pieces())).status_code == 413


def test_the_servers_key_is_kept_and_private(tmp_path: Path) -> None:
    key = server_key(tmp_path / "data")
    assert server_key(tmp_path / "data") == key
    assert re.fullmatch(r"[0-9a-f]{64}", key)
    file = tmp_path / "data" / "key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == ["key"]


def test_a_spoilt_key_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("short")
    with pytest.raises(OSError, match="does not hold a key"):
        server_key(tmp_path)
