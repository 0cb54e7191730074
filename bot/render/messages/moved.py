"""The remains of a message that was reposted, that only one person can see, or whose table was lost."""

from __future__ import annotations

from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, link, row, text
from bot.render.text.voice import Voice


def moved_drawing(url: str, voice: Voice) -> Drawing:
    """A sentence, and a button that leads to the table's new message."""
    return layout(
        container(
            text(voice.gettext("The table has moved down.")),
            row(link(url, voice.gettext("Table"))),
            colour=BAIZE,
        )
    )


def lost_drawing(voice: Voice) -> Drawing:
    """On the messages of a table that is in the database no more."""
    said = voice.gettext(
        "This table was lost with my database. {new} opens another.", new=voice.command("crib new")
    )
    return layout(container(text(said), colour=BAIZE))


def came_back_private_drawing(voice: Voice) -> Drawing:
    """To the person whose press was to post the table, and to whom alone Discord showed it."""
    table = voice.command("crib table")
    said = voice.gettext("Discord lets only you see this. {table} brings the table here.", table=table)
    return layout(container(text(said), colour=BAIZE))
