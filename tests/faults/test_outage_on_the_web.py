"""PostgreSQL is gone while pages and clients are connected: what each is told, and that their lines live on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from overtrick.web.problems import RETRY_AFTER
from servers import Postgres, wait_for
from web.serving import PATIENCE, Client, Served, alert, serving, settings_for

UNSAVED = "This could not be saved, so nothing has happened; please try again in a moment."
UNREADABLE = "The tables cannot be read just now; please try again in a moment."


@pytest.fixture
def served(own_postgres: Postgres, tmp_path: Path) -> Iterator[Served]:
    with serving(settings_for(tmp_path, database_url=own_postgres.new_url())) as running:
        yield running


def health(served: Served) -> tuple[int, str]:
    answer = httpx.get(f"{served.url}/health", timeout=PATIENCE)
    return answer.status_code, answer.json()["status"]


def begun(ann: Client, ben: Client) -> str:
    path = ann.make("duet", public=False)
    assert ben.post(f"{path}/sit", seat=1, name="Ben").status_code == 200
    assert ann.post(f"{path}/start").status_code == 200
    return path


def test_a_client_gets_503_and_when_to_try_again_and_its_stream_lives_on(
    served: Served, own_postgres: Postgres
) -> None:
    ann, ben = served.client(), served.client()
    path = begun(ann, ben)
    table = ann.look(path)
    mover, other = (ann, ben) if table["view"]["legal"] else (ben, ann)
    move = {"ply": 0, "move": mover.look(path)["view"]["legal"][0]}
    with other.events(path) as events:
        assert next(events)[1]["ply"] == 0
        own_postgres.stop()
        refused = mover.post(f"{path}/move", **move)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, str(RETRY_AFTER))
        assert (refused.json()["kind"], refused.json()["detail"]) == ("unavailable", UNSAVED)
        assert mover.look(path)["ply"] == 0
        assert mover.get("/tables").json()["detail"] == UNREADABLE
        assert health(served) == (503, "database failing")
        own_postgres.start()
        assert mover.post(f"{path}/move", **move).status_code == 200
        assert next(events)[1]["ply"] == 1
    wait_for(lambda: health(served) == (200, "ready"), "the server to be well again")


def test_the_server_is_well_again_by_itself_once_the_database_is_back(
    served: Served, own_postgres: Postgres
) -> None:
    assert health(served) == (200, "ready")
    own_postgres.stop()
    wait_for(lambda: health(served) == (503, "database failing"), "it to notice")
    own_postgres.start()
    wait_for(lambda: health(served) == (200, "ready"), "the server to be well again")


def test_a_page_says_so_keeps_what_it_shows_and_its_live_line(served: Served, own_postgres: Postgres) -> None:
    ann, ben = served.browser(), served.browser()
    path = ann.make("duet")
    ben.get(path)
    with ben.live(path) as line:
        assert 'data-seq="2"' in str(line.recv(PATIENCE))
        own_postgres.stop()
        refused = ann.post(f"{path}/bot", seat=1, bot="uniform")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, str(RETRY_AFTER))
        assert alert(refused.text) == UNSAVED
        assert ben.get(path).status_code == 200
        front = ben.get("/")
        assert (front.status_code, front.headers["retry-after"]) == (503, str(RETRY_AFTER))
        assert UNREADABLE in front.text
        own_postgres.start()
        assert ann.post(f"{path}/bot", seat=1, bot="uniform").status_code == 303
        assert 'data-seq="3"' in str(line.recv(PATIENCE))
    assert ben.get("/").status_code == 200
