"""However large a request is made, a running server answers with a refusal, keeps nothing of it, and goes on."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
from collections.abc import Iterator

import pytest

from overtrick.web import bounds
from overtrick.web.bounds import MOST_ADDRESS, MOST_FIELDS, MOST_HEAD, MOST_HEADERS, MOST_NESTED, MOST_PARTS
from overtrick.web.problems import Problem
from web.serving import Browser, Client, Served, alert

PATIENCE = 30.0
HOST = b"Host: 127.0.0.1\r\n"


class Answer:
    """What came back before the server closed the line, or once it had said how long its answer is."""

    def __init__(self, head: bytes, body: bytes) -> None:
        first, *lines = head.split(b"\r\n")
        self.status = int(first.split()[1])
        self.headers = dict(line.lower().split(b": ", 1) for line in lines)
        self.body = body


def send(served: Served, *pieces: bytes) -> Answer:
    """Send a request as it is and read the answer; what the server does not read any more is not sent."""
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as line:
        try:
            for piece in pieces:
                line.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return read(line)


def read(line: socket.socket) -> Answer:
    received = b""
    while b"\r\n\r\n" not in received:
        piece = line.recv(65_536)
        assert piece, received
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    answer = Answer(head, body)
    while len(answer.body) < int(answer.headers.get(b"content-length", b"0")):
        answer.body += line.recv(65_536)
    return answer


def get(served: Served, path: bytes = b"/", more: bytes = b"") -> Answer:
    return send(served, b"GET " + path + b" HTTP/1.1\r\n" + HOST + more + b"\r\n")


def assert_refused(answer: Answer, status: int) -> None:
    assert answer.status == status
    assert answer.headers[b"content-type"] == b"application/problem+json"
    assert answer.headers[b"connection"] == b"close"
    problem = json.loads(answer.body)
    assert (problem["status"], problem["kind"]) == (status, "too_large")
    assert problem["detail"].endswith(".")


@pytest.fixture(autouse=True)
def _goes_on(served: Served) -> Iterator[None]:
    yield
    assert get(served, b"/health").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        b"X: " + b"x" * MOST_HEAD + b"\r\n",
        b"X" * MOST_HEAD + b": x\r\n",
        b"".join(b"X-%d: x\r\n" % number for number in range(MOST_HEADERS)),
        b"".join(b"X-%d: %b\r\n" % (number, b"x" * 400) for number in range(50)),
        b"Cookie: " + b"; ".join(b"c%d=x" % number for number in range(MOST_PARTS + 1)) + b"\r\n",
    ],
)
def test_headers_that_are_too_large_or_too_many_are_refused(served: Served, headers: bytes) -> None:
    assert_refused(get(served, more=headers), 431)
    assert_refused(get(served, b"/api/tables", headers), 431)


def test_headers_within_their_bounds_are_read(served: Served) -> None:
    many = b"".join(b"X-%d: %b\r\n" % (number, b"x" * 100) for number in range(MOST_HEADERS - 2))
    cookies = b"Cookie: " + b"; ".join(b"c%d=x" % number for number in range(MOST_PARTS)) + b"\r\n"
    assert get(served, more=many + cookies).status == 200


@pytest.mark.parametrize("beginning", [b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\n", b"GET /"])
def test_a_head_without_an_end_is_cut_off(served: Served, beginning: bytes) -> None:
    piece = b"X-Y: z\r\n" * 500 if beginning.endswith(b"\n") else b"x" * 4000
    answer = send(served, beginning, *[piece] * 100)
    assert_refused(answer, 414 if beginning == b"GET /" else 431)


@pytest.mark.parametrize(
    "path",
    [
        b"/" + b"x" * MOST_ADDRESS,
        b"/t/" + b"x" * 100_000,
        b"/games?before=" + b"x" * MOST_ADDRESS,
        b"/?" + b"&".join(b"a%d=1" % number for number in range(MOST_PARTS + 1)),
        b"/api/tables?" + b"&" * 200,
    ],
)
def test_an_address_that_is_too_long_is_refused(served: Served, path: bytes) -> None:
    assert_refused(get(served, path), 414)


def test_an_address_within_its_bounds_is_looked_up(served: Served) -> None:
    assert get(served, b"/" + b"x" * (MOST_ADDRESS - 1)).status == 404
    query = b"&".join(b"a%d=1" % number for number in range(MOST_PARTS))
    assert get(served, b"/?" + query).status == 200


def test_the_handshake_of_a_live_line_has_the_same_bounds(served: Served, ann: Browser) -> None:
    path = ann.make().encode()
    upgrade = (
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: " + served.url.encode() + b"\r\n"
    )
    host = b"Host: 127.0.0.1:%d\r\n" % served.port
    line = b"GET " + path + b"/live%b HTTP/1.1\r\n" + host + upgrade + b"%b\r\n"
    assert send(served, line % (b"", b"")).status == 101
    assert_refused(send(served, line % (b"", b"X: " + b"x" * MOST_HEAD + b"\r\n")), 431)
    assert_refused(send(served, line % (b"?" + b"x" * MOST_ADDRESS, b"")), 414)
    assert send(served, line % (b"", b"X: " + b"x" * 9000 + b"\r\n")).status == 431
    posted = b"POST " + path + b"/live HTTP/1.1\r\n" + host + upgrade + b"\r\n"
    assert send(served, posted).status == 405
    with_a_body = send(served, line % (b"", b"Content-Length: 5\r\n"), b"hello")
    assert (with_a_body.status, json.loads(with_a_body.body)["kind"]) == (400, "malformed")


def test_a_body_that_is_too_large_is_refused_however_it_is_sent(served: Served) -> None:
    start = b"POST /api/guests HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    announced = send(served, start + b"Content-Length: 20000\r\n\r\n")
    in_pieces = send(
        served, start + b"Transfer-Encoding: chunked\r\n\r\n", *[b"400\r\n" + b" " * 1024 + b"\r\n"] * 20
    )
    for answer in (announced, in_pieces):
        assert answer.status == 413
        assert json.loads(answer.body)["detail"] == "That is too much to send at once."


def test_nobody_reads_on_and_on_what_was_refused(served: Served) -> None:
    """A body of ten gigabytes was announced; the line is closed long before."""
    start = b"POST /api/guests HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as line:
        line.sendall(start + b"Content-Length: 10000000000\r\n\r\n")
        assert read(line).status == 413
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            line.sendall(b"x" * 65_536 * 1000)


def test_a_request_gets_one_answer_and_no_second_after_it(served: Served) -> None:
    start = b"POST /api/guests HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as line:
        line.sendall(start + b"Content-Length: 10000000000\r\n\r\n")
        assert read(line).status == 413
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            line.sendall(b"x" * 65_536 * 1000)
        after = b""
        with contextlib.suppress(ConnectionResetError):
            after = line.recv(65_536)
        assert after == b""


@pytest.mark.parametrize("wire", ["trailers", "extensions"])
def test_what_comes_with_the_pieces_of_a_body_has_an_end(served: Served, wire: str) -> None:
    start = (
        b"POST /api/guests HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    if wire == "trailers":
        answer = send(served, start, b"0\r\n", *[b"X-Y: " + b"z" * 1000 + b"\r\n"] * 40)
    else:
        answer = send(served, start, b"1;", *[b"x" * 4000] * 200)
    assert answer.status in {400, 413, 431}


def test_many_requests_in_one_piece_are_many_requests(served: Served) -> None:
    one = b"GET /health HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 10_000 + b"\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as line:
        line.sendall(one * 12)
        received = b""
        while received.count(b'{"status":"ready"}') < 12:
            piece = line.recv(65_536)
            assert piece
            received += piece
        assert received.count(b"HTTP/1.1 200") == 12


def test_a_connection_that_is_reset_in_the_middle_does_no_harm(served: Served) -> None:
    for beginning in (
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHo",
        b"POST /tables HTTP/1.1\r\nContent-Length: 9\r\n\r\nxx",
    ):
        line = socket.create_connection(("127.0.0.1", served.port), PATIENCE)
        line.sendall(beginning)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()


def test_a_form_of_too_many_fields_is_refused_unread(ann: Browser) -> None:
    token = ann.token()
    for fields in (MOST_FIELDS, 4 * MOST_FIELDS):
        form = f"_csrf_token={token}&" + "&".join(f"f{n}=1" for n in range(fields))
        refused = ann.http.post(
            "/tables", content=form, headers={"content-type": "application/x-www-form-urlencoded"}
        )
        assert refused.status_code == 413
        assert alert(refused.text) == bounds.TOO_MANY_FIELDS
    most = f"_csrf_token={token}&" + "&".join(f"f{n}=1" for n in range(MOST_FIELDS - 1))
    read_ = ann.http.post(
        "/tables", content=most, headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert alert(read_.text) == "The form lacks its field game."


@pytest.mark.parametrize(
    "value",
    [
        "[" * 40 + "]" * 40 + "," + "[" * 40 + "]" * 40,
        '{"a":' * 100 + "1" + "}" * 100,
        ",".join(["[]"] * 100),
        "[" * 8000,
    ],
)
def test_json_of_too_many_parts_is_refused_unread(guest: Client, value: str) -> None:
    body = f'{{"game": "duet", "seats": ["me", "friend"], "name": "Ann", "timing": {{"kind": [{value}]}}}}'
    refused = guest.http.post("/tables", content=body, headers={"content-type": "application/json"})
    assert (refused.status_code, refused.json()["kind"]) == (413, "too_large")
    assert refused.json()["detail"] == bounds.TOO_NESTED


def test_brackets_in_a_text_are_no_parts(guest: Client) -> None:
    path = guest.make()
    text = '[{"\\' * 2 * MOST_NESTED
    assert guest.post(f"{path}/say", text=text[:300], token="t").status_code == 200


def test_a_text_that_never_ends_is_read_once() -> None:
    body = b"{" * (MOST_NESTED + 1) + b'"' + rb"\"" * 500_000  # read once for each quote, it would take hours
    with pytest.raises(Problem, match="more objects and arrays"):
        bounds.read_json(body)


def test_braces_in_a_text_count_for_nothing() -> None:
    text = "{[" * MOST_NESTED + '\\"'
    assert bounds.read_json(json.dumps({"text": text}).encode()) == {"text": text}
