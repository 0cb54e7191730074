"""Time that a task's cause was waiting before the task began; inherited by the tasks that it starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

WAITED: ContextVar[float] = ContextVar("WAITED", default=0.0)
"""Seconds."""

ANSWER_WITHIN: Final = 3.0
"""Time (s) for which Discord waits for an answer."""


@contextmanager
def waited(seconds: float) -> Iterator[None]:
    """Set `WAITED`: an answer that begins here is due so much sooner."""
    before = WAITED.set(seconds)
    try:
        yield
    finally:
        WAITED.reset(before)
