"""Newcomers have their game explained in their own hand, and nobody else reads of it."""

from __future__ import annotations

import re
import signal
from itertools import takewhile

from engine import Pegged, PlayEnded, Seat, Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, reply_to
from tests.end_to_end.watching import Watch

_REASON = re.compile(r"^-# .+: \d+ for (?:you|Ada|Ben)$", re.MULTILINE)
_PARTS = re.compile(r"^-# Your (?:hand|crib): .*\d$", re.MULTILINE)


async def test_a_first_game_is_explained_to_who_has_not_turned_it_off(
    sandbox: Sandbox, patient_bot: BotProcess
) -> None:
    archive = Archive(patient_bot.database)
    watch = Watch(sandbox, archive)
    sandbox.observers.append(watch)
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.gather(sandbox.channels["cribbage"], people, length=61)
    panel = await reply_to(ben.press(table.lobby, "My seat"))
    await ben.press(panel, "✓ Explain")
    await table.until(lambda: "Explain" in _labels(panel))
    await table.start()
    await table.cut_for_deal()

    hand, other = (_hand(table, each) for each in people)
    assert re.search(r"-# 2 of these go to (?:Ben's|your) crib, an extra hand", hand.text)
    assert "extra hand" not in other.text
    told: set[str] = set()
    seen: set[str] = set()

    def is_at_the_show() -> bool:
        told.update(_REASON.findall(hand.text))
        seen.update(_REASON.findall(other.text))
        if archive.replayed(table.game).table.stage is not Stage.DEALING:
            return False
        show = takewhile(lambda each: not isinstance(each, PlayEnded), reversed(archive.log(table.game)))
        return any(isinstance(each, Pegged) and each.seat == Seat(0) for each in show)

    await table.play(is_at_the_show)  # of a deal in which Ada counts something
    await table.until(lambda: _PARTS.search(hand.text))
    assert told
    assert not seen
    assert not _PARTS.search(other.text)
    assert not any(_REASON.search(each.text) or "for you" in each.text for each in table.messages)

    # The last edit of the show may still be on its way.
    await table.until(lambda: archive.is_synced(table.game))
    before = hand.text, hand.edited_at
    assert await patient_bot.stop(signal.SIGKILL) == -signal.SIGKILL
    await patient_bot.start()
    said = await reply_to(ada.press(hand, "What was that?"))
    assert said.only_for == ada.id
    assert re.search(r"\*\*(?:Ben's|Your) crib: \d", said.text)
    assert (hand.text, hand.edited_at) == before, "a restart draws the same"
    await ada.press(said, "Stop explaining")
    await table.until(lambda: not _PARTS.search(hand.text))
    assert of_verb(hand, "what") is None
    again = await reply_to(ada.command(table.channel, "crib-coach explain"))
    assert "From now on your hand explains" in again.text
    await table.until(lambda: _PARTS.search(hand.text))
    assert watch.leaks(patient_bot.log) == []


def _labels(message: Message) -> list[str]:
    return [each.get("label", "") for each in message.buttons]


def _hand(table: Table, person: Person) -> Message:
    hand = table.player(person.name).hand()
    assert hand is not None
    return hand
