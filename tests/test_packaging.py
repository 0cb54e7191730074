"""`pip install .` installs every module, every file that they read, and the two commands."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import aiohttp
import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
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
