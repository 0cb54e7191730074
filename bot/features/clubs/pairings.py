"""The pairings of a round of a club event. Pure.

If everybody can meet everybody in the rounds, it is a round robin by the circle method: one player stays in
place, the others move on by one each round. Otherwise, and as soon as somebody comes late or leaves, rounds
are Swiss: neighbours in the standings meet, with as few repeated opponents and byes as possible. That is a
minimum-weight perfect matching, which networkx finds by Edmonds' blossom algorithm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

Pair: TypeAlias = tuple[int, int | None]
"""Two opponents; `None` is a bye for the first."""

Round: TypeAlias = tuple[Pair, ...]

_NOBODY: Final = -1
"""The opponent in a bye, for the matching."""


def paired(players: Sequence[int], ranked: Sequence[int], rounds: int, past: Sequence[Round]) -> Round:
    """The pairs of the round that follows the `past` ones, of `rounds` in all.

    `players` are those to pair, in order of signing up; `ranked` are the same players, the best first.
    Everybody is in exactly one pair. A bye comes last.
    """
    if len(players) < 2:
        return tuple((each, None) for each in players)
    circle = [round_robin(players, number) for number in range(len(past) + 1)]
    meetings = len(players) - 1 + len(players) % 2
    if rounds >= meetings and all(map(_same, circle, past)):
        return circle[-1]
    return swiss(ranked, past)


def round_robin(players: Sequence[int], number: int) -> Round:
    """The round with that number (from 0) of the circle method; it starts over when all have met."""
    seats: list[int] = [*players, *([_NOBODY] if len(players) % 2 else [])]
    turn = number % (len(seats) - 1)
    moving = seats[1:]
    circle = [seats[0], *moving[len(moving) - turn :], *moving[: len(moving) - turn]]
    half = len(circle) // 2
    return _ordered(list(zip(circle[:half], reversed(circle[half:]), strict=True)))


def swiss(ranked: Sequence[int], past: Sequence[Round]) -> Round:
    """A Swiss round with the fewest possible repeats; the bye goes to the lowest ranked with fewest byes."""
    import networkx as nx  # noqa: PLC0415 -- takes a third of a second, and only Swiss rounds need it

    met = Counter(frozenset(_filled(pair)) for each in past for pair in each)
    place = {player: number for number, player in enumerate(ranked)}
    if len(ranked) % 2:
        place[_NOBODY] = len(ranked)
    again = len(place) ** 3  # greater than the sum of all distances in a round
    graph: nx.Graph[int] = nx.Graph()
    for one, other in combinations(place, 2):
        cost = again * met[frozenset((one, other))] + (place[one] - place[other]) ** 2
        graph.add_edge(one, other, weight=cost)
    return _ordered(sorted(nx.min_weight_matching(graph), key=lambda pair: min(map(place.__getitem__, pair))))


def _filled(pair: Pair) -> tuple[int, int]:
    return (pair[0], _NOBODY if pair[1] is None else pair[1])


def _ordered(pairs: Sequence[tuple[int, int]]) -> Round:
    """The pairs with the bye last."""
    games = [(one, other) for one, other in pairs if _NOBODY not in {one, other}]
    byes = [(max(pair), None) for pair in pairs if _NOBODY in pair]
    return (*games, *byes)


def _same(one: Round, other: Round) -> bool:
    return {frozenset(pair) for pair in one} == {frozenset(pair) for pair in other}
