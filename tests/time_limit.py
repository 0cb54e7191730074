"""Report of a test that exceeds its time limit: the stack of each thread and of each asyncio task.

pytest-timeout ends such a test from a signal handler, at any line of the main thread. In an asyncio test that
is the event loop waiting for a socket, which explains nothing; the tasks show what they wait for. The report
is part of the failure itself, because the output of a parallel worker is not shown. pytest's own
`faulthandler_timeout` ends a main thread that no longer handles signals, with its stacks.
"""

from __future__ import annotations

import asyncio
import io
import signal
import sys
import threading
import traceback
from collections.abc import Generator
from types import FrameType

import pytest
from pytest_timeout import Settings


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(settings: Settings) -> Generator[None, object, object]:
    """Let the timer of pytest-timeout end the test in our words."""
    was_set = yield
    if settings.method == "signal":

        def give_up(_signal: int, _frame: FrameType | None) -> None:
            __tracebackhide__ = True
            pytest.fail(f"Timeout: more than {settings.timeout:g} seconds.\n\n{all_stacks()}", pytrace=False)

        signal.signal(signal.SIGALRM, give_up)
    return was_set


def all_stacks() -> str:
    """Stacks of all threads and of all tasks of the running event loop."""
    out = io.StringIO()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    for ident, frame in sys._current_frames().items():  # noqa: SLF001 -- Python has no other list of stacks
        out.write(f"Thread {names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}\n")
    try:
        tasks = asyncio.all_tasks()
    except RuntimeError:  # no loop runs in this thread
        return out.getvalue()
    for task in sorted(tasks, key=lambda task: task.get_name()):
        task.print_stack(file=out)
        out.write("\n")
    return out.getvalue()
