"""Whatever is sent, the answer is a sentence with the right status, never a crash."""

from __future__ import annotations

import socket

import httpx
import pytest

from web.serving import Browser, Client, Served, alert

FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\xff\xfe\x00", "application/x-www-form-urlencoded"),
        (b"%ff%fe=%00&a", "application/x-www-form-urlencoded"),
        (b"a=1&" * 4000, "application/x-www-form-urlencoded"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data"),
        (b"{}", "application/json"),
        (b"plain", "text/plain"),
        (b"", "nonsense"),
    ],
)
@pytest.mark.parametrize("path", ["/tables", "/language", "/t/x/move"])
def test_a_broken_form_is_refused(ann: Browser, path: str, content: bytes, kind: str) -> None:
    ann.get("/")
    answer = ann.http.post(path, content=content, headers={"content-type": kind})
    assert answer.status_code in {400, 403, 413, 415, 422}
    assert alert(answer.text)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 422), (b"{", 400), (b"\xff", 400), (b"null", 422), (b"[]", 422), (b'"text"', 422), (b"{}", 422),
        (b'{"game": 7, "seats": []}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "more": 1}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "dealer": "x"}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "dealer": 9}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "options": {"level": 4}}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "options": {"level": [1]}}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "options": {"level": 1e400}}', 400),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "options": {"board": "../../etc"}}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "options": {"colour": "red"}}', 422),
        (b'{"game": "luz", "seats": ["me", "friend"], "name": "Ann", "options": {"players": true}}', 422),
        (b'{"game": "chess", "seats": ["me", "friend"], "name": "Ann"}', 422),
        (b'{"game": "duet", "seats": ["me"], "name": "Ann"}', 422),
        (b'{"game": "duet", "seats": ["me", "bot:nobody"], "name": "Ann"}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "\\u202e"}', 422),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "\\ud800"}', 400),
        (b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "token": "\\ud800"}', 400),
        *[(b'{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "%s": "\\ud800"}' % field, 400)
          for field in (b"dealer", b"public", b"watching", b"talk", b"explain", b"\\udfff")],
        (b"[" * 8000, 413), (b"[" * 60, 400),
    ],
)  # fmt: skip
def test_a_body_that_makes_no_table_is_a_problem(guest: Client, content: bytes, status: int) -> None:
    answer = guest.http.post("/tables", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["detail"]
    assert problem["title"]


@pytest.mark.parametrize(
    "table_id",
    [
        "x",
        "%00",
        "%2e%2e%2fetc",
        "a" * 2000,
        "%F0%9F%82%A1",
        "%ff%fe",
        "';DROP TABLE tables;--",
        "t%0d%0aset-cookie:x=1",
    ],
)
def test_no_path_is_too_strange_for_an_answer(ann: Browser, guest: Client, table_id: str) -> None:
    for answer in (
        ann.get(f"/t/{table_id}"),
        ann.get(f"/t/{table_id}/qr.svg"),
        guest.get(f"/tables/{table_id}"),
    ):
        assert answer.status_code == 404
        assert "x" not in answer.cookies
    assert guest.post(f"/tables/{table_id}/leave").status_code == 404


def test_static_files_do_not_lead_out_of_their_folder(ann: Browser) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/",
    ):
        answer = ann.get(path)
        assert answer.status_code == 404, path
        assert "create_app" not in answer.text


@pytest.mark.parametrize(
    "goal", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:1", "", "/\t/x", "/é"]
)
def test_the_choice_of_a_language_leads_nowhere_else(ann: Browser, goal: str) -> None:
    answer = ann.post("/language", language="en", next=goal)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize(
    "header",
    [
        ("cookie", b"\xff\xfe=\x80; overtrick"), ("cookie", b"overtrick-language=" + b"x" * 4000),
        ("accept-language", b"x" * 9000), ("accept-language", b"\xff;q=a,,,"), ("hx-request", b"\x80"),
        ("authorization", b"\xff"), ("content-type", b"\xff/\xfe"),
        ("last-event-id", b"\xff"),
    ],
)  # fmt: skip
def test_strange_headers_do_no_harm(served: Served, header: tuple[str, bytes]) -> None:
    for path in ("/", "/api/tables"):
        answer = httpx.get(f"{served.url}{path}", headers=[header])
        assert answer.status_code in {200, 400}


def test_what_is_not_http_gets_no_further(served: Served) -> None:
    for junk in (
        b"\x16\x03\x01\x02\x00",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n" * 50,
        b"GET\x00/ HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", served.port)) as line:
            line.sendall(junk)
            line.shutdown(socket.SHUT_WR)
            line.settimeout(10)
            answer = line.recv(65536)
            assert answer == b"" or b" 400 " in answer.split(b"\r\n")[0] or b" 505 " in answer
    assert httpx.get(f"{served.url}/health").status_code == 200
