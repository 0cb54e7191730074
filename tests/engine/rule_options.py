"""Every option of the rules with what it can be changed to, for tests that walk all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Any

from engine import PRESETS, Counting, Rules, RulesError, presets_for
from engine.rules import ACC_TOURNAMENT, FREE_PLAY, LONG_MATCH, SkunkRule
from tests.engine.games import PRESET_SEATS

_THREE = {"seats": 3, "partners": False, "spared": 0, "dealt": 5, "discarded": 1, "crib_from_pack": 1}
_TWO = {
    "seats": 2,
    "partners": False,
    "captain": None,
    "spared": 0,
    "dealt": 6,
    "discarded": 2,
    "crib_from_pack": 0,
}
_CAPTAIN = {"start": 0, "skunks": SkunkRule.NONE}
_ALOUD = {"counting": Counting.ALOUD}

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "seats": (
        _TWO,
        _THREE,
        {"seats": 5, "partners": False, "dealt": 5, "discarded": 1, "crib_from_pack": 0, "spared": 1},
    ),
    "partners": ({"partners": True}, {"partners": False}),
    "players_a_side": ({"players_a_side": 2}, {"players_a_side": 3}),
    "captain": ({"captain": None}, *({"captain": seat, **_CAPTAIN} for seat in range(3))),
    "captain_target": tuple({"captain_target": holes} for holes in (31, 61, 90)),
    "low_wins": ({"low_wins": True, "skunks": SkunkRule.NONE}, {"low_wins": False}),
    "target": ({"target": 31}, {"target": 61}, {"target": 121}, {"target": 999}),
    "start": ({"start": 0}, {"start": 30}, {"start": 90}),
    "dealt": ({"dealt": 4}, {"dealt": 5}),
    "discarded": ({"discarded": 1, "dealt": 5}, {"discarded": 2, "dealt": 5}),
    "crib_from_pack": ({"crib_from_pack": 0}, {"crib_from_pack": 1}),
    "spared": tuple({"spared": seats} for seats in range(3)),
    "three_for_last": ({"three_for_last": 0}, {"three_for_last": 3}),
    "his_heels": tuple({"his_heels": points} for points in (0, 1, 2, 3)),
    "his_nobs": ({"his_nobs": 0}, {"his_nobs": 1}),
    "match_points": tuple({"match_points": each} for each in (FREE_PLAY, ACC_TOURNAMENT, LONG_MATCH)),
    "muggins": ({"muggins": True, **_ALOUD}, {"muggins": False}),
    "counting": (_ALOUD, {"counting": Counting.MACHINE, "muggins": False}),
    "wrong_claims": tuple({"wrong_claims": points, "muggins": True, **_ALOUD} for points in range(6)),
}
"""By field: the changes to try; other fields change along where no rules could be without them."""


def changes_of(name: str, kind: object) -> tuple[dict[str, Any], ...]:
    """Changes of the field to try: those of `OPTIONS`, or every value of its type."""
    if name in OPTIONS:
        return OPTIONS[name]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple({name: value} for value in kind)
    if kind is bool:
        return ({name: True}, {name: False})
    raise AssertionError(f"say in OPTIONS what {name} can be")


BASES: tuple[Rules, ...] = (
    *(PRESETS[name](seats) for name, seats in PRESET_SEATS),
    *(PRESETS[name](4, partners=False) for name in presets_for(4) if name != "lowball"),
    PRESETS["standard"](6, players_a_side=3),
    PRESETS["standard"](2, muggins=True, counting=Counting.ALOUD),
)
"""The rules that players can choose today, near enough."""


def changed(name: str, kind: object) -> Iterator[tuple[Rules, Rules]]:
    """Rules that can be chosen, each with the same rules but for that field."""
    for base in BASES:
        for changes in changes_of(name, kind):
            try:
                other = replace(base, **changes)
            except RulesError:
                continue
            if getattr(other, name) != getattr(base, name):
                yield base, other
