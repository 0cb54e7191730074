"""The pictures of a player's statistics, with their alt texts; drawn off the event loop."""

from __future__ import annotations

from functools import partial

from bot.features.stats.pictures import draw_statistics
from bot.features.stats.player_pictures import StatsPicture, pictures_of
from bot.render.text.voice import Voice
from bot.standings.careers import Profile
from bot.sync.illustrator import Illustrator


async def statistics_pictures(
    profile: Profile, illustrator: Illustrator, voice: Voice
) -> tuple[StatsPicture, ...]:
    """All pictures for which the player's games give facts."""
    drawn = []
    for each in pictures_of(profile, voice):
        draw = partial(draw_statistics, each.facts)
        file = await illustrator.picture(each.kind, each.facts, draw, each.alt)
        drawn.append(StatsPicture(each.lines, file))
    return tuple(drawn)
