"""Discord refuses one way of carrying a picture in an edit, for a whole game: the bot learns another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sandbox.faults import Way
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls
from tests.end_to_end.tables import Table, everything_told
from tests.end_to_end.test_dm_tables import alone_in_dm

ANOTHER_WAY = "they are done another way there"
EXPECTED = (ANOTHER_WAY, "could not be drawn")
"""The second is logged for an edit that was on its way while the bot learned."""
WITH_EDITS = (Way.LEFT_OUT, Way.LISTED, Way.BROUGHT)


@pytest.fixture
async def bot(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The bot, whose tables have pictures and whose computer takes no time; it warns of what is refused."""
    settings = {"PICTURES": "true", "COMPUTER_PACE": "0"}
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", settings) as process:
        yield process
        assert await process.stop() == 0
    assert [each for each in process.troubles if not any(said in each for said in EXPECTED)] == []


@dataclass(frozen=True)
class Answer:
    """One answer that Discord may give, and what becomes of a table's pictures."""

    refused: tuple[Way, ...]
    edits_show_pictures: bool = True


ANSWERS = {
    "as it is believed": Answer(()),
    "what stays must be listed": Answer((Way.LEFT_OUT,)),
    "what stays must be brought again": Answer((Way.LEFT_OUT, Way.LISTED)),
    "edits bring nothing": Answer((Way.BROUGHT,), edits_show_pictures=False),
    "edits bring and keep nothing": Answer(WITH_EDITS, edits_show_pictures=False),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
async def test_a_table_is_posted_anew_twice_at_most_for_each_way_that_is_refused(
    sandbox: Sandbox, bot: BotProcess, answer: Answer
) -> None:
    people, archive = [sandbox.people["Ada"], sandbox.people["Ben"]], Archive(bot.database)
    sandbox.pictures.refuse(*answer.refused)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await table.play()
    await everything_told([table], archive)

    deals = archive.replayed(table.game).table.deal_number
    places = 1 + len(people)  # the channel, and the players' direct messages
    needed = 1 + deals + 1  # the lobby, which is the first table in a channel, and the result
    assert len(table.messages) <= needed + 2 * len(answer.refused)
    for way in answer.refused:
        # Twice in each place, one edit that was already on its way, and the last words on each message that
        # is posted anew.
        assert sandbox.pictures.refused[way] <= 3 * places + 2, way
    assert [file.filename.partition("-")[0] for file in table.results[0].files] == ["result"]
    assert bool(table.shows[-1][1].files) == answer.edits_show_pictures
    assert not any(controls(each) for each in table.messages[:-1])
    warned = [line for line in bot.log if ANOTHER_WAY in line and " WARNING " in line]
    assert len(warned) == len(answer.refused), "each change is logged once"


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
async def test_alone_in_the_dm_each_tap_is_answered_whatever_is_refused(
    sandbox: Sandbox, bot: BotProcess, answer: Answer
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    sandbox.pictures.refuse(*answer.refused)
    table = await alone_in_dm(ada, archive, length=61)
    await table.play()
    await everything_told([table], archive)
    said = "Discord didn't take my answer"
    assert not any(said in each.text for each in ada.dms())
    # Two that the bot learns from, and some that were on their way; without learning it is one a tap.
    assert max(sandbox.pictures.refused.values(), default=0) <= 8
