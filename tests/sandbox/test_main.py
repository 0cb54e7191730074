"""`python -m sandbox` as a process: it says what it does, serves, and ends on a signal."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.ending import TO_MEND
from sandbox.server import TOKEN, Sandbox
from tests.end_to_end.bot_process import AS_EVERYBODY_RUNS_IT, BotProcess
from tests.patience import PATIENCE

STARTING = "Starting Discord on this machine ..."
STARTING_THE_BOT = "Starting the bot ..."

ROOT = Path(__file__).parents[2]
BOT = """
import asyncio, os, pathlib, sys
marks = pathlib.Path(os.environ["MARKS"])
marks.write_text(marks.read_text() + os.environ["DISCORD_URL"] + " " + os.environ["DATABASE"] + "\\n")
if len(marks.read_text().splitlines()) == 1:
    sys.exit(3)
asyncio.run(asyncio.sleep(60))
"""
"""Stands in for the bot: records that it was started, exits the first time, then keeps running."""

SHARING_BOT = """
import asyncio, os, pathlib
own = pathlib.Path(f"{os.getpid()}.shards")
own.with_suffix(".new").write_text(os.environ["SHARDS"] + " " + os.environ["DATABASE"])
own.with_suffix(".new").rename(own)
asyncio.run(asyncio.sleep(60))
"""
"""Stands in for a process of the bot, and tells which shards are its own."""

AS_ON_WINDOWS = """
import asyncio, sys
def refuse(*_):
    raise NotImplementedError
asyncio.SelectorEventLoop.add_signal_handler = refuse
sys.modules["uvloop"] = None
"""
"""Python reads it at each start, in the sandbox's process and in the bot's."""


async def _start(*arguments: str, cwd: Path = ROOT, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sandbox",
        *arguments,
        cwd=cwd,
        env=os.environ | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def _line(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        return (await process.stdout.readline()).decode().strip()


async def _opened(process: asyncio.subprocess.Process, *before: str) -> str:
    """Read the lines `before` and the one that tells where to play; that address."""
    assert [await _line(process) for _ in before] == list(before)
    told = await _line(process)
    url = re.fullmatch(r"Open (http://127\.0\.0\.1:\d+) to play\. Ctrl-C ends it\.", told)
    assert url is not None, told
    return url[1]


async def _end(process: asyncio.subprocess.Process, how: signal.Signals) -> None:
    process.send_signal(how)
    async with asyncio.timeout(PATIENCE):
        _, errors = await process.communicate()

    assert (process.returncode, errors.decode()) == (0, "")


@pytest.mark.deep
async def test_it_serves_and_a_second_one_takes_another_port(unused_tcp_port: int) -> None:
    first = await _start("--no-bot", "--port", str(unused_tcp_port))
    url = await _opened(first, STARTING)
    async with aiohttp.ClientSession() as session, session.get(url + "/page/people") as response:
        assert len((await response.json())["people"]) == 4

    taken = url.rsplit(":", 1)[1]
    second = await _start("--no-bot", "--port", taken)
    assert await _line(second) == STARTING
    port = re.fullmatch(rf"Port {taken} is taken, so this is on port (\d+)\.", await _line(second))
    assert port is not None
    assert (await _opened(second)).endswith(f":{port[1]}")
    await _end(second, signal.SIGTERM)
    await _end(first, signal.SIGINT)


async def test_a_bot_that_falls_over_is_started_again_and_ends_with_the_sandbox(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    for package in ("sandbox", "engine"):
        (tmp_path / package).symlink_to(ROOT / package)
    marks = tmp_path / "marks"
    marks.write_text("")
    process = await _start("--port", str(unused_tcp_port), cwd=tmp_path, MARKS=str(marks))
    await _opened(process, STARTING, STARTING_THE_BOT)
    assert await _line(process) == "The bot ended with status 3; starting it again."
    async with asyncio.timeout(PATIENCE):
        while len(marks.read_text().splitlines()) < 2:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)

    await _end(process, signal.SIGINT)
    url, database = marks.read_text().splitlines()[1].split()
    assert url.startswith("http://127.0.0.1:")
    assert database.endswith("play.sqlite3")
    assert not Path(database).parent.exists(), "its games go with it"


@pytest.mark.deep
async def test_a_bot_that_only_a_person_can_mend_ends_it_with_the_bot_s_sentence(
    unused_tcp_port: int, tmp_path: Path
) -> None:
    process = await _start(
        "--port", str(unused_tcp_port), cwd=tmp_path, REQUESTS_A_SECOND="many", PYTHONPATH=str(ROOT)
    )
    async with asyncio.timeout(PATIENCE):
        told, errors = await process.communicate()
    assert process.returncode == TO_MEND
    assert told.decode().splitlines()[-1] == (
        f"The bot ended with status {TO_MEND}: mend what its last line says, and start again."
    )
    assert len(errors.splitlines()) == 1
    assert b"REQUESTS_A_SECOND" in errors


def _as_on_windows(folder: Path) -> dict[str, str]:
    """Variables under which Python has no uvloop and event loops take no signal handlers."""
    (folder / "sitecustomize.py").write_text(AS_ON_WINDOWS)
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


@pytest.mark.deep
async def test_sandbox_and_bot_run_and_end_without_signal_handlers(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    process = await _start("--port", str(unused_tcp_port), cwd=tmp_path, **_as_on_windows(tmp_path))
    await _opened(process, STARTING, STARTING_THE_BOT)
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while b"connected as Fifteen Two" not in await process.stderr.readline():
            assert process.returncode is None
    process.send_signal(signal.SIGINT)
    async with asyncio.timeout(PATIENCE):
        _, errors = await process.communicate()
    assert process.returncode == 0
    assert b"Traceback" not in errors


@pytest.mark.deep
async def test_the_bot_ends_by_ctrl_c_without_signal_handlers(sandbox: Sandbox, tmp_path: Path) -> None:
    database, settings = tmp_path / "games.sqlite3", _as_on_windows(tmp_path)
    bot = BotProcess(sandbox, database, settings, program=AS_EVERYBODY_RUNS_IT)
    async with bot:
        assert await bot.stop(signal.SIGINT) == 0
    assert not bot.troubles, "\n".join(bot.troubles)


@pytest.mark.deep
def test_several_processes_want_a_database_that_they_can_share() -> None:
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE"}
    for arguments, said in (
        (("--shards", "4", "--processes", "2"), "set DATABASE=postgresql://..., an empty one"),
        (("--shards", "2", "--processes", "3"), "at least one for each process"),
    ):
        command = (sys.executable, "-m", "sandbox", *arguments)
        refused = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert refused.returncode == 2
        assert said in refused.stderr


@pytest.mark.deep
async def test_two_processes_of_the_bot_share_four_shards(tmp_path: Path, unused_tcp_port: int) -> None:
    """With stand-ins for the bot: how real ones share shards is in `tests/end_to_end/test_processes.py`."""
    (tmp_path / "bot.py").write_text(SHARING_BOT)
    for package in ("sandbox", "engine"):
        (tmp_path / package).symlink_to(ROOT / package)
    process = await _start(
        *("--port", str(unused_tcp_port), "--shards", "4", "--processes", "2"),
        cwd=tmp_path,
        DATABASE="postgresql://here/crib",
    )
    url = await _opened(process, STARTING, STARTING_THE_BOT)
    async with asyncio.timeout(PATIENCE):
        while len(_shards_told(tmp_path)) < 2:  # noqa: ASYNC110 - other processes
            await asyncio.sleep(0.05)
    headers = {"Authorization": f"Bot {TOKEN}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{url}/api/v10/gateway/bot") as answer,
    ):
        assert (await answer.json())["shards"] == 4
    await _end(process, signal.SIGINT)
    assert _shards_told(tmp_path) == ["0-1/4 postgresql://here/crib", "2-3/4 postgresql://here/crib"]


def _shards_told(folder: Path) -> list[str]:
    """The output of `SHARING_BOT`, of all processes."""
    return sorted(each.read_text() for each in folder.glob("*.shards"))
