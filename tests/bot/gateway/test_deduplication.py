"""Two processes hear of a press, and one answers it."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.concurrency.waited import WAITED
from bot.gateway.deduplication import KEPT, InteractionDeduplicator
from bot.model.shards import shard_of
from tests.bot.leaping_loop import leaping

GUILD = 3 << 22
SHARD = shard_of(GUILD, 4)


class Process:
    """A gate, and what has come through it."""

    def __init__(self) -> None:
        self.now = 100.0
        self.answered: list[int] = []
        self.waited: list[float] = []
        """By answered press: the time (s) for which it has waited."""
        self.passed: list[int] = []
        self.gate = InteractionDeduplicator(
            4,
            self._answer,
            lambda: self.now,
            is_in=lambda guild: guild == GUILD,
            pass_on=lambda press: self.passed.append(int(press["id"])),
        )

    def _answer(self, press: dict[str, Any]) -> None:
        self.answered.append(int(press["id"]))
        self.waited.append(WAITED.get())

    def hears(self, press: int, guild: int | None = GUILD) -> None:
        told: dict[str, Any] = {"id": str(press)}
        self.gate.receive(told if guild is None else told | {"guild_id": str(guild)})


def test_a_press_is_answered_by_the_process_that_has_its_shard() -> None:
    here, there = Process(), Process()
    here.gate.open(SHARD, frozenset())
    there.gate.open(0, frozenset())

    for process in (here, there):
        process.hears(1)
        process.hears(2, guild=None)

    assert (here.answered, there.answered) == ([1], [2])


def test_what_is_pressed_while_a_shard_changes_hands_is_answered_once() -> None:
    old, new = Process(), Process()
    old.gate.open(SHARD, frozenset())
    old.hears(1)
    new.hears(1)
    taken = old.gate.close(SHARD)
    for process in (new, old):
        process.hears(2)
    new.gate.open(SHARD, taken)
    new.hears(3)
    old.hears(3)

    assert (old.answered, new.answered) == ([1], [2, 3])


def test_a_press_that_a_process_hears_late_is_not_answered_a_second_time() -> None:
    first, second, third = Process(), Process(), Process()
    first.gate.open(SHARD, frozenset())
    first.hears(1)
    second.gate.open(SHARD, first.gate.close(SHARD))
    second.hears(1)  # its connection lags
    second.hears(2)
    third.gate.open(SHARD, second.gate.close(SHARD))
    third.hears(1)
    third.hears(2)
    third.hears(3)

    assert (first.answered, second.answered, third.answered) == ([1], [2], [3])


def test_a_press_that_waited_too_long_is_not_answered_any_more() -> None:
    process = Process()
    process.hears(1)
    process.now += KEPT + 0.1
    process.hears(2)
    process.gate.open(SHARD, frozenset())

    assert process.answered == [2]


def test_a_press_that_waited_too_long_is_not_answered_though_nobody_has_pressed_since() -> None:
    process = Process()
    process.hears(1)
    process.now += KEPT + 0.1
    process.gate.open(SHARD, frozenset())

    assert process.answered == []


def test_what_was_answered_is_not_answered_again_when_the_shard_goes_and_comes_back() -> None:
    """Nor by the next process: it may have kept the press all the while."""
    process = Process()
    process.hears(1)
    process.gate.open(SHARD, frozenset())
    assert process.gate.close(SHARD) == {1}
    process.gate.open(SHARD, frozenset())

    assert process.answered == [1]
    assert process.gate.close(SHARD) == {1}


def test_what_answers_a_press_knows_for_how_long_it_has_waited() -> None:
    process = Process()
    process.hears(1)
    process.now += 2.0
    process.gate.open(SHARD, frozenset())
    process.hears(2)

    assert (process.answered, process.waited) == ([1, 2], [2.0, 0.0])
    assert WAITED.get() == 0.0


def test_what_was_kept_for_nothing_is_dropped() -> None:
    process = Process()
    for press in range(1_000):
        process.hears(press)
        process.now += 1.0

    assert process.gate.waiting <= KEPT + 1


def test_who_gets_a_shard_back_answers_what_came_meanwhile() -> None:
    """The other process that had asked for it was gone."""
    process = Process()
    process.gate.open(SHARD, frozenset())
    process.gate.close(SHARD)
    process.hears(1)
    process.gate.open(SHARD, frozenset())

    assert process.answered == [1]


def test_what_the_holder_before_has_answered_is_forgotten_after_a_while() -> None:
    process = Process()
    process.gate.open(SHARD, frozenset({1, 2}))
    process.now += 20.0
    process.hears(3)

    assert process.gate.close(SHARD) == {3}


def test_who_gets_a_shard_back_says_still_what_it_has_answered() -> None:
    process = Process()
    process.gate.open(SHARD, frozenset())
    process.hears(1)
    assert process.gate.close(SHARD) == {1}
    process.gate.open(SHARD, frozenset())
    process.hears(2)

    assert process.gate.close(SHARD) == process.gate.close(SHARD) == {1, 2}


def test_of_what_was_taken_long_ago_nothing_is_kept() -> None:
    process = Process()
    process.gate.open(SHARD, frozenset())
    for press in range(100):
        process.hears(press)
        process.now += 1.0

    taken = process.gate.close(SHARD)
    assert max(taken) == 99
    assert len(taken) <= 17, "what was pressed before the last quarter of a minute is heard by nobody else"


@leaping
async def test_a_press_that_may_be_another_s_is_left_to_it_for_a_moment() -> None:
    process = Process()
    process.gate.open(SHARD, frozenset())
    process.gate.mark_uncertain(SHARD)
    process.hears(1)
    await asyncio.sleep(0.9)
    assert process.answered == []
    await asyncio.sleep(0.2)
    assert process.answered == [1]

    process.hears(2)
    process.gate.open(SHARD, frozenset())
    assert process.answered == [1, 2], "it is this one's, and is answered once"
    await asyncio.sleep(5)
    assert process.answered == [1, 2]

    process.gate.mark_uncertain(SHARD)
    process.hears(3)
    process.gate.close(SHARD)
    process.gate.mark_uncertain(SHARD)
    process.hears(4)
    await asyncio.sleep(5)
    assert process.answered == [1, 2], "it is being handed over"


def test_a_press_in_a_server_without_the_bot_is_answered_by_the_process_of_the_first_shard() -> None:
    here, there = Process(), Process()
    here.gate.open(SHARD, frozenset())
    there.gate.open(0, frozenset())
    elsewhere = GUILD + (4 << 22)
    assert shard_of(elsewhere, 4) == SHARD

    here.hears(1, elsewhere)
    there.hears(2, elsewhere)
    assert (here.answered, here.passed, there.passed) == ([], [1], [])
    for process in (here, there):
        process.gate.receive_passed({"id": "1", "guild_id": str(elsewhere)})

    assert (here.answered, there.answered) == ([], [2, 1])


def test_a_press_that_was_passed_on_while_the_first_shard_changes_hands_is_answered_once() -> None:
    old, new = Process(), Process()
    old.gate.open(0, frozenset())
    passed = {"id": "1", "guild_id": str(GUILD + (4 << 22))}
    for process in (old, new):
        process.gate.receive_passed(passed)
    taken = old.gate.close(0)
    for process in (old, new):
        process.gate.receive_passed(passed | {"id": "2"})
    new.gate.open(0, taken)

    assert (old.answered, new.answered) == ([1], [2])
