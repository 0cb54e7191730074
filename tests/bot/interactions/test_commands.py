"""The commands as Discord takes them, what each asks for, and what features add to them and hear of."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands
from pydantic import SecretStr

from bot.config.settings import Settings
from bot.interactions import autocomplete
from bot.interactions.installs import offer_as_allowed
from bot.interactions.registry import Feature
from bot.interactions.translator import COMMAND
from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.text.voice import Voices
from engine import PRESETS, CallMuggins, ClaimHeels, CountAloud, LetStand
from tests.bot.built import built
from tests.bot.interactions.requests import REGISTRY, asked_of, commanded, pressed, said_to
from tests.bot.registered import registry
from tests.bot.render.games import BEN
from tests.bot.store.memory import MemoryStore

GROUPS = [each for each in REGISTRY.commands if isinstance(each, app_commands.Group)]
NAME = re.compile(r"[-_\w]{1,32}")
"""Pattern of names that Discord accepts for slash commands, in lower case."""


def _named() -> Iterator[app_commands.Group | app_commands.Command[Any, ..., Any]]:
    for group in GROUPS:
        yield group
        for command in group.commands:
            assert isinstance(command, app_commands.Command)
            yield command
    yield from (each for each in REGISTRY.commands if isinstance(each, app_commands.Command))


def test_no_group_has_more_than_twenty_and_all_begin_alike() -> None:
    assert all(len(group.commands) <= 20 for group in GROUPS)
    assert {group.name.partition("-")[0] for group in GROUPS} == {"crib"}
    assert [each.name for each in _group("crib").commands][:4] == ["new", "join", "leave", "start"]


def test_no_command_has_more_options_than_are_seen_at_a_glance() -> None:
    for each in _named():
        if isinstance(each, app_commands.Command):
            assert len(each.parameters) <= 9, each.qualified_name


@pytest.mark.parametrize("code", LANGUAGES)
def test_names_and_descriptions_fit_in_every_language(code: str) -> None:
    language = Language.of(code)
    for each in _named():
        name = language.pgettext(COMMAND, each.name)
        assert NAME.fullmatch(name), name
        assert name == name.lower()
        assert 5 < len(language.gettext(each.description)) <= 100, each.name


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_two_commands_of_a_group_have_one_name(code: str) -> None:
    language = Language.of(code)
    for group in GROUPS:
        names = [language.pgettext(COMMAND, each.name) for each in group.commands]
        assert len(set(names)) == len(names)


def test_a_command_is_written_as_code_until_its_id_is_known() -> None:
    voices = Voices()
    assert voices.of("en").command("crib new") == "`/crib new`"
    voices.mention({"crib": 5})
    assert voices.of("en").command("crib new") == "</crib new:5>"
    assert voices.of("fr").command("crib-coach hint") == "`/crib-coach hint`"


async def _ask(interaction: Any, name: str, **options: Any) -> list[tuple[Any, ...]]:
    """Calls of the actions by the command of that name."""
    command = next(each for each in _named() if each.qualified_name == name)
    assert isinstance(command, app_commands.Command)
    group = () if command.binding is None else (command.binding,)
    await command.callback(*group, interaction, **options)  # type: ignore[arg-type]
    return asked_of(interaction)


async def test_a_rematch_is_of_the_game_before() -> None:
    interaction = commanded()
    interaction.client.actions.tables.lookup.game_before.return_value = SimpleNamespace(game="m2x7b")
    assert await _ask(interaction, "crib rematch") == [("tables.rematch", "m2x7b")]


@pytest.mark.parametrize(("goes_on", "call"), [(False, "tables.join"), (True, "tables.start")])
async def test_a_rematch_that_waits_is_joined_and_the_next_game_of_a_match_begins(
    *, goes_on: bool, call: str
) -> None:
    interaction = commanded()
    tables = interaction.client.actions.tables
    tables.lookup.game_before.return_value = None
    tables.table_of.return_value = SimpleNamespace(game="k3f9", goes_on_in_match=goes_on)
    assert await _ask(interaction, "crib rematch") == [(call, "k3f9")]


COMMANDS: list[tuple[str, dict[str, Any], tuple[Any, ...]]] = [
    ("crib leave", {}, ("tables.leave", "k3f9")),
    ("crib leave", {"computer": True}, ("tables.remove_computer", "k3f9")),
    ("crib resign", {}, ("tables.ask_to_resign", "k3f9")),
    ("crib resign", {"sure": True}, ("tables.resign", "k3f9")),
    ("crib cut", {"place": 12}, ("tables.cut", "k3f9", 12, True)),
    ("crib claim", {}, ("tables.move", "k3f9", ClaimHeels(BEN))),
    ("crib count", {"points": 8}, ("tables.move", "k3f9", CountAloud(BEN, 8))),
    ("crib muggins", {"points": 2}, ("tables.move", "k3f9", CallMuggins(BEN, 2))),
    ("crib muggins", {"points": 0}, ("tables.move", "k3f9", LetStand(BEN))),
    ("crib-data delete", {}, ("data.ask_to_forget",)),
    ("crib-data privacy", {"hide": True}, ("data.privacy", True)),
    ("crib-settings", {}, ("servers.open",)),
    ("crib fair", {}, ("fair.explain", None)),
    ("crib fair", {"game": "k3f9a"}, ("fair.explain", "k3f9a")),
]


async def test_a_command_asks_for_what_its_name_and_options_say() -> None:
    wrong = {}
    for name, options, call in COMMANDS:
        if (asked := await _ask(commanded(), name, **options)) != [call]:
            wrong[name, *options] = asked
    assert wrong == {}


async def test_the_help_explains_a_word_in_the_users_language_by_the_rules_of_the_table() -> None:
    interaction = commanded()
    interaction.locale = discord.Locale.french
    interaction.client.actions.tables.lookup.agreement.return_value = Agreement(
        rules=PRESETS["standard"](2, his_heels=3)
    )
    await _ask(interaction, "crib help", word="his heels")

    [said] = said_to(interaction)
    assert said.startswith("### Ses talons\n")
    assert "3 points pour le donneur" in said


async def test_the_words_of_the_help_are_offered_in_the_users_language() -> None:
    interaction = commanded()
    interaction.locale = discord.Locale.french
    everything = await autocomplete.terms(interaction, "")
    assert len(everything) == 25
    assert (everything[1].name, everything[1].value) == ("donneur", "dealer")
    for typed, names in (("nobs", ["ses talons", "sa caboche"]), ("Caboche", ["sa caboche"])):
        found = [each.name for each in await autocomplete.terms(interaction, typed)]
        assert found == names, "by the rules of parlour cribbage a turned jack is his nob"


def _group(name: str, *, without: str = "") -> app_commands.Group:
    [group] = [each for each in registry(without=without).commands if each.name == name]
    assert isinstance(group, app_commands.Group)
    return group


def test_a_command_in_a_group_of_another_feature_has_it_without_that_feature_too() -> None:
    whole, alone = _group("crib-coach"), _group("crib-coach", without="coaching")

    assert (
        {each.name for each in whole.commands}
        > {each.name for each in alone.commands}
        == {"replay", "learn", "drill"}
    )
    assert alone.description == whole.description
    for group in (whole, alone):
        assert group.allowed_installs is not None
        assert group.allowed_contexts is not None
        assert (group.allowed_installs.guild, group.allowed_installs.user) == (True, True)
        allowed = group.allowed_contexts
        assert (allowed.guild, allowed.dm_channel, allowed.private_channel) == (True, True, True)


async def test_a_feature_hears_of_deleted_channels_and_of_every_command_and_press() -> None:
    gone: list[int] = []
    people: list[int] = []

    async def channel_gone(channel: int) -> None:
        gone.append(channel)

    one = Feature(name="one", pressed=people.append, channel_gone=channel_gone)
    store, settings = MemoryStore(), Settings(discord_token=SecretStr("t"))
    bot = built(store.database, store, settings, features=(lambda _: one, lambda _: Feature(name="none")))
    async with bot.client:
        await bot.thread_gone(30)
        assert gone == []
        await bot.channel_gone(20)
        assert gone == [20]
        for kind in (discord.InteractionType.application_command, discord.InteractionType.component):
            interaction = pressed("no:such")
            interaction.type, interaction.id = kind, 1
            interaction.client = bot.client
            await asyncio.create_task(bot.client.on_interaction(interaction))
    assert people == [1, 1]


def test_a_context_menu_has_few_commands() -> None:
    menus = [each for each in registry().commands if isinstance(each, app_commands.ContextMenu)]
    assert sorted((each.type.name, each.name) for each in menus) == [
        ("message", "Replay this game"),
        ("user", "Challenge to cribbage"),
        ("user", "Cribbage stats"),
    ]
    assert max(Counter(each.type for each in menus).values()) <= 5


SERVERS_ONLY = {"crib-club", "crib-organise", "crib-settings"}
"""Commands that are for servers with the bot."""


def client(*, users: bool) -> Any:
    """The client of an application that people can install for themselves, or not."""
    config = SimpleNamespace() if users else None
    return SimpleNamespace(application=SimpleNamespace(id=123, user_integration_config=config))


@pytest.fixture
def commands() -> Iterator[list[Any]]:
    """All commands; what was withdrawn is offered again, since some are of the module."""
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
