"""The computer as a substitute: the players who are away from a game, and those who must agree to it.

A substitute plays until the game is over or the person returns, which opening their hand or making a move
does (`Sessions.back_in_play`). Its moves stand. The wording of the question and of its answers is in
`render`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.model.errors import NobodyAway, StaleButton
from bot.model.table_record import Status, TableRecord, away
from bot.tables.sessions import Session
from engine import Seat
from engine.computer import family_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """A game in play with absent players, as one of its players finds it."""

    session: Session
    asker: Seat
    """Seat of the player who asks; their own substitute may be playing it."""
    absent: tuple[Seat, ...]

    @property
    def present(self) -> frozenset[Seat]:
        """People who are not away; all of them must agree."""
        return self.session.record.people.difference(self.absent)

    def refuse_the_absent(self) -> None:
        """Raises `NobodyAway` if the asker is away: somebody who is present would have to ask."""
        if self.asker not in self.present:
            raise NobodyAway(self.session.record)


def absence_from(session: Session, user: int, banned: Collection[int] = ()) -> Absence:
    """The players who are away from the game, as `user` asks for it; those who are `banned` always are.

    Raises `NotSeated`, `NobodyAway`, `StaleButton` for a game that is not in play, and `NoComputerFamily` for
    rules that the computer does not play.
    """
    if session.record.status is not Status.PLAYING or session.game.is_over:
        raise StaleButton(0, 0)
    seat = session.seat_of(user)
    record = session.record
    gone = {*away(record, session.game.table.absences), *banned_at(record, banned)}
    absent = tuple(sorted(gone))
    if not absent:
        raise NobodyAway(session.record)
    family_of(session.game.rules)  # raises for rules that the computer does not play
    return Absence(session=session, asker=seat, absent=absent)


def banned_at(record: TableRecord, banned: Collection[int]) -> frozenset[Seat]:
    """Seats of banned people, for whom nobody waits."""
    return frozenset(seat for seat in record.people if record.occupants[seat].user in banned)
