"""Answers where only tokens reach a table: what is public, what is private, what a token edits."""

from __future__ import annotations

import asyncio
import itertools
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest
from discord.utils import utcnow

from bot.interactions import answering as module
from bot.interactions.answering import Answer
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import layout, text
from bot.render.text.voice import Voice
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import FOLLOW_UPS, Shown, TokenTransport, Wanted
from tests.bot.answered import drawn
from tests.bot.render.games import words

COMMAND, COMPONENT = discord.InteractionType.application_command, discord.InteractionType.component
MODAL = discord.InteractionType.modal_submit
PRESSED, FIRST = 70, 100
USER = 1
Kind = discord.InteractionResponseType


class Interaction:
    """An interaction in a DM between people, and the messages that its requests make."""

    def __init__(self, kind: discord.InteractionType, pressed: str | None = None) -> None:
        """`pressed` is `public` or `ephemeral`; `None` for a command."""
        self.type = kind
        self.user = SimpleNamespace(id=USER)
        self.locale = "en-GB"
        self.guild_id = None
        self.context = SimpleNamespace(dm_channel=False)
        self.client = SimpleNamespace(get_guild=lambda _: None)
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
        self.loses_responses = False
        """True while the outcome of a response is unknown, though it arrives."""
        self._ids = itertools.count(FIRST)
        self._original: int | None = None
        self._is_thinking = False
        self.response = SimpleNamespace(
            type=None, send_message=self._respond, edit_message=self._update, defer=self._defer
        )
        self.followup = SimpleNamespace(
            send=self._follow_up, edit_message=self._edit, delete_message=self._delete
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

    async def _defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        self._answered("defer", ephemeral=ephemeral)
        if thinking:
            self.response.type, self._is_thinking = Kind.deferred_channel_message, True
            self._original = self._post({}, ephemeral=ephemeral)
        else:
            assert self.message is not None
            self._original = PRESSED
            if self.loses_responses:
                raise TimeoutError
            self.response.type = Kind.deferred_message_update

    async def _follow_up(self, *, ephemeral: bool, wait: bool, **new: Any) -> Any:
        assert wait
        self._asked("follow up", ephemeral=ephemeral, new=new)
        if self._is_thinking:
            assert self._original is not None
            return await self._edit(self._original, **new)
        return _message(made := self._post(new, ephemeral=ephemeral), self.is_ephemeral[made])

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
        assert "silent" not in new
        assert "files" not in new
        self._is_thinking = False
        self.shown[message] = _words(new)
        return _message(message, self.is_ephemeral[message])

    def _post(self, new: dict[str, Any], *, ephemeral: bool) -> int:
        made = next(self._ids)
        self.shown[made] = _words(new)
        self.is_ephemeral[made] = ephemeral or self.forces_private
        return made

    def _answered(self, name: str, *, ephemeral: bool = False, new: dict[str, Any] | None = None) -> None:
        if self._original is not None:
            raise refused(400, 40060)
        self._asked(name, ephemeral=ephemeral, new=new)

    def _asked(self, name: str, *, ephemeral: bool = False, new: dict[str, Any] | None = None) -> None:
        if self.errors:
            raise self.errors.pop(0)
        said = _words(new or {})
        self.requests.append(" ".join(each for each in (name, "ephemeral" * ephemeral, said) if each))

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


TABLE, HAND = saying("The table."), saying("Your hand: 5H.")


def answer_to(kind: discord.InteractionType, pressed: str | None = None) -> tuple[Interaction, Answer]:
    interaction: Any = Interaction(kind, pressed)
    return interaction, Answer(interaction, Voice())


# A press keeps its message


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
    interaction, answer = answer_to(COMPONENT, "public")
    there: Any = interaction
    there.guild_id, there.client = 10, SimpleNamespace(get_guild=lambda _: object())
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
    file = DrawnFile(name="table.png", content=b"table", description="The table")
    posted = await answer.put(layout(text("The table."), files=(file,)).to_send() | {"silent": False})
    assert interaction.requests == ["defer", "edit @original The table."]
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


async def test_a_response_that_arrived_unnoticed_is_followed_by_the_table() -> None:
    interaction, answer = answer_to(COMMAND)
    interaction.loses_responses = True
    with pytest.raises(TimeoutError):
        await answer.put(TABLE.to_send())
    posted = await answer.put(TABLE.to_send())
    await posted.token.edit(saying("Changed."), "")
    assert interaction.requests == [
        "respond The table.",
        "follow up The table.",
        f"edit {FIRST + 1} Changed.",
    ]


async def test_a_press_whose_acknowledgement_had_an_unknown_outcome_posts_the_table_too() -> None:
    interaction, answer = answer_to(discord.InteractionType.component, "public")
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


async def test_a_command_waits_a_moment_for_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    _, answer = answer_to(COMMAND)
    answer.posts_table = True
    waiting = asyncio.create_task(answer.given())
    await asyncio.sleep(0)
    assert not waiting.done()
    await answer.put(TABLE.to_send())
    await waiting
    monkeypatch.setattr(module, "_GIVEN_TIMEOUT", 0)
    _, another = answer_to(COMMAND)
    await another.given()
    assert not another.is_given


# No hand is ever drawn on what everybody sees


def follow_ups(interaction: Interaction) -> int:
    return int(interaction.extras.get("follow_ups", 0))


async def _put(answer: Answer) -> None:
    await answer.put(TABLE.to_send())


async def _put_late(answer: Answer) -> None:
    await answer.defer()
    await answer.put(TABLE.to_send())


async def _put_late_for_everybody(answer: Answer) -> None:
    answer.posts_table = True
    await answer.defer()
    await answer.put(TABLE.to_send())


async def _defer_for_everybody(answer: Answer) -> None:
    answer.posts_table = True
    await answer.defer()


async def _post(answer: Answer) -> None:
    await answer.post(TABLE)


async def _post_late(answer: Answer) -> None:
    await answer.defer()
    await answer.post(TABLE)


async def _redraw(answer: Answer) -> None:
    await answer.redraw(TABLE)


async def _nothing(answer: Answer) -> None:
    await answer.nothing()


async def _reply(answer: Answer) -> None:
    await answer.reply("A sentence.")


@pytest.mark.parametrize(
    ("kind", "pressed", "first"),
    [
        (COMMAND, None, _put),
        (COMMAND, None, _put_late),
        (COMMAND, None, _put_late_for_everybody),
        (COMMAND, None, _defer_for_everybody),
        (COMMAND, None, _post),
        (COMMAND, None, _post_late),
        (COMMAND, None, _reply),
        (COMPONENT, "public", _put),
        (COMPONENT, "public", _put_late),
        (COMPONENT, "public", _post),
        (COMPONENT, "public", _redraw),
        (COMPONENT, "public", _nothing),
        (COMPONENT, "ephemeral", _put),
        (COMPONENT, "ephemeral", _post),
        (COMPONENT, "ephemeral", _reply),
        (MODAL, "public", _put),
        (MODAL, "public", _redraw),
    ],
)
async def test_the_hand_that_follows_an_answer_is_edited_alone(
    kind: discord.InteractionType, pressed: str | None, first: Any
) -> None:
    interaction, answer = answer_to(kind, pressed)
    await first(answer)
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
