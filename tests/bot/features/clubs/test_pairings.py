"""Pairings: the circle method, and Swiss rounds, held against every way to pair a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from bot.features.clubs.pairings import Pair, Round, paired, round_robin, swiss


def flat(pairs: Round) -> list[int]:
    return sorted(each for pair in pairs for each in pair if each is not None)


def met(rounds: Sequence[Round]) -> list[frozenset[int | None]]:
    return [frozenset(pair) for each in rounds for pair in each]


def every_way(players: Sequence[int | None]) -> Iterator[tuple[frozenset[int | None], ...]]:
    if not players:
        yield ()
        return
    first, *others = players
    for place, other in enumerate(others):
        for rest in every_way([*others[:place], *others[place + 1 :]]):
            yield (frozenset((first, other)), *rest)


@given(st.integers(2, 17))
def test_in_a_round_robin_all_meet_once(number: int) -> None:
    players = list(range(1, number + 1))
    rounds = [round_robin(players, each) for each in range(number - 1 + number % 2)]
    assert all(flat(each) == players for each in rounds)
    assert len(set(met(rounds))) == len(met(rounds)), "nobody meets twice, nor sits out twice"


@given(st.data(), st.integers(2, 7), st.integers(1, 8))
def test_nobody_meets_again_while_others_are_left(data: st.DataObject, number: int, rounds: int) -> None:
    players = list(range(1, number + 1))
    past: list[Round] = []
    for _ in range(rounds):
        new = swiss(data.draw(st.permutations(players)), past)
        assert flat(new) == players
        before = met(past)
        nobody = [None] if number % 2 else []
        fewest = min(sum(map(before.count, way)) for way in every_way([*players, *nobody]))
        assert sum(before.count(frozenset(pair)) for pair in new) == fewest
        past.append(new)


def test_neighbours_in_the_standings_meet() -> None:
    past: list[Round] = [((1, 2), (3, 4), (5, 6))]
    assert set(met([swiss([1, 3, 5, 2, 4, 6], past)])) == {frozenset(p) for p in ((1, 3), (5, 2), (4, 6))}


def test_a_bye_goes_to_the_last_who_had_none_and_stands_last() -> None:
    past: list[Round] = [((1, 2), (3, 4), (5, None))]
    new = swiss([1, 2, 3, 4, 5], past)
    assert new[-1][1] is None
    assert new[-1][0] != 5
    assert swiss([1, 2, 3], [])[-1] == (3, None)


def test_an_event_is_a_round_robin_where_there_are_rounds_enough() -> None:
    players, past = [1, 2, 3, 4], list[Round]()
    for number in range(6):
        new = paired(players, [4, 3, 2, 1], 6, past)
        assert set(met([new])) == set(met([round_robin(players, number)]))
        past.append(new)


@given(st.integers(1, 8))
def test_who_comes_late_or_leaves_is_paired_as_in_a_swiss_round(rounds: int) -> None:
    past: list[Round] = [paired([1, 2, 3], [1, 2, 3], 7, [])]
    players = [1, 2, 3, 4]
    while len(past) <= rounds:
        new = paired(players, players, 7, past)
        assert flat(new) == players
        past.append(new)
    assert flat(paired([1, 3], [3, 1], 7, past)) == [1, 3]


def test_with_few_rounds_neighbours_meet_and_who_comes_late_meets_nobody_again() -> None:
    past: list[Round] = [((1, 2), (3, 4), (5, 6))]
    few = paired([1, 2, 3, 4, 5, 6], [1, 3, 5, 2, 4, 6], 2, past)
    assert set(met([few])) == {frozenset(pair) for pair in ((1, 3), (5, 2), (4, 6))}
    late: list[Round] = [((1, 4), (2, 3))]
    for _ in range(3):
        late.append(paired([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 9, late))
    assert len(set(met(late))) == len(met(late))


def test_who_is_alone_sits_out() -> None:
    expected: tuple[Pair, ...] = ((4, None),)
    assert paired([4], [4], 3, []) == expected
    assert paired([], [], 3, []) == ()
