"""Choices that several slash commands offer for an option."""

from __future__ import annotations

from collections.abc import Collection

from discord.app_commands import Choice

from bot.language.languages import gettext_noop
from bot.render.text.rules import PRESET_CHOICES
from engine import presets_for
from engine.computer import Level

LEVELS: list[Choice[str]] = [
    Choice(name=gettext_noop("learner: for your first games"), value=Level.LEARNER.value),
    Choice(name=gettext_noop("beginner: plays simply"), value=Level.BEGINNER.value),
    Choice(name=gettext_noop("steady: a good club player"), value=Level.STEADY.value),
    Choice(name=gettext_noop("expert: as strong as it gets"), value=Level.EXPERT.value),
]
"""The levels of the computer."""


def rule_sets(*players: int, but: Collection[str] = ()) -> list[Choice[str]]:
    """The rule sets for any of these numbers of players, without those in `but`."""
    return [
        Choice(name=PRESET_CHOICES[name], value=name) for name in presets_for(*players) if name not in but
    ]


def players(*names: str) -> list[Choice[int]]:
    """Numbers of players from two, by their labels."""
    return [Choice(name=name, value=number) for number, name in enumerate(names, 2)]
