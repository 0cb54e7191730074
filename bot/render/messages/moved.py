"""What is left of a message that was reposted at the end of its channel."""

from __future__ import annotations

from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, link, row, text
from bot.render.text.voice import Voice


def moved_drawing(url: str, voice: Voice) -> Drawing:
    """A sentence, and a button that leads to the table's new message."""
    return layout(
        container(
            text(voice.gettext("The table has moved down the channel.")),
            row(link(url, voice.gettext("Table"))),
            colour=BAIZE,
        )
    )
