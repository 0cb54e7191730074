"""The help, the rules, their sources and the words of the game: short, true, and complete."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import product
from typing import get_type_hints

import pytest
from discord import app_commands

from bot.language.languages import LANGUAGES, Language
from bot.model.custom_ids import RulesId, RulesPage, Topic
from bot.model.rule_settings import Setting, value_of
from bot.model.rule_settings import changed as changed_setting
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.messages.help import help_drawing, topics
from bot.render.messages.rules_pages import example_drawing, scores_of, sources_drawing
from bot.render.text.faces import Faces
from bot.render.text.rules import PRESET_CHOICES, PRESET_NAMES, describe, rules_drawing
from bot.render.text.rules_documents import DOCUMENTS, EXAMPLES
from bot.render.text.spelled_cards import spelled_out
from bot.render.text.terms import TERMS, explained, matching
from bot.render.text.voice import Voice
from engine import (
    PRESETS,
    THIRTY_ONE,
    TWO_HANDED,
    Cards,
    Counting,
    FirstDeal,
    Reason,
    Rules,
    card,
    cards,
    count,
    is_playable,
    running_count,
    scores_in_play,
    total,
)
from tests.bot.registered import COMMANDS, full_voice
from tests.bot.render.games import EMOJIS, components, words
from tests.engine.games import PRESET_SEATS
from tests.engine.rule_options import changed

MOST_WORDS = 90
"""Limit of words of a page of the help."""
MOST_WORDS_OF_A_TERM = 30
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


def test_every_rule_set_is_explained_in_short_pages() -> None:
    for preset, topic, code in product(PRESETS.values(), (Topic.PLAY, Topic.COUNT, Topic.BRIEF), LANGUAGES):
        drawing = help_drawing(full_voice(Language.of(code)), topic.value, preset())
        assert len(_read(drawing)) <= MOST_WORDS, (preset, code)


FIFTEEN, PAIR, RUN = Reason.FIFTEEN, Reason.PAIR, Reason.RUN

EXPECTED = [
    ("A 3 5 7 6", 3, {RUN}, 3),
    ("5 J 6 7", 0, set(), 0),
    ("A 7 8 3 7", 8, {FIFTEEN}, 6),
    ("4 5 5 5 3", 17, {PAIR}, 6),
    ("A 2 3 7 2", 10, {RUN}, 6),
    ("Q 10 5 5", 10, {FIFTEEN, PAIR}, 10),
    ("4 5 6 7 7", 12, {RUN, PAIR}, 10),
    ("3 3 3 4 5", 21, {RUN, PAIR}, 15),
    ("5 5 6 6 7", 16, {RUN, PAIR}, 16),
    ("9 6", 2, {FIFTEEN}, 2),
    ("7 8", 2, {FIFTEEN}, 2),
    ("K 5", 2, {FIFTEEN}, 2),
]
"""Ranks, points in all, what the document counts of them, and points of that."""

OVERLOOKED = 2
"""The points of the third fifteen that document 000 does not see in its third example."""


def test_each_example_counts_as_the_rules_say() -> None:
    counted = [(example, some) for example in EXAMPLES for some in example.sets]
    for (example, some), (ranks, points, reasons, part) in zip(counted, EXPECTED, strict=True):
        scores = scores_of(example, some)

        assert " ".join(str(each)[:-1] for each in some).replace("T", "10") == ranks
        assert total(scores) == points, ranks
        assert total(tuple(score for score in scores if score.reason in reasons)) == part, ranks
        assert example.told == part - (OVERLOOKED if ranks == "A 7 8 3 7" else 0), ranks


def test_no_point_of_an_example_comes_from_a_suit_of_ours() -> None:
    reasons = {score.reason for each in EXAMPLES for some in each.sets for score in scores_of(each, some)}
    assert reasons == {FIFTEEN, PAIR, RUN}


def test_examples_are_paged_through_from_the_first_to_the_last() -> None:
    seen, place, last = [], 0, len(EXAMPLES) - 1
    while True:
        before, after, *_ = (
            each for each in components(example_drawing(place, full_voice())) if each["type"] == 2
        )
        seen.append(place)
        assert before["disabled"] is (place == 0)
        assert before["custom_id"] == str(RulesId(RulesPage.EXAMPLE, max(place - 1, 0)))
        if after["disabled"]:
            break
        place = int(after["custom_id"].rpartition(":")[2])
    assert seen == list(range(last + 1))


@pytest.mark.parametrize("code", LANGUAGES)
def test_sources_name_every_document_and_all_that_it_names(code: str) -> None:
    told = words(sources_drawing(full_voice(Language.of(code))))

    for document in DOCUMENTS.values():
        assert document.title in told
        assert all(work.name in told and work.url in told for work in document.reading)


def test_rule_sets_with_a_document_are_rule_sets() -> None:
    assert set(PRESETS) - set(DOCUMENTS) == {
        "standard",
        "short",
        "shotgun",
        "five_card",
        "lowball",
        "captains",
    }, "a rule set has its document in bot/render/text/rules_documents.py, or is named here"
    assert {example.preset for example in EXAMPLES} <= set(DOCUMENTS)


@pytest.mark.parametrize("shown", list(RulesPage))
def test_each_page_of_the_rules_leads_to_the_others(shown: RulesPage) -> None:
    drawing = {
        RulesPage.TABLE: rules_drawing(Agreement(), full_voice()),
        RulesPage.SOURCES: sources_drawing(full_voice()),
        RulesPage.EXAMPLE: example_drawing(4, full_voice()),
    }[shown]
    ids = [each["custom_id"] for each in components(drawing) if each["type"] == 2]

    assert len(set(ids)) == len(ids)
    assert {str(RulesId(each)) for each in RulesPage if each is not shown} <= set(ids)


ENGLISH, FRENCH = full_voice(), full_voice(Language.of("fr"))
NAMES = [term.name for term in TERMS]
RULES = [
    *(preset(seats) for preset in PRESETS.values() for seats in sorted(preset.players)),
    PRESETS["standard"](2, his_heels=0, first_deal=FirstDeal.RANDOM),
    PRESETS["standard"](2, counting=Counting.ALOUD, muggins=True, wrong_claims=2),
]


def _example(name: str, rules: Rules = TWO_HANDED) -> str:
    return explained(name, ENGLISH, rules).splitlines()[2]


def _cards(example: str) -> Cards:
    return cards(re.sub("[\ufe0e\ufe0f]", "", " ".join(re.findall(r"\*\*([^*]+)\*\*", example))))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_word_takes_thirty_words_and_an_example_by_any_rules(code: str) -> None:
    voice = full_voice(Language.of(code))
    for term, rules in product(TERMS, RULES):
        heading, says, *example = explained(term.name, voice, rules).splitlines()
        assert heading.casefold() == f"### {term.named(voice)}"
        for line in (says, " ".join(example)):
            in_words = [each for each in line.split() if re.search(r"\w", each)]
            assert len(in_words) <= MOST_WORDS_OF_A_TERM, line
        assert len(example) <= 1
        assert says[-1] in ".!"


@pytest.mark.parametrize(
    ("name", "says", "reasons"),
    [
        ("pair", 2, {Reason.PAIR}),
        ("pair royal", 6, {Reason.PAIR}),
        ("double pair royal", 12, {Reason.PAIR}),
        ("run", 3, {Reason.RUN}),
        ("double run", 8, {Reason.RUN, Reason.PAIR}),
        ("flush", 4, {Reason.FLUSH}),
        ("his nobs", 1, {Reason.NOBS}),
        ("nineteen", 0, set()),
    ],
)
def test_an_example_of_the_show_scores_that_and_nothing_else(
    name: str, says: int, reasons: set[Reason]
) -> None:
    example = _example(name)
    assert re.search(rf"(?<!\d){says} points?\b", example)
    *hand, starter = _cards(example)
    scores = count(tuple(hand), starter=starter).scores
    if len(hand) < TWO_HANDED.kept:  # fewer cards than a hand has are a flush by themselves or not at all
        scores = tuple(each for each in scores if each.reason not in {Reason.FLUSH, Reason.NOBS})
    assert (total(scores), {each.reason for each in scores}) == (says, reasons)


def test_an_example_of_the_play_reaches_its_count() -> None:
    fifteen = _cards(_example("fifteen"))
    assert (running_count(fifteen), total(scores_in_play(fifteen, TWO_HANDED))) == (15, 2)
    assert "2 points." in _example("fifteen")

    highest = _cards(_example("thirty-one"))
    assert running_count(highest) == THIRTY_ONE
    assert total(scores_in_play(highest, TWO_HANDED)) == 2
    assert "a count of 31." in _example("thirty-one")

    summed = _cards(_example("count"))
    assert f"a count of {running_count(summed)}." in _example("count")

    *played, held = _cards(_example("go"))
    assert f"the count is {running_count(tuple(played))}:" in _example("go")
    assert not is_playable(held, running_count(tuple(played)))


def test_the_jack_turned_up_has_the_name_that_its_document_gives_it() -> None:
    for voice, knobs, nob in ((ENGLISH, "His Knobs", "his nob"), (FRENCH, "Sa Grandeur", "sa caboche")):
        for preset, name in (("family", knobs), ("parlour", nob)):
            said = explained("his heels", voice.by(preset), PRESETS[preset](2))
            assert f" *{name}*." in said
        assert knobs not in explained("his heels", voice, PRESETS["standard"](2))


def test_a_word_is_found_in_both_languages_however_it_is_typed() -> None:
    for typed in ("His nobs", "his-nobs", " HIS NOBS ", "nobs", "sa caboche", "Sa Caboche"):
        assert explained(typed, FRENCH, TWO_HANDED).startswith("### Sa caboche\n"), typed
    assert explained("ecart", FRENCH, TWO_HANDED).startswith("### Écart\n")
    assert explained("31", ENGLISH, TWO_HANDED).startswith("### Thirty-one\n")
    for voice in (ENGLISH, FRENCH):
        spelled = [each for term in TERMS for each in (term.name, term.named(voice))]
        assert all(explained(each, voice, TWO_HANDED).startswith("### ") for each in spelled)
        assert len({explained(each, voice, TWO_HANDED) for each in NAMES}) == len(NAMES)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("skonk", "Do you mean *skunk*?"),
        ("royal", "Do you mean *pair royal* or *double pair royal*?"),
        ("zzzzzz", "a list shows"),
        ("🂡", "a list shows"),
        ("<@123> `**", "a list shows"),
    ],
)
def test_an_unknown_word_is_answered_with_those_near_it_and_never_repeated(typed: str, meant: str) -> None:
    said = explained(typed, ENGLISH, TWO_HANDED)
    assert meant in said
    assert typed not in said or typed == "royal"


def test_typing_offers_words_that_begin_so_before_those_that_contain_it() -> None:
    assert [each.name for each in matching("pa", ENGLISH)] == ["pair", "pair royal", "double pair royal"]
    assert [each.named(FRENCH) for each in matching("tal", FRENCH)] == ["ses talons", "total"]
    assert [each.named(FRENCH) for each in matching("to", FRENCH)] == ["total", "retourne"]
    assert [each.named(FRENCH) for each in matching("starter", FRENCH)] == ["retourne"]
    assert matching("", ENGLISH) == TERMS


HINTS = get_type_hints(Rules)


def test_every_option_that_is_changed_is_said() -> None:
    for name in (field.name for field in fields(Rules)):
        found = list(changed(name, HINTS[name]))

        assert found, f"say in tests/engine/rule_options.py what {name} can be changed to"
        for base, other in found:
            if None not in {base.captain, other.captain} and name == "captain":
                continue  # the table says who is captain
            assert describe(other, Voice()) != describe(base, Voice()), (name, other)


def test_the_rules_of_a_table_are_told_in_120_words_with_a_true_example() -> None:
    for preset, players in PRESET_SEATS:
        muggins = preset != "lowball"
        agreement = Agreement.of(players=players, preset=preset, muggins=muggins, hints=True, best_of=5)
        for code in LANGUAGES:
            in_words = words(rules_drawing(agreement, full_voice(Language.of(code)))).split()
            assert len([each for each in in_words if re.search(r"\w", each)]) <= 120
        points = count(cards("7H 8H 8S JC"), starter=card("9C"), rules=agreement.rules).points
        assert f" is **{points}**: fifteen four, " in words(rules_drawing(agreement, full_voice()))


def test_every_preset_has_its_words_and_differs_in_them() -> None:
    assert set(PRESET_NAMES) == set(PRESET_CHOICES) == set(PRESETS)
    assert len({describe(preset(), full_voice()) for preset in PRESETS.values()}) == len(PRESETS)
    assert all(len(each) <= 100 for each in PRESET_CHOICES.values())


def test_players_length_and_counting_change_no_rule_set() -> None:
    for preset, players in PRESET_SEATS:
        agreement = Agreement.of(preset=preset)
        counting = "machine" if preset == "lowball" else "aloud"
        for setting, value in (("players", str(players)), ("length", "61"), ("counting", counting)):
            if value != value_of(agreement, Setting(setting)):
                agreement = changed_setting(agreement, Setting(setting), value)
        assert not agreement.is_changed, (preset, players)


def test_cards_are_pictures_where_they_are_known_and_text_elsewhere() -> None:
    five, ten = card("5H"), card("TS")

    assert Faces(EMOJIS).text(five).startswith("<:card_5H_1:")
    assert Faces(EMOJIS).small(five) == Faces().text(five) == "**5♥️**"
    assert Faces().plain(ten) == "10♠"
    assert Faces().emoji(ten) is None
    picture = Faces(EMOJIS).emoji(ten)
    assert picture is not None
    assert picture.name == "card_TS_1"
    assert spelled_out(ten, full_voice()) == "ten of spades"
    assert spelled_out(ten, full_voice(Language.of("fr"))) == "dix de pique"
