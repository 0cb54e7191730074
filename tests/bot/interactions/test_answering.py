"""By which requests an answer is given, before a deferral and after it, in a server and elsewhere.

What becomes of errors; what is public and what is private; and what a token edits from then on.
"""

from __future__ import annotations

import asyncio
import gc
import io
import itertools
import logging
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest
from discord import ui
from discord.utils import utcnow

from bot.concurrency.waited import WAITED
from bot.interactions import answering as module
from bot.interactions.answering import Answer, answering
from bot.model.errors import StoreUnavailable
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import layout, text
from bot.render.text.voice import Voice, Voices
from bot.sync.ban_gate import Banned
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import FOLLOW_UPS, Shown, TokenTransport, Wanted
from bot.tables.sessions import Sessions
from engine import Chance
from tests.bot.answered import drawn
from tests.bot.leaping_loop import leaping
from tests.bot.render.games import words
from tests.bot.store.memory import MemoryStore

COMMAND, COMPONENT = discord.InteractionType.application_command, discord.InteractionType.component
MODAL = discord.InteractionType.modal_submit
PRESSED, FIRST = 70, 100
USER = 1
Kind = discord.InteractionResponseType


class Interaction:
    """An interaction, and the messages that its requests make."""

    def __init__(self, kind: discord.InteractionType, pressed: str | None = None, *, server: bool) -> None:
        """`pressed` is `public` or `ephemeral`; `None` for a command. Without a `server` of the bot's own,
        it is in a DM between people.
        """
        self.type, self.id = kind, 0xABCDEF << 22
        self.user = SimpleNamespace(id=USER)
        self.locale = "en-GB"
        self.guild_id = 10 if server else None
        self.context = SimpleNamespace(dm_channel=False)
        self.client = SimpleNamespace(get_guild=lambda _: object() if server else None)
        self.message = _message(PRESSED, pressed == "ephemeral") if pressed else None
        self.application_id, self.token = 1, "token"
        self.extras: dict[str, Any] = {}
        self.created_at = utcnow()
        self.expires_at = self.created_at + timedelta(minutes=15)
        self.requests: list[str] = []
        self.shown: dict[int, str] = {}
        """Text of each message."""
        self.is_ephemeral: dict[int, bool] = {PRESSED: pressed == "ephemeral"}
        self.forces_private = False
        """True where Discord makes all answers private."""
        self.errors: list[Exception] = []
        """Errors of the next requests that post."""
        self.fails = ""
        """The kind of request that Discord refuses."""
        self.loses_responses = False
        """True while the outcome of a response is unknown, though it arrives."""
        self.is_given_up = False
        """True once Discord has called the interaction failed."""
        self.refusals = 0
        """Number of refused responses."""
        self._ids = itertools.count(FIRST)
        self._original: int | None = None
        self._is_thinking = False
        self.response = SimpleNamespace(
            type=None,
            send_message=self._respond,
            edit_message=self._update,
            send_modal=self._open,
            defer=self._defer,
        )
        self.followup = SimpleNamespace(
            send=self._follow_up, edit_message=self._edit, delete_message=self._delete, session=None
        )

    async def _respond(self, *, ephemeral: bool = False, **new: Any) -> Any:
        self._answered("respond", ephemeral=ephemeral, new=new)
        self._original = made = self._post(new, ephemeral=ephemeral)
        if self.loses_responses:
            raise TimeoutError
        self.response.type = Kind.channel_message
        resource = Mock(spec=discord.InteractionMessage, id=made, attachments=[])
        resource.flags.ephemeral = self.is_ephemeral[made]
        return SimpleNamespace(message_id=made, resource=resource)

    async def _update(self, **new: Any) -> Any:
        self._answered("update", new=new)
        self.response.type, self._original = Kind.message_update, PRESSED
        self.shown[PRESSED] = _words(new)
        return SimpleNamespace(resource=None)

    async def _open(self, modal: ui.Modal) -> None:
        self._answered(f"modal {modal.title}")

    async def _defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        self._answered("defer", ephemeral=ephemeral)
        self._is_thinking = thinking
        self._original = self._post({}, ephemeral=ephemeral) if thinking else PRESSED
        if self.loses_responses:
            raise TimeoutError
        self.response.type = Kind.deferred_channel_message if thinking else Kind.deferred_message_update

    async def _follow_up(self, *, ephemeral: bool, wait: bool, **new: Any) -> Any:
        assert wait
        self._asked("follow up", ephemeral=ephemeral, new=new)
        if self._is_thinking:
            assert self._original is not None
            return await self._edit(self._original, **new)
        return _message(made := self._post(new, ephemeral=ephemeral), self.is_ephemeral[made])

    async def original_response(self) -> Any:
        assert self._original is not None
        self._asked("get @original")
        return _message(self._original, self.is_ephemeral[self._original])

    async def edit_original_response(self, **new: Any) -> Any:
        assert self._original is not None
        self._asked("edit @original", new=new)
        return self._changed(self._original, new)

    async def delete_original_response(self) -> None:
        self._asked("delete @original")
        assert self._original is not None
        self._is_thinking = False
        del self.shown[self._original]
        self._original = None

    async def _edit(self, message: int, **new: Any) -> Any:
        self._asked(f"edit {message}", new=new)
        return self._changed(message, new)

    async def _delete(self, message: int) -> None:
        del self.shown[message]

    def _changed(self, message: int, new: dict[str, Any]) -> Any:
        assert not {"silent", "files"} & set(new)
        self._is_thinking = False
        self.shown[message] = _words(new)
        return _message(message, self.is_ephemeral[message])

    def _post(self, new: dict[str, Any], *, ephemeral: bool) -> int:
        made = next(self._ids)
        self.shown[made] = _words(new)
        self.is_ephemeral[made] = ephemeral or self.forces_private
        return made

    def _answered(self, name: str, *, ephemeral: bool = False, new: dict[str, Any] | None = None) -> None:
        if self.is_given_up or self._original is not None:
            self.refusals += 1
            raise refused(404, 10062) if self.is_given_up else refused(400, 40060)
        self._asked(name, ephemeral=ephemeral, new=new)

    def _asked(self, name: str, *, ephemeral: bool = False, new: dict[str, Any] | None = None) -> None:
        if name == self.fails:
            raise refused(400, 0)
        if self.errors:
            raise self.errors.pop(0)
        said, files = _words(new or {}), [f"+{key}" for key in ("files", "attachments") if key in (new or {})]
        self.requests.append(" ".join(each for each in (name, "ephemeral" * ephemeral, said, *files) if each))

    @property
    def public(self) -> list[str]:
        """Texts of what everybody sees."""
        return [said for message, said in self.shown.items() if not self.is_ephemeral[message]]


def _message(message: int, is_ephemeral: bool) -> Any:
    return SimpleNamespace(id=message, flags=SimpleNamespace(ephemeral=is_ephemeral), attachments=[])


def _words(new: dict[str, Any]) -> str:
    return words(Drawing(new["view"])) if "view" in new else str(new.get("content", ""))


def refused(status: int, code: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=status, reason="No"), {"code": code})  # type: ignore[arg-type]


def saying(said: str) -> Drawing:
    return layout(text(said))


def pictured(said: str, name: str) -> Drawing:
    return layout(text(said), files=(DrawnFile(name=f"{name}.png", content=name.encode(), description=name),))


TABLE, HAND = saying("The table."), saying("Your hand: 5H.")


def answer_to(
    kind: discord.InteractionType, pressed: str | None = None, *, server: bool = False
) -> tuple[Interaction, Answer]:
    interaction: Any = Interaction(kind, pressed, server=server)
    return interaction, Answer(interaction, Voice())


def in_server(kind: discord.InteractionType) -> tuple[Interaction, Answer]:
    """An interaction in a server of the bot's own."""
    return answer_to(kind, None if kind is COMMAND else "public", server=True)


# In a server


async def _file(answer: Answer) -> None:
    await answer.reply("Yours.", [discord.File(io.BytesIO(b"{}"), "yours.json")])


GIVEN: dict[str, Callable[[Answer], Awaitable[Any]]] = {
    "reply": lambda answer: answer.reply("No."),
    "file": _file,
    "show": lambda answer: answer.show(HAND),
    "post": lambda answer: answer.post(TABLE),
    "redraw": lambda answer: answer.redraw(TABLE),
    "ask": lambda answer: answer.ask(ui.Modal(title="Points")),
    "nothing": lambda answer: answer.nothing(),
    "put": lambda answer: answer.put(TABLE.to_send()),
    "defer": lambda answer: answer.defer(),
}
ONLY_YOU, EVERYBODY = "ephemeral Your hand: 5H.", "The table."
COMING = "edit @original Here it comes."


@pytest.mark.parametrize(
    ("kind", "is_late", "given", "requests"),
    [
        (COMMAND, False, "reply", ["respond ephemeral No."]),
        (COMMAND, False, "show", [f"respond {ONLY_YOU}"]),
        (COMMAND, False, "post", [f"respond {EVERYBODY}"]),
        (COMMAND, True, "reply", ["defer ephemeral", "edit @original No."]),
        (COMMAND, True, "file", ["defer ephemeral", "edit @original Yours. +attachments"]),
        (COMMAND, True, "show", ["defer ephemeral", "edit @original Your hand: 5H."]),
        (COMMAND, True, "post", ["defer ephemeral", COMING, f"follow up {EVERYBODY}"]),
        (COMMAND, False, "nothing", ["defer ephemeral", "delete @original"]),
        (COMMAND, True, "nothing", ["defer ephemeral", "delete @original"]),
        (COMPONENT, False, "post", [f"respond {EVERYBODY}"]),
        (COMPONENT, False, "redraw", [f"update {EVERYBODY}"]),
        (COMPONENT, False, "ask", ["modal Points"]),
        (COMPONENT, False, "nothing", ["defer"]),
        (COMPONENT, True, "reply", ["defer", "follow up ephemeral No."]),
        (COMPONENT, True, "file", ["defer", "follow up ephemeral Yours. +files"]),
        (COMPONENT, True, "show", ["defer", f"follow up {ONLY_YOU}"]),
        (COMPONENT, True, "post", ["defer", f"follow up {EVERYBODY}"]),
        (COMPONENT, True, "redraw", ["defer", f"edit @original {EVERYBODY}"]),
        (COMPONENT, True, "ask", ["defer", "follow up ephemeral That took too long: please press again."]),
        (COMPONENT, True, "nothing", ["defer"]),
    ],
)
async def test_an_answer_reaches_the_same_people_whether_or_not_it_was_deferred(
    kind: discord.InteractionType, is_late: bool, given: str, requests: list[str]
) -> None:
    interaction, answer = in_server(kind)
    if is_late:
        await answer.defer()
    message = await GIVEN[given](answer)
    await answer.defer()
    assert interaction.requests == requests
    assert answer.is_given
    if given == "show":
        assert interaction.shown[message] == "Your hand: 5H.", "it is known on which message that stands"


@pytest.mark.parametrize(
    ("standing", "is_late", "requests"),
    [
        ("red", False, ["defer", "edit @original The table."]),
        ("red", True, ["defer", "edit @original The table."]),
        ("blue", False, ["update The table. +attachments"]),
        ("none", False, ["update The table. +attachments"]),
        ("", False, ["update The table. +attachments"]),
    ],
)
async def test_a_picture_that_stays_is_not_in_the_response_which_might_drop_it(
    standing: str, is_late: bool, requests: list[str]
) -> None:
    before = TABLE if standing == "none" else pictured("The table.", standing)
    interaction, answer = in_server(COMPONENT)
    if is_late:
        await answer.defer()
    await answer.redraw(pictured("The table.", "red"), shown=before.digest if standing else "")
    await answer.defer()
    assert interaction.requests == requests
    assert answer.is_given


async def test_what_comes_after_an_answer_is_a_follow_up() -> None:
    interaction, answer = in_server(COMMAND)
    await answer.reply("First.")
    await answer.post(TABLE)
    await answer.reply("Last.")
    assert interaction.requests == [
        "respond ephemeral First.",
        "follow up The table.",
        "follow up ephemeral Last.",
    ]


# The error boundary


@pytest.mark.parametrize("waited", [0.0, 1.5])
@leaping
async def test_work_that_takes_long_is_deferred_so_much_sooner_if_the_press_has_waited(waited: float) -> None:
    interaction: Any = in_server(COMMAND)[0]
    before = WAITED.set(waited)
    async with answering(interaction, Voices()) as answer:
        WAITED.reset(before)
        await asyncio.sleep(module.PATIENCE - waited - 0.01)
        assert interaction.requests == []
        await asyncio.sleep(0.02)
        assert interaction.requests == ["defer ephemeral"]
        await answer.post(TABLE)
    assert interaction.requests == ["defer ephemeral", COMING, "follow up The table."]


async def test_an_answer_given_just_as_it_would_be_deferred_is_not_deferred(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0)
    interaction: Any = in_server(COMMAND)[0]
    async with answering(interaction, Voices()):
        for _ in range(2):  # the timer fires, and what it begins has not begun yet
            await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()
    assert interaction.requests == []
    assert [str(each.message) for each in recwarn] == []


async def test_when_the_late_post_fails_the_person_is_told_instead_of_promised(
    caplog: pytest.LogCaptureFixture,
) -> None:
    interaction: Any = in_server(COMMAND)[0]
    with caplog.at_level(logging.CRITICAL):
        async with answering(interaction, Voices()) as answer:
            await answer.defer()
            interaction.fails = "follow up"
            await answer.post(TABLE)
    assert interaction.requests[1:] == [
        COMING,
        "edit @original Discord didn't take my answer, but what you did counts. Have another look.",
    ]


async def test_a_refusal_after_a_deferral_fills_the_message_that_waits() -> None:
    interaction: Any = in_server(COMMAND)[0]
    async with answering(interaction, Voices()) as answer:
        await answer.defer()
        raise StoreUnavailable
    assert [each.split(" ")[0] for each in interaction.requests] == ["defer", "edit"]


@pytest.mark.parametrize("is_made", [True, False])
async def test_nothing_has_changed_is_said_only_where_no_change_was_made_before_the_failure(
    is_made: bool,
) -> None:
    interaction: Any = in_server(COMMAND)[0]
    async with answering(interaction, Voices()):
        if is_made:
            async with Sessions(MemoryStore(), Chance(Random(1))).lock("g1"):
                pass
        raise StoreUnavailable
    [said] = interaction.requests
    assert ("nothing has changed" in said) is not is_made
    assert ("can't tell yet" in said) is is_made


async def test_who_meets_a_fault_of_ours_is_told_the_number_that_the_log_has(
    caplog: pytest.LogCaptureFixture,
) -> None:
    interaction: Any = in_server(COMMAND)[0]
    async with answering(interaction, Voices()):
        raise RuntimeError("a fault of ours")
    [said], [record] = interaction.requests, caplog.records
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
@leaping
async def test_an_answer_during_a_ban_is_given_after_it_where_it_can_be(
    is_deferred: bool, seconds: float, said: str | None
) -> None:
    interaction: Any = in_server(COMMAND)[0]
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with answering(interaction, Voices()) as answer:
        if is_deferred:
            await answer.defer()
        raise Banned(seconds)
    answers = interaction.requests[is_deferred:]
    assert [each.startswith(f"edit @original {said}") for each in answers] == ([True] if said else [])
    assert round(loop.time() - began) == (seconds if said else 0)


# Where only tokens reach the table, a press keeps its message


@pytest.mark.parametrize("way", ["reply", "show", "post"])
@pytest.mark.parametrize("kind", [COMPONENT, MODAL])
async def test_a_press_on_a_public_message_keeps_it_and_the_answer_follows(
    kind: discord.InteractionType, way: str
) -> None:
    interaction, answer = answer_to(kind, "public")
    said: Any = "Your hand: 5H." if way == "reply" else HAND
    await getattr(answer, way)(said)
    private = "" if way == "post" else "ephemeral "
    assert interaction.requests == ["defer", f"follow up {private}Your hand: 5H."]
    assert answer.holds_message


@pytest.mark.parametrize("way", ["reply", "show", "post"])
async def test_a_press_on_a_private_message_is_answered_at_once(way: str) -> None:
    interaction, answer = answer_to(COMPONENT, "ephemeral")
    said: Any = "Your hand: 5H." if way == "reply" else HAND
    await getattr(answer, way)(said)
    assert [each.split()[0] for each in interaction.requests] == ["respond"]
    assert not answer.holds_message


async def test_in_a_server_of_its_own_the_bot_answers_a_press_on_a_public_message_at_once() -> None:
    interaction, answer = in_server(COMPONENT)
    await answer.show(HAND)
    assert interaction.requests == ["respond ephemeral Your hand: 5H."]


# Posting the table


async def test_the_table_is_the_response_to_a_command_and_is_edited_as_that() -> None:
    interaction, answer = answer_to(COMMAND)
    posted = await answer.put(TABLE.to_send() | {"silent": False})
    assert (posted.message, posted.is_private) == (FIRST, False)
    await posted.token.edit(saying("Changed."), "")
    assert interaction.requests == ["respond The table.", "edit @original Changed."]
    assert follow_ups(interaction) == 0


async def test_a_deferred_command_for_the_table_is_deferred_for_everybody_and_becomes_the_table() -> None:
    interaction, answer = answer_to(COMMAND)
    answer.posts_table = True
    await answer.defer()
    posted = await answer.put(pictured("The table.", "table").to_send() | {"silent": False})
    assert interaction.requests == ["defer", "edit @original The table. +attachments"]
    assert (posted.message, posted.is_private) == (FIRST, False)
    assert answer.is_given
    assert follow_ups(interaction) == 0


async def test_a_command_that_was_deferred_for_its_person_alone_posts_the_table_below() -> None:
    interaction, answer = answer_to(COMMAND)
    await answer.defer()
    posted = await answer.put(TABLE.to_send())
    assert not posted.is_private
    assert interaction.public == ["The table."]
    await posted.token.edit(saying("Changed."), "")
    await answer.show(HAND)
    assert interaction.public == ["Changed."]


@pytest.mark.parametrize("pressed", ["public", "ephemeral"])
@pytest.mark.parametrize("is_deferred", [False, True])
async def test_the_table_follows_a_press_which_keeps_its_message(pressed: str, is_deferred: bool) -> None:
    interaction, answer = answer_to(COMPONENT, pressed)
    if is_deferred:
        await answer.defer()
    posted = await answer.put(TABLE.to_send())
    await answer.redraw(saying("Pressed."))
    await posted.token.edit(saying("Changed."), "")
    assert interaction.requests == [
        "defer",
        "follow up The table.",
        "edit @original Pressed.",
        f"edit {FIRST} Changed.",
    ]
    assert follow_ups(interaction) == 1


async def test_what_comes_back_private_says_so_on_itself() -> None:
    interaction, answer = answer_to(COMMAND)
    interaction.forces_private = True
    posted = await answer.put(TABLE.to_send())
    assert posted.is_private
    await answer.explain(posted)
    assert interaction.requests[-1].startswith("edit @original Discord lets only you see this.")


async def test_a_table_that_arrived_unnoticed_is_found_and_not_posted_again() -> None:
    interaction, answer = answer_to(COMMAND)
    interaction.loses_responses = True
    with pytest.raises(TimeoutError):
        await answer.put(TABLE.to_send())
    posted = await answer.put(TABLE.to_send())
    await posted.token.edit(saying("Changed."), "")
    assert interaction.requests == ["respond The table.", "get @original", "edit @original Changed."]


@pytest.mark.parametrize(
    ("lost", "then", "requests"),
    [
        ("show", "show", ["respond ephemeral Your hand: 5H.", "get @original"]),
        ("show", "post", ["respond ephemeral Your hand: 5H.", "follow up The table."]),
        ("post", "show", ["respond The table.", "follow up ephemeral Your hand: 5H."]),
        ("defer", "show", ["defer ephemeral", "edit @original Your hand: 5H."]),
        ("for everybody", "show", ["defer", "delete @original", "follow up ephemeral Your hand: 5H."]),
        ("for everybody", "put", ["defer", "edit @original The table."]),
    ],
)
async def test_after_a_response_that_arrived_unnoticed_no_other_is_tried(
    lost: str, then: str, requests: list[str]
) -> None:
    interaction, answer = answer_to(COMMAND)
    interaction.loses_responses, answer.posts_table = True, lost == "for everybody"
    with pytest.raises(TimeoutError):
        await GIVEN["defer" if lost == "for everybody" else lost](answer)
    await GIVEN[then](answer)
    await GIVEN["nothing"](answer)
    assert interaction.requests == requests
    assert interaction.refusals == 1


async def test_what_discord_has_called_failed_costs_one_refusal() -> None:
    interaction: Any = in_server(COMMAND)[0]
    interaction.is_given_up = True
    async with answering(interaction, Voices()) as answer:
        await answer.defer()
        await answer.show(HAND)
    assert not answer.may_post
    assert (interaction.requests, interaction.refusals) == ([], 1)


@pytest.mark.parametrize("error", [refused(500, 0), TimeoutError()])
async def test_after_a_follow_up_with_an_unknown_outcome_its_token_posts_nothing_more(
    error: Exception,
) -> None:
    interaction: Any = in_server(COMPONENT)[0]
    async with answering(interaction, Voices()) as answer:
        await answer.defer()
        interaction.errors = [error]
        await answer.show(HAND)
    assert interaction.requests == ["defer"]
    assert not answer.may_post
    await answer.redraw(TABLE)
    assert interaction.requests == ["defer", "edit @original The table."], "edits are repeated at will"


async def test_a_press_whose_acknowledgement_had_an_unknown_outcome_posts_the_table_too() -> None:
    interaction, answer = answer_to(COMPONENT, "public")
    interaction.loses_responses = True
    with pytest.raises(TimeoutError):
        await answer.nothing()
    await answer.put(TABLE.to_send())
    assert interaction.requests == ["defer", "follow up The table."]


async def test_another_refusal_of_a_response_is_not_followed() -> None:
    interaction, answer = answer_to(COMMAND)
    interaction.errors = [refused(404, 10062)]
    with pytest.raises(discord.HTTPException):
        await answer.put(TABLE.to_send())
    assert interaction.requests == []


async def test_a_press_that_posts_for_the_sync_has_not_answered_its_person() -> None:
    _, answer = answer_to(COMMAND)
    await answer.put(TABLE.to_send())
    assert not answer.is_given
    await answer.show(HAND)
    assert answer.is_given


async def test_a_token_posts_five_follow_ups_private_ones_among_them() -> None:
    interaction, answer = answer_to(COMPONENT, "public")
    assert answer.may_post
    await answer.put(TABLE.to_send())
    await answer.show(HAND)
    await answer.reply("A sentence.")
    await TokenTransport(interaction, PRESSED).post(HAND)  # type: ignore[arg-type]
    assert answer.may_post
    await answer.post(TABLE)
    assert follow_ups(interaction) == FOLLOW_UPS
    assert not answer.may_post


@pytest.mark.parametrize("is_acknowledged", [False, True])
async def test_a_response_is_no_follow_up(is_acknowledged: bool) -> None:
    interaction, answer = answer_to(COMMAND)
    interaction.extras["follow_ups"] = FOLLOW_UPS
    if is_acknowledged:
        await answer.reply("A sentence.")
    assert answer.may_post is not is_acknowledged


def test_neither_a_refused_nor_an_expired_press_posts() -> None:
    interaction, answer = answer_to(COMPONENT, "public")
    answer.may_post = False
    assert not answer.may_post
    interaction, answer = answer_to(COMPONENT, "public")
    interaction.expires_at = utcnow()
    assert not answer.may_post
    assert not answer.is_alive


@leaping
async def test_a_command_waits_a_moment_for_its_table() -> None:
    _, answer = answer_to(COMMAND)
    answer.posts_table = True
    waiting = asyncio.create_task(answer.given())
    await asyncio.sleep(0)
    assert not waiting.done()
    await answer.put(TABLE.to_send())
    await waiting
    _, another = answer_to(COMMAND)
    await another.given()
    assert not another.is_given


# No hand is ever drawn on what everybody sees


def follow_ups(interaction: Interaction) -> int:
    return int(interaction.extras.get("follow_ups", 0))


@pytest.mark.parametrize(
    ("kind", "pressed", "steps"),
    [
        (COMMAND, None, "put"),
        (COMMAND, None, "defer, put"),
        (COMMAND, None, "for everybody, defer, put"),
        (COMMAND, None, "for everybody, defer"),
        (COMMAND, None, "post"),
        (COMMAND, None, "defer, post"),
        (COMMAND, None, "reply"),
        (COMPONENT, "public", "put"),
        (COMPONENT, "public", "defer, put"),
        (COMPONENT, "public", "post"),
        (COMPONENT, "public", "redraw"),
        (COMPONENT, "public", "nothing"),
        (COMPONENT, "ephemeral", "put"),
        (COMPONENT, "ephemeral", "post"),
        (COMPONENT, "ephemeral", "reply"),
        (MODAL, "public", "put"),
        (MODAL, "public", "redraw"),
    ],
)
async def test_the_hand_that_follows_an_answer_is_edited_alone(
    kind: discord.InteractionType, pressed: str | None, steps: str
) -> None:
    interaction, answer = answer_to(kind, pressed)
    for step in steps.split(", "):
        if step == "for everybody":
            answer.posts_table = True
        else:
            await GIVEN[step](answer)
    before = interaction.public
    message = await answer.show(HAND)
    assert message is not None
    assert interaction.is_ephemeral[message]
    copies = EphemeralHands(lambda _: None)
    copies.opened("k3f9a", interaction, message, Shown(digest=HAND.digest, version=1))  # type: ignore[arg-type]
    changed = saying("Your hand: 6S.")
    copies.want("k3f9a", USER, Wanted(drawing=changed, version=2))
    await drawn(copies)
    assert interaction.shown[message] == words(changed)
    assert interaction.public == [each for each in before if each]
    assert not any("edit @original Your hand" in each for each in interaction.requests)
    [lent] = copies.lend(lambda _: True)
    assert not lent.token.is_original


@pytest.mark.parametrize("is_late", [False, True])
async def test_a_hand_that_is_the_response_is_edited_as_the_original(is_late: bool) -> None:
    interaction, answer = answer_to(COMMAND)
    if is_late:
        await answer.defer()
    message = await answer.show(HAND)
    assert message is not None
    await TokenTransport(interaction, message).edit(saying("Your hand: 6S."), "")  # type: ignore[arg-type]
    assert interaction.requests[-1] == "edit @original Your hand: 6S."


async def test_a_refusal_of_a_command_for_the_table_is_told_to_its_person_alone() -> None:
    interaction, answer = answer_to(COMMAND)
    answer.posts_table = True
    await answer.defer()
    await answer.reply("Only you read this.")
    assert interaction.requests == ["defer", "delete @original", "follow up ephemeral Only you read this."]
    assert interaction.public == []
