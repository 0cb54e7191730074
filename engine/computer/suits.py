"""Points by suits that an opponent's hand may have, and the play does not tell: a flush, his nobs."""

from __future__ import annotations

import numpy as np

from engine.cards import Card, Cards, Rank, Suit
from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.ranks import counts_by_rank, rank_of
from engine.rules import Rules

_FLUSH = 0.087
"""Frequency of a flush among the hands of four ranks that the expert keeps of six cards."""
_FOUR = 4


def suited_points(
    kept: Ranks, played: Cards, starter: Card, seen: Cards, rules: Rules
) -> tuple[Ints, Floats]:
    """The kind of each hand of four ranks that a player has kept, and [kind, points] their distributions.

    `played` are those of its cards that are played, `seen` all that one knows.
    """
    counts = counts_by_rank(kept)
    jacks, may_be_flush = counts[:, rank_of(Card(Rank.JACK, starter.suit))], counts.max(axis=1) == 1
    kinds = [(some, flush) for some in range(_FOUR + 1) for flush in (False, True)]
    distributions = [
        _points(_nobs(some, played, starter, seen) * rules.his_nobs, _flush(played) * flush, played, starter)
        for some, flush in kinds
    ]
    return 2 * jacks + may_be_flush, np.stack(distributions)


def _points(nobs: float, flush: float, played: Cards, starter: Card) -> Floats:
    """[points]: their distribution, by the probability of his nobs and of a flush of four or five."""
    suits = {each.suit for each in played}
    with_starter = flush * (1 / len(Suit) if not suits else float(suits == {starter.suit}))
    result = np.zeros(_FOUR + 3)
    for points, chance in ((0, 1 - flush), (_FOUR, flush - with_starter), (_FOUR + 1, with_starter)):
        result[points] += chance * (1 - nobs)
        result[points + 1] += chance * nobs
    return result


def nobs_of_each(starter: Card, seen: Cards) -> float:
    """The probability that one jack among the cards not `seen` is that of the starter's suit."""
    if Card(Rank.JACK, starter.suit) in seen:
        return 0.0
    return 1 / sum(Card(Rank.JACK, suit) not in seen for suit in Suit)


def _nobs(jacks: int, played: Cards, starter: Card, seen: Cards) -> float:
    """The probability that a hand with this number of jacks has the one of the starter's suit."""
    hidden = max(jacks - sum(each.rank is Rank.JACK for each in played), 0)
    return float(Card(Rank.JACK, starter.suit) in played) + hidden * nobs_of_each(starter, seen)


def _flush(played: Cards) -> float:
    """The probability that four cards of different ranks are of one suit."""
    if len({each.suit for each in played}) > 1:
        return 0.0
    # Each further card of the same suit is four times as likely if the hand is a flush.
    likely = _FLUSH * len(Suit) ** max(len(played) - 1, 0)
    return float(likely / (likely + 1 - _FLUSH))
