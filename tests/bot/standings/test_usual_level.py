"""The computer's level where none was chosen."""

import pytest

from bot.standings.careers import Career, Record
from bot.standings.protocol import StandingsQueries
from bot.standings.usual_level import usual_level
from engine.computer import Level
from tests.bot.stand_in import stand_in


@pytest.mark.parametrize(
    ("against", "among_people", "expected"),
    [
        ({}, 0, Level.LEARNER),
        ({Level.STEADY: (40, 2)}, 0, Level.LEARNER),
        ({Level.LEARNER: (5, 3)}, 0, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 2)}, 2, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 3)}, 0, Level.STEADY),
        ({Level.EXPERT: (9, 4)}, 0, Level.STEADY),
        ({Level.LEARNER: (2, 1), Level.BEGINNER: (1, 1)}, 1, Level.STEADY),
        ({Level.LEARNER: (5, 3)}, 3, Level.STEADY),
        ({}, 3, Level.STEADY),
    ],
)
async def test_a_stronger_computer_sits_down_after_three_wins(
    against: dict[Level, tuple[int, int]], among_people: int, expected: Level
) -> None:
    queries = stand_in(StandingsQueries)
    queries.against_computers.return_value = {level: Record(*each) for level, each in against.items()}
    queries.career.return_value = Career(games=among_people, wins=among_people)

    assert await usual_level(queries, 1) is expected
    queries.career.assert_awaited_once_with(1, None)
