"""The tables that the computer plays from: how people discard and peg, and what a score is worth.

The numbers lie in `tables.npz` beside this module and are made by `engine.computer.build`, which says how.
They go by a `Family` of rules that play alike, and by role: 0 for the dealer, 1 for everybody else.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from engine.computer.numbers import Floats
from engine.errors import NoComputerFamily
from engine.rules import GoScoring, Rules

DEALER = 0
OTHER = 1
MOST_PEGS = 32
"""Points pegged by a side in one deal's play are counted up to here."""
FILE = "tables.npz"
WHOLE = 65535
"""A certain win, as it is stored."""
FARTHEST = 121
"""Holes from home up to which scores are in the tables; a longer game begins by playing for points."""


class Manner(StrEnum):
    """A way of scoring the play and the starter."""

    STANDARD = "standard"
    AT_CALL = "at_call"
    QUIET = "quiet"
    """Neither pairs nor runs in the play."""
    LAST_TOO = "last_too"
    """Thirty-one is two, and one for the last card."""


@dataclass(frozen=True, slots=True)
class Family:
    """Rules that are near enough to be played from the same tables."""

    seats: int
    partners: bool
    manner: Manner
    full_crib: bool
    """Whether the crib has four cards."""

    @property
    def name(self) -> str:
        """A name for files."""
        return f"{self.seats}{'p' if self.partners else ''}{'' if self.full_crib else 's'}.{self.manner}"

    @property
    def discards(self) -> str:
        """The name of what concerns the crib alone."""
        return self.name.split(".")[0]


def family_of(rules: Rules) -> Family:
    """The family to which these rules belong, or come nearest.

    Raises `NoComputerFamily` where other numbers of cards are dealt than any family knows. Every option of
    the rules is in a family, is refused here, or changes no table: a test walks all fields.
    """
    if (rules.dealt, rules.discarded, rules.crib_from_pack) not in _DEALS[rules.seats]:
        raise NoComputerFamily(("dealt", "discarded", "crib_from_pack"))
    manner = _MANNERS.get(_scoring_of(rules), Manner.STANDARD)
    return Family(rules.seats, rules.partners, manner, rules.crib_size == 4)


def knows_course(rules: Rules) -> bool:
    """Whether the tables know what is pegged by these rules, and so what a score is worth.

    Where they do not, the nearest family's hands and cribs still hold, and its points pegged and chances to
    win do not: then players look ahead by the rules themselves, and go by points.
    """
    return rules.play_out and rules.his_heels <= _MOST_HEELS and _scoring_of(rules) in _MANNERS


def _scoring_of(rules: Rules) -> tuple[bool, bool, bool, bool]:
    """How the play is scored: go at call, pairs, runs, and one for the last card at thirty-one."""
    at_call = rules.go_scoring is GoScoring.AT_CALL
    return at_call, rules.pairs_in_play, rules.runs_in_play, rules.thirty_one_plus_last


_MANNERS = {
    (False, True, True, False): Manner.STANDARD,
    (True, True, True, False): Manner.AT_CALL,
    (False, False, False, False): Manner.QUIET,
    (False, True, True, True): Manner.LAST_TOO,
}

_MOST_HEELS = 2
"""Up to so many points his heels shift a deal by less than a fifth of a point."""

_DEALS = {2: ((6, 2, 0),), 3: ((5, 1, 1), (5, 1, 0)), 4: ((5, 1, 0),)}
"""By number of players: cards dealt, discarded, and dealt from the pack to the crib, as tables know them."""


FAMILIES = (
    *(
        Family(seats, partners, manner, full_crib=True)
        for seats, partners in ((2, False), (3, False), (4, True), (4, False))
        for manner in Manner
    ),
    *(Family(3, partners=False, manner=manner, full_crib=False) for manner in Manner),
)
"""All that there are tables for."""


@dataclass(frozen=True, slots=True)
class Discards:
    """How good players discard, by role."""

    keeps: Floats
    """Role, hand of four ranks: how often it is kept for each way to hold it, in proportion."""
    throws: Floats
    """Role, set of ranks discarded (91 pairs, or 13 cards): how often, for each way to hold it."""
    cribs: Floats
    """For a single card discarded: role, rank, points: how likely the crib is worth that many."""
    bias: Floats
    """By role: what the crib is worth beyond the estimate, because the others' cards leave the pack too."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a deal goes, and what a score is worth."""

    pegs: Floats
    """Role, points: how likely a seat pegs that many in the play."""
    hands: Floats
    """Role, points: how likely a hand is worth that many."""
    crib: Floats
    """Points: how likely the crib is worth that many."""
    traits: Floats
    """Role, trait: what `pegging_traits` of a hand are worth in points pegged, more than the others."""
    win: Floats
    """Holes that the dealer's side needs, holes that the other needs: the chance that the dealer's side wins,
    before a deal. Empty where more than two sides play."""


def discarding_of(family: Family) -> Discards:
    """How the players of such a table discard."""
    stored = _stored()
    return Discards(*(_as_floats(stored, f"{family.discards}/{each.name}") for each in fields(Discards)))


def course_of(family: Family) -> Course:
    """How a deal goes at such a table."""
    stored = _stored()
    return Course(*(_as_floats(stored, f"{family.name}/{each.name}") for each in fields(Course)))


def _as_floats(stored: dict[str, NDArray[np.generic]], name: str) -> Floats:
    return stored[name].astype(np.float64) / (WHOLE if name.endswith("/win") else 1.0)


@cache
def _stored() -> dict[str, NDArray[np.generic]]:
    with files("engine.computer").joinpath(FILE).open("rb") as file, np.load(file) as loaded:
        return {name: loaded[name] for name in loaded.files}
