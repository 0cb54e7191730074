"""Time that a task's cause was waiting before the task began; inherited by the tasks that it starts."""

from contextvars import ContextVar

WAITED: ContextVar[float] = ContextVar("WAITED", default=0.0)
"""Seconds."""
