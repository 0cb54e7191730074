"""Matches and rematches: the count that one game passes to the next, and the end of a match.

Two kinds of games follow each other. Rematches count games won as long as the same people play on. A match of
three or five games (`Agreement.best_of`) is won by the first side to win more than half of them; a skunk
counts as the table's match points say (C30), so that it may decide the match sooner. In captain's, where
sides change, each player's games are counted, won alone or in the pair; after three, in each of which another
is captain, who has most has won, or several do if they tie. After each game but the last, the next one
gathers immediately, with the same seats, and waits for a player to start it.
"""

from __future__ import annotations

import math
from dataclasses import replace

from bot.model.table_record import Agreement, MatchGame, OwnThread, Status, TableRecord
from engine import NextDeal, Result, Rules, Seat, Side, TableView, left_of


def contenders(rules: Rules) -> tuple[tuple[Seat, ...], ...]:
    """Those whose games won are counted, by their seats: the sides, or in captain's the players."""
    if rules.captain is not None:
        return tuple((seat,) for seat in _seats(rules))
    return tuple(rules.seats_of(Side(side)) for side in range(rules.sides))


def games_won(record: TableRecord, table: TableView) -> tuple[int, ...]:
    """Games won so far by each of `contenders`, including this game once it is over."""
    rules, result = table.rules, table.result
    won = record.won_before or (0,) * len(contenders(rules))
    if result is None:
        return won
    winners = rules.seats_of(result.winner)
    return tuple(
        games + (result.games if seats[0] in winners else 0)
        for games, seats in zip(won, contenders(rules), strict=True)
    )


def games_to_win(agreement: Agreement) -> int:
    """Games that a side must win to win the match, where a skunk may count for more than one."""
    return (agreement.best_of // 2 + 1) * agreement.rules.match_points.game


def match_winners(record: TableRecord, table: TableView) -> tuple[tuple[Seat, ...], ...]:
    """Those of `contenders` who have won the match: one side, or in captain's one player, or several who tie.

    Empty while undecided, and for a single game.
    """
    if not record.agreement.is_match:
        return ()
    won, whose = games_won(record, table), contenders(table.rules)
    if table.rules.captain is not None:
        enough = max(won) if len(match_so_far(record, table)) == len(whose) else math.inf
    else:
        enough = games_to_win(record.agreement)
    return tuple(seats for games, seats in zip(won, whose, strict=True) if games >= enough)


def is_undecided(record: TableRecord, table: TableView) -> bool:
    """True if the game is over and its match goes on."""
    return record.agreement.is_match and table.result is not None and not match_winners(record, table)


def rules_of_game(record: TableRecord, number: int) -> Rules:
    """The rules of a game of the match, by its number from 0: in captain's each has another captain."""
    rules = record.agreement.rules
    if rules.captain is None:
        return rules
    return replace(rules, captain=(rules.captain + number - len(record.match_before)) % rules.seats)


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
    rules = rules_of_game(record, len(record.match_before) + 1)
    return replace(
        record,
        game=game,
        agreement=replace(record.agreement, rules=rules),
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
