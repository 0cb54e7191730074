"""Two processes hear of a press, and one answers it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.concurrency.waited import WAITED, waited
from bot.gateway.deduplication import KEPT, InteractionDeduplicator
from bot.model.shards import shard_of
from tests.bot.clock import Clock
from tests.bot.leaping_loop import leaping

GUILD = 3 << 22
SHARD = shard_of(GUILD, 4)


def a_process() -> Any:
    """A gate, the presses that it has `answered` and `passed` on, and for how long each had `waited` (s)."""
    process = SimpleNamespace(clock=Clock(), answered=[], waited=[], passed=[])

    def answer(press: dict[str, Any]) -> None:
        process.answered.append(int(press["id"]))
        process.waited.append(WAITED.get())

    process.gate = InteractionDeduplicator(
        4,
        answer,
        process.clock,
        is_in=lambda guild: guild == GUILD,
        pass_on=lambda press: process.passed.append(int(press["id"])),
    )
    return process


def hears(process: Any, press: int, guild: int | None = GUILD) -> None:
    told: dict[str, Any] = {"id": str(press)}
    process.gate.receive(told if guild is None else told | {"guild_id": str(guild)})


def test_a_press_is_answered_by_the_process_that_has_its_shard() -> None:
    here, there = a_process(), a_process()
    here.gate.open(SHARD, frozenset())
    there.gate.open(0, frozenset())
    for process in (here, there):
        hears(process, 1)
        hears(process, 2, guild=None)
    assert (here.answered, there.answered) == ([1], [2])


def test_a_press_that_is_heard_while_a_shard_changes_hands_or_late_is_answered_once() -> None:
    first, second, third = a_process(), a_process(), a_process()
    first.gate.open(SHARD, frozenset())
    hears(first, 1)
    hears(second, 1)
    taken = first.gate.close(SHARD)
    for process in (second, first):
        hears(process, 2)
    second.gate.open(SHARD, taken)
    for process in (second, first):
        hears(process, 3)
    third.gate.open(SHARD, second.gate.close(SHARD))
    for press in (1, 2, 3, 4):  # its connection lags
        hears(third, press)
    assert (first.answered, second.answered, third.answered) == ([1], [2, 3], [4])


@pytest.mark.parametrize("since", [[], [2]], ids=["the last", "one of two"])
def test_a_press_that_waited_too_long_is_not_answered_any_more(since: list[int]) -> None:
    process = a_process()
    hears(process, 1)
    process.clock.now += KEPT + 0.1
    for press in since:
        hears(process, press)
    process.gate.open(SHARD, frozenset())
    assert process.answered == since


def test_who_gets_a_shard_back_answers_what_came_meanwhile_and_says_still_what_it_has_answered() -> None:
    """The next process may have kept the press all the while."""
    process = a_process()
    process.gate.open(SHARD, frozenset())
    hears(process, 1)
    assert process.gate.close(SHARD) == {1}
    hears(process, 2)
    process.gate.open(SHARD, frozenset())
    assert process.answered == [1, 2]
    assert process.gate.close(SHARD) == process.gate.close(SHARD) == {1, 2}


def test_what_answers_a_press_knows_for_how_long_it_has_waited() -> None:
    process = a_process()
    hears(process, 1)
    process.clock.now += 2.0
    with waited(0.5):
        hears(process, 2)
    process.gate.open(SHARD, frozenset())
    hears(process, 3)
    with waited(0.5):
        hears(process, 4)
    assert (process.answered, process.waited) == ([1, 2, 3, 4], [2.0, 0.5, 0.0, 0.5])
    assert WAITED.get() == 0.0


def test_what_was_kept_for_nothing_is_dropped() -> None:
    process = a_process()
    for press in range(1_000):
        hears(process, press)
        process.clock.now += 1.0
    assert process.gate.waiting <= KEPT + 1


def test_of_what_was_answered_long_ago_here_or_before_nothing_is_kept() -> None:
    process = a_process()
    process.gate.open(SHARD, frozenset({1_001, 1_002}))
    for press in range(100):
        hears(process, press)
        process.clock.now += 1.0
    taken = process.gate.close(SHARD)
    assert max(taken) == 99
    assert len(taken) <= 17, "what was pressed before the last quarter of a minute is heard by nobody else"


@leaping
async def test_a_press_that_may_be_another_s_is_left_to_it_for_a_moment() -> None:
    process = a_process()
    process.gate.open(SHARD, frozenset())
    process.gate.mark_uncertain(SHARD)
    hears(process, 1)
    await asyncio.sleep(0.9)
    assert process.answered == []
    await asyncio.sleep(0.2)
    assert process.answered == [1]

    hears(process, 2)
    process.gate.open(SHARD, frozenset())
    assert process.answered == [1, 2], "it is this one's, and is answered once"
    await asyncio.sleep(5)
    assert process.answered == [1, 2]

    process.gate.mark_uncertain(SHARD)
    hears(process, 3)
    process.gate.close(SHARD)
    process.gate.mark_uncertain(SHARD)
    hears(process, 4)
    await asyncio.sleep(5)
    assert process.answered == [1, 2], "it is being handed over"


def test_a_press_in_a_server_without_the_bot_is_answered_by_the_process_of_the_first_shard() -> None:
    here, there = a_process(), a_process()
    here.gate.open(SHARD, frozenset())
    there.gate.open(0, frozenset())
    elsewhere = GUILD + (4 << 22)
    assert shard_of(elsewhere, 4) == SHARD

    hears(here, 1, elsewhere)
    hears(there, 2, elsewhere)
    assert (here.answered, here.passed, there.passed) == ([], [1], [])
    for process in (here, there):
        process.gate.receive_passed({"id": "1", "guild_id": str(elsewhere)})

    assert (here.answered, there.answered) == ([], [2, 1])


def test_a_press_that_was_passed_on_while_the_first_shard_changes_hands_is_answered_once() -> None:
    old, new = a_process(), a_process()
    old.gate.open(0, frozenset())
    passed = {"id": "1", "guild_id": str(GUILD + (4 << 22))}
    for process in (old, new):
        process.gate.receive_passed(passed)
    taken = old.gate.close(0)
    for process in (old, new):
        process.gate.receive_passed(passed | {"id": "2"})
    new.gate.open(0, taken)

    assert (old.answered, new.answered) == ([1], [2])
