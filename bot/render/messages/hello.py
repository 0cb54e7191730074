"""First words: to a person who writes to the bot in its DM, and to a server that has invited it.

Each is two lines with buttons.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Hello
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, button, container, layout, row, text
from bot.render.text.voice import Voice


def hello_drawing(voice: Voice) -> Drawing:
    """The greeting in a DM."""
    return layout(
        container(
            text(
                voice.gettext("**Hi! Shall we play cribbage?**"),
                voice.gettext(
                    "Play me right here. To play with friends, use {new} in a server.",
                    new=voice.command("crib new"),
                ),
            ),
            row(
                button(Hello.PLAY, voice.gettext("Play the computer"), style=ButtonStyle.success),
                *(added(voice) for added in voice.additions.in_greeting),
                button(Hello.HELP, voice.gettext("Help")),
            ),
            colour=BAIZE,
        )
    )


def welcome_drawing(voice: Voice) -> Drawing:
    """The greeting in a server."""
    return layout(
        container(
            text(
                voice.gettext("**Hello! I bring the cribbage board.**"),
                voice.gettext(
                    "Open a table here, or in any channel with {new}. You can play friends or me.",
                    new=voice.command("crib new"),
                ),
            ),
            row(
                button(Hello.PLAY, voice.gettext("Open a table"), style=ButtonStyle.success),
                *(added(voice) for added in voice.additions.in_greeting),
            ),
            colour=BAIZE,
        )
    )
