"""The computer's level where none was chosen."""

import pytest

from bot.standings.careers import Career, Record
from bot.standings.protocol import StandingsQueries
from bot.standings.usual_level import NextLevel, next_level, usual_level
from engine.computer import Level
from tests.bot.stand_in import stand_in


@pytest.mark.parametrize(
    ("against", "among_people", "expected"),
    [
        ({}, 0, Level.LEARNER),
        ({Level.STEADY: (40, 2)}, 0, Level.LEARNER),
        ({Level.LEARNER: (5, 3)}, 0, Level.LEARNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (1, 0)}, 0, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 2)}, 2, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 3)}, 0, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 3), Level.STEADY: (1, 0)}, 0, Level.STEADY),
        ({Level.LEARNER: (5, 3), Level.EXPERT: (1, 0)}, 0, Level.BEGINNER),
        ({Level.EXPERT: (9, 4)}, 0, Level.STEADY),
        ({Level.LEARNER: (2, 1), Level.BEGINNER: (1, 1)}, 1, Level.STEADY),
        ({Level.LEARNER: (5, 3)}, 3, Level.STEADY),
        ({}, 3, Level.STEADY),
    ],
)
async def test_a_stronger_computer_sits_down_after_three_wins_for_who_has_taken_the_offer(
    against: dict[Level, tuple[int, int]], among_people: int, expected: Level
) -> None:
    queries = stand_in(StandingsQueries)
    queries.against_computers.return_value = {level: Record(*each) for level, each in against.items()}
    queries.career.return_value = Career(games=among_people, wins=among_people)

    assert await usual_level(queries, 1) is expected
    queries.career.assert_awaited_once_with(1, None)


@pytest.mark.parametrize(
    ("against", "beaten", "expected"),
    [
        ({}, Level.LEARNER, None),
        ({Level.LEARNER: (5, 2)}, Level.LEARNER, None),
        ({Level.LEARNER: (5, 3)}, Level.LEARNER, NextLevel(Level.BEGINNER, Level.LEARNER, 3)),
        ({Level.LEARNER: (9, 7)}, Level.LEARNER, NextLevel(Level.BEGINNER, Level.LEARNER, 7)),
        ({Level.LEARNER: (5, 3), Level.STEADY: (1, 0)}, Level.LEARNER, None),
        (
            {Level.LEARNER: (5, 3), Level.BEGINNER: (4, 3)},
            Level.BEGINNER,
            NextLevel(Level.STEADY, Level.BEGINNER, 3),
        ),
        ({Level.STEADY: (9, 3)}, Level.STEADY, NextLevel(Level.EXPERT, Level.STEADY, 3)),
        ({Level.EXPERT: (9, 3)}, Level.EXPERT, None),
    ],
)
async def test_the_next_level_is_offered_after_three_wins_until_a_stronger_one_was_played(
    against: dict[Level, tuple[int, int]], beaten: Level, expected: NextLevel | None
) -> None:
    queries = stand_in(StandingsQueries)
    queries.against_computers.return_value = {level: Record(*each) for level, each in against.items()}

    assert await next_level(queries, 1, beaten) == expected
