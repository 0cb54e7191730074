"""Pairings by the circle method and in Swiss rounds, teams, and standings with their picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.features.clubs.event import (
    MOST_ENTRANTS,
    Ended,
    Entrant,
    Event,
    Outcome,
    Pairing,
    Phase,
    Points,
    Presence,
)
from bot.features.clubs.illustrations import standings_picture
from bot.features.clubs.messages import club_drawing, podium_drawing, standings_drawing, thread_name
from bot.features.clubs.pairings import Pair, Round, paired, round_robin, swiss
from bot.features.clubs.standings_picture import draw_club_table
from bot.features.clubs.table import standings
from bot.features.clubs.teams import captains
from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.drawing import MOST_ALT, size_of
from bot.render.layouts import MOST_TEXT
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from bot.sync.picture_cache import PictureCache
from engine.computer import Level
from tests.bot.features.clubs.scenes import OPEN, OVER, ROUND, SKUNK, standings_file
from tests.bot.render.games import words


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


def evening(*entrants: Entrant) -> Event:
    return replace(OPEN, agreement=Agreement.of(players=4), entrants=entrants)


def person(number: int, captain: int | None = None) -> Entrant:
    return Entrant(number=number, user=number, name=f"P{number}", presence=Presence.HERE, captain=captain)


def test_a_team_of_which_both_are_there_stays_and_the_others_are_joined_in_their_order() -> None:
    event = evening(person(1), person(2), person(3, 1), person(4), person(5), person(6, 5))
    assert captains(event, event.entrants, ()) == {4: 2}
    without_five = tuple(each for each in event.entrants if each.number != 5)
    computer = Entrant(number=7, user=None, name="", level=Level.STEADY)
    assert captains(event, without_five, [computer]) == {6: None, 4: 2, 7: 6}


@given(st.data(), st.integers(1, 12))
def test_everybody_who_plays_is_in_a_team_of_two(data: st.DataObject, number: int) -> None:
    order = data.draw(st.permutations(range(1, number + 1)))
    teamed = data.draw(st.integers(0, number // 2))
    pairs = [sorted(order[2 * each : 2 * each + 2]) for each in range(teamed)]
    led = {pair[1]: pair[0] for pair in pairs}
    event = evening(*(person(each, led.get(each)) for each in range(1, number + 1)))
    people = [each for each in event.entrants if data.draw(st.booleans())]
    computers = [Entrant(number=number + 1, user=None, name="", level=Level.STEADY)][: len(people) % 2]
    changed = captains(event, people, computers)
    after = evening(
        *(
            replace(each, captain=changed.get(each.number, each.captain))
            for each in (*event.entrants, *computers)
        )
    )
    playing = {each.number for each in (*people, *computers)}
    teams = [{one.number for one in after.team(each.number)} for each in after.sides]
    assert all(len(team) == (2 if team & playing else 1) for team in teams)
    assert all(team <= playing or not team & playing for team in teams)


ENTRANTS = tuple(Entrant(number=number, user=number * 100, name=f"P{number}") for number in (1, 2, 3, 4))


def game(
    home: int, away: int | None, ended: Ended, winner: int | None, scores: tuple[int, int] = (0, 0)
) -> Pairing:
    outcome = Outcome(ended=ended, winner=winner, scores=scores)
    return Pairing(round=1, table=1, home=home, away=away, outcome=outcome)


@pytest.mark.parametrize(("points", "worth"), [(Points.CONGRESS, (2, 3)), (Points.PLAIN, (1, 2))])
def test_a_win_and_a_skunk(points: Points, worth: tuple[int, int]) -> None:
    pairings = [game(1, 2, Ended.WIN, 1, (121, 100)), game(3, 4, Ended.SKUNK, 4, (80, 121))]
    rows = standings(ENTRANTS, pairings, points)
    assert [row.entrant.number for row in rows] == [4, 1, 2, 3]
    assert [row.points for row in rows] == [worth[1], worth[0], 0, 0]
    assert [row.spread for row in rows] == [41, 21, -21, -41]


def test_ties_go_by_games_won_then_by_spread() -> None:
    pairings = [
        *(game(1, 4, Ended.SKUNK, 1, (121, 60)) for _ in range(2)),
        *(game(2, 4, Ended.WIN, 2, (121, 120)) for _ in range(3)),
        *(game(3, 4, Ended.WIN, 3, (121, 110)) for _ in range(3)),
    ]
    rows = standings(ENTRANTS, pairings, Points.CONGRESS)
    assert [(row.entrant.number, row.points, row.won) for row in rows[:3]] == [
        (3, 6, 3),
        (2, 6, 3),
        (1, 6, 2),
    ]


def test_byes_and_forfeits_are_plain_wins_and_nothing_is_nothing() -> None:
    pairings = [
        game(1, None, Ended.BYE, 1),
        game(2, 3, Ended.FORFEIT, 3),
        game(4, 2, Ended.NOTHING, None),
        Pairing(round=2, table=1, home=1, away=2),
    ]
    rows = standings(ENTRANTS, pairings, Points.CONGRESS)
    assert [(row.entrant.number, row.points, row.played) for row in rows] == [
        (1, 2, 1),
        (3, 2, 1),
        (2, 0, 1),
        (4, 0, 0),
    ]
    assert [row.place for row in rows] == [1, 1, 3, 3]


def _played(pair: tuple[int, int], ended: Ended, home_won: bool, low: int) -> Pairing:
    return game(pair[0], pair[1], ended, pair[not home_won], (121, low) if home_won else (low, 121))


_GAMES = st.builds(
    _played,
    st.permutations([1, 2, 3, 4]).map(lambda order: (order[0], order[1])),
    st.sampled_from([Ended.WIN, Ended.SKUNK]),
    st.booleans(),
    st.integers(0, 120),
)


@given(st.lists(_GAMES, max_size=12))
def test_what_one_wins_another_loses(pairings: list[Pairing]) -> None:
    rows = standings(ENTRANTS, pairings, Points.CONGRESS)
    assert sum(row.spread for row in rows) == 0
    assert sum(row.won for row in rows) == len(pairings)
    assert sum(row.played for row in rows) == 2 * len(pairings)
    assert rows == standings(ENTRANTS, list(reversed(pairings)), Points.CONGRESS)
    order = [(row.points, row.won, row.spread) for row in rows]
    assert order == sorted(order, reverse=True)


def largest(phase: Phase, *, teams: bool) -> Event:
    """An event with as many people as there may be, all of whose games are corrected."""
    people = tuple(
        Entrant(
            number=number,
            user=10**18 + number,
            name="W" * 40,
            presence=Presence.HERE,
            captain=number - 1 if teams and number % 2 == 0 else None,
        )
        for number in range(1, MOST_ENTRANTS + 1)
    )
    sides = [each.number for each in people if each.captain is None]
    pairings = tuple(
        Pairing(
            round=1,
            table=table,
            home=home,
            away=away,
            thread=10**18,
            outcome=replace(SKUNK, winner=home, corrected=True),
        )
        for table, (home, away) in enumerate(zip(sides[::2], sides[1::2], strict=True), 1)
    )
    agreement = Agreement.of(players=4, preset="short") if teams else ROUND.agreement
    return replace(ROUND, phase=phase, agreement=agreement, entrants=people, pairings=pairings)


@pytest.mark.parametrize("teams", [False, True], ids=["singles", "teams"])
def test_the_largest_event_fits_into_a_message(*, teams: bool) -> None:
    for code, phase in product(LANGUAGES, Phase):
        voice, large = Voice(Language.of(code)), largest(phase, teams=teams)
        for drawing in (
            club_drawing(large, voice, is_refused=True),
            standings_drawing(large, voice, standings_file(large, voice)),
            podium_drawing(large, voice, standings_file(large, voice)),
        ):
            assert size_of(words(drawing)) <= MOST_TEXT, (code, phase)
            assert all(size_of(alt) <= MOST_ALT for alt in drawing.alt), (code, phase)
        assert ("…" in words(club_drawing(large, voice)).splitlines()) is (phase is Phase.PLAYING), phase
        assert len(thread_name(large, large.pairings[0], voice)) <= 100


def test_many_points_and_rows_are_drawn() -> None:
    assert Image.open(BytesIO(draw_club_table([(1, 66, "Ada")] * 32))).size == (1000, 2 * 20 + 12 * 96)
    with pytest.raises(ValueError, match="no rows"):
        draw_club_table([])


async def test_the_picture_says_the_standings_and_there_is_none_before_the_first_result() -> None:
    cache = PictureCache()
    draws = Illustrator(cache)
    assert await standings_picture(OPEN, draws, Voice()) is None
    event = replace(OVER, phase=Phase.PLAYING)
    under_way, final = [
        await standings_picture(event, draws, Voice(), is_final=is_final) for is_final in (False, True)
    ]
    cache.close()
    assert under_way is not None
    assert final is not None
    assert under_way.description.startswith("1. A*da · 3 points")
    assert final.description.startswith("🥇 A*da · 3 points")
    assert Image.open(BytesIO(final.content)).width == 1000
