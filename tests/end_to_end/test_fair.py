"""An honest deck from its first message to the check of the whole game, with the real bot."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from bot.features.fair.feature import HEAD_SHOWN
from engine.fair.ft1 import commitment
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told, reply_to


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
    secret = bytes.fromhex(archive.secret(table.game) or "")
    assert commitment(table.game, secret) in lobby.text
    assert "Your word is mixed in: *swordfish*" in (await fair(ben, word="swordfish")).text

    await ada.press(lobby, "Start")
    await bot.restart()
    told = await fair(ada)
    assert secret.hex() not in told.text
    assert "shown when the game is over" in told.text
    await table.play()
    await everything_told([table], archive)

    told = await fair(ben)
    assert told.text.count("✅") == 4
    await ben.until(lambda: files_to(ben))
    [sent] = files_to(ben)
    file = json.loads(sent.files[0].content)
    assert file["terms"]["message"] == lobby.id
    assert file["terms"]["words"] == [None, "swordfish"]
    assert commitment(table.game, bytes.fromhex(file["secret"])) in lobby.text
    assert file["head"][:HEAD_SHOWN] in table.results[0].text

    path = tmp_path / "game.json"
    path.write_bytes(sent.files[0].content)
    assert checked(path) == 0
    path.write_text(re.sub(r'"place": (\d+)', '"place": 4', json.dumps(file)), "utf-8")
    assert checked(path) == 1


def files_to(person: Person) -> list[Message]:
    """The messages that only they see and that have files."""
    return [each for each in person.sees("cribbage") if each.files and each.only_for == person.id]


def checked(path: Path) -> int:
    """Exit status of `python -m engine.fair` for the file."""
    done = subprocess.run([sys.executable, "-m", "engine.fair", str(path)], check=False, capture_output=True)
    return done.returncode


async def test_a_game_that_begins_at_once_is_dealt_on_the_message_that_committed_to_it(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    before = set(channel.messages)
    await reply_to(ada.command("cribbage", "crib new", computer="beginner", length=61))

    def public() -> list[Message]:
        return [
            each for name, each in channel.messages.items() if name not in before and each.only_for is None
        ]

    await ada.until(lambda: public() and "Who deals first?" in public()[0].text)
    [message] = public()
    [record] = Archive(bot.database).tables()
    assert record.commitment is not None
    assert record.commitment in message.text
