"""Hands by DM: what they show, and how a game works for players whose DMs are closed."""

from __future__ import annotations

import re

from engine import Seat, Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly, playable
from tests.end_to_end.players import of_verb, tap_cards
from tests.end_to_end.tables import Table, everything_told, reply_to

BEHIND = "I can't reach Ben by DM: their cards are behind *My hand*."


def sent_by_dm(conformance: Conformance, person: Person) -> list[int]:
    """The HTTP statuses of the messages that the bot tried to send to the person."""
    if person.dm is None:
        return []
    path = f"/channels/{person.dm.id}/messages"
    return [each.status for each in conformance.exchanges if (each.method, each.path) == ("POST", path)]


async def test_the_hand_names_the_server_and_leads_to_the_table(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    await table.until(lambda: all(player.hand() for player in table.players))
    for player in table.players:
        hand = player.hand()
        assert hand is not None
        assert re.search(
            r"^\*\*Deal 1\*\* · discard 2 to .*\n-# The Crib Room <#\d+>$", hand.text, re.MULTILINE
        )
        [link] = [each for each in hand.buttons if "url" in each]
        assert link["url"] == table.newest.link


async def test_a_closed_dm_is_remembered_and_tried_again_only_when_asked(
    sandbox: Sandbox, bot: BotProcess, conformance: Conformance
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    archive = Archive(bot.database)
    ben.close_dms()
    table = await Table.begin(sandbox.channels["cribbage"], [ada, ben], length=61)
    await table.until(lambda: table.deals and BEHIND in table.newest.text)
    assert table.newest.text.count("I can't reach") == 1
    assert sent_by_dm(conformance, ben) == [403]

    # Both discard, Ben in an ephemeral hand. Then some play, and the bot does not try to DM Ben again.
    panel = await reply_to(ben.press(table.newest, "My hand"))
    for pressed in (panel, table.player("Ada").hand()):
        assert pressed is not None
        person = ben if pressed is panel else ada
        await tap_cards(person, pressed)
        await table.until(lambda pressed=pressed: of_verb(pressed, "discard"))
        lay = of_verb(pressed, "discard")
        assert lay is not None
        await person.press(pressed, lay["custom_id"])
    await table.until(lambda: of_verb(table.newest, "cut"))
    pone = ben if archive.replayed(table.game).table.dealer == 0 else ada
    await pone.press(table.newest, "36")
    await table.until(lambda: table.stands("### Starter"))
    await bot.restart()
    assert sent_by_dm(conformance, ben) == [403]
    assert table.newest.text.count("I can't reach") == 1

    # Asked again while they are still closed: one try, and the same polite line.
    panel = await reply_to(ben.press(table.newest, "My hand"))
    await ben.press(panel, "Send it by DM")
    await table.until(lambda: sent_by_dm(conformance, ben) == [403, 403])
    await table.until(lambda: BEHIND in table.newest.text)
    assert ben.dms() == []

    # And asked when they are open: the hand comes, and the line goes.
    ben.open_dms()
    panel = await reply_to(ben.press(table.newest, "My hand"))
    await table.until(lambda: of_verb(panel, "dm"))
    told = await reply_to(ben.press(panel, "Send it by DM"))
    assert "on its way by DM" in told.text
    await table.until(lambda: table.player("Ben").hand())
    await table.until(lambda: "I can't reach" not in table.newest.text)
    assert sent_by_dm(conformance, ben) == [403, 403, 200]
    assert not [
        each for each in (await reply_to(ben.press(table.newest, "My hand"))).buttons if "DM" in str(each)
    ]

    await table.play()
    await everything_told([table], archive)
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)


async def test_a_hand_asked_for_in_the_dm_comes_down_there_and_stays_the_only_one(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    people = [ada, sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)

    async def asks(command: str, **options: object) -> Message:
        """The hand that comes below the answer; the one from before is deleted."""
        old = table.player("Ada").hand()
        assert old is not None
        answer = await reply_to(ada.command(ada.open_dm(), command, **options))
        assert answer.text == "Your hand:"
        await table.until(lambda: old.deleted and playable(ada.dms()[-1]))
        assert [each for each in ada.dms() if not each.is_ephemeral] == [ada.dms()[-1]]
        return ada.dms()[-1]

    hand = await asks("crib hand")
    [link] = [each["url"] for each in hand.buttons if "url" in each]
    assert link == table.newest.link
    seat = Seat(archive.table(table.game).names.index("Ada"))
    cards = archive.replayed(table.game).view(seat).hand[:2]
    hand = await asks("crib discard", cards=" ".join(map(str, cards)))
    assert "You discarded" in hand.text

    # It follows the game, like the one before it.
    before = hand.text
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: hand.text != before)
    assert not hand.deleted
    await table.play()
    await everything_told([table], archive)
    assert_one_hand_a_game([table], archive)


async def test_who_has_no_dms_plays_behind_the_button(
    sandbox: Sandbox, bot: BotProcess, conformance: Conformance
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    for person in people:
        person.close_dms()
    table = await Table.gather(sandbox.channels["cribbage"], people, length=61, behind_the_button=True)
    await table.start()
    await table.play(lambda: table.stands("Deal 3"))
    for person in people:
        assert sent_by_dm(conformance, person) in ([], [403]), "who is at the table already needs none"
    # It is said while it matters, and not for ever.
    await table.until(lambda: not any("I can't reach" in each.text for _, each in table.deals[:-1]))
