"""A club night over real sockets: sign-up by buttons, games in threads, a restart, and its podium."""

from __future__ import annotations

from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls
from tests.end_to_end.tables import post_of, reply_to
from tests.patience import PATIENCE


def public(channel: Channel) -> list[Message]:
    return [each for each in channel.messages.values() if not each.is_ephemeral]


def of_club(channel: Channel) -> Message:
    """The event's own message."""
    return next(each for each in public(channel) if "A win is worth" in each.text)


def games_of(channel: Channel, person: Person) -> list[Message]:
    """The messages that call the person to a game."""
    return [each for each in public(channel) if f"<@{person.id}>" in each.text and "table" in each.text]


async def pressed(person: Person, message: Message, label: str) -> str:
    return (await reply_to(person.press(message, label))).text


async def resigned(sandbox: Sandbox, person: Person, message: Message) -> None:
    """The person gives up the game to which that message calls them."""
    await person.until(lambda: message.thread is not None and public(message.thread), timeout=PATIENCE)
    thread = message.thread
    assert thread is not None
    await person.until(lambda: any(controls(each) for each in public(thread)), timeout=PATIENCE)
    await reply_to(person.command(thread, "crib resign", sure=True))


async def test_a_night_of_eight_runs_to_its_podium_through_a_restart(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    channel = sandbox.channels["cribbage"]
    said = await reply_to(
        ada.command(
            channel,
            "crib-organise open",
            name="Tuesday",
            games=2,
            rules="short",
            places=8,
            computer="beginner",
        )
    )
    assert "It's open" in said.text
    said = await reply_to(ada.command(channel, "crib-organise weekly"))
    assert "The next one opens" in said.text
    await ada.until(lambda: any("Tuesday" in each.text for each in public(channel)))
    club = of_club(channel)
    assert "signed up" in await pressed(ben, club, "Sign up")
    for person in (ada, ben):
        assert "You're in" in await pressed(person, club, "I'm here")
    await ada.until(lambda: "**2 players**: Ben ✅ and Ada ✅" in club.text)
    assert "Only organisers" in await pressed(ben, club, "Start")
    assert "Off you go" in await pressed(ada, club, "Start")
    await ada.until(lambda: games_of(channel, ada) and games_of(channel, ben), timeout=PATIENCE)
    assert "You're in" in await pressed(cleo, club, "I'm here"), "who comes late plays from the next round on"

    [first] = games_of(channel, ada)
    await bot.stop()
    await bot.start()
    await resigned(sandbox, ada, first)
    await ada.until(lambda: "Round 2 of 2" in club.text, timeout=PATIENCE)
    await ada.until(lambda: len(games_of(channel, ada)) == len(games_of(channel, ben)) == 2, timeout=PATIENCE)
    await cleo.until(lambda: games_of(channel, cleo) or "Cleo sits this round out" in club.text)

    wrong = await reply_to(ada.command(channel, "crib-organise correct", round=1, table=9, winner=-1))
    assert "I can't find that game" in wrong.text
    asked = await reply_to(
        ada.command(channel, "crib-organise correct", round=1, table=1, winner=0, points=30)
    )
    assert "### Correct round 1, table 1?" in asked.text
    assert not any("corrected" in each.text for each in public(channel)), "nothing happens before the answer"
    await ada.press(asked, "Correct it")
    await ada.until(lambda: "An organiser corrected round 1, table 1" in asked.text)
    last = {
        message.id: (person, message)
        for person in (ada, ben, cleo)
        for message in games_of(channel, person)[-1:]
    }
    for person, message in last.values():
        if message.id != first.id:
            await resigned(sandbox, person, message)
    await ada.until(lambda: any("🏆" in each.text for each in public(channel)), timeout=PATIENCE)
    [podium] = [each for each in public(channel) if "🏆" in each.text]
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
    stopped = await reply_to(ada.command(channel, "crib-organise weekly", repeat=False))
    assert "No event opens here by itself any more." in stopped.text
    await ada.until(lambda: "The next one opens" not in club.text)
    told = [each.text for each in first.thread.messages.values()] if first.thread else []
    assert any("It counts for **Tuesday**, round 1" in each for each in told)
    assert any("An organiser corrected round 1, table 1" in each for each in told)
    assert "wins" in first.text, "the message above the thread says how it ended"
    calls = [each.text for each in public(channel) if each.thread is not None]
    assert len(calls) == len(set(calls)), "each game is announced once, with a thread of its own"
