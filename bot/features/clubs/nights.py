"""Runs club events: opens the tables of each round, takes their results, and posts the podium.

Each open event has one background task (`bot.features.clubs` has the overview). A run of it reads the stored
event and takes the steps that are due. Each step is stored before the next, so that a run can be interrupted
anywhere and repeated. Runs are woken by the end of a game, a press, a start of the bot, the reminder's time
and the deadline.

Where several processes share the shards, an event is run by the process that owns its server's shard. A
process resumes its events when it gains a shard; without the shard it takes no step and evicts the event.

Two computers that meet need no table: their game is played here, each move in the worker thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final
from zlib import crc32

import discord

from bot.concurrency.keyed_tasks import Key, KeyedTasks, RetryLater
from bot.features.clubs.computers import COMPUTERS
from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import MOST_ENTRANTS, Ended, Entrant, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.illustrations import standings_picture
from bot.features.clubs.messages import (
    closed_line,
    club_drawing,
    correction_line,
    outcome_line,
    pairing_drawing,
    podium_drawing,
    put_away_line,
    reminder,
    thread_name,
)
from bot.features.clubs.pairings import paired
from bot.features.clubs.store import ClubStore
from bot.features.clubs.table import standings
from bot.features.clubs.teams import captains, joined
from bot.model.errors import (
    ChannelTaken,
    DamagedGame,
    NoSuchGame,
    NoTable,
    Refused,
    StaleGame,
    StoreUnavailable,
)
from bot.model.table_record import COMPUTER, Pace, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.sync.discord_errors import GONE, NETWORK, Does, Request, described, done_after, is_transient
from bot.sync.illustrator import Illustrator
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence as Shards
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import Chance, Deal, Ending, Game, Result, Seat, Skunk, Stage
from engine.duties import move_of

log = logging.getLogger(__name__)

_RETRY_DELAY: Final = 20.0
"""Retry delay (s) after Discord has refused something, or while the bot is not connected to the server."""

_MAX_PAUSE: Final = 600.0
"""Longest pause (s) between two runs."""

_REMINDER_SHARE: Final = 0.25
"""The reminder is sent when this part of the round's time is left."""

_SHOW_TIMEOUT: Final = 15.0
"""Timeout (s) for a table to show its end, so that the outcome is posted below it."""

_POLL_INTERVAL: Final = 0.5
"""Poll interval (s) while a table does not show its end yet."""

_POST_TIMEOUT: Final = 15.0
"""Timeout (s) for the first message of a new event, for which its organiser's answer waits."""

_POST_POLL_INTERVAL: Final = 0.05
"""Poll interval (s) of that wait."""

_DAY: Final = 1440
"""Inactivity (min) after which Discord archives the thread of a live game."""

_WEEK: Final = 10080
"""Inactivity (min) after which Discord archives the thread of a slow game."""


class ClubNights:
    """Runs all events of this process."""

    def __init__(
        self,
        client: discord.Client,
        *,
        clubs: ClubStore,
        sessions: Sessions,
        lobbies: Lobbies,
        shards: Shards,
        voices: Voices,
        worker: Worker,
        tasks: KeyedTasks,
        illustrator: Illustrator | None,
        now: Callable[[], float],
        show_timeout: float = _SHOW_TIMEOUT,
    ) -> None:
        """Without an `illustrator`, standings are text. `now` returns seconds since 1970."""
        self._client = client
        self._clubs = clubs
        self._sessions = sessions
        self._lobbies = lobbies
        self._shards = shards
        self._voices = voices
        self._worker = worker
        self._tasks = tasks
        self._illustrator = illustrator
        self._now = now
        self._games: dict[str, int] = {}
        """Open event by game."""
        self._show_timeout = show_timeout
        self._put_away: set[str] = set()
        """Games that have just been put away, and whose players have not been told."""
        self._resting: dict[tuple[int, int, int], str] = {}
        """By event, round and table: the game whose pairing's message says that it was put away."""
        self._ended: dict[str, float] = {}
        """Finished games whose tables may not show their end yet, with the time at which that was noticed."""
        self._shown: dict[int, str] = {}
        """By event, the digest of its message as this process has sent it last."""
        self._refused: set[int] = set()
        """Events in which Discord refused to open a game during the last run."""

    async def start(self) -> None:
        """Resume all open events that this process owns. Idempotent.

        It begins games whose tables were opened and not begun, before a table is shown as a lobby.
        """
        for event in await self._clubs.open_events():
            if not self._shards.owns(event.guild):
                continue
            self._shown.pop(event.id, None)  # another process may have drawn on it since
            for pairing in event.current:
                if pairing.game is not None and pairing.outcome is None:
                    self._games[pairing.game] = event.id
                    with suppress(NoSuchGame, DamagedGame):  # the first run opens it, or gives it up
                        await self._sessions.record(pairing.game)
                        await self._begin_game(event, pairing)
            self.changed(event.id)

    def resume(self) -> None:
        """Resume the events of shards that this process has gained. Non-blocking."""
        self._tasks.wake(("clubs",), self.start)

    def game_ended(self, record: TableRecord) -> None:
        """Wake the event that the game counts for, if any. Non-blocking."""
        event = self._games.get(record.game)
        if event is not None:
            if record.status is Status.CANCELLED and record.timed_out:
                self._put_away.add(record.game)
            self.changed(event)

    def changed(self, number: int) -> None:
        """Wake the event's task after a change. Non-blocking."""
        self._tasks.wake(_key(number), partial(self.reconcile, number))

    async def opened(self, number: int) -> None:
        """Wait until the first message of a new event is posted, for some seconds at most.

        Raises `NOT_POSTED` if Discord has refused it, which closes the event.
        """
        with suppress(TimeoutError, StoreUnavailable):  # it is posted later
            async with asyncio.timeout(_POST_TIMEOUT):
                while (event := await self._clubs.event(number)).message is None:
                    if event.phase is Phase.CLOSED:
                        raise Refused(ClubRefusal.NOT_POSTED)
                    await asyncio.sleep(_POST_POLL_INTERVAL)

    async def channel_gone(self, channel: int) -> None:
        """Close the event of a deleted channel."""
        event = await self._clubs.event_in(channel)
        if event is None or event.channel != channel or not self._shards.owns(event.guild):
            return  # the process that owns it calls its games off
        await self._clubs.repeat(event.id, None)
        if event.phase in {Phase.GATHERING, Phase.PLAYING}:
            await self._clubs.end(event.id, Phase.CLOSED)
            self.changed(event.id)

    async def begin(self, number: int) -> Event:
        """Begin the event with everybody who has checked in, or all if nobody has, and with computers.

        Raises `TOO_SMALL` and `NO_EVENT`.
        """
        event = await self._clubs.event(number)
        if event.phase is not Phase.GATHERING:
            raise Refused(ClubRefusal.NO_EVENT)
        begun = await self._begin(event)
        while begun.phase is Phase.GATHERING:  # somebody signed up concurrently
            begun = await self._begin(begun)
        self.changed(number)
        return begun

    async def _begin(self, event: Event) -> Event:
        """Try once to begin the event with the present entrants. Raises `TOO_SMALL` and `NO_EVENT`."""
        people = [each for each in event.entrants if each.presence is Presence.HERE]
        if not people:
            people = [each for each in event.entrants if each.presence is Presence.SIGNED]
        computers = _computers(event, len(people), event.fill - len(people))
        teams = captains(event, people, computers) if event.partners else {}
        players = _side_numbers((*people, *computers), teams)
        if not people or len(players) < 2:
            raise Refused(ClubRefusal.TOO_SMALL)
        for each in people:
            if each.presence is Presence.SIGNED and each.user is not None and not each.is_computer:
                await self._clubs.enter(event.id, each.user, each.name, Presence.HERE)
        pairs = await self._worker.run(paired, players, players, event.rounds, ())
        return await self._clubs.begin_round(event.id, 0, computers, pairs, self._due(event), captains=teams)

    async def cover(self, event: Event, number: int) -> None:
        """Let the computer continue the current game of this entrant, whom it replaces."""
        level = event.entrant(number).level or event.level
        for pairing in event.current:
            is_theirs = event.side_of(number) in pairing.players
            if not is_theirs or pairing.outcome is not None or pairing.game is None:
                continue
            try:
                await self._sessions.set_substitute(pairing.game, (event.seat_of(number, pairing),), level)
            except (NoSuchGame, NoTable, StaleGame, DamagedGame) as error:
                log.info("%s is not played by the computer: %s", pairing.game, type(error).__name__)

    async def reopen(self, event: Event, number: int) -> Pairing | None:
        """Open the table of this entrant's current game again if it was put away; the new pairing, if so."""
        side = event.side_of(number)
        for pairing in event.current:
            if side in pairing.players and pairing.outcome is None and await self._is_put_away(pairing):
                assert pairing.game is not None, "it was put away"
                event = await self._clubs.replace_game(event.id, pairing, self._sessions.new_id())
                self.changed(event.id)
                return _stored(event, pairing)
        return None

    async def _is_put_away(self, pairing: Pairing) -> bool:
        """True if the game was called off since nobody came back to it."""
        if pairing.game is None:
            return False
        try:
            record = await self._sessions.record(pairing.game)
        except (NoSuchGame, DamagedGame):
            return False
        return record.status is Status.CANCELLED and record.timed_out

    async def correct(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """Set the outcome of a pairing, and call its game off if it is in play."""
        event = await self._clubs.settle(number, pairing, outcome)
        await self._end_game(pairing)
        settled = _stored(event, pairing)
        if settled.thread is not None:
            line = correction_line(event, settled, self._voices.of(event.language))
            nonce = f"k{event.id}.{settled.round}.{settled.table}.{int(self._now())}"
            try:
                await self._announce(event, settled, line, nonce)
            except NETWORK as error:  # the outcome is stored, and the standings show it
                log.info("a correction was not posted: %s", described(error))
        self.changed(number)
        return event

    async def reconcile(self, number: int) -> None:
        """Take the steps that are due. Raises `RetryLater` until the event is over or the shard is lost."""
        try:
            event = await self._clubs.event(number)
        except Refused as error:
            if error.why is not ClubRefusal.NO_EVENT:
                raise
            return
        if self._shards.owns(event.guild) and not self._shards.is_in(event.guild):
            raise RetryLater(1.0 if self._shards.guilds is None else _RETRY_DELAY)
        is_refused = False
        for step in (self._play, self._show):  # the message shows the state even if a step was refused
            if not self._shards.owns(event.guild):
                break
            try:
                await step(await self._clubs.event(number))
            except (*NETWORK, ChannelTaken) as error:
                if await self._is_hopeless(number, error):
                    await self._clubs.repeat(number, None)
                    await self._clubs.end(number, Phase.CLOSED)
                log.info("a club event is not drawn: %s", described(error))
                is_refused = True
        event = await self._clubs.event(number)
        is_ours = self._shards.owns(event.guild)
        if event.phase in {Phase.OVER, Phase.CLOSED} or not is_ours:
            if event.phase is Phase.CLOSED and is_ours:
                await self._call_off(event)
            self._forget(event)
            return
        if is_refused:
            raise RetryLater(_RETRY_DELAY)
        if event.phase is Phase.PLAYING:
            raise RetryLater(self._pause(event))

    async def _is_hopeless(self, number: int, error: Exception) -> bool:
        """True if the channel is gone, or Discord has refused the message on which people would sign up."""
        if not isinstance(error, discord.HTTPException):
            return False
        event = await self._clubs.event(number)
        is_unseen = event.phase is Phase.GATHERING and event.message is None
        return error.code in GONE or (is_unseen and not is_transient(error))

    def _forget(self, event: Event) -> None:
        """Evict an event that is over, or that another process owns."""
        self._games = {game: each for game, each in self._games.items() if each != event.id}
        self._shown.pop(event.id, None)
        self._refused.discard(event.id)
        for pairing in event.pairings:
            self._ended.pop(pairing.game or "", None)
            self._put_away.discard(pairing.game or "")
            self._resting.pop((event.id, pairing.round, pairing.table), None)

    def _pause(self, event: Event) -> float:
        """Delay (s) before the next run: at the reminder, at the deadline, or while a table shows its end."""
        if any(each.outcome is None and each.game in self._ended for each in event.current):
            return _POLL_INTERVAL
        next_due = event.due if event.reminded else self._reminder_due(event)
        return min(max(next_due - self._now(), 0.05), _MAX_PAUSE)

    def _reminder_due(self, event: Event) -> float:
        return event.due - event.hours * 3600 * _REMINDER_SHARE

    def _due(self, event: Event) -> int:
        """Deadline (s since 1970) of a round that begins now."""
        return int(self._now()) + event.hours * 3600

    async def _play(self, event: Event) -> Event:
        """Take the steps of the rounds that are due, as long as this process owns the event.

        Raises the last refusal, after all pairings were tried.
        """
        while event.phase is Phase.PLAYING:
            is_late = event.reminded and self._now() >= event.due
            refused: Exception | None = None
            # Games between computers last: they take seconds, and people wait for the others.
            for pairing in sorted(event.current, key=lambda each: _is_of_computers(event, each)):
                if not self._shards.owns(event.guild):
                    return event
                if pairing.outcome is None:
                    try:
                        await self._step(event, pairing, is_late=is_late)
                    except (*NETWORK, ChannelTaken) as error:
                        if isinstance(error, discord.NotFound) and error.code in GONE:
                            raise
                        refused = error
            if isinstance(refused, discord.Forbidden):
                self._refused.add(event.id)
            else:
                self._refused.discard(event.id)
            event = await self._clubs.event(event.id)
            if not self._shards.owns(event.guild):
                return event
            if all(each.outcome is not None for each in event.current):
                event = await self._next_round(event)
                continue
            if not event.reminded and self._now() >= self._reminder_due(event):
                event = await self._remind(event)
            if refused is not None:
                raise refused
            return event
        return event

    async def _step(self, event: Event, pairing: Pairing, *, is_late: bool) -> None:
        """Advance one pairing as far as possible now."""
        if pairing.away is None:
            await self._settle(event, pairing, Outcome(ended=Ended.BYE, winner=pairing.home))
            return
        here = [each for each in pairing.players if event.is_here(each)]
        if len(here) < 2 and not await self._is_over(pairing):
            await self._award(event, pairing, here[0] if here else None)
            return
        if _is_of_computers(event, pairing) and (is_late or not await self._is_begun(pairing)):
            await self._settle(event, pairing, await self._play_computers(event, pairing))
            return
        if pairing.game is None or not await self._is_open(event, pairing):
            if is_late:
                await self._award(event, pairing, None)
                return
            pairing = await self._open(event, pairing)
        assert pairing.game is not None, "it is open"
        try:
            if (await self._sessions.record(pairing.game)).status is Status.GATHERING:
                return  # the game begins by itself when its first message is posted
            session = await self._sessions.get(pairing.game)
        except DamagedGame:
            await self._award(event, pairing, None)
        else:
            await self._follow(event, pairing, session, is_late=is_late)

    async def _follow(self, event: Event, pairing: Pairing, session: Session, *, is_late: bool) -> None:
        """Settle a game that has begun, if it has ended or is late."""
        result = session.game.table.result
        if result is not None:
            if await self._shows_its_end(session.record.game):
                await self._settle(event, pairing, _outcome(pairing, result))
        elif session.record.status is Status.CANCELLED and session.record.timed_out and not is_late:
            await self._rest(event, pairing)
        elif session.record.status is Status.CANCELLED:
            await self._award(event, pairing, None)
        elif is_late:
            loser = _forfeiter(session.record, session.game)
            winner = None if loser is None else pairing.players[1 - loser]
            await self._award(event, pairing, winner)

    async def _shows_its_end(self, game: str) -> bool:
        """True if the table of a finished game shows its end, or has timed out."""
        since = self._ended.setdefault(game, self._now())
        return self._now() - since >= self._show_timeout or await self._sessions.is_synced(game)

    async def _rest(self, event: Event, pairing: Pairing) -> None:
        """Say that the game was put away and can be opened again: once in its thread, and on its message."""
        assert pairing.game is not None, "it was put away"
        assert pairing.thread is not None, "it was noted before the game"
        voice = self._voices.of(event.language)
        if pairing.game in self._put_away:
            nonce = f"a{event.id}.{pairing.round}.{pairing.table}.{pairing.game}"[:25]
            await self._post_line(event, pairing.thread, put_away_line(event, voice), nonce)
            self._put_away.discard(pairing.game)
        key = (event.id, pairing.round, pairing.table)
        if self._resting.get(key) != pairing.game:
            await self._draw_pairing(event, pairing, is_put_away=True)
            self._resting[key] = pairing.game

    async def _is_over(self, pairing: Pairing) -> bool:
        """True if the game was played to its end."""
        return await self._status(pairing) is Status.OVER

    async def _is_begun(self, pairing: Pairing) -> bool:
        """True if the game is in play, or was played to its end."""
        return await self._status(pairing) in {Status.PLAYING, Status.OVER}

    async def _status(self, pairing: Pairing) -> Status | None:
        """The status of the pairing's table; `None` without one that can be read."""
        if pairing.game is None:
            return None
        try:
            return (await self._sessions.record(pairing.game)).status
        except (NoSuchGame, DamagedGame):
            return None

    async def _is_open(self, event: Event, pairing: Pairing) -> bool:
        """True if the pairing's table was opened and its game has begun, or is damaged."""
        assert pairing.game is not None, "it was named"
        try:
            record = await self._sessions.record(pairing.game)
        except NoSuchGame:
            return False
        except DamagedGame:
            return True
        self._games[pairing.game] = event.id
        return record.status is not Status.GATHERING

    async def _open(self, event: Event, pairing: Pairing) -> Pairing:
        """Announce the pairing, start its thread, and begin its game there.

        Raises network errors, and `ChannelTaken` while another table is open in the thread.
        """
        voice = self._voices.of(event.language)
        channel = self._client.get_partial_messageable(event.channel, guild_id=event.guild)
        if channel.guild is None:
            raise ConnectionError("the server is not available")
        if pairing.thread is None:
            message = await channel.send(
                **pairing_drawing(event, pairing, voice).to_send(),
                allowed_mentions=_mentions(event, pairing),
                nonce=f"c{event.id}.{pairing.round}.{pairing.table}",
            )
            pairing = _stored(await self._clubs.note_thread(event.id, pairing, message.id), pairing)
        assert pairing.thread is not None, "it was noted"
        if pairing.game is None:
            try:
                await channel.get_partial_message(pairing.thread).create_thread(
                    name=thread_name(event, pairing, voice),
                    auto_archive_duration=_DAY if event.agreement.pace is Pace.LIVE else _WEEK,
                )
            except discord.HTTPException as error:
                if done_after(Request.THREAD, error) is not Does.TAKES_THREAD:
                    raise
            pairing = _stored(
                await self._clubs.note_game(event.id, pairing, self._sessions.new_id()),
                pairing,
            )
        assert pairing.game is not None, "it was noted"
        self._games[pairing.game] = event.id
        await self._begin_game(event, pairing)
        if self._resting.pop((event.id, pairing.round, pairing.table), None) is not None:
            await self._draw_pairing(event, pairing)
        return pairing

    async def _begin_game(self, event: Event, pairing: Pairing) -> None:
        """Open the pairing's table in its thread and begin its game. Idempotent.

        Raises `ChannelTaken` and `DamagedGame`.
        """
        assert pairing.game is not None, "it was noted"
        assert pairing.thread is not None, "it was noted before the game"
        occupants = event.occupants(pairing)
        host = next(each.user for each in occupants if each.person is not None and each.user is not None)
        await self._lobbies.seat_all(
            TableRecord(
                game=pairing.game,
                guild=event.guild,
                channel=pairing.thread,
                place=event.place,
                host=host,
                status=Status.GATHERING,
                agreement=event.agreement,
                occupants=occupants,
                language=event.language,
            )
        )

    async def _play_computers(self, event: Event, pairing: Pairing) -> Outcome:
        """Play a game between two computers to its end."""
        levels = [each.level or event.level for each in event.occupants(pairing)]
        name = f"club{event.id}.{pairing.round}.{pairing.table}"
        game = Game.new(
            event.agreement.rules,
            chance=Chance(self._sessions.random),
            dealer=Seat((pairing.round + pairing.table) % 2),
        )
        while (result := game.table.result) is None:
            if game.table.stage is Stage.DEALING:
                game.apply(Deal(game.table.dealer))
                continue
            seat = game.table.waiting_for[0]
            seed = crc32(f"{name}:{seat}".encode())
            game.apply(await self._worker.run(move_of, game.view(seat), levels[seat], seed))
        return _outcome(pairing, result)

    async def _award(self, event: Event, pairing: Pairing, winner: int | None) -> None:
        """Settle a game by forfeit to `winner`, or without a winner, and call it off if it is in play."""
        ended = Ended.NOTHING if winner is None else Ended.FORFEIT
        await self._settle(event, pairing, Outcome(ended=ended, winner=winner))

    async def _settle(self, event: Event, pairing: Pairing, outcome: Outcome) -> None:
        """Post the outcome in the pairing's thread and message, store it, and end the game."""
        event = await self._clubs.event(event.id)
        if _stored(event, pairing).outcome is not None:
            return  # an organiser was faster
        settled = replace(pairing, outcome=outcome)
        if settled.thread is not None:
            line = outcome_line(event, settled, self._voices.of(event.language))
            await self._announce(event, settled, line, f"o{event.id}.{settled.round}.{settled.table}")
        await self._clubs.settle(event.id, pairing, outcome)
        await self._end_game(settled)

    async def _end_game(self, pairing: Pairing) -> bool:
        """Call off the game of a pairing. Returns True if it was in play."""
        if pairing.game is None:
            return False
        try:
            await self._sessions.call_off(pairing.game)
        except (NoSuchGame, NoTable, StaleGame, DamagedGame):
            log.debug("%s had ended", pairing.game)
            was_played = False
        else:
            was_played = True
        self._games.pop(pairing.game, None)
        self._ended.pop(pairing.game, None)
        return was_played

    async def _call_off(self, event: Event) -> None:
        """End the games of a closed event, and say so in their threads if Discord accepts that."""
        for pairing in event.current:
            if pairing.outcome is None and await self._end_game(pairing) and pairing.thread is not None:
                line = closed_line(self._voices.of(event.language))
                nonce = f"o{event.id}.{pairing.round}.{pairing.table}"
                try:
                    await self._announce(event, pairing, line, nonce)
                except NETWORK as error:
                    log.info("the end of a club game was not posted: %s", described(error))

    async def _next_round(self, event: Event) -> Event:
        """Begin the next round; end the event after the last round, or without people to play."""
        players = [each.number for each in event.sides if event.is_here(each.number)]
        computers: list[Entrant] = []
        teams: dict[int, int | None] = {}
        if event.partners:  # late entrants have no partner yet
            alone = [event.entrant(each) for each in players if not event.is_teamed(each)]
            computers = _computers(event, len(alone), 0)
            teams = joined([*alone, *computers])
            players = [each for each in players if each not in teams]
        for pairing in event.current:
            await self._end_game(pairing)
        has_people = any(each.presence is Presence.HERE and not each.is_computer for each in event.entrants)
        if event.round >= event.rounds or len(players) < 2 or not has_people:
            await self._post_podium(event)
            await self._show_over(event)
            return await self._clubs.end(event.id, Phase.OVER)
        rows = standings(event.sides, event.pairings, event.points)
        ranked = [each.entrant.number for each in rows if each.entrant.number in players]
        past = [
            tuple((each.home, each.away) for each in event.pairings if each.round == number)
            for number in range(1, event.round + 1)
        ]
        pairs = await self._worker.run(paired, players, ranked, event.rounds, past)
        due = self._due(event)
        return await self._clubs.begin_round(event.id, event.round, computers, pairs, due, captains=teams)

    async def _post_podium(self, event: Event) -> None:
        voice = self._voices.of(event.language)
        nonce = f"p{event.id}.{event.round}"
        channel = self._client.get_partial_messageable(event.channel, guild_id=event.guild)
        file = (
            await standings_picture(event, self._illustrator, voice, is_final=True)
            if self._illustrator
            else None
        )
        for picture in dict.fromkeys((file, None)):
            drawing = podium_drawing(event, voice, picture)
            try:
                await channel.send(**drawing.to_send(), nonce=nonce)
            except NETWORK as error:
                if is_transient(error):
                    raise
                log.info("a podium is refused: %s", described(error))
            else:
                return

    async def _show_over(self, event: Event) -> None:
        """Draw the event's message as over, before that is stored: no run follows afterwards."""
        try:
            await self._show(replace(event, phase=Phase.OVER))
        except NETWORK as error:
            if is_transient(error):
                raise
            log.info("the message of an event is not drawn: %s", described(error))

    async def _remind(self, event: Event) -> Event:
        """Remind the players of unfinished games, once; after an outage of the bot the deadline moves."""
        voice = self._voices.of(event.language)
        due = max(event.due, int(self._now() + event.hours * 3600 * _REMINDER_SHARE))
        event = replace(event, due=due)
        for pairing in event.current:
            if pairing.outcome is None and pairing.thread is not None:
                line = reminder(event, pairing, voice)
                nonce = f"r{event.id}.{pairing.round}.{pairing.table}"
                await self._post_line(event, pairing.thread, line, nonce, _mentions(event, pairing))
        return await self._clubs.note_reminder(event.id, event.round, due)

    async def _announce(self, event: Event, pairing: Pairing, line: str, nonce: str) -> None:
        """Post a line in the pairing's thread, and update the message that announces the pairing."""
        assert pairing.thread is not None, "it has one"
        await self._post_line(event, pairing.thread, line, nonce)
        await self._draw_pairing(event, pairing)

    async def _draw_pairing(self, event: Event, pairing: Pairing, *, is_put_away: bool = False) -> None:
        """Update the message that announces the pairing. Permanent refusals are logged and dropped."""
        assert pairing.thread is not None, "it has one"
        voice = self._voices.of(event.language)
        drawing = pairing_drawing(event, pairing, voice, is_put_away=is_put_away)
        channel = self._client.get_partial_messageable(event.channel, guild_id=event.guild)
        try:
            await channel.get_partial_message(pairing.thread).edit(**drawing.to_edit(""))
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            log.info("a pairing's message is not drawn: %s", described(error))

    async def _post_line(
        self,
        event: Event,
        thread: int,
        line: str,
        nonce: str,
        mentions: discord.AllowedMentions | None = None,
    ) -> None:
        """Post a line in a game's thread. Permanent refusals by Discord are logged and dropped."""
        place = self._client.get_partial_messageable(thread, guild_id=event.guild)
        try:
            await place.send(line, nonce=nonce, allowed_mentions=mentions or discord.AllowedMentions.none())
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            log.info("a message in the thread of a club game is refused: %s", described(error))

    async def _show(self, event: Event) -> Event:
        """Post or edit the event's own message."""
        voice = self._voices.of(event.language)
        drawing = club_drawing(event, voice, is_refused=event.id in self._refused)
        if self._shown.get(event.id) == drawing.digest:
            return event
        channel = self._client.get_partial_messageable(event.channel, guild_id=event.guild)
        is_over = event.phase in {Phase.OVER, Phase.CLOSED}
        if event.message is None and is_over:
            return event  # nobody has seen it
        if event.message is not None:
            try:
                await channel.get_partial_message(event.message).edit(**drawing.to_edit(""))
            except discord.NotFound as error:
                if error.code in GONE:
                    raise
                if is_over:
                    return event  # nobody misses it
            else:
                self._shown[event.id] = drawing.digest
                return event
        elif event.again is not None and (missed := await self._clubs.missed_before(event)) is not None:
            await self._show(missed)
            self._forget(missed)
        event = await self._post(event, drawing)
        self._shown[event.id] = drawing.digest
        return event

    async def _post(self, event: Event, drawing: Drawing) -> Event:
        """Post the event's message, with a new nonce each time that it was deleted."""
        channel = self._client.get_partial_messageable(event.channel, guild_id=event.guild)
        nonce = f"e{event.id}.{(event.message or 0) % 10**9}"
        message = await channel.send(**drawing.to_send(), nonce=nonce)
        return await self._clubs.note_message(event.id, message.id)


def _computers(event: Event, people: int, wanted: int) -> list[Entrant]:
    """New computers for an event with that number of people: those wanted, and one to make teams even.

    Each has a name of its own, which it keeps for the event.
    """
    number = max(0, min(wanted, MOST_ENTRANTS - len(event.entrants)))
    if event.partners and (people + number) % 2:
        number += 1
    taken = {each.name for each in event.entrants}
    turned = (*COMPUTERS[event.id % len(COMPUTERS) :], *COMPUTERS[: event.id % len(COMPUTERS)])
    free = (name for name in turned if name not in taken and f"{COMPUTER} {name}" not in taken)
    return [
        Entrant(
            number=len(event.entrants) + each,
            user=None,
            name=f"{COMPUTER} {next(free)}",
            level=event.level,
            presence=Presence.HERE,
        )
        for each in range(1, number + 1)
    ]


def _side_numbers(entrants: Sequence[Entrant], teams: Mapping[int, int | None]) -> list[int]:
    """The numbers of the captains, and of those without a team, after the changes in `teams`."""
    return [each.number for each in entrants if teams.get(each.number, each.captain) is None]


def _is_of_computers(event: Event, pairing: Pairing) -> bool:
    return pairing.away is not None and all(each.person is None for each in event.occupants(pairing))


def _outcome(pairing: Pairing, result: Result) -> Outcome:
    """The outcome of a finished game; a resignation or a timeout is a plain win without a spread."""
    winner = pairing.players[result.winner]
    if result.ending is not Ending.PEGGED_OUT:
        return Outcome(ended=Ended.WIN, winner=winner)
    is_skunk = any(each is not Skunk.NONE for each in result.skunks)
    home, away = result.scores
    return Outcome(
        ended=Ended.SKUNK if is_skunk else Ended.WIN,
        winner=winner,
        scores=(home, away),
    )


def _forfeiter(record: TableRecord, game: Game) -> int | None:
    """The side that forfeits an unfinished game at its deadline; `None` for both or neither.

    It is the side of the people for whom the clock moves, else of those whose turn it is.
    """
    absent = [seat for seat in sorted(record.people) if game.table.absences[seat]]
    due = [seat for seat in sorted(record.people) if seat in game.table.waiting_for]
    for seats in (absent, due):
        sides = {game.rules.side_of(seat) for seat in seats}
        if len(sides) == 1:
            return sides.pop()
    return None


def _mentions(event: Event, pairing: Pairing) -> discord.AllowedMentions:
    """Allowed mentions: the people of that pairing."""
    users = [discord.Object(each) for each in event.reached(pairing)]
    return discord.AllowedMentions(users=users, everyone=False, roles=False)


def _stored(event: Event, pairing: Pairing) -> Pairing:
    """The stored state of the pairing."""
    return next(each for each in event.pairings if (each.round, each.table) == (pairing.round, pairing.table))


def _key(number: int) -> Key:
    return ("club", str(number))
