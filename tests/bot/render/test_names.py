"""Names and typed texts are shown harmlessly and within Discord's limits.

The limits are checked in code points, in UTF-16 code units and in bytes of UTF-8, the strictest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.languages import Language
from bot.model.card_input import read_card, read_cards
from bot.model.errors import BotError, NotANumber
from bot.model.table_record import Agreement, Status
from bot.render.drawing import Drawing
from bot.render.messages.declined import declined_drawing, declined_line, declined_there_line, not_called
from bot.render.messages.ending_early import (
    called_off_drawing,
    end_drawing,
    goes_on_drawing,
    kept_drawing,
    moderator_drawing,
    resting_drawing,
)
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.resign import resign_drawing
from bot.render.messages.substitutes import cover_drawing, covered_drawing
from bot.render.text.names import WIDEST, Names, plain, width
from bot.render.text.places import server_of
from bot.render.text.refusals import refusal
from bot.render.text.voice import Voice
from engine import TWO_HANDED, EngineError, Seat
from engine.computer import Level
from tests.any_character import ANY_CHARACTER
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    BEN,
    GAMES,
    HOSTILE,
    drawn_in_a_game,
    record_of,
    starter_cut,
    words,
)
from tests.naughty import NAUGHTY

FRENCH = Voice(Language.of("fr"))


MOST = {"content": 4_000, "label": 80, "placeholder": 150, "description": 1_024, "custom_id": 100}
"""Limits in bytes by a component's key; the texts of a message are summed."""

MEANS_SOMETHING = re.compile(
    r"(?<!\\)(?:<@|<#|<t:|<a?:\w+:|</|<id:)|@(?:everyone|here)|(?<!\\)\]\(|(?<!\\)\*\*|(?<!\\)`|(?<!\\)\|\|"
)
"""Meaning of a name for Discord if it were not escaped."""

TURNS = re.compile("[\u202a-\u202e\u2066\u2067\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that change the line's direction, control something, or are no text."""

FRENCH = full_voice(Language.of("fr"))
"""The language with the longest sentences."""
VOICES = (full_voice(), FRENCH)


def size(text: str) -> int:
    return len(text.encode())


@pytest.mark.parametrize("text", [pytest.param(text, id=kind) for kind, text in NAUGHTY.items()])
def test_a_bad_name_or_text_is_harmless_and_short_in_every_unit(text: str) -> None:
    _is_a_harmless_name(text)
    _is_answered_harmlessly(text)


@pytest.mark.deep
@given(st.text(ANY_CHARACTER, max_size=200))
@settings(max_examples=300)
def test_any_name_or_text_is_harmless_and_short_in_every_unit(text: str) -> None:
    _is_a_harmless_name(text)
    _is_answered_harmlessly(text)


def _is_a_harmless_name(name: str) -> None:
    names = Names((name, name), TWO_HANDED)
    for each in (names.plain(Seat(0)), names.plain(Seat(1)), plain(name)):
        assert width(each) <= WIDEST
        assert size(each) <= 80
        assert each.strip(), "it is seen"
        assert not TURNS.search(each)
    for seat in (Seat(0), Seat(1)):
        assert not MEANS_SOMETHING.search(names[seat])
    assert names[Seat(0)] != names[Seat(1)]


def _is_answered_harmlessly(typed: str) -> None:
    """What is typed for cards or points is read, or refused in a harmless sentence."""
    for read in (read_card, read_cards):
        try:
            read(typed)
        except (BotError, EngineError) as error:
            for voice in VOICES:
                _is_harmless(refusal(error, None, voice))
    for voice in VOICES:
        _is_harmless(refusal(NotANumber(typed), None, voice))


def _is_harmless(said: str) -> None:
    assert size(said) <= 2_000
    assert not TURNS.search(said)
    assert not re.search(r"(?<!\\)<[@#t:/]|@(?:everyone|here)", said)


_WORST = ("a mark on every letter", "Thai", "family of emojis", "very wide")
_MEANING = ("masked link", "mention", "time", "right-to-left override")


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("standard", _WORST),
        pytest.param("standard", _MEANING, marks=pytest.mark.deep),
        *(
            pytest.param(game, kinds, marks=pytest.mark.deep)
            for game in ("family", "muggins")
            for kinds in (_WORST, _MEANING)
        ),
    ],
)
def test_every_message_of_a_game_keeps_the_limits_in_every_unit(game: str, kinds: tuple[str, ...]) -> None:
    names = tuple(NAUGHTY[kind] for kind in kinds)
    for drawing in drawn_in_a_game(GAMES[game], FRENCH, names):
        _check(drawing)


def test_a_lobby_takes_any_name() -> None:
    for name in NAUGHTY.values():
        record = record_of(Agreement.of(players=4), (name,) * 4, status=Status.GATHERING)
        for voice in VOICES:
            _check(lobby_drawing(record, voice))
            for for_good in (None, True, False):
                _check(declined_drawing(record, 1, voice, for_good=for_good))
            for said in (not_called, declined_line):
                _is_harmless(said(name, voice))
            _is_harmless(declined_there_line(name, 20, voice).replace("<#20>", "", 1))


def test_a_server_may_have_any_name() -> None:
    for name in NAUGHTY.values():
        record = record_of(Agreement(), place=name)
        for voice in VOICES:
            assert not MEANS_SOMETHING.search(server_of(record, voice))
            _check(resting_drawing(record, voice))


def _check(drawing: Drawing) -> None:
    found = list(_texts(drawing.layout.to_components()))
    assert sum(size(text) for key, text in found if key == "content") <= MOST["content"]
    for key, text in found:
        assert size(text) <= MOST.get(key, 4_000), (key, text)
        assert not TURNS.search(text), text
    for alt in drawing.alt:
        assert size(alt) <= MOST["description"], alt
        assert not TURNS.search(alt)


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text in the components, with its key."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(each, name)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each, key)
    elif isinstance(value, str):
        yield key, value


@pytest.mark.parametrize("players", [2, 3, 4])
def test_questions_take_any_names(players: int) -> None:
    agreement = Agreement.of(players=players)
    record, table = record_of(agreement, HOSTILE), starter_cut(agreement).table
    seats = [Seat(seat) for seat in range(players)]
    voice = full_voice()
    for drawing in (
        *(end_drawing(record, table, frozenset(seats[:some]), voice) for some in range(1, players)),
        kept_drawing(record, BEN, voice),
        called_off_drawing(record, table, voice),
        moderator_drawing(record, table, voice),
        goes_on_drawing(record, table, voice),
        resign_drawing(record, table, voice),
        cover_drawing(record, table, [ADA], {BEN: Level.EXPERT}, voice=voice),
        covered_drawing(record, table, [ADA], voice),
    ):
        _check(drawing)
        assert not re.search(r"@everyone|<@\d|(?<!\\)\]\(|```|(?<!\\)\|\|", words(drawing))
