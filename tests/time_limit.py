"""What a test that exceeds its time limit tells: the stack of each thread and of each asyncio task.

pytest-timeout ends such a test from a signal handler, at any line of the main thread. In an
asyncio test that is the event loop waiting for a socket, which says nothing; the tasks say what they wait
for. All of it goes into the failure itself, because the output of a parallel worker is not shown. A main
thread that no longer handles signals is ended by pytest's own `faulthandler_timeout`, with its stacks.
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
    """Where each thread and each task of the running event loop is."""
    out = io.StringIO()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    for ident, frame in sys._current_frames().items():
        out.write(f"Thread {names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}\n")
    try:
        tasks = asyncio.all_tasks()
    except RuntimeError:  # no loop runs in this thread
        return out.getvalue()
    for task in sorted(tasks, key=lambda task: task.get_name()):
        task.print_stack(file=out)
        out.write("\n")
    return out.getvalue()
