"""The lines of the bot's log that fail a test."""

from __future__ import annotations

from tests.end_to_end.bot_process import troubles

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
