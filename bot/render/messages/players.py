"""Short answers about players, wherever somebody asks for one: a bot, a question that belongs in a server."""

from __future__ import annotations

from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, text
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice


def bot_drawing(name: str, voice: Voice) -> Drawing:
    """The answer when the player asked for is a bot."""
    return small_card(
        voice.gettext("{player} is a bot and has no statistics.", player=shown_name(name, voice))
    )


def elsewhere_drawing(voice: Voice) -> Drawing:
    """The answer to asking for other players in a DM."""
    return small_card(ask_in_a_server(voice))


def ask_in_a_server(voice: Voice) -> str:
    """The hint that players and leaderboards belong to servers."""
    return voice.gettext("Ask in a server: each has its own players and leaderboard.")


def shown_name(name: str, voice: Voice) -> str:
    """The name as a message shows it."""
    return escaped(plain(name, voice.gettext("somebody")))


def start_one(voice: Voice) -> str:
    """The hint how to start a game."""
    return voice.gettext("Start a game with {command}", command=voice.command("crib new"))


def small_card(*lines: str | None) -> Drawing:
    """A private card of these lines."""
    return layout(container(text(*lines), colour=BAIZE))
