"""Whole games, as the people at the table see them."""

from __future__ import annotations

from tests.room.room import Room


async def test_two_play_a_game_to_its_end_and_everybody_is_told_who_has_won(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)

    await table.play()
    await room.synced(table)

    game = room.archive.replayed(table.game)
    assert game.table.result is not None
    [result] = table.results
    assert "wins" in result.text or "win " in result.text
