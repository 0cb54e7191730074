"""The daily hand with the real bot: the same for all and after a restart, and nothing of it in public."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

from engine import cards
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import reply_to
from tests.end_to_end.watching import PrivateWatch


async def tapped(person: Person, panel: Message, verb: str, place: int) -> None:
    """Press one of the buttons of that verb, and wait for what it draws."""
    before = panel.text, ids(panel)
    [*found] = [each for each in ids(panel) if each.startswith(f"daily:{verb}:")]
    await person.press(panel, found[place])
    await person.until(lambda: (panel.text, ids(panel)) != before)


def ids(message: Message) -> list[str]:
    """The custom_ids of a message."""
    return re.findall(r"daily:[a-z]+[0-9A-Z:]*", json.dumps(message.components))


async def test_a_daily_hand_is_played_by_two_and_shared_through_a_restart(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    watch = PrivateWatch(sandbox, Archive(bot.database), ada.id, ben.id)
    sandbox.observers.append(watch)
    hers = await reply_to(ada.command("cribbage", "crib-daily play"))
    assert hers.is_ephemeral
    dealt = ids(hers)
    await tapped(ada, hers, "pick", 0)
    await tapped(ada, hers, "pick", 1)
    await bot.restart()
    await tapped(ada, hers, "discard", 0)
    assert "In this server: nobody else so far" in hers.text.replace("**", "")

    his = await reply_to(ben.command("general", "crib-daily play"))
    assert ids(his) == dealt, "the same six cards"
    again = await reply_to(ada.command("general", "crib-daily play"))
    assert "Streak" in again.text, "it counts once"
    await (sharing := ada.command("general", "crib-daily share"))
    await ada.until(lambda: sharing.messages)
    assert "Ada" in sharing.reply.text
    assert not sharing.reply.is_ephemeral

    with closing(sqlite3.connect(bot.database)) as connection:
        [(secret,)] = connection.execute("SELECT secret FROM daily_secret").fetchall()
        [(written,)] = connection.execute("SELECT json_extract(hand, '$.dealt') FROM daily_hands").fetchall()
    assert len(secret) == 32
    told = [said for said in watch.said if said.cards]
    assert {said.reader for said in told} == {ada.user.id, ben.user.id}
    assert watch.leaks(bot.log) == []
    assert set(cards(written)) <= {each for said in told for each in said.cards}
    assert [line for line in bot.log if secret.hex() in line] == []
