"""Votes in the middle of a game: to call it off, or to let the computer play for those who are away.

A vote is kept in the store before anybody sees it, with the deal in which it was cast, and ends with that
deal; a vote for a substitute may be taken back, and the wish of one player to keep playing drops all
votes for the end. Votes are counted under the game's lock, and what all have agreed on is done
under the same lock: so of two votes cast at once none is lost, and it is done once. The computer agrees to
everything. How a question is put to players is not decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.model.errors import NoTable, StaleButton
from bot.model.votes import Question, Vote
from bot.store import Store
from bot.tables.hand_over import Absence, absence_from
from bot.tables.sessions import Session, Sessions
from engine import Seat
from engine.computer import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """How a question stands."""

    session: Session
    votes: tuple[Vote, ...]
    """The votes of those who are asked, by seat."""
    asked: frozenset[Seat]
    """The people who must agree."""
    absent: tuple[Seat, ...] = ()
    """Those for whom the computer may play, where that is the question."""
    is_carried: bool = False
    """Whether all have agreed, and it was done."""

    @property
    def agreed(self) -> frozenset[Seat]:
        """Who has agreed."""
        return frozenset(vote.seat for vote in self.votes)

    @property
    def levels(self) -> Mapping[Seat, Level]:
        """The computer that each of them has agreed to."""
        return {vote.seat: vote.level for vote in self.votes if vote.level is not None}


class Voting:
    """Casts, takes back and counts votes."""

    def __init__(self, store: Store, sessions: Sessions) -> None:
        self._store = store
        self._sessions = sessions

    async def agree_to_end(self, game: str, user: int, deal: int | None = None) -> Ballot:
        """Agree that the game is called off; when all have, it is.

        `deal` is the one a button was made for: another is refused with `StaleButton`, as is a game that
        is not in play. Raises `NotSeated`, `NoTable`, `StaleGame` and `StoreUnavailable`.
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
        """Agree to a computer of that level for all who are away; when all others have, it plays.

        Raises as `agree_to_end` does, and `NobodyAway`, also to somebody who is away.
        """
        async with self._sessions.lock(game):
            session, seat = await self._voter(game, user, deal)
            absence = _absence(session, user)
            number = session.game.table.deal_number
            vote = Vote(game=game, deal=number, about=Question.SUBSTITUTE, seat=seat, level=level)
            await self._store.keep_vote(vote)
            ballot = await self._on_substitute(absence)
            if ballot.agreed != ballot.asked or len(set(ballot.levels.values())) > 1:
                return ballot
            session = await self._sessions.hand_over_locked(game, ballot.absent, level)
        return replace(ballot, session=session, is_carried=True)

    async def on_substitute(self, game: str, user: int) -> Ballot:
        """How the question of a substitute stands. Raises as `agree_to_substitute` does."""
        async with self._sessions.lock(game):
            session, _ = await self._voter(game, user, None)
            return await self._on_substitute(_absence(session, user))

    async def keep_playing(self, game: str, user: int, deal: int) -> tuple[Session, Seat]:
        """Drop all votes for the end: somebody who is asked wants to go on. Raises as agreeing does.

        The game, and the seat of who wants it.
        """
        await self._sessions.back_in_play(game, user)
        async with self._sessions.lock(game):
            session, seat = await self._voter(game, user, deal)
            for vote in await self._votes(session, Question.END, session.record.people):
                await self._store.drop_vote(game, Question.END, vote.seat)
        return session, seat

    async def prefer_nobody(self, game: str, user: int, deal: int) -> Ballot:
        """Take one's vote for a substitute back, if one was cast. Raises as agreeing does."""
        async with self._sessions.lock(game):
            session, seat = await self._voter(game, user, deal)
            await self._store.drop_vote(game, Question.SUBSTITUTE, seat)
            return await self._on_substitute(_absence(session, user))

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
        asked = session.record.people
        return Ballot(session=session, votes=await self._votes(session, Question.END, asked), asked=asked)

    async def _on_substitute(self, absence: Absence) -> Ballot:
        session, asked = absence.session, absence.present
        votes = await self._votes(session, Question.SUBSTITUTE, asked)
        return Ballot(session=session, votes=votes, asked=asked, absent=absence.absent)

    async def _votes(self, session: Session, about: Question, asked: frozenset[Seat]) -> tuple[Vote, ...]:
        votes = await self._store.votes(session.record.game, session.game.table.deal_number, about)
        return tuple(vote for vote in votes if vote.seat in asked)


def _absence(session: Session, user: int) -> Absence:
    """Who is away. Raises `NobodyAway`, also to somebody who is."""
    absence = absence_from(session, user)
    absence.refuse_the_absent()
    return absence
