"""The lesson's deal: fixed cards and moves, played by the engine, with the table as it was at each moment.

The learner is the non-dealer, who cuts, leads and counts first; the bot deals. Nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from random import Random
from typing import Final, TypeVar

from bot.model.table_record import Agreement
from engine import PACK, Cards, Chance, Game, PlayerView, Seat, card, cards

AGREEMENT: Final = Agreement.of(preset="short")
"""The rules: those of the first game, to 61."""

LEARNER: Final = Seat(0)
TEACHER: Final = Seat(1)

DEALT: Final = cards("2D 4S 5C 7D JH JS")
"""The learner's six cards."""
THROWN: Final = cards("2D 7D")
KEPT: Final = cards("4S 5C JH JS")
STARTER: Final = card("6H")
OTHERS: Final = cards("6C 6S JC KD AD 9S")
"""The bot's six cards; the last two go to its crib."""
TEACHERS: Final = OTHERS[:4]
CRIB: Final = (*THROWN, *OTHERS[4:])

_PLACE: Final = 20
"""The place at which the pack is cut, whichever the learner chooses."""

_MOVES: Final = (
    "1 deals",
    *("0 discards 2D 7D", "1 discards AD 9S"),
    f"0 cuts {_PLACE}",
    *("0 plays 4S", "1 plays 6C", "0 plays 5C", "1 plays KD", "0 says go", "1 plays 6S"),
    *("0 plays JH", "1 plays JC", "0 plays JS"),
)
"""The moves of the deal in the engine's notation; the hands are counted for both."""

_T = TypeVar("_T")


class _Stacked(Chance):
    """A pack in a fixed order, cut at a fixed place."""

    def __init__(self, pack: Cards) -> None:
        super().__init__(Random(0))
        self._pack = pack

    def shuffled(self, pack: Cards, label: str) -> Cards:  # noqa: ARG002 -- there is one deal
        """The lesson's pack, whatever its order was."""
        return self._pack

    def pick(self, choices: Sequence[_T], label: str) -> _T:  # noqa: ARG002
        """The first choice."""
        return choices[0]


class Moment(IntEnum):
    """A moment of the deal; its value is the number of moves before it."""

    DEALT = 1
    THROWN = 3
    CUT = 4
    ANSWERED = 6
    """The bot has answered the learner's lead."""
    FIFTEEN = 7
    TOO_HIGH = 8
    """No card of the learner's fits."""
    PAIRED = 12
    """The bot has paired the learner's second lead."""
    COUNTED = 13
    """The play has ended, and both hands and the crib are counted."""


@cache
def at(moment: Moment) -> PlayerView:
    """The learner's view at that moment."""
    game = Game.new(AGREEMENT.rules, chance=_Stacked(_pack()), dealer=TEACHER)
    for move in _MOVES[: moment.value]:
        game.play(move)
    return game.view(LEARNER)


def _pack() -> Cards:
    """Cards dealt in turn from the dealer's left, and a rest that is cut at the starter."""
    dealt = tuple(each for both in zip(DEALT, OTHERS, strict=True) for each in both)
    rest = [each for each in PACK if each not in {*dealt, STARTER}]
    return (*dealt, *rest[:_PLACE], STARTER, *rest[_PLACE:])
