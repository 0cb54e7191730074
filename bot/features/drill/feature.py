"""Registers the drills."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.features.drill.actions import DrillActions
from bot.features.drill.commands import press_card, press_drill, press_points, sub_commands
from bot.features.drill.custom_ids import COUNT, DISCARD, DRILL
from bot.features.drill.deals import Deals
from bot.features.drill.store import DrillStore
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import Topic
from bot.render.text.voice import Additions, Voice


def feature(core: Core) -> Feature:
    """`/crib-coach drill`, its buttons, and its lines in the help and in a person's own statistics."""
    store, random = core.database.store, core.sessions.random
    drills = core.database.part(DrillStore, "drills")
    deals = Deals(
        store,
        drills,
        queries=core.database.standings.queries,
        projection=core.projection,
        worker=core.worker,
        random=random,
    )
    actions = DrillActions(drills, deals, store, sync=core.sync, worker=core.worker, random=random)

    async def own_figures(user: int, voice: Voice) -> tuple[str, ...]:
        return await actions.lines(user, voice)

    return Feature(
        name="drill",
        sub_commands=sub_commands(actions),
        components=(
            Component("drill", DRILL, partial(press_drill, actions)),
            Component("drill", COUNT, partial(press_points, actions)),
            Component("drill", DISCARD, partial(press_card, actions)),
        ),
        additions=Additions(lines=((Topic.BETTER, _on_playing_better),), in_own_figures=(own_figures,)),
    )


def _on_playing_better(voice: Voice) -> Iterator[str]:
    yield voice.gettext("{drill}: a minute's practice.", drill=voice.command("crib-coach drill"))
