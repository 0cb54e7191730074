"""The help: short pages that together have every command, with links between all of them."""

from __future__ import annotations

import re
from itertools import product

from discord import app_commands

from bot.language.languages import LANGUAGES, Language
from bot.model.version import VERSION
from bot.render.messages.help import help_drawing, topics
from tests.bot.registered import COMMANDS, full_voice
from tests.bot.render.games import components, words

MOST_WORDS = 90
TOPICS = tuple(topics(full_voice()))
MANUAL = "https://example.org/playing.md"


def test_a_page_is_short_and_leads_to_the_others() -> None:
    for topic, code in product(TOPICS, LANGUAGES):
        drawing = help_drawing(full_voice(Language.of(code), manual=MANUAL), topic)
        found = [each for each in words(drawing).split() if re.search(r"\w", each)]
        ids = {each["custom_id"] for each in components(drawing) if "custom_id" in each}

        assert 30 < len(found) <= MOST_WORDS, (topic, code)
        ways = {"learn:open"} if topic == "brief" else set()
        assert ids == ways | {f"help:{each}" for each in TOPICS if each != topic}, (topic, code)


def test_every_command_is_named_as_a_mention() -> None:
    voice = full_voice(commands={group.name: number for number, group in enumerate(COMMANDS, 1)})
    text = "\n".join(words(help_drawing(voice, topic)) for topic in TOPICS)

    for number, group in enumerate(COMMANDS, 1):
        if isinstance(group, app_commands.Command):
            assert f"</{group.name}:{number}>" in text
        for command in getattr(group, "commands", ()):
            assert f"</{group.name} {command.name}:{number}>" in text, command.qualified_name


def test_the_first_page_has_the_version_and_leads_to_the_manual() -> None:
    bare, linked = (words(help_drawing(full_voice(manual=each))) for each in (None, MANUAL))

    own = f"-# Version {VERSION}"
    assert f"\n{own}\n" in bare
    assert linked == bare.replace(own, f"{own} · [Manual](<{MANUAL}>)")
