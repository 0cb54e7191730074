"""All messages of whole games in the pseudo-locale: every sentence is translated, and longer ones fit."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bot.language.languages import PSEUDO, Language
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.text.faces import Faces
from bot.render.text.mentions import nudge
from tests.bot.registered import full_voice
from tests.bot.render.drawings import (
    GAMES,
    SEED,
    credited,
    drawn_around_games,
    drawn_by_the_coach,
    drawn_every_day,
    drawn_in_a_game,
)
from tests.bot.render.games import EMOJIS, HOSTILE, PLAIN, played, record_of
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, is_spoken, unspoken

NAMES = (*PLAIN, "The Snug", "English", "Français", "November")
"""Names of people, their server, languages in their own words, and the month in a date."""

CREDITED = tuple(credited())

LONGEST = full_voice(Language.of(PSEUDO), Faces(EMOJIS))
"""A voice with cards as emojis, which take the most characters."""


def _unspoken(drawings: Iterable[Drawing]) -> set[str]:
    return {each for drawing in drawings for each in unspoken(drawing, *NAMES, *CREDITED)}


def _beyond(drawings: Iterable[Drawing]) -> set[str]:
    return {each for drawing in drawings for each in beyond_limits(drawing)}


@pytest.mark.parametrize("agreement", GAMES.values(), ids=GAMES)
def test_nothing_in_a_game_is_said_without_a_voice(agreement: Agreement) -> None:
    assert _unspoken(drawn_in_a_game(agreement, PSEUDO_VOICE)) == set()


@pytest.mark.parametrize("agreement", GAMES.values(), ids=GAMES)
def test_every_message_of_a_game_has_room_for_longer_words_and_names(agreement: Agreement) -> None:
    assert _beyond(drawn_in_a_game(agreement, LONGEST, HOSTILE)) == set()


def test_nothing_around_a_game_is_said_without_a_voice() -> None:
    assert _unspoken(drawn_around_games(PSEUDO_VOICE)) == set()
    assert _unspoken(drawn_by_the_coach(PSEUDO_VOICE)) == set()
    assert _unspoken(drawn_every_day(PSEUDO_VOICE)) == set()


def test_everything_around_a_game_has_room_for_longer_words() -> None:
    assert _beyond(drawn_around_games(LONGEST)) == set()
    assert _beyond(drawn_by_the_coach(LONGEST)) == set()
    assert _beyond(drawn_every_day(LONGEST)) == set()


def test_the_line_of_a_notification_is_spoken() -> None:
    for agreement in GAMES.values():
        for game in played(agreement, SEED):
            if game.table.result is None:
                said = nudge(2, game.table, record_of(agreement), PSEUDO_VOICE, url="https://x/1", due=1)
                assert is_spoken(said, *NAMES), said
