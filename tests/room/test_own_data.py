"""One's own data, as its person asks for it: hidden or shown, challenges, an export, a deletion."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.model.errors import StaleGame
from bot.model.table_record import Status
from bot.store.people import SqlPeople
from engine import LogError
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.tables import lobby_by, reply_to
from tests.room.room import Room
from tests.room.steps import leap, tap

EXPORT_SENT = "Sent to you by DM."
TOO_SOON = "I just did that for you."


async def asked(person: Person, channel: Channel, command: str, **options: object) -> Message:
    """The private answer to a command about one's own data."""
    return await reply_to(person.command(channel, f"crib-data {command}", **options))


async def delete(person: Person, channel: Channel) -> str:
    """What a person reads at last who confirms that their data is to be deleted."""
    question = await asked(person, channel, "delete")
    await person.press(question, "Delete my data")
    await person.until(lambda: "Delete" not in question.text and "Deleting" not in question.text)
    return question.text


async def test_one_hides_only_when_one_says_so(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    for hide, is_hidden in ((None, False), (True, True), (None, True), (False, False)):
        options = {} if hide is None else {"hide": hide}
        said = (await asked(ada, channel, "privacy", **options)).text
        assert ("You are hidden" if is_hidden else "You are not hidden") in said


async def test_challenges_are_declined_from_everybody_and_taken_again(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    lobby = await lobby_by(ben.command(room.channel(), "crib new", **{"with": ada}))
    panel = await asked(ada, room.channel(), "privacy")
    assert "no table calls you" in await tap(ada, panel, "No challenges")
    await ada.until(lambda: "will you play?" not in lobby.text)
    assert "You take challenges" in await tap(ada, panel, "Take all challenges")


async def test_who_is_forgotten_leaves_the_lobby_and_resigns_the_game(room: Room) -> None:
    table, archive = await room.table("Ada", "Ben", length=61), room.archive
    ben, channel = table.people[1], room.channel()
    lobby = await lobby_by(ben.command(channel, "crib new"))
    question = await asked(ben, channel, "delete")
    assert "You are at 2 tables" in question.text
    assert await tap(ben, question, "Cancel") == "Nothing was deleted."
    assert archive.table(table.game).names == ("Ada", "Ben")

    assert await delete(ben, channel) == "Your data is deleted."
    await table.until(lambda: table.is_over and "Table closed" in lobby.text)
    assert archive.table(table.game).names == ("Ada", "")
    assert archive.table(table.game).status is Status.OVER
    question = await asked(ben, channel, "delete")
    assert TOO_SOON in (await reply_to(ben.press(question, "Delete my data"))).text


@pytest.mark.parametrize(("error", "warnings"), [(StaleGame("k3f9", 3), 0), (LogError("not held: 5H"), 3)])
async def test_a_table_that_cannot_be_left_keeps_nobody_from_being_forgotten(
    room: Room, error: Exception, warnings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await room.table("Ada", "Ben")

    async def refused(*_: object) -> None:
        raise error

    monkeypatch.setattr(room.bot.core.sessions, "move", refused)
    assert await delete(table.people[1], table.channel) == "Your data is deleted."
    assert room.archive.table(table.game).names == ("Ada", "")
    assert len(room.troubles) == warnings, "one for each attempt to leave it"
    assert all(each.endswith("cannot be resigned, and is called off: LogError") for each in room.troubles)
    room.troubles.clear()


async def export_in_parts(_: object, user: int, into: Path) -> tuple[Path, ...]:
    """An export that is split into twelve files."""
    paths = tuple(into / f"{number}.json" for number in range(12))
    for path in paths:
        path.write_text("{}")
    return paths


@pytest.mark.parametrize("is_closed", [False, True])
async def test_an_export_comes_by_dm_ten_files_a_message_or_in_private_if_dms_are_closed(
    room: Room, monkeypatch: pytest.MonkeyPatch, *, is_closed: bool
) -> None:
    monkeypatch.setattr(SqlPeople, "export", export_in_parts)
    [ada], channel = room.people("Ada"), room.channel()
    ada.open_dm()
    if is_closed:
        ada.close_dms()
    await asked(ada, channel, "export")
    in_channel = [each for each in channel.messages.values() if each.only_for == ada.id]
    if not is_closed:
        assert [each.text for each in in_channel] == [EXPORT_SENT]
    sent = in_channel if is_closed else ada.dms()
    names = [[each.filename for each in message.attachments] for message in sent]
    assert names == [[f"{number}.json" for number in some] for some in (range(10), range(10, 12))]
    assert [each.text.split()[0] for each in sent] == ["Everything", "More"]


async def test_an_export_can_be_asked_for_once_in_ten_minutes_by_each_and_again_if_it_failed(
    room: Room,
) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel = room.channel()
    room.database.broken = True
    assert "couldn't" in (await asked(ada, channel, "export")).text
    room.database.broken = False
    assert (await asked(ada, channel, "export")).text == EXPORT_SENT
    assert TOO_SOON in (await asked(ada, channel, "export")).text
    assert (await asked(ben, channel, "export")).text == EXPORT_SENT
    leap(600)
    await asyncio.sleep(1)
    assert (await asked(ada, channel, "export")).text == EXPORT_SENT
    room.troubles.clear()  # the outage is said
