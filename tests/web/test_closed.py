"""A table that the house has closed, on every page and stream of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from overtrick.tables import fanout
from overtrick.tables.housekeeping import close, housekeeping
from overtrick.web.live import NOT_SHOWN
from web.serving import PATIENCE, Served, serving, settings_for

SENTENCE = "The house has closed this table"
HEADING = "<h1>This table is closed</h1>"


async def closed(served: Served, table_id: str) -> None:
    async with housekeeping(served.site.services.settings.database) as keeping:
        assert (await keeping.do(table_id, close)).done


def drain(line: ClientConnection) -> None:
    """Take what comes, till the line ends or says nothing for too long."""
    while True:
        line.recv(PATIENCE)


def test_who_is_there_is_told_at_once_and_who_comes_later_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fanout, "ALONE", 0.1)
    with serving(settings_for(tmp_path)) as served:
        ann, ben = served.browser(), served.browser()
        path = ann.make(name="Annabel", public=1)
        ben.post(f"{path}/sit", seat=1, name="Ben")
        ann.post(f"{path}/start")
        with ben.live(path) as line:
            assert "Annabel" in str(line.recv(PATIENCE))
            asyncio.run(closed(served, path.rpartition("/")[2]))
            with pytest.raises(ConnectionClosed) as ended:
                drain(line)
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == NOT_SHOWN, "by which the page loads itself again"
        for browser in (ann, ben, served.browser()):
            page = browser.get(path)
            assert page.status_code == 403
            assert SENTENCE in page.text
            assert "Annabel" not in page.text
            assert HEADING in page.text
            for told in (f'href="{path}/record.json"', "its record is kept"):
                assert (told in page.text) == (browser in (ann, ben)), "whose game it was"
        said = ann.post(f"{path}/say", token="t", text="Hello")
        assert (said.status_code, SENTENCE in said.text) == (403, True)
        assert "Annabel" not in served.browser().get("/").text
        assert "Closed by the house" in ann.get("/games").text
        assert ben.get(f"{path}/record.json").json()["meta"]["ended"] == "by the house"
        assert served.browser().get(f"{path}/record.json").status_code == 403
        for api in ("", "/events"):
            answer = served.client().http.get(f"{path.replace('/t/', '/tables/')}{api}")
            assert (answer.status_code, SENTENCE in answer.text) == (403, True)
