"""The lobby of a challenge notifies its person once, with text, even if its sync is interrupted."""

from __future__ import annotations

from typing import Any
from unittest.mock import create_autospec

import pytest

from bot.model.posts import Post
from bot.model.table_record import Agreement, TableRecord
from bot.render.text.voice import Voices
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.posts import Posts
from bot.sync.presses import Presses
from bot.sync.reconcile import Outcome
from bot.sync.renderer import Renderer
from bot.sync.table_state import Pacing, TableState
from bot.sync.table_sync import Circumstances, Services, TableSync
from tests.bot.seating import ADA, BEN, room_of
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.test_sync import Wall


class Calling(Wall):
    """A channel that records for whom each new message rings, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.rings: list[tuple[list[int], str]] = []

    async def send(self, channel: int, content: str = "", **message: Any) -> Any:
        before = len(self.posted)
        sent = await super().send(channel, content, **message)
        mentions = message.get("allowed_mentions")
        if len(self.posted) > before and mentions is not None:
            assert mentions.to_dict()["parse"] == [], "nobody but those who are named"
            self.rings.append(([each.id for each in mentions.users], content))
        return sent


class Lobby:
    """Ada's table, at which she challenges Ben."""

    def __init__(self, store: MemoryStore, record: TableRecord) -> None:
        self.store, self.record, self.wall = store, record, Calling()
        self.posts = self.after_a_crash(())

    @classmethod
    async def opened(cls, called: int | None = BEN.user) -> Lobby:
        store = MemoryStore()
        _, lobbies, _ = room_of(store)
        record = await lobbies.open(
            guild=10, channel=20, place="x", host=ADA, agreement=Agreement(), called=called
        )
        return cls(store, record)

    def after_a_crash(self, kept: tuple[Post, ...]) -> Posts:
        """The messages as a new process reads them."""
        self.posts = Posts(
            self.record.game, self.wall.client(), self.store, kept, has_unacknowledged_sends=True
        )
        return self.posts

    async def sync_once(self, *, repost: bool = False) -> Outcome:
        any_: Any = create_autospec(object)
        voices = Voices()
        services = Services(
            store=self.store,
            voices=voices,
            renderer=Renderer(self.store, voices, any_, any_),
            open_hands=EphemeralHands(lambda _: None),
            dms=any_,
            threads=any_,
            presses=Presses(),
            pacing=Pacing(clock=lambda: 0.0, ring_after=180.0, mention_after=60.0, lull=60.0),
            began=0.0,
            has_pictures=False,
        )
        sync = TableSync(
            services,
            self.record,
            None,
            posts=self.posts,
            state=TableState(),
            circumstances=Circumstances(is_to_be_reposted=repost),
        )
        await sync.run()
        return sync.outcome

    @property
    def message(self) -> int:
        [(_, message)] = self.wall.posted
        return message


ONCE = [([BEN.user], f"<@{BEN.user}>, Ada wants to play cribbage with you!")]


@pytest.fixture
async def lobby() -> Lobby:
    return await Lobby.opened()


async def test_a_line_of_text_rings_and_becomes_the_lobby(lobby: Lobby) -> None:
    await lobby.sync_once()
    assert lobby.wall.rings == ONCE
    assert lobby.wall.edits == [lobby.message]
    assert "will you play?" in lobby.wall.text(lobby.message)
    assert not lobby.wall.lines, "the line has become the lobby"
    assert lobby.posts.is_up_to_date
    await lobby.sync_once()
    assert lobby.wall.edits == [lobby.message]


async def test_a_lobby_that_calls_nobody_is_posted_as_it_is() -> None:
    lobby = await Lobby.opened(called=None)
    await lobby.sync_once()
    assert (lobby.wall.rings, lobby.wall.edits) == ([], [])
    assert "Ada wants to play" in lobby.wall.text(lobby.message)


async def test_a_line_whose_drawing_failed_is_drawn_over_by_the_next_sync(lobby: Lobby) -> None:
    lobby.wall.lost_edits = True
    assert (await lobby.sync_once()).failures
    lobby.wall.lost_edits = False
    assert not lobby.posts.is_up_to_date
    await lobby.sync_once()
    assert lobby.wall.rings == ONCE
    assert "will you play?" in lobby.wall.text(lobby.message)


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "not kept"])
async def test_a_crash_behind_the_line_leaves_one_lobby_that_rang_once(lobby: Lobby, is_kept: bool) -> None:
    lobby.wall.lost_edits = True
    await lobby.sync_once()
    lobby.wall.lost_edits = False
    lobby.after_a_crash(await lobby.store.posts(lobby.record.game) if is_kept else ())
    await lobby.sync_once()
    assert lobby.wall.rings == ONCE
    assert "will you play?" in lobby.wall.text(lobby.message)
    assert lobby.posts.is_up_to_date


async def test_who_declines_before_the_lobby_is_drawn_over_their_line_is_not_called_by_it(
    lobby: Lobby,
) -> None:
    lobby.wall.lost_edits = True
    await lobby.sync_once()
    lobby.wall.lost_edits = False
    lobby.after_a_crash(())
    lobby.record = await lobby.store.free_seats(lobby.record.game)
    await lobby.sync_once()
    assert not lobby.posts.is_up_to_date, "the message may still show the line: it is synced once more"
    await lobby.sync_once()
    assert lobby.posts.is_up_to_date
    assert lobby.wall.rings == ONCE
    assert "will you play?" not in lobby.wall.text(lobby.message)
    assert "Ada wants to play" in lobby.wall.text(lobby.message)
    assert not lobby.wall.lines


async def test_a_lobby_that_moves_down_does_not_ring_again(lobby: Lobby) -> None:
    await lobby.sync_once()
    await lobby.sync_once(repost=True)
    [_, (_, moved)] = lobby.wall.posted
    assert "will you play?" in lobby.wall.text(moved)
    assert lobby.wall.rings == ONCE
