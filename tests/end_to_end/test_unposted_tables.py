"""Tables and club events whose first message Discord refuses: people hear it, and no place stays taken."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.table_record import Status
from sandbox.errors import Refusal
from sandbox.model.interactions import Deadlines, Interaction
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told, lobby_by, reply_to
from tests.patience import PATIENCE

CLOSED = "so I've closed it again"


class Unwilling:
    """Discord, which refuses the next messages in channels although the bot may write there."""

    def __init__(self) -> None:
        self.refusal: Refusal | None = None
        self.refused = 0

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        is_post = request.method == "POST" and request.path.endswith("/messages")
        if self.refusal is None or not is_post:
            return await handler(request)
        self.refused += 1
        raise self.refusal.error()


@pytest.fixture
def unwilling() -> Unwilling:
    return Unwilling()


@pytest.fixture
async def sandbox(conformance: Conformance, unwilling: Unwilling) -> AsyncIterator[Sandbox]:
    async with Sandbox(
        rate_limits=RateLimits.relaxed(),
        deadlines=Deadlines(first_answer=PATIENCE),
        middlewares=[unwilling.middleware],
    ) as sandbox:
        sandbox.observers.append(conformance)
        yield sandbox
    conformance.check()


@pytest.fixture
async def bot(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[BotProcess]:
    async with BotProcess(sandbox, tmp_path / "games.sqlite3") as process:
        yield process


async def answers(interaction: Interaction, sandbox: Sandbox) -> str:
    """All that the interaction's user is told, once that has the refusal."""
    await interaction
    person = next(each for each in sandbox.people.values() if each.user is interaction.user)
    await person.until(lambda: any("closed" in each.text for each in interaction.messages), timeout=PATIENCE)
    return "\n".join(each.text for each in interaction.messages)


@pytest.mark.parametrize(
    "refusal", [Refusal.MISSING_PERMISSIONS, Refusal.MISSING_ACCESS, Refusal.THREAD_ARCHIVED]
)
async def test_who_opens_a_table_hears_that_discord_refuses_it_and_may_try_again(
    sandbox: Sandbox, bot: BotProcess, unwilling: Unwilling, refusal: Refusal
) -> None:
    ada, ben, channel = sandbox.people["Ada"], sandbox.people["Ben"], sandbox.channels["cribbage"]
    archive = Archive(bot.database)
    unwilling.refusal = refusal
    ways: tuple[dict[str, object], ...] = ({}, {"with": ben}, {"computer": "steady"})
    for options in ways:
        told = await answers(ada.command(channel, "crib new", **options), sandbox)
        assert CLOSED in told
        assert f"<#{channel.id}>" in told
        assert {each.status for each in archive.tables()} == {Status.CANCELLED}
    assert unwilling.refused <= 8, "a picture and its text, and a hand by DM of a game that begins at once"

    unwilling.refusal = None
    assert not (await lobby_by(ada.command(channel, "crib new"))).is_ephemeral


async def test_in_a_closed_dm_no_table_stays(sandbox: Sandbox, bot: BotProcess, unwilling: Unwilling) -> None:
    ada = sandbox.people["Ada"]
    dm, unwilling.refusal = ada.open_dm(), Refusal.DMS_CLOSED
    told = await answers(ada.command(dm, "crib new"), sandbox)
    assert "Allow direct messages" in told
    assert [each.status for each in Archive(bot.database).tables()] == [Status.CANCELLED]


async def test_a_rematch_whose_channel_is_gone_is_refused_where_it_was_asked_for(
    sandbox: Sandbox, bot: BotProcess, unwilling: Unwilling
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel, archive = ada.create_channel("attic"), Archive(bot.database)
    table = await Table.begin(channel, people, length=61)
    await ben.command(channel, "crib resign", sure=True)
    await everything_told([table], archive)
    [result] = [
        each for each in ada.dms() if any(button.get("label") == "Rematch" for button in each.buttons)
    ]

    unwilling.refusal = Refusal.MISSING_PERMISSIONS
    assert CLOSED in await answers(ada.press(result, "Rematch"), sandbox)
    unwilling.refusal = None
    ada.delete_channel(channel)
    assert CLOSED in await answers(ada.press(result, "Rematch"), sandbox)
    first, *others = (each.status for each in archive.tables())
    assert first is Status.OVER
    assert {*others} == {Status.CANCELLED}


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal.MISSING_PERMISSIONS,
        Refusal.MISSING_ACCESS,
        Refusal.THREAD_ARCHIVED,
        Refusal.UNKNOWN_CHANNEL,
    ],
)
async def test_who_opens_a_club_event_hears_that_discord_refuses_it_and_may_try_again(
    sandbox: Sandbox, bot: BotProcess, unwilling: Unwilling, refusal: Refusal
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    unwilling.refusal = refusal
    ways: tuple[dict[str, object], ...] = ({}, {"partners": True}, {"places": 8, "computer": "steady"})
    for options in ways:
        told = await answers(ada.command(channel, "crib-organise open", **options), sandbox)
        assert CLOSED in told
        assert "It's open" not in told
        assert "No club event here" in (await reply_to(ada.command(channel, "crib-organise start"))).text
    assert unwilling.refused == len(ways)

    unwilling.refusal = None
    assert "It's open" in (await reply_to(ada.command(channel, "crib-organise open"))).text
    assert any("A win is worth" in each.text for each in channel.messages.values())
