"""The ledger finds failed presses, and acknowledged ones that a log lacks or has twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import CardPlayed, DealBegan, GoSaid, Seat, card
from engine.secret_events import LoggedEvent
from programs.soak.ledger import Ledger
from sandbox.answers.messages import compose
from sandbox.answers.responses import DEFERRED_UPDATE, MESSAGE, UPDATE, Answers
from sandbox.model.interactions import Interaction, State
from sandbox.model.json_types import JSON
from sandbox.server import Sandbox

PLAY, GO = "crib:g1:1:play:5H", "crib:g1:1:go"
FIVE = CardPlayed(Seat(0), card("5H"))
BEGUN = DealBegan(Seat(1), 1)


class Desk:
    """Ada's hand by DM, and a bot that answers as a test has it."""

    def __init__(self) -> None:
        self.sandbox = Sandbox()
        self.ledger = Ledger(self.sandbox)
        self.ada = self.sandbox.people["Ada"]
        world = self.sandbox.world
        self.answers = Answers(world, self.sandbox.interactions)
        self.hand = compose(world, self.ada.open_dm(), world.bot, hand(PLAY, GO), (), path=(), only_for=None)
        world.add_message(self.hand)

    def press(self, custom_id: str) -> Interaction:
        return self.ada.press(self.hand, custom_id)

    def answer(self, pressed: Interaction, kind: int, **data: object) -> None:
        self.answers.callback(pressed.id, pressed.token, {"type": kind, "data": data}, ())

    def wrong(self, *log: LoggedEvent) -> Sequence[str]:
        self.sandbox.interactions.close()
        return list(self.ledger.wrong("g1", [int(self.ada.id), 7], [BEGUN, *log]))

    @property
    def failures(self) -> list[str | None]:
        return [each.failure for each in self.ledger.failed]


def hand(*custom_ids: str) -> JSON:
    buttons = [{"type": 2, "style": 1, "label": each, "custom_id": each} for each in custom_ids]
    return {"content": "Your hand", "components": [{"type": 1, "components": buttons}] if buttons else []}


@pytest.fixture
async def desk() -> Desk:
    return Desk()


async def test_a_press_whose_button_went_with_the_answer_is_in_the_log_exactly_once(desk: Desk) -> None:
    desk.answer(desk.press(PLAY), UPDATE, **hand(GO))

    assert desk.failures == desk.wrong(FIVE) == []
    assert "0 in the log" in desk.wrong()[0]
    assert "2 times in the log" in desk.wrong(FIVE, FIVE)[0]


async def test_a_press_that_was_refused_need_not_be_in_the_log(desk: Desk) -> None:
    desk.answer(desk.press(PLAY), UPDATE, **hand(PLAY, GO) | {"content": "It is not your turn."})

    assert desk.failures == desk.wrong() == []


async def test_each_go_counts_but_two_at_once_are_one(desk: Desk) -> None:
    first, second = desk.press(GO), desk.press(GO)
    for each in (first, second):
        desk.answer(each, UPDATE, **hand())

    assert desk.wrong(GoSaid(Seat(0))) == []
    assert desk.wrong() != []


async def test_a_second_go_is_a_second_move(desk: Desk) -> None:
    desk.answer(desk.press(GO), UPDATE, **hand())
    desk.hand.components = compose(
        desk.sandbox.world, desk.hand.channel, desk.sandbox.world.bot, hand(GO), (), path=(), only_for=None
    ).components
    desk.answer(desk.press(GO), UPDATE, **hand())

    assert desk.wrong(GoSaid(Seat(0))) != []
    assert desk.wrong(GoSaid(Seat(0)), GoSaid(Seat(0))) == []


async def test_what_has_failed_and_why(desk: Desk) -> None:
    desk.sandbox.interactions.settle(desk.press(PLAY), State.FAILED)
    desk.answer(desk.press(PLAY), MESSAGE, content="I couldn't save that. Please try again.", flags=64)
    deferred = desk.press(PLAY)
    desk.ledger.presses[deferred.id].at -= 2.2
    desk.answer(deferred, DEFERRED_UPDATE)

    assert desk.failures == [
        "the bot did not respond",
        'answered with "couldn\'t save that"',
        "deferred, and nothing came",
    ]
    assert desk.wrong() == []
    assert "shard 0 had no session" in str(desk.ledger.failed[0])
