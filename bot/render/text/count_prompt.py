"""The question in the modal in which a player counts a hand aloud."""

from __future__ import annotations

from bot.render.text.faces import Faces
from bot.render.text.turn import counted, counts_now
from engine import PlayerView


def count_prompt(view: PlayerView) -> str:
    """The question with the shown cards; at most 100 characters, as Discord limits it."""
    table = view.table
    if counts_now(table) != view.seat or table.starter is None:
        return "How many points do you count?"
    faces = Faces()
    shown = faces.all_plain(table.shown[-1].cards)
    return f"How many points is your {counted(table)} worth? {shown}, starter {faces.plain(table.starter)}"
