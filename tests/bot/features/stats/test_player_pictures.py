"""The pictures of a player's statistics: their facts, alt texts, and the text without them."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from bot.features.stats.pictures import (
    CourseFacts,
    HandsFacts,
    LuckFacts,
    PointsFacts,
    draw_course,
    draw_statistics,
)
from bot.features.stats.player_pictures import StatsPicture, ToDraw, pictures_of
from bot.features.stats.player_stats import stats_drawing
from bot.language.languages import Language
from bot.render.drawing import MOST_ALT, DrawnFile, size_of
from bot.render.text.voice import Voice
from bot.standings.careers import Career, Profile
from bot.standings.figures import BestHand, InRole, SeatFigures
from engine import card, cards
from tests.bot.render.games import components, words
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, is_spoken

HANDS = tuple(
    BestHand(points, cards("5H 5C 5S JD"), card("5D")) for points in (29, 24, 24, 21, 20, 20, 17, 16, 16, 16)
)
FIGURES = SeatFigures(
    dealing=InRole(deals=20, pegged=70, hands=20, points=160),
    not_dealing=InRole(deals=20, pegged=44, hands=20, points=166),
    cribs=20,
    crib_points=92,
    judged=40,
    luck=12_345,
    given_away=25_000,
    best=HANDS[0],
    top=HANDS,
)
PROFILE = Profile(
    career=Career(games=3, wins=1, streak=1, two=FIGURES, best=HANDS[0]), course=(1000, 1050, 990)
)


def drawn(profile: Profile = PROFILE, voice: Voice | None = None) -> dict[str, ToDraw]:
    return {each.kind: each for each in pictures_of(profile, voice or Voice())}


def test_there_are_four_and_each_says_in_its_alt_text_what_it_shows() -> None:
    found = drawn()
    assert list(found) == ["rating", "points", "luck", "best"]
    assert found["rating"].alt == "Rating over 2 games: from 1,000 to 990, between 990 and 1,050."
    assert found["points"].alt == (
        "Points a deal as dealer: 16.1 (pegging 3.5, hand 8.0, crib 4.6); "
        "experts: 16.2 (pegging 3.5, hand 8.0, crib 4.7). "
        "Points a deal as non-dealer: 10.5 (pegging 2.2, hand 8.3); experts: 10.1 (pegging 2.0, hand 8.1)."
    )
    assert "+0.31 points a deal" in found["luck"].alt
    assert "−0.62 points a deal" in found["luck"].alt
    assert found["best"].alt.count(" points: ") == len(HANDS)
    assert all(size_of(each.alt) <= MOST_ALT for each in found.values())


@pytest.mark.parametrize("kind", ["rating", "points", "luck", "best"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_is_a_small_picture_as_wide_as_the_board(kind: str, language: str) -> None:
    content = draw_statistics(drawn(voice=Voice(Language.of(language)))[kind].facts)
    image = Image.open(io.BytesIO(content))
    assert image.width == 1000
    assert len(content) < 60_000
    assert np.asarray(image.convert("RGBA"))[0, 0, 3] == 0, "its corners are round"


def test_what_is_drawn_follows_from_the_figures() -> None:
    found = {kind: each.facts for kind, each in drawn().items()}
    assert found["rating"] == CourseFacts((1000, 1050, 990))
    points, luck, hands = found["points"], found["luck"], found["best"]
    assert isinstance(points, PointsFacts)
    assert points.dealer is not None
    assert points.dealer.parts == (3.5, 8.0, 4.6)
    assert points.non_dealer_expert.parts == (2.0, 8.1)
    assert isinstance(luck, LuckFacts)
    assert (luck.luck.written, luck.skill.written) == ("+0.31", "−0.62")
    assert isinstance(hands, HandsFacts)
    assert [each.points for each in hands.hands] == [each.points for each in HANDS]
    assert draw_course(CourseFacts((1000, 1050))) != draw_course(CourseFacts((1000, 950)))


def test_what_nothing_is_known_of_is_not_drawn() -> None:
    assert drawn(Profile(career=Career(games=1, two=SeatFigures()))) == {}
    assert list(drawn(Profile(career=Career(games=1), course=(1000, 1010)))) == ["rating"]
    no_crib = replace(FIGURES, cribs=0, crib_points=0)
    points = drawn(Profile(career=Career(games=1, two=no_crib)))["points"]
    assert points.alt.startswith("Points a deal as dealer: –; experts")
    assert draw_statistics(points.facts)
    more = drawn(Profile(career=Career(games=1, more=FIGURES)))
    assert "points" not in more, "experts' averages are of games of two"
    assert "luck" in more


def test_the_message_shows_them_below_their_lines_within_the_limits() -> None:
    pictures = tuple(
        StatsPicture(each.lines, DrawnFile(name=f"{each.kind}.png", content=b"", description=each.alt))
        for each in pictures_of(PROFILE, Voice())
    )
    view = stats_drawing("Ada", PROFILE, Voice(), own=True, here=True, pictures=pictures)
    assert beyond_limits(view) == []
    assert len(view.files) == 4
    galleries = [each for each in components(view) if each["type"] == 12]
    assert len(galleries) == 4
    assert "**The 10 best hands**" in words(view)
    told = words(stats_drawing("Ada", PROFILE, Voice(), own=True, here=True))
    assert told.count(" points: ") == len(HANDS), "without pictures they are told"
    assert "Luck of the cards: +0.31 points a deal." in told


def test_all_of_it_is_spoken() -> None:
    for each in pictures_of(PROFILE, PSEUDO_VOICE):
        assert all(is_spoken(line) for line in each.lines), each.kind
        assert is_spoken(each.alt), each.kind
