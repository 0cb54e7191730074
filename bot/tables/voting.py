"""Votes in a game in play: to end it without a result, or to let the computer play for absent players.

A vote is stored with its deal before anybody sees it, and expires with that deal. A vote for a substitute can
be withdrawn; one player who wants to keep playing drops all votes for the end. Votes are cast, counted and
carried out under the game's lock, so that of two simultaneous votes none is lost and the result is carried
out once. Computers agree to everything. The wording is in `render`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from bot.model.errors import NoTable, StaleButton
from bot.model.votes import Question, Vote
from bot.store import Store
from bot.tables.hand_over import Absence, absence_from, banned_at
from bot.tables.sessions import Session, Sessions
from engine import Seat
from engine.computer import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """State of a vote."""

    session: Session
    votes: tuple[Vote, ...]
    """Votes of those who must agree, by seat."""
    asked: frozenset[Seat]
    """People who must agree."""
    absent: tuple[Seat, ...] = ()
    """Absent players, in a vote for a substitute."""
    is_carried: bool = False
    """True if all have agreed and it was carried out."""

    @property
    def agreed(self) -> frozenset[Seat]:
        """Seats that have agreed."""
        return frozenset(vote.seat for vote in self.votes)

    @property
    def levels(self) -> Mapping[Seat, Level]:
        """The computer's level that each seat has agreed to."""
        return {vote.seat: vote.level for vote in self.votes if vote.level is not None}


class Voting:
    """Casts, withdraws and counts votes."""

    def __init__(self, store: Store, sessions: Sessions, *, banned: Collection[int] = ()) -> None:
        """`banned` people can press nothing, so nobody waits for their votes, and they count as absent."""
        self._banned = banned
        self._store = store
        self._sessions = sessions

    async def agree_to_end(self, game: str, user: int, deal: int | None = None) -> Ballot:
        """Agree to end the game without a result; ends it once all have agreed.

        `deal` is the number of the deal that the pressed button belongs to; `StaleButton` refuses another,
        and a game that is not in play. Raises `NotSeated`, `NoTable`, `StaleGame` and `StoreUnavailable`.
        """
        await self._sessions.back_in_play(game, user)
        async with self._sessions.lock(game):
            session, seat = await self._voter(game, user, deal)
            vote = Vote(game=game, deal=session.game.table.deal_number, about=Question.END, seat=seat)
            await self._store.keep_vote(vote)
            ballot = await self._on_end(session)
            if ballot.agreed != ballot.asked:
                return ballot
            await self._sessions.call_off_locked(game)
        return replace(ballot, is_carried=True)

    async def agree_to_substitute(
        self, game: str, user: int, level: Level, deal: int | None = None
    ) -> Ballot:
        """Agree to a computer of that level for all absent players; it plays once all others have agreed.

        Raises as `agree_to_end` does, and `NobodyAway`, also if the voter is away.
        """
        async with self._sessions.lock(game):
            session, seat = await self._voter(game, user, deal)
            absence = self._absence(session, user)
            number = session.game.table.deal_number
            vote = Vote(game=game, deal=number, about=Question.SUBSTITUTE, seat=seat, level=level)
            await self._store.keep_vote(vote)
            ballot = await self._on_substitute(absence)
            if ballot.agreed != ballot.asked or len(set(ballot.levels.values())) > 1:
                return ballot
            session = await self._sessions.set_substitute_locked(game, ballot.absent, level)
        return replace(ballot, session=session, is_carried=True)

    async def on_substitute(self, game: str, user: int) -> Ballot:
        """State of the vote for a substitute. Raises as `agree_to_substitute` does."""
        async with self._sessions.lock(game):
            session, _ = await self._voter(game, user, None)
            return await self._on_substitute(self._absence(session, user))

    async def keep_playing(self, game: str, user: int, deal: int) -> tuple[Session, Seat]:
        """Drop all votes for the end, as one player wants to keep playing; returns the game and their seat.

        Raises as `agree_to_end` does.
        """
        await self._sessions.back_in_play(game, user)
        async with self._sessions.lock(game):
            session, seat = await self._voter(game, user, deal)
            for vote in await self._votes(session, Question.END, session.record.people):
                await self._store.drop_vote(game, Question.END, vote.seat)
        return session, seat

    async def withdraw_substitute(self, game: str, user: int, deal: int) -> Ballot:
        """Withdraw the user's vote for a substitute, if any. Raises as `agree_to_substitute` does."""
        async with self._sessions.lock(game):
            session, seat = await self._voter(game, user, deal)
            await self._store.drop_vote(game, Question.SUBSTITUTE, seat)
            return await self._on_substitute(self._absence(session, user))

    async def _voter(self, game: str, user: int, deal: int | None) -> tuple[Session, Seat]:
        """The game in play and the voter's seat; the caller holds the game's lock."""
        try:
            session = await self._sessions.in_play(game)
        except NoTable:
            raise StaleButton(0, 0) from None
        if session.game.is_over:
            raise StaleButton(0, 0)
        seat = session.seat_of(user)
        session.refuse_stale(deal)
        return session, seat

    async def _on_end(self, session: Session) -> Ballot:
        asked = session.record.people - banned_at(session.record, self._banned)
        return Ballot(session=session, votes=await self._votes(session, Question.END, asked), asked=asked)

    async def _on_substitute(self, absence: Absence) -> Ballot:
        session, asked = absence.session, absence.present
        votes = await self._votes(session, Question.SUBSTITUTE, asked)
        return Ballot(session=session, votes=votes, asked=asked, absent=absence.absent)

    async def _votes(self, session: Session, about: Question, asked: frozenset[Seat]) -> tuple[Vote, ...]:
        votes = await self._store.votes(session.record.game, session.game.table.deal_number, about)
        return tuple(vote for vote in votes if vote.seat in asked)

    def _absence(self, session: Session, user: int) -> Absence:
        """The game's absence, asked for by a player who is present. Raises `NobodyAway`."""
        absence = absence_from(session, user, self._banned)
        absence.refuse_the_absent()
        return absence
