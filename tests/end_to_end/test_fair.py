"""An honest deck from its first message to the check of the whole game, with the real bot."""

from __future__ import annotations

import json
import re
from pathlib import Path

from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.form import give_word
from tests.end_to_end.tables import Table, everything_told, reply_to
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
