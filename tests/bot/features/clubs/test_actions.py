"""Club events as people ask for them: who may run them, where they stand, partners, and what is answered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.features.clubs.actions import ClubActions
from bot.features.clubs.custom_ids import ClubId, ClubWish, YearId
from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import Ended, Entrant, Event, Outcome, Pairing, Phase, Points, Presence
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.organising import Organising
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weeks import WEEK
from bot.features.clubs.year_store import YearStore
from bot.features.stats.season_store import SeasonStore
from bot.model.errors import MissingPermissions, NoServer, TableRefusal
from bot.model.table_record import Pace
from bot.model.venue import Venue
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.people import SqlPeople
from engine.computer import Level
from tests.bot.interactions.asking import GUILD, asked_by, given
from tests.bot.refusing import refused
from tests.bot.seating import ADA, BEN, CLEO, Guest
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore

ROLE = 77
NOW = 1_795_262_400.0
"""21 November 2026, 12:00 UTC."""


class Desk:
    """The actions over a real database; what runs the events only hears of them."""

    def __init__(self, database: SqliteDatabase) -> None:
        self.clubs = ClubStore(database)
        self.nights: Any = stand_in(ClubNights)
        self.nights.reopen.return_value = None
        self.years = YearStore(database)
        self.people = SqlPeople(database, lambda: self.now)
        self.now = NOW
        self.actions = ClubActions(
            self.clubs, self.years, self.people, self.nights, illustrator=None, now=lambda: self.now
        )
        self.organising = Organising(
            self.actions, self.clubs, self.years, MemoryStore(), self.nights, now=lambda: self.now
        )

    async def open(self, person: Guest = ADA, *, partners: bool = False, **how: Any) -> Event:
        """The event that somebody opens, a moderator unless it is said otherwise."""
        answer = asks(person, **{"manage_guild": True, **how})
        await self.organising.open(
            answer,
            name="  ",
            games=3,
            pace=Pace.LIVE,
            hours=2,
            preset="short",
            points=Points.CONGRESS,
            fill=0,
            level=Level.STEADY,
            partners=partners,
        )
        assert "It's open" in said(answer)
        event = await self.clubs.event_in(answer.interaction.channel_id)
        assert event is not None
        return event

    async def press(self, person: Guest, event: Event, wish: ClubWish, what: str = "", **how: Any) -> str:
        """The answer to a press."""
        answer = asks(person, pressed=True, **how)
        actions = self.organising if wish.is_organisers else self.actions
        await actions.press(answer, ClubId(event.id, wish, what))
        return said(answer)

    async def organise(self, event: Event, wish: ClubWish, what: str = "") -> str:
        """The answer to a moderator's press."""
        return await self.press(ADA, event, wish, what, manage_guild=True)

    async def asked_to_close(self) -> str:
        """The question to a moderator, as for the next two."""
        answer = asks(ADA, manage_guild=True)
        await self.organising.close(answer)
        return said(answer)

    async def asked_to_remove(self, person: Guest, level: Level | None = None) -> str:
        answer = asks(ADA, manage_guild=True)
        await self.organising.remove(answer, asks(person).interaction.user, level)
        return said(answer)

    async def asked_to_correct(self, number: int, table: int, winner: int | None, points: int | None) -> str:
        answer = asks(ADA, manage_guild=True)
        await self.organising.correct(answer, number=number, table=table, winner=winner, loser_points=points)
        return said(answer)

    async def corrected(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """Settles a pairing as the nights do."""
        return await self.clubs.settle(number, pairing, outcome)

    async def entrant(self, event: Event, person: Guest) -> Entrant:
        """An entrant as stored."""
        entrant = (await self.clubs.event(event.id)).entrant_of(person.user)
        assert entrant is not None
        return entrant


def asks(person: Guest, *, roles: tuple[int, ...] = (), kind: type = discord.TextChannel, **how: Any) -> Any:
    """An answer to a member with those roles in a channel of that kind."""
    answer = asked_by(person, **how)
    answer.interaction.channel = Mock(spec=kind)
    user = Mock(spec=discord.Member)
    user.id, user.display_name = person.user, person.name
    user.get_role = lambda role: SimpleNamespace(id=role) if role in roles else None
    answer.interaction.user = user
    return answer


def said(answer: Any) -> str:
    """The one sentence or drawing that was answered."""
    [(_, text)] = given(answer)
    return text


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A desk with a new database."""
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    yield Desk(database)
    await database.close()


async def test_moderators_name_the_role_that_runs_events(desk: Desk) -> None:
    with refused(ClubRefusal.NOT_ORGANISER):
        await desk.open(BEN, manage_guild=False)
    with refused(TableRefusal.NOT_MODERATOR):
        await desk.organising.name_organisers(asks(BEN), ROLE)
    named = asks(ADA, manage_channels=True)
    await desk.organising.name_organisers(named, ROLE)
    assert f"<@&{ROLE}>" in said(named)
    with refused(ClubRefusal.NOT_ORGANISER):
        await desk.open(BEN, manage_guild=False, roles=(78,))
    event = await desk.open(BEN, manage_guild=False, roles=(ROLE,))
    assert event.name == "Club night"
    with refused(ClubRefusal.NOT_ORGANISER):
        await desk.press(CLEO, event, ClubWish.START)
    assert "Off you go" in await desk.press(BEN, event, ClubWish.START, roles=(ROLE,))
    desk.nights.begin.assert_awaited_once_with(event.id)
    for ask in (
        desk.organising.close(asks(CLEO)),
        desk.organising.remove(asks(CLEO), asks(BEN).interaction.user, None),
        desk.organising.correct(asks(CLEO), number=1, table=1, winner=0, loser_points=None),
    ):
        with refused(ClubRefusal.NOT_ORGANISER):
            await ask
    await desk.organising.name_organisers(asks(ADA, manage_channels=True), None)
    with refused(ClubRefusal.NOT_ORGANISER):
        await desk.press(BEN, event, ClubWish.START, roles=(ROLE,))


async def test_everybody_can_be_named(desk: Desk) -> None:
    await desk.organising.name_organisers(asks(ADA, manage_guild=True), GUILD)
    assert (await desk.open(BEN, manage_guild=False)).phase is Phase.GATHERING


async def test_an_event_needs_a_text_channel_where_the_bot_may_open_threads(desk: Desk) -> None:
    for kind in (discord.Thread, discord.VoiceChannel):
        with refused(ClubRefusal.NEEDS_TEXT_CHANNEL):
            await desk.open(kind=kind)
    answer = asks(ADA, manage_guild=True)
    answer.interaction.app_permissions = discord.Permissions(
        view_channel=True, send_messages=True, send_messages_in_threads=True
    )
    with pytest.raises(MissingPermissions) as refusal:
        await desk.organising.open(
            answer,
            name="",
            games=1,
            pace=Pace.LIVE,
            hours=1,
            preset="short",
            points=Points.PLAIN,
            fill=0,
            level=Level.STEADY,
        )
    assert refusal.value.names == ("Create Public Threads",)
    await desk.open()
    with refused(ClubRefusal.TAKEN):
        await desk.open()


async def test_who_comes_back_to_a_game_that_was_put_away_reads_where_it_is(desk: Desk) -> None:
    event = await desk.open()
    for person in (ADA, BEN):
        await desk.press(person, event, ClubWish.HERE)
    desk.nights.reopen.assert_not_awaited()
    await desk.clubs.begin_round(event.id, 0, [], ((1, 2),), 900)
    assert "You're in!" in await desk.press(BEN, event, ClubWish.HERE)
    desk.nights.reopen.return_value = Pairing(round=1, table=1, home=1, away=2, thread=77, game="later")
    assert await desk.press(BEN, event, ClubWish.HERE) == "Your game's table opens again: <#77>"
    assert desk.nights.reopen.await_args.args[1] == 2


async def test_people_sign_up_say_that_they_are_here_leave_and_come_back(desk: Desk) -> None:
    event = await desk.open()
    assert "You haven't signed up." in await desk.press(BEN, event, ClubWish.LEAVE)
    assert "You're signed up" in await desk.press(BEN, event, ClubWish.SIGN_UP)
    assert "You're in!" in await desk.press(BEN, event, ClubWish.HERE)
    assert "You're in!" in await desk.press(BEN, event, ClubWish.SIGN_UP), "they are here still"
    assert "*Sign up* brings you back" in await desk.press(BEN, event, ClubWish.LEAVE)
    assert "You're signed up" in await desk.press(BEN, event, ClubWish.SIGN_UP)
    await desk.clubs.begin_round(event.id, 0, [], ((1, None),), 900)
    with refused(ClubRefusal.UNDER_WAY):
        await desk.press(CLEO, event, ClubWish.SIGN_UP)
    assert "You're in!" in await desk.press(CLEO, event, ClubWish.HERE)
    assert "for the next round" in await desk.press(CLEO, event, ClubWish.LEAVE)
    desk.nights.cover.assert_not_awaited()
    with refused(ClubRefusal.NO_EVENT):
        await desk.actions.press(asks(BEN, pressed=True), ClubId(99, ClubWish.HERE))


async def test_people_choose_their_partner_before_the_start(desk: Desk) -> None:
    event = await desk.open(partners=True)
    assert "`/crib-club partner` chooses" in await desk.press(BEN, event, ClubWish.SIGN_UP)
    answer = asks(CLEO)
    await desk.actions.choose_partner(answer, asks(BEN).interaction.user)
    assert f"You and <@{BEN.user}> play together" in said(answer)
    desk.nights.changed.assert_called_with(event.id)
    event = await desk.clubs.event(event.id)
    assert [each.captain for each in event.entrants] == [None, 1], "who chooses is signed up by that"
    assert "`/crib-club partner`" not in await desk.press(BEN, event, ClubWish.HERE)
    with refused(ClubRefusal.NOT_ENTERED):
        await desk.actions.choose_partner(asks(CLEO), asks(ADA).interaction.user)
    answer = asks(CLEO)
    desk.nights.changed.reset_mock()
    await desk.actions.choose_partner(answer, None)
    assert "at the start" in said(answer)
    desk.nights.changed.assert_called_once_with(event.id)
    await desk.actions.choose_partner(asks(CLEO), asks(BEN).interaction.user)
    await desk.press(ADA, event, ClubWish.HERE)
    await desk.clubs.begin_round(event.id, 0, [], ((1, None),), 900)
    with refused(ClubRefusal.UNDER_WAY):
        await desk.actions.choose_partner(asks(CLEO), None)
    await desk.press(CLEO, event, ClubWish.LEAVE)
    desk.nights.cover.assert_awaited_once()
    assert desk.nights.cover.await_args.args[1] == 2


async def test_in_singles_nobody_has_a_partner(desk: Desk) -> None:
    await desk.open()
    with refused(ClubRefusal.SINGLES):
        await desk.actions.choose_partner(asks(BEN), asks(ADA).interaction.user)


async def test_an_organiser_is_asked_before_anybody_is_taken_out(desk: Desk) -> None:
    event = await desk.open()
    await desk.press(BEN, event, ClubWish.HERE)
    await desk.press(CLEO, event, ClubWish.HERE)
    with refused(ClubRefusal.NOT_ENTERED):
        await desk.organising.remove(asks(ADA, manage_guild=True), asks(ADA).interaction.user, None)
    assert "They can sign up again" in await desk.asked_to_remove(BEN)
    assert (await desk.entrant(event, BEN)).presence is Presence.HERE, "nobody has said yes yet"
    assert "Nothing has changed" in await desk.organise(event, ClubWish.KEEP)
    assert (await desk.entrant(event, BEN)).presence is Presence.HERE
    with refused(ClubRefusal.NOT_ORGANISER):
        await desk.press(CLEO, event, ClubWish.REMOVE, str(BEN.user))
    assert "They're out" in await desk.organise(event, ClubWish.REMOVE, str(BEN.user))
    assert (await desk.entrant(event, BEN)).presence is Presence.LEFT

    await desk.clubs.enter(event.id, BEN.user, "Ben", Presence.HERE)
    await desk.clubs.begin_round(event.id, 0, [], ((1, 2),), 900)
    assert "### Let the computer play for Ben?" in await desk.asked_to_remove(BEN, Level.EXPERT)
    desk.nights.cover.assert_not_awaited()
    desk.nights.changed.reset_mock()
    said_after = await desk.organise(event, ClubWish.REMOVE, f"{BEN.user}.expert")
    assert "The computer plays for them" in said_after
    desk.nights.cover.assert_awaited_once()
    desk.nights.changed.assert_called_once_with(event.id)
    assert "their opponent wins it by forfeit" in await desk.asked_to_remove(CLEO)
    assert "Their opponent wins" in await desk.organise(event, ClubWish.REMOVE, str(CLEO.user))


async def test_an_organiser_is_asked_before_the_event_closes(desk: Desk) -> None:
    event = await desk.open()
    for person in (BEN, CLEO):
        await desk.press(person, event, ClubWish.HERE)
    assert "It hasn't started" in await desk.asked_to_close()
    await desk.clubs.begin_round(event.id, 0, [], ((1, 2),), 900)
    asked = await desk.asked_to_close()
    assert "### Close Club night?" in asked
    assert "1 game under way ends without a result" in asked
    assert (await desk.clubs.event(event.id)).phase is Phase.PLAYING
    assert "Closed" in await desk.organise(event, ClubWish.CLOSE)
    assert (await desk.clubs.event(event.id)).phase is Phase.CLOSED
    with refused(ClubRefusal.NO_EVENT):
        await desk.organise(event, ClubWish.CLOSE)
    with refused(ClubRefusal.NO_EVENT):
        await desk.asked_to_close()


async def test_a_weekly_event_says_when_the_next_one_opens(desk: Desk) -> None:
    event = await desk.open()
    await desk.organising.weekly(asks(ADA, manage_guild=True), repeat=True)
    again = int(NOW) + WEEK
    assert (await desk.clubs.event(event.id)).again == again
    asked = await desk.asked_to_close()
    assert f"The next one still opens <t:{again}:F>; `/crib-organise weekly` ends that." in asked
    closed = await desk.organise(event, ClubWish.CLOSE)
    assert f"The next one opens <t:{again}:F>." in closed


async def test_a_weekly_event_keeps_its_hour_in_the_zone_of_the_server(desk: Desk) -> None:
    event = await desk.open()
    answer = asks(ADA, manage_guild=True)
    await desk.organising.weekly(answer, repeat=True)
    assert "and then one each week at this hour (UTC)" in said(answer)

    answer, last_of_summer_time = asks(ADA, manage_guild=True), datetime(2026, 10, 28, 20, tzinfo=UTC)
    desk.now = last_of_summer_time.timestamp()
    await SeasonStore(desk.clubs._database).choose_zone(event.guild, "America/New_York", last_of_summer_time)
    await desk.organising.weekly(answer, repeat=True)
    assert f"<t:{int(desk.now) + WEEK + 3600}:F>" in said(answer)
    assert "at this hour (America/New_York)" in said(answer)


async def test_an_organiser_lets_events_follow_each_other_or_no_more(desk: Desk) -> None:
    async def chosen(*, repeat: bool) -> str:
        answer = asks(ADA, manage_guild=True)
        await desk.organising.weekly(answer, repeat=repeat)
        return said(answer)

    with refused(ClubRefusal.NO_EVENT):
        await chosen(repeat=True)
    event = await desk.open()
    assert event.again is None
    assert "still opens" not in await desk.asked_to_close()
    with refused(ClubRefusal.NOT_ORGANISER):
        await desk.organising.weekly(asks(BEN), repeat=True)
    assert await chosen(repeat=False) == "No event opens here by itself."
    desk.nights.changed.reset_mock()
    assert f"<t:{int(NOW) + WEEK}:F>" in await chosen(repeat=True)
    desk.nights.changed.assert_called_once_with(event.id)
    await desk.organise(event, ClubWish.CLOSE)
    desk.now += 3600
    assert f"<t:{int(NOW) + 3600 + WEEK}:F>" in await chosen(repeat=True), "an event that is over, too"
    later = await desk.open()
    desk.nights.changed.reset_mock()
    assert await chosen(repeat=False) == "No event opens here by itself any more."
    assert {each.args[0] for each in desk.nights.changed.call_args_list} == {event.id, later.id}
    assert (await desk.clubs.event(event.id)).again is None


async def test_an_organiser_chooses_how_many_nights_count(desk: Desk) -> None:
    with refused(ClubRefusal.NOT_ORGANISER):
        await desk.organising.count_best(asks(BEN), 8)
    for nights, sentence in (
        (8, "From 2026 on, each player's best 8 club nights count for the year."),
        (None, "From 2026 on, every club night counts for the year."),
    ):
        answer = asks(ADA, manage_guild=True)
        await desk.organising.count_best(answer, nights)
        assert said(answer) == sentence
        assert (await desk.years.year(GUILD, 2026)).best == nights


async def _a_night(desk: Desk) -> None:
    """A night of Ben and Cleo, which Ben has won."""
    event = await desk.open()
    for person in (BEN, CLEO):
        await desk.press(person, event, ClubWish.HERE)
    due = int(desk.now) + event.hours * 3600
    event = await desk.clubs.begin_round(event.id, 0, [], ((1, 2),), due)
    outcome = Outcome(ended=Ended.WIN, winner=1, scores=(61, 50))
    await desk.clubs.settle(event.id, event.pairings[0], outcome)
    await desk.clubs.end(event.id, Phase.OVER)


async def test_the_year_is_for_everybody_unless_it_is_empty_or_the_asker_hides(desk: Desk) -> None:
    async def asked(year: int | None = None) -> tuple[str, str]:
        answer = asks(BEN)
        await desk.actions.year(answer, year)
        [found] = given(answer)
        return found

    assert (await asked())[0] == "show"
    await _a_night(desk)
    how, text = await asked()
    assert how == "post"
    assert "Club year 2026" in text
    assert r"▸ 1\. Ben · **2 points** · 1 won · +11 · 1 night" in text
    how, text = await asked(2025)
    assert how == "show"
    assert text.endswith("[2026]")
    desk.now += 366 * 86_400
    assert "No club night has ended this year yet" in (await asked())[1]
    assert "🥇 Ben" in (await asked(2026))[1]
    await desk.people.set_hidden(BEN.user, hidden=True)
    assert (await asked(2026))[0] == "show"


async def test_only_who_asked_turns_the_page_for_everybody(desk: Desk) -> None:
    await _a_night(desk)
    for person, how in ((BEN, "redraw"), (CLEO, "show")):
        answer = asks(person, pressed=True)
        await desk.actions.turn_year(answer, YearId(2026, 0, BEN.user))
        [(done, text)] = given(answer)
        assert (done, rf"▸ {1 if person is BEN else 2}\. {person.name}" in text) == (how, True)


async def test_an_organiser_is_asked_before_a_result_changes(desk: Desk) -> None:
    event = await desk.open()
    for person in (BEN, CLEO):
        await desk.press(person, event, ClubWish.HERE)
    await desk.clubs.begin_round(event.id, 0, [], ((1, 2),), 900)
    for number, table, points in ((1, 2, 30), (2, 1, 30), (1, 1, 61)):
        with refused(ClubRefusal.NO_PAIRING):
            await desk.asked_to_correct(number, table, 0, points)
    asked = await desk.asked_to_correct(1, 1, 0, 30)
    assert "There's no result yet." in asked
    assert "Then: Ben – Cleo: **Ben** wins, 61–30 (skunk)" in asked
    desk.nights.correct.assert_not_awaited()
    desk.nights.correct = desk.corrected
    assert "**Ben** wins, 61–30 (skunk)" in await desk.organise(event, ClubWish.CORRECT, "1.1.0.30")
    assert "Now: Ben – Cleo: **Ben** wins, 61–30 (skunk)" in await desk.asked_to_correct(1, 1, None, None)
    assert "no result" in await desk.organise(event, ClubWish.CORRECT, "1.1.nobody")
    assert "**Cleo** wins by forfeit" in await desk.organise(event, ClubWish.CORRECT, "1.1.1")


async def test_the_standings_are_for_everybody_unless_nobody_is_in_them(desk: Desk) -> None:
    event = await desk.open()
    empty = asks(BEN)
    await desk.actions.standings(empty)
    assert given(empty)[0][0] == "show"
    await desk.clubs.enter(event.id, BEN.user, "Ben", Presence.SIGNED)
    await desk.organise(event, ClubWish.CLOSE)
    answer = asks(BEN)
    await desk.actions.standings(answer)
    assert "Club night" in said(answer), "the last event's standings stay to be seen"
    assert given(answer)[0][0] == "post"


@pytest.mark.parametrize("guild", [None, 77], ids=["between people", "in a server without the bot"])
async def test_where_the_bot_is_no_member_nothing_is_organised(desk: Desk, guild: int | None) -> None:
    answer = asks(ADA, guild=guild, venue=Venue.ANYWHERE, manage_guild=True)
    with pytest.raises(NoServer):
        await desk.open(guild=guild, venue=Venue.ANYWHERE)
    for ask in (desk.organising.start(answer), desk.organising.close(answer)):
        with pytest.raises(NoServer):
            await ask
    with pytest.raises(NoServer):
        await desk.organising.name_organisers(answer, ROLE)
    for asking in (desk.actions.standings(answer), desk.actions.choose_partner(answer, None)):
        with refused(ClubRefusal.NO_EVENT):
            await asking
    assert given(answer) == []
