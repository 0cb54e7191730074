"""`python -m sandbox` as a process: it serves, prints its address, and ends on a signal."""

import asyncio
import re
import signal
import sys
from pathlib import Path

import aiohttp

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


async def _start(*arguments: str, cwd: Path = ROOT, **environment: str) -> asyncio.subprocess.Process:
    import os

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
    async with asyncio.timeout(20):
        return (await process.stdout.readline()).decode().strip()


async def _end(process: asyncio.subprocess.Process, how: signal.Signals) -> None:
    process.send_signal(how)
    async with asyncio.timeout(20):
        _, errors = await process.communicate()

    assert (process.returncode, errors.decode()) == (0, "")


async def test_it_serves_and_a_second_one_takes_the_next_port() -> None:
    first = await _start("--no-bot", "--port", "18152")
    told = await _line(first)
    url = re.search(r"http://127\.0\.0\.1:\d+", told)
    assert url is not None, told
    port = url[0].rsplit(":", 1)[1]
    async with aiohttp.ClientSession() as session, session.get(url[0] + "/page/people") as response:
        assert len((await response.json())["people"]) == 4

    second = await _start("--no-bot", "--port", port)
    assert await _line(second) == f"Port {port} is taken, so this is on port {int(port) + 1}."
    assert f":{int(port) + 1} " in await _line(second)
    await _end(second, signal.SIGTERM)
    await _end(first, signal.SIGINT)


async def test_a_bot_that_falls_over_is_started_again_and_ends_with_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "sandbox").symlink_to(ROOT / "sandbox")
    marks = tmp_path / "marks"
    marks.write_text("")
    process = await _start("--port", "18252", cwd=tmp_path, MARKS=str(marks))
    assert (await _line(process)).startswith("Open http://127.0.0.1:")
    assert await _line(process) == "The bot ended with status 3; starting it again."
    async with asyncio.timeout(20):
        while len(marks.read_text().splitlines()) < 2:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)

    await _end(process, signal.SIGINT)
    url, database = marks.read_text().splitlines()[1].split()
    assert url.startswith("http://127.0.0.1:")
    assert database.endswith("play.sqlite3")
