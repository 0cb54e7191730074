"""Telling a game to the end while answers cross the drawings, and people shut their doors."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import create_autospec

import discord
import pytest
from discord import ui

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.delivery.announcer import Announcer
from bot.delivery.bumping import Bumping
from bot.delivery.live_message import Shown
from bot.delivery.mentions import Mentions
from bot.model.posts import Post, PostKind
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.store import SETTLED
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from engine import Discard
from tests.bot.answered import Answered, drawn
from tests.bot.seating import ADA, sit_down
from tests.bot.store.memory import MemoryStore


class Wall:
    """Discord as far as telling goes: messages that are posted and edited, and doors that are shut."""

    def __init__(self) -> None:
        self.shown: dict[int, ui.LayoutView] = {}
        self.edits: list[int] = []
        self.posted: list[tuple[int, int]] = []
        """Channel and message, in order."""
        self.lost: list[int] = []
        """Channels in which the next post fails, and messages of which the next edit does."""
        self.shut: set[int] = set()
        """Messages that may not be edited any more, and channels in which none may be posted."""
        self._by_nonce: dict[tuple[int, str], int] = {}

    def client(self) -> Any:
        client = create_autospec(discord.Client, instance=True)
        client.get_partial_messageable.side_effect = lambda channel: SimpleNamespace(
            send=partial(self.send, channel), get_partial_message=self.get_partial_message
        )
        client.create_dm.side_effect = lambda user: SimpleNamespace(id=1000 + user.id)
        return client

    async def send(
        self, channel: int, *_: Any, nonce: str, view: ui.LayoutView | None = None, **__: Any
    ) -> Any:
        if channel in self.lost:
            self.lost.remove(channel)
            raise OSError("the connection is gone")
        if channel in self.shut:
            raise _closed()
        if (channel, nonce) in self._by_nonce:
            return SimpleNamespace(id=self._by_nonce[channel, nonce])
        message = discord.utils.time_snowflake(discord.utils.utcnow()) + len(self.shown)
        self._by_nonce[channel, nonce] = message
        self.shown[message] = view or ui.LayoutView()
        self.posted.append((channel, message))
        return SimpleNamespace(id=message)

    def get_partial_message(self, message: int) -> Any:
        async def edit(*, view: ui.LayoutView, **_: object) -> None:
            self.edits.append(message)
            if message in self.lost:
                self.lost.remove(message)
                raise OSError("the connection is gone")
            if message in self.shut:
                raise _closed()
            self.shown[message] = view

        return SimpleNamespace(edit=edit, delete=self._nothing)

    async def _nothing(self) -> None:
        """Nudges are not looked at here."""

    def has_buttons(self, message: int) -> bool:
        return "custom_id" in str(self.shown[message].to_components())  # type: ignore[no-untyped-call]


def _closed() -> discord.Forbidden:
    response: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(response, {"code": 50007, "message": "Cannot send"})


class Told:
    """A game with its announcer."""

    def __init__(self, store: MemoryStore, sessions: Sessions, session: Session, wall: Wall) -> None:
        self.store, self.sessions, self.wall, self.game = store, sessions, wall, session.record.game
        mentions = Mentions(60.0, clock=lambda: 0.0)

        client = wall.client()
        client.get_channel.return_value = None
        unrated = create_autospec(RatedGames, instance=True)
        unrated.changes.return_value = ()
        self.announcer = Announcer(
            client,
            store,
            sessions,
            Presence(),
            KeyedTasks(),
            voices=Voices(),
            mentions=mentions,
            bumping=Bumping(client, lull=60.0, clock=lambda: 0.0),
            rated=unrated,
        )

    @classmethod
    async def begun(cls) -> Self:
        store = MemoryStore()
        sessions, _, session, _ = await sit_down(store)
        return cls(store, sessions, session, Wall())

    async def tell(self) -> bool:
        """One telling; whether everything is told."""
        try:
            await self.announcer._tell(self.game)
        except RetryLater:
            return False
        return True

    async def play_a_deal(self) -> None:
        session = await self.sessions.get(self.game)
        deal = session.game.table.deal_number
        while session.game.table.deal_number == deal and not session.game.is_over:
            seat = session.game.table.waiting_for[0]
            move = session.game.legal_moves(seat).moves[0]
            user = session.record.occupants[seat].user or 0
            await self.sessions.move(self.game, user, lambda _, move=move: move)

    async def hand(self, deal: int) -> Post:
        """The host's hand in that deal."""
        seat = (await self.sessions.get(self.game)).seat_of(ADA.user)
        post = (await self.announcer.posts(self.game)).get(PostKind.HAND, deal, seat)
        assert post is not None
        return post


@pytest.fixture
async def told() -> Told:
    return await Told.begun()


async def test_a_hand_that_an_answer_held_while_its_deal_passed_is_put_away_afterwards(told: Told) -> None:
    assert await told.tell()
    hand = await told.hand(1)
    posts = await told.announcer.posts(told.game)
    with posts.pressed(hand.message):
        await told.play_a_deal()
        is_all_told = await told.tell()  # the table of the deal is settled, the hand is left to the answer
    assert not is_all_told
    assert (await told.store.table(told.game)).told < (await told.store.table(told.game)).version

    assert await told.tell()

    assert (await told.hand(1)).drawn == SETTLED
    assert not told.wall.has_buttons(hand.message)
    assert (await told.store.table(told.game)).told == (await told.store.table(told.game)).version


async def test_a_past_deal_is_drawn_again_while_its_message_is_uncertain(told: Told) -> None:
    assert await told.tell()
    posts = await told.announcer.posts(told.game)
    table = posts.get(PostKind.TABLE, 1)
    assert table is not None
    await told.play_a_deal()
    with posts.pressed(table.message):
        assert not await told.tell(), "it is left to the answer"
        answer: Any = Answered()
        version = (await told.sessions.get(told.game)).game.version
        shown = Shown(digest="?", version=version)
        await posts.answered(table.message, answer, shown, is_certain=False)
    told.wall.edits.clear()

    assert await told.tell()

    assert (len(answer.edits), told.wall.edits) == (1, [])
    assert "the show" in answer.edits[0]
    assert (await told.hand(1)).drawn == SETTLED


async def test_a_hand_behind_a_closed_door_is_given_up_and_not_tried_again(told: Told) -> None:
    assert await told.tell()
    hand = await told.hand(1)
    told.wall.shut.add(hand.message)
    await told.play_a_deal()
    told.wall.edits.clear()

    assert await told.tell()
    assert await told.tell()

    assert told.wall.edits.count(hand.message) == 1
    assert (await told.hand(1)).drawn == SETTLED


async def test_a_hand_that_was_posted_just_before_a_fall_is_found_and_put_away(told: Told) -> None:
    assert await told.tell()
    lost = await told.hand(1)
    await told.store.drop_post(told.game, PostKind.HAND, 1, lost.seat)  # the bot fell before it was kept
    await told.play_a_deal()

    risen = Told(told.store, told.sessions, await told.sessions.get(told.game), told.wall)
    risen.announcer.doubt([told.game])
    for _ in range(3):
        await risen.tell()

    assert await risen.tell()
    assert (await risen.hand(1)).message == lost.message
    assert not told.wall.has_buttons(lost.message)


async def test_the_next_table_waits_for_a_show_that_could_not_be_drawn(told: Told) -> None:
    assert await told.tell()
    await told.play_a_deal()
    channel = (await told.store.table(told.game)).channel
    posts = await told.announcer.posts(told.game)
    first = posts.get(PostKind.TABLE, 1)
    assert first is not None
    told.wall.lost.append(first.message)
    told.wall.posted.clear()

    assert not await told.tell()
    assert channel not in {where for where, _ in told.wall.posted}
    assert len(told.wall.posted) == 2, "but the hands come"
    told.wall.edits.clear()
    while not await told.tell():
        """An edit whose fate was unknown is drawn once more."""

    second = posts.get(PostKind.TABLE, 2)
    assert second is not None
    assert first.message in told.wall.edits
    assert [message for where, message in told.wall.posted if where == channel] == [second.message]


async def test_what_may_have_been_posted_before_a_start_is_drawn_once_more(told: Told) -> None:
    told.announcer.doubt([told.game])

    assert not await told.tell()
    while not await told.tell():
        """Nothing is settled before it is certain."""

    assert sorted(set(told.wall.edits)) == sorted(message for _, message in told.wall.posted)


def copied(told: Told, answer: Any, *, version: int = 1, draft: int | None = None) -> None:
    """Ada has opened her hand at the table."""
    shown = Shown(digest="?", version=version, draft=draft)
    told.announcer.ephemeral_hands.opened(told.game, answer, 70, shown)


async def test_a_copy_follows_its_game_to_the_end_and_is_forgotten(told: Told) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(told, answer, draft=1)
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert answer.edits == [], "what is chosen stays"

    session = await told.sessions.get(told.game)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await told.sessions.move(told.game, ADA.user, lambda seat: Discard(seat, given))
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert "You discarded" in answer.edits[0]

    await told.play_a_deal()
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert "discard 2 to" in answer.edits[1]

    while not (await told.sessions.get(told.game)).game.is_over:
        await told.play_a_deal()
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert " won, " in answer.edits[-1] or "You win, " in answer.edits[-1]
    assert len(answer.edits) == 3
    assert not told.announcer.ephemeral_hands.is_open(told.game, ADA.user or 0)


async def test_a_choice_on_a_copy_is_over_with_its_deal(told: Told) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(told, answer, draft=1)
    await told.play_a_deal()
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert "discard 2 to" in answer.edits[0]


async def test_a_copy_offers_the_way_back_once_direct_messages_were_found_closed(told: Told) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(told, answer)
    told.wall.shut.add(1000 + (ADA.user or 0))
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert "Send it by DM" in answer.labels


async def test_a_copy_that_hangs_keeps_nothing_from_being_told(told: Told) -> None:
    answer: Any = Answered(ADA.user or 0)
    answer.is_open.clear()
    copied(told, answer)
    assert await told.tell()
    assert len(told.wall.posted) == 3, "the table and both hands"
    assert len(answer.edits) == 1
    await told.announcer.close()
    assert not len(told.announcer.ephemeral_hands._drawing)


async def test_no_telling_draws_a_hand_back_to_before_its_players_last_answer(told: Told) -> None:
    """A press between a telling's beginning and its drawing of the hand."""
    assert await told.tell()
    session, hand = await told.sessions.get(told.game), await told.hand(1)
    posts = await told.announcer.posts(told.game)
    answer: Any = Answered(ADA.user or 0)
    shown = Shown(digest="of what it shows after the press", version=session.game.version + 1)
    await posts.answered(hand.message, answer, shown)
    before = told.wall.edits.copy()
    assert await told.tell()
    assert (answer.edits, told.wall.edits) == ([], before)

    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await told.sessions.move(told.game, ADA.user, lambda seat: Discard(seat, given))
    assert await told.tell()
    assert len(answer.edits) == 1
