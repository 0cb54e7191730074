"""Scenes of answers that belong to no game: help, rules, words, refusals, settings, privacy, greetings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bot.model.custom_ids import RulesId, RulesPage, Topic
from bot.model.declined import Declined
from bot.model.rule_settings import Setting, changed
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Agreement, Board, Pace
from bot.render.messages.hello import hello_drawing, welcome_drawing
from bot.render.messages.help import help_drawing, topics
from bot.render.messages.moved import came_back_private_drawing, lost_drawing, moved_drawing
from bot.render.messages.players import ask_in_a_server, bot_drawing, elsewhere_drawing, small_card, start_one
from bot.render.messages.privacy import (
    EXPORT_GOES_ON,
    EXPORT_SENT,
    EXPORTED,
    ask_to_forget_drawing,
    forgetting_drawing,
    forgotten_drawing,
    kept_drawing,
    privacy_drawing,
)
from bot.render.messages.rules_pages import example_drawing, sources_drawing
from bot.render.messages.server_settings import server_settings_drawing
from bot.render.messages.shared import with_show_everybody
from bot.render.text.rules import rules_drawing
from bot.render.text.rules_documents import EXAMPLES
from bot.render.text.terms import TERMS, explained
from bot.render.text.voice import Voice
from engine import ACC_TOURNAMENT, PRESETS, TWO_HANDED, Counting, FirstDeal, Flush, SkunkRule
from tests.bot.registered import full_voice
from tests.golden import Scene, scenes

MANUAL = "https://example.org/playing.md"
INSTALL = "https://discord.com/oauth2/authorize?client_id=1"


@scenes("help", help_drawing)
def help_pages(voice: Voice) -> Iterator[Scene]:
    """Every page by the standard rules, and those that other rules change."""
    for topic in topics(voice):
        yield topic, help_drawing(voice, topic)
    offering = full_voice(voice.language, manual=MANUAL, install=INSTALL)
    yield "brief, with links", help_drawing(offering)
    yield "unknown", help_drawing(voice, "poll")
    aloud = replace(TWO_HANDED, counting=Counting.ALOUD)
    yield "brief, counting aloud", help_drawing(voice, Topic.BRIEF.value, aloud)
    yield "brief, where low wins", help_drawing(voice, Topic.BRIEF.value, PRESETS["lowball"]())
    for preset in ("family", "parlour", "lurch"):
        yield f"play, {preset}", help_drawing(voice.by(preset), Topic.PLAY.value, PRESETS[preset](2))
    for preset in ("family", "parlour", "piecepack", "five_card"):
        yield f"count, {preset}", help_drawing(voice.by(preset), Topic.COUNT.value, PRESETS[preset](2))
    no_jacks = replace(TWO_HANDED, his_heels=0, his_nobs=0)
    yield "play, without heels", help_drawing(voice, Topic.PLAY.value, no_jacks)
    yield "count, without nobs", help_drawing(voice, Topic.COUNT.value, no_jacks)


@scenes("rules", rules_drawing)
def rules(voice: Voice) -> Iterator[Scene]:
    """The rules of each rule set, and of tables with rules of their own."""
    yield "standard", rules_drawing(None, voice)
    for preset in PRESETS:
        yield f"a table by {preset}", rules_drawing(Agreement.of(preset=preset), voice)
    for players in (3, 4, 5, 6):
        yield f"of {players}", rules_drawing(Agreement.of(players=players), voice)
    alone = Agreement.of(players=4, partners=False, best_of=5, match_points=ACC_TOURNAMENT)
    yield "of four alone in a match", rules_drawing(alone, voice)
    priced = Agreement.of(muggins=True, wrong_claims=2, hints=True, pace=Pace.SLOW)
    yield "with muggins, slow", rules_drawing(priced, voice)
    yield "changed", rules_drawing(changed(Agreement.of(preset="family"), Setting.HEELS, "3"), voice)


@scenes("sources and examples", sources_drawing, example_drawing)
def documents(voice: Voice) -> Iterator[Scene]:
    """Where the rule sets come from."""
    yield "sources", sources_drawing(voice)
    for place in range(len(EXAMPLES)):
        yield f"example {place + 1}", example_drawing(place, voice)
    yield "an example that there is not", example_drawing(99, voice)


OTHER_RULES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("his heels", "standard", {"his_heels": 3}),
    ("his heels", "standard", {"his_heels": 0}),
    ("his heels", "parlour", {}),
    ("his heels", "family", {}),
    ("his nobs", "parlour", {}),
    ("pair", "parlour", {}),
    ("run", "parlour", {}),
    ("flush", "family", {}),
    ("flush", "piecepack", {}),
    ("flush", "standard", {"flush": Flush.ANY_FOUR}),
    ("go", "lurch", {}),
    ("last card", "lurch", {}),
    ("last card", "family", {}),
    ("thirty-one", "family", {}),
    ("cut", "lurch", {}),
    ("cut", "standard", {"first_deal": FirstDeal.RANDOM}),
    ("skunk", "short", {}),
    ("skunk", "short", {"skunks": SkunkRule.NONE}),
    ("double skunk", "short", {}),
    ("lurch", "short", {}),
    ("lurch", "lurch", {}),
    ("muggins", "standard", {"counting": Counting.ALOUD, "muggins": True}),
    ("wrong claim", "standard", {"counting": Counting.ALOUD, "muggins": True, "wrong_claims": 3}),
    ("discard", "family", {"seats": 3}),
    ("crib", "family", {"seats": 3}),
)
"""Words whose explanations follow from the rules, with a rule set and its changes."""


@scenes("words")
def words(voice: Voice) -> Iterator[Scene]:
    """Every word of the game by the standard rules."""
    yield "all", "\n".join(explained(term.name, voice, TWO_HANDED) for term in TERMS)
    other = (
        explained(name, voice.by(preset), PRESETS[preset](**{"seats": 2} | changes))
        for name, preset, changes in OTHER_RULES
    )
    yield "by other rules", "\n".join(other)
    yield "near a word", explained("skonk", voice, TWO_HANDED)
    yield "near several words", explained("royal", voice, TWO_HANDED)
    yield "no word", explained("zzzzzz", voice, TWO_HANDED)


@scenes(
    "privacy", privacy_drawing, ask_to_forget_drawing, forgotten_drawing, forgetting_drawing, kept_drawing
)
def privacy(voice: Voice) -> Iterator[Scene]:
    """What is kept of a person, and how it goes."""
    yield "by default", privacy_drawing(voice, hidden=False, declined=Declined())
    yield "hidden, declining some", privacy_drawing(voice, hidden=True, declined=Declined(people=2))
    yield "declining all", privacy_drawing(voice, hidden=False, declined=Declined(everybody=True))
    yield "asks, at no table", ask_to_forget_drawing(0, voice)
    yield "asks, at two tables", ask_to_forget_drawing(2, voice)
    yield "is deleting", forgetting_drawing(voice)
    yield "has deleted", forgotten_drawing(voice)
    yield "has kept", kept_drawing(voice)
    yield "export", "\n".join(map(voice.gettext, (EXPORTED, EXPORT_GOES_ON, EXPORT_SENT)))


@scenes(
    "small answers",
    bot_drawing,
    elsewhere_drawing,
    small_card,
    with_show_everybody,
    moved_drawing,
    came_back_private_drawing,
    lost_drawing,
)
def small_answers(voice: Voice) -> Iterator[Scene]:
    """Answers of a line."""
    yield "a bot", bot_drawing("R*bot", voice)
    yield "in a server", elsewhere_drawing(voice)
    hints = small_card(ask_in_a_server(voice), start_one(voice))
    yield "shown to everybody", with_show_everybody(hints, RulesId(RulesPage.TABLE), voice)
    yield "the table has moved", moved_drawing("https://discord.com/channels/1/2/3", voice)
    yield "a private table", came_back_private_drawing(voice)
    yield "a lost table", lost_drawing(voice)


@scenes("server settings", server_settings_drawing)
def server_settings(voice: Voice) -> Iterator[Scene]:
    """The panel of moderators."""
    yield "by default", server_settings_drawing(ServerSettings(), "fr", voice)
    yield "chosen", server_settings_drawing(ServerSettings(language="fr", board=Board.TEXT), None, voice)


@scenes("greetings", hello_drawing, welcome_drawing)
def greetings(voice: Voice) -> Iterator[Scene]:
    """The first words to a person and to a server."""
    yield "in a DM", hello_drawing(voice)
    yield "in a server", welcome_drawing(voice)
