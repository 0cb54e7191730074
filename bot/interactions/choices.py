"""Choices that several slash commands offer for an option."""

from __future__ import annotations

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


def rule_sets(*players: int) -> list[Choice[str]]:
    """The rule sets for any of these numbers of players."""
    return [Choice(name=PRESET_CHOICES[name], value=name) for name in presets_for(*players)]


def players(*, four: str) -> list[Choice[int]]:
    """Numbers of players; `four` is the label for four."""
    return [Choice(name=name, value=number) for number, name in enumerate(("2", "3", four), 2)]
