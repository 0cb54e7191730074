"""Club events in the SQLite file, and what is done with them when a person or a server is forgotten."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.features.clubs.event import MOST_ENTRANTS, Entrant, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.pairings import Round
from bot.model.errors import ClubFull, ClubTaken, ClubUnderWay, NoClub
from bot.store import club_rows
from bot.store.sqlite.database import Database
from engine.computer import Level

_OPEN = "phase IN ('gathering', 'playing')"


log = logging.getLogger(__name__)


class SqliteClubs:
    """The `ClubStore` of a database that a store has opened, and closes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def organisers(self, guild: int) -> int | None:
        """See `ClubStore.organisers`."""

        def work(connection: sqlite3.Connection) -> int | None:
            row = connection.execute("SELECT role FROM club_organisers WHERE guild = ?", (guild,)).fetchone()
            return None if row is None else int(row["role"])

        return await self._database.read(work)

    async def name_organisers(self, guild: int, role: int | None) -> None:
        """See `ClubStore.name_organisers`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM club_organisers WHERE guild = ?", (guild,))
            if role is not None:
                connection.execute("INSERT INTO club_organisers (guild, role) VALUES (?, ?)", (guild, role))

        await self._database.write(work)

    async def open(self, event: Event) -> Event:
        """See `ClubStore.open`."""

        def work(connection: sqlite3.Connection) -> Event:
            taken = f"SELECT id FROM clubs WHERE channel = ? AND {_OPEN}"  # noqa: S608 -- SQL of our own
            for row in connection.execute(taken, (event.channel,)).fetchall():
                if _readable(connection, row["id"]) is not None:
                    raise ClubTaken
                connection.execute("UPDATE clubs SET phase = 'closed' WHERE id = ?", (row["id"],))
            columns = club_rows.columns_of(event)
            made = connection.execute(
                f"INSERT INTO clubs ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",  # noqa: S608 -- names of ours
                tuple(columns.values()),
            )
            return _event(connection, int(made.lastrowid or 0))

        return await self._database.write(work)

    async def event(self, number: int) -> Event:
        """See `ClubStore.event`."""
        return await self._database.read(lambda connection: _event(connection, number))

    async def event_in(self, channel: int) -> Event | None:
        """See `ClubStore.event_in`."""

        def work(connection: sqlite3.Connection) -> Event | None:
            row = connection.execute(
                """
                SELECT id FROM clubs
                WHERE channel = :channel OR id IN (SELECT club FROM club_pairings WHERE thread = :channel)
                ORDER BY phase IN ('gathering', 'playing') DESC, id DESC LIMIT 1
                """,
                {"channel": channel},
            ).fetchone()
            return None if row is None else _readable(connection, row["id"])

        return await self._database.read(work)

    async def open_events(self) -> tuple[Event, ...]:
        """See `ClubStore.open_events`."""

        def work(connection: sqlite3.Connection) -> tuple[Event, ...]:
            found = f"SELECT id FROM clubs WHERE {_OPEN} ORDER BY id"  # noqa: S608 -- SQL of our own
            read = (_readable(connection, row["id"]) for row in connection.execute(found).fetchall())
            return tuple(each for each in read if each is not None)

        return await self._database.read(work)

    async def note_message(self, number: int, message: int) -> Event:
        """See `ClubStore.note_message`."""
        return await self._change(number, "UPDATE clubs SET message = ? WHERE id = ?", message, number)

    async def enter(self, number: int, user: int, name: str, presence: Presence) -> Event:
        """See `ClubStore.enter`."""

        def work(connection: sqlite3.Connection) -> Event:
            event = _event(connection, number)
            if event.phase not in {Phase.GATHERING, Phase.PLAYING}:
                raise NoClub
            known = event.entrant_of(user)
            if presence is Presence.SIGNED and event.phase is Phase.PLAYING:
                raise ClubUnderWay
            if known is not None and (known.presence, presence) == (Presence.HERE, Presence.SIGNED):
                return event
            if known is not None:
                connection.execute(
                    """
                    UPDATE club_entrants SET name = ?, presence = ?, level = NULL
                    WHERE club = ? AND number = ?
                    """,
                    (name, presence.value, number, known.number),
                )
                if presence is Presence.LEFT and event.phase is Phase.GATHERING:
                    _end_team(connection, number, known.number)
            elif presence is not Presence.LEFT:
                if len(event.entrants) >= MOST_ENTRANTS:
                    raise ClubFull
                entrant = Entrant(number=len(event.entrants) + 1, user=user, name=name, presence=presence)
                _insert(connection, number, entrant)
            return _event(connection, number)

        return await self._database.write(work)

    async def choose_partner(self, number: int, user: int, partner: int | None) -> Event:
        """See `ClubStore.choose_partner`."""

        def work(connection: sqlite3.Connection) -> Event:
            ends, begins = club_rows.team_with(_event(connection, number), user, partner)
            _end_team(connection, number, ends)
            if begins is not None:
                captain, other = begins
                _set_captains(connection, number, {other: captain})
            return _event(connection, number)

        return await self._database.write(work)

    async def substitute(self, number: int, user: int, level: Level) -> Event:
        """See `ClubStore.substitute`."""

        def work(connection: sqlite3.Connection) -> Event:
            if _event(connection, number).phase not in {Phase.GATHERING, Phase.PLAYING}:
                raise NoClub
            connection.execute(
                "UPDATE club_entrants SET level = ?, presence = 'here' WHERE club = ? AND user = ?",
                (level.value, number, user),
            )
            return _event(connection, number)

        return await self._database.write(work)

    async def begin_round(
        self,
        number: int,
        after: int,
        new: Sequence[Entrant],
        pairs: Round,
        due: int,
        *,
        captains: Mapping[int, int | None] | None = None,
    ) -> Event:
        """See `ClubStore.begin_round`."""

        def work(connection: sqlite3.Connection) -> Event:
            event = _event(connection, number)
            if new and new[0].number != len(event.entrants) + 1:
                return event
            begun = connection.execute(
                f"""
                UPDATE clubs SET phase = 'playing', round = round + 1, due = ?, reminded = 0
                WHERE id = ? AND round = ? AND {_OPEN}
                """,  # noqa: S608 -- SQL of our own
                (due, number, after),
            )
            if begun.rowcount:
                for entrant in new:
                    _insert(connection, number, entrant)
                _set_captains(connection, number, captains or {})
                connection.executemany(
                    "INSERT INTO club_pairings (club, round, place, home, away) VALUES (?, ?, ?, ?, ?)",
                    [(number, after + 1, place, *pair) for place, pair in enumerate(pairs, 1)],
                )
            return _event(connection, number)

        return await self._database.write(work)

    async def note_thread(self, number: int, pairing: Pairing, thread: int) -> Event:
        """See `ClubStore.note_thread`."""
        return await self._change_pairing(number, pairing, "thread = ?", thread)

    async def note_game(self, number: int, pairing: Pairing, game: str) -> Event:
        """See `ClubStore.note_game`."""
        return await self._change_pairing(number, pairing, "game = ?", game, only="AND game IS NULL")

    async def settle(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """See `ClubStore.settle`."""
        return await self._change_pairing(
            number,
            pairing,
            "ended = ?, winner = ?, home_score = ?, away_score = ?, corrected = ?",
            outcome.ended.value,
            outcome.winner,
            *outcome.scores,
            outcome.corrected,
            only="" if outcome.corrected else "AND ended IS NULL",
        )

    async def note_reminder(self, number: int, after: int, due: int) -> Event:
        """See `ClubStore.note_reminder`."""
        return await self._change(
            number, "UPDATE clubs SET reminded = 1, due = ? WHERE id = ? AND round = ?", due, number, after
        )

    async def end(self, number: int, phase: Phase) -> Event:
        """See `ClubStore.end`."""
        statement = f"UPDATE clubs SET phase = ? WHERE id = ? AND {_OPEN}"  # noqa: S608 -- SQL of our own
        return await self._change(number, statement, phase.value, number)

    async def _change_pairing(
        self, number: int, pairing: Pairing, changes: str, *values: object, only: str = ""
    ) -> Event:
        # The changes are SQL of this module's own.
        statement = f"UPDATE club_pairings SET {changes} WHERE club = ? AND round = ? AND place = ? {only}"  # noqa: S608
        return await self._change(number, statement, *values, number, pairing.round, pairing.table)

    async def _change(self, number: int, statement: str, *values: object) -> Event:
        def work(connection: sqlite3.Connection) -> Event:
            connection.execute(statement, values)
            return _event(connection, number)

        return await self._database.write(work)


def known_of(connection: sqlite3.Connection, user: int) -> list[dict[str, Any]]:
    """What is kept about the person, for their export: nobody else's name."""
    found = []
    for row in connection.execute(
        "SELECT club, number FROM club_entrants WHERE user = ? ORDER BY club", (user,)
    ).fetchall():
        event = _readable(connection, row["club"])
        if event is not None:
            found.append(club_rows.known_about(event, row["number"]))
    return found


def names_of(connection: sqlite3.Connection, user: int) -> set[str]:
    """The names with which the person has signed up."""
    rows = connection.execute("SELECT DISTINCT name FROM club_entrants WHERE user = ?", (user,))
    return {row["name"] for row in rows.fetchall()}


def forget_person(connection: sqlite3.Connection, user: int, new_nobody: Callable[[], int]) -> None:
    """Put nobody in the person's place, another one in each event; where it goes on, they have left it."""
    rows = "SELECT club, number, phase FROM club_entrants JOIN clubs ON id = club WHERE user = ?"
    for row in connection.execute(rows, (user,)).fetchall():
        if row["phase"] == Phase.GATHERING.value:
            _end_team(connection, row["club"], row["number"])
        connection.execute(
            "UPDATE club_entrants SET user = ?, name = '', presence = 'left' WHERE club = ? AND user = ?",
            (new_nobody(), row["club"], user),
        )


def forget_server(connection: sqlite3.Connection, guild: int) -> None:
    """Delete all events of the server, and who runs them there."""
    connection.execute("DELETE FROM clubs WHERE guild = ?", (guild,))
    connection.execute("DELETE FROM club_organisers WHERE guild = ?", (guild,))


def servers(connection: sqlite3.Connection) -> set[int]:
    """The servers of which something is kept here."""
    found = connection.execute("SELECT guild FROM clubs UNION SELECT guild FROM club_organisers")
    return {guild for (guild,) in found}


def _end_team(connection: sqlite3.Connection, club: int, number: int) -> None:
    """Nobody is that entrant's partner."""
    connection.execute(
        "UPDATE club_entrants SET captain = NULL WHERE club = ? AND (number = ? OR captain = ?)",
        (club, number, number),
    )


def _set_captains(connection: sqlite3.Connection, club: int, captains: Mapping[int, int | None]) -> None:
    connection.executemany(
        "UPDATE club_entrants SET captain = ? WHERE club = ? AND number = ?",
        [(captain, club, number) for number, captain in captains.items()],
    )


def _insert(connection: sqlite3.Connection, number: int, entrant: Entrant) -> None:
    connection.execute(
        "INSERT INTO club_entrants (club, number, user, name, level, presence) VALUES (?, ?, ?, ?, ?, ?)",
        club_rows.entrant_row(number, entrant),
    )


def _readable(connection: sqlite3.Connection, number: int) -> Event | None:
    """The event, unless a value of it is damaged, which is said in the log."""
    try:
        return _event(connection, number)
    except NoClub:
        log.warning("club event %d cannot be read, and is set aside", number)
        return None


def _event(connection: sqlite3.Connection, number: int) -> Event:
    """The event. Raises `NoClub` for one that there is not, and for one that makes no sense."""
    entrants = "SELECT * FROM club_entrants WHERE club = ? ORDER BY number"
    pairings = "SELECT * FROM club_pairings WHERE club = ? ORDER BY round, place"
    return club_rows.event_of(
        connection.execute("SELECT * FROM clubs WHERE id = ?", (number,)).fetchone(),
        connection.execute(entrants, (number,)).fetchall(),
        connection.execute(pairings, (number,)).fetchall(),
    )
