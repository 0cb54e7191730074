"""Finds the table of an interaction: the channel's, or, in a DM without one, the user's own. Read-only."""

from __future__ import annotations

from contextlib import suppress

import discord

from bot.model.errors import BotError, DamagedGame, NoTable, TooManyTables
from bot.model.table_record import Agreement, Status, TableRecord
from bot.model.venue import Venue
from bot.store import Store
from bot.sync.venues import guild_of, venue_of
from bot.tables.sessions import Session, Sessions


class TableLookup:
    """Finds the table that a command is about."""

    def __init__(self, store: Store, sessions: Sessions) -> None:
        self._store = store
        self._sessions = sessions

    async def table(self, interaction: discord.Interaction) -> TableRecord:
        """The table of a command: the channel's, or, in a DM without one, the one at which the user sits.

        Raises `NoTable` and `TooManyTables`.
        """
        record = await self._store.table_in(channel_of(interaction))
        if record is not None:
            return record
        tables = await self._store.tables_of(interaction.user.id)
        if venue_of(interaction) is not Venue.BOT_DM:
            guild = guild_of(interaction)
            here = (each for each in tables if guild is not None and each.guild == guild)
            raise NoTable(own=tuple(here))
        if len(tables) > 1:
            tables = await self._waiting_for(tables, interaction.user.id) or tables
        if not tables:
            raise NoTable
        if len(tables) > 1:
            raise TooManyTables(tables)
        return tables[0]

    async def _waiting_for(self, tables: tuple[TableRecord, ...], user: int) -> tuple[TableRecord, ...]:
        """The tables that wait for the user."""
        waiting: list[TableRecord] = []
        for record in tables:
            if record.status is Status.PLAYING:
                with suppress(DamagedGame):  # it waits for nobody
                    session = await self._sessions.get(record.game)
                    if record.seat_of(user) in session.game.table.waiting_for:
                        waiting.append(record)
        return tuple(waiting)

    async def game_before(self, interaction: discord.Interaction) -> TableRecord | None:
        """The latest game of this channel, if no table is open there now."""
        latest = await self._store.latest_in(channel_of(interaction))
        return latest if latest is not None and latest.status is Status.OVER else None

    async def session(self, interaction: discord.Interaction) -> Session | None:
        """The game in play of a command, if there is one; for autocomplete."""
        try:
            record = await self.table(interaction)
            return await self._sessions.get(record.game) if record.status is Status.PLAYING else None
        except BotError:
            return None

    async def agreement(self, interaction: discord.Interaction) -> Agreement | None:
        """The agreement of the interaction's table, if there is one."""
        try:
            return (await self.table(interaction)).agreement
        except (NoTable, TooManyTables, DamagedGame):
            return None


def channel_of(interaction: discord.Interaction) -> int:
    """The interaction's channel. Raises `NoTable` if Discord omits it."""
    if interaction.channel_id is None:
        raise NoTable
    return interaction.channel_id
