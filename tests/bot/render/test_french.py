"""French drawings contain no English sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from bot.language.languages import Language
from bot.model.errors import StartUpError
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.text.refusals import refusal
from tests.bot.registered import full_voice
from tests.bot.render.drawings import (
    GAMES,
    credited,
    drawn_around_games,
    drawn_by_the_coach,
    drawn_every_day,
    drawn_in_a_game,
)
from tests.bot.render.games import PLAIN, record_of
from tests.bot.render.pseudo import read
from tests.bot.render.text.test_refusals import ERRORS

ENGLISH_VOICE, FRENCH = full_voice(), full_voice(Language.of("fr"))
_NAMES = frozenset({*PLAIN, "The", "Snug", "go"})
"""Names, and words that both languages share."""
_NO_PROSE = re.compile(
    r"`[^`\n]+`|<[^<>\n]+>|“[^”]*”|«[^»]*»|American Cribbage Congress|Trevor L. Davis|Sir John Suckling"
)
"""Code, mentions, typed text, and the names of books and people."""
_CREDITED = sorted(credited(), key=len, reverse=True)
_ENGLISH = (
    "about after an and any at be by can either every for from had has have if in is it its left more most "
    "my no nothing of one or other players runs starter their them then there these they this to two until "
    "was who will with won you your"
)
"""Frequent English words that are not French."""


def _words(text: str) -> list[str]:
    for name in _CREDITED:
        text = text.replace(name, " ")
    found = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", _NO_PROSE.sub(" ", text))
    return [word.lower() for word in found if word not in _NAMES and len(word) > 1]


def _in_common(english: str, french: str) -> set[str]:
    """Three words in a row that both texts have, and English words in the French."""
    said, ours = _words(english), _words(french)
    threes = {" ".join(ours[place : place + 3]) for place in range(len(ours) - 2)}
    return {each for place in range(len(said)) if (each := " ".join(said[place : place + 3])) in threes} | (
        set(_ENGLISH.split()).intersection(ours)
    )


def _left(english: Iterable[Drawing], french: Iterable[Drawing]) -> list[str]:
    return [
        f"{ours}: {found}"
        for one, other in zip(english, french, strict=True)
        for said, ours in zip(read(one), read(other), strict=True)
        if (found := _in_common(said, ours))
    ]


@pytest.mark.parametrize("agreement", GAMES.values(), ids=GAMES)
def test_a_game_is_drawn_in_french(agreement: Agreement) -> None:
    english, french = (drawn_in_a_game(agreement, voice) for voice in (ENGLISH_VOICE, FRENCH))
    assert _left(english, french) == []


def test_lobby_rules_help_and_score_are_drawn_in_french() -> None:
    assert _left(drawn_around_games(ENGLISH_VOICE), drawn_around_games(FRENCH)) == []


def test_the_coach_speaks_french() -> None:
    assert _left(drawn_by_the_coach(ENGLISH_VOICE), drawn_by_the_coach(FRENCH)) == []
    assert _left(drawn_every_day(ENGLISH_VOICE), drawn_every_day(FRENCH)) == []


def test_refusals_are_said_in_french() -> None:
    left = []
    for error in (error for error, _ in ERRORS if not isinstance(error, StartUpError)):
        for record in (record_of(Agreement()), None):
            english = refusal(error, record, ENGLISH_VOICE)  # type: ignore[arg-type]
            french = refusal(error, record, FRENCH)  # type: ignore[arg-type]
            left += [f"{french}: {found}" for found in [_in_common(english, french)] if found]

    assert left == []
