"""The standings' interface to a store, in three protocols with a contract suite each.

- `ProjectionStore`: finished games in their order, and the projection that is computed from them.
- `StandingsQueries`: reads from the projection, for display.
- `PeopleData`: a person's data: exports, hides and deletes it.

Every call is one transaction and may raise `StoreUnavailable`; then nothing changed, unless it is an
`OutcomeUnknown`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.standings.careers import Career, OtherGame, Record, Rivalry
from bot.standings.history import History
from bot.standings.leaderboards import Board, Leaderboard, Span
from bot.standings.milestones import Milestone
from bot.standings.ratings import Kind, Rating
from bot.standings.results import SeatRating
from bot.standings.seasons import Season, SeasonBoard
from bot.standings.wall import Wall
from engine.computer import Level

LARGEST_FILE = 10_000_000
"""Size limit (bytes) of an export file: Discord takes 10 MiB from a bot (`discord.Guild.filesize_limit`)."""


class ProjectionStore(Protocol):
    """The projection, and the finished games that it lacks."""

    async def is_behind(self) -> bool:
        """True if the projection lacks finished games."""

    async def apply_next(self) -> str | None:
        """Apply the next finished game to the projection, and return its id; `None` if there is none.

        Games are applied in the order of finishing, each once. A game without a winner, or with an unreadable
        log, counts as applied and adds nothing.
        """

    async def is_outdated(self) -> bool:
        """True if the projection must be rebuilt: another version of the figures has written it."""

    async def invalidate(self) -> None:
        """Mark the projection for a rebuild, whatever version has written it."""

    async def recount(self) -> bool:
        """Take one small step of rebuilding an outdated projection. True if there is more to do.

        Readers see the old projection until the last step, which swaps in the new one. Games that end in the
        meantime are applied to both.
        """

    async def fingerprint(self) -> str:
        """A digest of everything that readers see."""


class StandingsQueries(Protocol):
    """Queries on the projection."""

    async def career(self, user: int, guild: int | None) -> Career:
        """The sum of the person's games between people, in the server or, for `None`, everywhere."""

    async def rivalry(self, first: int, second: int, guild: int) -> Rivalry:
        """The first person's games against the second in the server."""

    async def rivalry_in(self, first: int, second: int, channel: int) -> Rivalry:
        """The first person's games against the second in a channel without the bot."""

    async def against_computers(self, user: int, guild: int | None) -> dict[Level, Record]:
        """The person's games with a computer, by the strongest level at the table."""

    async def ratings(self, user: int, guild: int) -> dict[Kind, Rating]:
        """The person's ratings in the server, without the kinds that they have none in."""

    async def rating_changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """By seat: the game's change of the rating, or `None` if the game is not rated.

        Empty for a game that the projection lacks.
        """

    async def milestones(self, game: str) -> tuple[tuple[Milestone, ...], ...]:
        """By seat: the milestones that the person there reached with that game.

        Empty for a game that the projection lacks, and for a variant.
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
        """A page of finished games in the server, newest first: the person's, or, for `None`, everybody's.

        The page is next to the game with the number `before` or `after`, else it is the first one. Without a
        server it has the asker's own games everywhere. A game of a hidden player is listed only for its own
        players. With `is_cancelled` it is a page of games that began and were cancelled.
        """

    async def rating_course(self, user: int, guild: int, kind: Kind) -> tuple[int, ...]:
        """The person's shown rating, before and after each of their last `COURSE` rated games.

        Empty without a rating.
        """

    async def wall(self, guild: int, page: int = 0) -> Wall:
        """A page of the server's wall, without hidden players; the last one if there are fewer."""

    async def other_games(self, user: int, guild: int | None) -> dict[OtherGame, Record]:
        """The person's games with records of their own, in the server or everywhere, most played first."""

    async def slams(self, user: int, guild: int | None) -> int:
        """The number of the person's grand slams in the server, or everywhere."""

    async def season(self, guild: int, month: int | None = None) -> Season:
        """The server's season of that month, or of the one under way, without hidden players."""

    async def season_board(self, guild: int, month: int, page: int = 0) -> SeasonBoard:
        """A page of the month's leaderboard, without hidden players; the last one if there are fewer."""

    async def months_played(self, guild: int) -> tuple[int, ...]:
        """The months in which games between people were finished in the server, the newest first."""

    async def champions(self, guild: int) -> tuple[Season, ...]:
        """The server's last closed seasons that somebody won, the newest first, of a year at most."""

    async def servers(self, user: int) -> tuple[tuple[int, str], ...]:
        """The servers in which the person has finished games against people, with their last known names.

        At most ten, in order of the latest game.
        """

    async def leaderboard(
        self, guild: int, board: Board, span: Span, *, asker: int, page: int = 0
    ) -> Leaderboard:
        """A page of the server's ranked players in the current span; the last one if there are fewer."""

    def now(self) -> datetime:
        """The store's time, in UTC, which decides the current month."""


class PeopleData(Protocol):
    """A person's data: visibility, export and deletion."""

    async def is_hidden(self, user: int) -> bool:
        """True if the person is hidden from leaderboards."""

    async def set_hidden(self, user: int, *, hidden: bool) -> None:
        """Hide the person from leaderboards, or show them again."""

    async def export(self, user: int, directory: Path) -> tuple[Path, ...]:
        """Write everything stored about the person into files in `directory`, and return them in order.

        One file of JSON, or several compressed by gzip, each a whole document of at most `LARGEST_FILE`. It
        may take seconds, in little memory, and blocks no other call.
        """

    async def open_games(self, user: int) -> tuple[str, ...]:
        """The open tables at which the person sits, or which they host."""

    async def forget(self, user: int) -> tuple[str, ...]:
        """Begin to delete the person's data: they are on no leaderboard from now on.

        Cancels their open tables, and ends calls of them to others' tables; returns the ids of both.
        `forget_more` does the rest, also after a crash.
        """

    async def order_to_forget(self, user: int) -> None:
        """Note that the running bot is to delete the person's data (`ordered`); `forget` takes it back."""

    async def ordered(self) -> tuple[int, ...]:
        """The people whose data the running bot is to delete."""

    async def keep_deletions(self) -> None:
        """Bring the noted deletions in the database and in its file (`bot.store.deletions`) into agreement.

        Orders those again that the database, an older copy, does not know of.
        """

    async def is_leaving(self, user: int) -> bool:
        """True while the deletion of the person's data is ordered, or not complete."""

    async def forget_more(self) -> tuple[str, ...] | None:
        """Replace leaving people in some of their games, and return those; `None` when all is done."""

    async def scrub(self) -> None:
        """Erase deleted data from the database's files, if there is any since the last time.

        Raises `StoreUnavailable`, too, while a long read blocks it; then call it again later.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The standings of one database."""

    projection: ProjectionStore
    queries: StandingsQueries
    people: PeopleData
