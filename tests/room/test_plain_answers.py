"""What commands and buttons answer in a plain sentence, as a table in `tests/data/render/plain-answers.txt`.

Answers that are messages of their own, such as a lobby or a leaderboard, have scenes below `tests/bot`, as
have refusals. Set WRITE_GOLDEN=1 to write the file again.
"""

from __future__ import annotations

import re

import pytest

from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction
from sandbox.model.permissions import NOTHING
from sandbox.model.users import Role
from tests.end_to_end.players import custom_id, of_verb
from tests.end_to_end.tables import Table, lobby_by, public, reply_to
from tests.golden import PLAIN_ANSWERS, compare
from tests.room.room import Room
from tests.room.steps import tap


@pytest.mark.deep
async def test_every_plain_answer_reads_as_it_did(room: Room) -> None:
    compare(
        PLAIN_ANSWERS,
        {
            "at a table": await at_a_table(room, "en-GB"),
            "about games": await about_games(room),
            "at a club": await at_a_club(room),
            "at a table, in French": await at_a_table(room, "fr"),
        },
    )


def row(asked: str, answer: Message | str) -> str:
    """A line of the table: what was asked, and the answer without the numbers of Discord and the time."""
    said = answer if isinstance(answer, str) else answer.text
    return f"`{asked}`: " + re.sub(r"\d{9,}", "(number)", said)


async def used(person: Person, place: Channel, command: str, **options: object) -> str:
    """A command, and what it answers."""
    answer = await reply_to(person.command(place, command, **options))
    return row(" ".join((f"/{command}", *options)), answer)


async def pressed(doing: Interaction, button: str) -> str:
    """A press, and its answer."""
    return row(button, await reply_to(doing))


async def at_a_table(room: Room, language: str) -> str:
    """A table from a challenge that is taken back to its game."""
    ada, ben, cleo = people = room.people("Ada", "Ben", "Cleo")
    for person in people:
        person.choose_language(language)
    channel = room.channel()
    lobby = await lobby_by(ada.command(channel, "crib new", **{"with": ben.user}))
    said = [await pressed(ada.press(lobby, custom_id(lobby, "decline")), "takes a challenge back")]
    said.append(await used(ada, channel, "crib end"))
    lobby = await lobby_by(ada.command(channel, "crib new"))
    said += [
        await used(ada, channel, "crib join", computer="steady"),
        await used(ada, channel, "crib leave", computer=True),
        await used(ben, channel, "crib join"),
        await used(ben, channel, "crib leave"),
        await used(cleo, channel, "crib join"),
        await used(ada, channel, "crib start"),
        await used(ada, channel, "crib table"),
        await used(ada, ada.open_dm(), "crib table"),
        await used(ada, ada.open_dm(), "crib hand"),
    ]
    return "\n".join(said)


async def about_games(room: Room) -> str:
    """Games that are under way, over, and asked for again by DM."""
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    cleo.close_dms()
    table = await Table.begin(room.channel(), [ada, cleo])
    hand = await reply_to(cleo.press(table.newest, "My hand"))
    said = [await pressed(cleo.press(hand, "Send it by DM"), "Send it by DM")]
    table = await Table.begin(room.channel(), [ada, ben])
    said.append(await used(ben, table.channel, "crib resign", sure=True))
    await over(table)
    replay = await reply_to(ben.command(table.channel, "crib-coach replay"))
    await tap(ben, replay, "More")
    said.append(await pressed(ben.press(replay, "Get the file"), "Get the file"))
    await ben.command(table.channel, "crib fair")
    await table.until(lambda: ben.sees(table.channel)[-1].files)
    said.append(row("/crib fair", ben.sees(table.channel)[-1]))
    hers, his = (person.dms()[-1] for person in (ada, ben))
    said += [
        await pressed(person.press(card, "Rematch"), "Rematch") for person, card in ((ada, hers), (ben, his))
    ]

    match = await Table.begin(room.channel(), [ada, ben], games=3)
    await ada.command(match.channel, "crib resign", sure=True)
    await over(match)
    said.append(await pressed(ada.press(ada.dms()[-1], "Next game"), "Next game"))
    [alone] = room.people("Ada")
    await alone.command(alone.open_dm(), "crib new")
    said.append(await used(alone, alone.open_dm(), "crib new"))
    return "\n".join(said)


async def over(table: Table) -> None:
    """Wait until the players have the result, too."""
    await table.until(lambda: all(of_verb(each.dms()[-1], "rematch") for each in table.people))


async def at_a_club(room: Room) -> str:
    """What organisers and players of a club event read."""
    channel, owner, (ben, cleo, dan) = room.channel("club"), room.owner, room.people("Ben", "Cleo", "Dan")
    world = room.sandbox.world
    role = Role(world.snowflakes.next(), "Stewards", NOTHING, 2)
    world.guild.roles[role.id] = role

    async def organised(which: str, **options: object) -> str:
        return await used(owner, channel, f"crib-organise {which}", **options)

    async def agreed(which: str, button: str, **options: object) -> str:
        asked = await reply_to(owner.command(channel, f"crib-organise {which}", **options))
        return row(f"/crib-organise {which}, {button}", await tap(owner, asked, button))

    async def presses(person: Person, *buttons: str) -> list[str]:
        club = next(each for each in reversed(public(channel)) if "A win is worth" in each.text)
        return [await pressed(person.press(club, each), each) for each in buttons]

    return "\n".join(
        [
            await organised("role", role=role),
            await organised("role"),
            await organised("open", games=3, partners=True),
            await organised("weekly"),
            await organised("weekly", repeat=False),
            await organised("weekly", repeat=False),
            *await presses(ben, "Leave", "Sign up", "I'm here", "Leave", "Sign up"),
            *await presses(cleo, "I'm here"),
            await used(cleo, channel, "crib-club partner", player=ben.user),
            await used(cleo, channel, "crib-club partner"),
            await agreed("remove", "Leave it", player=ben.user),
            await agreed("remove", "Take them out", player=ben.user),
            await agreed("close", "Close it"),
            await organised("open", games=3),
            *await presses(ben, "I'm here"),
            *await presses(cleo, "I'm here"),
            *await presses(owner, "Start"),
            *await presses(dan, "I'm here", "Leave"),
            await agreed("remove", "Let it play", player=ben.user, computer="expert"),
            await agreed("remove", "Take them out", player=cleo.user),
        ]
    )
