"""Names of sides: their players, with the colour that they have in the pictures."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.text.names import Names
from engine import Side


class Sides:
    """The sides at one table."""

    def __init__(self, record: TableRecord, names: Names) -> None:
        self._names = names
        self.colours = record.colours
        """By side."""

    def __getitem__(self, side: Side) -> str:
        """The side, such as `🔴 **Ada**`."""
        return f"{self.mark(side)} **{self._names.side(side)}**"

    def mark(self, side: Side) -> str:
        """The side's colour, as an emoji of its shape."""
        return self.colours[side].emoji

    def all(self) -> str:
        """All sides in one line, in the order of their tracks."""
        return " · ".join(self[Side(side)] for side in range(len(self.colours)))
