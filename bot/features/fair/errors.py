"""Refusals about the honest deck."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class DeckRefusal(Refusal):
    """Reasons why a request about a deck is refused."""

    UNUSABLE_WORD = gettext_noop("That word doesn't work: use 1 to 32 letters, digits or signs.")
