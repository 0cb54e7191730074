"""A club night: sign-up by buttons, games in threads, corrections, and its podium."""

from __future__ import annotations

from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.players import controls
from tests.end_to_end.tables import post_of, public, reply_to, standing
from tests.room.room import Room


def games_of(channel: Channel, person: Person) -> list[Message]:
    """The messages that call the person to a game."""
    return [each for each in standing(channel, f"<@{person.id}>") if "table" in each.text]


async def pressed(person: Person, message: Message, label: str) -> str:
    return (await reply_to(person.press(message, label))).text


async def resigned(person: Person, message: Message) -> None:
    """The person gives up the game to which that message calls them."""
    await person.until(lambda: message.thread is not None and any(map(controls, public(message.thread))))
    assert message.thread is not None
    await reply_to(person.command(message.thread, "crib resign", sure=True))


async def test_a_night_of_eight_runs_to_its_podium(room: Room) -> None:
    ada, (ben, cleo), channel = room.owner, room.people("Ben", "Cleo"), room.channel()

    async def organise(command: str, **options: object) -> Message:
        return await reply_to(ada.command(channel, f"crib-organise {command}", **options))

    opened = await organise("open", name="Tuesday", games=2, rules="short", places=8, computer="beginner")
    assert "It's open" in opened.text
    assert "The next one opens" in (await organise("weekly")).text
    [club] = await ada.until(lambda: standing(channel, "A win is worth"))
    assert "Tuesday" in club.text
    assert "signed up" in await pressed(ben, club, "Sign up")
    for person in (ada, ben):
        assert "You're in" in await pressed(person, club, "I'm here")
    await ada.until(lambda: "**2 players**: Ben ✅ and Ada ✅" in club.text)
    assert "Only organisers" in await pressed(ben, club, "Start")
    assert "Off you go" in await pressed(ada, club, "Start")
    await ada.until(lambda: games_of(channel, ada) and games_of(channel, ben))
    assert "You're in" in await pressed(cleo, club, "I'm here"), "who comes late plays from the next round on"

    [first] = games_of(channel, ada)
    await room.restart()
    await resigned(ada, first)
    await ada.until(lambda: "Round 2 of 2" in club.text)
    await ada.until(lambda: len(games_of(channel, ada)) == len(games_of(channel, ben)) == 2)
    await cleo.until(lambda: games_of(channel, cleo) or "Cleo sits this round out" in club.text)

    assert "I can't find that game" in (await organise("correct", round=1, table=9, winner=-1)).text
    asked = await organise("correct", round=1, table=1, winner=0, points=30)
    assert "### Correct round 1, table 1?" in asked.text
    assert not standing(channel, "corrected"), "nothing happens before the answer"
    await ada.press(asked, "Correct it")
    await ada.until(lambda: "An organiser corrected round 1, table 1" in asked.text)
    last = {message.id: (who, message) for who in (ada, ben, cleo) for message in games_of(channel, who)[-1:]}
    for person, message in last.values():
        if message.id != first.id:
            await resigned(person, message)
    [podium] = await ada.until(lambda: standing(channel, "🏆"))
    assert "🥇" in podium.text
    assert "The next one opens" in podium.text
    await ada.until(lambda: "It's over" in club.text)
    while "Final standings" not in (standings := await pressed(ben, podium, "Standings")):
        assert "Round 2 of 2" in standings, "it says so a moment before it is noted"
    assert "corrected" in (await post_of(ben.command(channel, "crib-club standings"))).text
    year = (await post_of(ben.command(channel, "crib-club year"))).text
    assert "Club year" in year
    assert "Ada" in year
    assert "🤖" not in year
    assert "The next one opens" in club.text
    stopped = await organise("weekly", repeat=False)
    assert "No event opens here by itself any more." in stopped.text
    await ada.until(lambda: "The next one opens" not in club.text)
    assert first.thread is not None
    assert standing(first.thread, "It counts for **Tuesday**, round 1")
    assert standing(first.thread, "An organiser corrected round 1, table 1")
    assert "wins" in first.text, "the message above the thread says how it ended"
    calls = [each.text for each in public(channel) if each.thread is not None]
    assert len(calls) == len(set(calls)), "each game is announced once, with a thread of its own"
