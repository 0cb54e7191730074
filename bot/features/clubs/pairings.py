"""Who meets whom in a round of a club event. Pure.

Where there are rounds enough for everybody to meet everybody, the circle method pairs them: one stays, the
others move on by a place each round. Otherwise, and as soon as somebody comes late or leaves, a round is
Swiss: neighbours in the standings meet, and nobody meets an opponent again, or sits out again, while that can
be avoided. That is a minimum-weight perfect matching, which networkx finds by Edmonds' blossom algorithm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

Pair: TypeAlias = tuple[int, int | None]
"""Two who meet; with `None` the first sits out, which is a bye."""

Round: TypeAlias = tuple[Pair, ...]

_NOBODY: Final = -1
"""The opponent of who sits out, for the matching."""


def paired(players: Sequence[int], ranked: Sequence[int], rounds: int, past: Sequence[Round]) -> Round:
    """The round that follows the `past` ones, of `rounds` in all.

    `players` are those who are there, in the order in which they signed up; `ranked` are the same, the best
    first. A bye comes last. Nobody is left out, and nobody is in two pairs.
    """
    if len(players) < 2:
        return tuple((each, None) for each in players)
    circle = [round_robin(players, number) for number in range(len(past) + 1)]
    meetings = len(players) - 1 + len(players) % 2
    if rounds >= meetings and all(map(_same, circle, past)):
        return circle[-1]
    return swiss(ranked, past)


def round_robin(players: Sequence[int], number: int) -> Round:
    """That round of the circle method, from 0; when all have met they begin again."""
    seats: list[int] = [*players, *([_NOBODY] if len(players) % 2 else [])]
    turn = number % (len(seats) - 1)
    moving = seats[1:]
    circle = [seats[0], *moving[len(moving) - turn :], *moving[: len(moving) - turn]]
    half = len(circle) // 2
    return _ordered(list(zip(circle[:half], reversed(circle[half:]), strict=True)))


def swiss(ranked: Sequence[int], past: Sequence[Round]) -> Round:
    """Neighbours meet, with as few repetitions as there can be; a bye goes to the last who had fewest."""
    import networkx as nx  # noqa: PLC0415 -- a third of a second, and only those who hold such an event pay it

    met = Counter(frozenset(_filled(pair)) for each in past for pair in each)
    place = {player: number for number, player in enumerate(ranked)}
    if len(ranked) % 2:
        place[_NOBODY] = len(ranked)
    again = len(place) ** 3  # more than all distances of a round together
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
