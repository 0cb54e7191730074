"""A match: what one game of the same people hands on to the next, and when it is decided.

Two kinds of games follow each other. Rematches count games won for as long as the same people go on. A match
of three or five games (`Agreement.best_of`) is won by the side that first has won more than half of them; a
skunk counts as the table's match points say (C30), so that it may decide sooner. After each of its games but
the last, the next one gathers at once, with the same seats, and waits for somebody to start it.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.table_record import Agreement, MatchGame, OwnThread, Status, TableRecord
from engine import NextDeal, Result, Rules, Seat, Side, TableView, left_of


def games_won(record: TableRecord, table: TableView) -> tuple[int, ...]:
    """By side: the games of the match so far, this one included once it is over."""
    won = list(record.won_before or (0,) * table.rules.sides)
    if table.result is not None:
        won[table.result.winner] += table.result.games
    return tuple(won)


def games_to_win(agreement: Agreement) -> int:
    """The games that a side must win to win the match, as skunks count."""
    return (agreement.best_of // 2 + 1) * agreement.rules.match_points.game


def match_winner(record: TableRecord, table: TableView) -> Side | None:
    """The side that has won the match that was agreed on; `None` in a game by itself."""
    if not record.agreement.is_match:
        return None
    won = games_won(record, table)
    enough = games_to_win(record.agreement)
    return next((Side(side) for side, games in enumerate(won) if games >= enough), None)


def is_undecided(record: TableRecord, table: TableView) -> bool:
    """Whether the game is over, and its match goes on."""
    return record.agreement.is_match and table.result is not None and match_winner(record, table) is None


def match_so_far(record: TableRecord, table: TableView) -> tuple[MatchGame, ...]:
    """The games of the match, this one included once it is over."""
    if table.result is None:
        return record.match_before
    result = table.result
    return (*record.match_before, MatchGame(result.winner, result.games, result.scores))


def next_game(record: TableRecord, table: TableView, game: str) -> TableRecord | None:
    """The table of the match's next game, under the id `game`: it gathers, and everybody sits there.

    The computer goes on for those whom it has replaced, until they are back. `None` when this game is not
    over, or decides the match, or is by itself.
    """
    if not is_undecided(record, table):
        return None
    return replace(
        record,
        game=game,
        status=Status.GATHERING,
        won_before=games_won(record, table),
        called=None,
        thread=OwnThread.NONE,  # it is played where the game before was, in its thread too
        timed_out=False,
        rematch_of=record.game,
        match=record.match or record.game,
        match_before=match_so_far(record, table),
        version=0,
        told=0,
    )


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
