"""What a person does at a browser, in words: make a table, take a seat, play what the page offers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import httpx
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from cli.processes import next_line

PATIENCE = 20.0
"""Seconds after which a test gives up waiting."""
SECOND_CLICK = 750
"""Milliseconds after which the page takes a click on the same spot as meant (static/table.js has a little less)."""

COMMAND = [sys.executable, "-c", "from overtrick.cli.main import run; run()", "serve"]


class Server:
    """`overtrick serve` in a process of its own; bots move at once. `settings`: others than the usual ones."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self._folder = folder
        self._environment = {f"OVERTRICK_{name.upper()}": str(value) for name, value in settings.items()}
        self._log: IO[str] | None = None
        self._process: subprocess.Popen[str] | None = None
        self.port = 0
        self.url = ""

    def start(self) -> None:
        """Start on the port it had before, or on a free one, and wait until it is ready."""
        self._log = (self._folder / "log").open("a")
        options = ["--port", str(self.port), "--data", str(self._folder), "--pace", "0"]
        self._process = subprocess.Popen(
            [*COMMAND, *options], stdout=subprocess.PIPE, stderr=self._log, text=True,
            env=os.environ | self._environment,
        )  # fmt: skip
        line = next_line(self._process)
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, (self._folder / "log").read_text()
        self.port, self.url = int(found[1]), found[0]
        self._await_ready()

    def _await_ready(self) -> None:
        deadline = time.monotonic() + 120  # the very first start compiles
        while httpx.get(f"{self.url}/health", timeout=PATIENCE).status_code != 200:
            assert time.monotonic() < deadline, (self._folder / "log").read_text()
            time.sleep(0.05)

    def kill(self) -> None:
        """End it at once, as a power cut would (SIGKILL)."""
        assert self._process is not None
        assert self._log is not None
        self._process.kill()
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.close()
        self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.kill()


class Player:
    """One person with a page open."""

    def __init__(self, page: Page, url: str, name: str) -> None:
        self.page = page
        self.url = url
        self.name = name
        self.complaints: list[str] = []
        self._asked = ""
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        """Note what the page complains of; an answer that refuses, or leaving while the line opens, is no fault."""
        refused = message.text.startswith("Failed to load resource: the server responded with a status of 4")
        left = message.text.endswith("WebSocket is closed before the connection is established.")
        if message.type in ("error", "warning") and not refused and not left:
            self.complaints.append(message.text)

    # Coming to a table

    def make(self, game: str, *seats: str, choices: dict[str, str] | None = None) -> str:
        """Make a table by the lobby's form; `seats` beyond the first as the form's values. Returns its path."""
        self.page.goto(self.url)
        return self.make_here(game, *seats, choices=choices)

    def make_here(self, game: str, *seats: str, choices: dict[str, str] | None = None) -> str:
        """The same with the lobby's form as it stands, where some of it is filled in."""
        form = self.page.locator(f"section.game-{game} form")
        form.locator("input[name=name]").fill(self.name)
        for name, value in (choices or {}).items():
            form.locator(f"input[name={name}][value='{value}']").check()
        for number, seat in enumerate(seats, start=1):
            form.locator(f"select[name=seat-{number}]").select_option(seat)
        form.get_by_role("button", name="Make a table").click()
        self.page.wait_for_url(re.compile("/t/"))
        return self.page.url

    def make_and_start(self, game: str, *seats: str, choices: dict[str, str] | None = None) -> str:
        address = self.make(game, *seats, choices=choices)
        self.start()
        return address

    def start(self) -> None:
        self.page.get_by_role("button", name="Start the game").click()
        expect(self.page.locator("#table .turn-text")).to_be_visible()

    def sit(self, address: str) -> None:
        """Open an invitation and take the first free seat."""
        self.page.goto(address)
        form = self.page.locator("form[action$='/sit']").first
        form.get_by_label("Your name").fill(self.name)
        form.get_by_role("button", name="Sit here").click()
        expect(self.page.get_by_role("button", name="Stand up")).to_be_visible()

    # What the page shows

    @property
    def over(self) -> bool:
        return self.page.locator("main.is-over").count() > 0

    @property
    def seq(self) -> int:
        return int(self.page.locator("#table").get_attribute("data-seq") or -1)

    def await_turn(self) -> bool:
        """Wait until it is my turn (True) or the game is over (False)."""
        self.page.wait_for_selector("main.is-over, .turn.is-mine")
        return not self.over

    def await_change(self, seq: int) -> None:
        """Wait until the page shows a later state than `seq`."""
        self.page.wait_for_function(
            "seq => Number(document.getElementById('table').dataset.seq) > seq", arg=seq
        )

    def choices(self) -> Locator:
        """The buttons that make a legal move now, other than giving up."""
        return self.page.locator("#table button[name=move]:not([aria-disabled])")

    def hand(self) -> Locator:
        return self.page.locator("#hand button")

    # Playing

    def choice(self) -> Locator:
        """A sensible button to press: a small bet, a decision's first answer, else the first card allowed."""
        for selector in (".betting .exact button >> nth=2", ".decide button >> nth=0"):
            if self.page.locator(selector).count():
                return self.page.locator(selector)
        return self.choices().first

    def play(self) -> None:
        """Make one move by a click, and see it happen."""
        seq = self.seq
        choice = self.choice()
        kind = str(choice.get_attribute("value")).partition(":")[0]
        if kind != self._asked:
            # Asked something else on the same spot, the page takes a quick second click for a mistake.
            self.page.wait_for_timeout(SECOND_CLICK)
        self._asked = kind
        choice.click()
        self.await_change(seq)

    def play_on(self, moves: int = 1000) -> int:
        """Play by clicks until the game is over or so many moves are made; returns how many were."""
        made = 0
        while made < moves and self.await_turn():
            self.play()
            made += 1
        return made
