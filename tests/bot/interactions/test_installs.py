"""Installs and contexts of commands, with and without *User Install* on the application's page."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands

from bot.app import FEATURES
from bot.interactions.installs import offer_as_allowed
from bot.render.text.voice import Voices
from tests.bot.registered import registry

SERVERS_ONLY = {"crib-club", "crib-organise", "crib-settings"}
"""Commands that are for servers with the bot."""


def client(*, users: bool) -> Any:
    """The client of an application that people can install for themselves, or not."""
    config = SimpleNamespace() if users else None
    return SimpleNamespace(application=SimpleNamespace(id=123, user_integration_config=config))


@pytest.fixture
def commands() -> Iterator[list[Any]]:
    """All commands; what was withdrawn is offered again, since some are of the module."""
    assert FEATURES
    found: list[Any] = list(registry().commands)
    before = [(each.allowed_installs.user, each.allowed_contexts.private_channel) for each in found]
    yield found
    for each, (user, private) in zip(found, before, strict=True):
        each.allowed_installs.user, each.allowed_contexts.private_channel = user, private


def offered(command: Any) -> tuple[bool, bool, bool, bool, bool]:
    """To servers and persons; in servers, in the bot's DM and between people."""
    installs: app_commands.AppInstallationType = command.allowed_installs
    where: app_commands.AppCommandContext = command.allowed_contexts
    return installs.guild, installs.user, where.guild, where.dm_channel, where.private_channel


def test_all_commands_but_those_of_servers_are_offered_anywhere(commands: list[Any]) -> None:
    anywhere = {each.name for each in commands if all(offered(each))}
    assert {each.name for each in commands} - anywhere == SERVERS_ONLY
    for each in commands:
        if each.name in SERVERS_ONLY:
            assert not offered(each)[1], each.name
            assert not offered(each)[4], each.name


def test_with_user_install_the_link_is_offered_and_nothing_withdrawn(
    commands: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    voices, before = Voices(), [offered(each) for each in commands]
    with caplog.at_level(logging.INFO):
        offer_as_allowed(client(users=True), commands, voices)
    install = voices.of("fr").install
    assert install is not None
    assert "client_id=123" in install
    assert install.endswith("&integration_type=1")
    assert [offered(each) for each in commands] == before
    assert caplog.messages == []


def test_without_it_the_commands_are_for_servers_and_the_log_says_so_once(
    commands: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    voices, before = Voices(), [offered(each) for each in commands]
    with caplog.at_level(logging.INFO):
        offer_as_allowed(client(users=False), commands, voices)
    assert voices.of("fr").install is None
    for each, (guild, _, in_servers, in_dm, _) in zip(commands, before, strict=True):
        assert offered(each) == (guild, False, in_servers, in_dm, False)
    [said] = caplog.messages
    assert "docs/directory.md" in said


def test_before_the_application_is_known_nothing_is_offered_or_withdrawn(commands: list[Any]) -> None:
    voices, before, unknown = (
        Voices(),
        [offered(each) for each in commands],
        SimpleNamespace(application=None),
    )
    offer_as_allowed(unknown, commands, voices)  # type: ignore[arg-type]
    assert voices.of("en").install is None
    assert [offered(each) for each in commands] == before
