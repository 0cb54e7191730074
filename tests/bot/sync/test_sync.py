"""Syncs of whole games, with crossing answers, closed DMs, crashes and failures of Discord."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import AsyncMock

import discord
import pytest
from discord import ui

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.gateway.hint_exchange import HintExchange, Hints
from bot.model.errors import StoreUnavailable
from bot.model.first_deck import FirstDeck
from bot.model.hints import Drawn, Hint
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Pace, Status
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.store import SETTLED, Store
from bot.sync.circuit_breaker import Standing
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.live_message import Shown
from bot.sync.parts import Sync
from bot.sync.table_state import Pacing
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import Discard, LogError, Resign, Stage
from engine.computer import Level
from tests.bot.answered import Answered, drawn
from tests.bot.decks import put_under_first_scheme, secrets
from tests.bot.render.games import words
from tests.bot.seating import ADA, cut_for_deal, gather, room_of, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import NothingIsShut
from tests.patience import PATIENCE


class Wall:
    """A fake of Discord's messages and channels, with failures on demand."""

    def __init__(self) -> None:
        self.shown: dict[int, ui.LayoutView] = {}
        self.edits: list[int] = []
        self.posted: list[tuple[int, int]] = []
        """Channel and message, in order."""
        self.lines: dict[int, str] = {}
        """By message: the line of text as which it began."""
        self.silent: set[int] = set()
        self.deleted: list[int] = []
        self.uploads: list[int] = []
        """The messages whose edits brought a file."""
        self.takes_no_files: set[int] = set()
        self.lost_edits = False
        self.lost: list[int] = []
        """Channels in which the next post fails, and messages of which the next edit fails."""
        self.unanswered: list[int] = []
        """Channels in which the next post arrives, but its response is lost."""
        self.shut: set[int] = set()
        """Messages and channels of closed DMs."""
        self.forbidden: set[int] = set()
        """Channels in which the bot lacks a permission."""
        self.gone: set[int] = set()
        """Deleted channels."""
        self.refused: list[int] = []
        """Channels of refused posts, in order."""
        self._by_nonce: dict[tuple[int, str], int] = {}

    def client(self) -> Any:
        client = stand_in(discord.Client)
        client.get_partial_messageable.side_effect = lambda channel: SimpleNamespace(
            send=partial(self.send, channel), get_partial_message=self.get_partial_message
        )
        client.create_dm.side_effect = lambda user: SimpleNamespace(id=1000 + user.id)
        return client

    async def send(
        self,
        channel: int,
        content: str = "",
        *,
        nonce: str,
        view: ui.LayoutView | None = None,
        silent: bool = False,
        files: Any = (),
        **_: Any,
    ) -> Any:
        if channel in self.gone:
            raise _gone()
        if channel in self.lost:
            self.lost.remove(channel)
            raise OSError("the connection is gone")
        if channel in self.shut:
            raise _closed()
        if channel in self.forbidden:
            self.refused.append(channel)
            raise _closed(50013)
        if files and channel in self.takes_no_files:
            raise discord.HTTPException(SimpleNamespace(status=400, reason=""), "no")  # type: ignore[arg-type]
        if (channel, nonce) in self._by_nonce:
            return SimpleNamespace(id=self._by_nonce[channel, nonce])
        message = discord.utils.time_snowflake(discord.utils.utcnow()) + len(self.shown)
        self._by_nonce[channel, nonce] = message
        self.shown[message] = view or ui.LayoutView()
        self.lines |= {message: content} if content else {}
        self.silent |= {message} if silent else set()
        self.posted.append((channel, message))
        if channel in self.unanswered:
            self.unanswered.remove(channel)
            raise OSError("the connection is gone")
        return SimpleNamespace(id=message)

    def get_partial_message(self, message: int) -> Any:
        async def edit(
            *, view: ui.LayoutView, content: str | None = "", attachments: Any = (), **_: object
        ) -> None:
            assert content is None or message not in self.lines, "text stays below components"
            self.uploads += [message for _ in attachments]
            self.edits.append(message)
            if message in self.lost or self.lost_edits:
                self.lost = [each for each in self.lost if each != message]
                raise OSError("the connection is gone")
            if message in self.shut:
                raise _closed()
            if attachments and message in self.takes_no_files:
                raise discord.HTTPException(SimpleNamespace(status=400, reason=""), "no")  # type: ignore[arg-type]
            self.lines.pop(message, None)
            self.shown[message] = view

        async def delete() -> None:
            if message in self.lost:
                self.lost.remove(message)
                raise OSError("the connection is gone")
            self.deleted.append(message)

        return SimpleNamespace(edit=edit, delete=delete)

    def text(self, message: int) -> str:
        return words(Drawing(self.shown[message]))  # type: ignore[arg-type]

    def has_buttons(self, message: int) -> bool:
        return "custom_id" in str(self.shown[message].to_components())  # type: ignore[no-untyped-call]


def _closed(code: int = 50007) -> discord.Forbidden:
    response: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(response, {"code": code, "message": "Cannot send"})


def _gone() -> discord.NotFound:
    response: Any = SimpleNamespace(status=404, reason="Not Found")
    return discord.NotFound(response, {"code": 10003, "message": "Unknown Channel"})


class SyncedGame:
    """A game with its sync."""

    def __init__(self, store: Store, sessions: Sessions, game: str, wall: Wall) -> None:
        self.store, self.sessions, self.wall, self.game = store, sessions, wall, game
        self.tasks, self.knowledge = KeyedTasks(), NothingIsShut()
        self.now = 0.0
        """Time of `Pacing.clock` (s)."""
        client = self.client = wall.client()
        client.get_channel.return_value = None
        unrated = stand_in(RatedGames)
        unrated.changes.return_value = ()
        self.sync = Sync.of(
            client,
            store,
            sessions,
            Presence(),
            self.tasks,
            lobbies=Lobbies(store, sessions, now=time.time),
            knowledge=self.knowledge,
            voices=Voices(),
            pacing=Pacing(clock=lambda: self.now, ring_after=180.0, mention_after=60.0, lull=60.0),
            rated=unrated,
        )

    @classmethod
    async def begun(cls, agreement: Agreement | None = None) -> Self:
        store = MemoryStore()
        sessions, _, session, _ = await sit_down(store, agreement)
        return cls(store, sessions, session.record.game, Wall())

    async def sync_once(self) -> bool:
        """Sync the game once; false if a retry is needed."""
        try:
            await self.sync.queue._sync(self.game)
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

    async def move_once(self) -> int:
        """Move for the first player in turn, and return the next user in turn."""
        session = await self.sessions.get(self.game)
        seat = session.game.table.waiting_for[0]
        user = session.record.occupants[seat].user or 0
        move = session.game.legal_moves(seat).moves[0]
        session, _ = await self.sessions.move(self.game, user, lambda _: move)
        return session.record.occupants[session.game.table.waiting_for[0]].user or 0

    def rung(self) -> list[int]:
        """Users who were called by a message by DM, without the first messages of the game."""
        return [channel - 1000 for channel, _ in self.wall.posted if channel > 1000][2:]

    def mentioned(self) -> list[int]:
        """Users who were mentioned in the channel."""
        return [int(name) for line in self.wall.lines.values() for name in re.findall(r"<@(\d+)>", line)]

    async def hand(self) -> Post:
        """The host's message by DM."""
        seat = (await self.sessions.get(self.game)).seat_of(ADA.user)
        post = (await self.sync.tables.posts(self.game)).get(PostKind.HAND, seat=seat)
        assert post is not None
        return post


@pytest.fixture
async def synced() -> SyncedGame:
    return await SyncedGame.begun()


async def test_a_player_has_one_message_by_dm_which_says_what_the_last_deal_came_to(
    synced: SyncedGame,
) -> None:
    assert await synced.sync_once()
    hand = await synced.hand()
    assert "Deal 1: " not in synced.wall.text(hand.message)
    synced.wall.posted.clear()
    for deal in (1, 2):
        await synced.play_a_deal()
        assert await synced.sync_once()
        assert (await synced.hand()).message == hand.message
        said = synced.wall.text(hand.message)
        assert re.search(rf"Deal {deal}: you \+\d+ \(\d+ in the play, hand \d+.*\), Ben\s\+\d+\. ", said)
        assert f"Deal {deal + 1}" in said
    assert {channel for channel, _ in synced.wall.posted} == {(await synced.store.table(synced.game)).channel}


async def test_a_message_by_dm_rings_as_text_and_then_shows_the_hand(synced: SyncedGame) -> None:
    synced.wall.lost_edits = True
    assert not await synced.sync_once()
    hands = [message for channel, message in synced.wall.posted if channel > 1000]
    assert {synced.wall.lines[hand] for hand in hands} == {"Your turn: discard 2 cards"}
    synced.wall.lost_edits = False
    while not await synced.sync_once():
        """The outcome of the edits is unknown."""
    assert not synced.wall.lines
    assert not synced.wall.silent.intersection(hands)
    assert all(synced.wall.has_buttons(hand) for hand in hands)


async def test_the_picture_of_the_last_show_is_sent_once_a_deal(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    await synced.play_a_deal()
    synced.wall.uploads.clear()
    assert await synced.sync_once()
    hand = await synced.hand()
    assert [message for message in synced.wall.uploads if message == hand.message] == [hand.message]
    session = await synced.sessions.get(synced.game)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await synced.sessions.move(synced.game, ADA.user, lambda seat: Discard(seat, given))
    synced.wall.uploads.clear()
    assert await synced.sync_once()
    assert hand.message in synced.wall.edits
    assert hand.message not in synced.wall.uploads


async def test_where_discord_takes_no_picture_by_dm_the_cards_are_text(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    hand = await synced.hand()
    synced.wall.takes_no_files.add(hand.message)
    for _ in range(2):
        await synced.play_a_deal()
        while not await synced.sync_once():
            """A refused message is unconfirmed."""
    assert re.search(r"Deal 2: .*\n-# .*[♣♦♥♠].*starter", synced.wall.text(hand.message))
    synced.wall.uploads.clear()
    await synced.play_a_deal()
    assert await synced.sync_once()
    assert hand.message not in synced.wall.uploads, "it is not tried again"


async def test_who_has_pressed_nothing_for_a_while_is_called_by_a_new_message(
    synced: SyncedGame,
) -> None:
    assert await synced.sync_once()
    old = await synced.hand()
    synced.now = 179.0
    assert await synced.sync_once()
    assert (await synced.hand()).message == old.message
    synced.now = 180.0
    assert await synced.sync_once()
    new = await synced.hand()
    assert new.message != old.message
    assert old.message in synced.wall.deleted
    assert len(synced.wall.deleted) == 2, "Ben's, too"
    assert not synced.wall.silent
    synced.now = 10_000.0
    assert await synced.sync_once()
    assert (await synced.hand()).message == new.message, "once a turn"


async def in_slow_play() -> tuple[SyncedGame, int]:
    """A slow game in its first play, shortly after it began, and the user in turn."""
    synced = await SyncedGame.begun(Agreement.of(pace=Pace.SLOW))
    assert await synced.sync_once()
    user = 0
    while (await synced.sessions.get(synced.game)).game.table.stage is not Stage.PLAYING:
        user = await synced.move_once()
    synced.now = 30.0  # who moved a minute ago at most has just been playing, and is not mentioned
    assert await synced.sync_once()
    assert (synced.rung(), synced.mentioned()) == ([], [])
    return synced, user


async def test_a_turn_calls_by_dm_or_by_a_mention_and_never_by_both() -> None:
    synced, first = await in_slow_play()
    synced.now = 210.0
    assert await synced.sync_once()
    assert (synced.rung(), synced.mentioned()) == ([first], []), "a hand that has rung needs no mention"

    second = await synced.move_once()
    assert second != first
    assert await synced.sync_once()
    assert (synced.rung(), synced.mentioned()) == ([first], [second])
    synced.now = 400.0
    assert await synced.sync_once()
    assert synced.rung() == [first], "who was mentioned is not called once more by DM"


async def test_a_mention_from_before_a_restart_is_the_call_of_its_turn() -> None:
    synced, _ = await in_slow_play()
    synced.now = 100.0
    mentioned = await synced.move_once()
    assert await synced.sync_once()
    assert synced.mentioned() == [mentioned]

    again = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    for again.now in (0.0, 180.0):
        assert await again.sync_once()
    assert (again.rung(), again.mentioned()) == ([], [mentioned])


async def test_who_cannot_be_reached_by_dm_is_mentioned_instead() -> None:
    synced, waited_for = await in_slow_play()
    await synced.store.prefer(waited_for, dms_closed=True)
    synced.now = 210.0
    assert await synced.sync_once()
    assert (synced.rung(), synced.mentioned()) == ([], [waited_for])


async def test_who_has_just_pressed_something_in_their_turn_is_not_mentioned() -> None:
    synced, waited_for = await in_slow_play()
    await synced.store.prefer(waited_for, dms_closed=True)
    synced.now = 200.0
    seat = (await synced.sessions.get(synced.game)).seat_of(waited_for)
    assert seat is not None
    synced.sync.queue.note_turn(synced.game, seat)
    synced.now = 210.0
    assert await synced.sync_once()
    assert synced.mentioned() == []
    synced.now = 260.0
    assert await synced.sync_once()
    assert synced.mentioned() == [waited_for]


async def test_a_press_in_another_channel_posts_nothing_at_a_table_that_only_tokens_reach(
    synced: SyncedGame,
) -> None:
    record = replace((await synced.sessions.get(synced.game)).record, venue=Venue.ANYWHERE, guild=None)
    for channel in (record.channel + 1, record.channel):
        press: Any = SimpleNamespace(user=ADA.user, channel=channel, pressed_at=0.0, may_post=True)
        synced.sync.queue.note_token(record, press)
        assert synced.sync.queue._presses.can_post(record.channel) is (channel == record.channel)


async def test_nothing_rings_for_somebody_whom_only_computers_wait_for() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    table = {"guild": 10, "channel": 20, "place": "Snug", "host": ADA, "agreement": Agreement()}
    record = await lobbies.open(**table, computers=Level.STEADY)  # type: ignore[arg-type]
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    synced = SyncedGame(store, sessions, session.record.game, Wall())
    assert await synced.sync_once()
    before = await synced.hand()
    synced.now = 1_000.0
    assert await synced.sync_once()
    assert await synced.hand() == before


@pytest.mark.parametrize("step", ["post", "edit", "delete"])
async def test_a_call_that_a_crash_has_interrupted_is_finished_and_leaves_one_message(
    synced: SyncedGame, step: str
) -> None:
    assert await synced.sync_once()
    old = await synced.hand()
    synced.now = 180.0
    match step:
        case "post":
            synced.wall.lost.append(old.channel)
        case "edit":
            synced.wall.lost_edits = True
        case _:
            synced.wall.lost.append(old.message)
    assert not await synced.sync_once()
    synced.wall.lost_edits = False

    risen = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    assert synced.game in {record.game for record in await synced.store.unsynced()}
    risen.sync.queue.expect_unacknowledged_sends([synced.game])
    while not await risen.sync_once():
        """Unconfirmed messages are drawn once more."""

    hand = await risen.hand()
    by_dm = {message for channel, message in synced.wall.posted if channel == old.channel}
    assert by_dm - set(synced.wall.deleted) == {hand.message}
    assert hand.message != old.message
    assert synced.wall.has_buttons(hand.message)
    assert synced.game not in {record.game for record in await synced.store.unsynced()}


async def test_a_hand_of_an_earlier_version_is_settled(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    hand = await synced.hand()
    posts = await synced.sync.tables.posts(synced.game)
    old = await posts._book.keep(replace(hand, deal=1, message=hand.message + 1000, drawn="?"))
    await synced.play_a_deal()
    while not await synced.sync_once():
        """The earlier content is unconfirmed."""
    past = posts.get(PostKind.HAND, 1, hand.seat)
    assert past is not None
    assert past.drawn == SETTLED
    assert not synced.wall.has_buttons(old.message)
    assert synced.wall.has_buttons(hand.message)


async def test_a_past_deal_is_drawn_again_while_its_message_is_unconfirmed(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    posts = await synced.sync.tables.posts(synced.game)
    table = posts.get(PostKind.TABLE, 1)
    assert table is not None
    await synced.play_a_deal()
    with posts.pressed(table.message):
        assert not await synced.sync_once(), "it is left to the answer"
        answer: Any = Answered()
        version = (await synced.sessions.get(synced.game)).game.version
        shown = Shown(digest="?", version=version)
        await posts.answered(table.message, answer, shown, is_certain=False)
    synced.wall.edits.clear()

    assert await synced.sync_once()

    assert (len(answer.edits), synced.wall.edits) == (1, [])
    assert "the show" in answer.edits[0]


async def test_a_hand_behind_a_closed_door_is_given_up_and_not_tried_again(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    hand = await synced.hand()
    synced.wall.shut.add(hand.message)
    await synced.play_a_deal()
    synced.wall.edits.clear()

    assert await synced.sync_once()
    await synced.play_a_deal()
    assert await synced.sync_once()

    assert synced.wall.edits.count(hand.message) == 1


async def test_a_hand_that_was_posted_just_before_a_fall_is_found(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    lost = await synced.hand()
    await synced.store.drop_post(synced.game, PostKind.HAND, 0, lost.seat)  # the bot fell before it was kept
    await synced.play_a_deal()

    risen = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    risen.sync.queue.expect_unacknowledged_sends([synced.game])
    for _ in range(3):
        await risen.sync_once()

    assert await risen.sync_once()
    assert (await risen.hand()).message == lost.message
    assert "Deal 2" in synced.wall.text(lost.message)


async def test_a_lost_hand_is_found_though_its_player_has_opened_another_at_the_table_since(
    synced: SyncedGame,
) -> None:
    assert await synced.sync_once()
    lost = await synced.hand()
    await synced.store.drop_post(synced.game, PostKind.HAND, 0, lost.seat)

    risen = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    risen.sync.queue.expect_unacknowledged_sends([synced.game])
    answer: Any = Answered(ADA.user or 0)
    risen.sync.hands.opened(synced.game, answer, 99, Shown(digest="", version=0))
    while not await risen.sync_once():
        """A message that is found by its nonce is unconfirmed at first."""

    assert (await risen.hand()).message == lost.message
    assert "You're playing in" in synced.wall.text(lost.message)


async def test_an_answer_of_another_process_that_crossed_the_end_of_the_game_is_drawn_over(
    synced: SyncedGame,
) -> None:
    assert await synced.sync_once()
    hand = await synced.hand()
    before = synced.wall.shown[hand.message]
    version = (await synced.sessions.get(synced.game)).game.version
    await synced.sessions.move(synced.game, ADA.user or 0, Resign)
    while not await synced.sync_once():
        """A whole sync, so that nothing stays in memory."""
    ended = synced.wall.text(hand.message)
    synced.wall.shown[hand.message] = before

    drawn = Drawn(message=hand.message, digest="old", version=version, draft=None, is_certain=True)
    exchange = HintExchange(stand_in(Hints), synced.sync, synced.sessions)
    await exchange.receive(Hint(game=synced.game, sender=8, drawn=(drawn,)))
    async with asyncio.timeout(PATIENCE):
        while len(synced.tasks):  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0)

    assert synced.wall.text(hand.message) == ended


async def test_a_lost_hand_of_a_game_that_is_called_off_is_found_and_settled(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    lost = await synced.hand()
    await synced.store.drop_post(synced.game, PostKind.HAND, 0, lost.seat)
    await synced.sessions.call_off(synced.game)

    risen = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    risen.sync.queue.expect_unacknowledged_sends([synced.game])
    for _ in range(3):
        await risen.sync_once()

    assert not synced.wall.has_buttons(lost.message)


async def test_a_result_whose_picture_discord_refuses_is_text(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    channel = (await synced.store.table(synced.game)).channel
    await synced.sessions.move(synced.game, ADA.user or 0, Resign)
    synced.wall.takes_no_files.add(channel)
    while not await synced.sync_once():
        """A refused message is unconfirmed."""
    post = (await synced.sync.tables.posts(synced.game)).get(PostKind.RESULT)
    assert post is not None
    assert "Ben" in synced.wall.text(post.message)
    assert "'type': 12" not in str(synced.wall.shown[post.message].to_components()), "no picture is missed"


async def test_a_mention_is_deleted_when_the_game_is_called_off(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    posts, channel = (
        await synced.sync.tables.posts(synced.game),
        (await synced.store.table(synced.game)).channel,
    )
    call = Post(game=synced.game, kind=PostKind.NUDGE, seat=0, channel=channel, message=77)
    await posts._book.keep(call)
    await synced.sessions.call_off(synced.game)
    assert await synced.sync_once()
    assert synced.wall.deleted == [77]
    assert posts.get(PostKind.NUDGE, seat=0) is None


async def test_a_log_that_cannot_be_read_is_not_synced_and_names_no_card(
    synced: SyncedGame, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(synced.sessions, "get", AsyncMock(side_effect=LogError("nobody can discard 5H")))
    assert await synced.sync_once(), "it is not tried again: it would fail again"
    [record] = caplog.records
    assert record.getMessage() == f"the log of {synced.game} cannot be synced: LogError"
    assert record.exc_info is None
    assert not synced.wall.posted


async def test_hands_say_once_that_a_game_rests_and_one_behind_a_closed_door_holds_nothing_up(
    synced: SyncedGame, caplog: pytest.LogCaptureFixture
) -> None:
    assert await synced.sync_once()
    posts, hand = await synced.sync.tables.posts(synced.game), await synced.hand()
    [other] = (post for post in posts.all(PostKind.HAND) if post != hand)
    synced.sync.queue._presence.listed(0, ())
    synced.wall.shut.add(hand.message)
    synced.wall.edits.clear()

    assert await synced.sync_once()
    assert sorted(synced.wall.edits) == sorted([hand.message, other.message])
    assert not synced.wall.has_buttons(other.message)
    assert posts.are_resting

    assert caplog.records == []

    risen = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    risen.sync.queue._presence.listed(0, ())
    synced.wall.edits.clear()
    assert await risen.sync_once()
    assert other.message not in synced.wall.edits


async def test_a_sync_of_a_disconnected_shard_is_deferred(synced: SyncedGame) -> None:
    sync, presence = synced.sync, synced.sync.queue._presence
    presence.lost(0)
    assert await synced.sync_once()
    assert not synced.wall.posted
    synced.wall.posted.clear()

    presence.resumed(0)
    sync.queue.resume_deferred()
    assert ("sync", synced.game) in sync.queue._tasks
    sync.queue._tasks.stop(("sync", synced.game))
    sync.queue.resume_deferred()
    assert ("sync", synced.game) not in sync.queue._tasks, "once"
    assert await synced.sync_once()
    assert synced.wall.posted


async def test_a_game_that_is_gone_is_evicted(synced: SyncedGame) -> None:
    synced.sync.queue.expect_unacknowledged_sends([synced.game])
    assert synced.sync.tables._states
    assert isinstance(synced.store, MemoryStore)
    synced.store.delete(synced.game)
    synced.sessions.forget(synced.game)
    assert await synced.sync_once()
    assert not synced.sync.tables._states


async def test_the_next_table_waits_for_a_show_that_could_not_be_drawn(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    await synced.play_a_deal()
    channel, hand = (await synced.store.table(synced.game)).channel, await synced.hand()
    posts = await synced.sync.tables.posts(synced.game)
    first = posts.get(PostKind.TABLE, 1)
    assert first is not None
    synced.wall.lost.append(first.message)
    synced.wall.posted.clear()
    synced.wall.edits.clear()

    assert not await synced.sync_once()
    assert channel not in {where for where, _ in synced.wall.posted}
    assert hand.message in synced.wall.edits, "but the hands come"
    synced.wall.edits.clear()
    while not await synced.sync_once():
        """An edit with an unknown outcome is drawn once more."""

    second = posts.get(PostKind.TABLE, 2)
    assert second is not None
    assert first.message in synced.wall.edits
    assert [message for where, message in synced.wall.posted if where == channel] == [second.message]


async def test_the_table_comes_when_a_lobby_that_is_pressed_says_that_the_game_has_begun(
    synced: SyncedGame,
) -> None:
    channel = (await synced.store.table(synced.game)).channel
    lobby = Post(game=synced.game, kind=PostKind.LOBBY, channel=channel, message=500)
    await synced.store.keep_post(lobby)
    posts = await synced.sync.tables.posts(synced.game)

    with posts.pressed(lobby.message):
        syncing = asyncio.create_task(synced.sync_once())
        for _ in range(50):
            await asyncio.sleep(0)
        assert not synced.wall.edits
        assert channel not in {where for where, _ in synced.wall.posted}
    assert await syncing
    assert synced.wall.edits[0] == lobby.message
    assert channel in {where for where, _ in synced.wall.posted}


async def test_what_may_have_been_posted_before_a_start_is_drawn_once_more(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    synced.wall.edits.clear()
    risen = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    risen.sync.queue.expect_unacknowledged_sends([synced.game])

    while not await risen.sync_once():
        """Nothing is settled before it is confirmed."""

    assert sorted(set(synced.wall.edits)) == sorted(message for _, message in synced.wall.posted)


BELOW = 2**62
"""Id of an ephemeral hand below every table."""


def copied(
    synced: SyncedGame, answer: Any, *, message: int = BELOW, version: int = 1, draft: int | None = None
) -> None:
    """Ada has opened her hand at the table."""
    shown = Shown(digest="?", version=version, draft=draft)
    synced.sync.hands.opened(synced.game, answer, message, shown)


async def test_a_copy_follows_its_game_to_the_end_and_is_forgotten(synced: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(synced, answer, draft=1)
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    assert answer.edits == [], "what is chosen stays"

    session = await synced.sessions.get(synced.game)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await synced.sessions.move(synced.game, ADA.user, lambda seat: Discard(seat, given))
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    assert "You discarded" in answer.edits[0]

    await synced.play_a_deal()
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    assert "discard 2 to" in answer.edits[1]

    while not (await synced.sessions.get(synced.game)).game.is_over:
        await synced.play_a_deal()
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    assert " won, " in answer.edits[-1] or "You win, " in answer.edits[-1]
    assert len(answer.edits) == 3
    assert not synced.sync.hands.is_open(synced.game, ADA.user or 0)


async def test_an_unacknowledged_message_by_dm_is_found_though_its_player_has_gone_to_the_table(
    synced: SyncedGame,
) -> None:
    synced.wall.unanswered.append(1000 + (ADA.user or 0))
    assert not await synced.sync_once()
    copied(synced, Answered(ADA.user or 0))

    assert await synced.sync_once()

    assert len(synced.rung()) == 0, "posted once"
    found = (await synced.hand()).message
    assert found not in synced.wall.lines, "the line that called for the first move is gone"
    assert "You're playing in" in synced.wall.text(found)


async def test_a_choice_on_a_copy_is_over_with_its_deal(synced: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(synced, answer, draft=1)
    await synced.play_a_deal()
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    assert "discard 2 to" in answer.edits[0]


async def test_a_copy_offers_the_way_back_once_direct_messages_were_found_closed(synced: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    assert await synced.sync_once()
    copied(synced, answer)
    synced.wall.shut.add((await synced.hand()).message)
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    assert "Send it by DM" in answer.labels


async def test_a_copy_that_hangs_holds_up_no_sync(synced: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    answer.is_open.clear()
    copied(synced, answer)
    assert await synced.sync_once()
    assert len(synced.wall.posted) == 2, "the table and Ben's hand: Ada plays at the table"
    assert len(answer.edits) == 1
    await synced.sync.close()
    assert not len(synced.sync.hands._drawing)


async def test_no_sync_draws_a_hand_back_to_before_its_players_last_answer(synced: SyncedGame) -> None:
    """A press between a sync's beginning and its drawing of the hand."""
    assert await synced.sync_once()
    session, hand = await synced.sessions.get(synced.game), await synced.hand()
    posts = await synced.sync.tables.posts(synced.game)
    answer: Any = Answered(ADA.user or 0)
    shown = Shown(digest="of what it shows after the press", version=session.game.version + 1)
    await posts.answered(hand.message, answer, shown)
    before = synced.wall.edits.copy()
    assert await synced.sync_once()
    assert (answer.edits, synced.wall.edits) == ([], before)

    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await synced.sessions.move(synced.game, ADA.user, lambda seat: Discard(seat, given))
    assert await synced.sync_once()
    assert len(answer.edits) == 1


async def test_who_plays_at_the_table_has_a_message_by_dm_that_says_so_and_stays_as_it_is(
    synced: SyncedGame,
) -> None:
    assert await synced.sync_once()
    hand = await synced.hand()
    answer: Any = Answered(ADA.user or 0)
    copied(synced, answer)
    assert await synced.sync_once()
    said = synced.wall.text(hand.message)
    assert "You're playing in <#20>." in said
    assert "Play here instead" in str(synced.wall.shown[hand.message].to_components())  # type: ignore[no-untyped-call]
    synced.wall.edits.clear()
    for _ in range(2):
        await synced.play_a_deal()
        assert await synced.sync_once()
    assert hand.message not in synced.wall.edits

    synced.sync.hands.moved_to_dm(synced.game, ADA.user or 0)
    assert await synced.sync_once()
    assert "Deal 2: you" in synced.wall.text(hand.message)


async def test_a_player_at_the_table_who_is_called_gets_the_hand_by_dm(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    copied(synced, Answered(ADA.user or 0))
    assert await synced.sync_once()
    synced.now = 180.0
    assert await synced.sync_once()
    hand = await synced.hand()
    assert "discard 2 to" in synced.wall.text(hand.message)


async def test_a_copy_comes_down_below_the_table_of_a_new_deal(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    answer: Any = Answered(ADA.user or 0, BELOW)
    copied(synced, answer)
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    answer.edits.clear()
    posts = await synced.sync.tables.posts(synced.game)
    old = synced.sync.hands._copies[synced.game, ADA.user or 0]
    old.message = (posts.get(PostKind.TABLE, 1) or await synced.hand()).message + 1
    await synced.play_a_deal()
    assert await synced.sync_once()
    await drawn(synced.sync.hands)
    assert answer.edits == []
    assert "discard 2 to" in answer.posted[0]
    assert answer.deleted == [BELOW]


async def test_who_has_no_copy_at_their_turn_any_more_is_named_at_the_table(
    synced: SyncedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await synced.sync_once()
    old: Any = Answered(ADA.user or 0, age=timedelta(minutes=14))
    copied(synced, old)
    assert await synced.sync_once()
    posts = await synced.sync.tables.posts(synced.game)
    table = posts.get(PostKind.TABLE, 1)
    assert table is not None
    assert "press *My hand*" not in synced.wall.text(table.message)
    monkeypatch.setattr(DISCORD_TIME, "_anchor", DISCORD_TIME._anchor + 60)
    assert await synced.sync_once()
    assert "**Ada**: press *My hand*" in synced.wall.text(table.message)


@pytest.mark.parametrize("at_the_table", [(), ("Ada",)], ids=["both by DM", "one at the table"])
async def test_the_show_is_shown_as_it_stays_where_all_play_by_dm(
    synced: SyncedGame, at_the_table: tuple[str, ...]
) -> None:
    """A table whose players all play by DM is dealt there, which saves an edit of the table."""
    assert await synced.sync_once()
    session = await synced.sessions.get(synced.game)
    posts = await synced.sync.tables.posts(synced.game)
    for seat, occupant in enumerate(session.record.occupants):
        answer: Any = Answered(occupant.user or 0)
        hand = posts.get(PostKind.HAND, seat=seat)
        assert hand is not None
        if occupant.name in at_the_table:
            copied(synced, answer)
        else:
            shown = Shown(digest="of the hand", version=session.game.version)
            await posts.answered(hand.message, answer, shown)
    while session.game.table.stage is not Stage.DEALING:
        await synced.move_once()
    assert await synced.sync_once()
    table = posts.get(PostKind.TABLE, 1)
    assert table is not None
    labels = re.findall(r"'label': '([^']+)'", str(synced.wall.shown[table.message].to_components()))  # type: ignore[no-untyped-call]
    assert labels == (["My hand", "Deal", "Play by play"] if at_the_table else ["Play by play"])

    synced.wall.edits.clear()
    await synced.move_once()
    assert await synced.sync_once()
    assert (table.message in synced.wall.edits) is bool(at_the_table)
    assert synced.wall.has_buttons(table.message)
    assert (posts.get(PostKind.TABLE, 1) or table).drawn == SETTLED


async def test_the_show_of_players_who_have_pressed_nothing_lately_can_be_dealt_from(
    synced: SyncedGame,
) -> None:
    """After a restart, or in slow play, it is unknown where they play."""
    assert await synced.sync_once()
    session = await synced.sessions.get(synced.game)
    while session.game.table.stage is not Stage.DEALING:
        await synced.move_once()
    assert await synced.sync_once()
    table = (await synced.sync.tables.posts(synced.game)).get(PostKind.TABLE, 1)
    assert table is not None
    assert "'label': 'Deal'" in str(synced.wall.shown[table.message].to_components())  # type: ignore[no-untyped-call]


async def test_hands_are_synced_and_a_channel_that_refuses_is_left_alone(synced: SyncedGame) -> None:
    channel = (await synced.store.table(synced.game)).channel
    synced.wall.forbidden.add(channel)
    assert await synced.sync_once()
    assert await synced.sync_once()
    assert synced.wall.refused == [channel, channel], "its picture, and the same as text"
    assert len({where for where, _ in synced.wall.posted}) == 2, "both hands"
    assert [record.game for record in await synced.store.unsynced()] == [synced.game], "for the next start"

    synced.knowledge.of_channels[channel] = Standing.SHUT
    synced.sync.breaker.changed(10, channel)
    synced.wall.forbidden.clear()
    synced.knowledge.of_channels[channel] = Standing.OPEN
    synced.sync.breaker.changed(10, channel)
    async with asyncio.timeout(PATIENCE):
        while await synced.store.unsynced():  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.01)
    assert synced.wall.posted[-1][0] == channel
    await synced.tasks.close()


@pytest.mark.parametrize("is_over", [True, False], ids=["over", "cancelled"])
async def test_a_game_that_ends_where_the_bot_may_not_write_is_never_tried_again(
    synced: SyncedGame, is_over: bool
) -> None:
    channel = (await synced.store.table(synced.game)).channel
    assert await synced.sync_once()
    synced.wall.forbidden.add(channel)
    await synced.play_a_deal()
    assert await synced.sync_once()
    if is_over:
        await synced.sessions.move(synced.game, ADA.user, Resign)
    else:
        await synced.sessions.call_off(synced.game)
    synced.wall.refused.clear()
    assert await synced.sync_once()
    assert synced.wall.refused == []
    assert await synced.store.unsynced() == ()
    [hand] = [post for post in await synced.store.posts(synced.game) if post.seat == 0]
    assert synced.wall.has_buttons(hand.message) is is_over, "the rematch"
    await synced.tasks.close()


async def test_direct_messages_are_opened_once_a_person_also_after_a_restart(synced: SyncedGame) -> None:
    assert await synced.sync_once()
    assert synced.client.create_dm.await_count == 2
    await synced.sessions.move(synced.game, ADA.user, Resign)
    sessions, _, session, _ = await sit_down(synced.store)
    again = SyncedGame(synced.store, sessions, session.record.game, Wall())
    assert await again.sync_once()
    assert again.client.create_dm.await_count == 0
    assert {channel for channel, _ in again.wall.posted} > {1000 + ADA.user}


async def test_direct_messages_that_are_not_there_any_more_are_opened_again(synced: SyncedGame) -> None:
    await synced.store.prefer(ADA.user, dm_channel=5)
    synced.wall.gone.add(5)
    assert await synced.sync_once()
    assert (await synced.hand()).channel == 1000 + ADA.user
    assert (await synced.store.preferences(ADA.user)).dm_channel == 1000 + ADA.user


# -- a game that begins at once --------------------------------------------------------------------------


async def beginning(agreement: Agreement | None = None, *, is_of_first_scheme: bool = True) -> SyncedGame:
    """A game with an honest deck that was just begun, before its first sync."""
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store, new_secrets=secrets)
    record = await gather(lobbies, agreement)
    if is_of_first_scheme:
        await put_under_first_scheme(store, record.game)
    await lobbies.start(record.game, ADA.user)
    return SyncedGame(store, sessions, record.game, Wall())


async def test_the_first_message_of_a_game_shows_the_seal() -> None:
    synced = await beginning(is_of_first_scheme=False)
    seal = (await synced.store.table(synced.game)).seal
    assert seal is not None
    assert await synced.sync_once()
    [message] = [each for channel, each in synced.wall.posted if channel == 20]
    assert f"`{seal[:40]}`" in synced.wall.text(message)
    assert seal[:41] not in synced.wall.text(message)


async def test_the_first_message_shows_the_first_schemes_commitment_and_the_cards_are_dealt_on_it() -> None:
    synced = await beginning()
    commitment = (await synced.store.table(synced.game)).commitment
    assert commitment is not None
    assert await synced.sync_once()
    [(_, message)] = synced.wall.posted
    assert commitment in synced.wall.text(message)
    assert not synced.wall.has_buttons(message)
    assert (await synced.store.table(synced.game)).status is Status.PLAYING

    assert await synced.sync_once()
    assert [each for channel, each in synced.wall.posted if channel == 20] == [message]
    assert "Who deals first?" in synced.wall.text(message)
    assert commitment in synced.wall.text(message)
    assert synced.wall.has_buttons(message)
    deck = await synced.store.deck(synced.game)
    assert isinstance(deck, FirstDeck)
    assert deck.message == message
    assert (await synced.sync.tables.posts(synced.game)).get(PostKind.LOBBY) is None


async def test_a_crash_between_the_first_message_and_the_game_loses_and_doubles_nothing() -> None:
    synced = await beginning()
    synced.wall.unanswered.append(20)
    assert not await synced.sync_once()
    assert (await synced.store.table(synced.game)).status is Status.GATHERING
    reborn = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    reborn.sync.queue.expect_unacknowledged_sends([synced.game])
    for _ in range(4):  # it finds the message, draws on it what is certain, begins, and deals
        await reborn.sync_once()
    assert (await synced.store.table(synced.game)).status is Status.PLAYING
    [message] = [each for channel, each in synced.wall.posted if channel == 20]
    assert "Who deals first?" in synced.wall.text(message)


async def test_a_crash_while_the_lobby_becomes_the_table_leaves_one_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    synced = await beginning()
    assert await synced.sync_once()
    [(_, message)] = synced.wall.posted
    with monkeypatch.context() as patch:
        patch.setattr(synced.store, "drop_post", AsyncMock(side_effect=StoreUnavailable))
        assert not await synced.sync_once()
    reborn = SyncedGame(synced.store, synced.sessions, synced.game, synced.wall)
    assert await reborn.sync_once()
    assert [each for channel, each in synced.wall.posted if channel == 20] == [message]
    assert "Who deals first?" in synced.wall.text(message)
