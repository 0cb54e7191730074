"""The set-up of `.venv` by the Makefile, with a stand-in for Python, and the installation by pip."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]

PYTHON = f"""\
#!{sys.executable}
import os, pathlib, sys, time

here = pathlib.Path.cwd()

def wait_at(step):
    if (here / "stop at").exists() and (here / "stop at").read_text() == step:
        (here / "stopped").touch()
        time.sleep(3600)

match sys.argv[1:]:
    case ["--version"]:
        print("Python 3")
    case ["-c", code]:
        if (here / "old").exists():
            sys.version_info = (3, 9, 2, "final", 0)
        if (here / "new").exists():
            sys.version_info = (3, 15, 0, "alpha", 1)
        if (here / "without ensurepip").exists():
            sys.modules["ensurepip"] = None
        exec(code)
    case ["-m", "venv", folder]:
        python = here / folder / "bin" / "python"
        python.parent.mkdir(parents=True, exist_ok=True)
        wait_at("folder")
        python.unlink(missing_ok=True)
        python.symlink_to(__file__)
        sys.exit((here / "without ensurepip").exists())
    case ["-m", "pip", "install", *_]:
        half = here / ".venv" / "half a package"
        if half.exists():
            sys.exit("already installed, it seems")
        half.touch()
        wait_at("packages")
        if (here / "without network").exists():
            sys.exit("no network")
        half.rename(here / ".venv" / "packages")
        uv = here / ".venv" / "bin" / "uv"
        uv.write_text("#!/bin/sh\\n")
        uv.chmod(0o755)
    case ["-m", "sandbox", *_]:
        print("plays" if (here / ".venv" / "packages").exists() else "No module named pip")
    case other:
        sys.exit(f"unexpected: {{other}}")
"""
"""A `python3` whose `venv` without ensurepip leaves `bin/python` behind, as Debian's does."""

_VENV = f"sudo apt install python3.{sys.version_info.minor}-venv"
SYSTEMS = [
    ("Linux", "ID=debian", _VENV),
    ("Linux", "ID=ubuntu\nID_LIKE=debian", _VENV),
    ("Linux", 'ID=linuxmint\nID_LIKE="ubuntu debian"', _VENV),
    ("Linux", "ID=fedora", "sudo dnf install python3.13"),
    ("Linux", "ID=arch", "sudo pacman -S python"),
    ("Linux", "ID=void", "install Python 3.11 to 3.14 with venv and ensurepip"),
    ("Darwin", "", "brew install python@3.13"),
]


class Checkout:
    """A copy of what the set-up needs, and a `python3` whose abilities are files in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("Makefile", "check_python.sh", *(path.name for path in ROOT.glob("requirements*.txt"))):
            shutil.copy(ROOT / name, folder)
        programs = folder / "programs"
        programs.mkdir()
        (programs / "python3").write_text(PYTHON, encoding="utf-8")
        (programs / "python3").chmod(0o755)
        (programs / "uname").write_text("#!/bin/sh\ncat uname\n", encoding="utf-8")
        (programs / "uname").chmod(0o755)
        self.run_on("Linux", "ID=debian")

    def run_on(self, uname: str, os_release: str) -> None:
        self.set("uname", uname)
        self.set("os-release", os_release)

    def set(self, condition: str, text: str = "") -> None:
        (self.folder / condition).write_text(text, encoding="utf-8")

    def clear(self, condition: str) -> None:
        (self.folder / condition).unlink()

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """`make` in a process group of its own, with its output."""
        of_make = ("MAKE", "MFLAGS", "PYTHON")  # `make test PYTHON=...` hands them on to all that it runs
        ours = {name: value for name, value in os.environ.items() if not name.startswith(of_make)}
        return subprocess.Popen(
            ["make", *arguments],
            cwd=self.folder,
            env=ours
            | {
                "PATH": f"{self.folder / 'programs'}{os.pathsep}{ours['PATH']}",
                "OS_RELEASE": str(self.folder / "os-release"),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def make(self, *arguments: str) -> tuple[int, str, str]:
        """The exit code, what was printed, and what was complained of except by make itself."""
        process = self.start(*arguments)
        out, complaints = process.communicate(timeout=PATIENCE)
        return (
            process.returncode,
            out,
            "".join(line for line in complaints.splitlines(keepends=True) if not line.startswith("make: ")),
        )

    def kill_at(self, step: str) -> None:
        """Run `make play` until it is in the middle of that step, and end all of it with SIGKILL."""
        self.set("stop at", step)
        process = self.start("play")
        _wait_for((self.folder / "stopped").exists)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.clear("stopped")
        self.clear("stop at")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    if shutil.which("make") is None or sys.platform == "win32":
        pytest.skip("needs make: sudo apt install make")
    return Checkout(tmp_path)


@pytest.mark.deep
def test_a_python_without_ensurepip_is_one_sentence_and_the_next_run_with_one_plays(
    checkout: Checkout,
) -> None:
    checkout.set("without ensurepip")
    for uname, os_release, install in SYSTEMS:
        checkout.run_on(uname, os_release)
        code, _, said = checkout.make("play")
        needs = "python3 cannot make .venv without its module ensurepip"
        assert (code != 0, said) == (True, f"{needs}: {install}, then run make again.\n")
    checkout.clear("without ensurepip")
    assert _plays(checkout)


@pytest.mark.deep
def test_what_the_set_up_of_an_older_version_left_behind_is_made_anew(checkout: Checkout) -> None:
    broken = checkout.folder / ".venv" / "bin" / "python"
    broken.parent.mkdir(parents=True)
    broken.touch(0o755)
    assert _plays(checkout)


@pytest.mark.deep
def test_a_python_that_is_too_old_or_too_new_or_not_there_is_one_sentence(checkout: Checkout) -> None:
    for condition, told in (
        ("old", "python3 is Python 3.9"),
        ("new", "python3 is Python 3.15"),  # without wheels: a compiler would fail much later
        ("away", "python3.99 cannot be run"),
    ):
        checkout.set(condition)
        code, _, said = checkout.make("play", *(("PYTHON=python3.99",) if condition == "away" else ()))
        checkout.clear(condition)
        assert code != 0
        assert said.startswith(f"Fifteen Two needs Python 3.11 to 3.14, and {told}: sudo apt install ")
        assert said.count("\n") == 1
        assert not (checkout.folder / ".venv").exists()


@pytest.mark.parametrize("step", ["folder", "packages"])
@pytest.mark.deep
def test_a_set_up_that_is_killed_leaves_nothing_that_passes_for_a_finished_one(
    checkout: Checkout, step: str
) -> None:
    checkout.kill_at(step)
    assert (checkout.folder / ".venv").exists()
    assert _plays(checkout)


@pytest.mark.deep
def test_a_change_of_packages_that_is_killed_leaves_nothing_that_passes_for_a_finished_one(
    checkout: Checkout,
) -> None:
    assert _plays(checkout)
    os.utime(checkout.folder / ".venv" / ".runtime", (0, 0))
    (checkout.folder / ".venv" / "bin" / "uv").unlink()
    checkout.kill_at("packages")
    assert _plays(checkout)


@pytest.mark.deep
def test_packages_that_cannot_be_reached_are_fetched_by_the_next_run(checkout: Checkout) -> None:
    checkout.set("without network")
    assert checkout.make("play")[0] != 0
    checkout.clear("without network")
    assert _plays(checkout)


def test_a_finished_set_up_is_kept(checkout: Checkout) -> None:
    assert _plays(checkout)
    checkout.set("without ensurepip")
    code, out, _ = checkout.make("play")
    assert (code, out) == (0, "plays\n")


def _plays(checkout: Checkout) -> bool:
    code, out, _ = checkout.make("play")
    return code == 0 and out.endswith("plays\n")


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the set-up has not come to that step"
        time.sleep(0.01)


PACKAGES = ("engine", "bot", "sandbox")
FOR_READERS = {".md", ".pyc"}
"""Files beside the modules that no program reads: a package's own page, and what Python made of a module."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, because a build writes into its source."""
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    _pip("wheel", "--no-build-isolation", "--wheel-dir", str(out), str(copy))
    [built] = out.iterdir()
    return built


@pytest.mark.deep
def test_a_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        brought = {name for name in archive.namelist() if ".dist-info/" not in name}
    there = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in FOR_READERS
    }
    assert brought == there


@pytest.mark.deep
async def test_what_was_installed_plays_without_the_checkout(
    wheel: Path, tmp_path: Path, unused_tcp_port: int
) -> None:
    _pip("install", "--no-index", "--target", str(tmp_path / "site"), str(wheel))
    commands, environment = tmp_path / "site" / "bin", os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    assert "backup" in _printed([str(commands / "fifteen-two"), "--help"], tmp_path, environment)

    sandbox = await asyncio.create_subprocess_exec(
        *(commands / "fifteen-two-sandbox", "--port", str(unused_tcp_port)),
        cwd=tmp_path,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert sandbox.stdout is not None
    assert sandbox.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            while not (told := (await sandbox.stdout.readline()).decode()).startswith("Open "):
                assert told, (await sandbox.stderr.read()).decode()
            script = f"{told.split()[1]}/static/js/main.js"
            async with aiohttp.ClientSession() as session, session.get(script) as answer:
                assert answer.status == 200
            while b"connected as Fifteen Two" not in await sandbox.stderr.readline():
                assert sandbox.returncode is None
    finally:
        sandbox.send_signal(signal.SIGINT)
        await sandbox.communicate()
    assert sandbox.returncode == 0


def _pip(*arguments: str) -> None:
    _printed([sys.executable, "-m", "pip", "--quiet", *arguments, "--no-deps"], ROOT, os.environ)


def _printed(command: list[str], folder: Path, environment: os._Environ[str] | dict[str, str]) -> str:
    run = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout
