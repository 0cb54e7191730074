"""French numbers in words."""

from __future__ import annotations

from bot.render.text.french_words import number

_TO_SIXTEEN = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
_TEENS = "dix-sept dix-huit dix-neuf"
_ONES = _TO_SIXTEEN.split()[2:10]
_TO_NINETEEN = [*_TO_SIXTEEN.split()[10:], *_TEENS.split()]


def test_numbers_to_a_hundred_are_written_as_in_french() -> None:
    expected = [*_TO_SIXTEEN.split(), *_TEENS.split()]
    for tens in ("vingt", "trente", "quarante", "cinquante", "soixante"):
        expected += [tens, f"{tens} et un", *(f"{tens}-{ones}" for ones in _ONES)]
    expected += ["soixante-dix", "soixante et onze", *(f"soixante-{rest}" for rest in _TO_NINETEEN[2:])]
    expected += ["quatre-vingts", "quatre-vingt-un", *(f"quatre-vingt-{ones}" for ones in _ONES)]
    expected += [*(f"quatre-vingt-{rest}" for rest in _TO_NINETEEN), "cent"]

    assert len(expected) == 101
    assert [number(value) for value in range(101)] == expected


def test_other_numbers_are_figures() -> None:
    assert [number(-1), number(101), number(1184)] == ["-1", "101", "1184"]
