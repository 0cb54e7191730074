"""Leaderboards of people whom a test names, put in order by Python: what a store does by SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from fractions import Fraction

from bot.standings.leaderboards import PAGE, Board, Leaderboard, Row, Span, Tally, month_of, pages_of

_WORTH: dict[Board, Callable[[Tally], Fraction]] = {
    Board.RATING: lambda tally: Fraction(tally.rating.shown),
    Board.MORE: lambda tally: Fraction(tally.rating.shown),
    Board.WINS: lambda tally: Fraction(tally.wins),
    Board.RATE: lambda tally: Fraction(tally.wins, tally.games),
    Board.HAND: lambda tally: Fraction(tally.best.points if tally.best else 0),
}


def leaderboard(  # noqa: PLR0917 -- as the tests write it
    board: Board, span: Span, tallies: Iterable[Tally], asker: int, now: datetime, page: int = 0
) -> Leaderboard:
    """A page of the people in order."""
    everybody = list(tallies)
    listed = [each for each in everybody if not each.hidden and _is_listed(each, board, span)]
    worth = _WORTH[board]
    ranked = [each for each in listed if board.kind is None or not each.rating.is_provisional]
    rows = [
        Row(1 + sum(worth(other) > worth(each) for other in ranked) if each in ranked else None, each)
        for each in listed
    ]
    rows.sort(
        key=lambda row: (
            row.place is None,
            -worth(row.tally),
            -row.tally.games,
            row.tally.name,
            row.tally.user,
        )
    )
    page = min(page, pages_of(len(rows)) - 1)
    return Leaderboard(
        board=board,
        span=span,
        month=month_of(now),
        people=len(rows),
        ranked=len(ranked),
        page=page,
        rows=tuple(rows[page * PAGE : (page + 1) * PAGE]),
        own=next((each for each in everybody if each.user == asker), None),
        own_row=next((row for row in rows if row.tally.user == asker), None),
    )


def _is_listed(tally: Tally, board: Board, span: Span) -> bool:
    match board:
        case Board.RATE:
            return tally.games >= span.enough
        case Board.HAND:
            return tally.best is not None
        case Board.WINS:
            return tally.wins > 0
        case Board.RATING | Board.MORE:
            return tally.rating.games > 0
