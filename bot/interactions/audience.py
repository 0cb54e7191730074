"""The readers of an answer with figures: one habit for all features.

What concerns everybody, such as a leaderboard, is public. What concerns one person is ephemeral, with the
button *Show everybody*, which posts it. An empty answer is ephemeral, as is everything for a person who may
not write in the channel. A button on a public message answers in private all but the person who asked for it.
"""

from __future__ import annotations

from bot.interactions.answering import Answer
from bot.model.custom_ids import CustomId
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.shared import with_show_everybody
from bot.sync.permissions import check_writer, may_write
from bot.sync.venues import venue_of


async def show_all(answer: Answer, drawing: Drawing, *, is_private: bool) -> None:
    """Post what concerns everybody; `is_private` if it is empty, or only for the person who asks."""
    if is_private or not may_write(answer.interaction):
        await answer.show(drawing)
    else:
        await answer.post(drawing)


async def show_one(answer: Answer, drawing: Drawing, share: CustomId | None) -> None:
    """Show what concerns one person to the person who asks; *Show everybody*, with the id `share`, posts it.

    None if there is nothing to show to others. A DM has nobody else, and no button.
    """
    await answer.show(shareable(answer, drawing, share))


def shareable(answer: Answer, drawing: Drawing, share: CustomId | None) -> Drawing:
    """The drawing with *Show everybody*, as in `show_one`, for a message that is drawn again."""
    if share is None or venue_of(answer.interaction) is Venue.BOT_DM:
        return drawing
    return with_show_everybody(drawing, share, answer.voice)


async def share(answer: Answer, drawing: Drawing) -> None:
    """Post what its reader shows to everybody. Raises `MAY_NOT_WRITE`."""
    check_writer(answer.interaction)
    await answer.post(drawing)
