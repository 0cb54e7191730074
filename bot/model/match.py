"""What a match hands on from one game of the same people to the next: the games won, and the deal."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from engine import NextDeal, Result, Rules, Seat, TableView, left_of


def games_won(record: TableRecord, table: TableView) -> tuple[int, ...]:
    """By side: the games of the match so far, this one included once it is over."""
    won = list(record.won_before or (0,) * table.rules.sides)
    if table.result is not None:
        won[table.result.winner] += table.result.games
    return tuple(won)


def next_dealer(table: TableView, result: Result) -> Seat | None:
    """Who deals first in the next game of a match; `None` when the players are to cut (C2)."""
    rules: Rules = table.rules
    match rules.next_deal:
        case NextDeal.CUT:
            return None
        case NextDeal.ALTERNATE:
            return left_of(table.first_dealer, rules.seats)
        case NextDeal.WINNER:
            return rules.seats_of(result.winner)[0]
        case NextDeal.LOSER if rules.sides > 2:
            return left_of(table.dealer, rules.seats)
        case NextDeal.LOSER:
            loser = next(side for side in map(rules.side_of, _seats(rules)) if side != result.winner)
            return _dealer_of(table, rules.seats_of(loser))


def _dealer_of(table: TableView, seats: tuple[Seat, ...]) -> Seat:
    """Of partners, the one who would have dealt sooner."""
    order = [Seat((table.dealer + step) % table.rules.seats) for step in range(1, table.rules.seats + 1)]
    return min(seats, key=order.index)


def _seats(rules: Rules) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(rules.seats))
