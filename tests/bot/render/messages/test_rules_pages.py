"""The sources of the rule sets, and their worked examples with the engine's count."""

from __future__ import annotations

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.model.custom_ids import RulesId, RulesPage
from bot.model.table_record import Agreement
from bot.render.messages.rules_pages import example_drawing, scores_of, sources_drawing
from bot.render.text.rules import rules_drawing
from bot.render.text.rules_documents import DOCUMENTS, EXAMPLES
from engine import PRESETS, Reason, total
from tests.bot.registered import full_voice
from tests.bot.render.games import components, words

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


def test_an_example_has_its_cards_its_count_and_its_lesson() -> None:
    assert words(example_drawing(2, full_voice())).splitlines() == [
        "## Example 3 of 10",
        "-# From “The Rules of Cribbage”, by Lurch rules",
        "# **A♣︎** **7♥️** **8♦️** **3♠︎**",
        "Starter: **7♣︎**",
        "**8 points** · Fifteen two, fifteen four, fifteen six, and a pair is eight.",
        "-# Fifteens **7♣︎ 8♦️** · **7♥️ 8♦️** · **A♣︎ 7♣︎ 7♥️**",
        "-# Pair **7♣︎ 7♥️**",
        "The document counts 4 for the 8 with each 7, and overlooks the ace with both sevens.",
        "[Previous]",
        "[Next]",
        "[Rules]",
        "[Sources]",
    ]


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


def test_an_example_that_there_is_not_any_more_shows_the_last() -> None:
    assert words(example_drawing(999, full_voice())) == words(
        example_drawing(len(EXAMPLES) - 1, full_voice())
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_sources_name_every_document_and_all_that_it_names(code: str) -> None:
    told = words(sources_drawing(full_voice(Language.of(code))))

    for document in DOCUMENTS.values():
        assert document.title in told
        assert all(work.name in told and work.url in told for work in document.reading)
    for fact in (
        "Trevor L. Davis",
        "Sir John Suckling",
        "2.1 (2022-07-28)",
        "0-385-07680-0",
        "0-451-14842-8",
        "[Creative Commons Attribution-ShareAlike 4.0](<https://creativecommons.org/licenses/by-sa/4.0/>)",
        "[Pagat](<https://www.pagat.com/adders/crib6.html>)",
        "one for his nob",
        "His Knobs",
    ):
        assert fact in told


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
