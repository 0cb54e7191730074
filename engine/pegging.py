"""The play: the score of a card that joins the series of the count.

A series is the cards of one count, in the order played, by all seats together. Goes in between break neither
pairs nor runs (C17); nothing crosses a reset (C20). The point for the last card of a count is not here: it
depends on who can play on, which only the referee knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import Card, Cards
from engine.rules import Rules
from engine.scores import Reason, Score

THIRTY_ONE = 31
"""Limit of the count."""

MOST_IN_PLAY = 14
"""Most points that a player can call for one card: a double pair royal (12) that makes fifteen, as
7 2 2 2 2, or thirty-one. The point for the last card is never called."""

_PAIRS = {2: 2, 3: 6, 4: 12}


def running_count(series: Cards) -> int:
    """The running count of a series."""
    return sum(each.pips for each in series)


def is_playable(card: Card, count: int) -> bool:
    """True if `card` keeps the count at thirty-one or less."""
    return count + card.pips <= THIRTY_ONE


def scores_in_play(series: Cards, rules: Rules) -> tuple[Score, ...]:
    """The scores of the last card of `series`, which make one peg."""
    return tuple(_scores(series, rules))


def _scores(series: Cards, rules: Rules) -> Iterator[Score]:
    match running_count(series):
        case 15:
            yield Score(Reason.FIFTEEN, 2, series)
        case 31:
            yield Score(Reason.THIRTY_ONE, 2, series)
    if rules.pairs_in_play and (alike := _alike(series)):
        yield Score(Reason.PAIR, _PAIRS[len(alike)], alike)
    if rules.runs_in_play and (run := _run(series)):
        yield Score(Reason.RUN, len(run), run)


def _alike(series: Cards) -> Cards:
    """The cards at the end of the series of the last card's rank, if there are two or more."""
    alike: list[Card] = []
    for each in reversed(series):
        if each.rank is not series[-1].rank:
            break
        alike.append(each)
    return tuple(reversed(alike)) if len(alike) >= 2 else ()


def _run(series: Cards) -> Cards:
    """The longest end of the series that is a run of three or more, in any order."""
    for length in range(len(series), 2, -1):
        ranks = {each.rank.value for each in series[-length:]}
        if len(ranks) == length and max(ranks) - min(ranks) == length - 1:
            return series[-length:]
    return ()
