"""Syncs that cross answers, crashes and failures; what people see otherwise is played in `tests/room`."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement
from bot.model.venue import Venue
from bot.render.text.voice import Voice
from bot.sync import table_sync
from bot.sync.discord_time import DISCORD_TIME, DiscordTime
from bot.sync.live_message import Shown
from bot.sync.threads import Threads
from engine import LogError, Resign
from tests.bot.answered import Answered
from tests.bot.seating import ADA, BEN, room_of, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import CHANNEL, SyncedGame, Wall


@pytest.fixture
async def begun() -> SyncedGame:
    """A game before its first sync."""
    return await SyncedGame.begun()


@pytest.fixture
async def synced(begun: SyncedGame) -> SyncedGame:
    """A game whose messages stand."""
    assert await begun.sync_once()
    return begun


async def test_a_press_in_another_channel_posts_nothing_at_a_table_that_only_tokens_reach(
    begun: SyncedGame,
) -> None:
    record = replace((await begun.sessions.get(begun.game)).record, venue=Venue.ANYWHERE, guild=None)
    for channel in (record.channel + 1, record.channel):
        press: Any = SimpleNamespace(user=ADA.user, channel=channel, pressed_at=0.0, may_post=True)
        begun.sync.queue.note_token(record, press)
        assert begun.sync.presses.can_post(record.channel) is (channel == record.channel)


async def test_a_sync_ends_though_the_clock_is_days_ahead_and_every_message_seems_old(
    begun: SyncedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_sync, "DISCORD_TIME", DiscordTime(lambda: DISCORD_TIME() + 3 * 86_400))
    assert await begun.sync_once()
    assert await begun.sync_once()


@pytest.mark.deep
@pytest.mark.parametrize("step", ["post", "edit", "delete"])
async def test_a_call_that_a_crash_has_interrupted_is_finished_and_leaves_one_message(
    synced: SyncedGame, step: str
) -> None:
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

    risen = synced.fallen(is_interrupted=False)
    assert synced.game in {record.game for record in await synced.store.unsynced()}
    risen.sync.queue.expect_unacknowledged_sends([synced.game])
    await risen.sync_until_done()

    hand = await risen.hand()
    by_dm = {message for channel, message in synced.wall.posted if channel == old.channel}
    assert by_dm - set(synced.wall.deleted) == {hand.message}
    assert hand.message != old.message
    assert synced.wall.has_buttons(hand.message)
    assert synced.game not in {record.game for record in await synced.store.unsynced()}


@pytest.mark.parametrize(
    ("since", "said"),
    [
        ("a deal was played", "Deal 2"),
        ("another was opened at the table", "You're playing in"),
        ("the game was called off", "Deal 1 is over"),
    ],
)
async def test_a_hand_that_was_posted_just_before_a_fall_is_found(
    synced: SyncedGame, since: str, said: str
) -> None:
    lost = await synced.hand()
    await synced.store.drop_post(synced.game, PostKind.HAND, 0, lost.seat)  # the bot fell before it was kept
    if since == "a deal was played":
        await synced.play_a_deal()
    if since == "the game was called off":
        await synced.sessions.call_off(synced.game)
    risen = synced.fallen()
    if since == "another was opened at the table":
        opened_at_the_table(risen)
    await risen.sync_until_done()

    assert synced.wall.posted_in(lost.channel) == [lost.message]
    assert said in synced.wall.text(lost.message)


def opened_at_the_table(synced: SyncedGame) -> None:
    """Ada has opened her hand there."""
    answer: Any = Answered(ADA.user)
    synced.sync.hands.opened(synced.game, answer, 99, Shown(digest="", version=0))


async def test_a_message_whose_response_was_lost_is_found_though_its_player_has_gone_to_the_table(
    begun: SyncedGame,
) -> None:
    begun.wall.unanswered.append(1000 + ADA.user)
    assert not await begun.sync_once()
    opened_at_the_table(begun)
    assert await begun.sync_once()

    [found] = begun.wall.posted_in(1000 + ADA.user)
    assert found not in begun.wall.lines, "the line that called for the first move is gone"
    assert "You're playing in" in begun.wall.text(found)


async def test_a_log_that_cannot_be_read_is_not_synced_and_names_no_card(
    begun: SyncedGame, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def cannot_be_read(_: str) -> Any:
        raise LogError("nobody can discard 5H")

    monkeypatch.setattr(begun.sessions, "get", cannot_be_read)
    assert await begun.sync_once(), "it is not tried again: it would fail again"
    [record] = caplog.records
    assert record.getMessage() == f"the log of {begun.game} cannot be synced: LogError"
    assert record.exc_info is None
    assert not begun.wall.posted


async def test_a_game_that_is_gone_is_evicted(begun: SyncedGame) -> None:
    begun.sync.queue.expect_unacknowledged_sends([begun.game])
    assert begun.game in begun.sync.tables
    assert isinstance(begun.store, MemoryStore)
    begun.store.delete(begun.game)
    begun.sessions.forget(begun.game)
    assert await begun.sync_once()
    assert begun.game not in begun.sync.tables


@pytest.mark.parametrize("has_ended", [False, True], ids=["not available", "ended"])
async def test_where_a_server_is_not_available_its_thread_is_opened_later_if_the_game_goes_on(
    begun: SyncedGame, has_ended: bool
) -> None:
    place = Mock(guild=object() if has_ended else None)
    place.get_partial_message.return_value.create_thread = AsyncMock()
    client = stand_in(discord.Client)
    client.get_partial_messageable.return_value = place
    lobby = Post(game=begun.game, kind=PostKind.LOBBY, channel=CHANNEL, message=500)
    record = await begun.sessions.record(begun.game)
    opening = Threads(client, begun.sessions).move_into(record, lobby, Voice())
    if has_ended:
        await begun.sessions.call_off(begun.game)
        await opening
    else:
        with pytest.raises(ConnectionError):
            await opening
    assert (await begun.sessions.record(begun.game)).channel == CHANNEL


async def test_the_next_table_waits_for_a_show_that_could_not_be_drawn(synced: SyncedGame) -> None:
    await synced.play_a_deal()
    hand = await synced.hand()
    posts = await synced.posts()
    first = posts.get(PostKind.TABLE, 1)
    assert first is not None
    synced.wall.lost.append(first.message)
    synced.wall.posted.clear()
    synced.wall.edits.clear()

    assert not await synced.sync_once()
    assert synced.wall.posted_in(CHANNEL) == []
    assert hand.message in synced.wall.edits, "but the hands come"
    synced.wall.edits.clear()
    await synced.sync_until_done()

    second = posts.get(PostKind.TABLE, 2)
    assert second is not None
    assert first.message in synced.wall.edits
    assert synced.wall.posted_in(CHANNEL) == [second.message]


async def test_the_table_comes_when_a_lobby_that_is_pressed_says_that_the_game_has_begun(
    begun: SyncedGame,
) -> None:
    lobby = Post(game=begun.game, kind=PostKind.LOBBY, channel=CHANNEL, message=500)
    await begun.store.keep_post(lobby)
    posts = await begun.posts()

    with posts.pressed(lobby.message):
        syncing = asyncio.create_task(begun.sync_once())
        for _ in range(50):
            await asyncio.sleep(0)
        assert not begun.wall.edits
        assert begun.wall.posted_in(CHANNEL) == []
    assert await syncing
    assert begun.wall.edits[0] == lobby.message
    assert begun.wall.posted_in(CHANNEL)


async def test_what_may_have_been_posted_before_a_start_is_drawn_once_more(synced: SyncedGame) -> None:
    synced.wall.edits.clear()
    risen = synced.fallen()

    await risen.sync_until_done()

    assert sorted(set(synced.wall.edits)) == sorted(message for _, message in synced.wall.posted)


@pytest.mark.parametrize("is_over", [True, False], ids=["over", "cancelled"])
async def test_a_game_that_ends_where_the_bot_may_not_write_is_never_tried_again(
    begun: SyncedGame, is_over: bool
) -> None:
    assert await begun.sync_once()
    begun.wall.forbidden.add(CHANNEL)
    await begun.play_a_deal()
    assert await begun.sync_once()
    if is_over:
        await begun.sessions.move(begun.game, ADA.user, Resign)
    else:
        await begun.sessions.call_off(begun.game)
    begun.wall.refused.clear()
    assert await begun.sync_once()
    assert begun.wall.refused == []
    assert await begun.store.unsynced() == ()
    [hand] = [post for post in await begun.store.posts(begun.game) if post.seat == 0]
    assert begun.wall.has_buttons(hand.message) is is_over, "the rematch"
    await begun.tasks.close()


async def test_direct_messages_are_opened_once_a_person_also_after_a_restart(synced: SyncedGame) -> None:
    assert synced.wall.opened == [ADA.user, BEN.user]
    await synced.sessions.move(synced.game, ADA.user, Resign)
    sessions, _, session, _ = await sit_down(synced.store)
    again = SyncedGame(synced.store, sessions, session.record.game, Wall())
    assert await again.sync_once()
    assert again.wall.opened == []
    assert {channel for channel, _ in again.wall.posted} > {1000 + ADA.user}


async def test_direct_messages_that_are_not_there_any_more_are_opened_again(begun: SyncedGame) -> None:
    await begun.store.prefer(ADA.user, dm_channel=5)
    begun.wall.gone.add(5)
    assert await begun.sync_once()
    assert (await begun.hand()).channel == 1000 + ADA.user
    assert (await begun.store.preferences(ADA.user)).dm_channel == 1000 + ADA.user


# -- a lobby that calls somebody -------------------------------------------------------------------------

ONCE = [([BEN.user], f"<@{BEN.user}>, Ada wants to play cribbage with you!")]


async def interrupted_challenge() -> SyncedGame:
    """Ada's table after a sync that has posted the line that calls Ben, and drawn no lobby over it."""
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    place: Any = {"guild": 10, "channel": CHANNEL, "place": "x"}
    record = await lobbies.open(host=ADA, agreement=Agreement(), called=BEN.user, **place)
    lobby = SyncedGame(store, sessions, record.game, Wall())
    lobby.wall.lost_edits = True
    assert not await lobby.sync_once()
    lobby.wall.lost_edits = False
    return lobby


@pytest.mark.parametrize("then", ["goes on", "falls", "falls before it is kept"])
async def test_a_line_whose_lobby_could_not_be_drawn_is_drawn_over_and_has_rung_once(then: str) -> None:
    lobby = await interrupted_challenge()
    if then == "falls before it is kept":
        await lobby.store.drop_post(lobby.game, PostKind.LOBBY, 0, -1)
    if then != "goes on":
        lobby = lobby.fallen()
    await lobby.sync_until_done()
    assert lobby.wall.rings == ONCE
    [(_, message)] = lobby.wall.posted
    assert "will you play?" in lobby.wall.text(message)


async def test_who_declines_before_the_lobby_is_drawn_over_their_line_is_not_called_by_it() -> None:
    lobby = await interrupted_challenge()
    await lobby.store.drop_post(lobby.game, PostKind.LOBBY, 0, -1)
    lobby = lobby.fallen()
    await lobby.store.free_seats(lobby.game)
    assert not await lobby.sync_once(), "the message may still show the line: it is synced once more"
    assert await lobby.sync_once()
    assert lobby.wall.rings == ONCE
    [(_, message)] = lobby.wall.posted
    assert "will you play?" not in lobby.wall.text(message)
    assert "Ada wants to play" in lobby.wall.text(message)
    assert not lobby.wall.lines
