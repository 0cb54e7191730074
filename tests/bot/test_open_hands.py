"""Drawings of a copy and answers to presses on it that cross on their way."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import ui

from bot.open_hands import OpenHands
from bot.posts import digest_of
from tests.bot.answered import Answered

GAME, ADA, COPY = "g", 1, 70


def showing(text: str) -> ui.LayoutView:
    return ui.LayoutView().add_item(ui.TextDisplay(text))


def opened_by(answer: Any, text: str = "Lay away.", **of: Any) -> OpenHands:
    hands = OpenHands()
    hands.opened(GAME, answer, COPY, digest_of(showing(text)), **{"version": 1, **of})
    return hands


def refused(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="No")
    return discord.HTTPException(response, {"code": code, "message": "No"})


async def test_a_copy_is_drawn_by_the_token_of_its_newest_answer_and_only_when_it_changes() -> None:
    first, second = Answered(), Answered()
    hands = opened_by(first)
    await hands.draw(GAME, ADA, showing("Lay away."))
    assert first.edits == []
    await hands.draw(GAME, ADA, showing("Your cut."))
    hands.opened(GAME, second, COPY, digest_of(showing("You cut.")), version=1)  # type: ignore[arg-type]
    await hands.draw(GAME, ADA, showing("Your lead."))
    await hands.draw(GAME, ADA, showing("Your lead."))
    assert (first.edits, second.edits) == (["Your cut."], ["Your lead."])


async def test_what_is_pressed_is_left_to_its_answer_and_then_drawn() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    with hands.reserved(GAME, answer):
        await hands.draw(GAME, ADA, showing("Your lead."))
        hands.opened(GAME, answer, COPY, digest_of(showing("Laid away.")), version=1)
    assert answer.edits == []
    assert hands.is_stale(GAME, ADA)
    await hands.draw(GAME, ADA, showing("Your lead."))
    assert answer.edits == ["Your lead."]
    assert not hands.is_stale(GAME, ADA)


async def test_a_press_on_another_message_leaves_the_copy_alone() -> None:
    answer: Any = Answered()
    elsewhere: Any = Answered(message=71)
    hands = opened_by(answer)
    with hands.reserved(GAME, elsewhere):
        await hands.draw(GAME, ADA, showing("Your lead."))
    assert answer.edits == ["Your lead."]
    assert not hands.is_stale(GAME, ADA)


@pytest.mark.parametrize("in_time", [True, False], ids=["answered meanwhile", "answered afterwards"])
async def test_nobody_knows_what_a_copy_shows_whose_drawing_an_answer_has_crossed(in_time: bool) -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.is_open.clear()
    drawing = asyncio.create_task(hands.draw(GAME, ADA, showing("Your lead.")))
    await asyncio.sleep(0)
    digest = digest_of(showing("Ben to play."))
    with hands.reserved(GAME, answer):
        if in_time:
            hands.opened(GAME, answer, COPY, digest, version=1)
        answer.is_open.set()
        await drawing
        assert hands.is_stale(GAME, ADA)
        if not in_time:
            hands.opened(GAME, answer, COPY, digest, version=1)
    if in_time:
        await hands.draw(GAME, ADA, showing("Ben to play."))
        assert answer.edits == ["Your lead.", "Ben to play."]
    else:
        assert not hands.is_stale(GAME, ADA), "the answer came last"


async def test_a_copy_that_cannot_be_drawn_any_more_is_given_up() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.error = refused(404, 10008)
    await hands.draw(GAME, ADA, showing("Your lead."))
    assert not hands.is_open(GAME, ADA)
    assert not opened_by(Answered(age=timedelta(minutes=14, seconds=45))).is_open(GAME, ADA)


async def test_trouble_that_may_pass_is_told_and_tried_again() -> None:
    answer: Any = Answered()
    hands = opened_by(answer)
    answer.error = refused(503, 0)
    with pytest.raises(discord.HTTPException):
        await hands.draw(GAME, ADA, showing("Your lead."))
    answer.error = None
    assert hands.is_open(GAME, ADA)
    assert hands.is_stale(GAME, ADA)
    await hands.draw(GAME, ADA, showing("Your lead."))
    assert answer.edits == ["Your lead."] * 2


async def test_everybody_has_his_own_copy_the_newest_of_each_game() -> None:
    first: Any = Answered()
    bens: Any = Answered(user=2, message=71)
    newer: Any = Answered(message=72)
    hands = opened_by(first, choice=3)
    assert hands.choice(GAME, ADA) == 3
    hands.opened(GAME, bens, 71, "", version=1)
    hands.opened(GAME, newer, 72, "", version=1)
    hands.opened("h", first, 73, "", version=1, choice=1)
    assert hands.choice(GAME, ADA) is None
    await hands.draw(GAME, ADA, showing("Your lead."))
    assert (first.edits, bens.edits, newer.edits) == ([], [], ["Your lead."])
    hands.forget(GAME)
    assert [hands.is_open(*key) for key in ((GAME, ADA), (GAME, 2), ("h", ADA))] == [False, False, True]
