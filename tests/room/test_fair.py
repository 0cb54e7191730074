"""An honest deck: what is told of it before, during and after its game, to whom, and what its file proves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.model.table_record import Status
from engine.fair import read_proof
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.form import give_word
from tests.end_to_end.players import said
from tests.end_to_end.tables import Table, everything_told, lobby_by, public, reply_to
from tests.engine.fair_games import both, engine_check, plain_check
from tests.room.room import Room
from tests.room.steps import labels, tap


async def fair(person: Person, channel: Channel | str, **options: object) -> Message:
    return await reply_to(person.command(channel, "crib fair", **options))


async def gathered(room: Room) -> Table:
    """A full lobby of Ada and Ben."""
    return await Table.gather(room.channel(), room.people("Ada", "Ben"), length=61)


def files_to(person: Person, channel: Channel) -> list[Message]:
    return [each for each in person.sees(channel) if each.files and each.only_for == person.id]


async def test_a_word_is_taken_and_shown_to_its_giver_alone_until_the_table_changes(room: Room) -> None:
    table = await gathered(room)
    ada, ben = table.people
    [cleo] = room.people("Cleo")
    told = await fair(ada, table.channel)
    assert "You haven't given it a word yet" in told.text
    assert not re.search("[0-9a-f]{40}", told.text)
    assert "shown when the game is over" in (await fair(cleo, table.channel)).text
    note = await give_word(ada, table.lobby, "SwordFish1")
    told = await fair(ada, table.channel)
    assert "`swordfish1`" in told.text
    assert note not in told.text, "a note that is seen after the word proves nothing"
    assert "without a word" not in told.text
    for person in (ben, cleo):
        assert "swordfish" not in (await fair(person, table.channel)).text
    await ada.until(lambda: "in this order: Ada" in table.lobby.text)
    await give_word(ben, table.lobby, "swordfish1")  # or a refusal would betray hers
    await ada.until(lambda: "in this order: Ada, Ben" in table.lobby.text)
    seat = await reply_to(cleo.press(table.lobby, "My seat"))
    assert "Fair?" not in labels(seat)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("k3x9qzr7", "`k3x9qzr7`"),
        ("g5hw0dmy2p", "`g5hw0dmy2p`"),
        *((each, "easy to guess") for each in ("aaaaaaaa", "testtest1", "1234567890", "qwertyuiop")),
        *((each, "easy to guess") for each in ("password12", "31121999")),
        *((each, "That word doesn't work") for each in ("with a space", "épée56789", "\u200bswordfish")),
    ],
)
async def test_a_word_is_taken_with_a_warning_or_refused(room: Room, word: str, told: str) -> None:
    table = await gathered(room)
    ada = table.people[0]
    said = await typed(ada, table, word)
    assert told in said
    assert ("easy to guess" in said) == (told == "easy to guess")
    assert bool(room.archive.table(table.game).words) == ("doesn't work" not in told)


async def typed(person: Person, table: Table, word: str) -> str:
    """The answer to a word in the form."""
    seat = await reply_to(person.press(table.lobby, "My seat"))
    form = (await person.press(seat, "Fair?")).modal
    assert form is not None
    return (await reply_to(person.submit(form, {"points": word}))).text


async def test_the_same_word_and_one_of_an_old_note_are_refused(room: Room) -> None:
    table = await gathered(room)
    ada, ben = table.people
    await typed(ada, table, "swordfish1")
    assert "You gave that word before" in await typed(ada, table, "SwordFish1")
    assert "`swordfish2`" in await typed(ada, table, "swordfish2")
    seat = await reply_to(ben.press(table.lobby, "My seat"))
    form = (await ben.press(seat, "Fair?")).modal
    assert form is not None
    await reply_to(ben.command(table.channel, "crib leave"))
    await ben.press(table.lobby, "Join")
    said = await reply_to(ben.submit(form, {"points": "swordfish3"}))
    assert "The table has changed" in said.text
    told = await fair(ada, table.channel)
    assert "The table has changed, so the words for the deck are gone" in told.text
    await ada.until(lambda: "the words for the deck are gone" in table.lobby.text)


async def test_during_the_game_its_seal_is_shown_and_afterwards_everything_is_checked_and_sent(
    room: Room,
) -> None:
    table = await gathered(room)
    ada, ben = table.people
    [cleo] = room.people("Cleo")
    secret = room.archive.secret(table.game) or ""
    await table.start()
    await table.cut_for_deal()
    told = await fair(ada, table.channel)
    seal = room.archive.table(table.game).seal or ""
    assert seal in told.text
    assert "without a word of yours" in told.text
    assert secret not in told.text
    assert files_to(ada, table.channel) == [], "there is no file yet"
    await reply_to(ben.command(table.channel, "crib resign", sure=True))
    await everything_told([table], room.archive)
    for person, names in ((ada, ["Ada", "Ben"]), (cleo, [])):
        told = await fair(person, table.channel)
        assert told.text.count("✅") == 5
        assert "without a word of yours" in told.text
        assert secret in told.text
        await person.until(lambda person=person: files_to(person, table.channel))
        [sent] = files_to(person, table.channel)
        assert [each.filename for each in sent.files] == [f"fifteen-two-{table.game}.json"]
        file = sent.files[0].content.decode()
        assert json.loads(file)["players"] == names
        assert all(finding.holds for finding in read_proof(file).check())
    forged = "UPDATE decks SET secret = ? WHERE game = ?"
    room.database.raw.execute(forged, [bytes(32), table.game])
    assert "❌ The secret and the salts" in (await fair(cleo, table.channel)).text


async def test_a_game_that_begins_at_once_shows_its_seal_before_any_card(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    await reply_to(ada.command(channel, "crib new", computer="beginner", length=61))
    await ada.until(lambda: "Who deals first?" in said(public(channel)))
    record = room.archive.tables()[-1]
    assert record.seal is not None
    assert f"`{record.seal[:40]}`" in said(public(channel))


async def test_a_table_that_closed_after_a_word_has_a_file_and_is_asked_for_by_its_id(room: Room) -> None:
    table = await gathered(room)
    ada, ben = table.people
    [cleo] = room.people("Cleo")
    await typed(ada, table, "swordfish1")
    await reply_to(ada.command(table.channel, "crib end"))
    await ada.until(lambda: "Table closed" in table.lobby.text)
    await Table.gather(table.channel, [ada, ben], length=61)
    told = await fair(cleo, table.channel, game=f" {table.game.upper()} ")
    assert f"### Game {table.game}" in told.text
    await cleo.until(lambda: files_to(cleo, table.channel))
    file = json.loads(files_to(cleo, table.channel)[0].files[0].content)
    assert (file["ending"], file["words"], file["log"]) == ("closed", ["swordfish1"], [])
    assert table.game in (await fair(ada, ada.open_dm(), game=table.game)).text
    assert table.game not in (await fair(cleo, cleo.open_dm(), game=table.game)).text


async def test_a_rematch_waits_for_the_word_of_somebody_who_wants_to_give_one(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    (ada, ben), channel = table.people, table.channel
    told = await fair(ben, channel)
    for has, button in ((True, ""), (False, "✓ "), (True, "")):
        await tap(ben, told, f"{button}Rematches wait for my word")
        assert (await room.store.preferences(int(ben.id))).waits_for_word is has
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
