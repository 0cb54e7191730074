"""Names of the sides' colours."""

from __future__ import annotations

from typing import Final

from bot.language.languages import gettext_noop
from bot.model.colours import Colour

COLOUR_NAMES: Final = {
    Colour.RED: gettext_noop("Red"),
    Colour.BLUE: gettext_noop("Blue"),
    Colour.YELLOW: gettext_noop("Yellow"),
    Colour.GREEN: gettext_noop("Green"),
    Colour.PURPLE: gettext_noop("Purple"),
    Colour.PINK: gettext_noop("Pink"),
}
"""msgids of the colours' names, for `Voice.gettext`."""
