"""`make foreign`: bots written in other libraries against the sandbox, fifteen steps each.

discord.js takes three more, as an application that people have installed (`BETWEEN_PEOPLE`).

They are installed into `build/foreign` at the versions of `requirements.txt` and `package-lock.json`. Without
node only hikari's bot is tried. With `--record`, what each library sends is written to `tests/data/foreign`,
from which `tests/sandbox/test_libraries.py` plays it again without node or hikari.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from engine.output import escape_what_cannot_be_written
from programs.foreign.recorder import Recorder
from programs.foreign.steps import BETWEEN_PEOPLE, STEPS, Steps, walk
from sandbox.model.interactions import Deadlines
from sandbox.server import Sandbox
from tests.patience import PATIENCE

HERE = Path(__file__).parent
BUILD = Path("build/foreign")
RECORDINGS = HERE.parents[1] / "tests/data/foreign"
PATIENCE_OF_A_STEP = 20.0
_PATIENCE_AT_THE_END = 10.0


@dataclass(frozen=True, slots=True)
class Library:
    """A library with its bot."""

    name: str
    prepare: Callable[[], Sequence[str]]
    """Installs it; returns the command that runs its bot."""
    further: Mapping[str, Callable[[Steps], Awaitable[None]]] = field(default_factory=dict)
    """Steps after those of all, which are not recorded."""


def _hikari() -> Sequence[str]:
    python = BUILD / "venv/bin/python"
    requirements = HERE / "requirements.txt"
    if _is_new(requirements, BUILD / "hikari.txt"):
        print("Installing hikari ...", flush=True)
        _run(sys.executable, "-m", "venv", "--clear", str(BUILD / "venv"))
        options = ("--quiet", "--disable-pip-version-check", "--require-hashes")
        _run(str(python), "-m", "pip", "install", *options, "-r", str(requirements))
        shutil.copy(requirements, BUILD / "hikari.txt")
    return str(python), "-W", "ignore", str(HERE / "hikari_bot.py")


def _discordjs() -> Sequence[str]:
    lock = HERE / "package-lock.json"
    if _is_new(lock, BUILD / "discordjs.json"):
        print("Installing discord.js ...", flush=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, BUILD / name)
        _run("npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", folder=BUILD)
        shutil.copy(lock, BUILD / "discordjs.json")
    bot = shutil.copy(HERE / "discordjs_bot.mjs", BUILD)  # beside the packages, where node looks for them
    return "node", str(bot)


LIBRARIES = (Library("discord.js", _discordjs, BETWEEN_PEOPLE), Library("hikari", _hikari))


def main() -> int:
    """Try each library; returns 1 if a step failed."""
    escape_what_cannot_be_written()
    parser = argparse.ArgumentParser(prog="python -m programs.foreign", description="Other libraries' bots.")
    parser.add_argument("--record", action="store_true", help="write what they send to tests/data/foreign")
    parser.add_argument("--only", choices=[each.name for each in LIBRARIES], help="try one library")
    given = parser.parse_args()
    BUILD.mkdir(parents=True, exist_ok=True)
    failed = 0
    for library in LIBRARIES:
        if given.only not in (None, library.name):
            continue
        if library.prepare is _discordjs and not (shutil.which("node") and shutil.which("npm")):
            print("discord.js is left out: install node 20 or newer and npm (Debian: nodejs, npm).")
            continue
        failed += asyncio.run(_try(library, is_recorded=given.record))
    return 1 if failed else 0


async def _try(library: Library, *, is_recorded: bool) -> int:
    """Lead one bot through the steps and print a line for each; returns the number that failed."""
    command = library.prepare()
    taken = STEPS if is_recorded else {**STEPS, **library.further}
    async with AsyncExitStack() as stack:
        sandbox = await stack.enter_async_context(Sandbox(deadlines=Deadlines(first_answer=PATIENCE)))
        recorder = await stack.enter_async_context(Recorder(sandbox)) if is_recorded else None
        steps = Steps(sandbox, patience=PATIENCE_OF_A_STEP)
        process = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, env=os.environ | {"URL": sandbox.url, "TOKEN": sandbox.token}
        )
        try:
            assert process.stdout is not None
            version = (await process.stdout.readline()).decode().strip()
            outcomes = await walk(steps, taken)
        finally:
            if process.returncode is None:
                process.terminate()
            async with asyncio.timeout(_PATIENCE_AT_THE_END):
                await process.communicate()
        for number, (name, trouble) in enumerate(outcomes, 1):
            print(f"{version} · {number:2} · {name}: {'passed' if trouble is None else trouble}")
        failed = sum(trouble is not None for _, trouble in outcomes)
        print(f"{version}: {len(taken) - failed} of {len(taken)} passed", flush=True)
        if recorder is not None and not failed:
            RECORDINGS.mkdir(exist_ok=True)
            told = json.dumps(recorder.recording(version), indent=1, ensure_ascii=False)
            (RECORDINGS / f"{version.partition(' ')[0]}.json").write_text(f"{told}\n", encoding="utf-8")
    return failed


def _is_new(wanted: Path, installed: Path) -> bool:
    return not installed.exists() or installed.read_bytes() != wanted.read_bytes()


def _run(*command: str, folder: Path | None = None) -> None:
    subprocess.run(command, check=True, cwd=folder)


if __name__ == "__main__":
    sys.exit(main())
