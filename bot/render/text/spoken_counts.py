"""The show in players' words: "fifteen two, fifteen four, a pair is six, and one for his nobs is seven".

A hand is one sentence with a running total: fifteens, pairs, runs, flush, his nobs. A double or triple run is
named as such, pairs included. Beside other counts the sentence is shorter (`Telling`). The calls of the play
are in `calls`; each language's words are in `speech`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from bot.render.text.faces import RANKS
from bot.render.text.speech import Item, Telling, speech
from bot.render.text.voice import Voice
from engine import Cards, Rank, Reason, Score

_JOINED = {Reason.FIFTEEN: "+", Reason.PAIR: "=", Reason.RUN: "-"}
"""Sign between the ranks of a combination."""


def spoken(scores: Sequence[Score], points: int, voice: Voice, telling: Telling = Telling.WHOLE) -> str:
    """The count of `scores` in words; only the points if the scores are unknown."""
    said = speech(voice)
    if not points:
        return said.nothing if telling is Telling.WHOLE else said.zero
    return said.counted(tuple(items(scores)), telling) or said.number(points)


def lines(scores: Sequence[Score], voice: Voice) -> list[str]:
    """The cards of the scores, one line for each group."""
    return [
        f"{speech(voice).title(item)} {_behind(item, voice)}"
        for item in items(scores)
        if item.scores[0].cards
    ]


def ranks(scores: Sequence[Score]) -> list[str]:
    """The combinations in ranks: `5+J` for a fifteen, `5=5×3` for a pair royal, `2-3-4` for a run.

    A flush and his nobs depend on suits and are left out.
    """
    told = Counter(_in_ranks(score) for score in scores if score.reason in _JOINED)
    return [f"{each}×{number}" if number > 1 else each for each, number in told.items()]


def _in_ranks(score: Score) -> str:
    return _JOINED[score.reason].join(RANKS[each.rank] for each in sorted(score.cards))


def items(scores: Sequence[Score]) -> Iterator[Item]:
    """The scores in the groups and the order in which players say them."""
    runs = tuple(score for score in scores if score.reason is Reason.RUN)
    several = len(runs) > 1
    if fifteens := tuple(score for score in scores if score.reason is Reason.FIFTEEN):
        yield Item(fifteens)
    pairs = [score for score in scores if score.reason is Reason.PAIR]
    if not several:
        for _, alike in groupby(pairs, key=_rank_of):
            yield Item(tuple(alike))
    if several:
        yield Item((*runs, *pairs))
    elif runs:
        yield Item(runs)
    # A show has no other reasons.
    yield from (Item((score,)) for score in scores if score.reason in {Reason.FLUSH, Reason.NOBS})


def _rank_of(score: Score) -> Rank:
    return score.cards[0].rank


def _behind(item: Item, voice: Voice) -> str:
    if item.scores[0].reason is Reason.FIFTEEN:
        return " · ".join(_together(score.cards, voice) for score in item.scores)
    # Pairs and runs of a group share cards, so each card is listed once.
    every = dict.fromkeys(each for score in item.scores for each in score.cards)
    return _together(tuple(sorted(every)), voice)


def _together(cards: Cards, voice: Voice) -> str:
    return voice.faces.all_small(cards)
