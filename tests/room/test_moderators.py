"""What moderators do at other people's tables, and for their server."""

from __future__ import annotations

import pytest
import pytest_asyncio

from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, reply_to
from tests.room.room import Room

LENGTH = 61


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(module_room: Room) -> Table:
    """A game of Ada's and Ben's, which goes on after each test but the last about it."""
    return await module_room.table("Ada", "Ben", length=LENGTH)


async def between_two_games(room: Room) -> Table:
    """A match of which Ben has lost the first game."""
    match = await room.table("Ada", "Ben", games=3, length=LENGTH)
    await match.players[1].person.command(match.channel, "crib resign", sure=True)
    await match.until(lambda: following(room, match))
    return match


def following(room: Room, match: Table) -> str | None:
    """The id of the match's next game, while it gathers."""
    newest = room.archive.tables()[-1]
    return newest.game if newest.match == match.game and newest.status is Status.GATHERING else None


def moderator(room: Room, channel: Channel, permission: Permission = Permission.MANAGE_CHANNELS) -> Person:
    """Cleo, with that permission there."""
    [cleo] = room.people("Cleo")
    owner = room.sandbox.people["Ada"]
    owner.set_overwrite(channel, Overwrite(cleo.id, is_member=True, allow=permission))
    return cleo


def status(room: Room, table: Table) -> Status:
    return room.archive.table(table.game).status


async def asked(cleo: Person, table: Table) -> Message:
    """The question to the moderator whether to end the game."""
    return await reply_to(cleo.command(table.channel, "crib end"))


async def test_the_others_are_not_asked_where_they_cannot_see_it(room: Room, table: Table) -> None:
    ada = table.players[0].person
    said = await reply_to(ada.command(ada.open_dm(), "crib end"))
    assert said.text.startswith("Everyone at the table needs to see this")
    assert f"<#{table.channel.id}>" in said.text
    assert status(room, table) is Status.PLAYING


async def test_nobody_else_stops_it_not_even_with_a_moderator_s_button(room: Room, table: Table) -> None:
    cleo = moderator(room, table.channel)
    question = await asked(cleo, table)
    room.sandbox.people["Ada"].set_overwrite(table.channel, Overwrite(cleo.id, is_member=True))
    refused = await reply_to(cleo.press(question, "End their game"))
    assert refused.text.startswith("This game is between Ada and Ben.")
    assert status(room, table) is Status.PLAYING


async def test_a_moderator_s_button_does_nothing_in_another_deal(room: Room, table: Table) -> None:
    cleo = moderator(room, table.channel)
    question = await asked(cleo, table)
    button = of_verb(question, "stop") or {}
    button["custom_id"] = button["custom_id"].replace(":1:", ":0:")
    refused = await reply_to(cleo.press(question, button["custom_id"]))
    assert "The cut for the deal is over: you're in deal 1." in refused.text
    assert status(room, table) is Status.PLAYING


async def test_a_moderator_who_confirms_it_ends_other_people_s_game(room: Room, table: Table) -> None:
    cleo = moderator(room, table.channel)
    question, late = await asked(cleo, table), await asked(cleo, table)
    assert question.text.splitlines()[0] == "### End other people's game?"
    assert status(room, table) is Status.PLAYING
    await cleo.press(question, "Keep playing")
    assert question.text.endswith("The game goes on!")

    question = await asked(cleo, table)
    await cleo.press(question, "End their game")
    assert question.text == "Game cancelled, no result."
    await table.until(lambda: any("## Game cancelled" in each.text for each in table.messages))
    assert status(room, table) is Status.CANCELLED
    assert "earlier game" in (await reply_to(cleo.press(late, "End their game"))).text


async def test_a_moderator_is_asked_before_other_people_s_match_ends_between_two_games(room: Room) -> None:
    match = await between_two_games(room)
    cleo = moderator(room, match.channel)
    question = await asked(cleo, match)
    assert question.text.splitlines()[:3] == [
        "### End other people's match?",
        "Best of three: Ada 1 · Ben 0",
        "-# It ends at once, without a winner, and nobody else is asked.",
    ]
    await cleo.press(question, "Keep playing")
    assert question.text == "Best of three: Ada 1 · Ben 0\nThe match goes on!"
    assert following(room, match)
    await cleo.press(await asked(cleo, match), "End their match")
    await match.until(lambda: not following(room, match))


async def test_who_plays_ends_their_own_match_between_two_games_at_once(room: Room) -> None:
    match = await between_two_games(room)
    await match.players[0].person.command(match.channel, "crib end")
    await match.until(lambda: not following(room, match))


# Settings of the server


@pytest.mark.parametrize("permission", [Permission.MANAGE_GUILD, Permission.MANAGE_CHANNELS])
async def test_a_moderator_is_shown_the_settings_with_the_server_s_own_language(
    room: Room, permission: Permission
) -> None:
    channel = room.channel()
    cleo = moderator(room, channel, permission)
    panel = await reply_to(cleo.command(channel, "crib-settings"))
    assert "the server's own (English" in str(panel.selects)
    for select, value in (("server:language", "fr"), ("server:board", "text")):
        await cleo.choose(panel, select, [value])
        shown = next(each for each in panel.selects if each["custom_id"] == select)
        assert [each["value"] for each in shown["options"] if each.get("default")] == [value]
    guild = int(room.sandbox.world.guild.id)
    kept = await room.store.server(guild)
    assert (kept.language, kept.board.value) == ("fr", "text")
    await cleo.choose(panel, "server:language", ["server"])
    await cleo.choose(panel, "server:board", ["pictures"])
    kept = await room.store.server(guild)
    assert (kept.language, kept.board.value) == (None, "pictures")


async def test_only_moderators_choose_and_only_where_the_bot_is_a_member(room: Room) -> None:
    channel = room.channel()
    cleo = moderator(room, channel, Permission.MANAGE_MESSAGES)
    assert "Only moderators" in (await reply_to(cleo.command(channel, "crib-settings"))).text
    refused = await reply_to(cleo.command(cleo.open_dm(), "crib-settings"))
    assert "in a channel of yours" in refused.text
