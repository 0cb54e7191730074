"""The help: short pages that together have every command, with links between all of them."""

from __future__ import annotations

import re

import pytest
from discord import app_commands

from bot.language.languages import LANGUAGES, Language
from bot.render.messages.help import help_drawing, topics
from tests.bot.registered import COMMANDS, full_voice
from tests.bot.render.games import components, words

MOST_WORDS = 90
TOPICS = tuple(topics(full_voice()))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_is_short_and_leads_to_the_others(topic: str, code: str) -> None:
    drawing = help_drawing(full_voice(Language.of(code)), topic)
    found = [each for each in words(drawing).split() if re.search(r"\w", each)]
    ids = {each["custom_id"] for each in components(drawing) if "custom_id" in each}

    assert 30 < len(found) <= MOST_WORDS
    assert ids == {f"help:{each}" for each in TOPICS if each != topic}


def test_every_command_is_named_as_a_mention() -> None:
    voice = full_voice(commands={group.name: number for number, group in enumerate(COMMANDS, 1)})
    text = "\n".join(words(help_drawing(voice, topic)) for topic in TOPICS)

    for number, group in enumerate(COMMANDS, 1):
        if isinstance(group, app_commands.Command):
            assert f"</{group.name}:{number}>" in text
        for command in getattr(group, "commands", ()):
            assert f"</{group.name} {command.name}:{number}>" in text, command.qualified_name
