"""More strangers at once than Discord lets a bot open direct messages: they find their hands at the table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandbox import assumptions
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end import altered
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb, said
from tests.end_to_end.tables import Table, reply_to

TABLES = 9
OPENED = assumptions.DM_OPENINGS


@pytest.mark.deep
async def test_nine_tables_of_strangers_play_and_each_of_them_has_a_hand_in_the_end(
    sandbox: Sandbox, tmp_path: Path, conformance: Conformance
) -> None:
    def openings(status: int) -> int:
        path = "/users/@me/channels"
        return sum((each.path, each.status) == (path, status) for each in conformance.exchanges)

    def by_dm() -> int:
        return sum(player.hand() is not None for table in tables for player in table.players)

    strangers = [sandbox.add_person(f"Stranger {number}") for number in range(2 * TABLES)]
    tables: list[Table] = []
    bot = BotProcess(sandbox, tmp_path / "games.sqlite3", altered_by=altered.with_a_hasty_queue)
    async with bot:
        for number in range(TABLES):
            channel = sandbox.people["Ada"].create_channel(f"room-{number}")
            tables.append(await Table.gather(channel, strangers[2 * number : 2 * number + 2]))
            await tables[-1].start()
        last = tables[-1]
        await last.until(lambda: by_dm() == OPENED)

        # All others are told where their hands are, and find them there.
        for table in tables:
            for player in table.players:
                is_late = player.person.dm is None
                line = f"I can't reach .*{player.person.name}.* by DM"
                await table.until(
                    lambda table=table, line=line, is_late=is_late: (
                        bool(re.search(line, said(table.messages))) == is_late
                    )
                )
        late = last.players[1]
        hand = next(each for each in reversed(last.messages) if of_verb(each, "hand"))
        panel = await reply_to(late.person.press(hand, "My hand"))
        assert of_verb(panel, "cut"), "their part of the game, in private"

        # Discord opens more of them ten minutes later.
        sandbox.clock.advance(assumptions.DM_OPENINGS_PERIOD)
        await last.until(lambda: by_dm() == len(strangers) - 1)  # who has come to the table plays there
        for table in tables:
            await table.until(lambda table=table: "I can't reach" not in said(table.messages))
    assert openings(200) == len(strangers)
    assert openings(400) <= 20, "each pause is twice as long, and one person is tried at a time"
    warned = [each for each in bot.log if "no more direct messages" in each]
    assert bot.troubles == warned
    assert len(warned) == 1
