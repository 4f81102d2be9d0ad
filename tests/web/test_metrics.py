"""What the server counts is for whoever runs it, and names neither a table nor a person."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from cli.test_serve import PATIENCE, command, end, printed_address, ready
from overtrick.web.metrics import Metrics
from overtrick.web.settings import Settings
from web.serving import Served, play_json, serving, settings_for

TOKEN = "correct-horse-battery"


def asked(url: str, **headers: str) -> httpx.Response:
    allowed = {"authorization": f"Bearer {TOKEN}", **headers}
    return httpx.get(f"{url}/metrics", headers=allowed, timeout=PATIENCE)


def figures(url: str, **headers: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = asked(url, **headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def requests(url: str, method: str, route: str, status: int) -> float:
    key = (("method", method), ("route", route), ("status", str(status)))
    return figures(url).get(("overtrick_requests_total", key), 0)


def streams(url: str, kind: str) -> float:
    return figures(url)["overtrick_streams", (("kind", kind),)]


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline


def test_requests_are_counted_by_the_template_of_their_route_method_and_status(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, metrics_token=TOKEN)) as served:
        ann, guest = served.browser(), served.client()
        path = ann.make()
        for _ in range(3):
            assert ann.get(path).status_code == 200
        assert ann.http.head(path).status_code == 200
        assert ann.get("/t/unknown").status_code == 404
        assert ann.get("/nowhere/at/all").status_code == 404
        assert guest.post("/tables/unknown/start").status_code == 404
        assert ann.http.request("PROPFIND", "/").status_code == 405
        assert requests(served.url, "GET", "/t/{table_id}", 200) == 4
        assert requests(served.url, "GET", "/t/{table_id}", 404) == 1
        assert requests(served.url, "GET", "?", 404) == 1
        assert requests(served.url, "POST", "/api/tables/{table_id}/start", 404) == 1
        found = figures(served.url)
        assert found["overtrick_request_seconds_count", (("method", "GET"), ("route", "/t/{table_id}"))] == 5
        assert "PROPFIND" not in str(found)


def test_streams_are_counted_while_they_are_open_and_not_among_the_seconds(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, metrics_token=TOKEN)) as served:
        ann, guest = served.browser(), served.client()
        path = ann.make()
        with ann.live(path) as line, guest.events(path.replace("/t/", "/tables/")) as events:
            line.recv(PATIENCE)
            next(events)
            assert (streams(served.url, "page"), streams(served.url, "events")) == (1, 1)
        eventually(lambda: streams(served.url, "page") + streams(served.url, "events") == 0)
        eventually(lambda: requests(served.url, "LIVE", "/t/{table_id}/live", 101) == 1)
        assert guest.get("/tables/unknown/events").status_code == 404
        timed = {dict(labels).get("route") for name, labels in figures(served.url) if "seconds_count" in name}
        assert "/t/{table_id}" not in timed
        assert not {"/t/{table_id}/live", "/api/tables/{table_id}/events"} & timed


def test_nothing_of_a_whole_game_stands_in_the_figures(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, metrics_token=TOKEN)) as served:
        ann, ben = served.client(), served.client()
        path = ann.make(name="Annabel")
        ben.post(f"{path}/sit", seat=1, name="Benedict")
        ann.post(f"{path}/start")
        table = play_json(ann, ben, path=path)
        text = asked(served.url).text
        assert figures(served.url)["overtrick_moves_total", ()] == table["ply"]
        for secret in (table["id"], "Annabel", "Benedict", ann.secret, ben.secret):
            assert secret not in text
        assert not re.search(r"\b[0-9a-f]{32,}\b", text)
        labels = {name for _, pairs in figures(served.url) for name, _ in pairs}
        assert labels == {"route", "method", "status", "kind", "what", "le"}


def test_without_a_token_there_are_no_figures_for_anybody(served: Served) -> None:
    for headers in ({}, {"authorization": "Bearer"}, {"authorization": f"Bearer {TOKEN}"}):
        refused = httpx.get(f"{served.url}/metrics", headers=headers)
        assert refused.status_code == 404
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["detail"] == "There is nothing at this address."
        assert "overtrick_" not in refused.text


def test_the_token_is_asked_of_everybody(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, metrics_token=TOKEN)) as served:
        for sent in (None, "", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer", "Bearer \xff"):
            headers = [] if sent is None else [(b"authorization", sent.encode("latin-1"))]
            assert httpx.get(f"{served.url}/metrics", headers=headers).status_code == 404
        told = figures(served.url, authorization=f"Bearer {TOKEN}", **{"x-forwarded-for": "203.0.113.9"})
        assert ("overtrick_moves_total", ()) in told
        assert "metrics_token" not in httpx.get(f"{served.url}/").text


def test_asking_for_figures_is_not_limited_and_sets_no_cookie(tmp_path: Path) -> None:
    with serving(settings_for(tmp_path, limit_looks=1, metrics_token=TOKEN)) as served:
        answers = [asked(served.url) for _ in range(9)]
        assert {answer.status_code for answer in answers} == {200}
        assert not answers[0].cookies
        assert answers[0].headers["cache-control"] == "no-store"


def test_a_route_that_was_counted_once_makes_no_new_labels(tmp_path: Path) -> None:
    metrics, scope = Metrics(Settings()), {"method": "GET", "path_template": "/t/{table_id}"}
    metrics.count(scope, 200, 0.5)  # type: ignore[arg-type]
    kinds = dict(metrics._kinds)
    for _ in range(5):
        metrics.count(scope, 200, 0.5)  # type: ignore[arg-type]
    assert metrics._kinds == kinds
    for number in range(5):
        metrics.count({**scope, "method": f"MADE-UP-{number}"}, 405, 0.5)  # type: ignore[arg-type]
    assert metrics._kinds == kinds
    assert b'method="other",route="/t/{table_id}",status="405"} 5.0' in metrics.text()


def test_workers_add_up_what_they_count_and_a_dead_one_leaves_its_counts(tmp_path: Path) -> None:
    secret = {"OVERTRICK_METRICS_TOKEN": TOKEN, "TMPDIR": str(tmp_path)}
    with command("--port", "0", "--workers", "2", folder=tmp_path / "data", **secret) as process:
        url = printed_address(process)[:-1]
        ready(f"{url}/")
        for _ in range(20):  # each on a line of its own, so that both workers get some
            assert httpx.get(f"{url}/t/unknown", timeout=PATIENCE).status_code == 404
        eventually(lambda: {requests(url, "GET", "/t/{table_id}", 404) for _ in range(6)} == {20})
        (victim, *_) = workers(process.pid)
        victim.kill()
        victim.wait(PATIENCE)
        eventually(lambda: len(workers(process.pid)) == 2)
        ready(f"{url}/")
        assert {requests(url, "GET", "/t/{table_id}", 404) for _ in range(6)} == {20}
        assert streams(url, "page") == 0
        assert [file.name for file in tmp_path.glob("overtrick-metrics-*")] != []
        assert end(process)[0] == 0
    assert list(tmp_path.glob("overtrick-metrics-*")) == []


def test_each_worker_has_its_own_process_figures_whichever_is_asked(tmp_path: Path) -> None:
    secret = {"OVERTRICK_METRICS_TOKEN": TOKEN, "TMPDIR": str(tmp_path)}
    with command("--port", "0", "--workers", "2", folder=tmp_path / "data", **secret) as process:
        url = printed_address(process)[:-1]
        ready(f"{url}/")
        eventually(lambda: told(url) == begun(process.pid))
        workers(process.pid)[0].kill()
        eventually(lambda: len(workers(process.pid)) == 2 and told(url) == begun(process.pid))
        found = figures(url)
        for name in ("process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"):
            assert all(found[name, (("worker", str(number)),)] > 0 for number in range(2))
        assert end(process)[0] == 0


def told(url: str) -> list[float]:
    """When the workers began, as the figures have it."""
    answered = figures(url).items()
    return sorted(value for (name, _), value in answered if name == "process_start_time_seconds")


def begun(supervisor: int) -> object:
    """When they began, as the system has it, to a second."""
    return pytest.approx(sorted(worker.create_time() for worker in workers(supervisor)), abs=1.0)


def workers(supervisor: int) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(supervisor).children():
        try:
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found
