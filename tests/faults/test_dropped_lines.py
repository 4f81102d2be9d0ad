"""A client's line drops between what it sends and the answer, or for a move of somebody else.

What it sends again counts once, and it catches up with what it has missed.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from web.serving import PATIENCE, Client, Served, serving, settings_for

AT_ONCE = struct.pack("ii", 1, 0)
"""For SO_LINGER: hang up without waiting for anything."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("data")
    with serving(settings_for(folder)) as running:
        yield running


def send_and_drop(
    client: Client, path: str, body: dict[str, object], acted: Callable[[], bool] | None
) -> None:
    """Send a request whole and hear no answer: the line drops at once, or once `acted` says that it has acted."""
    sent = json.dumps(body).encode()
    head = (
        f"POST /api{path} HTTP/1.1", "host: 127.0.0.1", "content-type: application/json",
        f"authorization: Bearer {client.secret}", f"content-length: {len(sent)}", "", "",
    )  # fmt: skip
    with socket.create_connection(("127.0.0.1", client.http.base_url.port), PATIENCE) as line:
        line.sendall("\r\n".join(head).encode() + sent)
        deadline = time.monotonic() + PATIENCE
        while acted is not None and not acted():
            assert time.monotonic() < deadline
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)


@pytest.fixture(params=["at once", "once it has acted"])
def waits(request: pytest.FixtureRequest) -> bool:
    return bool(request.param != "at once")


def test_a_table_that_is_asked_for_again_is_one_table(served: Served, waits: bool) -> None:
    ann = served.client()
    wish: dict[str, object] = {"game": "duet", "seats": ["me", "friend"], "name": "Ann", "token": "one"}

    def mine() -> list[object]:
        found: list[object] = ann.get("/me/tables").json()["going_on"]
        return found

    send_and_drop(ann, "/tables", wish, (lambda: len(mine()) == 1) if waits else None)
    answers = [ann.post("/tables", **wish) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert len(mine()) == 1


def test_each_act_that_is_sent_again_counts_once(served: Served, waits: bool) -> None:
    ann, ben = served.client(), served.client()
    path = ann.make("duet")

    def act(client: Client, what: str, /, **body: object) -> None:
        """Send, drop, send again and again; the last ones must change nothing more."""
        before = ann.look(path)["seq"]
        send_and_drop(
            client, f"{path}/{what}", body, (lambda: ann.look(path)["seq"] > before) if waits else None
        )
        acted = ann.look(path)["seq"] if waits else None
        answers = [client.post(f"{path}/{what}", **body) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[0].json()["seq"] == answers[1].json()["seq"] == acted or acted is None

    act(ben, "sit", seat=1, name="Ben")
    act(ann, "say", token="hello", text="Hello!")
    act(ann, "start")
    for ply in range(3):
        table = ann.look(path)
        mover = (ann, ben)[table["view"]["to_act"]]
        act(mover, "move", ply=ply, move=mover.look(path)["view"]["legal"][0])
    table = ann.look(path)
    assert (table["ply"], len(table["chat"])) == (3, 1)
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Ben"]


def test_one_who_was_away_for_a_move_catches_up_with_it_and_gets_nothing_twice(served: Served) -> None:
    ann, ben = served.client(), served.client()
    path = ann.make("duet")
    ben.post(f"{path}/sit", seat=1, name="Ben")
    ann.post(f"{path}/start")

    def move() -> None:
        table = ann.look(path)
        mover = (ann, ben)[table["view"]["to_act"]]
        legal = mover.look(path)["view"]["legal"]
        assert mover.post(f"{path}/move", ply=table["ply"], move=legal[0]).status_code == 200

    with ben.events(path) as events:
        seen, table = next(events)
        assert table["ply"] == 0
    move()  # while Ben's line is down
    with ben.events(path, **{"last-event-id": seen}) as events:
        seen, table = next(events)
        assert table["ply"] == 1
    with ben.events(path, **{"last-event-id": seen}) as events:
        move()
        assert next(events)[1]["ply"] == 2
