"""Refusals of replays."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class ReplayRefusal(Refusal):
    """Reasons why a replay is refused."""

    NOTHING_YET = gettext_noop("You haven't finished a game here yet. Play one, then watch it here.")
    NO_GAME = (
        gettext_noop("That's no result of a game. Use it on a result, or choose a game with {history}."),
        {"history": "crib-stats history"},
    )
    """The message that was chosen is not one of a game's."""
    NOT_SHOWN = gettext_noop("Only those who played this game can watch it.")
    """It is in another server, or one of its players hides, and the person did not play."""
