"""Refusals of the coach."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class CoachRefusal(Refusal):
    """Reasons why the coach refuses a request."""

    NO_HINTS = (
        gettext_noop("This table plays without hints. Choose them when you start a game: {new}."),
        {"new": "crib new"},
    )
