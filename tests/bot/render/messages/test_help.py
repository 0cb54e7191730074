"""The help: short pages that together have every command, with links between all of them."""

from __future__ import annotations

import re

import pytest
from discord import app_commands

from bot.interactions.commands import COMMANDS
from bot.language.languages import LANGUAGES, Language
from bot.model.custom_ids import Topic
from bot.render.messages.help import help_drawing
from bot.render.text.voice import Voice
from tests.bot.render.games import components, words

MOST_WORDS = 90


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("topic", Topic)
def test_a_page_is_short_and_leads_to_the_others(topic: Topic, code: str) -> None:
    drawing = help_drawing(Voice(Language.of(code)), topic)
    found = [each for each in words(drawing).split() if re.search(r"\w", each)]
    ids = {each["custom_id"] for each in components(drawing) if "custom_id" in each}

    assert 30 < len(found) <= MOST_WORDS
    assert ids == {str(each) for each in Topic if each is not topic}


def test_every_command_is_named_as_a_mention() -> None:
    voice = Voice(commands={group.name: number for number, group in enumerate(COMMANDS, 1)})
    text = "\n".join(words(help_drawing(voice, topic)) for topic in Topic)

    for number, group in enumerate(COMMANDS, 1):
        if isinstance(group, app_commands.Command):
            assert f"</{group.name}:{number}>" in text
        for command in getattr(group, "commands", ()):
            assert f"</{group.name} {command.name}:{number}>" in text, command.qualified_name
