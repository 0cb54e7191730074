"""Telling a game to the end while answers cross the drawings, and people shut their doors."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import AsyncMock, create_autospec

import discord
import pytest
from discord import ui

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.delivery.access import Standing
from bot.delivery.announcer import Announcer
from bot.delivery.live_message import Shown
from bot.delivery.table_state import Pacing
from bot.model.errors import StoreUnavailable
from bot.model.hints import Drawn, Hint
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Pace, Status
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.store import SETTLED, Store
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import Discard, LogError, Resign, Stage
from engine.computer import Level
from tests.bot.answered import Answered, drawn
from tests.bot.delivery.places import NothingIsShut
from tests.bot.render.games import words
from tests.bot.seating import ADA, cut_for_deal, room_of, sit_down
from tests.bot.store.memory import MemoryStore
from tests.patience import PATIENCE


class Wall:
    """Discord as far as telling goes: messages that are posted and edited, and doors that are shut."""

    def __init__(self) -> None:
        self.shown: dict[int, ui.LayoutView] = {}
        self.edits: list[int] = []
        self.posted: list[tuple[int, int]] = []
        """Channel and message, in order."""
        self.lines: dict[int, str] = {}
        """What those said that began as a line of text."""
        self.silent: set[int] = set()
        self.deleted: list[int] = []
        self.uploads: list[int] = []
        """The messages whose edits brought a file."""
        self.takes_no_files: set[int] = set()
        self.lost_edits = False
        self.lost: list[int] = []
        """Channels in which the next post fails, and messages of which the next edit does."""
        self.unheard: list[int] = []
        """Channels in which the next post arrives, and its answer does not."""
        self.shut: set[int] = set()
        """Messages that may not be edited any more, and channels in which none may be posted."""
        self.forbidden: set[int] = set()
        """Channels in which the bot lacks a permission."""
        self.gone: set[int] = set()
        """Channels that are not there."""
        self.refused: list[int] = []
        """Their refusals."""
        self._by_nonce: dict[tuple[int, str], int] = {}

    def client(self) -> Any:
        client = create_autospec(discord.Client, instance=True)
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
        if channel in self.unheard:
            self.unheard.remove(channel)
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


class Told:
    """A game with its announcer."""

    def __init__(self, store: Store, sessions: Sessions, game: str, wall: Wall) -> None:
        self.store, self.sessions, self.wall, self.game = store, sessions, wall, game
        self.tasks, self.knowledge = KeyedTasks(), NothingIsShut()
        self.now = 0.0
        """Seconds since it began, for those who are called."""
        client = self.client = wall.client()
        client.get_channel.return_value = None
        unrated = create_autospec(RatedGames, instance=True)
        unrated.changes.return_value = ()
        self.announcer = Announcer(
            client,
            store,
            sessions,
            Presence(),
            self.tasks,
            lobbies=Lobbies(store, sessions),
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

    async def move_once(self) -> int:
        """The first who is waited for moves; who is waited for then."""
        session = await self.sessions.get(self.game)
        seat = session.game.table.waiting_for[0]
        user = session.record.occupants[seat].user or 0
        move = session.game.legal_moves(seat).moves[0]
        session, _ = await self.sessions.move(self.game, user, lambda _: move)
        return session.record.occupants[session.game.table.waiting_for[0]].user or 0

    def rung(self) -> list[int]:
        """Who was called by a new message by DM, beside those with which the game began."""
        return [channel - 1000 for channel, _ in self.wall.posted if channel > 1000][2:]

    def mentioned(self) -> list[int]:
        """Who was called in the channel."""
        return [int(name) for line in self.wall.lines.values() for name in re.findall(r"<@(\d+)>", line)]

    async def hand(self) -> Post:
        """The host's message by DM."""
        seat = (await self.sessions.get(self.game)).seat_of(ADA.user)
        post = (await self.announcer.posts(self.game)).get(PostKind.HAND, seat=seat)
        assert post is not None
        return post


@pytest.fixture
async def told() -> Told:
    return await Told.begun()


async def test_a_player_has_one_message_by_dm_which_says_what_the_last_deal_came_to(told: Told) -> None:
    assert await told.tell()
    hand = await told.hand()
    assert "Deal 1: " not in told.wall.text(hand.message)
    told.wall.posted.clear()
    for deal in (1, 2):
        await told.play_a_deal()
        assert await told.tell()
        assert (await told.hand()).message == hand.message
        said = told.wall.text(hand.message)
        assert re.search(rf"Deal {deal}: you \d+( \+ crib \d+)?, Ben \d+( \+ crib \d+)?: \d+-\d+", said)
        assert f"Deal {deal + 1}" in said
    assert {channel for channel, _ in told.wall.posted} == {(await told.store.table(told.game)).channel}


async def test_a_message_by_dm_rings_as_text_and_then_shows_the_hand(told: Told) -> None:
    told.wall.lost_edits = True
    assert not await told.tell()
    hands = [message for channel, message in told.wall.posted if channel > 1000]
    assert {told.wall.lines[hand] for hand in hands} == {"Your turn: discard 2 cards"}
    told.wall.lost_edits = False
    while not await told.tell():
        """What became of the edits is not known."""
    assert not told.wall.lines
    assert not told.wall.silent.intersection(hands)
    assert all(told.wall.has_buttons(hand) for hand in hands)


async def test_the_picture_of_the_last_show_is_sent_once_a_deal(told: Told) -> None:
    assert await told.tell()
    await told.play_a_deal()
    told.wall.uploads.clear()
    assert await told.tell()
    hand = await told.hand()
    assert [message for message in told.wall.uploads if message == hand.message] == [hand.message]
    session = await told.sessions.get(told.game)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await told.sessions.move(told.game, ADA.user, lambda seat: Discard(seat, given))
    told.wall.uploads.clear()
    assert await told.tell()
    assert hand.message in told.wall.edits
    assert hand.message not in told.wall.uploads


async def test_where_discord_takes_no_picture_by_dm_the_cards_are_told_in_text(told: Told) -> None:
    assert await told.tell()
    hand = await told.hand()
    told.wall.takes_no_files.add(hand.message)
    await told.play_a_deal()
    while not await told.tell():
        """A message that was refused is uncertain."""
    assert re.search(r"Deal 1: .*\n-# .*[♣♦♥♠].*starter", told.wall.text(hand.message))
    told.wall.uploads.clear()
    await told.play_a_deal()
    assert await told.tell()
    assert hand.message not in told.wall.uploads, "it is not tried again"


async def test_who_has_pressed_nothing_for_a_while_is_called_by_a_new_message(
    told: Told,
) -> None:
    assert await told.tell()
    old = await told.hand()
    told.now = 179.0
    assert await told.tell()
    assert (await told.hand()).message == old.message
    told.now = 180.0
    assert await told.tell()
    new = await told.hand()
    assert new.message != old.message
    assert old.message in told.wall.deleted
    assert len(told.wall.deleted) == 2, "Ben's, too"
    assert not told.wall.silent
    told.now = 10_000.0
    assert await told.tell()
    assert (await told.hand()).message == new.message, "once a turn"


async def test_who_presses_is_not_called(told: Told) -> None:
    assert await told.tell()
    old = await told.hand()
    told.now = 100.0
    await told.announcer.pressed(told.game, press_of(ADA.user or 0))
    told.now = 200.0
    assert await told.tell()
    assert (await told.hand()).message == old.message
    assert len(told.wall.deleted) == 1, "Ben has pressed nothing"
    told.now = 280.0
    assert await told.tell()
    assert told.wall.deleted[1:] == [old.message]


async def in_slow_play() -> tuple[Told, int]:
    """A slow game in which the cards are being played, a moment after it began; whose turn it is."""
    told = await Told.begun(Agreement.of(pace=Pace.SLOW))
    assert await told.tell()
    user = 0
    while (await told.sessions.get(told.game)).game.table.stage is not Stage.PLAYING:
        user = await told.move_once()
    told.now = 30.0  # who moved a minute ago at most has just been playing, and is not mentioned
    assert await told.tell()
    assert (told.rung(), told.mentioned()) == ([], [])
    return told, user


async def test_a_turn_calls_by_dm_or_by_a_mention_and_never_by_both() -> None:
    told, first = await in_slow_play()
    told.now = 210.0
    assert await told.tell()
    assert (told.rung(), told.mentioned()) == ([first], []), "a hand that has rung needs no mention"

    second = await told.move_once()
    assert second != first
    assert await told.tell()
    assert (told.rung(), told.mentioned()) == ([first], [second])
    told.now = 400.0
    assert await told.tell()
    assert told.rung() == [first], "who was mentioned is not called once more by DM"


async def test_a_mention_from_before_a_restart_is_the_call_of_its_turn() -> None:
    told, _ = await in_slow_play()
    told.now = 100.0
    mentioned = await told.move_once()
    assert await told.tell()
    assert told.mentioned() == [mentioned]

    again = Told(told.store, told.sessions, told.game, told.wall)
    for again.now in (0.0, 180.0):
        assert await again.tell()
    assert (again.rung(), again.mentioned()) == ([], [mentioned])


async def test_who_cannot_be_reached_by_dm_is_mentioned_instead() -> None:
    told, waited_for = await in_slow_play()
    await told.store.prefer(waited_for, dms_closed=True)
    told.now = 210.0
    assert await told.tell()
    assert (told.rung(), told.mentioned()) == ([], [waited_for])


async def test_nothing_rings_for_somebody_whom_only_computers_wait_for() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    table = {"guild": 10, "channel": 20, "place": "Snug", "host": ADA, "agreement": Agreement()}
    record = await lobbies.open(**table, computers=Level.STEADY)  # type: ignore[arg-type]
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    told = Told(store, sessions, session.record.game, Wall())
    assert await told.tell()
    before = await told.hand()
    told.now = 1_000.0
    assert await told.tell()
    assert await told.hand() == before


@pytest.mark.parametrize("step", ["post", "edit", "delete"])
async def test_a_call_that_a_crash_has_broken_off_is_finished_and_leaves_one_message(
    told: Told, step: str
) -> None:
    assert await told.tell()
    old = await told.hand()
    told.now = 180.0
    match step:
        case "post":
            told.wall.lost.append(old.channel)
        case "edit":
            told.wall.lost_edits = True
        case _:
            told.wall.lost.append(old.message)
    assert not await told.tell()
    told.wall.lost_edits = False

    risen = Told(told.store, told.sessions, told.game, told.wall)
    assert told.game in {record.game for record in await told.store.unsynced()}
    risen.announcer.doubt([told.game])
    while not await risen.tell():
        """What is uncertain is drawn once more."""

    hand = await risen.hand()
    by_dm = {message for channel, message in told.wall.posted if channel == old.channel}
    assert by_dm - set(told.wall.deleted) == {hand.message}
    assert hand.message != old.message
    assert told.wall.has_buttons(hand.message)
    assert told.game not in {record.game for record in await told.store.unsynced()}


async def test_a_hand_of_an_earlier_version_is_put_away(told: Told) -> None:
    assert await told.tell()
    hand = await told.hand()
    posts = await told.announcer.posts(told.game)
    old = await posts._book.keep(replace(hand, deal=1, message=hand.message + 1000, drawn="?"))
    await told.play_a_deal()
    while not await told.tell():
        """What stood there before is not certain."""
    past = posts.get(PostKind.HAND, 1, hand.seat)
    assert past is not None
    assert past.drawn == SETTLED
    assert not told.wall.has_buttons(old.message)
    assert told.wall.has_buttons(hand.message)


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


async def test_a_hand_behind_a_closed_door_is_given_up_and_not_tried_again(told: Told) -> None:
    assert await told.tell()
    hand = await told.hand()
    told.wall.shut.add(hand.message)
    await told.play_a_deal()
    told.wall.edits.clear()

    assert await told.tell()
    await told.play_a_deal()
    assert await told.tell()

    assert told.wall.edits.count(hand.message) == 1


async def test_a_hand_that_was_posted_just_before_a_fall_is_found(told: Told) -> None:
    assert await told.tell()
    lost = await told.hand()
    await told.store.drop_post(told.game, PostKind.HAND, 0, lost.seat)  # the bot fell before it was kept
    await told.play_a_deal()

    risen = Told(told.store, told.sessions, told.game, told.wall)
    risen.announcer.doubt([told.game])
    for _ in range(3):
        await risen.tell()

    assert await risen.tell()
    assert (await risen.hand()).message == lost.message
    assert "Deal 2" in told.wall.text(lost.message)


async def test_a_lost_hand_is_found_though_its_player_has_opened_another_at_the_table_since(
    told: Told,
) -> None:
    assert await told.tell()
    lost = await told.hand()
    await told.store.drop_post(told.game, PostKind.HAND, 0, lost.seat)

    risen = Told(told.store, told.sessions, told.game, told.wall)
    risen.announcer.doubt([told.game])
    answer: Any = Answered(ADA.user or 0)
    risen.announcer.ephemeral_hands.opened(told.game, answer, 99, Shown(digest="", version=0))
    while not await risen.tell():
        """What is found is uncertain at first."""

    assert (await risen.hand()).message == lost.message
    assert "You're playing in" in told.wall.text(lost.message)


async def test_an_answer_of_another_process_that_crossed_the_end_of_the_game_is_drawn_over(
    told: Told,
) -> None:
    assert await told.tell()
    hand = await told.hand()
    before = told.wall.shown[hand.message]
    version = (await told.sessions.get(told.game)).game.version
    await told.sessions.move(told.game, ADA.user or 0, Resign)
    while not await told.tell():
        """Everything, so that nothing of it is in memory any more."""
    ended = told.wall.text(hand.message)
    told.wall.shown[hand.message] = before

    drawn = Drawn(message=hand.message, digest="old", version=version, draft=None, is_certain=True)
    await told.announcer.heard_elsewhere(Hint(game=told.game, sender=8, drawn=(drawn,)))
    async with asyncio.timeout(PATIENCE):
        while len(told.tasks):  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0)

    assert told.wall.text(hand.message) == ended


async def test_a_lost_hand_of_a_game_that_is_called_off_is_found_and_put_away(told: Told) -> None:
    assert await told.tell()
    lost = await told.hand()
    await told.store.drop_post(told.game, PostKind.HAND, 0, lost.seat)
    await told.sessions.call_off(told.game)

    risen = Told(told.store, told.sessions, told.game, told.wall)
    risen.announcer.doubt([told.game])
    for _ in range(3):
        await risen.tell()

    assert not told.wall.has_buttons(lost.message)


async def test_a_result_whose_picture_discord_does_not_take_is_told_in_text(told: Told) -> None:
    assert await told.tell()
    channel = (await told.store.table(told.game)).channel
    await told.sessions.move(told.game, ADA.user or 0, Resign)
    told.wall.takes_no_files.add(channel)
    while not await told.tell():
        """A post that was refused is uncertain."""
    post = (await told.announcer.posts(told.game)).get(PostKind.RESULT)
    assert post is not None
    assert "Ben" in told.wall.text(post.message)
    assert "'type': 12" not in str(told.wall.shown[post.message].to_components()), "no picture is missed"


async def test_a_call_that_stands_when_the_game_is_called_off_is_taken_away(told: Told) -> None:
    assert await told.tell()
    posts, channel = await told.announcer.posts(told.game), (await told.store.table(told.game)).channel
    call = Post(game=told.game, kind=PostKind.NUDGE, seat=0, channel=channel, message=77)
    await posts._book.keep(call)
    await told.sessions.call_off(told.game)
    assert await told.tell()
    assert told.wall.deleted == [77]
    assert posts.get(PostKind.NUDGE, seat=0) is None


async def test_a_log_that_cannot_be_read_is_told_nowhere_and_names_no_card(
    told: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(told.sessions, "get", AsyncMock(side_effect=LogError("nobody can discard 5H")))
    assert await told.tell(), "it is not tried again: it would fail again"
    [record] = caplog.records
    assert record.getMessage() == f"the log of {told.game} cannot be told: LogError"
    assert record.exc_info is None
    assert not told.wall.posted


async def test_hands_say_once_that_a_game_rests_and_one_behind_a_closed_door_holds_nothing_up(
    told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    assert await told.tell()
    posts, hand = await told.announcer.posts(told.game), await told.hand()
    [other] = (post for post in posts.all(PostKind.HAND) if post != hand)
    told.announcer._presence.listed(0, ())
    told.wall.shut.add(hand.message)
    told.wall.edits.clear()

    assert await told.tell()
    assert sorted(told.wall.edits) == sorted([hand.message, other.message])
    assert not told.wall.has_buttons(other.message)
    assert posts.are_resting

    assert caplog.records == []

    risen = Told(told.store, told.sessions, told.game, told.wall)
    risen.announcer._presence.listed(0, ())
    told.wall.edits.clear()
    assert await risen.tell()
    assert other.message not in told.wall.edits


async def test_what_is_to_be_told_where_nothing_is_heard_waits_until_it_is(told: Told) -> None:
    announcer, presence = told.announcer, told.announcer._presence
    presence.lost(0)
    assert await told.tell()
    assert not told.wall.posted
    told.wall.posted.clear()

    presence.resumed(0)
    announcer.go_on()
    assert ("tell", told.game) in announcer._tasks
    announcer._tasks.stop(("tell", told.game))
    announcer.go_on()
    assert ("tell", told.game) not in announcer._tasks, "once"
    assert await told.tell()
    assert told.wall.posted


async def test_a_game_that_is_gone_is_let_go(told: Told) -> None:
    told.announcer.doubt([told.game])
    assert told.announcer._tables
    assert isinstance(told.store, MemoryStore)
    told.store.delete(told.game)
    told.sessions.forget(told.game)
    assert await told.tell()
    assert not told.announcer._tables


async def test_the_next_table_waits_for_a_show_that_could_not_be_drawn(told: Told) -> None:
    assert await told.tell()
    await told.play_a_deal()
    channel, hand = (await told.store.table(told.game)).channel, await told.hand()
    posts = await told.announcer.posts(told.game)
    first = posts.get(PostKind.TABLE, 1)
    assert first is not None
    told.wall.lost.append(first.message)
    told.wall.posted.clear()
    told.wall.edits.clear()

    assert not await told.tell()
    assert channel not in {where for where, _ in told.wall.posted}
    assert hand.message in told.wall.edits, "but the hands come"
    told.wall.edits.clear()
    while not await told.tell():
        """An edit whose fate was unknown is drawn once more."""

    second = posts.get(PostKind.TABLE, 2)
    assert second is not None
    assert first.message in told.wall.edits
    assert [message for where, message in told.wall.posted if where == channel] == [second.message]


async def test_the_table_comes_when_a_lobby_that_is_pressed_says_that_the_game_has_begun(told: Told) -> None:
    channel = (await told.store.table(told.game)).channel
    lobby = Post(game=told.game, kind=PostKind.LOBBY, channel=channel, message=500)
    await told.store.keep_post(lobby)
    posts = await told.announcer.posts(told.game)

    with posts.pressed(lobby.message):
        telling = asyncio.create_task(told.tell())
        for _ in range(50):
            await asyncio.sleep(0)
        assert not told.wall.edits
        assert channel not in {where for where, _ in told.wall.posted}
    assert await telling
    assert told.wall.edits[0] == lobby.message
    assert channel in {where for where, _ in told.wall.posted}


async def test_what_may_have_been_posted_before_a_start_is_drawn_once_more(told: Told) -> None:
    assert await told.tell()
    told.wall.edits.clear()
    risen = Told(told.store, told.sessions, told.game, told.wall)
    risen.announcer.doubt([told.game])

    while not await risen.tell():
        """Nothing is settled before it is certain."""

    assert sorted(set(told.wall.edits)) == sorted(message for _, message in told.wall.posted)


def press_of(user: int) -> Any:
    """A press by DM."""
    return SimpleNamespace(user=SimpleNamespace(id=user), guild_id=None)


BELOW = 2**62
"""The id of a copy that stands below every table."""


def copied(
    told: Told, answer: Any, *, message: int = BELOW, version: int = 1, draft: int | None = None
) -> None:
    """Ada has opened her hand at the table."""
    shown = Shown(digest="?", version=version, draft=draft)
    told.announcer.ephemeral_hands.opened(told.game, answer, message, shown)


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


async def test_a_message_by_dm_that_may_stand_is_found_though_its_player_has_gone_to_the_table(
    told: Told,
) -> None:
    told.wall.unheard.append(1000 + (ADA.user or 0))
    assert not await told.tell()
    copied(told, Answered(ADA.user or 0))

    assert await told.tell()

    assert len(told.rung()) == 0, "posted once"
    found = (await told.hand()).message
    assert found not in told.wall.lines, "the line that called for the first move is gone"
    assert "You're playing in" in told.wall.text(found)


async def test_a_choice_on_a_copy_is_over_with_its_deal(told: Told) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(told, answer, draft=1)
    await told.play_a_deal()
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert "discard 2 to" in answer.edits[0]


async def test_a_copy_offers_the_way_back_once_direct_messages_were_found_closed(told: Told) -> None:
    answer: Any = Answered(ADA.user or 0)
    assert await told.tell()
    copied(told, answer)
    told.wall.shut.add((await told.hand()).message)
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert "Send it by DM" in answer.labels


async def test_a_copy_that_hangs_keeps_nothing_from_being_told(told: Told) -> None:
    answer: Any = Answered(ADA.user or 0)
    answer.is_open.clear()
    copied(told, answer)
    assert await told.tell()
    assert len(told.wall.posted) == 2, "the table and Ben's hand: Ada plays at the table"
    assert len(answer.edits) == 1
    await told.announcer.close()
    assert not len(told.announcer.ephemeral_hands._drawing)


async def test_no_telling_draws_a_hand_back_to_before_its_players_last_answer(told: Told) -> None:
    """A press between a telling's beginning and its drawing of the hand."""
    assert await told.tell()
    session, hand = await told.sessions.get(told.game), await told.hand()
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


async def test_who_plays_at_the_table_has_a_message_by_dm_that_says_so_and_stays_as_it_is(told: Told) -> None:
    assert await told.tell()
    hand = await told.hand()
    answer: Any = Answered(ADA.user or 0)
    copied(told, answer)
    assert await told.tell()
    said = told.wall.text(hand.message)
    assert "You're playing in <#20>." in said
    assert "Play here instead" in str(told.wall.shown[hand.message].to_components())  # type: ignore[no-untyped-call]
    told.wall.edits.clear()
    for _ in range(2):
        await told.play_a_deal()
        assert await told.tell()
    assert hand.message not in told.wall.edits

    told.announcer.ephemeral_hands.left_the_table(told.game, ADA.user or 0)
    assert await told.tell()
    assert "Deal 2: you" in told.wall.text(hand.message)


async def test_a_player_at_the_table_who_is_called_gets_the_hand_by_dm(told: Told) -> None:
    assert await told.tell()
    copied(told, Answered(ADA.user or 0))
    assert await told.tell()
    told.now = 180.0
    assert await told.tell()
    hand = await told.hand()
    assert "discard 2 to" in told.wall.text(hand.message)


async def test_a_copy_comes_down_below_the_table_of_a_new_deal(told: Told) -> None:
    assert await told.tell()
    answer: Any = Answered(ADA.user or 0, BELOW)
    copied(told, answer)
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    answer.edits.clear()
    posts = await told.announcer.posts(told.game)
    old = told.announcer.ephemeral_hands._copies[told.game, ADA.user or 0]
    old.message = (posts.get(PostKind.TABLE, 1) or await told.hand()).message + 1
    await told.play_a_deal()
    assert await told.tell()
    await drawn(told.announcer.ephemeral_hands)
    assert answer.edits == []
    assert "discard 2 to" in answer.posted[0]
    assert answer.deleted == [BELOW]


async def test_who_has_no_copy_at_their_turn_any_more_is_told_at_the_table(told: Told) -> None:
    assert await told.tell()
    old: Any = Answered(ADA.user or 0, age=timedelta(minutes=14))
    copied(told, old)
    assert await told.tell()
    posts = await told.announcer.posts(told.game)
    table = posts.get(PostKind.TABLE, 1)
    assert table is not None
    assert "press *My hand*" not in told.wall.text(table.message)
    old.expires_at -= timedelta(minutes=1)
    assert await told.tell()
    assert "**Ada**: press *My hand*" in told.wall.text(table.message)


@pytest.mark.parametrize("at_the_table", [(), ("Ada",)], ids=["both by DM", "one at the table"])
async def test_the_show_is_shown_as_it_stays_where_all_play_by_dm(
    told: Told, at_the_table: tuple[str, ...]
) -> None:
    """They deal there: the channel has one edit less a deal. Who plays at the table deals at the table."""
    assert await told.tell()
    session = await told.sessions.get(told.game)
    posts = await told.announcer.posts(told.game)
    for seat, occupant in enumerate(session.record.occupants):
        answer: Any = Answered(occupant.user or 0)
        hand = posts.get(PostKind.HAND, seat=seat)
        assert hand is not None
        if occupant.name in at_the_table:
            copied(told, answer)
        else:
            shown = Shown(digest="of the hand", version=session.game.version)
            await posts.answered(hand.message, answer, shown)
    while session.game.table.stage is not Stage.DEALING:
        await told.move_once()
    assert await told.tell()
    table = posts.get(PostKind.TABLE, 1)
    assert table is not None
    labels = re.findall(r"'label': '([^']+)'", str(told.wall.shown[table.message].to_components()))  # type: ignore[no-untyped-call]
    assert labels == (["My hand", "Deal", "Play by play"] if at_the_table else ["Play by play"])

    told.wall.edits.clear()
    await told.move_once()
    assert await told.tell()
    assert (table.message in told.wall.edits) is bool(at_the_table)
    assert told.wall.has_buttons(table.message)
    assert (posts.get(PostKind.TABLE, 1) or table).drawn == SETTLED


async def test_the_show_of_players_who_have_pressed_nothing_lately_can_be_dealt_from(told: Told) -> None:
    """After a restart, or in slow play, nobody knows where they look."""
    assert await told.tell()
    session = await told.sessions.get(told.game)
    while session.game.table.stage is not Stage.DEALING:
        await told.move_once()
    assert await told.tell()
    table = (await told.announcer.posts(told.game)).get(PostKind.TABLE, 1)
    assert table is not None
    assert "'label': 'Deal'" in str(told.wall.shown[table.message].to_components())  # type: ignore[no-untyped-call]


async def test_hands_are_told_and_a_channel_that_refuses_is_left_alone(told: Told) -> None:
    channel = (await told.store.table(told.game)).channel
    told.wall.forbidden.add(channel)
    assert await told.tell()
    assert await told.tell()
    assert told.wall.refused == [channel, channel], "its picture, and the same as text"
    assert len({where for where, _ in told.wall.posted}) == 2, "both hands"
    assert [record.game for record in await told.store.unsynced()] == [told.game], "for the next start"

    told.knowledge.of_channels[channel] = Standing.SHUT
    told.announcer.access.changed(10, channel)
    told.wall.forbidden.clear()
    told.knowledge.of_channels[channel] = Standing.OPEN
    told.announcer.access.changed(10, channel)
    async with asyncio.timeout(PATIENCE):
        while await told.store.unsynced():  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.01)
    assert told.wall.posted[-1][0] == channel
    await told.tasks.close()


@pytest.mark.parametrize("is_over", [True, False], ids=["over", "cancelled"])
async def test_a_game_that_ends_where_the_bot_may_not_write_is_never_tried_again(
    told: Told, is_over: bool
) -> None:
    channel = (await told.store.table(told.game)).channel
    assert await told.tell()
    told.wall.forbidden.add(channel)
    await told.play_a_deal()
    assert await told.tell()
    if is_over:
        await told.sessions.move(told.game, ADA.user, Resign)
    else:
        await told.sessions.call_off(told.game)
    told.wall.refused.clear()
    assert await told.tell()
    assert told.wall.refused == []
    assert await told.store.unsynced() == ()
    [hand] = [post for post in await told.store.posts(told.game) if post.seat == 0]
    assert told.wall.has_buttons(hand.message) is is_over, "the rematch"
    await told.tasks.close()


async def test_direct_messages_are_opened_once_a_person_also_after_a_restart(told: Told) -> None:
    assert await told.tell()
    assert told.client.create_dm.await_count == 2
    await told.sessions.move(told.game, ADA.user, Resign)
    sessions, _, session, _ = await sit_down(told.store)
    again = Told(told.store, sessions, session.record.game, Wall())
    assert await again.tell()
    assert again.client.create_dm.await_count == 0
    assert {channel for channel, _ in again.wall.posted} > {1000 + ADA.user}


async def test_direct_messages_that_are_not_there_any_more_are_opened_anew(told: Told) -> None:
    await told.store.prefer(ADA.user, dm_channel=5)
    told.wall.gone.add(5)
    assert await told.tell()
    assert (await told.hand()).channel == 1000 + ADA.user
    assert (await told.store.preferences(ADA.user)).dm_channel == 1000 + ADA.user


# -- a game that begins at once --------------------------------------------------------------------------


async def beginning(agreement: Agreement | None = None) -> Told:
    """A game against the computer with an honest deck, of which nothing has been told yet."""
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store, new_secret=lambda: bytes(32))
    record = await lobbies.open(
        guild=10,
        channel=20,
        place="x",
        host=ADA,
        agreement=agreement or Agreement(),
        computers=Level.BEGINNER,
    )
    return Told(store, sessions, record.game, Wall())


async def test_the_first_message_shows_the_commitment_and_the_cards_are_dealt_on_it() -> None:
    told = await beginning()
    commitment = (await told.store.table(told.game)).commitment
    assert commitment is not None
    assert await told.tell()
    [(_, message)] = told.wall.posted
    assert commitment in told.wall.text(message)
    assert not told.wall.has_buttons(message)
    assert (await told.store.table(told.game)).status is Status.PLAYING

    assert await told.tell()
    assert [each for channel, each in told.wall.posted if channel == 20] == [message]
    assert "Who deals first?" in told.wall.text(message)
    assert commitment in told.wall.text(message)
    assert told.wall.has_buttons(message)
    deck = await told.store.deck(told.game)
    assert deck is not None
    assert deck.message == message
    assert (await told.announcer.posts(told.game)).get(PostKind.LOBBY) is None


async def test_a_crash_between_the_first_message_and_the_game_loses_and_doubles_nothing() -> None:
    told = await beginning()
    told.wall.unheard.append(20)
    assert not await told.tell()
    assert (await told.store.table(told.game)).status is Status.GATHERING
    reborn = Told(told.store, told.sessions, told.game, told.wall)
    reborn.announcer.doubt([told.game])
    for _ in range(4):  # it finds the message, draws on it what is certain, begins, and deals
        await reborn.tell()
    assert (await told.store.table(told.game)).status is Status.PLAYING
    [message] = [each for channel, each in told.wall.posted if channel == 20]
    assert "Who deals first?" in told.wall.text(message)


async def test_a_crash_while_the_lobby_becomes_the_table_leaves_one_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = await beginning()
    assert await told.tell()
    [(_, message)] = told.wall.posted
    with monkeypatch.context() as patch:
        patch.setattr(told.store, "drop_post", AsyncMock(side_effect=StoreUnavailable))
        assert not await told.tell()
    reborn = Told(told.store, told.sessions, told.game, told.wall)
    assert await reborn.tell()
    assert [each for channel, each in told.wall.posted if channel == 20] == [message]
    assert "Who deals first?" in told.wall.text(message)
