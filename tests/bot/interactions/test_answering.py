"""By which requests an answer is given, before a deferral and after it, and what becomes of errors."""

from __future__ import annotations

import asyncio
import gc
import io
import logging
import re
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import ui

from bot.concurrency.waited import WAITED
from bot.interactions import answering as module
from bot.interactions.answering import Answer, answering
from bot.model.errors import StoreUnavailable
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import layout, text
from bot.render.text.voice import Voice, Voices
from bot.sync.ban_gate import Banned
from tests.bot.leaping_loop import run_leaping
from tests.patience import PATIENCE

COMMAND, COMPONENT = discord.InteractionType.application_command, discord.InteractionType.component
ORIGINAL, FOLLOW_UP = 70, 71


class Asked:
    """An interaction that records by which requests it is answered."""

    def __init__(self, kind: discord.InteractionType) -> None:
        self.type = kind
        self.user = SimpleNamespace(id=1)
        self.locale = "en-GB"
        self.guild_id, self.client = 10, SimpleNamespace(get_guild=lambda _: object())
        self.message: Any = None
        self.extras: dict[str, int] = {}
        self.requests: list[str] = []
        self.refused: str | None = None
        """The kind of request that Discord refuses."""
        self.response = SimpleNamespace(
            send_message=self._request("respond"),
            edit_message=self._request("update"),
            send_modal=self._request("modal"),
            defer=self._request("defer"),
        )
        self.followup = SimpleNamespace(send=self._request("follow up", FOLLOW_UP))
        self.edit_original_response = self._request("edit")
        self.delete_original_response = self._request("delete")

    async def deferred(self) -> None:
        """Wait until something was sent."""
        async with asyncio.timeout(PATIENCE):
            while not self.requests:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)

    def _request(self, name: str, message: int = ORIGINAL) -> Callable[..., Awaitable[Any]]:
        async def request(*_: object, **options: Any) -> Any:
            if name == self.refused:
                raise discord.HTTPException(SimpleNamespace(status=400, reason="No"), "no")  # type: ignore[arg-type]
            shown = "drawing" if "view" in options else options.get("content", "")
            files = [key for key in ("files", "attachments") if key in options]
            whom = ["ephemeral"] if options.get("ephemeral") else []
            self.requests.append(" ".join(each for each in (name, *whom, shown, *files) if each))
            return SimpleNamespace(id=message, message_id=message, resource=None)

        return request


def drawing() -> Drawing:
    return layout(text("Here."))


async def _file(answer: Answer) -> None:
    await answer.reply("Yours.", [discord.File(io.BytesIO(b"{}"), "yours.json")])


GIVEN: dict[str, Callable[[Answer], Awaitable[Any]]] = {
    "reply": lambda answer: answer.reply("No."),
    "file": _file,
    "show": lambda answer: answer.show(drawing()),
    "post": lambda answer: answer.post(drawing()),
    "redraw": lambda answer: answer.redraw(drawing()),
    "ask": lambda answer: answer.ask(ui.Modal(title="Points")),
    "nothing": lambda answer: answer.nothing(),
}


@pytest.mark.parametrize(
    ("kind", "is_late", "given", "requests"),
    [
        (COMMAND, False, "reply", ["respond ephemeral No."]),
        (COMMAND, False, "show", ["respond ephemeral drawing"]),
        (COMMAND, False, "post", ["respond drawing"]),
        (COMMAND, True, "reply", ["defer ephemeral", "edit No."]),
        (COMMAND, True, "file", ["defer ephemeral", "edit Yours. attachments"]),
        (COMMAND, True, "show", ["defer ephemeral", "edit drawing"]),
        (COMMAND, True, "post", ["defer ephemeral", "edit Here it comes.", "follow up drawing"]),
        (COMMAND, False, "nothing", ["defer ephemeral", "delete"]),
        (COMMAND, True, "nothing", ["defer ephemeral", "delete"]),
        (COMPONENT, False, "post", ["respond drawing"]),
        (COMPONENT, False, "redraw", ["update drawing"]),
        (COMPONENT, False, "ask", ["modal"]),
        (COMPONENT, False, "nothing", ["defer"]),
        (COMPONENT, True, "reply", ["defer", "follow up ephemeral No."]),
        (COMPONENT, True, "file", ["defer", "follow up ephemeral Yours. files"]),
        (COMPONENT, True, "show", ["defer", "follow up ephemeral drawing"]),
        (COMPONENT, True, "post", ["defer", "follow up drawing"]),
        (COMPONENT, True, "redraw", ["defer", "edit drawing"]),
        (COMPONENT, True, "ask", ["defer", "follow up ephemeral That took too long: please press again."]),
        (COMPONENT, True, "nothing", ["defer"]),
    ],
)
async def test_an_answer_reaches_the_same_people_whether_or_not_it_was_deferred(
    kind: discord.InteractionType, is_late: bool, given: str, requests: list[str]
) -> None:
    asked: Any = Asked(kind)
    answer = Answer(asked, Voice())
    if is_late:
        await answer.defer()
    await GIVEN[given](answer)
    await answer.defer()
    assert asked.requests == requests
    assert answer.is_given


@pytest.mark.parametrize(
    ("kind", "is_late", "message"),
    [
        (COMMAND, False, ORIGINAL),
        (COMMAND, True, ORIGINAL),
        (COMPONENT, False, ORIGINAL),
        (COMPONENT, True, FOLLOW_UP),
    ],
)
async def test_it_is_known_on_which_message_something_was_shown(
    kind: discord.InteractionType, is_late: bool, message: int
) -> None:
    asked: Any = Asked(kind)
    answer = Answer(asked, Voice())
    if is_late:
        await answer.defer()
    assert await answer.show(drawing()) == message


@pytest.mark.parametrize(
    ("standing", "is_late", "requests"),
    [
        ("red", False, ["defer", "edit drawing"]),
        ("red", True, ["defer", "edit drawing"]),
        ("blue", False, ["update drawing attachments"]),
        ("", False, ["update drawing attachments"]),
        ("none", False, ["update drawing attachments"]),
    ],
)
async def test_a_picture_that_stays_is_not_in_the_response_which_might_drop_it(
    standing: str, is_late: bool, requests: list[str]
) -> None:
    shown = {each: _pictured(each) for each in ("red", "blue")} | {"none": drawing()}
    asked: Any = Asked(COMPONENT)
    answer = Answer(asked, Voice())
    if is_late:
        await answer.defer()
    await answer.redraw(_pictured("red"), shown=shown[standing].digest if standing else "")
    await answer.defer()
    assert asked.requests == requests
    assert answer.is_given


def _pictured(name: str) -> Drawing:
    file = DrawnFile(name=f"{name}.png", content=name.encode(), description=name)
    return layout(text("Here."), files=(file,))


async def test_what_comes_after_an_answer_is_a_follow_up() -> None:
    asked: Any = Asked(COMMAND)
    answer = Answer(asked, Voice())
    await answer.reply("First.")
    await answer.post(drawing())
    await answer.reply("Last.")
    assert asked.requests == ["respond ephemeral First.", "follow up drawing", "follow up ephemeral Last."]


async def test_work_that_takes_long_is_deferred_and_then_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0)
    asked: Any = Asked(COMMAND)
    async with answering(asked, Voices()) as answer:
        await asked.deferred()
        await answer.post(drawing())
    assert asked.requests == ["defer ephemeral", "edit Here it comes.", "follow up drawing"]


async def test_work_on_a_press_that_has_waited_is_deferred_so_much_sooner() -> None:
    asked: Any = Asked(COMMAND)
    before = WAITED.set(module.PATIENCE - 0.01)
    async with answering(asked, Voices()) as answer:
        WAITED.reset(before)
        await asked.deferred()
        await answer.post(drawing())
    assert asked.requests == ["defer ephemeral", "edit Here it comes.", "follow up drawing"]


async def test_an_answer_given_just_as_it_would_be_deferred_is_not_deferred(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0)
    asked: Any = Asked(COMMAND)
    async with answering(asked, Voices()):
        for _ in range(2):  # the timer fires, and what it begins has not begun yet
            await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()
    assert asked.requests == []
    assert [str(each.message) for each in recwarn] == []


async def test_when_the_late_post_fails_the_person_is_told_instead_of_promised(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked: Any = Asked(COMMAND)
    asked.refused = "follow up"
    with caplog.at_level(logging.CRITICAL):
        async with answering(asked, Voices()) as answer:
            await answer.defer()
            await answer.post(drawing())
    assert asked.requests[1:] == [
        "edit Here it comes.",
        "edit Discord didn't take my answer, but what you did counts. Have another look.",
    ]


async def test_a_refusal_after_a_deferral_fills_the_message_that_waits() -> None:
    asked: Any = Asked(COMMAND)
    async with answering(asked, Voices()) as answer:
        await answer.defer()
        raise StoreUnavailable
    assert [each.split(" ")[0] for each in asked.requests] == ["defer", "edit"]


async def test_who_meets_a_fault_of_ours_is_told_the_number_that_the_log_has(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked: Any = Asked(COMMAND)
    async with answering(asked, Voices()):
        raise RuntimeError("a fault of ours")
    [said], [record] = asked.requests, caplog.records
    number = re.search(r"`([0-9a-f]{6})`", said)
    assert said.startswith("respond ephemeral Something went wrong on my side")
    assert number is not None
    assert f"unexpected error {number[1]} " in record.getMessage()
    assert record.exc_info is not None


@pytest.mark.parametrize(
    ("is_deferred", "seconds", "said"),
    [(True, 30.0, "Discord has kept me out"), (False, 30.0, None), (True, 3600.0, None)],
    ids=["deferred", "too late", "longer than it can be said"],
)
def test_an_answer_during_a_ban_is_given_after_it_where_it_can_be(
    is_deferred: bool, seconds: float, said: str | None
) -> None:
    asked: Any = Asked(COMMAND)

    async def answer_it() -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with answering(asked, Voices()) as answer:
            if is_deferred:
                await answer.defer()
            raise Banned(seconds)
        return loop.time() - began

    took: list[float] = []

    async def timed() -> None:
        took.append(await answer_it())

    run_leaping(timed())
    answers = asked.requests[is_deferred:]
    assert [each.startswith(f"edit {said}") for each in answers] == ([True] if said else [])
    assert round(took[0]) == (seconds if said else 0)
