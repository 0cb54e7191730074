"""Refusals about the honest deck."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class DeckRefusal(Refusal):
    """Reasons why a request about a deck is refused."""

    UNUSABLE_WORD = gettext_noop("That word doesn't work: hit 8 to 32 of the keys a to z and 0 to 9.")
    SAME_WORD = gettext_noop("You gave that word before, so it's known. Hit other keys.")
    STALE_NOTE = gettext_noop("The table has changed. Note the new one, and take another word.")
