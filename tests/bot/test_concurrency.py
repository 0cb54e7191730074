"""Supervised tasks and locks by key."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from bot.concurrency.keyed_locks import KeyedLocks
from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from tests.bot.leaping_loop import leaping
from tests.patience import PATIENCE

KEY = ("clock", "k3f9a")


class NoUseError(OSError):
    """Final."""


class OutageError(Exception):
    """Transient."""


class Worker:
    """Work that records its starts and takes its next outcome from `todo`: a wait, an error, or success."""

    def __init__(self, *todo: float | Exception) -> None:
        self.todo = list(todo)
        self.began: list[float] = []
        self.ended = 0

    async def __call__(self) -> None:
        self.began.append(asyncio.get_running_loop().time())
        match self.todo.pop(0) if self.todo else 0.0:
            case Exception() as error:
                raise error
            case seconds:
                await asyncio.sleep(seconds)
        self.ended += 1


@asynccontextmanager
async def supervised() -> AsyncIterator[KeyedTasks]:
    """Tasks that are closed at the end."""
    tasks = KeyedTasks(passing=(OutageError,), final=(NoUseError,))
    yield tasks
    await tasks.close()


@leaping
async def test_what_is_of_no_use_to_try_again_ends_the_work_and_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worker = Worker(NoUseError())
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        await asyncio.sleep(1_000)
        assert (KEY in tasks, len(worker.began)) == (False, 1)
    assert caplog.records == []


@leaping
async def test_work_is_done_once_and_its_entry_is_gone_afterwards() -> None:
    worker = Worker(5.0)
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        assert KEY in tasks
        assert {task.get_name() for task in asyncio.all_tasks()} >= {"clock k3f9a"}
        await asyncio.sleep(6)
        assert (KEY in tasks, len(tasks), worker.ended) == (False, 0, 1)


@leaping
async def test_work_that_is_woken_while_it_is_under_way_is_done_once_more() -> None:
    worker = Worker(5.0)
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        await asyncio.sleep(1)
        assert not tasks.is_wanted_again(KEY)
        tasks.wake(KEY, worker)
        tasks.wake(KEY, worker)
        assert tasks.is_wanted_again(KEY)
        await asyncio.sleep(10)
        assert worker.began == [0, 5]


@leaping
async def test_work_that_failed_and_is_tried_again_is_counted_by_its_kind() -> None:
    worker = Worker(OutageError(), OutageError())
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        tasks.wake(("clock", "other"), Worker(60.0))
        tasks.wake(("tell", "k3f9a"), Worker(OutageError()))
        counted = []
        for seconds in (0.5, 1, 3):  # it is tried after 0, 1 and 3 seconds
            await asyncio.sleep(seconds)
            counted.append((tasks.failing("clock"), tasks.failing("tell")))
        assert counted == [(1, 1), (1, 0), (0, 0)]


@leaping
async def test_an_unexpected_exception_is_logged_with_its_key_and_the_work_started_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worker = Worker(ValueError("a fault"))
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        await asyncio.sleep(0.5)
        assert KEY in tasks
        await asyncio.sleep(1)
        assert (worker.began, worker.ended, len(tasks)) == ([0, 1], 1, 0)
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert "clock k3f9a" in record.getMessage()
    assert record.exc_info is not None


@pytest.mark.parametrize(
    ("error", "longest", "records"),
    [(ValueError(), 300, 12), (OutageError("5H"), 15, 12), (RetryLater(), 15, 0)],
    ids=["fault", "outage", "retry"],
)
@leaping
async def test_pauses_grow_up_to_a_bound(
    error: Exception, longest: float, records: int, caplog: pytest.LogCaptureFixture
) -> None:
    worker = Worker(*[error] * 12)
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        await asyncio.sleep(4000)
    pauses = [later - before for before, later in zip(worker.began, worker.began[1:], strict=False)]
    assert pauses == pytest.approx([min(2.0**number, longest) for number in range(12)])
    assert len(caplog.records) == records
    assert "5H" not in caplog.text


@leaping
async def test_pauses_are_short_again_after_a_success() -> None:
    worker = Worker(OutageError(), OutageError(), 0.0, OutageError())
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        await asyncio.sleep(3.5)
        tasks.wake(KEY, worker)
        await asyncio.sleep(5)
        assert worker.began == pytest.approx([0, 1, 3, 3.5, 4.5])


@leaping
async def test_news_ends_a_pause() -> None:
    worker = Worker(*[OutageError()] * 5)
    async with supervised() as tasks:
        tasks.wake(KEY, worker)
        await asyncio.sleep(10)  # it was tried after 0, 1, 3 and 7 seconds, and would be again after 15
        tasks.wake(KEY, worker)
        await asyncio.sleep(1)
        assert worker.began == pytest.approx([0, 1, 3, 7, 10])


@leaping
async def test_news_that_came_before_the_failure_leaves_no_pause() -> None:
    began: list[float] = []
    async with supervised() as tasks:

        async def work() -> None:
            began.append(asyncio.get_running_loop().time())
            await asyncio.sleep(2)
            if len(began) == 1:
                raise RetryLater

        start = asyncio.get_running_loop().time()
        tasks.wake(KEY, work)
        await asyncio.sleep(1)
        tasks.wake(KEY, work)
        await asyncio.sleep(4)
        assert [at - start for at in began] == [0, 2]
        assert KEY not in tasks


@leaping
async def test_work_in_the_place_of_other_work_stops_that() -> None:
    first, second = Worker(60.0), Worker(60.0)
    async with supervised() as tasks:
        tasks.replace(KEY, first)
        await asyncio.sleep(1)
        tasks.replace(KEY, second)
        await asyncio.sleep(100)
        assert (first.ended, second.began, second.ended) == (0, [1], 1)


@leaping
async def test_work_that_replaces_itself_comes_to_its_end_and_is_not_started_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    steps: list[str] = []
    async with supervised() as tasks:

        async def first() -> None:
            steps.append("first")
            tasks.replace(KEY, second)
            await asyncio.sleep(5)
            steps.append("end of the first")
            raise ValueError

        async def second() -> None:
            steps.append("second")

        tasks.replace(KEY, first)
        await asyncio.sleep(100)
    assert steps == ["first", "second", "end of the first"]
    assert "unexpected error" in caplog.text


@leaping
async def test_stopped_work_is_not_started_again() -> None:
    worker = Worker(OutageError())
    async with supervised() as tasks:
        tasks.stop(KEY)
        tasks.wake(KEY, worker)
        await asyncio.sleep(0.5)
        tasks.stop(KEY)
        assert KEY not in tasks
        await asyncio.sleep(100)
        assert worker.began == [0]


@leaping
async def test_repeated_work_is_done_after_each_pause_and_goes_on_after_a_failure() -> None:
    done: list[float] = []

    async def look() -> None:
        done.append(asyncio.get_running_loop().time())
        if len(done) == 2:
            raise ConnectionError

    async with supervised() as tasks:
        began = asyncio.get_running_loop().time()
        tasks.repeat(KEY, 300, look)
        await asyncio.sleep(1_000)
        assert [round(each - began) for each in done] == [300, 600, 901]


@leaping
async def test_closing_cancels_everything_and_waits_for_it_and_nothing_starts_afterwards() -> None:
    ended: list[str] = []
    async with supervised() as tasks:

        async def slow(name: str) -> None:
            try:
                await asyncio.sleep(1000)
            finally:
                await asyncio.sleep(0.1)
                ended.append(name)

        tasks.wake(("a",), lambda: slow("woken"))
        tasks.replace(("b",), lambda: slow("replaced"))
        await asyncio.sleep(0)
        tasks.replace(("b",), lambda: slow("not begun"))
        await tasks.close()
        assert sorted(ended) == ["replaced", "woken"]
        tasks.wake(KEY, Worker())
        tasks.replace(KEY, Worker())
        assert len(tasks) == 0


@leaping
async def test_closing_ends_even_work_that_swallows_its_cancellation_once() -> None:
    async def stubborn() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(1000)
        await asyncio.sleep(1000)

    async with supervised() as tasks:
        tasks.wake(KEY, stubborn)
        await asyncio.sleep(1)
        await tasks.close()
        assert asyncio.get_running_loop().time() < 3


# -- locks -----------------------------------------------------------------------------------------------


async def test_a_key_has_one_lock_while_anybody_holds_it_or_waits_for_it() -> None:
    locks = KeyedLocks()
    inside: list[str] = []
    overlaps: list[tuple[str, ...]] = []

    async def enter(name: str) -> None:
        async with locks.lock("game"):
            inside.append(name)
            overlaps.append(tuple(inside))
            await asyncio.sleep(0)
            inside.remove(name)

    await asyncio.gather(*(enter(name) for name in "abcd"))
    assert overlaps == [("a",), ("b",), ("c",), ("d",)]


async def test_keys_do_not_wait_for_each_other() -> None:
    locks = KeyedLocks()
    async with locks.lock("one"), asyncio.timeout(PATIENCE), locks.lock("other"):
        assert len(locks) == 2


async def test_a_lock_that_nobody_uses_leaves_nothing_behind() -> None:
    locks = KeyedLocks()
    for game in map(str, range(1000)):
        async with locks.lock(game):
            assert locks.lock(game).locked()
    assert len(locks) == 0
