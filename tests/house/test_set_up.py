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


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the set-up needs, and a `python3` whose abilities are files in it."""
    if shutil.which("make") is None or sys.platform == "win32":
        pytest.skip("needs make: sudo apt install make")
    for name in ("Makefile", "check_python.sh", *(path.name for path in ROOT.glob("requirements*.txt"))):
        shutil.copy(ROOT / name, tmp_path)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in {"python3": PYTHON, "uname": "#!/bin/sh\ncat uname\n"}.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    run_on(tmp_path, "Linux", "ID=debian")
    return tmp_path


def run_on(checkout: Path, uname: str, os_release: str) -> None:
    """Let the machine be of that kind."""
    (checkout / "uname").write_text(uname, encoding="utf-8")
    (checkout / "os-release").write_text(os_release, encoding="utf-8")


def started(checkout: Path, *arguments: str) -> subprocess.Popen[str]:
    """`make` in a process group of its own, with its output."""
    of_make = ("MAKE", "MFLAGS", "PYTHON")  # `make test PYTHON=...` hands them on to all that it runs
    ours = {name: value for name, value in os.environ.items() if not name.startswith(of_make)}
    path = f"{checkout / 'programs'}{os.pathsep}{ours['PATH']}"
    return subprocess.Popen(
        ["make", *arguments],
        cwd=checkout,
        env=ours | {"PATH": path, "OS_RELEASE": str(checkout / "os-release")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def made(checkout: Path, *arguments: str) -> tuple[int, str, str]:
    """The exit code of `make`, what was printed, and what was complained of except by make itself."""
    process = started(checkout, *arguments)
    out, complaints = process.communicate(timeout=PATIENCE)
    others = (line for line in complaints.splitlines(keepends=True) if not line.startswith("make: "))
    return process.returncode, out, "".join(others)


def kill_at(checkout: Path, step: str) -> None:
    """Run `make play` until it is in the middle of that step, and end all of it with SIGKILL."""
    (checkout / "stop at").write_text(step, encoding="utf-8")
    process = started(checkout, "play")
    end = time.monotonic() + PATIENCE
    while not (checkout / "stopped").exists():
        assert time.monotonic() < end, "the set-up has not come to that step"
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    (checkout / "stopped").unlink()
    (checkout / "stop at").unlink()


@pytest.mark.deep
def test_a_python_without_ensurepip_is_one_sentence_and_the_next_run_with_one_plays(
    checkout: Path,
) -> None:
    (checkout / "without ensurepip").touch()
    for uname, os_release, install in SYSTEMS:
        run_on(checkout, uname, os_release)
        code, _, said = made(checkout, "play")
        needs = "python3 cannot make .venv without its module ensurepip"
        assert (code != 0, said) == (True, f"{needs}: {install}, then run make again.\n")
    (checkout / "without ensurepip").unlink()
    assert _plays(checkout)


@pytest.mark.deep
def test_what_the_set_up_of_an_older_version_left_behind_is_made_anew(checkout: Path) -> None:
    broken = checkout / ".venv" / "bin" / "python"
    broken.parent.mkdir(parents=True)
    broken.touch(0o755)
    assert _plays(checkout)


@pytest.mark.deep
def test_a_python_that_is_too_old_or_too_new_or_not_there_is_one_sentence(checkout: Path) -> None:
    for condition, told in (
        ("old", "python3 is Python 3.9"),
        ("new", "python3 is Python 3.15"),  # without wheels: a compiler would fail much later
        ("away", "python3.99 cannot be run"),
    ):
        (checkout / condition).touch()
        code, _, said = made(checkout, "play", *(("PYTHON=python3.99",) if condition == "away" else ()))
        (checkout / condition).unlink()
        assert code != 0
        assert said.startswith(f"Fifteen Two needs Python 3.11 to 3.14, and {told}: sudo apt install ")
        assert said.count("\n") == 1
        assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("step", ["folder", "packages"])
@pytest.mark.deep
def test_a_set_up_that_is_killed_leaves_nothing_that_passes_for_a_finished_one(
    checkout: Path, step: str
) -> None:
    kill_at(checkout, step)
    assert (checkout / ".venv").exists()
    assert _plays(checkout)


@pytest.mark.deep
def test_a_change_of_packages_that_is_killed_leaves_nothing_that_passes_for_a_finished_one(
    checkout: Path,
) -> None:
    assert _plays(checkout)
    os.utime(checkout / ".venv" / ".runtime", (0, 0))
    (checkout / ".venv" / "bin" / "uv").unlink()
    kill_at(checkout, "packages")
    assert _plays(checkout)


@pytest.mark.deep
def test_packages_that_cannot_be_reached_are_fetched_by_the_next_run(checkout: Path) -> None:
    (checkout / "without network").touch()
    assert made(checkout, "play")[0] != 0
    (checkout / "without network").unlink()
    assert _plays(checkout)


def test_a_finished_set_up_is_kept(checkout: Path) -> None:
    assert _plays(checkout)
    (checkout / "without ensurepip").touch()
    code, out, _ = made(checkout, "play")
    assert (code, out) == (0, "plays\n")


def _plays(checkout: Path) -> bool:
    code, out, _ = made(checkout, "play")
    return code == 0 and out.endswith("plays\n")


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
