"""The patient bot, but its queue of direct messages begins with a pause of a tenth of a second."""

from __future__ import annotations

from bot.sync import direct_messages
from tests.end_to_end import patient_bot


def alter() -> None:
    """Let the bot of this process open direct messages again soon."""
    patient_bot.alter()
    direct_messages._FIRST_PAUSE = 0.1
