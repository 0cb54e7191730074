"""Refusals of the daily hand."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class DailyRefusal(Refusal):
    """Reasons why a request about daily hands is refused."""

    OVER = (
        gettext_noop("That hand is more than a week old. Today's is here: {play}."),
        {"play": "crib-daily play"},
    )
    NOT_PLAYED = (
        gettext_noop("You haven't played today's hand yet. It's here: {play}."),
        {"play": "crib-daily play"},
    )
    SHARED = gettext_noop("You've shared this hand in this server already.")
