"""An honest deck from its first message to the check of the whole game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.form import give_word
from tests.end_to_end.players import said
from tests.end_to_end.tables import Table, everything_told, lobby_by, public, reply_to
from tests.engine.fair_games import both, engine_check, plain_check
from tests.room.room import Room


async def fair(person: Person, channel: Channel) -> Message:
    """The answer to `/crib fair`."""
    return await reply_to(person.command(channel, "crib fair"))


@pytest.mark.deep
async def test_a_whole_game_is_verified_from_its_file_and_a_forged_one_refused(
    room: Room, tmp_path: Path
) -> None:
    ada, ben = room.people("Ada", "Ben")
    archive, channel = room.archive, room.channel()
    table = await Table.gather(channel, [ada, ben], length=61)
    lobby, secret = table.lobby, archive.secret(table.game)
    note = await give_word(ben, lobby, "SwordFish1")
    await ada.until(lambda: "Words for the deck, in this order: Ben" in lobby.text)
    assert not re.search("[0-9a-f]{40}", lobby.text), "nothing of the deck stands in the lobby"

    await ada.press(lobby, "Start")
    [seal] = await ada.until(lambda: re.findall("`([0-9a-f]{40})`", said(public(channel))))
    told = await fair(ada, channel)
    assert secret
    assert secret not in told.text
    assert "shown when the game is over" in told.text
    await table.play()
    await everything_told([table], archive)

    told = await fair(ben, channel)
    assert told.text.count("✅") == 5
    await ben.until(lambda: files_to(ben, channel))
    [sent] = files_to(ben, channel)
    file = json.loads(sent.files[0].content)
    assert file["words"] == ["swordfish1"]
    [head] = re.findall("[0-9a-f]{40}", table.results[0].text)

    path = tmp_path / "game.json"
    path.write_bytes(sent.files[0].content)
    noted = (f"note={note}", "word=swordfish1", f"seal={seal}", f"head={head}")
    for status, answer in (plain_check(path, *noted), engine_check(path, *noted)):
        assert status == 0, answer
        assert "A: nobody chose this deck" in answer
    forged = re.sub(r'"place": (\d+)', '"place": 4', json.dumps(file))
    assert both(path, forged) == (1, 1)


def files_to(person: Person, channel: Channel) -> list[Message]:
    """The messages that only they see and that have files."""
    return [each for each in person.sees(channel) if each.files and each.only_for == person.id]


async def test_a_game_that_begins_at_once_shows_its_seal_before_any_card(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    await reply_to(ada.command(channel, "crib new", computer="beginner", length=61))
    await ada.until(lambda: "Who deals first?" in said(public(channel)))
    record = room.archive.tables()[-1]
    assert record.seal is not None
    assert f"`{record.seal[:40]}`" in said(public(channel))


async def test_a_rematch_waits_for_the_word_of_somebody_who_wants_to_give_one(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    (ada, ben), channel = table.people, table.channel

    def labels(message: Message) -> list[str | None]:
        return [each.get("label") for each in message.buttons]

    told = await fair(ben, channel)
    await ben.press(told, "Rematches wait for my word")
    await ben.until(lambda: "✓ Rematches wait for my word" in labels(told))
    await table.resign(ada)

    lobby = await lobby_by(ada.press(table.results[-1], "Rematch"))
    await ben.press(lobby, "Join")
    await ben.until(lambda: "free" not in lobby.text and "Waiting" not in lobby.text)
    game = archive.tables()[-1].game
    assert archive.table(game).status is Status.GATHERING
    await give_word(ben, lobby, "swordfish1")
    await ada.press(lobby, "Start")
    await ada.until(lambda: archive.table(game).status is Status.PLAYING)
    await ada.command(channel, "crib resign", sure=True)
    await ada.until(lambda: archive.table(game).status is Status.OVER)
    told = await fair(ben, channel)
    assert told.text.count("✅") == 5
    assert "without a word" not in told.text
    await ben.press(told, "✓ Rematches wait for my word")
    await ben.until(lambda: "Rematches wait for my word" in labels(told))
