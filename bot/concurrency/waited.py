"""For how long what a task does was waiting before the task began: tasks that it starts know it too."""

from contextvars import ContextVar

WAITED: ContextVar[float] = ContextVar("WAITED", default=0.0)
"""In seconds."""
