"""Kinds of places of a table: the kind decides how the bot reaches its messages and its players."""

from __future__ import annotations

from enum import Enum


class Venue(Enum):
    """The kind of a table's place."""

    SERVER = "server"
    """A channel of a server in which the bot is a member: its messages are reached by their ids."""
    BOT_DM = "bot_dm"
    """The bot's own DM with one person, who plays computers there; reached by ids, too."""
    ANYWHERE = "anywhere"
    """A DM or group DM of other people, or a server without the bot, where somebody has installed the app for
    themselves. Only interactions come from there, and only their tokens reach its messages: each for fifteen
    minutes, and for five follow-ups (`bot.sync.presses`)."""

    # It is compared at each press, and the hash of `Enum` is Python code.
    __hash__ = object.__hash__
