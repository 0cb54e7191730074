"""Syncs of whole games, with crossing answers, closed DMs, crashes and failures of Discord."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.gateway.hint_exchange import HintExchange, Hints
from bot.model.errors import StoreUnavailable
from bot.model.first_deck import FirstDeck
from bot.model.hints import Drawn, Hint
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Status
from bot.model.venue import Venue
from bot.store import SETTLED
from bot.sync import live_message
from bot.sync.circuit_breaker import Standing
from bot.sync.discord_time import DISCORD_TIME, DiscordTime
from bot.sync.live_message import Shown
from engine import Discard, LogError, Resign, Stage
from engine.computer import Level
from tests.bot.answered import Answered
from tests.bot.decks import put_under_first_scheme, secrets
from tests.bot.seating import ADA, BEN, cut_for_deal, gather, room_of, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import CHANNEL, Wall
from tests.bot.sync.synced_game import SyncedGame
from tests.patience import PATIENCE


@pytest.fixture
async def begun() -> SyncedGame:
    """A game before its first sync."""
    return await SyncedGame.begun()


@pytest.fixture
async def synced(begun: SyncedGame) -> SyncedGame:
    """A game whose messages stand."""
    assert await begun.sync_once()
    return begun


@pytest.fixture
def quick_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of pictures, which take time, their facts."""
    for draw in ("draw_board", "draw_show", "draw_result"):
        monkeypatch.setattr(f"bot.sync.illustrator.{draw}", lambda facts: repr(facts).encode())


@pytest.fixture
async def illustrated(quick_pictures: None) -> SyncedGame:
    """A game with pictures whose messages stand."""
    synced = await SyncedGame.begun(pictures=True)
    assert await synced.sync_once()
    return synced


async def test_a_message_by_dm_rings_as_text_and_then_shows_the_hand(begun: SyncedGame) -> None:
    begun.wall.lost_edits = True
    assert not await begun.sync_once()
    hands = [message for channel, message in begun.wall.posted if channel > 1000]
    assert {begun.wall.lines[hand] for hand in hands} == {"Your turn: discard 2 cards"}
    begun.wall.lost_edits = False
    await begun.sync_until_done()
    assert not begun.wall.lines
    assert not begun.wall.silent.intersection(hands)
    assert all(begun.wall.has_buttons(hand) for hand in hands)


async def test_the_picture_of_the_last_show_is_sent_once_a_deal(illustrated: SyncedGame) -> None:
    await illustrated.play_a_deal()
    illustrated.wall.uploads.clear()
    assert await illustrated.sync_once()
    hand = await illustrated.hand()
    assert [message for message in illustrated.wall.uploads if message == hand.message] == [hand.message]
    session = await illustrated.sessions.get(illustrated.game)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await illustrated.sessions.move(illustrated.game, ADA.user, lambda seat: Discard(seat, given))
    illustrated.wall.uploads.clear()
    assert await illustrated.sync_once()
    assert hand.message in illustrated.wall.edits
    assert hand.message not in illustrated.wall.uploads


async def test_where_discord_takes_no_picture_by_dm_the_cards_are_text(illustrated: SyncedGame) -> None:
    hand = await illustrated.hand()
    illustrated.wall.takes_no_files.add(hand.message)
    for _ in range(2):
        await illustrated.play_a_deal()
        await illustrated.sync_until_done()
    assert re.search(r"Deal 2: .*\n-# .*[♣♦♥♠].*starter", illustrated.wall.text(hand.message))
    illustrated.wall.uploads.clear()
    await illustrated.play_a_deal()
    assert await illustrated.sync_once()
    assert hand.message not in illustrated.wall.uploads, "it is not tried again"


async def test_a_press_in_another_channel_posts_nothing_at_a_table_that_only_tokens_reach(
    begun: SyncedGame,
) -> None:
    record = replace((await begun.sessions.get(begun.game)).record, venue=Venue.ANYWHERE, guild=None)
    for channel in (record.channel + 1, record.channel):
        press: Any = SimpleNamespace(user=ADA.user, channel=channel, pressed_at=0.0, may_post=True)
        begun.sync.queue.note_token(record, press)
        assert begun.sync.presses.can_post(record.channel) is (channel == record.channel)


async def test_nothing_rings_for_somebody_whom_only_computers_wait_for() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    table = {"guild": 10, "channel": CHANNEL, "place": "Snug", "host": ADA, "agreement": Agreement()}
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


async def test_a_hand_of_an_earlier_version_is_settled(synced: SyncedGame) -> None:
    hand = await synced.hand()
    old = replace(hand, deal=1, message=hand.message + 1000, drawn="?")
    await synced.store.keep_post(old)
    synced = synced.fallen(is_interrupted=False)
    await synced.play_a_deal()
    await synced.sync_until_done()
    past = (await synced.posts()).get(PostKind.HAND, 1, hand.seat)
    assert past is not None
    assert past.drawn == SETTLED
    assert not synced.wall.has_buttons(old.message)
    assert synced.wall.has_buttons(hand.message)


async def test_a_past_deal_is_drawn_again_while_its_message_is_unconfirmed(synced: SyncedGame) -> None:
    posts = await synced.posts()
    table = await synced.table()
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
    hand = await synced.hand()
    synced.wall.shut.add(hand.message)
    await synced.play_a_deal()
    synced.wall.edits.clear()

    assert await synced.sync_once()
    await synced.play_a_deal()
    assert await synced.sync_once()

    assert synced.wall.edits.count(hand.message) == 1


async def test_a_hand_that_was_posted_just_before_a_fall_is_found(synced: SyncedGame) -> None:
    lost = await synced.hand()
    await synced.store.drop_post(synced.game, PostKind.HAND, 0, lost.seat)  # the bot fell before it was kept
    await synced.play_a_deal()

    risen = synced.fallen()
    for _ in range(3):
        await risen.sync_once()

    assert await risen.sync_once()
    assert (await risen.hand()).message == lost.message
    assert "Deal 2" in synced.wall.text(lost.message)


async def test_a_lost_hand_is_found_though_its_player_has_opened_another_at_the_table_since(
    synced: SyncedGame,
) -> None:
    lost = await synced.hand()
    await synced.store.drop_post(synced.game, PostKind.HAND, 0, lost.seat)

    risen = synced.fallen()
    answer: Any = Answered(ADA.user or 0)
    risen.sync.hands.opened(synced.game, answer, 99, Shown(digest="", version=0))
    await risen.sync_until_done()

    assert (await risen.hand()).message == lost.message
    assert "You're playing in" in synced.wall.text(lost.message)


async def test_an_answer_of_another_process_that_crossed_the_end_of_the_game_is_drawn_over(
    synced: SyncedGame,
) -> None:
    hand = await synced.hand()
    before = synced.wall.shown[hand.message]
    version = (await synced.sessions.get(synced.game)).game.version
    await synced.sessions.move(synced.game, ADA.user or 0, Resign)
    await synced.sync_until_done()
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
    lost = await synced.hand()
    await synced.store.drop_post(synced.game, PostKind.HAND, 0, lost.seat)
    await synced.sessions.call_off(synced.game)

    risen = synced.fallen()
    for _ in range(3):
        await risen.sync_once()

    assert not synced.wall.has_buttons(lost.message)


async def test_a_result_whose_picture_discord_refuses_is_text(illustrated: SyncedGame) -> None:
    await illustrated.sessions.move(illustrated.game, ADA.user or 0, Resign)
    illustrated.wall.takes_no_files.add(CHANNEL)
    await illustrated.sync_until_done()
    post = (await illustrated.posts()).get(PostKind.RESULT)
    assert post is not None
    assert "Ben" in illustrated.wall.text(post.message)
    assert "'type': 12" not in str(illustrated.wall.shown[post.message].to_components()), (
        "no picture is missed"
    )


async def test_a_mention_is_deleted_when_the_game_is_called_off(synced: SyncedGame) -> None:
    call = Post(game=synced.game, kind=PostKind.NUDGE, seat=0, channel=CHANNEL, message=77)
    await synced.store.keep_post(call)
    synced = synced.fallen(is_interrupted=False)
    await synced.sessions.call_off(synced.game)
    await synced.sync_until_done()
    assert synced.wall.deleted == [77]
    assert call.kind not in {post.kind for post in await synced.store.posts(synced.game)}


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


async def test_hands_say_once_that_a_game_rests_and_one_behind_a_closed_door_holds_nothing_up(
    synced: SyncedGame, caplog: pytest.LogCaptureFixture
) -> None:
    posts, hand = await synced.posts(), await synced.hand()
    [other] = (post for post in posts.all(PostKind.HAND) if post != hand)
    synced.presence.listed(0, ())
    synced.wall.shut.add(hand.message)
    synced.wall.edits.clear()

    assert await synced.sync_once()
    assert sorted(synced.wall.edits) == sorted([hand.message, other.message])
    assert not synced.wall.has_buttons(other.message)
    assert posts.are_resting

    assert caplog.records == []

    risen = synced.fallen(is_interrupted=False)
    risen.presence.listed(0, ())
    synced.wall.edits.clear()
    assert await risen.sync_once()
    assert other.message not in synced.wall.edits


async def test_a_sync_of_a_disconnected_shard_is_deferred(begun: SyncedGame) -> None:
    begun.presence.lost(0)
    assert await begun.sync_once()
    assert not begun.wall.posted

    begun.presence.resumed(0)
    begun.sync.queue.resume_deferred()
    assert ("sync", begun.game) in begun.tasks
    begun.tasks.stop(("sync", begun.game))
    begun.sync.queue.resume_deferred()
    assert ("sync", begun.game) not in begun.tasks, "once"
    assert await begun.sync_once()
    assert begun.wall.posted


async def test_a_game_that_is_gone_is_evicted(begun: SyncedGame) -> None:
    begun.sync.queue.expect_unacknowledged_sends([begun.game])
    assert begun.game in begun.sync.tables
    assert isinstance(begun.store, MemoryStore)
    begun.store.delete(begun.game)
    begun.sessions.forget(begun.game)
    assert await begun.sync_once()
    assert begun.game not in begun.sync.tables


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


BELOW = 2**62
"""Id of an ephemeral hand below every table."""


def copied(
    synced: SyncedGame, answer: Any, *, message: int = BELOW, version: int = 1, draft: int | None = None
) -> None:
    """Ada has opened her hand at the table."""
    shown = Shown(digest="?", version=version, draft=draft)
    synced.sync.hands.opened(synced.game, answer, message, shown)


async def test_a_copy_follows_its_game_to_the_end_and_is_forgotten(begun: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(begun, answer, draft=1)
    await begun.sync_with_copies()
    assert answer.edits == [], "what is chosen stays"

    session = await begun.sessions.get(begun.game)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await begun.sessions.move(begun.game, ADA.user, lambda seat: Discard(seat, given))
    await begun.sync_with_copies()
    assert "You discarded" in answer.edits[0]

    await begun.play_a_deal()
    await begun.sync_with_copies()
    assert "discard 2 to" in answer.edits[1]

    while not (await begun.sessions.get(begun.game)).game.is_over:
        await begun.play_a_deal()
    await begun.sync_with_copies()
    assert " won, " in answer.edits[-1] or "You win, " in answer.edits[-1]
    assert len(answer.edits) == 3
    assert not begun.sync.hands.is_open(begun.game, ADA.user or 0)


async def test_an_unacknowledged_message_by_dm_is_found_though_its_player_has_gone_to_the_table(
    begun: SyncedGame,
) -> None:
    begun.wall.unanswered.append(1000 + (ADA.user or 0))
    assert not await begun.sync_once()
    copied(begun, Answered(ADA.user or 0))

    assert await begun.sync_once()

    assert len(begun.wall.posted_in(1000 + ADA.user)) == 1
    found = (await begun.hand()).message
    assert found not in begun.wall.lines, "the line that called for the first move is gone"
    assert "You're playing in" in begun.wall.text(found)


async def test_a_choice_on_a_copy_is_over_with_its_deal(begun: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    copied(begun, answer, draft=1)
    await begun.play_a_deal()
    await begun.sync_with_copies()
    assert "discard 2 to" in answer.edits[0]


async def test_a_copy_offers_the_way_back_once_direct_messages_were_found_closed(begun: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    assert await begun.sync_once()
    copied(begun, answer)
    begun.wall.shut.add((await begun.hand()).message)
    await begun.sync_with_copies()
    assert "Send it by DM" in answer.labels


async def test_a_copy_that_hangs_holds_up_no_sync(begun: SyncedGame) -> None:
    answer: Any = Answered(ADA.user or 0)
    answer.is_open.clear()
    copied(begun, answer)
    assert await begun.sync_once()
    assert len(begun.wall.posted) == 2, "the table and Ben's hand: Ada plays at the table"
    assert len(answer.edits) == 1
    await begun.sync.close()
    assert not begun.sync.hands.backlog


async def test_no_sync_draws_a_hand_back_to_before_its_players_last_answer(synced: SyncedGame) -> None:
    """A press between a sync's beginning and its drawing of the hand."""
    session, hand = await synced.sessions.get(synced.game), await synced.hand()
    posts = await synced.posts()
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
    copied(synced, Answered(ADA.user or 0))
    assert await synced.sync_once()
    synced.now = 180.0
    assert await synced.sync_once()
    hand = await synced.hand()
    assert "discard 2 to" in synced.wall.text(hand.message)


async def test_a_copy_comes_down_below_the_table_of_a_new_deal(synced: SyncedGame) -> None:
    table = await synced.table()
    answer: Any = Answered(ADA.user or 0, table.message + 1)
    copied(synced, answer, message=table.message + 1)
    await synced.sync_with_copies()
    answer.edits.clear()
    await synced.play_a_deal()
    await synced.sync_with_copies()
    assert answer.edits == []
    assert "discard 2 to" in answer.posted[0]
    assert answer.deleted == [table.message + 1]


async def test_who_has_no_copy_at_their_turn_any_more_is_named_at_the_table(
    synced: SyncedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    old: Any = Answered(ADA.user or 0, age=timedelta(minutes=14))
    copied(synced, old)
    assert await synced.sync_once()
    table = await synced.table()
    assert "press *My hand*" not in synced.wall.text(table.message)
    monkeypatch.setattr(live_message, "DISCORD_TIME", DiscordTime(lambda: DISCORD_TIME() + 60))
    assert await synced.sync_once()
    assert "**Ada**: press *My hand*" in synced.wall.text(table.message)


@pytest.mark.parametrize("at_the_table", [(), ("Ada",)], ids=["both by DM", "one at the table"])
async def test_the_show_is_shown_as_it_stays_where_all_play_by_dm(
    synced: SyncedGame, at_the_table: tuple[str, ...]
) -> None:
    """A table whose players all play by DM is dealt there, which saves an edit of the table."""
    session = await synced.sessions.get(synced.game)
    posts = await synced.posts()
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
    session = await synced.sessions.get(synced.game)
    while session.game.table.stage is not Stage.DEALING:
        await synced.move_once()
    assert await synced.sync_once()
    table = await synced.table()
    assert "'label': 'Deal'" in str(synced.wall.shown[table.message].to_components())  # type: ignore[no-untyped-call]


@pytest.mark.usefixtures("quick_pictures")
async def test_hands_are_synced_and_a_channel_that_refuses_is_left_alone() -> None:
    begun = await SyncedGame.begun(pictures=True)
    begun.wall.forbidden.add(CHANNEL)
    assert await begun.sync_once()
    assert await begun.sync_once()
    assert begun.wall.refused == [CHANNEL, CHANNEL], "its picture, and the same as text"
    assert len({where for where, _ in begun.wall.posted}) == 2, "both hands"
    assert [record.game for record in await begun.store.unsynced()] == [begun.game], "for the next start"

    begun.knowledge.of_channels[CHANNEL] = Standing.SHUT
    begun.sync.breaker.changed(10, CHANNEL)
    begun.wall.forbidden.clear()
    begun.knowledge.of_channels[CHANNEL] = Standing.OPEN
    begun.sync.breaker.changed(10, CHANNEL)
    async with asyncio.timeout(PATIENCE):
        while await begun.store.unsynced():  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.01)
    assert begun.wall.posted[-1][0] == CHANNEL
    await begun.tasks.close()


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


async def test_a_game_whose_channel_is_deleted_is_called_off(begun: SyncedGame) -> None:
    begun.wall.gone.add(CHANNEL)
    assert await begun.sync_once()
    assert (await begun.store.table(begun.game)).status is Status.CANCELLED


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
    [message] = synced.wall.posted_in(CHANNEL)
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
    assert synced.wall.posted_in(CHANNEL) == [message]
    assert "Who deals first?" in synced.wall.text(message)
    assert commitment in synced.wall.text(message)
    assert synced.wall.has_buttons(message)
    deck = await synced.store.deck(synced.game)
    assert isinstance(deck, FirstDeck)
    assert deck.message == message
    assert (await synced.posts()).get(PostKind.LOBBY) is None


async def test_a_crash_between_the_first_message_and_the_game_loses_and_doubles_nothing() -> None:
    synced = await beginning()
    synced.wall.unanswered.append(20)
    assert not await synced.sync_once()
    assert (await synced.store.table(synced.game)).status is Status.GATHERING
    reborn = synced.fallen()
    for _ in range(4):  # it finds the message, draws on it what is certain, begins, and deals
        await reborn.sync_once()
    assert (await synced.store.table(synced.game)).status is Status.PLAYING
    [message] = synced.wall.posted_in(CHANNEL)
    assert "Who deals first?" in synced.wall.text(message)


async def test_a_crash_while_the_lobby_becomes_the_table_leaves_one_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    synced = await beginning()
    assert await synced.sync_once()
    [(_, message)] = synced.wall.posted
    with monkeypatch.context() as patch:

        async def is_unavailable(*_: object) -> None:
            raise StoreUnavailable

        patch.setattr(synced.store, "drop_post", is_unavailable)
        assert not await synced.sync_once()
    reborn = synced.fallen(is_interrupted=False)
    assert await reborn.sync_once()
    assert synced.wall.posted_in(CHANNEL) == [message]
    assert "Who deals first?" in synced.wall.text(message)


# -- a lobby that calls somebody -------------------------------------------------------------------------

ONCE = [([BEN.user], f"<@{BEN.user}>, Ada wants to play cribbage with you!")]


async def challenge(called: int | None = BEN.user) -> SyncedGame:
    """Ada's table, at which she challenges Ben, before its first sync."""
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    place: Any = {"guild": 10, "channel": CHANNEL, "place": "x"}
    record = await lobbies.open(host=ADA, agreement=Agreement(), called=called, **place)
    return SyncedGame(store, sessions, record.game, Wall())


async def interrupted_challenge() -> SyncedGame:
    """The same after a sync that has posted the line that calls, and could not draw the lobby over it."""
    lobby = await challenge()
    lobby.wall.lost_edits = True
    assert not await lobby.sync_once()
    lobby.wall.lost_edits = False
    return lobby


async def test_a_line_of_text_rings_and_becomes_the_lobby() -> None:
    lobby = await challenge()
    assert await lobby.sync_once()
    assert lobby.wall.rings == ONCE
    [(_, message)] = lobby.wall.posted
    assert lobby.wall.edits == [message]
    assert "will you play?" in lobby.wall.text(message)
    assert not lobby.wall.lines, "the line has become the lobby"
    assert await lobby.sync_once()
    assert lobby.wall.edits == [message]


async def test_a_lobby_that_calls_nobody_is_posted_as_it_is() -> None:
    lobby = await challenge(called=None)
    assert await lobby.sync_once()
    assert (lobby.wall.rings, lobby.wall.edits) == ([], [])
    [(_, message)] = lobby.wall.posted
    assert "Ada wants to play" in lobby.wall.text(message)


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


async def test_a_lobby_that_moves_down_does_not_ring_again() -> None:
    lobby = await challenge()
    assert await lobby.sync_once()
    lobby.sync.queue.repost(lobby.game)
    assert await lobby.sync_once()
    [_, (_, moved)] = lobby.wall.posted
    assert "will you play?" in lobby.wall.text(moved)
    assert lobby.wall.rings == ONCE
