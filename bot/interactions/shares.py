"""Each person's share of the bot: a few of their interactions at a time, the others wait in line.

Without it, 400 commands of one person, sent within a second, made everybody else wait 1.7 s for a card.
"""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakValueDictionary

from bot.concurrency.waited import ANSWER_WITHIN, WAITED
from bot.interactions.answering import let_stop_wait

AT_ONCE: Final = 4
"""Interactions of one person that are handled at once."""


class Shares:
    """The lines of the people whose interactions are being handled."""

    def __init__(self) -> None:
        self._lines: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()
        """By person; the tasks that are in a line keep it."""

    def __len__(self) -> int:
        """The number of people who have a line."""
        return len(self._lines)

    async def admit(self, user: int) -> bool:
        """Wait in the person's line until the current task may handle their interaction, to the task's end.

        False if that took so long that Discord has told the person of a failure: handling it now could do
        what they were told had not been done.
        """
        task = asyncio.current_task()
        assert task is not None
        line = self._lines.get(user)
        if line is None:
            line = self._lines[user] = asyncio.Semaphore(AT_ONCE)
        if line.locked():
            let_stop_wait()
            loop = asyncio.get_running_loop()
            began = loop.time()
            await line.acquire()
            WAITED.set(WAITED.get() + loop.time() - began)
        else:
            await line.acquire()
        task.add_done_callback(lambda _: line.release())
        return WAITED.get() < ANSWER_WITHIN
