"""Refusals of squares."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class SquaresRefusal(Refusal):
    """Reasons why a request about squares is refused."""

    OVER = (
        gettext_noop("The day of these squares is over. Today's are here: {squares}."),
        {"squares": "crib-daily squares"},
    )
    NOT_FINISHED = (
        gettext_noop("You haven't finished these squares. Today's are here: {squares}."),
        {"squares": "crib-daily squares"},
    )
    SHARED = gettext_noop("You've shared these squares in this server already.")
