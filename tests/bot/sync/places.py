"""A game with its sync, on a wall in place of Discord: messages and channels that refuse on demand."""

from __future__ import annotations

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import Any, Self

import discord
from discord import ui

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.posts import Post, PostKind
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.store import Store
from bot.sync.circuit_breaker import Standing
from bot.sync.parts import Sync
from bot.sync.posts import Posts
from bot.sync.table_state import Pacing
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from tests.bot.render.games import words
from tests.bot.seating import ADA, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.patience import PATIENCE

CHANNEL = 20
"""The channel of the tables that `tests.bot.seating` opens."""


def refused(status: int, code: int = 0) -> discord.HTTPException:
    """The error for a response with that status and error code."""
    response: Any = SimpleNamespace(status=status, reason="")
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": ""})


class NothingIsShut:
    """Permissions to write everywhere, unless a test changes `of_channels`."""

    def __init__(self) -> None:
        self.of_channels: dict[int, Standing] = {}

    def standing(self, record: TableRecord) -> Standing:
        """See `Knowledge.standing`."""
        return self.of_channels.get(record.channel, Standing.OPEN)

    def is_in(self, record: TableRecord, channel: int) -> bool:
        """See `Knowledge.is_in`."""
        return record.channel == channel


class Wall:
    """A fake of Discord's messages and channels, with failures on demand."""

    def __init__(self) -> None:
        self.shown: dict[int, ui.LayoutView] = {}
        self.edits: list[int] = []
        self.posted: list[tuple[int, int]] = []
        """Channel and message, in order."""
        self.lines: dict[int, str] = {}
        """By message: the line of text as which it began."""
        self.deleted: list[int] = []
        self.undeletable: set[int] = set()
        """Messages whose deletion is refused."""
        self.lost_edits = False
        self.lost: list[int] = []
        """Channels in which the next post fails, and messages of which the next edit fails."""
        self.unanswered: list[int] = []
        """Channels in which the next post arrives, but its response is lost."""
        self.forbidden: set[int] = set()
        """Channels in which the bot lacks a permission."""
        self.gone: set[int] = set()
        """Deleted channels."""
        self.refused: list[int] = []
        """Channels of refused posts, in order."""
        self.rings: list[tuple[list[int], str]] = []
        """Whom each new message with mentions notifies, and its text, in order."""
        self.opened: list[int] = []
        """People whose direct messages were opened, in order."""
        self._by_nonce: dict[tuple[int, str], int] = {}

    def client(self) -> Any:
        client = stand_in(discord.Client)
        client.get_partial_messageable.side_effect = lambda channel: SimpleNamespace(
            send=partial(self.send, channel), get_partial_message=self.get_partial_message
        )
        client.create_dm.side_effect = self._open
        client.get_channel.return_value = None
        return client

    def _open(self, user: discord.Object) -> SimpleNamespace:
        self.opened.append(user.id)
        return SimpleNamespace(id=1000 + user.id)

    async def send(
        self,
        channel: int,
        content: str = "",
        *,
        nonce: str,
        view: ui.LayoutView | None = None,
        allowed_mentions: discord.AllowedMentions | None = None,
        **_: Any,
    ) -> Any:
        if channel in self.gone:
            raise refused(404, 10003)
        if channel in self.lost:
            self.lost.remove(channel)
            raise OSError("the connection is gone")
        if channel in self.forbidden:
            self.refused.append(channel)
            raise refused(403, 50013)
        if (channel, nonce) in self._by_nonce:
            return SimpleNamespace(id=self._by_nonce[channel, nonce])
        message = discord.utils.time_snowflake(discord.utils.utcnow()) + len(self.shown)
        self._by_nonce[channel, nonce] = message
        self.shown[message] = view or ui.LayoutView()
        self.lines |= {message: content} if content else {}
        self.posted.append((channel, message))
        if allowed_mentions is not None:
            mentions: Any = allowed_mentions
            assert mentions.to_dict()["parse"] == [], "nobody but those who are named"
            self.rings.append(([each.id for each in mentions.users], content))
        if channel in self.unanswered:
            self.unanswered.remove(channel)
            raise OSError("the connection is gone")
        return SimpleNamespace(id=message)

    def get_partial_message(self, message: int) -> Any:
        async def edit(*, view: ui.LayoutView, content: str | None = "", **_: object) -> None:
            assert content is None or message not in self.lines, "text stays below components"
            self.edits.append(message)
            if message in self.lost or self.lost_edits:
                self.lost = [each for each in self.lost if each != message]
                raise OSError("the connection is gone")
            self.lines.pop(message, None)
            self.shown[message] = view

        async def delete() -> None:
            if message in self.undeletable:
                raise refused(403, 50013)
            if message in self.lost:
                self.lost.remove(message)
                raise OSError("the connection is gone")
            self.deleted.append(message)

        return SimpleNamespace(edit=edit, delete=delete)

    def posted_in(self, channel: int) -> list[int]:
        """The messages that were posted there, in order."""
        return [message for where, message in self.posted if where == channel]

    def text(self, message: int) -> str:
        return words(Drawing(self.shown[message]))  # type: ignore[arg-type]

    def has_buttons(self, message: int) -> bool:
        return "custom_id" in str(self.shown[message].to_components())  # type: ignore[no-untyped-call]


def sync_in(
    store: Store,
    tasks: KeyedTasks,
    sessions: Sessions,
    *,
    wall: Wall | None = None,
    presence: Presence | None = None,
    pacing: Pacing | None = None,
    merge: float = 0.0,
    reply: float = 0.0,
) -> Sync:
    """The sync subsystem of a process, on a wall."""
    unrated = stand_in(RatedGames)
    unrated.changes.return_value = ()
    return Sync.of(
        (wall or Wall()).client(),
        store,
        sessions,
        presence or Presence(),
        tasks,
        knowledge=NothingIsShut(),
        voices=Voices(),
        pacing=pacing or Pacing(clock=lambda: 0.0, ring_after=180.0, mention_after=60.0, lull=60.0),
        rated=unrated,
        merge=merge,
        reply=reply,
    )


class SyncedGame:
    """A game with its sync."""

    def __init__(self, store: Store, sessions: Sessions, game: str, wall: Wall) -> None:
        self.store, self.sessions, self.wall, self.game = store, sessions, wall, game
        self.tasks, self.presence = KeyedTasks(), Presence()
        self.now = 0.0
        """Time of `Pacing.clock` (s)."""
        pacing = Pacing(clock=lambda: self.now, ring_after=180.0, mention_after=60.0, lull=60.0)
        self.sync = sync_in(store, self.tasks, sessions, wall=wall, presence=self.presence, pacing=pacing)

    @classmethod
    async def begun(cls) -> Self:
        store = MemoryStore()
        sessions, _, session, _ = await sit_down(store)
        return cls(store, sessions, session.record.game, Wall())

    def fallen(self, *, is_interrupted: bool = True) -> SyncedGame:
        """The same game in a new process, after a fall in the midst of a sync."""
        risen = SyncedGame(self.store, self.sessions, self.game, self.wall)
        if is_interrupted:
            risen.sync.queue.expect_unacknowledged_sends([self.game])
        return risen

    async def sync_once(self) -> bool:
        """Sync the game once; false if a retry is needed, which is left to the test."""
        queue = self.sync.queue
        queue.schedule(self.game)
        async with asyncio.timeout(PATIENCE):
            while queue.backlog.syncing:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)
        is_retried = bool(queue.backlog.retried)
        self.tasks.stop(("sync", self.game))
        return not is_retried

    async def sync_until_done(self) -> None:
        """Sync it as often as it is needed: what Discord may have taken is drawn once more."""
        for _ in range(5):
            if await self.sync_once():
                return
        raise AssertionError("it is retried without end")

    async def play_a_deal(self) -> None:
        session = await self.sessions.get(self.game)
        deal = session.game.table.deal_number
        while session.game.table.deal_number == deal and not session.game.is_over:
            seat = session.game.table.waiting_for[0]
            move = session.game.legal_moves(seat).moves[0]
            user = session.record.occupants[seat].user or 0
            await self.sessions.move(self.game, user, lambda _, move=move: move)

    async def posts(self) -> Posts:
        """Its messages."""
        return await self.sync.tables.posts(self.game)

    async def hand(self) -> Post:
        """The host's message by DM."""
        seat = (await self.sessions.get(self.game)).seat_of(ADA.user)
        post = (await self.posts()).get(PostKind.HAND, seat=seat)
        assert post is not None
        return post
