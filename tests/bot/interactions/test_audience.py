"""Readers of an answer with figures."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.stats.custom_ids import FiguresId
from bot.interactions.audience import share, show_all, show_one
from bot.model.errors import TableRefusal
from bot.render.layouts import container, layout, text
from tests.bot.interactions.asking import DM, asked_by, given
from tests.bot.refusing import refused
from tests.bot.seating import ADA

FIGURES = layout(container(text("12 games")))


@pytest.mark.parametrize(
    ("is_private", "may_write", "way"),
    [(False, True, "post"), (True, True, "show"), (False, False, "show")],
    ids=["figures", "empty", "may not write"],
)
async def test_what_concerns_everybody_is_posted(*, is_private: bool, may_write: bool, way: str) -> None:
    answer = asked_by(ADA, send_messages=may_write)
    await show_all(answer, FIGURES, is_private=is_private)
    assert given(answer) == [(way, "12 games")]


@pytest.mark.parametrize(
    ("share_id", "place", "said"),
    [
        (FiguresId(1), {}, "12 games\n[Show everybody]"),
        (None, {}, "12 games"),
        (FiguresId(1), {"guild": None, "channel": DM}, "12 games"),
    ],
    ids=["server", "nothing to show", "dm"],
)
async def test_what_concerns_one_person_is_theirs_to_show(
    share_id: FiguresId | None, place: dict[str, Any], said: str
) -> None:
    answer = asked_by(ADA, **place)
    await show_one(answer, FIGURES, share_id)
    assert given(answer) == [("show", said)]


async def test_who_may_not_write_shows_nothing_to_everybody() -> None:
    writer, reader = asked_by(ADA, pressed=True), asked_by(ADA, pressed=True, send_messages=False)
    await share(writer, FIGURES)
    assert given(writer) == [("post", "12 games")]
    with refused(TableRefusal.MAY_NOT_WRITE):
        await share(reader, FIGURES)
    assert given(reader) == []
