"""The computer's tables: discards, pegging, and the chance to win by score.

`engine.computer.build` makes `tables.npz` beside this module. The tables are keyed by a `Family` of rules
that play alike, and by role: 0 for the dealer, 1 for everybody else.
"""

from __future__ import annotations

# zipfile asks for this encoding at its first file. A process that cannot load it then, as one without a free
# file descriptor, would never find it again: the interpreter remembers that there is none.
import encodings.cp437  # noqa: F401 -- loaded here, while the program starts
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from engine.computer.numbers import Floats, Ints
from engine.errors import NoComputerFamily
from engine.rules import MOST_USUAL_SEATS, USUAL_HAND, GoScoring, Rules

DEALER = 0
OTHER = 1
MOST_PEGS = 32
"""Most points pegged by a side in one deal's play that the tables count."""
FILE = "tables.npz"
UNITS = {"win": 65535.0, "pegging": 32.0}
"""The stored value of 1, of tables that are stored as whole numbers: a certain win, or a point."""
FARTHEST = 121
"""Farthest from home (holes) in the tables; a longer game begins by playing for points."""


class Manner(StrEnum):
    """A way of scoring the play and the starter."""

    STANDARD = "standard"
    AT_CALL = "at_call"
    QUIET = "quiet"
    """Neither pairs nor runs in the play."""
    LAST_TOO = "last_too"
    """Thirty-one is two, and one more for the last card."""


@dataclass(frozen=True, slots=True)
class Family:
    """Rules near enough to share the same tables."""

    seats: int
    partners: bool
    manner: Manner
    full_crib: bool
    """True if the crib has four cards."""

    @property
    def name(self) -> str:
        """The family's name in the file."""
        return f"{self.seats}{'p' if self.partners else ''}{'' if self.full_crib else 's'}.{self.manner}"

    @property
    def discards(self) -> str:
        """The name of the tables that concern the crib alone."""
        return self.name.split(".")[0]


def family_of(rules: Rules) -> Family:
    """The family to which these rules belong, or come nearest.

    Raises `NoComputerFamily` for numbers of cards dealt that no family has. Every option of the rules is in a
    family, is refused here, or changes no table: a test walks all fields. Five and six players come nearest
    to four: there, too, the crib has a card of each of four players.
    """
    if (rules.dealt, rules.discarded, rules.crib_from_pack, rules.spared) not in _DEALS[rules.seats]:
        raise NoComputerFamily(("dealt", "discarded", "crib_from_pack", "spared"))
    manner = _MANNERS.get(_scoring_of(rules), Manner.STANDARD)
    return Family(min(rules.seats, MOST_USUAL_SEATS), rules.partners, manner, rules.crib_size == 4)


def knows_course(rules: Rules) -> bool:
    """True if the tables know the pegging by these rules, and so the chance to win by score.

    Where they do not, the nearest family's hands and cribs still hold, and its points pegged and chances to
    win do not: then players look ahead by the rules themselves, and go by points.
    """
    is_usual = rules.seats <= MOST_USUAL_SEATS and rules.kept == USUAL_HAND
    return (
        is_usual
        and rules.captain is None
        and not rules.low_wins
        and rules.play_out
        and rules.his_heels <= _MOST_HEELS
        and _scoring_of(rules) in _MANNERS
    )


def _scoring_of(rules: Rules) -> tuple[bool, bool, bool, bool]:
    """The scoring of the play: go at call, pairs, runs, and one for the last card at thirty-one."""
    at_call = rules.go_scoring is GoScoring.AT_CALL
    return at_call, rules.pairs_in_play, rules.runs_in_play, rules.thirty_one_plus_last


_MANNERS = {
    (False, True, True, False): Manner.STANDARD,
    (True, True, True, False): Manner.AT_CALL,
    (False, False, False, False): Manner.QUIET,
    (False, True, True, True): Manner.LAST_TOO,
}

_MOST_HEELS = 2
"""Most points for his heels that shift a deal by less than a fifth of a point."""

_DEALS = {
    2: ((6, 2, 0, 0), (5, 2, 0, 0)),
    3: ((5, 1, 1, 0), (5, 1, 0, 0)),
    4: ((5, 1, 0, 0),),
    5: ((5, 1, 0, 1),),
    6: ((5, 1, 0, 2),),
}
"""By number of players, what the tables can be used for: cards dealt, discarded, and from the pack to the
crib, and the seats spared."""


FAMILIES = (
    *(
        Family(seats, partners, manner, full_crib=True)
        for seats, partners in ((2, False), (3, False), (4, True), (4, False))
        for manner in Manner
    ),
    *(Family(3, partners=False, manner=manner, full_crib=False) for manner in Manner),
)
"""Every family with tables."""


@dataclass(frozen=True, slots=True)
class Discards:
    """The discards of good players, by role."""

    keeps: Floats
    """[role, hand of four ranks]: relative frequency with which it is kept, for each way to hold it."""
    throws: Floats
    """[role, set of ranks discarded (91 pairs, or 13 cards)]: frequency, for each way to hold it."""
    beside: Floats
    """[role, rank, pair]: the natural logarithm of the factor by which each card of that rank in another
    player's hand changes `throws`. Empty where one card is discarded."""
    cribs: Floats
    """For a single card discarded, [role, rank, points]: the distribution of the crib's points."""
    bias: Floats
    """By role: the crib's points above the estimate, because the others' cards leave the pack too."""

    def pairs(self, role: int, held: Ints) -> Floats:
        """[pair]: `throws` of that role where the other player holds `held` (cards by rank)."""
        return np.asarray(self.throws[role] * np.exp(held @ self.beside[role]))


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a deal, and the chance to win by score."""

    pegs: Floats
    """[role, points]: the distribution of a seat's points in the play."""
    hands: Floats
    """[role, points]: the distribution of a hand's points."""
    crib: Floats
    """[points]: the distribution of the crib's points."""
    pegging: Floats
    """[role, hand of four ranks]: points pegged above the others' average, against the usual difference."""
    win: Floats
    """[holes that the dealer's side needs, the other's]: the chance of the dealer's side before a deal.

    Empty where more than two sides play.
    """


def discarding_of(family: Family) -> Discards:
    """The discards of the players at such a table."""
    stored = _stored()
    return Discards(*(_as_floats(stored, f"{family.discards}/{each.name}") for each in fields(Discards)))


def course_of(family: Family) -> Course:
    """The course of a deal at such a table."""
    stored = _stored()
    return Course(*(_as_floats(stored, f"{family.name}/{each.name}") for each in fields(Course)))


def _as_floats(stored: dict[str, NDArray[np.generic]], name: str) -> Floats:
    return stored[name].astype(np.float64) / UNITS.get(name.split("/")[1], 1.0)


@cache
def _stored() -> dict[str, NDArray[np.generic]]:
    with files("engine.computer").joinpath(FILE).open("rb") as file, np.load(file) as loaded:
        return {name: loaded[name] for name in loaded.files}
