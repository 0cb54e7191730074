"""The claims of a computer where players count aloud: of its own points, and of points that others missed.

Beginners overlook what beginners do: his nobs, a fifteen after the first, a run in the play, and the further
runs of a double run, whose pair they see. Which they overlook follows from the seed, the deal and the cards,
so the same count is claimed alike after a restart. What they notice follows from the cards that they gave to
the crib, and not from the seed, which is another after each move: points that were not noticed once are never
noticed.

Measured over 150 games of two of a level: of the hands and cribs that score, a beginner counts 36 %
short, a steady player 6 %, and they lose 14 % and 2 % of the points; of the cards that score in the play they
call 10 % and 2 % short. Of the counts that an opponent has short they notice 15 % and 60 %. The expert
overlooks nothing and takes everything. Of 600 random hands, a learner counts 35 % of those that score short,
a beginner 27 %; the learner notices 3 % of what an opponent has short.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine import counting, pegging
from engine.cards import PACK, Cards
from engine.computer.levels import Attention
from engine.events import Source
from engine.moves import CallMuggins, CountAloud
from engine.scores import Reason, Score, total
from engine.views import OpenCount, PlayerView, TableView

_OWN, _OTHERS, THROWS, PLAYS = range(4)
"""Streams of chance: claims of one's own, what others missed, and a learner's discards and cards."""


def claim(view: PlayerView, attention: Attention, *, seed: int) -> CallMuggins | CountAloud | None:
    """The call of muggins or the count of a hand that is due, if one is. It needs no tables."""
    if (call := call_of_muggins(view, attention)) is not None:
        return call
    if CountAloud not in view.legal_moves.kinds:
        return None
    shown = view.table.shown[-1]
    return CountAloud(view.seat, own_claim(view.table, shown.cards, shown.source, attention, seed=seed))


def own_claim(
    table: TableView, cards: Cards, source: Source | None, attention: Attention, *, seed: int
) -> int:
    """The points that the computer sees in its hand or crib, or in a count that ends with its card."""
    scores = _scores(table, cards, source)
    if not attention.overlooks:
        return total(scores)
    random = chance_of(table, cards, _OWN, seed)
    return sum(score.points for score in _seen(scores, source, attention, random))


def call_of_muggins(view: PlayerView, attention: Attention) -> CallMuggins | None:
    """The call for what the computer notices of the points that opponents missed, if it notices any."""
    if CallMuggins not in view.legal_moves.kinds:
        return None
    table = view.table
    noticed = 0
    for each in table.open_counts:
        if view.seat in each.open_to and (missed := _missed(table, each)) > 0:
            random = chance_of(table, (*view.discarded, *each.cards), _OTHERS)
            noticed += missed if random.random() < attention.notices else 0
    return CallMuggins(view.seat, noticed) if noticed else None


def _missed(table: TableView, count: OpenCount) -> int:
    """The points of an open count that nobody has, as anybody can work out; negative after an overcount."""
    return total(_scores(table, count.cards, count.source)) - count.called - count.taken


def _scores(table: TableView, cards: Cards, source: Source | None) -> tuple[Score, ...]:
    if source is None:
        return pegging.scores_in_play(cards, table.rules)
    assert table.starter is not None, "hands are shown after the starter is cut"
    return counting.count(cards, starter=table.starter, rules=table.rules, crib=source is Source.CRIB).scores


def _seen(
    scores: tuple[Score, ...], source: Source | None, attention: Attention, random: np.random.Generator
) -> Iterable[Score]:
    """The scores that are not overlooked; of fifteens and of runs in a hand the first is always seen."""
    told: set[Reason] = set()
    for score in scores:
        chance = 0.0
        match score.reason:
            case Reason.NOBS:
                chance = attention.overlooks_nobs
            case Reason.FIFTEEN if score.reason in told:
                chance = attention.overlooks_fifteen
            case Reason.RUN if source is None or score.reason in told:
                chance = attention.overlooks_run
        told.add(score.reason)
        if random.random() >= chance:
            yield score


def chance_of(table: TableView, cards: Cards, *numbers: int) -> np.random.Generator:
    """The chance for these cards in this deal; the first of `numbers` is the stream, then comes the seed."""
    return np.random.default_rng([*numbers, table.deal_number, *map(_PLACES.__getitem__, cards)])


_PLACES = {card: place for place, card in enumerate(PACK)}
