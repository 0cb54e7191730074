"""Registers the daily hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.features.daily.actions import DailyActions
from bot.features.daily.commands import CribDaily, press_daily
from bot.features.daily.custom_ids import DAILY
from bot.features.daily.posts import DailyPosts
from bot.features.daily.preparation import DailyPreparation
from bot.features.daily.reckoning import DailyReckoning
from bot.features.daily.store import DailyStore
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import Topic
from bot.render.text.voice import Additions, Voice


def feature(core: Core) -> Feature:
    """`/crib-daily`, its buttons, and the posts in servers."""
    store, hands = core.database.store, core.database.part(DailyStore, "daily")
    reckoning = DailyReckoning(hands, core.worker)
    actions = DailyActions(hands, reckoning, store, core.sync)
    posts = DailyPosts(
        core.client,
        hands,
        reckoning,
        store=store,
        voices=core.voices,
        tasks=core.tasks,
        now=core.now,
        owns=core.presence.owns,
    )
    preparation = DailyPreparation(
        hands, core.worker, tasks=core.tasks, now=core.now, owns=core.presence.owns
    )

    async def start() -> None:
        await posts.start()
        await preparation.start()

    return Feature(
        name="daily",
        commands=(CribDaily(actions),),
        components=(Component("daily", DAILY, partial(press_daily, actions)),),
        additions=Additions(lines=((Topic.COMMANDS, _commands), (Topic.MODERATORS, _for_moderators))),
        start=start,
    )


def _commands(voice: Voice) -> Iterator[str]:
    yield voice.gettext(
        "**Daily:** {commands}",
        commands=" ".join(voice.command(f"crib-daily {name}") for name in ("play", "practice", "share")),
    )


def _for_moderators(voice: Voice) -> Iterator[str]:
    yield voice.gettext(
        "{post}: the daily hand in this channel, every day.",
        post=voice.command("crib-daily post"),
    )
