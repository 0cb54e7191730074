"""The kind of an interaction's place, and who may open a table there."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.model.errors import MissingPermissions, Refusal, TableRefusal
from bot.model.venue import Venue
from bot.sync.permissions import check_external, check_opener, check_permissions, check_thread
from bot.sync.venues import guild_of, venue_of
from tests.bot.refusing import refused

OURS, OTHERS = 10, 77


def interaction(guild: int | None = None, *, dm: bool = False, guest: bool = True, **may: bool) -> Any:
    """In that server, or in a DM; by default with an app that is installed for its person alone."""
    permissions = {"send_messages": True, "use_external_apps": True, **may}
    return SimpleNamespace(
        guild_id=guild,
        context=SimpleNamespace(dm_channel=dm),
        client=SimpleNamespace(get_guild=lambda each: object() if each == OURS else None),
        is_guild_integration=lambda: not guest,
        permissions=discord.Permissions(**permissions),
        app_permissions=discord.Permissions.none(),
        channel=Mock(spec=discord.TextChannel),
    )


@pytest.mark.parametrize(
    ("where", "venue", "guild"),
    [
        (interaction(OURS, guest=False), Venue.SERVER, OURS),
        (interaction(OURS), Venue.SERVER, OURS),
        (interaction(OTHERS), Venue.ANYWHERE, None),
        (interaction(OTHERS, guest=False), Venue.ANYWHERE, None),
        (interaction(), Venue.ANYWHERE, None),
        (interaction(dm=True), Venue.BOT_DM, None),
    ],
    ids=[
        "server",
        "server, own app",
        "other server",
        "commands without the bot",
        "between people",
        "bot's DM",
    ],
)
def test_only_a_server_of_the_bot_is_named(where: Any, venue: Venue, guild: int | None) -> None:
    assert (venue_of(where), guild_of(where)) == (venue, guild)


@pytest.mark.parametrize(
    ("where", "refusal"),
    [
        (interaction(OTHERS, use_external_apps=False), TableRefusal.NO_EXTERNAL_APPS),
        (interaction(OTHERS), None),
        (interaction(OTHERS, guest=False, use_external_apps=False), None),
        (interaction(use_external_apps=False), None),
        (interaction(dm=True, use_external_apps=False), None),
    ],
    ids=["may not", "may", "the server has the app", "between people", "bot's DM"],
)
def test_whose_answers_would_be_private_is_told_whom_to_ask(where: Any, refusal: Refusal | None) -> None:
    for check in (check_external, check_opener):
        with _refused(refusal):
            check(where)


def test_who_may_not_write_in_another_server_opens_no_table_there() -> None:
    with refused(TableRefusal.MAY_NOT_WRITE):
        check_opener(interaction(OTHERS, send_messages=False))


def test_the_bot_needs_permissions_in_its_own_servers_alone() -> None:
    with pytest.raises(MissingPermissions):
        check_permissions(interaction(OURS))
    for where in (interaction(OTHERS), interaction(), interaction(dm=True)):
        check_permissions(where)


@pytest.mark.parametrize("where", [interaction(OTHERS), interaction(), interaction(dm=True)])
def test_there_is_no_thread_where_the_bot_is_no_member(where: Any) -> None:
    with refused(TableRefusal.NO_THREADS):
        check_thread(where)


def _refused(refusal: Refusal | None) -> AbstractContextManager[object]:
    return nullcontext() if refusal is None else refused(refusal)
