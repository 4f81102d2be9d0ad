"""Behind Debian's nginx with TLS, by the configuration that is shipped: no event is held back."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from web.serving import PATIENCE, Served, read_events, serving, settings_for

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "games.example.org"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed; script/test installs it")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as line:
        return int(line.getsockname()[1])


def configured(folder: Path, port: int, upstream: int, *others: tuple[str, str]) -> Path:
    """The shipped file with its places changed, and `others`, inside the least that nginx needs around it.

    The socket `http` in the folder is its port 80.
    """
    site = (DEPLOY / "nginx.conf").read_text()
    for shipped, here in (
        *others,
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("listen [::]:443 ssl;", ""),
        ("listen 80;", f"listen unix:{folder}/http;"),
        ("listen [::]:80;", ""),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", f"{folder}/cert.pem"),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", f"{folder}/key.pem"),
        ("/var/log/nginx/access.log", f"{folder}/access.log"),
    ):
        assert shipped in site
        site = site.replace(shipped, here)
    temporary = "\n".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/pid; error_log {folder}/error.log; daemon off; events {{}}\n"
        f"http {{ access_log off;\n{temporary}\n{site} }}\n"
    )
    return file


@contextmanager
def behind_nginx(
    folder: Path, *others: tuple[str, str], **settings: float
) -> Iterator[tuple[Served, int, ssl.SSLContext]]:
    """A server and nginx before it; `others`: what the test needs otherwise in nginx's file."""
    assert NGINX
    port = free_port()
    subject = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         *subject, *files],
        check=True, capture_output=True,
    )  # fmt: skip
    trust = ssl.create_default_context(cafile=f"{folder}/cert.pem")
    with serving(settings_for(folder / "data", base_url=f"https://{NAME}:{port}", **settings)) as served:
        file = configured(folder, port, served.port, *others)
        nginx = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(file)], stderr=subprocess.PIPE)
        try:
            deadline = time.monotonic() + PATIENCE
            while nginx.poll() is None and time.monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            assert nginx.poll() is None, (folder / "error.log").read_text()
            yield served, port, trust
        finally:
            nginx.terminate()
            nginx.communicate(timeout=PATIENCE)


def client(port: int, trust: ssl.SSLContext) -> httpx.Client:
    """A visitor to `games.example.org`, whose address is this machine's."""
    transport = httpx.HTTPTransport(verify=trust)

    class Resolved(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            request.headers["host"] = f"{NAME}:{port}"
            request.extensions["sni_hostname"] = NAME
            request.url = request.url.copy_with(host="127.0.0.1")
            return transport.handle_request(request)

        def close(self) -> None:
            transport.close()

    return httpx.Client(base_url=f"https://{NAME}:{port}", transport=Resolved(), timeout=PATIENCE)


def test_a_game_goes_on_through_nginx_with_no_event_held_back(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (_, port, trust), client(port, trust) as ann, client(port, trust) as ben:
        page = ann.get("/")
        assert page.status_code == 200
        for line in page.headers.get_list("set-cookie"):
            assert re.search(r"; *secure", line, re.IGNORECASE), line.partition("=")[0]
            assert line.startswith("__Host-overtrick"), line.partition("=")[0]
        for person in (ann, ben):
            person.headers["authorization"] = f"Bearer {person.post('/api/guests').json()['secret']}"
        body = {"game": "duet", "seats": ["me", "friend"], "name": "Ann", "dealer": 0}
        path = f"/api/tables/{ann.post('/api/tables', json=body).json()['id']}"
        public = path.replace("/api/tables/", "/t/")
        assert ann.get(public).status_code == 200
        assert ben.post(f"{path}/sit", json={"seat": 1, "name": "Ben"}).status_code == 200
        table = ann.post(f"{path}/start").json()
        with (
            ben.stream("GET", f"{path}/events") as events,
            live_line(port, trust, public) as line,
        ):
            looks = read_events(events.iter_lines())
            assert next(looks)[1]["ply"] == 0
            assert line.recv(PATIENCE)
            for ply in range(4):  # each move is made only when the one before has come through both streams
                mover = ann if table["view"]["to_act"] == 0 else ben
                move = mover.get(path).json()["view"]["legal"][0]
                table = mover.post(f"{path}/move", json={"ply": ply, "move": move}).json()
                assert table["ply"] == ply + 1
                assert next(looks)[1]["ply"] == ply + 1
                assert line.recv(PATIENCE)


@contextmanager
def live_line(port: int, trust: ssl.SSLContext, path: str) -> Iterator[ClientConnection]:
    """The live line of a table's page, for somebody who may watch it."""
    with (
        socket.create_connection(("127.0.0.1", port), PATIENCE) as raw,
        connect(
            f"wss://{NAME}:{port}{path}/live", sock=raw, ssl=trust, server_hostname=NAME,
            additional_headers={"origin": f"https://{NAME}:{port}"},
        ) as line,
    ):  # fmt: skip
        yield line


def test_streams_on_which_nothing_happens_outlive_the_time_for_which_nginx_waits(tmp_path: Path) -> None:
    short = ("proxy_read_timeout 120s;", "proxy_read_timeout 3s;")
    with (
        behind_nginx(tmp_path, short, heartbeat=1.5) as (_, port, trust),
        client(port, trust) as ann,
    ):
        ann.headers["authorization"] = f"Bearer {ann.post('/api/guests').json()['secret']}"
        body = {"game": "duet", "seats": ["me", "friend"], "name": "Ann"}
        path = f"/api/tables/{ann.post('/api/tables', json=body).json()['id']}"
        with (
            ann.stream("GET", f"{path}/events") as events,
            live_line(port, trust, path.replace("/api/tables/", "/t/")) as line,
        ):
            lines = events.iter_lines()
            assert line.recv(PATIENCE)
            began = time.monotonic()
            while time.monotonic() < began + 6.5:  # more than twice as long
                assert next(told for told in lines if told.startswith(":")) == ":"
                assert line.recv(PATIENCE) == ""
            assert ann.post(f"{path}/bot", json={"seat": 1, "bot": "easy"}).status_code == 200
            assert "easy" in next(told for told in lines if told.startswith("data:"))
            assert any("Bot" in str(told) for told in iter(lambda: line.recv(PATIENCE), None))


def test_clients_behind_nginx_are_counted_by_the_address_it_saw_whatever_they_write(tmp_path: Path) -> None:
    with behind_nginx(tmp_path, limit_looks=5) as (_, port, trust), client(port, trust) as ann:
        forged = [ann.get("/api/tables", headers={"x-forwarded-for": f"203.0.113.{n}"}) for n in range(60)]
        codes = [answer.status_code for answer in forged]
        assert codes[:20] == [200] * 20
        assert 429 in codes


def test_metrics_and_other_hosts_are_not_for_strangers(tmp_path: Path) -> None:
    token = "correct-horse-battery"
    allowed = {"authorization": f"Bearer {token}"}
    with behind_nginx(tmp_path, metrics_token=token) as (served, port, trust), client(port, trust) as ann:
        for path in ("/metrics", "/metrics/", "/metrics?a=b", "/%6detrics", "/x/../metrics"):
            for sent in ({}, {"x-forwarded-for": "127.0.0.1"}, allowed):
                refused = ann.get(path, headers=sent)
                assert refused.status_code == 404
                assert "overtrick_" not in refused.text
        assert "overtrick_moves" in httpx.get(f"{served.url}/metrics", headers=allowed).text
        assert ann.post("/tables", content=b"x" * 70_000).status_code == 413
        wrong = httpx.get(f"{served.url}/", headers={"host": "evil.example"})
        assert wrong.status_code == 403


def test_the_secret_of_a_seats_link_is_not_logged(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (_, port, trust), client(port, trust) as ann:
        assert ann.get(f"/t/x/seat/{'s' * 28}").status_code == 404
        assert ann.get("/t/of-no-seat").status_code == 404
    logged = (tmp_path / "access.log").read_text()  # nginx has written it by its end
    assert "/t/of-no-seat" in logged
    assert "sss" not in logged


def test_a_visit_without_tls_is_sent_to_the_one_with_it(tmp_path: Path) -> None:
    with behind_nginx(tmp_path):
        transport = httpx.HTTPTransport(uds=f"{tmp_path}/http")
        with httpx.Client(transport=transport, timeout=PATIENCE) as plain:
            sent = plain.get(f"http://{NAME}/t/x?y=z")
    assert (sent.status_code, sent.headers["location"]) == (301, f"https://{NAME}/t/x?y=z")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("name", ["overtrick.service", "overtrick-backup.service", "overtrick-backup.timer"])
def test_the_units_are_such_that_systemd_understands(tmp_path: Path, name: str) -> None:
    for file in DEPLOY.glob("overtrick*"):
        text = file.read_text().replace("/opt/overtrick/bin/overtrick", "/bin/true")
        (tmp_path / file.name).write_text(text)
    words = ["systemd-analyze", "verify", "--recursive-errors=no", str(tmp_path / name)]
    checked = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
    assert "overtrick" not in checked.stderr
    assert checked.returncode == 0, checked.stderr
