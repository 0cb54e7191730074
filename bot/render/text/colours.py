"""Names of the sides' colours."""

from __future__ import annotations

from typing import Final

from bot.language.languages import later
from bot.model.colours import Colour

COLOUR_NAMES: Final = {
    Colour.RED: later("Red"),
    Colour.BLUE: later("Blue"),
    Colour.YELLOW: later("Yellow"),
    Colour.GREEN: later("Green"),
    Colour.PURPLE: later("Purple"),
    Colour.PINK: later("Pink"),
}
"""msgids of the colours' names, for `Voice.say`."""
