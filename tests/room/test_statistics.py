"""A short game, and then everything that can be asked about it; seasons, reminders and privacy."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.tables import Table, everything_told, post_of, reply_to
from tests.room.room import Room


async def told(person: Person, channel: Channel, command: str, **options: object) -> Message:
    """The private answer to a command."""
    return await reply_to(person.command(channel, command, **options))


async def board(person: Person, channel: Channel, **options: object) -> Message:
    """The leaderboard that the person asks for, for whomever it is."""
    asked = await person.command(channel, "crib-stats leaderboard", **options)
    await person.until(lambda: asked.messages and not asked.reply.is_loading)
    return asked.reply


@pytest.mark.deep
async def test_a_game_is_asked_about(room: Room) -> None:
    [cleo], table = room.people("Cleo"), await room.table("Ada", "Ben", rules="short")
    (ada, ben), channel = table.people, table.channel
    assert "You haven't finished a game here yet." in (await told(ada, channel, "crib-stats player")).text
    await table.play()
    await everything_told([table])
    won = int("Ada wins" in table.results[0].text)

    own = (await told(ada, channel, "crib-stats player")).text
    assert own.startswith("## Your games\n")
    assert f"1 game, {won} won" in own
    assert "Dealer: pegs" in own
    about = (await told(cleo, channel, "crib-stats player", player=ada.id)).text
    assert "You and Ada haven't finished a game together yet." in about
    rival = await told(ben, channel, "crib-stats player", player=ada.id)
    assert f"**Against you:** 1 game · Ada won {won}, you {1 - won}" in rival.text
    assert (await reply_to(ben.command_on("Cribbage stats", ada, channel))).text == rival.text
    shown = await post_of(ben.press(rival, "Show everybody"))
    assert "## Ada's games" in shown.text
    assert f"**Ada against Ben:** 1 game, {won} to {1 - won}" in shown.text
    assert "Against you" not in shown.text
    replayed = await reply_to(ada.command_on_message("Replay this game", table.results[0]))
    assert replayed.is_ephemeral
    assert "Step 1" in replayed.text
    refused = await reply_to(ada.command_on_message("Replay this game", shown))
    assert refused.text.startswith("That's no result of a game.")

    assert (await board(ada, channel, by="rating")).text.count("placement 1 of 10") >= 2
    in_dm = (await told(ada, ada.open_dm(), "crib-stats leaderboard")).text
    assert re.search(r"^\*\*The Crib Room\*\* · placement 1 of 10$", in_dm, re.MULTILINE)
    assert "Ben" not in in_dm
    nowhere = (await told(cleo, cleo.open_dm(), "crib-stats leaderboard")).text
    assert nowhere == "Ask in a server: each has its own players and leaderboard."


async def test_a_leaderboard_turns_for_its_asker_and_a_month_is_offered_and_shown(room: Room) -> None:
    [cleo], table = room.people("Cleo"), await room.table("Ada", "Ben", rules="short")
    (ada, ben), channel = table.people, table.channel
    await table.resign(ben)
    wins = await board(ada, channel, by="wins", games="month")
    assert not wins.is_ephemeral
    await ada.press(wins, "All time")
    assert "All time · " in wins.text
    theirs = (await reply_to(cleo.press(wins, "This month"))).text
    assert "▸ You: no finished games with people this month" in theirs
    assert "All time" in wins.text, "somebody else's press leaves the asker's page as it is"

    async def offered(command: str, option: str, typed: str = "") -> list[str]:
        asked = await ada.complete(channel, command, option=option, typed=typed)
        return [each["value"] for each in asked.choices or ()]

    [month] = await offered("crib-stats season", "month")
    season = await post_of(ben.command(channel, "crib-stats season", month=month))
    assert "**Ada** · 1 of 1 game won" in season.text
    assert "Ben · 0 of 1 game won" in season.text
    none = await told(ben, channel, "crib-stats season", month="2020-02")
    assert none.text == "No games between people were finished here in February 2020."
    assert await offered("crib-stats podium", "zone", "new york") == ["America/New_York"]
    chosen = await told(room.owner, channel, "crib-stats podium", zone="America/New_York")
    assert chosen.text.startswith("From now on seasons end at midnight in **America/New_York**;")


async def test_who_hides_is_seen_by_nobody_else(room: Room) -> None:
    [cleo], table = room.people("Cleo"), await room.table("Augusta", "Ben", rules="short")
    (ada, ben), channel = table.people, table.channel
    await table.resign(ben)
    assert "You are hidden" in (await told(ada, channel, "crib-data privacy", hide=True)).text
    assert "Augusta" not in (await board(ben, channel, by="wins")).text
    about = (await told(cleo, channel, "crib-stats player", player=ada.id)).text
    assert "keeps their statistics private" in about
    own = (await board(ada, channel, by="wins")).text
    assert "only you see this: **1** of 1 game" in own
    assert "1 game, 1 won" in (await told(ada, channel, "crib-stats player")).text
    await ada.command(channel, "crib-data privacy", hide=False)
    assert "Augusta" in (await board(ben, channel, by="wins")).text


def file_of(message: Message) -> dict[str, Any]:
    [attachment] = message.attachments
    found: dict[str, Any] = json.loads(attachment.content)
    return found


async def test_the_export_comes_by_dm_or_else_in_private(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel = room.channel()
    await Table.gather(channel, [ada, ben], rules="short")
    assert "by DM" in (await told(ada, channel, "crib-data export")).text
    by_dm = file_of(ada.dms()[-1])
    assert by_dm["user"] == ada.id
    assert [each["status"] for each in by_dm["games"]] == ["gathering"]
    ben.close_dms()
    assert file_of(await told(ben, channel, "crib-data export"))["user"] == ben.id
