"""People and the bot of these tests, and a way to send requests that discord.py would not."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from sandbox.client.people import Person
from sandbox.server import Sandbox
from tests.sandbox.asking import Rest, asking
from tests.sandbox.table_bot import TableBot, running


@pytest.fixture
def ada(sandbox: Sandbox) -> Person:
    """The owner of the first server."""
    return sandbox.people["Ada"]


@pytest.fixture
def ben(sandbox: Sandbox) -> Person:
    return sandbox.people["Ben"]


@pytest.fixture
def messages(sandbox: Sandbox) -> str:
    """The path of the messages in #cribbage."""
    return f"/channels/{sandbox.channels['cribbage'].id}/messages"


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[TableBot]:
    async with running(sandbox) as bot:
        yield bot


@pytest.fixture
def channel(sandbox: Sandbox, bot: TableBot) -> Any:
    """#cribbage, as discord.py has it."""
    return bot.get_channel(int(sandbox.channels["cribbage"].id))


@pytest.fixture
async def rest(sandbox: Sandbox) -> AsyncIterator[Rest]:
    async with asking(sandbox) as rest:
        yield rest
