"""The show as players say it: "fifteen two, fifteen four, a pair is six, and one for his nob is seven".

A hand is counted in one sentence with a running total: fifteens, pairs, runs, flush, his nob. A double or
triple run is named as such, pairs included. The calls of the play are in `calls`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.render.text.calls import ALIKE
from bot.render.text.faces import RANKS
from bot.render.text.voice import Voice
from bot.render.text.words import number
from engine import Cards, Rank, Reason, Score

NINETEEN = "nothing: “nineteen”, as players say"
"""What is said of a hand worth nothing: no hand is worth nineteen."""

_PAIRS_OF = {1: 2, 3: 3, 6: 4}
"""The number of cards of one rank, by the number of pairs that they make."""
_SEVERAL_RUNS = {2: "a double run of", 3: "a triple run of", 4: "a double double run of"}


_JOINED = {Reason.FIFTEEN: "+", Reason.PAIR: "=", Reason.RUN: "-"}
"""Between the ranks of a combination; a flush and his nobs have a space."""


@dataclass(frozen=True, slots=True)
class Item:
    """Scores that are said together, as the runs and pairs of a double run."""

    name: str
    scores: tuple[Score, ...]

    @property
    def points(self) -> int:
        """The sum of their points."""
        return sum(score.points for score in self.scores)


def spoken(scores: Sequence[Score], points: int) -> str:
    """What a player says who counts `scores`; the points alone if the scores are not known."""
    if not points:
        return NINETEEN
    said: list[str] = []
    running = 0
    for item in items(scores):
        if item.scores[0].reason is Reason.FIFTEEN:
            for score in item.scores:
                running += score.points
                said.append(f"fifteen {number(running)}")
        else:
            running += item.points
            another = item.name == "a pair" and any(each.startswith("a pair is") for each in said)
            said.append(f"{'another' if another else item.name} is {number(running)}")
    if not said:
        return number(points)
    *most, last = said
    if not most or last.startswith("fifteen"):
        return ", ".join(said)
    return f"{', '.join(most)}, and {last}"


def lines(scores: Sequence[Score], voice: Voice) -> list[str]:
    """The cards of the scores, a line for each group."""
    return [f"{_title(item)} {_behind(item, voice)}" for item in items(scores) if item.scores[0].cards]


def ranks(scores: Sequence[Score]) -> list[str]:
    """What made the points, in ranks: `5+J` for a fifteen, `5=5` for a pair, `2-3-4` for a run."""
    return [_in_ranks(score) for score in scores if score.cards]


def _in_ranks(score: Score) -> str:
    joined = _JOINED.get(score.reason, " ")
    return joined.join(RANKS[each.rank] for each in sorted(score.cards))


def items(scores: Sequence[Score]) -> Iterator[Item]:
    """The scores in the groups and the order in which they are said."""
    runs = tuple(score for score in scores if score.reason is Reason.RUN)
    several = len(runs) > 1
    if fifteens := tuple(score for score in scores if score.reason is Reason.FIFTEEN):
        yield Item("fifteen", fifteens)
    pairs = [score for score in scores if score.reason is Reason.PAIR]
    if not several:
        for _, alike in groupby(pairs, key=_rank_of):
            pair = tuple(alike)
            yield Item(ALIKE[_PAIRS_OF[len(pair)]], pair)
    if several:
        yield Item(f"{_SEVERAL_RUNS[len(runs)]} {number(len(runs[0].cards))}", (*runs, *pairs))
    elif runs:
        yield Item(f"a run of {number(len(runs[0].cards))}", runs)
    for score in scores:
        match score.reason:
            case Reason.FLUSH:
                yield Item(f"a flush of {number(len(score.cards))}", (score,))
            case Reason.NOBS:
                yield Item(f"{number(score.points)} for his nob", (score,))
            case _:
                # Fifteens, pairs and runs are above; other reasons do not occur in a show.
                continue


def _rank_of(score: Score) -> Rank:
    return score.cards[0].rank


def _title(item: Item) -> str:
    if item.name == "fifteen":
        return "Fifteens" if len(item.scores) > 1 else "Fifteen"
    if item.scores[0].reason is Reason.NOBS:
        return "His nob"
    name = item.name.removeprefix("a ")
    return name[0].upper() + name[1:]


def _behind(item: Item, voice: Voice) -> str:
    if item.scores[0].reason is Reason.FIFTEEN:
        return " · ".join(_together(score.cards, voice) for score in item.scores)
    # Pairs and runs of a group share cards, so each card is listed once.
    every = dict.fromkeys(each for score in item.scores for each in score.cards)
    return _together(tuple(sorted(every)), voice)


def _together(cards: Cards, voice: Voice) -> str:
    return voice.faces.all_small(cards)
