"""The patient bot, but its clock moves also for people out of sight: no test waits half an hour."""

from __future__ import annotations

from bot.background import turn_clock
from tests.end_to_end import patient_bot


def alter() -> None:
    """Let the clock of this process move when a turn's time is over, whoever has seen it."""
    patient_bot.alter()
    turn_clock.OUT_OF_SIGHT = 0.0
