"""Registers the coach."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.features.coaching.actions import CoachingActions
from bot.features.coaching.commands import (
    CribCoach,
    share_accuracy,
    share_discards,
    share_score,
    show_choices,
)
from bot.features.coaching.custom_ids import ACCURACY, CHOICES, DISCARDS, SCORE
from bot.features.coaching.review import ReviewPage
from bot.interactions.actions import Actions
from bot.interactions.answering import Answer
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import ComponentId, Topic, Verb
from bot.model.errors import StaleButton
from bot.model.table_record import TableRecord
from bot.render.layouts import Part, address, button
from bot.render.text.voice import Additions, Voice
from engine import TableView


def feature(core: Core) -> Feature:
    """`/crib-coach`, and *Review* below a finished game."""
    actions = CoachingActions(core.tables, core.database.store, core.worker)

    async def review(_: Actions, answer: Answer, at: ComponentId, __: list[str]) -> None:
        try:
            page = ReviewPage.of(at.argument) if at.argument else None
        except ValueError:
            raise StaleButton(0, 0) from None
        await actions.review(answer, at.game, page)

    return Feature(
        name="coaching",
        commands=(CribCoach(actions),),
        components=(
            Component("discards", DISCARDS, partial(share_discards, actions)),
            Component("score", SCORE, partial(share_score, actions)),
            Component("accuracy", ACCURACY, partial(share_accuracy, actions)),
            Component("choices", CHOICES, partial(show_choices, actions)),
        ),
        verbs={Verb.REVIEW: review},
        additions=Additions(
            lines=((Topic.COUNT, _on_counting), (Topic.BETTER, _on_playing_better)),
            after_game=(_review_button,),
        ),
    )


def _review_button(record: TableRecord, table: TableView, voice: Voice) -> Part:
    return button(address(record.game, table.deal_number, Verb.REVIEW), voice.gettext("Review"))


def _on_counting(voice: Voice) -> Iterator[str]:
    yield voice.gettext("{score} counts any hand for you.", score=voice.command("crib-coach score"))


def _on_playing_better(voice: Voice) -> Iterator[str]:
    yield voice.gettext("{hint}: the best move.", hint=voice.command("crib-coach hint"))
    yield voice.gettext("{discards}: every discard compared.", discards=voice.command("crib-coach discards"))
    yield voice.gettext(
        "{explain}: scores explained.",
        explain=voice.command("crib-coach explain"),
    )
    yield voice.gettext("{review}: your last game's mistakes.", review=voice.command("crib-coach review"))
