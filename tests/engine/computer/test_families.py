"""Every option of the rules is in a computer family, played without figures, refused, or changes nothing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from engine import PRESETS, NoComputerFamily, Rules
from engine.computer import family_of
from engine.computer.tables import FAMILIES, knows_course
from tests.engine.games import PRESET_SEATS
from tests.engine.rule_options import BASES, changed

HINTS = get_type_hints(Rules)

IN_A_FAMILY = {
    *("seats", "partners", "crib_from_pack"),
    *("go_scoring", "pairs_in_play", "runs_in_play", "thirty_one_plus_last"),
}
"""Options for which there are tables; combinations without any are played by looking ahead, for points."""

WITHOUT_FIGURES = {"play_out"}
"""Options of which no table knows what is pegged."""

REFUSED = {"dealt", "discarded"}
"""Options that the computer does not play."""

ALIKE = {
    "target": "the chance to win goes by the holes that are left; far from home it plays for points",
    "start": "the chance to win goes by the holes that are left",
    "his_heels": "chance alone pegs them, and up to two they shift a deal by less than a fifth of a point",
    "heels_claimed": "it always claims them",
    "his_nobs": "hands and cribs are counted by the rules themselves",
    "flush": "hands and cribs are counted by the rules themselves",
    "crib_flush": "hands and cribs are counted by the rules themselves",
    "starter_cut": "it never changes a score",
    "first_deal": "nothing is decided before it",
    "next_deal": "nothing is decided before it",
    "skunks": "it plays to win, and not to save itself from a skunk",
    "match_points": "it plays to win each game",
    "counting": "it says what it sees in its hand",
    "muggins": "it says what it sees of its cards' worth, and takes what it notices that others miss",
    "wrong_claims": "it claims no more than the truth",
}
"""Options that need no table of their own, and why."""


def test_every_option_is_in_one_of_these() -> None:
    names = sorted((*IN_A_FAMILY, *WITHOUT_FIGURES, *REFUSED, *ALIKE))

    assert names == sorted(field.name for field in fields(Rules))


@pytest.mark.parametrize("name", sorted(IN_A_FAMILY))
def test_an_option_with_tables_has_another_family_or_no_figures_or_is_refused(name: str) -> None:
    for base, other in changed(name, HINTS[name]):
        try:
            assert family_of(other) != family_of(base) or not knows_course(other)
        except NoComputerFamily:
            continue


@pytest.mark.parametrize("name", sorted(WITHOUT_FIGURES))
def test_an_option_without_figures_has_the_family_that_comes_nearest(name: str) -> None:
    for base, other in changed(name, HINTS[name]):
        if getattr(base, name):
            assert family_of(other) == family_of(base)
            assert knows_course(base)
            assert not knows_course(other)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_an_option_without_tables_is_refused(name: str) -> None:
    refused = [other for base, other in changed(name, HINTS[name]) if base in BASES]

    assert refused
    for other in refused:
        with pytest.raises(NoComputerFamily) as refusal:
            family_of(other)
        assert name in refusal.value.options


@pytest.mark.parametrize("name", sorted(ALIKE))
def test_an_option_that_needs_no_tables_has_the_same(name: str) -> None:
    found = list(changed(name, HINTS[name]))

    assert found
    for base, other in found:
        assert family_of(other) == family_of(base)
        assert knows_course(other) == (other.his_heels <= 2)


@pytest.mark.parametrize(("preset", "seats"), PRESET_SEATS)
@pytest.mark.parametrize("changes", [{}, {"partners": False}])
def test_all_that_can_be_chosen_today_has_a_family(preset: str, seats: int, changes: dict[str, Any]) -> None:
    rules = PRESETS[preset](seats, **changes)

    assert family_of(rules) in FAMILIES
    assert knows_course(rules)
