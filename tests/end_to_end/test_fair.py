"""An honest deck from its first message to the check of the whole game, with the real bot."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.form import give_word
from tests.end_to_end.tables import Table, everything_told, lobby_by, reply_to
from tests.engine.fair_games import both, engine_check, plain_check


async def fair(person: Person, **options: object) -> Message:
    """The answer to `/crib fair`."""
    return await reply_to(person.command("cribbage", "crib fair", **options))


async def test_a_whole_game_is_verified_from_its_file_and_a_forged_one_refused(
    sandbox: Sandbox, bot: BotProcess, tmp_path: Path
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.gather(sandbox.channels["cribbage"], people, length=61)
    lobby = next(each for each in table.channel.messages.values() if "wants to play" in each.text)
    secret = archive.secret(table.game) or ""
    note = await give_word(ben, lobby, "SwordFish1")
    await ada.until(lambda: "Words for the deck, in this order: Ben" in lobby.text)
    assert not re.search("[0-9a-f]{40}", lobby.text), "nothing of the deck stands in the lobby"

    await ada.press(lobby, "Start")
    await ada.until(lambda: sealed_in(table))
    seal = sealed_in(table)
    await bot.restart()
    told = await fair(ada)
    assert secret not in told.text
    assert "shown when the game is over" in told.text
    await table.play()
    await everything_told([table], archive)

    told = await fair(ben)
    assert told.text.count("✅") == 5
    await ben.until(lambda: files_to(ben))
    [sent] = files_to(ben)
    file = json.loads(sent.files[0].content)
    assert file["words"] == ["swordfish1"]
    [head] = re.findall("[0-9a-f]{40}", table.results[0].text)

    path = tmp_path / "game.json"
    path.write_bytes(sent.files[0].content)
    noted = (f"note={note}", "word=swordfish1", f"seal={seal}", f"head={head}")
    for status, said in (plain_check(path, *noted), engine_check(path, *noted)):
        assert status == 0, said
        assert "A: nobody chose this deck" in said
    forged = re.sub(r'"place": (\d+)', '"place": 4', json.dumps(file))
    assert both(path, forged) == (1, 1)


def sealed_in(table: Table) -> str:
    """The digits of the seal in the game's first message; empty until they stand there."""
    found = re.findall("`([0-9a-f]{40})`", "\n".join(each.text for each in table.channel.messages.values()))
    return str(found[0]) if found else ""


def files_to(person: Person) -> list[Message]:
    """The messages that only they see and that have files."""
    return [each for each in person.sees("cribbage") if each.files and each.only_for == person.id]


async def test_a_game_that_begins_at_once_shows_its_seal_before_any_card(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    before = set(channel.messages)
    await reply_to(ada.command("cribbage", "crib new", computer="beginner", length=61))

    def public() -> list[Message]:
        return [
            each for name, each in channel.messages.items() if name not in before and each.only_for is None
        ]

    await ada.until(lambda: any("Who deals first?" in each.text for each in public()))
    [record] = Archive(bot.database).tables()
    assert record.seal is not None
    assert any(f"`{record.seal[:40]}`" in each.text for each in public())


async def test_a_rematch_waits_for_the_word_of_somebody_who_wants_to_give_one(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    told = await fair(ben)
    await ben.press(told, "Rematches wait for my word")
    await ben.until(lambda: any(each.get("label") == "✓ Rematches wait for my word" for each in told.buttons))
    await ada.command(table.channel, "crib resign", sure=True)
    await everything_told([table], archive)

    lobby = await lobby_by(ada.press(table.results[-1], "Rematch"))
    await ben.press(lobby, "Join")
    await ben.until(lambda: "free" not in lobby.text and "Waiting" not in lobby.text)
    assert archive.tables()[-1].status is Status.GATHERING
    await give_word(ben, lobby, "swordfish1")
    await ada.press(lobby, "Start")
    await ada.until(lambda: archive.tables()[-1].status is Status.PLAYING)
    await ada.command(table.channel, "crib resign", sure=True)
    await ada.until(lambda: archive.tables()[-1].status is Status.OVER)
    told = await fair(ben)
    assert told.text.count("✅") == 5
    assert "without a word" not in told.text
    await ben.press(told, "✓ Rematches wait for my word")
    await ben.until(lambda: any(each.get("label") == "Rematches wait for my word" for each in told.buttons))


async def test_a_game_alone_in_the_dm_waits_for_a_word_over_a_restart(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    await ada.press(await fair(ada), "Rematches wait for my word")
    lobby = await lobby_by(ada.command(ada.open_dm(), "crib new", length=61))
    await bot.restart()
    assert archive.tables()[-1].status is Status.GATHERING, (
        "a start begins what a crash broke off, and not this"
    )
    note = await give_word(ada, lobby, "swordfish1")
    assert re.fullmatch("[0-9a-f]{40}", note)
    await ada.press(lobby, "Start")
    await ada.until(lambda: archive.tables()[-1].status is Status.PLAYING)
    await ada.until(lambda: any("Who deals first?" in each.text for each in lobby.channel.messages.values()))
    assert len(archive.tables()[-1].words) == 1
