"""Club events run by themselves: through deadlines, refusals and kills, and nothing gets stuck."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import Ended, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.store import ClubStore
from bot.features.clubs.table import standings
from bot.features.clubs.weekly import WeeklyEvents
from bot.model.errors import BotError
from bot.model.table_record import Agreement, Pace, Status
from bot.render.text.voice import Voices
from bot.store.clubs import forget_server
from bot.store.connection import Database
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence as Shards
from bot.tables.sessions import Sessions
from bot.tables.worker import Worker
from engine import Chance, CutForFirstDeal, Discard, Resign, Seat, Skunk, StandIn
from engine.computer import Level, plain_move
from tests.bot.features.clubs.test_store import ADA, BEN, CHANNEL, GUILD, night
from tests.bot.refusing import refused
from tests.bot.store.memory import MemoryDatabase, MemoryStore
from tests.patience import PATIENCE

CLEO = 1_000_003


class Club:
    """A night of two people, what runs it, and Discord: what it was asked, and what it refuses."""

    seed: float = 1
    """What chance begins with after a restart."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clubs = ClubStore(database)
        self.store = MemoryStore()
        self.now = 1000.0
        self.worker = Worker()
        self.show_timeout = 0.0
        self.requests = 0
        self.said: list[tuple[int, str]] = []
        """The channels and texts of all messages."""
        self.edits: list[str] = []
        self.threads: list[int] = []
        self.nonces: dict[str, int] = {}
        self.dies_at: int | None = None
        """The request that is done, and of which the bot does not live to hear."""
        self.refuses: tuple[int, int] | None = None
        """HTTP status and Discord's code."""
        self.refuses_threads = False
        self.restart()

    def restart(self) -> None:
        self.sessions = Sessions(self.store, Chance(Random(self.seed)))
        shards = self.shards = Shards()
        shards.listed(0, [GUILD])
        self.tasks = KeyedTasks(passing=(BotError,), final=())
        client: Any = SimpleNamespace(get_partial_messageable=self._channel)
        self.nights = ClubNights(
            client,
            clubs=self.clubs,
            sessions=self.sessions,
            lobbies=Lobbies(self.store, self.sessions, now=time.time),
            shards=shards,
            voices=Voices(),
            worker=self.worker,
            tasks=self.tasks,
            illustrator=None,
            now=lambda: self.now,
            show_timeout=self.show_timeout,
        )
        self.weekly = WeeklyEvents(
            self.clubs, self.nights, shards=shards, tasks=self.tasks, now=lambda: self.now
        )

    def _channel(self, channel: int, **_: object) -> Any:
        async def send(content: str = "", *, nonce: str, view: Any = None, **_: object) -> Any:
            with self._request():
                if nonce not in self.nonces:
                    self.nonces[nonce] = 5000 + len(self.said)
                    self.said.append((channel, content or str(view.to_components())))
            return SimpleNamespace(id=self.nonces[nonce])

        def message(number: int) -> Any:
            async def create_thread(**_: object) -> None:
                with self._request():
                    if self.refuses_threads:
                        raise _refusal(403, 50013)
                    if number in self.threads:
                        raise _refusal(400, 160004)
                    self.threads.append(number)

            async def edit(*, view: Any, **_: object) -> None:
                with self._request():
                    self.edits.append(str(view.to_components()))

            return SimpleNamespace(create_thread=create_thread, edit=edit)

        return SimpleNamespace(send=send, get_partial_message=message, guild=object())

    @contextmanager
    def _request(self) -> Iterator[None]:
        if self.refuses:
            raise _refusal(*self.refuses)
        yield
        self.requests += 1
        if self.requests == self.dies_at:
            raise SystemExit

    @property
    def shown(self) -> str:
        """Text of the last edit."""
        return self.edits[-1]

    def told(self, part: str) -> list[int]:
        """The channels of the messages with that text."""
        return [channel for channel, text in self.said if part in text]

    async def opened(self, people: tuple[int, ...] = (ADA, BEN), **changes: Any) -> int:
        event = await self.clubs.open(
            replace(night(), **{"fill": 0, "rounds": 1, "hours": 1, "language": "en", **changes})
        )
        for user in people:
            await self.clubs.enter(event.id, user, f"P{user}", Presence.HERE)
        return event.id

    async def paired(self, people: tuple[int, ...] = (ADA, BEN), **changes: Any) -> int:
        """An event whose first round is drawn and not yet told of."""
        number = await self.opened(people, **changes)
        await self.nights.begin(number)
        self.tasks.stop(("club", str(number)))
        return number

    async def begun(self, people: tuple[int, ...] = (ADA, BEN), **changes: Any) -> int:
        number = await self.paired(people, **changes)
        await self.reconcile(number)
        return number

    async def late(self, number: int) -> Event:
        """A look at the reminder, and one at the deadline."""
        self.now += 2701
        await self.reconcile(number)
        self.now += 900
        return await self.reconcile(number)

    async def reconcile(self, number: int) -> Event:
        with suppress(RetryLater):  # until the deadline
            await self.nights.reconcile(number)
        return await self.clubs.event(number)

    async def polled(self, at: float) -> None:
        """The poll for weekly events at that time, and all that follows from it."""
        self.now = at
        await self.weekly.open_due()
        for event in await self.events():
            if ("club", str(event.id)) in self.tasks:
                self.tasks.stop(("club", str(event.id)))
                await self.reconcile(event.id)

    async def events(self) -> list[Event]:
        """All events, in order."""
        rows = await self.database.read(
            lambda connection: connection.fetch("SELECT id FROM clubs ORDER BY id")
        )
        return [await self.clubs.event(row["id"]) for row in rows]

    async def rests(self) -> None:
        """Until all events have been looked for."""
        async with asyncio.timeout(PATIENCE):
            while ("clubs",) in self.tasks:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0.01)

    async def first(self, number: int) -> Pairing:
        return (await self.clubs.event(number)).pairings[0]

    async def outcome(self, number: int) -> Outcome:
        outcome = (await self.first(number)).outcome
        assert outcome is not None
        return outcome

    async def game(self, number: int) -> str:
        game = (await self.first(number)).game
        assert game is not None
        return game


def _refusal(status: int, code: int) -> discord.HTTPException:
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    response: Any = SimpleNamespace(status=status, reason="No")
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": "no"})


@pytest.fixture
async def club() -> AsyncIterator[Club]:
    club = Club(MemoryDatabase())
    yield club
    await club.tasks.close()
    club.worker.close()


async def test_a_result_comes_in_by_itself_and_the_podium_is_told_once(club: Club) -> None:
    number = await club.begun()
    game = await club.game(number)
    record = await club.store.table(game)
    assert (record.status, [each.user for each in record.occupants]) == (Status.PLAYING, [ADA, BEN])
    assert record.channel in club.threads
    session = await club.sessions.get(game)
    while not session.game.is_over:
        move = plain_move(session.game.view(session.game.table.waiting_for[0]))
        await club.sessions.move_for(game, move)
    club.nights.game_ended(session.record)
    assert ("club", str(number)) in club.tasks
    assert (await club.reconcile(number)).phase is Phase.OVER
    result = session.game.table.result
    assert result is not None
    is_skunk = any(each is not Skunk.NONE for each in result.skunks)
    ended = Ended.SKUNK if is_skunk else Ended.WIN
    home, away = result.scores
    assert await club.outcome(number) == Outcome(ended=ended, winner=result.winner + 1, scores=(home, away))
    await club.reconcile(number)
    assert len(club.told("🏆")) == 1


@pytest.mark.parametrize("dies_at", range(1, 7))
async def test_wherever_the_bot_dies_each_thing_is_done_once(club: Club, dies_at: int) -> None:
    number = await club.paired()
    club.dies_at = dies_at
    for _ in range(4):
        try:
            event = await club.reconcile(number)
        except SystemExit:
            club.restart()
            continue
        pairing = event.pairings[0]
        if pairing.outcome is None and pairing.game is not None:
            await club.sessions.move(pairing.game, ADA, Resign)
    event = await club.reconcile(number)
    assert event.phase is Phase.OVER
    assert "It's over" in club.shown
    assert len(club.threads) == 1
    assert len(await club.store.tables_of(ADA)) == 0
    assert (await club.outcome(number)).winner == 2
    assert len(club.told("🏆")) == 1


async def test_at_the_deadline_who_is_waited_for_forfeits(club: Club) -> None:
    number = await club.begun()
    game = await club.game(number)
    session = await club.sessions.get(game)
    for user in (ADA, BEN):
        await club.sessions.move(game, user, CutForFirstDeal)
    hand = session.game.view(Seat(1)).hand
    await club.sessions.move(game, BEN, lambda seat: Discard(seat, hand[:2]))
    event = await club.late(number)
    outcome = await club.outcome(number)
    assert outcome.ended is Ended.FORFEIT
    assert outcome.winner == 2, "Ben has discarded, and Ada has not"
    assert (await club.store.table(game)).status is Status.CANCELLED
    assert club.told("ran out of time")
    assert event.phase is Phase.OVER


async def test_who_was_moved_for_by_the_clock_forfeits_though_the_other_is_to_play(club: Club) -> None:
    number = await club.begun()
    game = await club.game(number)
    for user in (ADA, BEN):
        await club.sessions.move(game, user, CutForFirstDeal)
    session = await club.sessions.get(game)
    await club.sessions.move_for(game, StandIn(plain_move(session.game.view(Seat(0)))))
    assert session.game.table.waiting_for == (Seat(1),)
    await club.late(number)
    assert (await club.outcome(number)).winner == 2


async def test_a_game_that_is_given_away_ends_while_the_round_goes_on(club: Club) -> None:
    number = await club.begun((ADA, BEN, CLEO, CLEO + 1), rounds=2)
    event = await club.clubs.enter(number, ADA, "Ada", Presence.LEFT)
    theirs = next(each for each in event.current if 1 in each.players)
    event = await club.reconcile(number)
    assert event.round == 1
    assert (await club.store.table(theirs.game or "")).status is Status.CANCELLED


async def test_a_pairing_is_announced_once_and_its_message_says_that_its_thread_is_refused(
    club: Club,
) -> None:
    number = await club.paired()
    club.refuses_threads = True
    await club.reconcile(number)
    assert club.told("Create Public Threads")
    club.nonces.clear()  # Discord knows them for some minutes
    club.refuses_threads = False
    await club.reconcile(number)
    assert len(club.told(f"<@{ADA}>")) == 1
    assert (await club.first(number)).game is not None
    assert "Create Public Threads" not in club.shown


async def test_killed_as_it_ends_an_event_says_that_it_is_over(club: Club) -> None:
    number = await club.begun()
    await club.sessions.move(await club.game(number), ADA, Resign)
    ends = ClubStore.end

    async def end_and_die(clubs: ClubStore, event: int, phase: Phase) -> Event:
        await ends(clubs, event, phase)
        raise SystemExit

    with patch.object(ClubStore, "end", end_and_die), pytest.raises(SystemExit):
        await club.reconcile(number)
    assert "It's over" in club.shown


async def test_a_game_that_waits_for_both_counts_for_nobody(club: Club) -> None:
    number = await club.begun()
    event = await club.late(number)
    assert (await club.outcome(number)).ended is Ended.NOTHING
    assert event.phase is Phase.OVER


async def test_people_are_reminded_once_before_the_deadline(club: Club) -> None:
    number = await club.begun()
    assert not club.told("⏰")
    club.now += 2701
    await club.reconcile(number)
    await club.reconcile(number)
    club.restart()
    assert (await club.reconcile(number)).reminded
    [(channel, text)] = [each for each in club.said if "⏰" in each[1]]
    assert channel == (await club.first(number)).thread
    assert f"<@{ADA}>" in text


async def test_a_computer_plays_on_for_who_is_gone(club: Club) -> None:
    number = await club.begun(rounds=2)
    event = await club.clubs.substitute(number, ADA, Level.EXPERT)
    await club.nights.cover(event, 1)
    record = await club.store.table(await club.game(number))
    assert record.occupants[0].level is Level.EXPERT
    await club.sessions.move(record.game, BEN, Resign)
    event = await club.reconcile(number)
    assert (event.round, (await club.outcome(number)).winner) == (2, 1)
    assert not any(f"<@{ADA}>" in text for _, text in club.said if "round 2" in text)


async def test_two_for_whom_the_computer_plays_end_their_game_at_its_table(club: Club) -> None:
    number = await club.begun()
    game = await club.game(number)
    for user, entrant in ((ADA, 1), (BEN, 2)):
        event = await club.clubs.substitute(number, user, Level.EXPERT)
        await club.nights.cover(event, entrant)
    event = await club.reconcile(number)
    record = await club.store.table(game)
    assert (record.status, record.people) == (Status.PLAYING, frozenset())
    assert event.pairings[0].outcome is None, "no other game is played in its place"
    await club.sessions.move_for(game, Resign(Seat(1)))
    await club.reconcile(number)
    assert (await club.outcome(number)).winner == 1


async def test_two_for_whom_the_computer_plays_have_a_result_at_the_deadline(club: Club) -> None:
    number = await club.begun(agreement=Agreement.of(preset="short"))
    for user, entrant in ((ADA, 1), (BEN, 2)):
        event = await club.clubs.substitute(number, user, Level.BEGINNER)
        await club.nights.cover(event, entrant)
    event = await club.late(number)
    assert event.phase is Phase.OVER
    assert (await club.outcome(number)).ended in {Ended.WIN, Ended.SKUNK}
    assert (await club.store.table(await club.game(number))).status is Status.CANCELLED


async def _put_away(club: Club, number: int) -> str:
    """The round's first game, which everybody has left."""
    game = await club.game(number)
    record = await club.sessions.call_off(game, status=Status.PLAYING, timed_out=True)
    club.nights.game_ended(record)
    await club.reconcile(number)
    return game


async def test_a_game_that_was_put_away_is_opened_again_before_the_deadline(club: Club) -> None:
    number = await club.begun()
    first = await _put_away(club, number)
    pairing = await club.first(number)
    assert (pairing.game, pairing.outcome) == (first, None)
    assert club.told("at the head of this thread") == [pairing.thread]
    assert "opens another, until" in club.shown
    assert f"club:{number}:here" in club.shown
    drawn = len(club.edits)
    await club.reconcile(number)
    assert len(club.edits) == drawn
    club.restart()
    await club.nights.start()
    await club.reconcile(number)
    assert len(club.told("at the head of this thread")) == 1

    event = await club.clubs.event(number)
    opened = await club.nights.reopen(event, 2)
    assert opened is not None
    assert await club.nights.reopen(await club.clubs.event(number), 1) is None, "it is open"
    await club.reconcile(number)
    second = await club.game(number)
    assert second == opened.game != first
    record = await club.store.table(second)
    assert (record.status, record.channel) == (Status.PLAYING, pairing.thread)
    assert "The game is in the thread below" in club.shown or any(
        "The game is in the thread below" in each for each in club.edits[drawn:]
    )
    await club.sessions.move(second, ADA, Resign)
    await club.reconcile(number)
    assert (await club.outcome(number)).winner == 2


async def test_a_game_that_stays_put_away_counts_for_nobody_at_the_deadline(club: Club) -> None:
    number = await club.begun()
    await _put_away(club, number)
    event = await club.late(number)
    assert event.phase is Phase.OVER
    assert (await club.outcome(number)).ended is Ended.NOTHING
    assert await club.nights.reopen(event, 1) is None


async def test_computers_fill_up_meet_each_other_and_byes_are_given(club: Club) -> None:
    number = await club.begun((ADA, BEN), fill=5, rounds=5, level=Level.BEGINNER)
    event = await club.clubs.event(number)
    assert [each.name for each in event.entrants[2:]] == [
        "🤖 Rigel",
        "🤖 Mira",
        "🤖 Altair",
    ]
    settled = {each.players: each.outcome.ended for each in event.current if each.outcome is not None}
    assert all(
        event.entrant(each).is_computer or len(players) == 1 for players in settled for each in players
    )
    assert [each for players, each in settled.items() if len(players) == 1] == [Ended.BYE]
    open_games = [each for each in event.current if each.outcome is None]
    assert all(each.game for each in open_games)


async def test_no_computer_is_called_as_a_person_is(club: Club) -> None:
    number = await club.opened(fill=4)
    await club.clubs.enter(number, CLEO, "Rigel", Presence.HERE)
    await club.nights.begin(number)
    assert [each.name for each in (await club.clubs.event(number)).entrants if each.user is None] == [
        "🤖 Mira"
    ]


async def test_where_discord_refuses_the_event_still_ends(club: Club) -> None:
    number = await club.paired(rounds=2)
    club.refuses = (403, 50013)
    event = await club.reconcile(number)
    assert (event.phase, event.pairings[0].outcome) == (Phase.PLAYING, None)
    for _ in range(2):
        event = await club.late(number)
    assert event.phase is Phase.OVER
    assert {each.outcome.ended for each in event.pairings if each.outcome} == {Ended.NOTHING}


async def test_a_game_that_is_called_off_is_nobodys(club: Club) -> None:
    number = await club.begun()
    await club.sessions.call_off(await club.game(number))
    await club.reconcile(number)
    assert (await club.outcome(number)).ended is Ended.NOTHING


@pytest.mark.parametrize("refusal", [(403, 50013), (400, 50083), (404, 10003)])
async def test_a_new_event_whose_message_discord_refuses_is_closed(
    club: Club, refusal: tuple[int, int]
) -> None:
    number = await club.opened()
    club.refuses = refusal
    club.nights.changed(number)
    with refused(ClubRefusal.NOT_POSTED):
        await club.nights.opened(number)
    assert not club.said


async def test_a_new_event_stays_open_through_an_outage_of_discord(club: Club) -> None:
    number = await club.opened()
    club.refuses = (503, 0)
    assert (await club.reconcile(number)).phase is Phase.GATHERING
    club.refuses = None
    club.nights.changed(number)
    await club.nights.opened(number)
    assert (await club.clubs.event(number)).message is not None


async def test_an_event_whose_message_stands_outlives_a_refusal(club: Club) -> None:
    number = await club.opened()
    await club.reconcile(number)
    await club.clubs.enter(number, CLEO, "Cleo", Presence.SIGNED)
    club.refuses = (403, 50013)
    assert (await club.reconcile(number)).phase is Phase.GATHERING


async def test_an_event_rests_while_its_server_is_out_of_reach_and_ends_with_its_data(club: Club) -> None:
    number = await club.begun()
    club.shards.left(GUILD)
    club.now += 9000
    event = await club.reconcile(number)
    assert (event.reminded, event.phase) == (False, Phase.PLAYING)
    await club.database.write(lambda connection: forget_server(connection, GUILD))
    await club.nights.reconcile(number)  # no further run


async def test_an_event_ends_with_its_channel(club: Club) -> None:
    number = await club.begun()
    game = await club.game(number)
    await club.nights.channel_gone(CHANNEL)
    event = await club.reconcile(number)
    assert event.phase is Phase.CLOSED
    assert (await club.store.table(game)).status is Status.CANCELLED
    other = await club.begun()
    club.refuses = (404, 10003)
    club.restart()
    assert (await club.reconcile(other)).phase is Phase.CLOSED


async def test_an_event_that_is_ended_early_says_so_where_its_games_were_played_and_once(club: Club) -> None:
    number = await club.begun()
    game = await club.game(number)
    await club.clubs.end(number, Phase.CLOSED)
    event = await club.reconcile(number)
    assert (await club.store.table(game)).status is Status.CANCELLED
    [pairing] = event.current
    ended = "An organiser ended this early: the game counts for nobody."
    assert club.said[-1] == (pairing.thread, ended)
    assert ended in club.shown
    assert "has to be over" not in club.shown

    said = list(club.said)
    await club.reconcile(number)
    assert club.said == said


async def test_it_takes_two_of_whom_one_is_a_person(club: Club) -> None:
    alone = await club.opened((ADA,))
    with refused(ClubRefusal.TOO_SMALL):
        await club.nights.begin(alone)
    partners = await club.opened(agreement=PARTNERS, channel=CHANNEL + 1)
    with refused(ClubRefusal.TOO_SMALL):
        await club.nights.begin(partners)
    await club.clubs.end(alone, Phase.CLOSED)
    nobody = await club.opened((), fill=4)
    with refused(ClubRefusal.TOO_SMALL):
        await club.nights.begin(nobody)
    await club.clubs.enter(nobody, CLEO, "Cleo", Presence.SIGNED)
    event = await club.nights.begin(nobody)
    assert event.entrant(1).presence is Presence.HERE, "nobody said that they were here, so all play"
    with refused(ClubRefusal.NO_EVENT):
        await club.nights.begin(nobody)


async def _goes_on(club: Club, number: int, *, gained: bool) -> None:
    """The bot starts, or another process that gains the event's shard."""
    club.restart()
    if gained:
        club.shards.share(1)
    await club.nights.start()
    if gained:
        assert ("club", str(number)) not in club.tasks, "it is another process's"
        club.shards.own(0)
        club.nights.resume()
        await club.rests()
    assert ("club", str(number)) in club.tasks
    club.tasks.stop(("club", str(number)))


@pytest.mark.parametrize("gained", [False, True])
async def test_a_game_that_was_opened_and_not_begun_begins_at_the_start(club: Club, *, gained: bool) -> None:
    number = await club.paired()
    with patch.object(Sessions, "begin", side_effect=SystemExit), pytest.raises(SystemExit):
        await club.reconcile(number)
    game = await club.game(number)
    assert (await club.store.table(game)).status is Status.GATHERING
    await _goes_on(club, number, gained=gained)
    assert (await club.store.table(game)).status is Status.PLAYING


@pytest.mark.parametrize("gained", [False, True])
async def test_games_that_count_are_known_after_a_start(club: Club, *, gained: bool) -> None:
    number = await club.begun()
    game = await club.game(number)
    await _goes_on(club, number, gained=gained)
    session, _ = await club.sessions.move(game, BEN, Resign)
    club.nights.game_ended(session.record)
    assert ("club", str(number)) in club.tasks
    assert (await club.reconcile(number)).phase is Phase.OVER


async def test_what_another_process_has_drawn_meanwhile_is_drawn_over(club: Club) -> None:
    number = await club.begun()
    edits = len(club.edits)
    club.nights.resume()
    await club.rests()
    await club.reconcile(number)
    assert len(club.edits) > edits


async def test_no_step_is_taken_at_another_processs_event(club: Club) -> None:
    number = await club.begun((ADA, BEN))
    club.shards.share(1)
    said = len(club.said)
    club.now += 9000
    await club.nights.reconcile(number)  # no further run
    await club.nights.channel_gone(night().channel)
    event = await club.clubs.event(number)
    assert (event.phase, event.reminded, len(club.said)) == (Phase.PLAYING, False, said)
    club.nights.game_ended(await club.store.table(await club.game(number)))
    assert ("club", str(number)) not in club.tasks, "its game is forgotten here"


async def test_an_event_that_goes_to_another_process_goes_no_further_here(club: Club) -> None:
    number = await club.paired((ADA, BEN, CLEO, CLEO + 1))
    notes = ClubStore.note_game

    async def note_and_lose(clubs: ClubStore, event: int, pairing: Pairing, game: str) -> Event:
        club.shards.share(1)
        return await notes(clubs, event, pairing, game)

    with patch.object(ClubStore, "note_game", note_and_lose):
        await club.nights.reconcile(number)
    event = await club.clubs.event(number)
    assert [each.game is None for each in event.current] == [False, True]
    assert event.message is None


async def test_a_bot_that_was_away_gives_its_games_to_nobody_at_once(club: Club) -> None:
    number = await club.begun()
    club.now += 9000
    event = await club.reconcile(number)
    assert (event.phase, event.pairings[0].outcome) == (Phase.PLAYING, None)
    assert (event.reminded, event.due) == (True, 1000 + 9000 + 900)
    club.now += 899
    assert (await club.reconcile(number)).pairings[0].outcome is None
    club.now += 1
    assert (await club.reconcile(number)).phase is Phase.OVER


async def test_a_correction_is_told_stands_and_is_kept_though_nobody_hears_of_it(club: Club) -> None:
    number = await club.begun(rounds=2)
    first = await club.first(number)
    corrected = Outcome(ended=Ended.SKUNK, winner=2, scores=(20, 61), corrected=True)
    await club.nights.correct(number, first, corrected)
    assert (await club.store.table(await club.game(number))).status is Status.CANCELLED
    assert club.told("corrected") == [first.thread]
    assert (await club.reconcile(number)).round == 2
    assert await club.outcome(number) == corrected
    club.refuses = (500, 0)
    event = await club.nights.correct(number, first, replace(corrected, winner=1))
    assert event.pairings[0].outcome == replace(corrected, winner=1)


async def test_a_result_is_told_below_the_end_that_the_table_shows(club: Club) -> None:
    club.show_timeout = 15.0
    club.restart()
    number = await club.begun(rounds=2)
    game = await club.game(number)
    await club.sessions.move(game, BEN, Resign)
    assert (await club.reconcile(number)).round == 1
    assert not club.told("It counts for")
    await club.store.mark_synced(game, (await club.store.table(game)).version)
    assert (await club.reconcile(number)).round == 2
    game = (await club.clubs.event(number)).current[0].game or ""
    await club.sessions.move(game, BEN, Resign)
    assert (await club.reconcile(number)).phase is Phase.PLAYING
    club.now += 15
    assert (await club.reconcile(number)).phase is Phase.OVER, "whatever Discord refuses"


async def test_who_resigns_loses_a_plain_game_without_a_spread(club: Club) -> None:
    number = await club.begun()
    game = await club.game(number)
    session = await club.sessions.get(game)
    while not any(pegs.front for pegs in session.game.table.pegs):
        seat = session.game.table.waiting_for[0]
        await club.sessions.move_for(game, plain_move(session.game.view(seat)))
    await club.sessions.move(game, ADA, Resign)
    await club.reconcile(number)
    assert await club.outcome(number) == Outcome(ended=Ended.WIN, winner=2)


async def test_what_an_organiser_corrects_just_as_a_game_ends_stands(club: Club) -> None:
    club.show_timeout = 15.0
    club.restart()
    number = await club.begun(rounds=2)
    corrected = Outcome(ended=Ended.SKUNK, winner=2, scores=(20, 61), corrected=True)

    async def correct_meanwhile(_: Sessions, __: str) -> bool:
        await club.nights.correct(number, await club.first(number), corrected)
        return True

    await club.sessions.move(await club.game(number), BEN, Resign)
    with patch.object(Sessions, "is_synced", correct_meanwhile):
        await club.reconcile(number)
    assert await club.outcome(number) == corrected
    assert not club.told("It counts for")


async def test_a_game_that_never_began_counts_for_nobody_and_leaves_no_lobby(club: Club) -> None:
    number = await club.paired()
    with patch.object(Sessions, "begin", side_effect=SystemExit):
        with pytest.raises(SystemExit):
            await club.reconcile(number)
        game = await club.game(number)
        club.now += 2701
        with pytest.raises(SystemExit):
            await club.reconcile(number)
    await club.clubs.note_reminder(number, 1, int(club.now))
    event = await club.reconcile(number)
    assert event.phase is Phase.OVER
    assert (await club.outcome(number)).ended is Ended.NOTHING
    assert (await club.store.table(game)).status is Status.CANCELLED


async def test_who_signs_up_just_as_it_begins_hinders_nothing(club: Club) -> None:
    number = await club.opened((ADA,), fill=3)
    begins = ClubStore.begin_round
    late = [BEN]

    async def enter_and_begin(clubs: ClubStore, event: int, *args: Any, **kwargs: Any) -> Event:
        if late:
            await clubs.enter(event, late.pop(), "Ben", Presence.HERE)
        return await begins(clubs, event, *args, **kwargs)

    with patch.object(ClubStore, "begin_round", enter_and_begin):
        event = await club.nights.begin(number)
    assert [each.user for each in event.entrants] == [ADA, BEN, None]
    assert len(event.current) == 2, "three are paired, and one has a bye"


async def test_computers_never_make_an_event_larger_than_a_message_holds(club: Club) -> None:
    number = await club.opened((ADA,), fill=32, rounds=1)
    for user in range(1, 11):
        await club.clubs.enter(number, user, f"Guest {user}", Presence.SIGNED)
    assert len((await club.nights.begin(number)).entrants) == 32


PARTNERS = Agreement.of(players=4, preset="short", pace=Pace.LIVE)
DAN = CLEO + 1


async def test_partners_sit_opposite_each_other(club: Club) -> None:
    number = await club.opened((ADA, BEN, CLEO, DAN), agreement=PARTNERS)
    await club.clubs.choose_partner(number, ADA, DAN)
    await club.nights.begin(number)
    club.tasks.stop(("club", str(number)))
    event = await club.reconcile(number)
    assert [each.players for each in event.current] == [(1, 2)]
    record = await club.store.table(await club.game(number))
    assert [each.user for each in record.occupants] == [ADA, BEN, DAN, CLEO]
    await club.sessions.move(record.game, CLEO, Resign)
    await club.reconcile(number)
    outcome = await club.outcome(number)
    assert (outcome.ended, outcome.winner) == (Ended.WIN, 1)
    event = await club.clubs.event(number)
    assert [
        (row.entrant.number, row.points) for row in standings(event.sides, event.pairings, event.points)
    ] == [
        (1, 2),
        (2, 0),
    ]


async def test_a_partner_who_leaves_is_replaced_and_the_team_plays_on(club: Club) -> None:
    number = await club.begun((ADA, BEN, CLEO, DAN), agreement=PARTNERS, rounds=3)
    await club.clubs.enter(number, BEN, "Ben", Presence.LEFT)
    event = await club.clubs.event(number)
    await club.nights.cover(event, 2)
    event = await club.reconcile(number)
    assert (await club.first(number)).outcome is None
    record = await club.store.table(await club.game(number))
    assert [each.level is None for each in record.occupants] == [True, True, False, True]
    assert record.occupants[2].user == BEN
    await club.clubs.enter(number, ADA, "Ada", Presence.LEFT)
    event = await club.reconcile(number)
    assert (await club.outcome(number)) == Outcome(ended=Ended.FORFEIT, winner=3), "both are gone"
    assert event.phase is Phase.OVER


async def test_a_team_whose_one_has_left_meets_its_next_opponents(club: Club) -> None:
    number = await club.begun((ADA, BEN, CLEO, DAN), agreement=PARTNERS, rounds=3)
    await club.clubs.enter(number, ADA, "Ada", Presence.LEFT)
    await club.sessions.move(await club.game(number), CLEO, Resign)
    event = await club.reconcile(number)
    assert event.round == 2
    game = event.current[0].game
    assert game is not None
    record = await club.store.table(game)
    assert [each.user for each in record.occupants] == [None, CLEO, BEN, DAN]
    assert record.host == CLEO


async def test_who_comes_late_gets_a_partner(club: Club) -> None:
    number = await club.begun((ADA, BEN, CLEO), agreement=PARTNERS, rounds=3)
    event = await club.clubs.event(number)
    assert [each.captain for each in event.entrants] == [None, 1, None, 3], "the odd one has a computer"
    await club.clubs.enter(number, DAN, "Dan", Presence.HERE)
    await club.sessions.move(await club.game(number), CLEO, Resign)
    event = await club.reconcile(number)
    assert [each.captain for each in event.entrants] == [None, 1, None, 3, None, 5]
    assert [each.name for each in event.entrants if each.user is None] == ["🤖 Rigel", "🤖 Mira"]
    assert {each for pairing in event.current for each in pairing.players} == {1, 3, 5}


async def test_partners_forfeit_at_the_deadline_and_computers_play_as_teams(club: Club) -> None:
    number = await club.begun((ADA, BEN), agreement=PARTNERS, fill=8, rounds=1, level=Level.BEGINNER)
    event = await club.clubs.event(number)
    assert [len(event.team(each.number)) for each in event.sides] == [2, 2, 2, 2]
    [played] = [each for each in event.current if each.outcome is not None]
    assert 1 not in played.players
    game = await club.game(number)
    table = (await club.sessions.get(game)).game.table
    for seat in table.waiting_for:
        await club.sessions.move_for(game, CutForFirstDeal(seat))
    await club.late(number)
    outcome, pairing = await club.outcome(number), await club.first(number)
    assert outcome.ended is Ended.FORFEIT, "who is due is of one side"
    assert {1, outcome.winner} == set(pairing.players)
