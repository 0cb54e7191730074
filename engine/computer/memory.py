"""A seat's memory of a deal: its own cards, every card played, and every go.

All of it is in a `PlayerView`. Goes of past counts are not listed there, but follow from the order of play: a
seat that was passed over with cards in hand could play none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.cards import Card, Cards, Rank
from engine.computer.ranks import RANKS, rank_of
from engine.computer.series import SeriesTable
from engine.pegging import THIRTY_ONE
from engine.phases import Series
from engine.seats import Seat, from_left_of, left_of
from engine.views import PlayerView, TableView


@dataclass(frozen=True, slots=True)
class Act:
    """A card that a seat played, or a go that it said, and the series before it."""

    seat: Seat
    before: tuple[int, ...]
    """The ranks of the series."""
    rank: int | None
    """The card's rank; `None` for a go."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The play so far as one seat knows it."""

    me: Seat
    hand: Cards
    """The cards that I still hold."""
    acts: tuple[Act, ...]
    """Cards and goes, in order. The last player of a count says no go, even if they cannot play."""
    kept: tuple[int, ...]
    """By seat: the number of cards it kept."""
    stuck: tuple[tuple[int, int], ...]
    """Pairs of a seat and a count at which it could play none of its cards."""
    seen: Cards
    """Every known card: one's own, the starter, and those played."""

    def played_by(self, seat: int) -> tuple[int, ...]:
        """The ranks that the seat has played, in order."""
        return tuple(act.rank for act in self.acts if act.seat == seat and act.rank is not None)


def memory_of(view: PlayerView) -> Memory:
    """The memory of the deal in `view`."""
    table = view.table
    every = (*table.past_series, table.series)
    played: list[Card] = [each.card for series in every for each in series]
    own = (*view.hand, *view.discarded)
    starter = () if table.starter is None else (table.starter,)
    numbers = [0] * table.rules.seats
    for series in every:
        for each in series:
            numbers[each.seat] += 1
    kept = tuple(size + number for size, number in zip(table.hand_sizes, numbers, strict=True))
    acts: list[Act] = []
    stuck: list[tuple[int, int]] = []
    for place, series in enumerate(every):
        _follow(series, kept, acts, stuck, ended=place < len(table.past_series), said_go=table.said_go)
    seen = tuple(dict.fromkeys((*own, *starter, *played)))
    return Memory(view.seat, view.hand, tuple(acts), kept, tuple(stuck), seen)


def _follow(
    series: Series,
    kept: tuple[int, ...],
    acts: list[Act],
    stuck: list[tuple[int, int]],
    *,
    ended: bool,
    said_go: tuple[Seat, ...],
) -> None:
    """Adds the events of one series to `acts` and `stuck`."""
    said: set[Seat] = set()
    before: list[int] = []
    count = 0
    for place, each in enumerate(series):
        if place:
            for seat in _passed_over(series[place - 1].seat, each.seat, len(kept)):
                if seat not in said and _left(seat, kept, acts):
                    said.add(seat)
                    acts.append(Act(seat, tuple(before), None))
                    stuck.append((seat, count))
        acts.append(Act(each.seat, tuple(before), rank_of(each.card)))
        before.append(rank_of(each.card))
        count += each.card.pips
    silent: set[Seat] = set()
    if ended and count < THIRTY_ONE:
        silent = {Seat(seat) for seat in range(len(kept))}
    elif not ended:
        silent = set(said_go)
    for seat in _in_order(silent - said, series, len(kept)):
        if _left(seat, kept, acts):
            if not series or seat != series[-1].seat or not ended:
                acts.append(Act(seat, tuple(before), None))
            stuck.append((seat, count))


def _passed_over(last: Seat, following: Seat, seats: int) -> Iterator[Seat]:
    """The seats between the two, clockwise; all others if both are the same seat."""
    seat = left_of(last, seats)
    while seat != following:
        yield seat
        seat = left_of(seat, seats)


def _in_order(those: set[Seat], series: Series, seats: int) -> list[Seat]:
    """The seats clockwise from the last card's player, who comes last."""
    order = from_left_of(series[-1].seat, seats) if series else ()
    return [seat for seat in order if seat in those]


def _left(seat: Seat, kept: tuple[int, ...], acts: list[Act]) -> int:
    return kept[seat] - sum(act.seat == seat and act.rank is not None for act in acts)


def ranks_left(seen: Cards) -> list[int]:
    """By rank: the number of cards not among `seen`."""
    left = [4] * RANKS
    for each in seen:
        left[rank_of(each)] -= 1
    return left


def pegged_in(table: TableView, series: SeriesTable) -> tuple[int, ...]:
    """By side: the points of this deal's heels and play, as if nobody had missed any."""
    rules = table.rules
    points = [0] * rules.sides
    if table.starter is not None and table.starter.rank is Rank.JACK:
        points[rules.side_of(table.dealer)] += rules.his_heels
    for each in (*table.past_series, table.series):
        number = 0
        for played in each:
            points[rules.side_of(played.seat)] += int(series.points[number, rank_of(played.card)])
            number = int(series.after[number, rank_of(played.card)])
    for each in table.past_series:
        if sum(played.card.pips for played in each) < THIRTY_ONE:
            points[rules.side_of(each[-1].seat)] += 1
    return tuple(points)
