"""`pip install .` gives everything that the command needs: what the wheel holds, and that it runs on its own."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "overtrick"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (built,) = folder.glob("overtrick-*.whl")
    return built


def source_files() -> set[str]:
    return {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == source_files()


@pytest.mark.parametrize(
    "kind",
    ["web/templates/*.html", "web/static/*.css", "web/static/*.js", "web/locale/*", "games/boards/*.toml"],
)
def test_the_package_has_files_of_each_kind_that_is_not_code(kind: str) -> None:
    assert list(PACKAGE.glob(kind))


def test_the_wheel_carries_the_licence_and_the_command(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (licence,) = (name for name in archive.namelist() if name.endswith(".dist-info/licenses/LICENSE"))
    (entry,) = (name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt"))
    assert "MIT License" in archive.read(licence).decode()
    assert "overtrick = overtrick.cli.main:run" in archive.read(entry).decode()


def test_an_installed_wheel_runs_without_its_checkout(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    # Its dependencies are those of this environment: their installation is pip's business, not ours.
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(home),
        "install",
        "--quiet",
        "--no-deps",
        str(wheel),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(str(Path(pytest.__file__).parent.parent))
    program = (
        "import overtrick, pathlib; from overtrick.games import load;"
        "print(pathlib.Path(overtrick.__file__).parent); print(load('duet', level=3).board.name)"
    )
    python = str(home / "bin" / "python")
    said = subprocess.run(
        [python, "-I", "-c", program], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    where, board = said.stdout.split()
    assert Path(where).is_relative_to(site)
    assert board == "side-b-diamonds"
    shown = subprocess.run(
        [home / "bin" / "overtrick", "--version"], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert shown.stdout.strip() in wheel.name
