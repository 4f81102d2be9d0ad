"""`overtrick tables`, as whoever runs a house uses it beside the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx

from cli.test_migrate import overtrick
from cli.test_serve import PATIENCE, command, end, printed_address, ready


def made(client: httpx.Client, token: str, **wishes: Any) -> str:
    body = {"token": token, "game": "duet", "seats": ["me", "friend"], "name": "Ann", **wishes}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    table_id: str = answer.json()["id"]
    return table_id


def listed(client: httpx.Client) -> list[str]:
    return [table["id"] for table in client.get("/api/tables").json()["tables"]]


def test_tables_are_listed_hidden_and_closed_while_the_server_runs(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path))
    with command("--port", "0", folder=tmp_path) as process:
        address = printed_address(process)
        ready(address)
        secret = httpx.post(f"{address}api/guests", timeout=PATIENCE).json()["secret"]
        headers = {"authorization": f"Bearer {secret}"}
        with httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
            rude, other = made(client, "rude", public=True), made(client, "other", public=True)
            made(client, "private")
            lines = {line.split()[0]: line for line in overtrick("tables", "list", *where)[1].splitlines()}
            assert lines == {table: f"{table}  duet, waits for people: Ann" for table in (rude, other)}
            told = overtrick("tables", "list", "--json", *where)[1].splitlines()
            assert {(one["id"], one["status"]) for one in map(json.loads, told)} == {
                (rude, "waiting"), (other, "waiting"),
            }  # fmt: skip

            status = (0, f"Hidden: {other}  (duet, waits for people: Ann)\n", "")
            assert overtrick("tables", "hide", f"{address}t/{other}?a=b", *where) == status
            assert listed(client) == [rude]
            status = (0, f"Closed: {rude}  (duet, waits for people: Ann)\n", "")
            assert overtrick("tables", "close", rude, *where) == status
            assert listed(client) == []
            again = f"Closed already: {rude}  (duet, is over: Ann)\n"
            assert overtrick("tables", "close", rude, *where) == (0, again, "")

            refused = client.post(f"/api/tables/{rude}/say", json={"token": "t", "text": "Hello"})
            assert refused.status_code == 403
            assert "The house has closed this table" in refused.json()["detail"]
            page = client.get(f"/t/{rude}")
            assert page.status_code == 403
            assert "The house has closed this table" in page.text
            assert client.get(f"/t/{other}").status_code == 200
        assert end(process) == (0, "")


def test_what_cannot_be_done_is_a_sentence(tmp_path: Path) -> None:
    missing = f"There is no database at {tmp_path / 'overtrick.sqlite3'}.\n"
    assert overtrick("tables", "close", "x", "--data", str(tmp_path)) == (1, "", missing)
    assert not list(tmp_path.iterdir())
    assert overtrick("migrate", "--data", str(tmp_path))[0] == 0
    none = (1, "", "There is no such table.\n")
    assert overtrick("tables", "close", "x", "--data", str(tmp_path)) == none
    assert overtrick("tables", "list", "--data", str(tmp_path)) == (0, "The front page lists no table.\n", "")
