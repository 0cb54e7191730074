"""Matches and rematches: the count that one game passes to the next, and the end of a match.

Two kinds of games follow each other. Rematches count games won as long as the same people play on. A match of
three or five games (`Agreement.best_of`) is won by the first side to win more than half of them; a skunk
counts as the table's match points say (C30), so that it may decide the match sooner. After each game but the
last, the next one gathers immediately, with the same seats, and waits for a player to start it.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.table_record import Agreement, MatchGame, OwnThread, Status, TableRecord
from engine import NextDeal, Result, Rules, Seat, Side, TableView, left_of


def games_won(record: TableRecord, table: TableView) -> tuple[int, ...]:
    """Games won so far by each side, including this game once it is over."""
    won = list(record.won_before or (0,) * table.rules.sides)
    if table.result is not None:
        won[table.result.winner] += table.result.games
    return tuple(won)


def games_to_win(agreement: Agreement) -> int:
    """Games that a side must win to win the match, where a skunk may count for more than one."""
    return (agreement.best_of // 2 + 1) * agreement.rules.match_points.game


def match_winner(record: TableRecord, table: TableView) -> Side | None:
    """The side that has won the match; None while undecided, and for a single game."""
    if not record.agreement.is_match:
        return None
    won = games_won(record, table)
    enough = games_to_win(record.agreement)
    return next((Side(side) for side, games in enumerate(won) if games >= enough), None)


def is_undecided(record: TableRecord, table: TableView) -> bool:
    """True if the game is over and its match goes on."""
    return record.agreement.is_match and table.result is not None and match_winner(record, table) is None


def match_so_far(record: TableRecord, table: TableView) -> tuple[MatchGame, ...]:
    """The match's games so far, including this one once it is over."""
    if table.result is None:
        return record.match_before
    result = table.result
    return (*record.match_before, MatchGame(result.winner, result.games, result.scores))


def next_game(record: TableRecord, table: TableView, game: str) -> TableRecord | None:
    """The table of the match's next game, with id `game`: it gathers, with everybody seated.

    Substitutes stay until their people return. None if this game is not over, decides the match or is a
    single one.
    """
    if not is_undecided(record, table):
        return None
    return replace(
        record,
        game=game,
        status=Status.GATHERING,
        won_before=games_won(record, table),
        called=None,
        thread=OwnThread.NONE,  # it is played in the same channel or thread as the game before
        timed_out=False,
        seal=None,
        words=(),
        words_dropped=False,
        rematch_of=record.game,
        match=record.match or record.game,
        match_before=match_so_far(record, table),
        version=0,
        synced=0,
    )


def next_dealer(table: TableView, result: Result) -> Seat | None:
    """First dealer of the match's next game; None if the players cut for it (C2)."""
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
    """The partner who would have dealt sooner."""
    order = [Seat((table.dealer + step) % table.rules.seats) for step in range(1, table.rules.seats + 1)]
    return min(seats, key=order.index)


def _seats(rules: Rules) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(rules.seats))
