"""Stand-ins for Discord that refuse: its errors, its permissions, and its messages and channels."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
from discord import ui

from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.sync.circuit_breaker import Standing
from tests.bot.render.games import words
from tests.bot.stand_in import stand_in

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
        silent: bool = False,
        files: Any = (),
        allowed_mentions: discord.AllowedMentions | None = None,
        **_: Any,
    ) -> Any:
        if channel in self.gone:
            raise refused(404, 10003)
        if channel in self.lost:
            self.lost.remove(channel)
            raise OSError("the connection is gone")
        if channel in self.shut:
            raise refused(403, 50007)
        if channel in self.forbidden:
            self.refused.append(channel)
            raise refused(403, 50013)
        if files and channel in self.takes_no_files:
            raise refused(400)
        if (channel, nonce) in self._by_nonce:
            return SimpleNamespace(id=self._by_nonce[channel, nonce])
        message = discord.utils.time_snowflake(discord.utils.utcnow()) + len(self.shown)
        self._by_nonce[channel, nonce] = message
        self.shown[message] = view or ui.LayoutView()
        self.lines |= {message: content} if content else {}
        self.silent |= {message} if silent else set()
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
                raise refused(403, 50007)
            if attachments and message in self.takes_no_files:
                raise refused(400)
            self.lines.pop(message, None)
            self.shown[message] = view

        async def delete() -> None:
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
