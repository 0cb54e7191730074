"""Interactions that fail at once, for tests of what a person then sees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.model.interactions import Deadlines
from sandbox.server import Sandbox


@contextmanager
def hasty(sandbox: Sandbox) -> Iterator[None]:
    """Leave the bot no time to answer what is asked meanwhile.

    Only for what the bot never answers: whether it would be quick enough is for no test to measure.
    """
    patient = sandbox.interactions.deadlines
    sandbox.interactions.deadlines = Deadlines(first_answer=0.05, token=patient.token)
    try:
        yield
    finally:
        sandbox.interactions.deadlines = patient
