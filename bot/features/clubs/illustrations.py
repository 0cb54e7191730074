"""The drawn standings of a club event, with their alt text; drawn off the event loop."""

from __future__ import annotations

from functools import partial

from bot.features.clubs.event import Event
from bot.features.clubs.messages import standings_alt, standings_facts
from bot.features.clubs.standings_picture import draw_club_table
from bot.render.drawing import DrawnFile
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator


async def standings_picture(
    event: Event, illustrator: Illustrator, voice: Voice, *, is_final: bool = False
) -> DrawnFile | None:
    """The standings of a club event; `None` before its first result."""
    facts = standings_facts(event, voice)
    if not facts:
        return None
    alt = standings_alt(event, voice, is_final=is_final)
    return await illustrator.picture("standings", facts, partial(draw_club_table, facts), alt)
