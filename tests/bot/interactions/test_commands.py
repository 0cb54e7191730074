"""The commands as Discord takes them: few in a group, described in every language, and sorted together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.interactions import autocomplete
from bot.interactions.translator import COMMAND
from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.text.voice import Voices
from engine import PRESETS, CallMuggins, ClaimHeels, CountAloud, LetStand
from tests.bot.interactions.requests import REGISTRY, asked_of, commanded
from tests.bot.render.games import BEN

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

    (said,) = interaction.response.send_message.await_args_list
    assert said.kwargs["ephemeral"] is True
    assert said.kwargs["content"].startswith("### Ses talons\n")
    assert "3 points pour le donneur" in said.kwargs["content"]


async def test_the_words_of_the_help_are_offered_in_the_users_language() -> None:
    interaction = commanded()
    interaction.locale = discord.Locale.french
    everything = await autocomplete.terms(interaction, "")
    assert len(everything) == 25
    assert (everything[1].name, everything[1].value) == ("donneur", "dealer")
    for typed, names in (("nobs", ["ses talons", "sa caboche"]), ("Caboche", ["sa caboche"])):
        found = [each.name for each in await autocomplete.terms(interaction, typed)]
        assert found == names, "by the rules of parlour cribbage a turned jack is his nob"
