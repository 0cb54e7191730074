"""The standings' interface to a store, in four protocols with a contract suite each.

- `ProjectionStore`: finished games in their order, and the projection that is computed from them.
- `StandingsQueries`: reads from the projection, for display.
- `PeopleData`: a person's data: exports, hides and deletes it.
- `DailyHands` (in `bot.features.daily.hands`): the hand of each day, and how people fared with it.

Every call is one transaction and may raise `StoreUnavailable`; then nothing changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.features.daily.hands import DailyHands
from bot.standings.careers import Career, Record, Rivalry
from bot.standings.history import History
from bot.standings.leaderboards import Board, Leaderboard, Span
from bot.standings.ratings import Kind, Rating
from bot.standings.results import SeatRating
from bot.standings.wall import Wall
from engine.computer import Level

LARGEST_FILE = 10_000_000
"""Bytes of a file of an export: Discord takes 10 MiB from a bot (`discord.Guild.filesize_limit`)."""


class ProjectionStore(Protocol):
    """The projection's tables, and the finished games that are not in them yet."""

    async def is_behind(self) -> bool:
        """True if the projection lacks finished games."""

    async def apply_next(self) -> str | None:
        """Add the next finished game to the projection: which one; `None` when it has seen all.

        Games come in the order in which they were finished, each once. A game without a winner, and one
        whose log cannot be read, are seen and add nothing.
        """

    async def is_outdated(self) -> bool:
        """True if the projection must be rebuilt: another version of the figures has written it."""

    async def invalidate(self) -> None:
        """Mark the projection for a rebuild, whatever version has written it."""

    async def recount(self) -> bool:
        """Take one small step of computing an outdated projection again; whether anything is left to do.

        What is read stays as it was until the last step, which replaces all of it. Games that end meanwhile
        are in both.
        """

    async def fingerprint(self) -> str:
        """A digest of all that is read."""


class StandingsQueries(Protocol):
    """Results and ratings as the projection has them."""

    async def career(self, user: int, guild: int | None) -> Career:
        """The person's games together; in the server, or everywhere for `None`.

        Only games between people: a game with a computer in it counts apart.
        """

    async def rivalry(self, first: int, second: int, guild: int) -> Rivalry:
        """The first person's games against the second in the server."""

    async def against_computers(self, user: int, guild: int | None) -> dict[Level, Record]:
        """The person's games with a computer, by the strongest level that sat at the table."""

    async def ratings(self, user: int, guild: int) -> dict[Kind, Rating]:
        """The person's ratings in the server, where there are any."""

    async def rating_changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """By seat: what the game did to the ratings; empty for a game that the projection has not seen.

        `None` for a seat of a game that is not rated.
        """

    async def history(
        self,
        user: int | None,
        guild: int | None,
        *,
        asker: int,
        before: int | None = None,
        after: int | None = None,
        is_cancelled: bool = False,
    ) -> History:
        """A page of the person's finished games in the server, or of everybody's for `None`, newest first.

        It has those next to the game with the number `before` or `after`, else the newest. Without a server
        they are those of all servers and of none that the asker has played. A game of somebody who hides is
        listed for those alone who played in it. With `is_cancelled` it is a page of games that had begun and
        were cancelled.
        """

    async def rating_course(self, user: int, guild: int, kind: Kind) -> tuple[int, ...]:
        """The person's rating, as players read it, before and after each of their last `COURSE` rated games.

        Empty for somebody without one.
        """

    async def wall(self, guild: int, page: int = 0) -> Wall:
        """A page of the server's wall; the last one if there are fewer. Who hides is left out."""

    async def servers(self, user: int) -> tuple[tuple[int, str], ...]:
        """The servers in which the person has finished games against people, each with its last known name.

        Those of the latest games come first, and ten at most.
        """

    async def leaderboard(
        self, guild: int, board: Board, span: Span, *, asker: int, page: int = 0
    ) -> Leaderboard:
        """A page of the server's players in order, in the span that is now; the last if there are fewer."""

    def now(self) -> datetime:
        """The store's time, in UTC: it decides which month is now."""


class PeopleData(Protocol):
    """A person's data, and their wishes about it."""

    async def is_hidden(self, user: int) -> bool:
        """True if the person is hidden from leaderboards."""

    async def set_hidden(self, user: int, *, hidden: bool) -> None:
        """Remember whether the person stands on leaderboards."""

    async def export(self, user: int, directory: Path) -> tuple[Path, ...]:
        """Write all that is kept about the person into files in `directory`; they are read in this order.

        Each is whole by itself, and no longer than `LARGEST_FILE`: one with JSON, or several that are
        compressed by gzip. It takes as long as it takes, in little memory, and nobody waits for it.
        """

    async def open_games(self, user: int) -> tuple[str, ...]:
        """The person's tables that gather or play, and those that they called for."""

    async def forget(self, user: int) -> tuple[str, ...]:
        """Begin to put nobody in the person's place; from now on they are on no board.

        Tables still open are called off, and nobody is called to others: which. The rest is done by
        `forget_more`, after a crash too.
        """

    async def forget_more(self) -> tuple[str, ...] | None:
        """Put nobody in place of people in some of their games: in which; `None` when all is done."""

    async def scrub(self) -> None:
        """Take what was deleted out of the database's files, if anything was since the last time.

        Raises `StoreUnavailable` too while somebody else reads them for long; then it is to be done again.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """All of them together, as one database has them."""

    projection: ProjectionStore
    queries: StandingsQueries
    people: PeopleData
    daily: DailyHands
