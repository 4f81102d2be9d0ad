"""The guide for a club's host: its commands can be run, and those for backup and restore are."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest

from cli.test_serve import PATIENCE, command, end, printed_address, ready
from overtrick.web.settings import Settings, variable_of

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "hosting.md").read_text()
DEPLOY = ROOT / "deploy"
OVERTRICK = shlex.join([sys.executable, "-m", "overtrick"])
OF_THE_COMPILER = "OVERTRICK_CACHE_DIR"


def blocks(heading: str) -> list[str]:
    """The blocks of commands below a heading of the guide."""
    (part,) = re.findall(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", GUIDE, re.DOTALL | re.MULTILINE)
    return re.findall(r"^```\n(.*?)^```", part, re.DOTALL | re.MULTILINE)


class Pair:
    """Two people at one table of Duet, wherever its server is."""

    def __init__(self, address: str) -> None:
        self.people = [httpx.Client(timeout=PATIENCE) for _ in range(2)]
        for person in self.people:
            secret = person.post(f"{address}api/guests").json()["secret"]
            person.headers["authorization"] = f"Bearer {secret}"
        body = {"game": "duet", "seats": ["me", "friend"], "name": "Ann"}
        self.id = str(self.people[0].post(f"{address}api/tables", json=body).json()["id"])
        assert (
            self.people[1].post(f"{self.at(address)}/sit", json={"seat": 1, "name": "Ben"}).status_code == 200
        )
        assert self.people[0].post(f"{self.at(address)}/start").status_code == 200

    def at(self, address: str) -> str:
        return f"{address}api/tables/{self.id}"

    def look(self, address: str, who: int = 0) -> dict[str, Any]:
        answer = self.people[who].get(self.at(address))
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def play(self, address: str, moves: int) -> dict[str, Any]:
        """Make so many moves, or as many as the game still has."""
        table = self.look(address)
        for _ in range(moves):
            if table["status"] == "over":
                break
            mover = table["view"]["to_act"]
            move = self.look(address, mover)["view"]["legal"][0]
            answer = self.people[mover].post(
                f"{self.at(address)}/move", json={"ply": table["ply"], "move": move}
            )
            assert answer.status_code == 200, answer.text
            table = answer.json()
        return table

    def close(self) -> None:
        for person in self.people:
            person.close()


@pytest.mark.parametrize("block", re.findall(r"^```\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))
def test_every_block_of_the_guide_is_one_that_a_shell_reads(block: str) -> None:
    if block.startswith("scrape_configs:"):
        return  # the only one that is none
    checked = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, timeout=PATIENCE)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_every_setting_and_file_that_the_guide_names_is_there() -> None:
    known = {variable_of(entry.name) for entry in fields(Settings)} | {OF_THE_COMPILER, "OVERTRICK_LIMIT_"}
    texts = [GUIDE, *(file.read_text() for file in DEPLOY.iterdir())]
    assert {name for text in texts for name in re.findall(r"OVERTRICK_[A-Z_]+", text)} <= known
    named = re.findall(r"/usr/local/src/overtrick/(deploy/[\w.*-]+)", GUIDE) + re.findall(
        r"\(\.\./(\S+?)\)", GUIDE
    )
    assert len(named) > 4
    for name in named:
        assert list(ROOT.glob(name)), name


class Machine:
    """The paths of the guide and of the units, in a folder of a test's own."""

    def __init__(self, folder: Path) -> None:
        self.data, self.backups, self.settings = folder / "data", folder / "backups", folder / "overtrick.env"
        self.settings.write_text("OVERTRICK_BASE_URL=https://games.example.org\n")

    def run(self, text: str, **changes: str) -> str:
        """Run commands of the guide, all but those for systemd."""
        places = {
            "/opt/overtrick/bin/overtrick": OVERTRICK, "/var/lib/overtrick": str(self.data),
            "/var/backups/overtrick": str(self.backups), "/etc/overtrick.env": str(self.settings), **changes,
        }  # fmt: skip
        for place, here in places.items():
            text = text.replace(place, here)
        lines = [
            line for line in text.splitlines() if not line.startswith(("systemctl", "/opt/overtrick/bin/pip"))
        ]
        done = subprocess.run(
            ["bash", "-euc", "umask 077\n" + "\n".join(lines)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stderr) == (0, ""), lines
        return done.stdout

    def back_up(self) -> None:
        """Do what overtrick-backup.service does."""
        unit = (DEPLOY / "overtrick-backup.service").read_text()
        for line in re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE):
            self.run("OVERTRICK_DATA=/var/lib/overtrick " + line.replace("%%", "%").replace("$$", "$")
                     .replace("/opt/overtrick/bin/overtrick", OVERTRICK))  # fmt: skip


def test_a_nightly_copy_is_restored_by_the_commands_of_the_guide(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    with command("--port", "0", folder=machine.data) as process:
        address = printed_address(process)
        ready(address)
        pair = Pair(address)
        kept = pair.play(address, 5)
        link = pair.people[0].get(f"{pair.at(address)}/link").json()["url"].rpartition("/")[2]
        machine.back_up()
        pair.play(address, 3)
        assert end(process)[0] == 0
    (copy,) = machine.backups.glob("*.sqlite3")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{6}\.sqlite3", copy.name)
    (machine.data / "key").unlink()
    restore = blocks("6. Backup")[1]
    (shown,) = re.findall(r"\d{4}-\d\d-\d\d-\d{6}\.sqlite3", restore)
    machine.run(restore, **{shown: copy.name})
    with command("--port", "0", folder=machine.data) as process:
        address = printed_address(process)
        ready(address)
        assert pair.look(address)["seq"] == kept["seq"]
        assert pair.people[0].get(f"{pair.at(address)}/link").json()["url"].rpartition("/")[2] == link
        assert pair.play(address, 1000)["status"] == "over"
    pair.close()


def test_the_commands_of_an_upgrade_bring_the_schema_up_to_date(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.data.mkdir()
    with command("--port", "0", folder=machine.data) as process:
        ready(printed_address(process))
        assert end(process)[0] == 0
    said = machine.run(blocks("7. Upgrade")[0])
    assert said.startswith("The database has the newest schema already")
