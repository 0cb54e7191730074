"""Tables of another process: what is pressed here is answered here, and its owner is sent a hint."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.delivery.announcer import Announcer
from bot.delivery.live_message import Shown
from bot.delivery.posts import Posts
from bot.model.errors import StoreUnavailable
from bot.model.hints import Drawn, Hint
from bot.model.posts import Post, PostKind
from bot.tables.presence import Presence
from engine import Seat
from tests.bot.delivery.test_announcer import announcer_in
from tests.bot.seating import ADA, sit_down
from tests.bot.store.memory import MemoryStore

MESSAGE = 70


class Sent:
    """The hints of process 7."""

    member = 7

    def __init__(self) -> None:
        self.hints: list[Hint] = []
        self.is_broken = False

    async def send(self, hint: Hint) -> None:
        if self.is_broken:
            raise StoreUnavailable
        self.hints.append(hint)


class Process:
    """One that owns the table, or does not."""

    def __init__(self, announcer: Announcer, tasks: KeyedTasks, sent: Sent, game: str) -> None:
        self.announcer, self.tasks, self.sent, self.game = announcer, tasks, sent, game

    @classmethod
    async def open(cls, *, owns: bool) -> Process:
        store, presence, tasks, sent = (
            MemoryStore(),
            Presence(),
            KeyedTasks(passing=(StoreUnavailable,)),
            Sent(),
        )
        sessions, _, session, _ = await sit_down(store)
        hand = Post(
            game=session.record.game, kind=PostKind.HAND, channel=5, message=MESSAGE, drawn="old", seat=0
        )
        await store.keep_post(hand)
        presence.share(1)
        if owns:
            presence.own(0)
            presence.looked_through(0)
        announcer = announcer_in(store, tasks, sessions=sessions, presence=presence)
        announcer.share(sent)
        sessions.share(presence.is_elsewhere, announcer.heard)
        return cls(announcer, tasks, sent, session.record.game)

    async def rests(self) -> None:
        async with asyncio.timeout(5):
            while len(self.tasks):  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)


def press() -> Any:
    return SimpleNamespace(user=SimpleNamespace(id=ADA.user), guild_id=None)


async def test_what_is_to_be_told_of_anothers_table_is_passed_on_to_it() -> None:
    process = await Process.open(owns=False)
    process.announcer.repost(process.game)
    process.announcer.bring_hand_down(process.game, Seat(1))
    await process.rests()

    assert process.sent.hints == [Hint(game=process.game, sender=7, is_to_be_reposted=True, coming_down=(1,))]
    process.announcer.announce(process.game)
    await process.rests()
    assert process.sent.hints[1:] == [Hint(game=process.game, sender=7)]


async def test_while_an_answer_is_made_its_owner_is_told_nothing_and_then_what_it_has_drawn() -> None:
    process = await Process.open(owns=False)
    announcer = process.announcer
    with announcer.answering(process.game):
        posts = await announcer.posts(process.game)
        await announcer.pressed(process.game, press())
        announcer.announce(process.game)
        await process.rests()
        assert not process.sent.hints
        assert posts.standing(MESSAGE) == "", "its owner may have drawn there meanwhile"
        await announcer.answered(process.game, MESSAGE, Shown(digest="new", version=3, draft=1))
    await process.rests()

    drawn = Drawn(message=MESSAGE, digest="new", version=3, draft=1, is_certain=True)
    assert process.sent.hints == [Hint(game=process.game, sender=7, pressed=(0,), drawn=(drawn,))]


async def test_a_hint_that_cannot_be_sent_is_sent_later_with_all_that_was_in_it() -> None:
    process = await Process.open(owns=False)
    process.sent.is_broken = True
    process.announcer.repost(process.game)
    await asyncio.sleep(0.05)
    process.sent.is_broken = False
    process.announcer.announce(process.game)
    await process.rests()

    assert process.sent.hints == [Hint(game=process.game, sender=7, is_to_be_reposted=True)]


async def test_the_owner_knows_what_an_answer_elsewhere_has_drawn_and_who_looks_at_their_dm() -> None:
    process = await Process.open(owns=True)
    announcer = process.announcer
    announcer._tell = create_autospec(announcer._tell)  # type: ignore[method-assign]
    posts = await announcer.posts(process.game)
    assert isinstance(posts, Posts)
    drawn = Drawn(message=MESSAGE, digest="new", version=3, draft=None, is_certain=True)
    await announcer.heard_elsewhere(
        Hint(
            game=process.game,
            sender=8,
            is_to_be_reposted=True,
            coming_down=(1,),
            pressed=(0,),
            drawn=(drawn,),
        )
    )

    assert posts.standing(MESSAGE) == "new"
    announcer._ringing.pressed.assert_called_once_with(process.game, Seat(0))  # type: ignore[attr-defined]
    announcer._mentions.saw.assert_called_once_with(process.game, ADA.user)  # type: ignore[attr-defined]
    assert announcer._tables[process.game].is_to_be_reposted
    assert announcer._tables[process.game].coming_down == {Seat(1)}
    assert not process.sent.hints, "it tells its table by itself"
    await process.tasks.close()


async def test_a_table_that_goes_to_another_process_leaves_nothing_here() -> None:
    process = await Process.open(owns=True)
    announcer = process.announcer
    await announcer.posts(process.game)
    announcer.let_go_elsewhere(process.game)

    assert process.game not in announcer._tables
    assert process.game not in announcer._posts


async def test_what_is_told_too_slowly_is_broken_off_before_another_process_tells() -> None:
    process = await Process.open(owns=True)
    announcer, begun, ended = process.announcer, asyncio.Event(), []

    async def waits_for_its_turn(_: object) -> bool:
        begun.set()
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            ended.append("broken off")
            raise
        return True

    announcer._bring_up_to_date = waits_for_its_turn  # type: ignore[method-assign,assignment]
    announcer.announce(process.game)
    await begun.wait()
    await announcer.come_to_rest(lambda _: False, 0.05)
    assert not ended
    await announcer.come_to_rest(lambda record: record.game == process.game, 0.05)
    await process.tasks.close()
    assert ended == ["broken off"]
