"""Sanitising of names with any characters; and numbers in words."""

from __future__ import annotations

import re

import pytest

from bot.language.languages import Language
from bot.model.table_record import Agreement, Occupant, computer_at
from bot.render.text.names import WIDEST, Names, computer_called, escaped, plain, width
from bot.render.text.voice import Voice
from bot.render.text.words import number, sentence
from engine import PARTNERS, TWO_HANDED, Seat, Side
from engine.computer import Level
from tests.bot.render.games import HOSTILE, record_of

FRENCH = Voice(Language.of("fr"))


def _two(first: str, second: str = "Ben") -> Names:
    return Names((first, second), TWO_HANDED)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_formats_pings_or_links(name: str) -> None:
    safe = _two(name)[Seat(0)]

    assert not re.search(r"(?<!\\)[*_~`|<>#\[\]()]", safe)
    assert "@everyone" not in safe
    assert "https://" not in safe


def test_an_honest_name_is_left_alone() -> None:
    assert _two("Zoë O'Neill")[Seat(0)] == "Zoë O'Neill"


def test_an_invisible_name_becomes_a_place() -> None:
    record = record_of(Agreement(), ("\u200b\u3164 \u2800\u202e", "Ben"))
    assert Names.at(record, Voice())[Seat(0)] == "Player 1"
    assert Names.at(record, FRENCH)[Seat(0)] == "Joueur 1"


def test_computers_are_called_by_their_level_in_each_language() -> None:
    seated = [Occupant(1, "Ada"), Occupant(2, "Ben", Level.STEADY)]
    for _ in range(2):
        seated.append(computer_at(Level.BEGINNER, seated))
    record = record_of(Agreement.of(players=4, partners=False), occupants=tuple(seated))
    english, french = (Names.at(record, voice) for voice in (Voice(), FRENCH))

    assert [english.plain(Seat(seat)) for seat in range(4)] == [
        "Ada",
        "🤖\N{NO-BREAK SPACE}Steady for Ben",
        "🤖\N{NO-BREAK SPACE}Beginner",
        "🤖\N{NO-BREAK SPACE}Beginner 2",
    ]
    assert [french.plain(Seat(seat)) for seat in range(4)] == [
        "Ada",
        "🤖\N{NO-BREAK SPACE}Solide pour Ben",
        "🤖\N{NO-BREAK SPACE}Débutant",
        "🤖\N{NO-BREAK SPACE}Débutant 2",
    ]


def test_computers_with_a_name_of_their_own_keep_it_in_each_language() -> None:
    seated = (Occupant(None, "🤖 Vega", Level.STEADY), Occupant(None, "🤖 Steady 2", Level.STEADY))
    for voice, steady in ((Voice(), "Steady"), (FRENCH, "Solide")):
        names = Names.of(seated, voice)
        assert names.plain(Seat(0)) == "🤖\N{NO-BREAK SPACE}Vega"
        assert names.plain(Seat(1)) == f"🤖\N{NO-BREAK SPACE}{steady} 2"


def test_the_sign_of_a_computer_never_parts_from_its_name_at_the_end_of_a_line() -> None:
    assert plain("🤖 Steady 2") == computer_called(Level.STEADY, Voice()) + " 2"
    assert computer_called(Level.STEADY, Voice()) == "🤖\N{NO-BREAK SPACE}Steady"
    assert width(computer_called(Level.STEADY, Voice())) == width("🤖 Steady")


def test_a_seat_that_nobody_has_yet_has_a_name() -> None:
    record = record_of(Agreement(), ("Ada",))
    assert Names.at(record, Voice())[Seat(1)] == "Player 2"


def test_what_turns_a_line_around_is_taken_out() -> None:
    assert plain("Ada\N{RIGHT-TO-LEFT OVERRIDE}nibbirc") == "Adanibbirc"


def test_a_name_written_from_the_right_is_closed_off_even_when_shortened() -> None:
    name = plain("שלום" * 10)

    assert name.startswith("\u2068")
    assert name.endswith("\u2069")


def test_marks_are_not_stacked() -> None:
    assert plain("q" + "\u0301" * 20 + "x") == "q\u0301x"


def test_a_code_block_cannot_be_closed_by_a_name() -> None:
    assert "`" not in _two("```")[Seat(0)]
    assert "`" not in _two("```Ada").plain(Seat(0))


def test_two_of_one_name_are_told_apart() -> None:
    names = _two("Ada", "Ada")

    assert names.plain(Seat(0)) == "Ada"
    assert names.plain(Seat(1)) == "Ada (2)"


def test_two_long_names_that_begin_alike_are_told_apart() -> None:
    names = _two("x" * 30, "x" * 30 + "y")

    assert names.plain(Seat(0)) != names.plain(Seat(1))
    assert width(names.plain(Seat(1))) <= WIDEST


def test_partners_share_a_side() -> None:
    names = Names(("Ada", "Ben", "Cleo", "Dan"), PARTNERS)

    assert names.side(Side(0)) == "Ada & Cleo"
    assert names.plain_side(Side(1), 30) == "Ben & Dan"


def test_a_side_fits_its_columns() -> None:
    names = Names(HOSTILE, PARTNERS)

    assert all(width(names.plain_side(Side(side), 20)) <= 20 for side in range(2))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "zero"),
        (1, "one"),
        (7, "seven"),
        (13, "thirteen"),
        (20, "twenty"),
        (22, "twenty-two"),
        (31, "thirty-one"),
        (99, "ninety-nine"),
        (121, "121"),
    ],
)
def test_numbers_are_said_in_words(value: int, said: str) -> None:
    assert number(value) == said


def test_a_sentence_begins_with_a_capital() -> None:
    assert sentence("fifteen TWO") == "Fifteen TWO"


def test_everybody_is_not_rung_by_any_text() -> None:
    assert "@everyone" not in escaped("@everyone")
