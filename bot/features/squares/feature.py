"""Registers squares."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.features.squares.actions import SquaresActions
from bot.features.squares.best import SquaresBest
from bot.features.squares.commands import press_cell, press_squares, sub_commands
from bot.features.squares.custom_ids import PUT, SQUARES
from bot.features.squares.store import SquaresStore
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import Topic
from bot.render.text.voice import Additions, Voice


def feature(core: Core) -> Feature:
    """`/crib-daily squares`, its buttons, its line in the help, and the search for each day's best."""
    squares = core.database.part(SquaresStore, "squares")
    best = SquaresBest(squares, core.worker, tasks=core.tasks, now=core.now, owns=core.presence.owns)
    actions = SquaresActions(squares, core.database.store, core.sync)
    return Feature(
        name="squares",
        sub_commands=sub_commands(actions),
        components=(
            Component("squares", SQUARES, partial(press_squares, actions)),
            Component("squares", PUT, partial(press_cell, actions)),
        ),
        additions=Additions(lines=((Topic.COMMANDS, _commands),)),
        start=best.start,
    )


def _commands(voice: Voice) -> Iterator[str]:
    yield voice.gettext("{squares}: a game for one.", squares=voice.command("crib-daily squares"))
