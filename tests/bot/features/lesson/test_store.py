"""Progress in the lesson: stored by person, exported, and deleted with their data."""

from __future__ import annotations

import pytest

from bot.features.lesson.store import LessonStore
from tests.bot.seating import ADA, BEN
from tests.bot.standings.games import Club


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


@pytest.fixture
def progress(club: Club) -> LessonStore:
    """People's progress in that database."""
    return club.opened_database.part(LessonStore, "lesson")


async def test_a_step_is_kept_by_person_and_leaves_their_preferences_alone(
    club: Club, progress: LessonStore
) -> None:
    await club.store.prefer(ADA.user, language="fr", dms_closed=True)
    assert await progress.step(ADA.user) is None
    for person, step in ((ADA, "throw"), (BEN, "cut"), (ADA, "nobs")):
        await progress.keep(person.user, step)
    assert [await progress.step(each.user) for each in (ADA, BEN)] == ["nobs", "cut"]
    likes = await club.store.preferences(ADA.user)
    assert (likes.language, likes.dms_closed) == ("fr", True)

    await progress.keep(ADA.user, None)
    assert await progress.step(ADA.user) is None


async def test_it_is_exported_and_goes_with_the_persons_data(club: Club, progress: LessonStore) -> None:
    await progress.keep(ADA.user, "go")
    await progress.keep(BEN.user, "run")
    assert (await club.everything_about(ADA.user))["lesson_goes_on_at"] == "go"

    await club.forget(ADA.user)
    assert await progress.step(ADA.user) is None
    assert await progress.step(BEN.user) == "run"
