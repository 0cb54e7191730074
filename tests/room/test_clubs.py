"""Club nights as people press them: who may run them, signing up, partners, questions, podium, the year."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime

from bot.features.clubs.store import ClubStore
from sandbox.client.people import Person
from sandbox.model.channels import Channel, ChannelType, Message
from sandbox.model.permissions import NOTHING, Overwrite, Permission
from sandbox.model.users import Role
from tests.end_to_end.players import controls
from tests.end_to_end.tables import post_of, public, reply_to, standing
from tests.room.room import Room
from tests.room.steps import DAY, tap

NOT_ORGANISER = "Only organisers and moderators can do this."
NO_EVENT = "No club event here."


class Night:
    """A club event in a channel of its own; the owner of the server runs it."""

    def __init__(self, room: Room, channel: Channel | None = None) -> None:
        self.room, self.channel = room, channel or room.channel("club")
        self.owner = room.sandbox.people["Ada"]

    async def organise(self, which: str, person: Person | None = None, /, **options: object) -> Message:
        """The answer to an organiser's command."""
        doing = (person or self.owner).command(self.channel, f"crib-organise {which}", **options)
        return await reply_to(doing)

    async def open(self, person: Person | None = None, **options: object) -> Message:
        """Its message, on which people sign up."""
        options = {"name": "Tuesday", "games": 1, "rules": "short", **options}
        said = await self.organise("open", person, **options)
        assert "It's open" in said.text, said.text
        return public(self.channel)[-1]

    async def press(self, person: Person, button: str, message: Message | None = None) -> str:
        """The answer to a press on its message."""
        club = message or next(each for each in public(self.channel) if "A win is worth" in each.text)
        return (await reply_to(person.press(club, button))).text

    async def begin(self, *people: Person) -> None:
        """All of them come, and it starts."""
        for each in people:
            assert "You're in" in await self.press(each, "I'm here")
        assert "Off you go" in await self.press(self.owner, "Start")
        await self.owner.until(lambda: self.games)
        await self.owner.until(lambda: all(self.is_begun(each) for each in self.games))

    @property
    def games(self) -> list[Message]:
        """The messages that call people to the games of the latest round."""
        calls = [each for each in public(self.channel) if re.search(r"round \d+ of \d+, table", each.text)]
        rounds = [re.findall(r"round (\d+)", each.text)[0] for each in calls]
        return [each for each, number in zip(calls, rounds, strict=True) if number == rounds[-1]]

    @staticmethod
    def is_begun(call: Message) -> bool:
        return call.thread is not None and any(controls(each) for each in public(call.thread))

    async def resign(self, person: Person, call: Message) -> None:
        """That person gives up the game of that call."""
        await person.until(lambda: self.is_begun(call))
        assert call.thread is not None
        await reply_to(person.command(call.thread, "crib resign", sure=True))

    def calls(self, person: Person) -> list[Message]:
        """The messages that call that person to a game."""
        return [each for each in standing(self.channel, f"<@{person.id}>") if "table" in each.text]


async def test_moderators_name_the_role_that_runs_events(room: Room) -> None:
    night, world = Night(room), room.sandbox.world
    ben, cleo = room.people("Ben", "Cleo")
    assert (await night.organise("open", ben)).text.startswith(NOT_ORGANISER)
    role = Role(world.snowflakes.next(), "Stewards", NOTHING, 2)
    world.guild.roles[role.id] = role
    world.guild.members[ben.id].roles.append(role.id)
    await room.restart()
    assert "Only moderators can change this" in (await night.organise("role", ben, role=role)).text
    assert f"<@&{role.id}>" in (await night.organise("role", role=role)).text
    assert (await night.organise("open", cleo)).text.startswith(NOT_ORGANISER)
    club = await night.open(ben, name="  ")
    assert "## Club night" in club.text
    assert (await night.press(cleo, "Start")).startswith(NOT_ORGANISER)
    others: dict[str, dict[str, object]] = {
        "close": {},
        "remove": {"player": ben.user},
        "correct": {"round": 1, "table": 1, "winner": 0},
        "weekly": {},
        "best": {"nights": 8},
    }
    for name, options in others.items():
        assert (await night.organise(name, cleo, **options)).text.startswith(NOT_ORGANISER), name
    for each in (ben, cleo):
        await night.press(each, "I'm here")
    assert "Off you go" in await night.press(ben, "Start")
    assert "Only moderators run club events" in (await night.organise("role")).text
    assert (await night.organise("close", ben)).text.startswith(NOT_ORGANISER)
    await tap(night.owner, await night.organise("close"), "Close it")

    everybody = world.guild.roles[world.guild.id]
    await night.organise("role", role=everybody)
    await Night(room).open(cleo)
    await night.organise("role")


async def test_an_event_needs_a_text_channel_where_the_bot_may_open_threads(room: Room) -> None:
    night = Night(room)
    voice = Night(room, night.owner.create_channel("voice", ChannelType.VOICE))
    thread = Night(room, night.owner.start_thread(night.channel, "thread"))
    for each in (voice, thread):
        assert "needs a text channel" in (await each.organise("open")).text
    everybody = room.sandbox.world.guild.id
    night.owner.set_overwrite(night.channel, Overwrite(everybody, deny=Permission.CREATE_PUBLIC_THREADS))
    assert "Create Public Threads" in (await night.organise("open")).text
    night.owner.set_overwrite(night.channel, Overwrite(everybody, deny=NOTHING))
    await night.open()
    assert "is open here already" in (await night.organise("open")).text


async def test_people_sign_up_say_that_they_are_here_leave_and_come_back(room: Room) -> None:
    night = Night(room)
    ben, cleo, dan = room.people("Ben", "Cleo", "Dan")
    club = await night.open(games=3)
    empty = await reply_to(ben.command(night.channel, "crib-club standings"))
    assert "Nobody has signed up yet." in empty.text
    assert "You haven't signed up." in await night.press(ben, "Leave")
    assert "You're signed up" in await night.press(ben, "Sign up")
    await ben.until(lambda: "**1 player**: Ben" in club.text)
    for button in ("I'm here", "Sign up"):
        assert "You're in!" in await night.press(ben, button)
    assert "*Sign up* brings you back" in await night.press(ben, "Leave")
    assert "You're signed up" in await night.press(ben, "Sign up")
    assert "without partners" in (await reply_to(ben.command(night.channel, "crib-club partner"))).text
    await night.begin(ben, cleo)
    assert "You're in!" in await night.press(dan, "I'm here")
    assert "for the next round" in await night.press(dan, "Leave")
    assert "Round 1 of 3" in (await post_of(ben.command(night.channel, "crib-club standings"))).text


async def test_people_choose_their_partner_before_the_start(room: Room) -> None:
    night = Night(room)
    ben, cleo, dan, eve = room.people("Ben", "Cleo", "Dan", "Eve")
    club = await night.open(partners=True)

    async def partner(person: Person, other: Person | None = None) -> str:
        options = {"player": other.user} if other else {}
        return (await reply_to(person.command(night.channel, "crib-club partner", **options))).text

    assert "chooses who you play with" in await night.press(ben, "Sign up")
    assert f"You and <@{ben.id}> play together" in await partner(cleo, ben)
    await ben.until(lambda: "Ben & Cleo" in club.text)
    assert "chooses who you play with" not in await night.press(ben, "I'm here")
    assert "isn't signed up here" in await partner(cleo, dan)
    assert "at the start" in await partner(cleo)
    await ben.until(lambda: "Ben ✅ and Cleo" in club.text)
    await partner(cleo, ben)
    await night.begin(ben, cleo, dan, eve)
    assert "This event has started" in await partner(cleo)
    [call] = night.games
    assert f"<@{ben.id}> & <@{cleo.id}>" in call.text
    await night.press(cleo, "Leave")
    record = room.archive.tables()[-1]
    await ben.until(lambda: room.archive.table(record.game).occupants[2].level is not None)


async def test_an_organiser_is_asked_before_anybody_is_taken_out(room: Room) -> None:
    night = Night(room)
    ben, cleo = room.people("Ben", "Cleo")
    club = await night.open()
    for each in (ben, cleo):
        await night.press(each, "I'm here")

    async def removing(person: Person, **options: object) -> Message:
        return await night.organise("remove", player=person.user, **options)

    assert "isn't signed up here" in (await removing(night.owner)).text
    asked = await removing(ben)
    assert "They can sign up again" in asked.text
    assert "Nothing has changed" in await tap(night.owner, asked, "Leave it")
    assert "Ben ✅" in club.text, "nobody has said yes"
    asked = await removing(ben)
    assert "They're out" in await tap(night.owner, asked, "Take them out")
    await ben.until(lambda: "**1 player**: Cleo ✅" in club.text)

    await night.begin(ben)
    asked = await removing(ben, computer="expert")
    assert "### Let the computer play for Ben?" in asked.text
    assert "The computer plays for them" in await tap(night.owner, asked, "Let it play")
    asked = await removing(cleo)
    assert "their opponent wins it by forfeit" in asked.text
    assert "Their opponent wins" in await tap(night.owner, asked, "Take them out")
    await ben.until(lambda: "🏆" in public(night.channel)[-1].text)


async def test_a_night_is_played_corrected_and_counts_for_the_year(room: Room) -> None:
    night = Night(room)
    ben, cleo = room.people("Ben", "Cleo")
    year = await reply_to(ben.command(night.channel, "crib-club year", year=2021))
    assert "No club night was played here" in year.text
    club = await night.open()
    assert "It hasn't started" in (await night.organise("close")).text
    await night.begin(ben, cleo)
    asked = await night.organise("close")
    assert "1 game under way ends without a result" in asked.text
    assert "Nothing has changed" in await tap(night.owner, asked, "Leave it")
    for number, table, points in ((1, 2, 30), (2, 1, 30), (1, 1, 61)):
        said = await night.organise("correct", round=number, table=table, winner=0, points=points)
        assert "I can't find that game" in said.text
    asked = await night.organise("correct", round=1, table=1, winner=0, points=30)
    assert "It ends at once." in asked.text
    await tap(night.owner, asked, "Correct it")
    assert "**Ben** wins, 61–30 (skunk)" in asked.text
    await ben.until(lambda: "It's over" in club.text)
    for options, told in (({"winner": -1}, "no result"), ({"winner": 1}, "**Cleo** wins by forfeit")):
        asked = await night.organise("correct", round=1, table=1, **options)
        assert told in await tap(night.owner, asked, "Correct it")
    await ben.until(lambda: "Cleo · 2 points" in club.text)

    counted = await night.organise("best", nights=8)
    assert "each player's best 8 club nights count for the year." in counted.text
    counted = await night.organise("best")
    assert "every club night counts for the year." in counted.text
    year = await post_of(ben.command(night.channel, "crib-club year"))
    assert re.search(r"▸ \d+\\?\. Ben · \*\*0 points\*\*", year.text)
    standings = await post_of(ben.command(night.channel, "crib-club standings"))
    assert "Final standings" in standings.text, "the last event's standings stay to be seen"


async def test_a_weekly_event_says_when_the_next_one_opens_until_an_organiser_ends_that(room: Room) -> None:
    night = Night(room)
    assert (await night.organise("weekly")).text.startswith(NO_EVENT)
    club = await night.open()
    assert (await night.organise("weekly", repeat=False)).text == "No event opens here by itself."
    said = (await night.organise("weekly")).text
    assert "and then one each week at this hour (UTC)" in said
    [again] = re.findall(r"<t:(\d+):F>", said)
    assert abs(int(again) - room.clock.now() - 7 * DAY) < 60
    await night.owner.until(lambda: f"<t:{again}:F>" in club.text)
    asked = await night.organise("close")
    assert f"The next one still opens <t:{again}:F>" in asked.text
    assert f"The next one opens <t:{again}:F>." in await tap(night.owner, asked, "Close it")
    assert (await night.organise("close")).text.startswith(NO_EVENT)
    said = (await night.organise("weekly", repeat=False)).text
    assert said == "No event opens here by itself any more."
    event = await ClubStore(room.database).event_in(int(night.channel.id))
    assert event is not None
    assert event.again is None


async def test_the_year_is_turned_by_who_asked_and_is_private_for_who_hides(room: Room) -> None:
    ben, cleo = room.people("Ben", "Cleo")
    now = datetime.fromtimestamp(room.clock.now(), UTC).year
    for night in (Night(room), Night(room)):
        room.database.raw.execute("UPDATE clubs SET begun = begun - 366 * 86400 WHERE begun > 0")
        club = await night.open()
        await night.begin(ben, cleo)
        await night.resign(cleo, night.games[0])
        await ben.until(lambda club=club: "It's over" in club.text)
        await asyncio.sleep(5)
    year = await post_of(ben.command("cribbage", "crib-club year"))
    assert "▸" in year.text
    assert "🥇" not in year.text, "it isn't over"
    others = await reply_to(cleo.press(year, str(now - 1)))
    assert others.is_ephemeral
    assert "🥇" in await tap(ben, year, str(now - 1))
    await reply_to(ben.command("cribbage", "crib-data privacy", hide=True))
    assert (await reply_to(ben.command("cribbage", "crib-club year"))).is_ephemeral


async def test_a_night_of_eight_runs_to_its_podium(room: Room) -> None:
    night = Night(room)
    ada, (ben, cleo), channel = night.owner, room.people("Ben", "Cleo"), night.channel
    opened = await night.organise(
        "open", name="Tuesday", games=2, rules="short", places=8, computer="beginner"
    )
    assert "It's open" in opened.text
    assert "The next one opens" in (await night.organise("weekly")).text
    [club] = await ada.until(lambda: standing(channel, "A win is worth"))
    assert "Tuesday" in club.text
    assert "signed up" in await night.press(ben, "Sign up")
    for person in (ada, ben):
        assert "You're in" in await night.press(person, "I'm here")
    await ada.until(lambda: "**2 players**: Ben ✅ and Ada ✅" in club.text)
    assert "Only organisers" in await night.press(ben, "Start")
    assert "Off you go" in await night.press(ada, "Start")
    await ada.until(lambda: night.calls(ada) and night.calls(ben))
    assert "You're in" in await night.press(cleo, "I'm here"), "who comes late plays from the next round on"

    [first] = night.calls(ada)
    await room.restart()
    await night.resign(ada, first)
    await ada.until(lambda: "Round 2 of 2" in club.text)
    await ada.until(lambda: len(night.calls(ada)) == len(night.calls(ben)) == 2)
    await cleo.until(lambda: night.calls(cleo) or "Cleo sits this round out" in club.text)

    assert "I can't find that game" in (await night.organise("correct", round=1, table=9, winner=-1)).text
    asked = await night.organise("correct", round=1, table=1, winner=0, points=30)
    assert "### Correct round 1, table 1?" in asked.text
    assert not standing(channel, "corrected"), "nothing happens before the answer"
    await ada.press(asked, "Correct it")
    await ada.until(lambda: "An organiser corrected round 1, table 1" in asked.text)
    last = {message.id: (who, message) for who in (ada, ben, cleo) for message in night.calls(who)[-1:]}
    for person, message in last.values():
        if message.id != first.id:
            await night.resign(person, message)
    [podium] = await ada.until(lambda: standing(channel, "🏆"))
    assert "🥇" in podium.text
    assert "The next one opens" in podium.text
    await ada.until(lambda: "It's over" in club.text)
    while "Final standings" not in (standings := await night.press(ben, "Standings", podium)):
        assert "Round 2 of 2" in standings, "it says so a moment before it is noted"
    assert "corrected" in (await post_of(ben.command(channel, "crib-club standings"))).text
    year = (await post_of(ben.command(channel, "crib-club year"))).text
    assert "Club year" in year
    assert "Ada" in year
    assert "🤖" not in year
    assert "The next one opens" in club.text
    stopped = await night.organise("weekly", repeat=False)
    assert "No event opens here by itself any more." in stopped.text
    await ada.until(lambda: "The next one opens" not in club.text)
    assert first.thread is not None
    assert standing(first.thread, "It counts for **Tuesday**, round 1")
    assert standing(first.thread, "An organiser corrected round 1, table 1")
    assert "wins" in first.text, "the message above the thread says how it ended"
    calls = [each.text for each in public(channel) if each.thread is not None]
    assert len(calls) == len(set(calls)), "each game is announced once, with a thread of its own"
