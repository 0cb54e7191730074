"""Errors at start-up are one line of the log, with the exit status of their kind and without the token."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandbox.server import Sandbox
from tests.end_to_end import altered
from tests.end_to_end.bot_process import AS_EVERYBODY_RUNS_IT, BotProcess, environment, troubles
from tests.end_to_end.nursery import Alteration, Nursery
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE

WRONG_TOKEN = "not-the-sandbox-token"


async def start_in_vain(
    directory: Path, *, altered_by: Alteration | None = None, **variables: str
) -> tuple[int, str]:
    """Run the bot with these variables until it ends by itself; its status, and its log."""
    nursery = Nursery.shared(*environment().items())
    process = await nursery.fork(directory, environment(**variables), altered_by)
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        errors = await process.stderr.read()
        return await process.wait(), errors.decode()


def assert_one_sentence(ending: tuple[int, str], *, says: str, token: str, status: int = 78) -> None:
    """Check the status, and that the log says so without the token: one line after the start's."""
    ended, errors = ending
    assert ended == status, errors
    lines = [line for line in errors.splitlines() if not re.search(" (DEBUG|INFO) ", line)]
    [line] = [line for line in lines if not re.search(r" WARNING .* tried again in \d+ s\.$", line)]
    assert errors.endswith(f"{line}\n")
    assert re.match(r"\d{4}-\d\d-\d\dT[\d:]+Z ERROR   bot: ", line)
    assert says in line
    assert line.endswith((".", ")"))
    assert "Traceback" not in errors
    assert not token or token not in errors


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"DISCORD_TOKEN": ""}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": "   "}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": "DISCORD_TOKEN=abc def"}, "DISCORD_TOKEN"),
        ({"LOG_LEVEL": "LOUD"}, "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR"),
        ({"DATABASE": "a-file/games.sqlite3"}, "set DATABASE to another file"),
        ({"METRICS": "127.0.0.1:{taken}"}, "METRICS names an address at which the bot cannot"),
    ],
    ids=["no token", "a blank token", "a whole line", "level", "no directory", "address for metrics"],
)
async def test_with_a_setting_that_makes_no_sense(
    tmp_path: Path, unused_tcp_port: int, variables: dict[str, Any], says: str
) -> None:
    (tmp_path / "a-file").write_text("not a directory")
    variables = {"DISCORD_TOKEN": WRONG_TOKEN} | {
        name: value.format(taken=unused_tcp_port) for name, value in variables.items()
    }
    with socket.create_server(("127.0.0.1", unused_tcp_port)):
        ending = await start_in_vain(tmp_path, **variables)
    assert_one_sentence(ending, says=says, token=variables["DISCORD_TOKEN"].strip())
    if says == "DISCORD_TOKEN":
        assert os.listdir(tmp_path) == ["a-file"], "no database is left behind"


async def test_with_a_token_that_discord_does_not_know(sandbox: Sandbox, tmp_path: Path) -> None:
    ending = await start_in_vain(tmp_path, DISCORD_TOKEN=WRONG_TOKEN, DISCORD_URL=sandbox.url)
    assert_one_sentence(ending, says="Discord does not accept DISCORD_TOKEN", token=WRONG_TOKEN)


async def test_with_a_connection_that_discord_refuses(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.gateway.trouble.refusals[None] = 4011
    ending = await start_in_vain(
        tmp_path, DISCORD_TOKEN=sandbox.token, DISCORD_URL=sandbox.url, LOG_LEVEL="WARNING"
    )
    assert_one_sentence(ending, says="more shards (close code 4011)", token=sandbox.token, status=75)


async def test_a_token_that_is_reset_in_the_middle_of_a_run(sandbox: Sandbox, tmp_path: Path) -> None:
    process = BotProcess(sandbox, tmp_path / "games.sqlite3")
    async with process:
        await sandbox.gateway.end(4004)
        await process.ended()
        assert await process.stop() == 78
    [line] = process.troubles
    assert "Discord does not accept DISCORD_TOKEN" in line


async def test_with_commands_that_discord_refuses(sandbox: Sandbox, tmp_path: Path) -> None:
    process = BotProcess(sandbox, tmp_path / "games.sqlite3")
    async with process:
        assert await process.stop() == 0
        with closing(sqlite3.connect(process.database)) as connection, connection:
            connection.execute("UPDATE commands SET digest = 'of an older bot'")
        sandbox.refusals.refuse("PUT", "/applications/{}/commands", code=50001)
        await process.start()
        await sandbox.people["Ada"].until(lambda: sandbox.refusals.refused, timeout=PATIENCE)
        people = [sandbox.people["Ada"], sandbox.people["Ben"]]
        await Table.begin(sandbox.channels["cribbage"], people, length=61)
        assert await process.stop() == 0
    [line] = process.troubles
    assert line.endswith("Discord refuses the bot's new commands until the next start: Forbidden 403 50001")


async def test_when_discord_cannot_be_reached_it_is_tried_again_until_the_time_is_over(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}"
    ending = await start_in_vain(
        tmp_path, altered_by=altered.impatient, DISCORD_TOKEN=WRONG_TOKEN, DISCORD_URL=url
    )
    assert_one_sentence(ending, says="Discord cannot be reached", token=WRONG_TOKEN, status=75)
    assert "tried again in" in ending[1]


async def test_a_bot_that_was_there_before_discord_plays_once_that_comes(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    async with Sandbox(port=unused_tcp_port) as sandbox:
        await sandbox.close()
        bot = BotProcess(sandbox, tmp_path / "games.sqlite3")
        await bot.launch()
        async with asyncio.timeout(PATIENCE):
            while not any("tried again" in line for line in bot.log):  # noqa: ASYNC110 -- another process
                await asyncio.sleep(0.02)
    async with Sandbox(port=unused_tcp_port) as there:
        async with asyncio.timeout(PATIENCE):
            while not there.gateway.bot_is_online:  # noqa: ASYNC110 -- another process
                await asyncio.sleep(0.02)
        bot.send(signal.SIGTERM)
        assert await bot.ended() == 0
    assert all("tried again" in line for line in bot.troubles)


async def test_it_can_be_stopped_while_it_waits_for_discord(tmp_path: Path, unused_tcp_port: int) -> None:
    nursery = Nursery.shared(*environment().items())
    known = {"DISCORD_TOKEN": WRONG_TOKEN, "DISCORD_URL": f"http://127.0.0.1:{unused_tcp_port}"}
    process = await nursery.fork(tmp_path, environment(**known))
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while b"tried again" not in await process.stderr.readline():
            assert process.returncode is None
        process.send_signal(signal.SIGTERM)
        rest = (await process.stderr.read()).decode().splitlines()
        assert await process.wait() == 0
    assert rest[-1].endswith("INFO    bot: ended: asked to, by SIGTERM")


def sqlite_of(statements: str) -> Callable[[Path], None]:
    """Makes a SQLite database by these statements."""

    def make(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(statements)

    return make


FROM_THE_FUTURE = sqlite_of(
    "PRAGMA application_id = 0x31352D32; PRAGMA user_version = 999; CREATE TABLE games (id TEXT)"
)
OF_DEVELOPMENT = sqlite_of(
    "PRAGMA application_id = 0x31352D32; PRAGMA user_version = 44; CREATE TABLE games (id TEXT)"
)
OF_ANOTHER_PROGRAM = sqlite_of("CREATE TABLE recipes (name TEXT)")


def damaged(path: Path) -> None:
    """A file that is not a database."""
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (FROM_THE_FUTURE, "written by a newer bot (version 999"),
        (OF_DEVELOPMENT, "written by a development version before 1.0 (version 44"),
        (OF_ANOTHER_PROGRAM, "it belongs to another program"),
        (damaged, "cannot be used"),
        (Path.mkdir, "cannot be used"),
    ],
    ids=["newer", "development", "foreign", "damaged", "directory"],
)
async def test_with_a_database_that_cannot_be_used(
    tmp_path: Path, prepare: Callable[[Path], None], says: str
) -> None:
    path = tmp_path / "games.sqlite3"
    prepare(path)
    before = path.read_bytes() if path.is_file() else None
    ending = await start_in_vain(tmp_path, DISCORD_TOKEN=WRONG_TOKEN, DATABASE=str(path))
    assert_one_sentence(ending, says=says, token=WRONG_TOKEN)
    assert (path.read_bytes() if path.is_file() else None) == before, "it was left as it is"


@pytest.mark.deep
async def test_json_logs_are_json_line_by_line_and_know_no_token(sandbox: Sandbox, tmp_path: Path) -> None:
    bot = BotProcess(
        sandbox,
        tmp_path / "games.sqlite3",
        {"LOG_FORMAT": "json", "LOG_LEVEL": "DEBUG"},
        program=AS_EVERYBODY_RUNS_IT,
        has_pictures=False,  # that it uploads them is logged at once
    )
    async with bot:
        await Table.begin(sandbox.channels["cribbage"], [sandbox.people["Ada"], sandbox.people["Ben"]])
        assert await bot.stop() == 0
    assert {json.loads(line)["level"] for line in bot.log} == {"DEBUG", "INFO"}, (
        "the one says what the other does not"
    )
    for line in bot.log:
        said = json.loads(line)
        assert {"timestamp", "level", "logger", "message"} <= said.keys()
        assert sandbox.token not in line


async def test_a_second_bot_on_a_database_waits_ten_seconds_and_says_so(
    sandbox: Sandbox, bot: BotProcess, tmp_path: Path
) -> None:
    began = asyncio.get_running_loop().time()
    known: dict[str, Any] = {
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_URL": sandbox.url,
        "DATABASE": str(bot.database),
    }
    ending = await start_in_vain(tmp_path, **known)
    assert_one_sentence(ending, says="Another bot runs on the database", token=sandbox.token, status=75)
    assert 10 <= asyncio.get_running_loop().time() - began < 25


async def test_a_database_with_a_broken_page_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with BotProcess(sandbox, path):
        pass
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    ending = await start_in_vain(
        tmp_path, DISCORD_TOKEN=sandbox.token, DISCORD_URL=sandbox.url, DATABASE=str(path)
    )
    assert_one_sentence(ending, says="is damaged", token=sandbox.token)


async def test_the_last_sentence_is_json_where_the_log_is(tmp_path: Path) -> None:
    wrong: dict[str, Any] = {"DISCORD_TOKEN": WRONG_TOKEN, "DATABASE": str(tmp_path)}
    for variables in ({}, wrong):
        status, errors = await start_in_vain(tmp_path, LOG_FORMAT="json", **variables)
        *_, last = map(json.loads, errors.splitlines())
        assert (status, last["level"], last["logger"]) == (78, "ERROR", "bot")


BLOCKED = [
    "2026-11-25T04:00:00Z WARNING discord.gateway: Shard ID 0 heartbeat blocked for more than 10 seconds.",
    "Loop thread traceback (most recent call last):",
    '  File "bot/client.py", line 1, in start',
    "    await self.connect()",
]
BEHIND = "2026-11-25T04:00:00Z WARNING discord.gateway: Can't keep up, shard ID 0 websocket is 12.0s behind."
TOLD_LATER = "2026-11-25T04:00:00Z WARNING bot.sync.sync: k3f9a is told later: TimeoutError"
FINE = "2026-11-25T04:00:00Z INFO    bot.client: connected"


def test_what_a_slow_machine_alone_brings_about_is_no_trouble() -> None:
    assert troubles([FINE, *BLOCKED, BEHIND, *BLOCKED, FINE]) == []


def test_any_other_warning_is_and_so_is_output_that_is_no_log_line() -> None:
    stack = ["Traceback (most recent call last):", *BLOCKED[2:], "ValueError: no cards"]
    assert troubles([FINE, TOLD_LATER]) == [TOLD_LATER]
    assert troubles([*BLOCKED, TOLD_LATER, *stack]) == [TOLD_LATER, *stack]
    assert troubles([FINE, *stack]) == stack
