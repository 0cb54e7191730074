"""The commands as Discord takes them: few in a group, described in every language, and sorted together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from discord import app_commands

from bot.interactions.commands import COMMANDS
from bot.interactions.translator import COMMAND
from bot.language.languages import CODES, Language
from bot.render.text.voice import Voices

GROUPS = [each for each in COMMANDS if isinstance(each, app_commands.Group)]
NAME = re.compile(r"[-_\w]{1,32}")
"""What Discord takes as the name of a slash command, in lower case."""


def _named() -> Iterator[app_commands.Group | app_commands.Command[Any, ..., Any]]:
    for group in GROUPS:
        yield group
        for command in group.commands:
            assert isinstance(command, app_commands.Command)
            yield command


def test_no_group_has_more_than_twenty_and_all_begin_alike() -> None:
    assert all(len(group.commands) <= 20 for group in GROUPS)
    assert {group.name.partition("-")[0] for group in GROUPS} == {"crib"}


def test_no_command_has_more_options_than_are_seen_at_a_glance() -> None:
    for each in _named():
        if isinstance(each, app_commands.Command):
            assert len(each.parameters) <= 7, each.qualified_name


@pytest.mark.parametrize("code", CODES)
def test_names_and_descriptions_fit_in_every_language(code: str) -> None:
    language = Language.of(code)
    for each in _named():
        name = language.say_as(COMMAND, each.name)
        assert NAME.fullmatch(name), name
        assert name == name.lower()
        assert 5 < len(language.say(each.description)) <= 100, each.name


@pytest.mark.parametrize("code", CODES)
def test_no_two_commands_of_a_group_have_one_name(code: str) -> None:
    language = Language.of(code)
    for group in GROUPS:
        names = [language.say_as(COMMAND, each.name) for each in group.commands]
        assert len(set(names)) == len(names)


def test_a_command_is_written_as_code_until_its_id_is_known() -> None:
    voices = Voices()
    assert voices.of("en").command("crib new") == "`/crib new`"
    voices.mention({"crib": 5})
    assert voices.of("en").command("crib new") == "</crib new:5>"
    assert voices.of("fr").command("crib-coach hint") == "`/crib-coach hint`"
