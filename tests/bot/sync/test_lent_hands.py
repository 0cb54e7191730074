"""Ephemeral hands whose shard is handed over: the next process edits them with a lent token."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from discord.utils import utcnow

from bot.concurrency import keyed_tasks
from bot.model.open_hands import LentToken, OpenHand
from bot.sync import live_message
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import LentTransport
from tests.bot.answered import Answered, drawn
from tests.bot.stand_in import stand_in
from tests.bot.sync.test_ephemeral_hands import ADA, COPY, GAME, chosen, drawing, opened_by, shown, wanted
from tests.patience import PATIENCE

BEN, APPLICATION, TOKEN = 2, 9, "s3cr3t"


class Webhook:
    """A webhook, which records the messages that it edits, posts and deletes."""

    def __init__(self) -> None:
        self.edit_message = AsyncMock(spec=discord.Webhook.edit_message)
        self.delete_message = AsyncMock(spec=discord.Webhook.delete_message)
        self.send = AsyncMock(spec=discord.Webhook.send, return_value=SimpleNamespace(id=1_000))
        self.made_of: list[dict[str, Any]] = []

    def made(self, *, data: dict[str, Any], state: object) -> Webhook:
        self.made_of.append(data)
        return self

    @property
    def edited(self) -> list[int | str]:
        """The messages that were edited."""
        return [call.args[0] for call in self.edit_message.call_args_list]


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyed_tasks, "FIRST_PAUSE", 0)


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Webhook:
    webhook = Webhook()
    monkeypatch.setattr(discord.Webhook, "from_state", webhook.made)
    return webhook


@pytest.fixture
def client() -> Any:
    return stand_in(discord.Client, _connection=None)


def answered(**changes: Any) -> Any:
    """An interaction with a token."""
    answer: Any = Answered(**changes)
    answer.application_id, answer.token = APPLICATION, TOKEN
    return answer


def token(*, age: timedelta = timedelta(), is_original: bool = True, message: int = COPY) -> LentToken:
    expires = (utcnow() - age + timedelta(minutes=15)).timestamp()
    return LentToken(
        message=message,
        application=APPLICATION,
        token=TOKEN,
        is_original=is_original,
        expires=expires,
        language="fr",
    )


def hand(*, digest: str = "", draft: int | None = None, **of_token: Any) -> OpenHand:
    return OpenHand(game=GAME, user=ADA, token=token(**of_token), digest=digest, version=1, draft=draft)


def hands_of_a_process() -> EphemeralHands:
    return EphemeralHands(lambda _: None)


async def test_a_copy_goes_to_the_next_process_as_it_stands_and_is_drawn_there(
    webhook: Webhook, client: Any
) -> None:
    answer = answered()
    (lent,) = opened_by(answer, chosen(3)).lend(lambda game: game == GAME)
    assert lent == OpenHand(
        game=GAME,
        user=ADA,
        token=LentToken(
            message=COPY,
            application=APPLICATION,
            token=TOKEN,
            is_original=True,
            expires=answer.expires_at.timestamp(),
            language="en-GB",
        ),
        digest=drawing("Lay away.").digest,
        version=1,
        draft=3,
    )

    hands = hands_of_a_process()
    assert hands.borrow(lent, client)
    assert hands.is_at_the_table(GAME, ADA)
    assert hands.language(GAME, ADA) == "en-GB"
    hands.want(GAME, ADA, wanted("Lay away, Ben has.", 2, choosing=3))
    await drawn(hands)
    assert webhook.edited == [], "what its player has chosen stays"
    hands.want(GAME, ADA, wanted("Your lead.", 3))
    await drawn(hands)
    assert webhook.edited == ["@original"]
    assert webhook.made_of == [{"id": APPLICATION, "type": 3, "token": TOKEN}]


async def test_what_a_copy_shows_already_is_not_drawn_again_unless_nobody_knows_it(
    webhook: Webhook, client: Any
) -> None:
    hands = hands_of_a_process()
    assert hands.borrow(hand(digest=drawing("Lay away.").digest), client)
    hands.want(GAME, ADA, wanted("Lay away."))
    await drawn(hands)
    assert webhook.edited == []

    hands = hands_of_a_process()
    assert hands.borrow(hand(digest=""), client)
    hands.want(GAME, ADA, wanted("Lay away."))
    await drawn(hands)
    assert webhook.edited == ["@original"]


async def test_only_copies_of_the_games_that_are_meant_and_that_can_be_drawn_are_lent() -> None:
    old = answered(user=BEN, age=timedelta(minutes=15))
    hands = opened_by(answered())
    hands.opened("another", answered(), COPY + 1, shown("Lay away."))
    hands.opened(GAME, old, COPY + 2, shown("Lay away."))

    assert [(each.game, each.user) for each in hands.lend(lambda game: game == GAME)] == [(GAME, ADA)]


async def test_of_a_copy_that_may_show_something_else_it_is_not_said_what_it_shows() -> None:
    answer = answered()
    hands = opened_by(answer)
    hands.may_have_drawn(GAME, answer, shown("Laid away.", 2))

    (lent,) = hands.lend(lambda _: True)
    assert (lent.digest, lent.version) == ("", 2)


async def test_a_copy_that_its_player_has_opened_here_meanwhile_is_the_one_that_follows(
    webhook: Webhook, client: Any
) -> None:
    answer = answered(message=COPY + 1)
    hands = hands_of_a_process()
    hands.opened(GAME, answer, COPY + 1, shown("Lay away."))
    assert not hands.borrow(hand(), client)
    hands.want(GAME, ADA, wanted("Your lead.", 2))
    await drawn(hands)
    assert (answer.edits, webhook.edited) == (["Your lead."], [])


def test_a_token_that_is_nearly_over_is_not_borrowed(client: Any) -> None:
    hands = hands_of_a_process()
    assert not hands.borrow(hand(age=timedelta(minutes=14, seconds=31)), client)
    assert not hands.is_at_the_table(GAME, ADA)
    assert hands.borrow(hand(age=timedelta(minutes=14, seconds=20)), client)


async def test_a_copy_that_was_posted_by_a_token_is_lent_by_its_own_id() -> None:
    deferred = answered(message=60)
    deferred.response.type = discord.InteractionResponseType.deferred_message_update
    (lent,) = opened_by(deferred).lend(lambda _: True)
    assert (lent.token.message, lent.token.is_original) == (COPY, False)


@pytest.mark.parametrize("is_original", [True, False])
async def test_a_lent_token_edits_and_deletes_its_message_and_posts_another(
    webhook: Webhook, client: Any, *, is_original: bool
) -> None:
    lent = LentTransport(token(is_original=is_original), client)
    here = "@original" if is_original else COPY
    await lent.edit(drawing("Your lead."), "")
    await lent.delete()
    assert webhook.edited == [here]
    assert [call.args[0] for call in webhook.delete_message.await_args_list] == [here]

    new = await lent.post(drawing("Your lead."))
    assert webhook.send.call_args.kwargs["ephemeral"], "nobody else may see it"
    await new.edit(drawing("Your cut."), "")
    assert webhook.edited == [here, 1_000]
    assert new.message == 1_000
    assert new.lent() == token_like(lent, message=1_000)


def token_like(lent: LentTransport, *, message: int) -> LentToken:
    """The token of that one, for a message that it has posted."""
    before = lent.lent()
    return LentToken(
        message=message,
        application=before.application,
        token=before.token,
        is_original=False,
        expires=before.expires,
        language=before.language,
    )


async def test_a_lent_token_that_hangs_is_given_up(
    webhook: Webhook, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(live_message, "_TOKEN_TIMEOUT", 0.01)
    webhook.edit_message.side_effect = hangs
    hands = hands_of_a_process()
    assert hands.borrow(hand(), client)
    hands.want(GAME, ADA, wanted("Your lead.", 2))
    async with asyncio.timeout(PATIENCE):
        await drawn(hands)
    assert not hands.is_open(GAME, ADA)
