"""The computer as a substitute: who is away from a game, and who has to agree that it plays for them.

A substitute plays until the game is over or the person is back, which they are as soon as they ask for their
hand or make a move (`Sessions.back_in_play`). What it played for them stands. How a question is put and how
an answer to it looks is not decided here.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.errors import NobodyAway, StaleButton
from bot.model.table_record import Status, away
from bot.tables.sessions import Session
from engine import Seat
from engine.computer import family_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """A game in play from which somebody is away, as one of its players finds it."""

    session: Session
    asker: Seat
    """Whose place it is that the asker sits in; they may be away themselves."""
    absent: tuple[Seat, ...]

    @property
    def present(self) -> frozenset[Seat]:
        """The people who are not away: all of them have to agree."""
        return self.session.record.people.difference(self.absent)

    def refuse_the_absent(self) -> None:
        """Raises `NobodyAway` when the asker is away: nobody else is known to be, or they would be back."""
        if self.asker not in self.present:
            raise NobodyAway(self.session.record)


def absence_from(session: Session, user: int) -> Absence:
    """Who is away from the game, for `user` who asks.

    Raises `NotSeated`, `NobodyAway`, `StaleButton` for a game that is not in play, and `NoComputerFamily` for
    one whose rules the computer does not play.
    """
    if session.record.status is not Status.PLAYING or session.game.is_over:
        raise StaleButton(0, 0)
    seat = session.seat_of(user)
    absent = away(session.record, session.game.table.absences)
    if not absent:
        raise NobodyAway(session.record)
    family_of(session.game.rules)  # raises for rules that the computer does not play
    return Absence(session=session, asker=seat, absent=absent)
