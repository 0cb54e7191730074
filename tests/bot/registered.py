"""The bot's registry, on stand-ins for the running parts; what is asked of features' actions is passed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib import import_module
from unittest.mock import MagicMock, patch

from bot.app import FEATURES
from bot.interactions.commands import commands as own_commands
from bot.interactions.components import COMPONENTS, VERBS
from bot.interactions.registry import Feature, Registry
from bot.language.languages import Language
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice

ACTIONS = {
    "clubs": {"clubs": "ClubActions", "organising": "Organising"},
    "coaching": {"coaching": "CoachingActions"},
    "daily": {"daily": "DailyActions"},
    "drill": {"drill": "DrillActions"},
    "fair": {"fair": "DeckActions"},
    "lesson": {"lesson": "LessonActions"},
    "replay": {"replay": "ReplayActions"},
    "squares": {"squares": "SquaresActions"},
    "stats": {"stats": "StatsActions", "own_games": "OwnGames"},
}
"""By feature: the names and classes of its actions."""


class _PassedOn:
    """Actions whose every method is looked up when it is called."""

    def __init__(self, name: str, find: Callable[[str], object]) -> None:
        self._name, self._find = name, find

    def __getattr__(self, method: str) -> object:
        return getattr(self._find(self._name), method)


def registry(find: Callable[[str], object] = lambda _: MagicMock(), *, without: str = "") -> Registry:
    """The table and all features but one; `find` gives the actions of a feature by their name."""
    with ExitStack() as stack:
        for folder, actions in ACTIONS.items():
            module = import_module(f"bot.features.{folder}.feature")
            for name, one in actions.items():
                stack.enter_context(patch.object(module, one, return_value=_PassedOn(name, find)))
        features = [feature(MagicMock()) for feature in FEATURES]
    table = Feature(name="table", commands=own_commands(), components=COMPONENTS, verbs=VERBS)
    return Registry((table, *(each for each in features if each.name != without)))


ADDITIONS = registry().additions
"""All that the features add to messages."""


def full_voice(
    language: Language | None = None,
    faces: Faces | None = None,
    commands: Mapping[str, int] | None = None,
    manual: str | None = None,
    install: str | None = None,
) -> Voice:
    """A voice that draws messages with all that the features add."""
    return Voice(language, faces, commands, ADDITIONS, manual=manual, install=install)


COMMANDS = registry().commands
"""Every top-level command of the bot."""
