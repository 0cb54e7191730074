"""The help: short pages that together have every command, with links between all of them."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from discord import app_commands

from bot.language.languages import LANGUAGES, Language
from bot.model.custom_ids import Topic
from bot.model.version import VERSION
from bot.render.drawing import Drawing
from bot.render.messages.help import help_drawing, topics
from engine import PRESETS, Counting
from tests.bot.registered import COMMANDS, full_voice
from tests.bot.render.games import components, words

MOST_WORDS = 90
TOPICS = tuple(topics(full_voice()))
MANUAL = "https://example.org/playing.md"
INSTALL = "https://discord.com/oauth2/authorize?client_id=1&integration_type=1"


def _read(drawing: Drawing) -> list[str]:
    """Words of the page, without those to press."""
    lines = (line for line in words(drawing).splitlines() if not line.startswith("["))
    return [each for each in " ".join(lines).split() if re.search(r"\w", each)]


def test_a_page_is_short_and_leads_to_the_others() -> None:
    for topic, code in product(TOPICS, LANGUAGES):
        drawing = help_drawing(full_voice(Language.of(code), manual=MANUAL, install=INSTALL), topic)
        found = _read(drawing)
        ids = {each["custom_id"] for each in components(drawing) if "custom_id" in each}

        assert 30 < len(found) <= MOST_WORDS, (topic, code)
        ways = {"learn:open"} if topic == "brief" else set()
        assert ids == ways | {"help:turn"}, (topic, code)
        [select] = [each for each in components(drawing) if "options" in each]
        assert [each["value"] for each in select["options"]] == [each for each in TOPICS if each != topic]


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


def test_the_first_page_says_where_people_add_the_app_for_themselves_if_they_can() -> None:
    bare, offered = (words(help_drawing(full_voice(install=each))) for each in (None, INSTALL))

    assert "anywhere" not in bare
    assert offered.replace(f" · [Play anywhere](<{INSTALL}>)", "") == bare


def test_every_rule_set_is_explained_in_short_pages() -> None:
    for preset, topic, code in product(PRESETS.values(), (Topic.PLAY, Topic.COUNT, Topic.BRIEF), LANGUAGES):
        drawing = help_drawing(full_voice(Language.of(code)), topic.value, preset())
        assert len(_read(drawing)) <= MOST_WORDS, (preset, code)


def test_a_page_explains_the_rules_of_its_table() -> None:
    def page(topic: Topic, preset: str, **changes: Any) -> str:
        voice = full_voice().by(preset)
        return words(help_drawing(voice, topic.value, PRESETS[preset](2, **changes)))

    assert "the dealer gets 2." in page(Topic.PLAY, "standard")
    assert "the dealer gets 3." in page(Topic.PLAY, "standard", his_heels=3)
    parlour = page(Topic.PLAY, "parlour")
    assert "the dealer gets 1." in parlour
    assert "No pairs in the play." in parlour
    assert "12 for four" not in parlour
    assert "No runs in the play." in parlour
    assert "in any order" not in parlour
    assert "**His nob:** if the starter is a jack" in parlour
    assert "**His heels:** if the starter is a jack" in page(Topic.PLAY, "short")
    assert "**His Knobs:** 2 for a jack turned up" in page(Topic.PLAY, "family")
    assert "No point for the right jack." in page(Topic.COUNT, "parlour")
    assert "No point for his nobs." in page(Topic.COUNT, "standard", his_nobs=0)
    assert "A go** scores 1 when said." in page(Topic.PLAY, "lurch")
    assert "15, 3 for 31." in page(Topic.PLAY, "family")
    assert "if the dealer claims them" in page(Topic.PLAY, "family")
    assert "any four cards of a suit" in page(Topic.COUNT, "family")
    assert "in hand or crib" in page(Topic.COUNT, "piecepack")
    assert "each counts their own" in page(Topic.BRIEF, "standard", counting=Counting.ALOUD)
