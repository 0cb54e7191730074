"""The SQL of club events."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from discord.utils import time_snowflake

from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import (
    MOST_ENTRANTS,
    Ended,
    Entrant,
    Event,
    Outcome,
    Pairing,
    Phase,
    Points,
    Presence,
)
from bot.features.clubs.pairings import Round
from bot.features.clubs.weeks import WEEK, is_too_late, next_time
from bot.model.errors import Refused
from bot.model.table_record import Agreement, Pace
from bot.standings.seasons import zone_named
from bot.store import seasons
from bot.store.clubs import end_team
from bot.store.connection import Connection, Database, Row
from engine.computer import Level

_LATEST = 1 << 40
"""Upper bound (s since 1970) of sound times."""

log = logging.getLogger(__name__)

_OPEN = "phase IN ('gathering', 'playing')"


class ClubStore:
    """Events, with their entrants, pairings and outcomes.

    Each call is one transaction; it may raise `StoreUnavailable`, and then nothing has changed, unless it is
    an `OutcomeUnknown`. Calls that return an event return it as stored afterwards, and raise `NO_EVENT` if it
    is missing or damaged.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def organisers(self, guild: int) -> int | None:
        """The role whose members run events in the server, apart from moderators."""
        statement = "SELECT role FROM club_organisers WHERE guild = $1"
        role: int | None = await self._database.read_one(
            lambda connection: connection.fetchval(statement, guild)
        )
        return role

    async def name_organisers(self, guild: int, role: int | None) -> None:
        """Set the role whose members run events; with `None`, only moderators do."""

        async def work(connection: Connection) -> None:
            await connection.execute("DELETE FROM club_organisers WHERE guild = $1", guild)
            if role is not None:
                await connection.execute(
                    "INSERT INTO club_organisers (guild, role) VALUES ($1, $2)", guild, role
                )

        await self._database.write(work)

    async def open(self, event: Event) -> Event:
        """Store a new event with a new id. Raises `TAKEN` if another is open in its channel.

        An unreadable event in the channel is closed. A weekly event takes the place of another there.
        """

        async def work(connection: Connection) -> Event:
            if not await _is_free(connection, event.channel):
                raise Refused(ClubRefusal.TAKEN)
            if event.again is not None:
                await _end_weekly(connection, event.channel)
            return await _opened(connection, event)

        return await self._database.write(work)

    async def zone(self, guild: int) -> tzinfo:
        """The time zone in which the server's weekly events keep their hour; `str` has its name."""
        return await self._database.read_one(lambda connection: _zone(connection, guild))

    async def repeat(self, number: int, again: int | None) -> tuple[int, ...]:
        """Let the next event in the channel of that one open `again`, and each week from then on.

        With `None`, none opens any more. Returns the ids of the events that were weekly before.
        """

        async def work(connection: Connection) -> tuple[int, ...]:
            event = await _event(connection, number)
            ended = await _end_weekly(connection, event.channel)
            if again is not None:
                await connection.execute("UPDATE clubs SET again = $1 WHERE id = $2", again, number)
            return ended

        return await self._database.write(work)

    async def weekly(self, now: int) -> tuple[Event, ...]:
        """Weekly events whose next one is due, or whose own message was not posted yet.

        Damaged ones are left out.
        """

        async def work(connection: Connection) -> tuple[Event, ...]:
            found = await connection.fetch(
                """
                SELECT id FROM clubs
                WHERE again IS NOT NULL AND (again <= $1 OR (phase = 'gathering' AND message IS NULL))
                ORDER BY id
                """,
                now,
            )
            events = []
            for row in found:
                with suppress(Refused):
                    events.append(await _event(connection, row["id"]))
            return tuple(events)

        return await self._database.read(work)

    async def open_next(self, number: int, due: int, now: int) -> Event | None:
        """Open the event that follows a weekly one and was `due`; it is the weekly one from then on.

        A sign-up that nobody has started is over then: the weekly one, or another that has stood in the
        channel for a week. Returns `None` if the next was opened already, is wanted no more, or its week is
        left out: it is late, the weekly one is under way, or another event is open in the channel. The next
        one after it is due in the week after `now`.
        """

        async def work(connection: Connection) -> Event | None:
            locked = "SELECT 1 FROM clubs WHERE id = $1 AND again = $2 FOR NO KEY UPDATE"
            if await connection.fetchval(locked, number, due) is None:
                return None
            event = await _event(connection, number)
            zone = await _zone(connection, event.guild)
            following, is_late = next_time(due, now, zone), is_too_late(due, now, zone)
            if not is_late:
                a_week_ago = datetime.fromtimestamp(due - WEEK, UTC)
                await _end_unstarted(connection, event, time_snowflake(a_week_ago))
            if is_late or not await _is_free(connection, event.channel):
                await connection.execute("UPDATE clubs SET again = $1 WHERE id = $2", following, number)
                return None
            await _end_weekly(connection, event.channel)
            return await _opened(connection, replace(event, phase=Phase.GATHERING, again=following))

        return await self._database.write(work)

    async def missed_before(self, event: Event) -> Event | None:
        """The event before that one in its channel, if nobody has started it."""

        async def work(connection: Connection) -> Event | None:
            statement = "SELECT max(id) FROM clubs WHERE channel = $1 AND id < $2"
            number = await connection.fetchval(statement, event.channel, event.id)
            found = None if number is None else await _readable(connection, number)
            return found if found is not None and found.was_missed else None

        return await self._database.read(work)

    async def event(self, number: int) -> Event:
        """The event with that id."""
        return await self._database.read(lambda connection: _event(connection, number))

    async def event_in(self, channel: int) -> Event | None:
        """The event that is open in that channel, or has a game in that thread; else the latest one there."""

        async def work(connection: Connection) -> Event | None:
            number = await connection.fetchval(
                """
                SELECT id FROM clubs
                WHERE channel = $1 OR id IN (SELECT club FROM club_pairings WHERE thread = $1)
                ORDER BY phase IN ('gathering', 'playing') DESC, id DESC LIMIT 1
                """,
                channel,
            )
            return None if number is None else await _readable(connection, number)

        return await self._database.read(work)

    async def open_events(self) -> tuple[Event, ...]:
        """All events that are gathering or playing."""

        async def work(connection: Connection) -> tuple[Event, ...]:
            found = await connection.fetch(f"SELECT id FROM clubs WHERE {_OPEN} ORDER BY id")  # noqa: S608 -- SQL of our own
            read = [await _readable(connection, row["id"]) for row in found]
            return tuple(each for each in read if each is not None)

        return await self._database.read(work)

    async def note_message(self, number: int, message: int) -> Event:
        """Store the message on which people sign up."""
        return await self._change(number, "UPDATE clubs SET message = $1 WHERE id = $2", message, number)

    async def enter(self, number: int, user: int, name: str, presence: Presence) -> Event:
        """Sign a person up, check them in, or take them out; the latest call wins.

        Leaving without having signed up enters nobody. Leaving before the start ends the person's team.
        Signing up after checking in changes nothing. Raises `NO_EVENT` if the event is over, `FULL`, and
        `UNDER_WAY` for signing up after the start.
        """

        async def work(connection: Connection) -> None:
            event = await _event(connection, number)
            if event.phase not in {Phase.GATHERING, Phase.PLAYING}:
                raise Refused(ClubRefusal.NO_EVENT)
            known = event.entrant_of(user)
            if presence is Presence.SIGNED and event.phase is Phase.PLAYING:
                raise Refused(ClubRefusal.UNDER_WAY)
            if known is not None and (known.presence, presence) == (Presence.HERE, Presence.SIGNED):
                return
            if known is not None:
                await connection.execute(
                    """
                    UPDATE club_entrants SET name = $1, presence = $2, level = NULL
                    WHERE club = $3 AND number = $4
                    """,
                    *(name, presence.value, number, known.number),
                )
                if presence is Presence.LEFT and event.phase is Phase.GATHERING:
                    await end_team(connection, number, known.number)
            elif presence is not Presence.LEFT:
                if len(event.entrants) >= MOST_ENTRANTS:
                    raise Refused(ClubRefusal.FULL)
                entrant = Entrant(number=len(event.entrants) + 1, user=user, name=name, presence=presence)
                await _insert(connection, number, [entrant])

        return await self._changed(number, work)

    async def choose_partner(self, number: int, user: int, partner: int | None) -> Event:
        """Make a team of two people who have signed up; with `None`, end the team of `user`.

        Raises `NO_EVENT`, `UNDER_WAY` after the start, `SINGLES`, `NOT_ENTERED` if either has not signed up,
        and `PARTNER_TAKEN` if either is in another team.
        """

        async def work(connection: Connection) -> None:
            ends, begins = _team_with(await _event(connection, number), user, partner)
            await end_team(connection, number, ends)
            if begins is not None:
                captain, other = begins
                await _set_captains(connection, number, {other: captain})

        return await self._changed(number, work)

    async def substitute(self, number: int, user: int, level: Level) -> Event:
        """Let the computer play for an entrant until they check in again.

        No effect for anybody who has not signed up. Raises `NO_EVENT` if the event is over.
        """

        async def work(connection: Connection) -> None:
            if (await _event(connection, number)).phase not in {Phase.GATHERING, Phase.PLAYING}:
                raise Refused(ClubRefusal.NO_EVENT)
            await connection.execute(
                "UPDATE club_entrants SET level = $1, presence = 'here' WHERE club = $2 AND \"user\" = $3",
                *(level.value, number, user),
            )

        return await self._changed(number, work)

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
        """Begin the round that follows `after`, with `new` computers, and new `captains` by number.

        No effect if the current round is not `after`, if the event is over, or if somebody who signed up
        concurrently has taken the number of a new computer.
        """

        async def work(connection: Connection) -> None:
            event = await _event(connection, number)
            if new and new[0].number != len(event.entrants) + 1:
                return
            first = event.begun if after else max(0, due - event.hours * 3600)
            begun = await connection.fetchval(
                f"""
                UPDATE clubs SET phase = 'playing', round = round + 1, due = $1, reminded = false, begun = $4
                WHERE id = $2 AND round = $3 AND {_OPEN} RETURNING 1
                """,  # noqa: S608 -- SQL of our own
                *(due, number, after, first),
            )
            if begun is not None:
                await _insert(connection, number, new)
                await _set_captains(connection, number, captains or {})
                await connection.executemany(
                    "INSERT INTO club_pairings (club, round, place, home, away) VALUES ($1, $2, $3, $4, $5)",
                    [(number, after + 1, place, *pair) for place, pair in enumerate(pairs, 1)],
                )

        return await self._changed(number, work)

    async def note_thread(self, number: int, pairing: Pairing, thread: int) -> Event:
        """Store the thread of the pairing."""
        return await self._change_pairing(number, pairing, "thread = $4", thread)

    async def note_game(self, number: int, pairing: Pairing, game: str) -> Event:
        """Store the id of the pairing's game, before its table is opened. A stored id is never replaced."""
        return await self._change_pairing(number, pairing, "game = $4", game, only="AND game IS NULL")

    async def replace_game(self, number: int, pairing: Pairing, game: str) -> Event:
        """Store the id of another game in place of the pairing's, which was put away without an outcome.

        No effect if another has taken its place already.
        """
        return await self._change_pairing(
            number, pairing, "game = $4", game, pairing.game, only="AND game = $5 AND ended IS NULL"
        )

    async def settle(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """Store the outcome of a pairing. Only a correction replaces a stored outcome."""
        return await self._change_pairing(
            number,
            pairing,
            "ended = $4, winner = $5, home_score = $6, away_score = $7, corrected = $8",
            outcome.ended.value,
            outcome.winner,
            *outcome.scores,
            outcome.corrected,
            only="" if outcome.corrected else "AND ended IS NULL",
        )

    async def note_reminder(self, number: int, after: int, due: int) -> Event:
        """Store that the round's reminder was sent, and the round's deadline."""
        statement = "UPDATE clubs SET reminded = true, due = $3 WHERE id = $1 AND round = $2"
        return await self._change(number, statement, number, after, due)

    async def end(self, number: int, phase: Phase) -> Event:
        """End an open event; no effect on one that has ended."""
        statement = f"UPDATE clubs SET phase = $1 WHERE id = $2 AND {_OPEN}"  # noqa: S608 -- SQL of our own
        return await self._change(number, statement, phase.value, number)

    async def _change_pairing(
        self, number: int, pairing: Pairing, changes: str, *values: object, only: str = ""
    ) -> Event:
        # The changes are SQL of this module's own.
        statement = f"UPDATE club_pairings SET {changes} WHERE club = $1 AND round = $2 AND place = $3 {only}"  # noqa: S608
        return await self._change(number, statement, number, pairing.round, pairing.table, *values)

    async def _change(self, number: int, statement: str, *values: object) -> Event:
        return await self._changed(number, lambda connection: connection.execute(statement, *values))

    async def _changed(self, number: int, work: Callable[[Connection], Awaitable[object]]) -> Event:
        """Do `work` while the event's row is locked, and return the event as it is then."""

        async def change(connection: Connection) -> Event:
            await connection.execute("SELECT 1 FROM clubs WHERE id = $1 FOR NO KEY UPDATE", number)
            await work(connection)
            return await _event(connection, number)

        return await self._database.write(change)


async def _is_free(connection: Connection, channel: int) -> bool:
    """True if no event is open in the channel, of which an unreadable one is closed."""
    taken = f"SELECT id FROM clubs WHERE channel = $1 AND {_OPEN}"  # noqa: S608 -- SQL of our own
    for row in await connection.fetch(taken, channel):
        if await _readable(connection, row["id"]) is not None:
            return False
        await connection.execute("UPDATE clubs SET phase = 'closed' WHERE id = $1", row["id"])
    return True


async def _end_weekly(connection: Connection, channel: int) -> tuple[int, ...]:
    """Let no event follow those of the channel; returns the ids of the weekly ones."""
    statement = "UPDATE clubs SET again = NULL WHERE channel = $1 AND again IS NOT NULL RETURNING id"
    return tuple(row["id"] for row in await connection.fetch(statement, channel))


async def _end_unstarted(connection: Connection, weekly: Event, before: int) -> None:
    """End an unstarted sign-up in the channel: `weekly`, or one posted before that message id."""
    await connection.execute(
        """
        UPDATE clubs SET phase = 'over'
        WHERE channel = $1 AND phase = 'gathering' AND (id = $2 OR message < $3)
        """,
        weekly.channel,
        weekly.id,
        before,
    )


async def _zone(connection: Connection, guild: int) -> tzinfo:
    """The server's time zone; UTC for a name that no longer exists."""
    return zone_named((await seasons.calendar(connection, guild)).chosen) or UTC


async def _opened(connection: Connection, event: Event) -> Event:
    """A new event with the terms of `event`, as stored."""
    columns = _columns_of(event)
    places = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
    number = await connection.fetchval(
        f"INSERT INTO clubs ({', '.join(columns)}) VALUES ({places}) RETURNING id",  # noqa: S608 -- names of ours
        *columns.values(),
    )
    return await _event(connection, number)


async def _set_captains(connection: Connection, club: int, captains: Mapping[int, int | None]) -> None:
    await connection.executemany(
        "UPDATE club_entrants SET captain = $1 WHERE club = $2 AND number = $3",
        [(captain, club, number) for number, captain in captains.items()],
    )


async def _insert(connection: Connection, number: int, entrants: Sequence[Entrant]) -> None:
    await connection.executemany(
        """
        INSERT INTO club_entrants (club, number, "user", name, level, presence)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        [_entrant_row(number, each) for each in entrants],
    )


async def _readable(connection: Connection, number: int) -> Event | None:
    """The event; `None`, and a line in the log, for a damaged one."""
    try:
        return await _event(connection, number)
    except Refused:
        log.warning("club event %d cannot be read, and is set aside", number)
        return None


async def _event(connection: Connection, number: int) -> Event:
    """The event. Raises `NO_EVENT` for an unknown or a damaged one."""
    return event_of(
        await connection.fetchrow("SELECT * FROM clubs WHERE id = $1", number),
        await connection.fetch("SELECT * FROM club_entrants WHERE club = $1 ORDER BY number", number),
        await connection.fetch("SELECT * FROM club_pairings WHERE club = $1 ORDER BY round, place", number),
    )


def _columns_of(event: Event) -> dict[str, object]:
    """A new event's row, by column."""
    return {
        "guild": event.guild,
        "channel": event.channel,
        "place": event.place,
        "name": event.name,
        "phase": event.phase.value,
        "preset": event.agreement.preset,
        "pace": event.agreement.pace.value,
        "points": event.points.value,
        "rounds": event.rounds,
        "hours": event.hours,
        "fill": event.fill,
        "level": event.level.value,
        "language": event.language,
        "partners": event.partners,
        "again": event.again,
    }


def _entrant_row(number: int, entrant: Entrant) -> tuple[int, int, int | None, str, str | None, str]:
    """An entrant's row: club, number, user, name, level and presence."""
    level = entrant.level and entrant.level.value
    return number, entrant.number, entrant.user, entrant.name, level, entrant.presence.value


def event_of(row: Row | None, entrants: Iterable[Row], pairings: Iterable[Row]) -> Event:
    """The event. Raises `NO_EVENT` for an unknown or a damaged one."""
    if row is None:
        raise Refused(ClubRefusal.NO_EVENT)
    try:
        event = _unchecked_event(row, entrants, pairings)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise Refused(ClubRefusal.NO_EVENT) from None
    numbers = [each.number for each in event.entrants]
    players = [each for pairing in event.pairings for each in pairing.players]
    winners = [
        (each.outcome.winner, each.players)
        for each in event.pairings
        if each.outcome is not None and each.outcome.winner is not None
    ]
    partners = [(each.number, each.captain) for each in event.entrants if each.captain is not None]
    led = {captain for _, captain in partners}
    is_sound = (
        numbers == list(range(1, len(numbers) + 1))
        and led <= set(numbers) - {number for number, _ in partners}
        and len(led) == len(partners)
        and (event.partners or not partners)
        and all(each in numbers for each in players)
        and all(len(event.team(each)) == event.agreement.players // 2 for each in players)
        and all(winner in those for winner, those in winners)
        and min(event.round, event.due, event.hours, event.rounds, event.begun, event.again or 0) >= 0
        and max(event.due, event.begun, event.again or 0) < _LATEST
    )
    if not is_sound:
        raise Refused(ClubRefusal.NO_EVENT)
    return event


def _team_with(event: Event, user: int, partner: int | None) -> tuple[int, tuple[int, int] | None]:
    """The person's number, whose team is dissolved, and the numbers, captain first, of the new team.

    Without a partner there is no new team. Raises `NO_EVENT`, `SINGLES`, `UNDER_WAY`, `NOT_ENTERED`
    and `PARTNER_TAKEN`.
    """
    if event.phase not in {Phase.GATHERING, Phase.PLAYING}:
        raise Refused(ClubRefusal.NO_EVENT)
    if not event.partners:
        raise Refused(ClubRefusal.SINGLES)
    if event.phase is Phase.PLAYING:
        raise Refused(ClubRefusal.UNDER_WAY)
    one = event.entrant_of(user)
    other = None if partner is None else event.entrant_of(partner)
    if one is None or (other is None and partner is not None) or other == one:
        raise Refused(ClubRefusal.NOT_ENTERED)
    if other is None:
        return one.number, None
    if other.presence is Presence.LEFT:
        raise Refused(ClubRefusal.NOT_ENTERED)
    team = {each.number for each in event.team(event.side_of(other.number))}
    if not team <= {one.number, other.number}:
        raise Refused(ClubRefusal.PARTNER_TAKEN)
    return one.number, (min(one.number, other.number), max(one.number, other.number))


def _unchecked_event(row: Row, entrants: Iterable[Row], pairings: Iterable[Row]) -> Event:
    return Event(
        id=row["id"],
        guild=row["guild"],
        channel=row["channel"],
        place=row["place"],
        name=row["name"],
        phase=Phase(row["phase"]),
        agreement=Agreement.of(
            players=4 if row["partners"] else 2, preset=row["preset"], pace=Pace(row["pace"])
        ),
        points=Points(row["points"]),
        rounds=row["rounds"],
        hours=row["hours"],
        fill=row["fill"],
        level=Level(row["level"]),
        language=row["language"],
        round=row["round"],
        due=row["due"],
        reminded=bool(row["reminded"]),
        message=row["message"],
        begun=row["begun"],
        again=row["again"],
        entrants=tuple(map(_entrant, entrants)),
        pairings=tuple(map(_pairing, pairings)),
    )


def _entrant(row: Row) -> Entrant:
    return Entrant(
        number=row["number"],
        user=row["user"],
        name=row["name"],
        level=None if row["level"] is None else Level(row["level"]),
        presence=Presence(row["presence"]),
        captain=row["captain"],
    )


def _pairing(row: Row) -> Pairing:
    outcome = None
    if row["ended"] is not None:
        outcome = Outcome(
            ended=Ended(row["ended"]),
            winner=row["winner"],
            scores=(row["home_score"], row["away_score"]),
            corrected=bool(row["corrected"]),
        )
    return Pairing(
        round=row["round"],
        table=row["place"],
        home=row["home"],
        away=row["away"],
        thread=row["thread"],
        game=row["game"],
        outcome=outcome,
    )
