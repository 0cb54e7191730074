"""Passes the open hands of a shard's tables to the process that takes the shard over."""

from __future__ import annotations

from collections.abc import Collection

from bot.model.open_hands import OpenHand, open_hand_from
from bot.store.connection import Connection
from bot.store.drivers.postgresql.database import PostgresDatabase


class PostgresOpenHands:
    """See `bot.model.open_hands`: ephemeral messages, reachable by an interaction token."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    async def keep(self, shard: int, hands: Collection[OpenHand]) -> None:
        """Store the hands until they are taken, or their tokens expire. Raises `StoreUnavailable`."""

        async def work(connection: Connection) -> None:
            await connection.execute("DELETE FROM open_hands WHERE shard = $1 OR expires_at < now()", shard)
            await connection.executemany(
                "INSERT INTO open_hands (shard, expires_at, hand) VALUES ($1, to_timestamp($2), $3)",
                [(shard, hand.token.expires, hand.to_json()) for hand in hands],
            )

        await self._database.write(work)

    async def take(self, shard: int) -> tuple[OpenHand, ...]:
        """Delete and return the shard's hands. Raises `StoreUnavailable`."""

        async def work(connection: Connection) -> list[str]:
            await connection.execute("DELETE FROM open_hands WHERE expires_at < now()")
            rows = await connection.fetch("DELETE FROM open_hands WHERE shard = $1 RETURNING hand", shard)
            return [row["hand"] for row in rows]

        hands = map(open_hand_from, await self._database.write(work))
        return tuple(hand for hand in hands if hand is not None)
