"""Club events in the store: each change once, and what forgetting a person or a server leaves."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import MOST_ENTRANTS, Ended, Entrant, Event, Outcome, Phase, Points, Presence
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weeks import WEEK
from bot.model.errors import Refused
from bot.model.table_record import Agreement, Pace
from bot.store import clubs as of_clubs
from bot.store.opening import Opened
from engine.computer import Level
from tests.bot.refusing import refused
from tests.bot.standings.games import NOON, Club

GUILD, CHANNEL, ADA, BEN, CLEO = 11, 22, 1_000_001, 1_000_002, 1_000_003


def night(channel: int = CHANNEL, guild: int = GUILD) -> Event:
    return Event(
        id=0,
        guild=guild,
        channel=channel,
        place="The Club",
        name="Tuesday",
        phase=Phase.GATHERING,
        agreement=Agreement.of(preset="short", pace=Pace.SLOW),
        points=Points.CONGRESS,
        rounds=3,
        hours=24,
        fill=4,
        level=Level.STEADY,
        language="fr",
    )


@pytest.fixture
def opened(any_club: Club) -> Opened:
    """Each kind of database."""
    return any_club.opened_database


@pytest.fixture
def clubs(any_club: Club) -> ClubStore:
    """The club events in that database."""
    return any_club.clubs


async def begun(clubs: ClubStore) -> Event:
    event = await clubs.open(night())
    await clubs.enter(event.id, ADA, "Adalberta", Presence.HERE)
    await clubs.enter(event.id, BEN, "Benedetto", Presence.HERE)
    computer = Entrant(number=3, user=None, name="", level=Level.STEADY, presence=Presence.HERE)
    return await clubs.begin_round(event.id, 0, [computer], ((1, 2), (3, None)), 500)


async def test_an_event_is_kept_as_it_is_and_a_channel_has_one(clubs: ClubStore) -> None:
    event = await clubs.open(night())
    assert event == await clubs.event(event.id) == await clubs.event_in(CHANNEL)
    assert (event.agreement, event.name, event.fill) == (night().agreement, "Tuesday", 4)
    with refused(ClubRefusal.TAKEN):
        await clubs.open(night())
    await clubs.end(event.id, Phase.CLOSED)
    again = await clubs.open(night())
    assert (await clubs.event_in(CHANNEL)) == again
    assert await clubs.open_events() == (again,)
    assert await clubs.event_in(99) is None
    with refused(ClubRefusal.NO_EVENT):
        await clubs.event(99)


async def test_people_sign_up_once_check_in_and_leave(clubs: ClubStore) -> None:
    number = (await clubs.open(night())).id
    await clubs.enter(number, ADA, "Ada", Presence.SIGNED)
    await clubs.enter(number, BEN, "Ben", Presence.LEFT)
    event = await clubs.enter(number, ADA, "Ada B", Presence.HERE)
    assert event.entrants == (Entrant(number=1, user=ADA, name="Ada B", presence=Presence.HERE),)
    await clubs.end(number, Phase.OVER)
    with refused(ClubRefusal.NO_EVENT):
        await clubs.enter(number, BEN, "Ben", Presence.SIGNED)


async def test_a_round_begins_once_and_a_pairing_is_settled_once(clubs: ClubStore) -> None:
    event = await begun(clubs)
    assert (event.phase, event.round, event.due, len(event.entrants)) == (Phase.PLAYING, 1, 500, 3)
    assert await clubs.begin_round(event.id, 0, [], ((2, 3), (1, None)), 900) == event
    first, _ = event.current
    await clubs.note_thread(event.id, first, 77)
    await clubs.note_game(event.id, first, "abcde")
    assert (await clubs.note_game(event.id, first, "fghij")).current[0].game == "abcde"
    assert (await clubs.event_in(77)) == await clubs.event(event.id)
    won = Outcome(ended=Ended.SKUNK, winner=1, scores=(121, 80))
    await clubs.settle(event.id, first, won)
    later = await clubs.settle(event.id, first, Outcome(ended=Ended.NOTHING, winner=None))
    assert later.current[0].outcome == won
    assert (later.current[0].thread, later.current[0].game) == (77, "abcde")
    corrected = Outcome(ended=Ended.WIN, winner=2, scores=(100, 121), corrected=True)
    assert (await clubs.settle(event.id, first, corrected)).current[0].outcome == corrected
    reminded = await clubs.note_reminder(event.id, 1, 700)
    assert (reminded.reminded, reminded.due) == (True, 700)
    assert (await clubs.end(event.id, Phase.OVER)).phase is Phase.OVER
    assert (await clubs.end(event.id, Phase.CLOSED)).phase is Phase.OVER
    assert (await clubs.begin_round(event.id, 1, [], ((2, 3),), 900)).round == 1


async def test_a_computer_stands_in_until_its_person_is_back(clubs: ClubStore) -> None:
    event = await begun(clubs)
    covered = (await clubs.substitute(event.id, ADA, Level.EXPERT)).entrant(1)
    assert (covered.user, covered.level, covered.presence) == (ADA, Level.EXPERT, Presence.HERE)
    assert (await clubs.enter(event.id, ADA, "Ada", Presence.HERE)).entrant(1).level is None
    assert (await clubs.substitute(event.id, 99, Level.EXPERT)).entrants[1:] == event.entrants[1:]
    await clubs.end(event.id, Phase.OVER)
    with refused(ClubRefusal.NO_EVENT):
        await clubs.substitute(event.id, ADA, Level.EXPERT)


async def test_people_who_sign_up_at_once_have_a_place_each(clubs: ClubStore) -> None:
    number = (await clubs.open(night())).id
    users = range(1, MOST_ENTRANTS + 3)
    entries = (clubs.enter(number, user, f"P{user}", Presence.SIGNED) for user in users)
    come = await asyncio.gather(*entries, return_exceptions=True)
    assert sum(isinstance(each, Refused) and each.why is ClubRefusal.FULL for each in come) == 2
    event = await clubs.event(number)
    assert [each.number for each in event.entrants] == list(range(1, MOST_ENTRANTS + 1))


async def test_signing_up_does_not_undo_being_here_and_ends_with_the_start(clubs: ClubStore) -> None:
    event = await begun(clubs)
    with refused(ClubRefusal.UNDER_WAY):
        await clubs.enter(event.id, ADA, "Ada", Presence.SIGNED)
    number = (await clubs.open(night(channel=33))).id
    await clubs.enter(number, ADA, "Ada", Presence.HERE)
    assert (await clubs.enter(number, ADA, "Ada", Presence.SIGNED)).entrant(1).presence is Presence.HERE


def of_partners() -> Event:
    return replace(night(channel=44), agreement=Agreement.of(players=4, preset="short", pace=Pace.SLOW))


async def test_partners_are_chosen_among_who_has_signed_up_and_nobody_is_taken_away(
    sqlite_club: Club,
) -> None:
    clubs = sqlite_club.clubs
    number = (await clubs.open(of_partners())).id
    for user, name in ((ADA, "Ada"), (BEN, "Ben"), (CLEO, "Cleo")):
        await clubs.enter(number, user, name, Presence.SIGNED)
    event = await clubs.choose_partner(number, CLEO, ADA)
    assert event.partners
    assert [each.captain for each in event.entrants] == [None, None, 1]
    assert [each.number for each in event.team(1)] == [1, 3]
    [known] = (await sqlite_club.everything_about(CLEO))["club_events"]
    assert (known["your_name"], known["has_a_partner"]) == ("Cleo", True)
    assert await clubs.choose_partner(number, ADA, CLEO) == event
    for user in (ADA, CLEO):
        with refused(ClubRefusal.PARTNER_TAKEN):
            await clubs.choose_partner(number, BEN, user)
    for one, other in ((ADA, 99), (99, ADA), (ADA, ADA)):
        with refused(ClubRefusal.NOT_ENTERED):
            await clubs.choose_partner(number, one, other)
    event = await clubs.choose_partner(number, ADA, BEN)
    assert [each.captain for each in event.entrants] == [None, 1, None], "one's own team one may leave"
    event = await clubs.choose_partner(number, BEN, None)
    assert [each.captain for each in event.entrants] == [None, None, None]
    await clubs.choose_partner(number, ADA, BEN)
    event = await clubs.enter(number, ADA, "Ada", Presence.LEFT)
    assert [each.captain for each in event.entrants] == [None, None, None]
    with refused(ClubRefusal.NOT_ENTERED):
        await clubs.choose_partner(number, BEN, ADA)
    singles = (await clubs.open(night())).id
    await clubs.enter(singles, ADA, "Ada", Presence.SIGNED)
    with refused(ClubRefusal.SINGLES):
        await clubs.choose_partner(singles, ADA, None)


async def test_a_team_of_three_cannot_be_read(sqlite_club: Club) -> None:
    clubs = sqlite_club.clubs
    number = (await clubs.open(of_partners())).id
    for user in (ADA, BEN, CLEO):
        await clubs.enter(number, user, f"P{user}", Presence.SIGNED)
    await clubs.choose_partner(number, ADA, BEN)
    await sqlite_club.change("UPDATE club_entrants SET captain = $1 WHERE number = 3", 1)
    with refused(ClubRefusal.NO_EVENT):
        await clubs.event(number)


async def test_who_is_forgotten_before_the_start_leaves_a_partner_free(sqlite_club: Club) -> None:
    clubs = sqlite_club.clubs
    number = (await clubs.open(of_partners())).id
    for user, name in ((ADA, "Ada"), (BEN, "Ben")):
        await clubs.enter(number, user, name, Presence.SIGNED)
    await clubs.choose_partner(number, ADA, BEN)
    await sqlite_club.forget(ADA)
    event = await clubs.event(number)
    assert [(each.presence, each.captain) for each in event.entrants] == [
        (Presence.LEFT, None),
        (Presence.SIGNED, None),
    ]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE clubs SET preset = 'nonsense' WHERE id = $1",
        "UPDATE clubs SET level = '' WHERE id = $1",
        "UPDATE clubs SET due = -1 WHERE id = $1",
        "UPDATE clubs SET due = 9223372036854775807 WHERE id = $1",
        "UPDATE club_entrants SET number = 9 WHERE number = 1 AND club = $1",
        "UPDATE club_pairings SET home = 7 WHERE club = $1",
        "UPDATE club_pairings SET ended = 'win', winner = 7 WHERE club = $1",
        "UPDATE club_entrants SET captain = 1 WHERE number = 2 AND club = $1",
        "UPDATE clubs SET partners = 1 WHERE id = $1",
    ],
)
async def test_a_damaged_club_night_is_left_out_and_holds_no_channel(sqlite_club: Club, damage: str) -> None:
    clubs = sqlite_club.clubs
    event = await begun(clubs)
    sound = await clubs.open(night(channel=33))
    await sqlite_club.change(damage, event.id)
    assert await clubs.open_events() == (sound,)
    assert await clubs.event_in(CHANNEL) is None
    with refused(ClubRefusal.NO_EVENT):
        await clubs.event(event.id)
    assert (await clubs.open(night())).id > event.id
    await sqlite_club.everything_about(ADA)


async def test_a_server_names_its_organisers(clubs: ClubStore) -> None:
    assert await clubs.organisers(GUILD) is None
    await clubs.name_organisers(GUILD, 5)
    await clubs.name_organisers(GUILD, 6)
    assert await clubs.organisers(GUILD) == 6
    await clubs.name_organisers(GUILD, None)
    assert await clubs.organisers(GUILD) is None


async def test_a_person_is_exported_and_forgotten(sqlite_club: Club) -> None:
    clubs = sqlite_club.clubs
    event = await begun(clubs)
    told = await sqlite_club.everything_about(ADA)
    [known] = told["club_events"]
    assert (known["event"], known["your_name"], len(known["games"])) == ("Tuesday", "Adalberta", 1)
    assert "Benedetto" not in json.dumps(told)
    await sqlite_club.forget(ADA)
    await sqlite_club.people.scrub()
    gone = (await clubs.event(event.id)).entrant(1)
    assert (gone.name, gone.presence) == ("", Presence.LEFT)
    assert gone.user is not None
    assert gone.user < 0
    path = sqlite_club.path
    files = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*"))
    assert b"Adalberta" not in files
    assert b"Benedetto" in files


async def test_a_server_that_was_left_is_deleted(sqlite_club: Club) -> None:
    clubs = sqlite_club.clubs
    event = await begun(clubs)
    other = await clubs.open(night(channel=33, guild=44))
    await clubs.name_organisers(GUILD, 5)
    await sqlite_club.store.note_left_servers(frozenset({44}))
    assert await sqlite_club.store.forget_left_server(NOON - 1) is None
    await sqlite_club.forget_servers()
    with refused(ClubRefusal.NO_EVENT):
        await clubs.event(event.id)
    assert await clubs.organisers(GUILD) is None
    assert await clubs.open_events() == (other,)
    assert await sqlite_club.rows("SELECT club FROM club_pairings UNION SELECT club FROM club_entrants") == []


async def test_a_grand_slam_is_every_game_of_an_event_that_is_over(opened: Opened, clubs: ClubStore) -> None:
    async def slams(**scope: int | None) -> dict[int, tuple[int, str]]:
        asked = {"guild": GUILD, "user": None, **scope}
        return await opened.database.read(lambda connection: of_clubs.slams(connection, **asked))

    async def event(won: dict[int, Outcome], name: str = "Adalberta") -> Event:
        """One of three rounds, in which Ada meets Ben; `won` has the outcomes."""
        event = await clubs.open(night())
        await clubs.enter(event.id, ADA, name, Presence.HERE)
        await clubs.enter(event.id, BEN, "Benedetto", Presence.HERE)
        for number in range(3):
            event = await clubs.begin_round(event.id, number, (), ((1, 2),), 500)
            await clubs.settle(event.id, event.current[0], won[number + 1])
        return await clubs.end(event.id, Phase.OVER)

    ada, skunk, ben = (
        Outcome(ended=ended, winner=winner, scores=(121, 90))
        for ended, winner in ((Ended.WIN, 1), (Ended.SKUNK, 1), (Ended.WIN, 2))
    )
    forfeit = Outcome(ended=Ended.FORFEIT, winner=1)
    await event({1: ada, 2: skunk, 3: ben})
    await event({1: ada, 2: ada, 3: forfeit})
    assert await slams() == {}, "one was lost, and of the other two were played"
    last = await event({1: ada, 2: skunk, 3: ada})
    assert await slams() == await slams(guild=None, user=ADA) == {ADA: (1, "Adalberta")}
    assert await slams(user=BEN) == await slams(guild=GUILD + 1) == {}
    await clubs.settle(last.id, last.pairings[0], replace(ben, corrected=True))
    assert await slams() == {}, "a correction counts"
    late = await clubs.open(night())
    for user in (ADA, BEN, CLEO):
        await clubs.enter(late.id, user, "Adalberta", Presence.HERE)
    for number, pair in enumerate(((2, 3), (1, 2), (1, 3), (1, 2))):
        late = await clubs.begin_round(late.id, number, (), (pair,), 500)
        won = Outcome(ended=Ended.WIN, winner=pair[0], scores=(121, 90))
        await clubs.settle(late.id, late.current[0], won)
    await clubs.end(late.id, Phase.OVER)
    assert await slams() == {}, "Ada has missed a round"
    unfinished = await begun(clubs)
    await clubs.end(unfinished.id, Phase.CLOSED)
    assert await slams() == {}


# -- weekly events --------------------------------------------------------------------------------------

FIRST = 1000 + WEEK
"""The time of the second event."""


async def test_of_several_processes_one_opens_the_next(clubs: ClubStore) -> None:
    event = await clubs.open(replace(night(), again=FIRST))
    await clubs.end(event.id, Phase.OVER)
    found = await asyncio.gather(*(clubs.open_next(event.id, FIRST, FIRST) for _ in range(4)))
    [opened] = [each for each in found if each is not None]
    assert opened.again == FIRST + WEEK
    assert await clubs.weekly(FIRST + WEEK - 1) == (opened,), "its message is not posted yet"
    await clubs.note_message(opened.id, 5)
    assert await clubs.weekly(FIRST + WEEK - 1) == ()
    assert [each.id for each in await clubs.weekly(FIRST + WEEK)] == [opened.id]


async def test_a_channel_has_one_weekly_event(clubs: ClubStore) -> None:
    first = await clubs.open(replace(night(), again=FIRST))
    with refused(ClubRefusal.TAKEN):
        await clubs.open(replace(night(), again=FIRST))
    assert (await clubs.event(first.id)).again == FIRST
    await clubs.end(first.id, Phase.CLOSED)
    other = await clubs.open(replace(night(), again=FIRST + 5))
    assert (await clubs.event(first.id)).again is None
    assert await clubs.open_next(first.id, FIRST, FIRST) is None
    await clubs.enter(other.id, BEN, "Ben", Presence.HERE)
    elsewhere = await clubs.open(replace(night(channel=77), again=FIRST))
    assert await clubs.repeat(other.id, FIRST + 9) == (other.id,)
    assert (await clubs.event(other.id)).again == FIRST + 9
    assert (await clubs.event(elsewhere.id)).again == FIRST


async def test_a_damaged_weekly_event_is_left_alone(opened: Opened, clubs: ClubStore) -> None:
    event = await clubs.open(replace(night(), again=FIRST))
    statement = "UPDATE clubs SET due = -5 WHERE id = $1"
    await opened.database.write(lambda connection: connection.execute(statement, event.id))
    assert await clubs.weekly(FIRST) == ()
