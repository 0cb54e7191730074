"""Refusals of the coach."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class CoachRefusal(Refusal):
    """Reasons why the coach refuses a request."""

    NO_HINTS = gettext_noop("No hints at this table. The host can allow them in the lobby: *Rules*.")
    CHOICE_MADE = gettext_noop("You have made that choice. Ask for a hint at your next one.")
