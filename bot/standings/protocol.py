"""What the standings ask of a store, in three protocols with a contract suite each.

- `ProjectionStore`: finished games in their order, and the projection that is computed from them.
- `StandingsQueries`: what is read from the projection to be shown.
- `PeopleData`: what is kept about a person: exporting it, hiding it, and forgetting the person.

Every call is one transaction and may raise `StoreUnavailable`; then nothing changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from bot.standings.careers import Record
from bot.standings.leaderboards import Board, Span, Tally
from bot.standings.ratings import Kind, Rating
from bot.standings.results import Appearance, SeatRating
from engine.computer import Level


class ProjectionStore(Protocol):
    """The projection's tables, and the finished games that are not in them yet."""

    async def is_behind(self) -> bool:
        """Whether there are finished games that the projection has not seen."""

    async def apply_next(self) -> str | None:
        """Add the next finished game to the projection: which one; `None` when it has seen all.

        Games come in the order in which they were finished, each once. A game without a winner, and one
        whose log cannot be read, are seen and add nothing.
        """

    async def reset(self) -> None:
        """Empty the projection, so that every game is to be applied, by today's version of the figures."""

    async def is_outdated(self) -> bool:
        """Whether another version of the figures has written the projection."""

    async def fingerprint(self) -> str:
        """A digest of every row of the projection."""


class StandingsQueries(Protocol):
    """Results and ratings as the projection has them."""

    async def appearances(self, user: int, guild: int | None) -> tuple[Appearance, ...]:
        """The person's games in the order of finishing; in the server, or everywhere for `None`.

        Only games between people: a game with a computer in it counts apart.
        """

    async def against_computers(self, user: int, guild: int | None) -> dict[Level, Record]:
        """The person's games with a computer, by the strongest level that sat at the table."""

    async def ratings(self, user: int, guild: int) -> dict[Kind, Rating]:
        """The person's ratings in the server, where there are any."""

    async def rating_changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """By seat: what the game did to the ratings; empty for a game that the projection has not seen.

        `None` for a seat of a game that is not rated.
        """

    async def servers(self, user: int) -> tuple[tuple[int, str], ...]:
        """The servers in which the person has finished games against people, each with its last known name.

        Those of the latest games come first, and ten at most.
        """

    async def tallies(self, guild: int, board: Board, span: Span) -> tuple[Tally, ...]:
        """Everybody's games in the server that count on the board, in the span that is now."""

    def now(self) -> datetime:
        """The store's time, in UTC: it decides which month is now."""


class PeopleData(Protocol):
    """What is kept about one person, and what they asked for."""

    async def is_hidden(self, user: int) -> bool:
        """Whether the person stands on no leaderboard."""

    async def set_hidden(self, user: int, *, hidden: bool) -> None:
        """Remember whether the person stands on leaderboards."""

    async def everything_about(self, user: int) -> dict[str, Any]:
        """All that is kept about the person, as plain JSON values."""

    async def open_games(self, user: int) -> tuple[str, ...]:
        """The person's tables that gather or play, and those that they called for."""

    async def forget(self, user: int) -> tuple[str, ...]:
        """Put nobody in the person's place everywhere; tables still open are called off. Which games."""

    async def scrub(self) -> None:
        """Take what was deleted out of the file itself, if anything was since the last time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The three together, as one database has them."""

    projection: ProjectionStore
    queries: StandingsQueries
    people: PeopleData
