"""Tables whose channel was deleted while the bot was not connected."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.background.missing_channels import MissingChannels
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.tables.presence import Presence
from tests.bot.leaping_loop import run_leaping

HERE, ELSEWHERE = 10, 11


def refusal(status: int, code: int) -> discord.HTTPException:
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.DiscordServerError)
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, {"code": code, "message": ""})


class Discord:
    """A client that answers each question for a channel in turn; without an answer it exists."""

    def __init__(self, **answers: list[Exception]) -> None:
        self.answers = {int(channel[1:]): list(each) for channel, each in answers.items()}
        self.asked: list[int] = []

    async def fetch_channel(self, channel: int) -> object:
        self.asked.append(channel)
        if left := self.answers.get(channel):
            raise left.pop(0)
        return object()


def gone_after(client: Discord, *lists: tuple[int, set[int]], tables: dict[int, int | None]) -> list[int]:
    """The channels that are found to be deleted; `tables` has the server of each channel with one."""
    gone: list[int] = []

    async def open_tables() -> tuple[Any, ...]:
        return tuple(SimpleNamespace(game=str(each), channel=each, guild=tables[each]) for each in tables)

    async def note(channel: int) -> None:
        gone.append(channel)

    async def check() -> None:
        store: Any = SimpleNamespace(open_tables=open_tables)
        tasks, any_client = KeyedTasks(passing=()), client
        missing = MissingChannels(any_client, store, Presence(), tasks, note)  # type: ignore[arg-type]
        for guild, channels in lists:
            missing.listed(guild, frozenset(channels))
        while len(tasks):  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(1.0)
        await tasks.close()

    run_leaping(check())
    return gone


def test_only_what_a_servers_list_lacks_is_asked_for_and_only_what_is_unknown_is_gone() -> None:
    unknown = refusal(404, 10003)
    client = Discord(c2=[unknown], c3=[refusal(403, 50001)], c5=[unknown], c6=[unknown])
    tables = {1: HERE, 2: HERE, 3: HERE, 4: HERE, 5: ELSEWHERE, 6: None}
    assert gone_after(client, (HERE, {1, 9}), tables=tables) == [2]
    assert client.asked == [2, 3, 4]


@pytest.mark.parametrize("trouble", [refusal(503, 0), aiohttp.ClientConnectionError()], ids=["503", "lost"])
def test_while_discord_cannot_be_asked_it_is_asked_again(trouble: Exception) -> None:
    client = Discord(c2=[trouble, trouble, refusal(404, 10003)])
    assert gone_after(client, (HERE, {1}), (ELSEWHERE, {7}), tables={2: HERE, 7: ELSEWHERE}) == [2]
    assert client.asked == [2, 2, 2]
