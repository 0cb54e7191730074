"""Somebody is called to a table: they join, or decline once or for good, and who called may hear of it."""

from __future__ import annotations

import asyncio
import re

import pytest
import pytest_asyncio

from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, lobby_by, public, reply_to
from tests.room.room import Room

CANNOT = "Ben can't play just now. Your table stays open to everybody. You can ask them again after TIME."
TIME = re.compile(r"<t:(\d+):f>")


async def call(room: Room, host: Person, called: Person, **options: object) -> Message:
    """The lobby of a challenge."""
    return await lobby_by(host.command(room.channel(), "crib new", **{"with": called, **options}))


def calls(lobby: Message) -> bool:
    return "will you play?" in lobby.text


def privately(person: Person, channel: Channel) -> list[str]:
    """What only that person reads in the channel, with TIME in place of a time."""
    return [TIME.sub("TIME", each.text) for each in channel.messages.values() if each.only_for == person.id]


@pytest.mark.parametrize("by", ["option", "menu"])
async def test_somebody_is_called_and_one_press_seats_them(room: Room, by: str) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel = room.channel()
    asking = (
        ada.command(channel, "crib new", **{"with": ben})
        if by == "option"
        else ada.command_on("Challenge to cribbage", ben, channel)
    )
    lobby = await lobby_by(asking)
    assert f"<@{ben.id}>, will you play?" in lobby.text
    assert public(channel) == [lobby]
    [call] = ben.notifications
    assert call.message is lobby
    assert call.text == "@Ben, Ada wants to play cribbage with you!"
    await ada.command(channel, "crib table")
    await ada.until(lambda: not controls(lobby))
    moved = await lobby_by(ada.command(channel, "crib help"))
    assert f"<@{ben.id}>, will you play?" in moved.text
    await ben.press(moved, "Join")
    await ada.until(lambda: "All here" in moved.text)
    assert "will you play" not in moved.text
    assert len(ben.notifications) == 1


async def test_challenging_the_bot_begins_against_its_computer(room: Room) -> None:
    [ada], archive, bot = room.people("Ada"), room.archive, room.sandbox.world.bot
    for by_menu in (True, False):
        channel, before = room.channel(), len(archive.tables())
        if by_menu:
            await ada.command_on_user("Challenge to cribbage", bot, channel)
        else:
            await ada.command(channel, "crib new", **{"with": bot})
        await ada.until(lambda before=before: len(archive.tables()) > before)
        await ada.until(lambda: archive.tables()[-1].status is Status.PLAYING)
        assert archive.tables()[-1].names == ("Ada", "🤖 Learner")


async def test_nobody_declines_for_another_and_the_host_may_free_the_seat(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    lobby = await call(room, ada, ben)
    refused = await reply_to(cleo.press(lobby, "Not now"))
    assert refused.text == f"That button is for <@{ben.id}>. *Join* is for everybody."
    assert calls(lobby)
    freed = await reply_to(ada.press(lobby, "Not now"))
    assert freed.text == "The held seat is free for everybody now."
    await ada.until(lambda: not calls(lobby))


async def test_who_declines_a_rematch_frees_their_seat_and_who_asked_hears_it_alone(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada, ben = (each.person for each in table.players)
    await ada.command(table.channel, "crib resign", sure=True)
    await table.until(lambda: table.results)
    lobby = await lobby_by(ada.press(table.results[-1], "Rematch"))
    assert "Waiting for Ben" in lobby.text
    before = privately(ada, table.channel)
    await ben.press(lobby, "Not now")
    await ada.until(lambda: "Waiting for Ben" not in lobby.text)
    await ada.until(lambda: privately(ada, table.channel) == [*before, CANNOT])


async def test_nobody_is_called_again_and_again_and_not_now_holds_for_a_day_over_a_restart(
    room: Room,
) -> None:
    ada, ben = room.people("Ada", "Ben")
    first = await call(room, ada, ben)
    soon = await call(room, ada, ben)
    panel = await reply_to(ben.press(first, "Not now"))
    assert "**Ada** can call you again after <t:" in panel.text
    await room.restart()
    later = await call(room, ada, ben)
    for lobby, seconds in ((soon, 300), (later, 86_400)):
        assert not calls(lobby)
        [said] = (each.text for each in lobby.channel.messages.values() if each.only_for == ada.id)
        heard = TIME.search(said)
        assert heard is not None
        assert said == f"Your table is open to everybody: you can ask Ben again after {heard[0]}."
        assert 0 <= int(heard[1]) - room.clock.now() - seconds < 120
    assert len(ben.notifications) == 1


async def test_a_rematch_after_not_now_holds_no_seat_and_says_until_when(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada, ben = table.people
    await table.resign(ada)
    lobby = await lobby_by(ada.press(table.results[-1], "Rematch"))
    await reply_to(ben.press(lobby, "Not now"))
    await ada.command(table.channel, "crib end")
    await ada.until(lambda: "Table closed" in lobby.text)
    again = await reply_to(ada.press(table.results[-1], "Rematch"))
    assert TIME.sub("TIME", again.text) == (
        "Your table is open to everybody: you can ask Ben again after TIME."
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slow_game(module_room: Room) -> Table:
    """A slow game that Ben has lost: a rematch keeps his seat for a day."""
    table = await module_room.table("Ada", "Ben", pace="slow", length=61)
    await table.player("Ben").person.command(table.channel, "crib resign", sure=True)
    await table.until(lambda: table.results)
    return table


async def declined_late(room: Room, table: Table) -> None:
    """Ben, who has put Ada off before, declines when nothing can be said below her press any more."""
    ada, ben = (each.person for each in table.players)
    await room.store.accept(int(ben.id), int(ada.id))
    lobby = await lobby_by(ada.press(table.results[-1], "Rematch"))
    await asyncio.sleep(16 * 60)
    await ben.press(lobby, "Not now")
    await ada.until(lambda: "Waiting for Ben" not in lobby.text)
    await asyncio.sleep(5)
    assert CANNOT not in privately(ada, table.channel)
    await ada.command(table.channel, "crib end")


def told(table: Table) -> list[str]:
    """What Ada reads by DM of declined challenges."""
    said = [each.text for each in table.player("Ada").person.dms()]
    told = (each for each in said if each.startswith(("Ben can't play", "Ben ne peut pas jouer")))
    return [TIME.sub("TIME", each) for each in told]


async def test_a_challenger_who_called_long_ago_is_told_by_dm_in_their_language_without_a_ring(
    room: Room, slow_game: Table
) -> None:
    table = slow_game
    ada = table.player("Ada").person
    before = len(ada.notifications)
    await declined_late(room, table)
    here = f"<#{table.channel.id}>"
    again = "You can ask them again after TIME."
    assert told(table) == [f"Ben can't play just now. Your table in {here} stays open to everybody. {again}"]
    await room.store.prefer(int(ada.id), language="fr")
    await declined_late(room, table)
    [_, french] = told(table)
    assert french.startswith("Ben ne peut pas jouer")
    assert here in french
    assert len(ada.notifications) == before


async def test_a_dm_channel_that_is_gone_is_opened_once_more(room: Room, slow_game: Table) -> None:
    before = len(told(slow_game))
    await room.store.prefer(int(slow_game.player("Ada").person.id), dm_channel=800)
    await declined_late(room, slow_game)
    assert len(told(slow_game)) == before + 1


async def test_closed_dms_are_remembered_and_left_alone(room: Room, slow_game: Table) -> None:
    ada, before = slow_game.player("Ada").person, len(told(slow_game))
    ada.close_dms()
    await declined_late(room, slow_game)
    assert (await room.store.preferences(int(ada.id))).dms_closed
    ada.open_dms()
    await declined_late(room, slow_game)
    assert len(told(slow_game)) == before


async def test_a_challenger_is_told_by_dm_after_a_restart(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    lobby = await call(room, ada, ben)
    await room.restart()
    await ben.press(lobby, "Not now")
    await ada.until(ada.dms)
    assert f"<#{lobby.channel.id}>" in ada.dms()[-1].text


async def test_who_declines_for_good_is_not_called_by_that_person_until_they_take_it_back(
    room: Room,
) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    first = await call(room, ada, ben)
    await asyncio.sleep(300)
    stands = await call(room, ada, ben)
    others = [await call(room, ada, cleo), await call(room, cleo, ben, players=3)]
    await ada.press(others[-1], "Join")  # Ada is a guest there, and it isn't she who calls
    await ada.until(lambda: "**Ada**" in others[-1].text)
    panel = await reply_to(ben.press(first, "Not now"))
    assert panel.text.startswith("No problem: **Ada**'s table stays open to everybody.")
    await ada.until(lambda: not calls(first))
    assert not of_verb(first, "decline")
    await ada.until(lambda: privately(ada, first.channel) == [CANNOT])
    called_before = len(ben.notifications)
    await ben.press(panel, "No more from this player")
    assert "can't call you to a table any more, and isn't told." in panel.text
    await ada.until(lambda: not calls(stands))
    assert privately(ada, stands.channel) == [], "the challenger isn't told"
    assert all(map(calls, others))

    refused = await call(room, ada, ben)
    assert not calls(refused)
    said = "Your table is open to everybody: Ben isn't taking challenges at the moment."
    await ada.until(lambda: privately(ada, refused.channel) == [said])
    assert len(ben.notifications) == called_before
    await asyncio.sleep(300)
    assert calls(await call(room, cleo, ben))
    await ben.press(panel, "Take their challenges again")
    assert "can call you to a table again." in panel.text
    for lobby in (first, stands, refused, *others):
        await lobby_owner(room, lobby, ada, cleo).command(lobby.channel, "crib end")
    assert calls(await call(room, ada, ben))


def lobby_owner(room: Room, lobby: Message, *people: Person) -> Person:
    """Who has opened it."""
    return next(each for each in people if f"{each.name} wants" in lobby.text)


async def test_who_declines_for_good_changes_nothing_where_they_play(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    first = await call(room, ada, ben)
    await asyncio.sleep(300)
    joined = await call(room, ada, ben)
    table = Table.at(joined.channel, [ada, ben], joined)
    await ben.press(joined, "Join")
    panel = await reply_to(ben.press(first, "Not now"))
    await ben.press(panel, "No more from this player")
    await ada.press(joined, "Start")
    await table.cut_for_deal()
    assert table.deals


async def test_who_is_declined_cannot_tell_for_whom(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    panel = await reply_to(ben.press(await call(room, ada, ben), "Not now"))
    await ben.press(panel, "No more from this player")
    privacy = await reply_to(cleo.command(room.channel(), "crib-data privacy"))
    await cleo.press(privacy, "person:decline")
    by_name, by_all = await call(room, ada, ben), await call(room, ada, cleo)
    await ada.until(lambda: privately(ada, by_name.channel) and privately(ada, by_all.channel))
    told = [each.replace("Ben", "Cleo") for each in privately(ada, by_name.channel)]
    assert told == privately(ada, by_all.channel)
    assert not of_verb(by_name, "decline")
    assert not of_verb(by_all, "decline")


async def test_another_bot_is_not_called_and_the_host_hears_why(room: Room) -> None:
    ada, dice = room.people("Ada", "Dice")
    dice.user.bot = True
    lobby = await call(room, ada, dice)
    assert not calls(lobby)
    said = "Your table is open to everybody: Dice is a bot, and doesn't play."
    await ada.until(lambda: privately(ada, lobby.channel) == [said])
