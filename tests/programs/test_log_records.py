"""Classification of the bot's log records as findings."""

from __future__ import annotations

import pytest

from programs.soak.log_records import complaints

NOW = "2026-11-21T12:24:14Z"
TRACEBACK = ["Traceback (most recent call last):", '  File "x.py", line 1, in f', "OSError: gone"]


@pytest.mark.parametrize(
    "lines",
    [
        [f"{NOW} INFO    bot.client: connected"],
        [f"{NOW} WARNING bot.telling: a message of g could not be drawn: OSError"],
        [f"{NOW} WARNING bot.clock: the clock of g goes again in 30 s", *TRACEBACK],
        [f"{NOW} WARNING bot.gateway.sharded_client: shard 0 is not connected (OSError)"],
    ],
)
def test_what_a_bath_explains_is_no_complaint(lines: list[str]) -> None:
    assert complaints([f"{NOW} INFO    bot.client: connected", *lines]) == []


@pytest.mark.parametrize(
    "lines",
    [
        [f"{NOW} ERROR   bot.sync: the log of g cannot be told", *TRACEBACK],
        [f"{NOW} CRITICAL bot.client: the end"],
        [f"{NOW} ERROR   asyncio: Task exception was never retrieved", *TRACEBACK],
        [f"{NOW} WARNING discord.client: unexpected error", *TRACEBACK],
    ],
)
def test_an_error_is_a_complaint_with_its_traceback(lines: list[str]) -> None:
    fine = f"{NOW} INFO    bot.client: connected"
    assert complaints([fine, *lines, fine]) == ["\n".join(lines)]


def test_what_the_interpreter_says_is_a_complaint_wherever_it_stands() -> None:
    reconnect = f"{NOW} WARNING bot.gateway.sharded_client: shard 0 is not connected (OSError)"
    assert complaints(TRACEBACK) == ["\n".join(TRACEBACK)]
    assert len(complaints([reconnect, "x.py:1: RuntimeWarning: coroutine 'f' was never awaited"])) == 1


def test_a_connection_left_open_is_a_complaint_unless_one_broke_on_purpose() -> None:
    reconnect = f"{NOW} WARNING bot.gateway.sharded_client: shard 0 is not connected (OSError)"
    left_open = [
        f"{NOW} INFO    bot.client: connected",
        "Exception ignored in: <function Connection.__del__ at 0x1>",
        "ResourceWarning: Unclosed connection",
    ]
    assert complaints(left_open) == ["\n".join(left_open)]
    assert complaints([reconnect, *left_open]) == []
