"""A server's wall from its rows, and back: what is the same in every kind of database. Pure."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from bot.model.table_record import TableRecord
from bot.standings.figures import BestHand
from bot.standings.wall import BiggestWin, WalledHand
from bot.store.connection import Row
from bot.store.finished_games import FinishedGame, plain
from engine import Ending, Seat, Source, from_plain

WallRow: TypeAlias = tuple[Any, ...]
"""guild, kind, game, deal, seat, number, at, points and hand."""


def hand_rows(game: FinishedGame) -> list[WallRow]:
    """The hands of that game that belong on the wall."""
    people = {seat for seat, player in enumerate(game.players) if player.person is not None}
    return [
        (
            *(game.guild, each.source.value, game.game, each.deal, each.seat),
            *(game.number, game.at, each.points, plain(BestHand(each.points, each.cards, each.starter))),
        )
        for each in game.result.great
        if each.seat in people
    ]


def win_row(game: FinishedGame) -> WallRow | None:
    """The game itself, if it was won by people at the table, and by holes."""
    if game.levels or game.result.ending is not Ending.PEGGED_OUT:
        return None
    seats = game.result.seats
    winner = next(each for each in seats if each.won)
    holes = winner.score - max(each.score for each in seats if not each.won)
    where = (game.guild, "game", game.game, game.result.deals, winner.seat)
    return (*where, game.number, game.at, holes, None)


def hand_of(row: Row, record: TableRecord) -> WalledHand:
    """The hand of a row."""
    return WalledHand(
        record=record,
        seat=Seat(row["seat"]),
        source=Source(row["kind"]),
        hand=from_plain(BestHand, json.loads(row["hand"])),
        at=row["at"],
    )


def win_of(row: Row, record: TableRecord) -> BiggestWin:
    """The biggest win of a row."""
    return BiggestWin(record=record, seat=Seat(row["seat"]), holes=row["points"], at=row["at"])
