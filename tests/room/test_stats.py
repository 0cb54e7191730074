"""Figures, boards, seasons, own games and privacy, as people ask in a server, by DM and between people."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.features.stats.season_store import SeasonStore
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.tables import Table, everything_told, post_of, reply_to
from tests.room.room import Room
from tests.room.steps import DAY, labels, leap, tap

pytestmark = pytest.mark.usefixtures("without_searches")

ELSEWHERE = "Ask in a server: each has its own players and leaderboard."


async def won(room: Room, winner: Person, loser: Person) -> None:
    """A game that the winner won because the other gave up."""
    table = await Table.begin(room.channel(), [winner, loser], length=61)
    await reply_to(loser.command(table.channel, "crib resign", sure=True))
    await everything_told([table], room.archive)


async def asked(person: Person, name: str, channel: Channel | str = "cribbage", **options: object) -> Message:
    """The private answer to a command about figures."""
    return await reply_to(person.command(channel, f"crib-stats {name}", **options))


async def board(person: Person, channel: Channel, **options: object) -> Message:
    """The leaderboard that the person asks for, for whomever it is."""
    asked = await person.command(channel, "crib-stats leaderboard", **options)
    await person.until(lambda: asked.messages and not asked.reply.is_loading)
    return asked.reply


async def test_a_season_is_shown_to_everybody_once_it_has_a_winner_and_a_month_as_it_ended(
    room: Room,
) -> None:
    ada, ben = room.people("Ada", "Ben")
    empty = await asked(ada, "season")
    assert "Nobody has won a game with people yet." in empty.text
    month = datetime.fromtimestamp(room.clock.now(), UTC)
    await won(room, ada, ben)
    led = await post_of(ada.command("cribbage", "crib-stats season"))
    assert "🥇 **Ada** · 1 of 1 game won" in led.text
    leap(31 * DAY)
    await asyncio.sleep(5)
    shown = await post_of(ada.command("cribbage", "crib-stats season", month=f"{month:%Y-%m}"))
    assert re.search(
        r"## Season: .*\n-# Ended <t:\d+:R>\n🥇 \*\*Ada\*\* · 1 of 1 game won\n"
        r"\*\*2\*\* Ben · 0 of 1 game won\n-# 2 players",
        shown.text,
    )
    assert "Season" in (await post_of(ada.command("cribbage", "crib-stats season"))).text
    assert (
        "No games between people were finished here in October 2020."
        in (await asked(ada, "season", month="2020-10")).text
    )
    assert (await asked(ada, "season", month="October")).text.startswith("I know no such month.")
    choices = await ada.complete("cribbage", "crib-stats season", option="month", typed="")
    assert [each["value"] for each in choices.choices or ()] == [f"{month:%Y-%m}"]
    assert (await asked(ada, "season", ada.open_dm())).text == ELSEWHERE


async def test_a_leaderboard_is_turned_by_who_asked_for_it(room: Room) -> None:
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


async def test_who_hides_is_seen_by_nobody_else(room: Room) -> None:
    [cleo], table = room.people("Cleo"), await room.table("Augusta", "Ben", rules="short")
    (ada, ben), channel = table.people, table.channel
    await table.resign(ben)
    hidden = await reply_to(ada.command(channel, "crib-data privacy", hide=True))
    assert "You are hidden" in hidden.text
    assert "Augusta" not in (await board(ben, channel, by="wins")).text
    about = (await asked(cleo, "player", channel, player=ada.id)).text
    assert "keeps their statistics private" in about
    own = (await board(ada, channel, by="wins")).text
    assert "only you see this: **1** of 1 game" in own
    assert "1 game, 1 won" in (await asked(ada, "player", channel)).text
    await ada.command(channel, "crib-data privacy", hide=False)
    assert "Augusta" in (await board(ben, channel, by="wins")).text


async def test_figures_are_of_people_and_lines_of_other_features_for_the_person_alone(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    bot = room.sandbox.world.bot
    assert (await asked(ada, "player", player=bot)).text.endswith("is a bot and has no statistics.")
    assert (await asked(ada, "player", ada.open_dm(), player=ben.user)).text == ELSEWHERE
    await won(room, ada, ben)
    own = await asked(ada, "player")
    assert "## Your games" in own.text
    assert "Finished games in this server" in own.text
    shared = await post_of(ada.press(own, "Show everybody"))
    assert "## Ada's games" in shared.text
    hers = await asked(ben, "player", player=ada.user)
    assert "**Against you:** 1 game · Ada won 1, you 0" in hers.text
    by_menu = await reply_to(ben.command_on("Cribbage stats", ada, room.sandbox.channels["cribbage"]))
    assert by_menu.text == hers.text
    shown = await post_of(ben.press(hers, "Show everybody"))
    assert "**Ada against Ben:** 1 game, 1 to 0" in shown.text
    assert "Against you" not in shown.text
    await reply_to(ada.command("cribbage", "crib-data privacy", hide=True))
    assert "keeps their statistics private" in (await asked(ben, "player", player=ada.user)).text
    assert "keeps their statistics private" in (await reply_to(ben.press(hers, "Show everybody"))).text


async def test_who_has_played_in_no_server_has_no_leaderboard_in_a_direct_message(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    assert (await asked(cleo, "leaderboard", cleo.open_dm())).text == ELSEWHERE
    await won(room, ada, ben)
    places = await asked(ada, "leaderboard", ada.open_dm(), by="wins")
    assert "## Your leaderboards" in places.text
    assert "of 1 game" in places.text
    assert (await asked(ada, "wall", ada.open_dm())).text == ELSEWHERE


async def test_where_the_bot_is_no_member_one_is_shown_one_s_own_figures_and_games_together_alone(
    room: Room,
) -> None:
    ada, ben = room.people("Ada", "Ben")
    await won(room, ada, ben)
    ada.install_app()
    between = ada.open_dm_with(ben)
    own = await asked(ada, "player", between)
    assert own.is_ephemeral
    assert "Finished games in all servers" in own.text
    assert "Show everybody" not in labels(own)
    together = await asked(ada, "player", between, player=ben.user)
    assert "You and Ben haven't finished a game together yet." in together.text, "there"
    assert "## Your leaderboards" in (await asked(ada, "leaderboard", between)).text
    assert (await asked(ada, "wall", between)).text == ELSEWHERE


async def test_moderators_choose_where_podiums_are_posted_and_when_seasons_end(room: Room) -> None:
    owner, channel = room.sandbox.people["Ada"], room.channel()
    [ben] = room.people("Ben")
    seasons = SeasonStore(room.database)
    far = datetime(2040, 1, 1, tzinfo=UTC)
    refused = await asked(ben, "podium", channel, zone="Asia/Tokyo")
    assert refused.text.startswith("Only moderators can change this")
    unknown = await asked(owner, "podium", channel, post=True, zone="Mars/Base")
    assert unknown.text.startswith("I know no such time zone.")
    assert await seasons.due(far) == ()
    alone = await asked(owner, "podium", channel, zone="america/new_york")
    assert alone.text.startswith("From now on seasons end at midnight in **America/New_York**;")
    assert await seasons.due(far) == (), "the posts stay as they are"
    offered = await owner.complete(channel, "crib-stats podium", option="zone", typed="new york")
    assert [each["value"] for each in offered.choices or ()] == ["America/New_York"]
    together = await asked(owner, "podium", channel, post=True, zone="Europe/Paris")
    assert f"I'll post the podium of each month in <#{channel.id}>." in together.text
    [posting] = await seasons.due(far)
    assert posting.channel == int(channel.id)
    stopped = await asked(owner, "podium", channel, post=False)
    assert stopped.text == "I don't post the podium of the month here any more."
    assert await seasons.due(far) == ()
    here = await asked(owner, "podium", channel)
    assert f"in <#{channel.id}>" in here.text
    await asked(owner, "podium", channel, post=False)


async def test_own_games_say_whose_turn_it_is_and_link_to_their_tables(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    [cleo] = room.people("Cleo")
    ada = table.players[0].person
    said = await asked(ada, "games", room.channel())
    assert said.text.startswith("## Your turn in 1 game\n**Ada 0 · Ben 0**\n▸ Your turn · [")
    assert table.newest.link in said.text
    assert "You're in no game at the moment." in (await asked(cleo, "games")).text
    await table.play(until=lambda: int(ada.id) not in _waiting(room, table))
    said = await asked(ada, "games", room.channel())
    assert "## No game waits for you" in said.text
    assert "Waiting for Ben" in said.text
    room.database.raw.execute("UPDATE events SET body = '{}' WHERE game = ? AND version = 2", [table.game])
    await room.restart()
    assert "You're in no game at the moment." in (await asked(ada, "games")).text, "it cannot be read"
    room.troubles.clear()


def _waiting(room: Room, table: Table) -> set[int]:
    game = room.archive.replayed(table.game)
    return {int(table.players[seat].person.id) for seat in game.table.waiting_for}


async def test_reminders_are_turned_on_and_off_below_one_s_slow_games(room: Room) -> None:
    live = await room.table("Ada", "Ben")
    ada = live.players[0].person
    assert "emind" not in str((await asked(ada, "games")).components), "live games alone have no button"
    table = await Table.begin(room.channel(), [ada, *room.people("Cleo")], pace="slow")
    games = await asked(ada, "games", table.channel)
    said = await tap(ada, games, "Remind me once a day")
    assert "At most once a day, when slow games wait and you pressed nothing for 6 hours." in said
    leap(7 * 3600)
    await asyncio.sleep(600)
    assert any("## Your turn in 1 game" in each.text for each in ada.dms())
    said = await tap(ada, games, "No more reminders")
    assert "At most once a day" not in said


@pytest.mark.deep
async def test_a_month_of_many_is_turned_in_place_by_who_asked_and_in_private_by_others(room: Room) -> None:
    ada, *others = room.people("Ada", *(f"P{number}" for number in range(12)))
    for each in others:
        await won(room, ada, each)
    month = f"{datetime.fromtimestamp(room.clock.now(), UTC):%Y-%m}"
    board = await post_of(ada.command("cribbage", "crib-stats season", month=month))
    assert "Previous" in str((await reply_to(others[0].press(board, "Next"))).components)
    assert "Previous" not in labels(board)
    assert "0 of 1 game won" in await tap(ada, board, "Next")
    assert "Previous" in labels(board)


def file_of(message: Message) -> dict[str, Any]:
    [attachment] = message.attachments
    found: dict[str, Any] = json.loads(attachment.content)
    return found


async def test_the_export_comes_by_dm_or_else_in_private(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel = room.channel()
    await Table.gather(channel, [ada, ben], rules="short")
    assert "by DM" in (await reply_to(ada.command(channel, "crib-data export"))).text
    by_dm = file_of(ada.dms()[-1])
    assert by_dm["user"] == ada.id
    assert [each["status"] for each in by_dm["games"]] == ["gathering"]
    ben.close_dms()
    assert file_of(await reply_to(ben.command(channel, "crib-data export")))["user"] == ben.id
