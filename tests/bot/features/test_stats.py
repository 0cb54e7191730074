"""Statistics: their pictures, shares, and what is offered while a month or a time zone is typed."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from PIL import Image

from bot.features.stats.autocomplete import month_choices, month_in, zone_choices, zone_in
from bot.features.stats.pictures import CourseFacts, draw_course, draw_statistics
from bot.features.stats.player_pictures import pictures_of
from bot.features.stats.player_stats import won_share
from bot.language.languages import Language
from bot.render.drawing import MOST_ALT, size_of
from bot.render.text.voice import Voice
from bot.standings.careers import Career, Profile
from tests.bot.features.stats_scenes import FIGURES, PROFILE


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_is_a_small_picture_as_wide_as_the_board(language: str) -> None:
    for each in pictures_of(PROFILE, Voice(Language.of(language))):
        content = draw_statistics(each.facts)
        image = Image.open(io.BytesIO(content))
        assert image.width == 1000
        assert len(content) < 60_000
        assert np.asarray(image.convert("RGBA"))[0, 0, 3] == 0, "its corners are round"
        assert size_of(each.alt) <= MOST_ALT


def test_what_is_drawn_follows_from_the_facts() -> None:
    assert draw_course(CourseFacts((1000, 1050))) != draw_course(CourseFacts((1000, 950)))
    no_crib = Profile(career=Career(games=1, two=replace(FIGURES, cribs=0, crib_points=0)))
    [points] = [each for each in pictures_of(no_crib, Voice()) if each.kind == "points"]
    assert draw_statistics(points.facts)


def test_months_and_zones_are_offered_as_they_are_typed() -> None:
    months = (202611, 202610, 202510)

    def offered(typed: str) -> list[str]:
        return [each.value for each in month_choices(months, typed, Voice())]

    assert offered("") == ["2026-11", "2026-10", "2025-10"]
    assert offered("octo") == ["2026-10", "2025-10"]
    assert offered("2025") == ["2025-10"]
    assert [each.name for each in month_choices(months, "2025", Voice(Language.of("fr")))] == ["octobre 2025"]
    assert [month_in(text) for text in ("2026-10", " 2026-10 ", "2026-13", "10", "")] == [
        *(202610, 202610, None, None, None),
    ]
    noon = datetime(2026, 7, 1, 12, tzinfo=UTC)
    first = zone_choices("", noon)
    assert (first[0].name, len(first)) == ("UTC · 12:00", 15)
    [york] = zone_choices("new york", noon)
    assert (york.name, york.value) == ("America/New_York · 08:00", "America/New_York")
    assert zone_choices("paris", noon)[0].value == "Europe/Paris"
    assert len(zone_choices("a", noon)) == 25
    assert [zone_in(text) for text in ("europe/paris", "America/New York", "utc", "Paris", "../../etc")] == [
        *("Europe/Paris", "America/New_York", "UTC", None, None),
    ]


@pytest.mark.parametrize(
    ("won", "games", "said"), [(0, 5, "0%"), (5, 5, "100%"), (1, 900, "1%"), (899, 900, "99%"), (2, 3, "67%")]
)
def test_a_share_is_all_or_none_only_when_it_is(won: int, games: int, said: str) -> None:
    assert won_share(won, games, Voice()) == said
