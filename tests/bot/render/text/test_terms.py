"""The words of the game: short, by the rules of the table, and each example is true."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.render.text.terms import TERMS, explained, matching
from engine import (
    PRESETS,
    THIRTY_ONE,
    TWO_HANDED,
    Cards,
    Counting,
    FirstDeal,
    Reason,
    Rules,
    SkunkRule,
    cards,
    count,
    is_playable,
    running_count,
    scores_in_play,
    total,
)
from tests.bot.registered import full_voice

MOST_WORDS = 30
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
            assert len([each for each in line.split() if re.search(r"\w", each)]) <= MOST_WORDS, line
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


@pytest.mark.parametrize(
    ("name", "preset", "changes", "said"),
    [
        ("his heels", "standard", {}, "2 points for the dealer at once"),
        ("his heels", "standard", {"his_heels": 3}, "**J♠︎**: 3 points."),
        ("his heels", "parlour", {}, "1 point for the dealer"),
        ("his heels", "family", {}, "if claimed before"),
        ("his heels", "standard", {"his_heels": 0}, "nothing by these rules"),
        ("his nobs", "parlour", {}, "0 points:"),
        ("pair", "parlour", {}, "no pairs by these rules"),
        ("run", "parlour", {}, "no runs by these rules"),
        ("flush", "standard", {}, "A crib needs all five"),
        ("flush", "family", {}, "Any four cards"),
        ("flush", "piecepack", {}, "in hand or crib"),
        ("go", "lurch", {}, "pegs 1 at once"),
        ("last card", "lurch", {}, "It scores nothing"),
        ("last card", "family", {}, "at 31 beside the 2"),
        ("thirty-one", "family", {}, "scores 3"),
        ("cut", "lurch", {}, "The dealer lifts off"),
        ("cut", "standard", {"first_deal": FirstDeal.RANDOM}, "turned up as the starter."),
        ("skunk", "standard", {}, "fewer than 91 of 121 points. In a match it counts as 2 games."),
        ("skunk", "short", {}, "fewer than 31 of 61"),
        ("double skunk", "standard", {}, "fewer than 61 of 121 points. In a match it counts as 3 games."),
        ("double skunk", "short", {}, "by more than 60 points in a longer game. It isn't counted"),
        ("skunk", "short", {"skunks": SkunkRule.NONE}, "fewer than 31 of 61 points. It isn't counted"),
        ("lurch", "short", {}, "fewer than 31 of 61 points. It isn't counted"),
        ("lurch", "lurch", {}, "fewer than 61 of 121"),
        ("lurch", "standard", {}, "isn't counted"),
        ("muggins", "standard", {}, "Not by these rules"),
        ("muggins", "standard", {"counting": Counting.ALOUD, "muggins": True}, "You count your own"),
        (
            "wrong claim",
            "standard",
            {"counting": Counting.ALOUD, "muggins": True, "wrong_claims": 3},
            "costs 3 points",
        ),
        ("wrong claim", "standard", {}, "costs nothing"),
    ],
)
def test_a_word_follows_the_rules_of_the_table(
    name: str, preset: str, changes: dict[str, Any], said: str
) -> None:
    assert said in explained(name, ENGLISH, PRESETS[preset](2, **changes))


def test_the_jack_turned_up_has_the_name_that_its_document_gives_it() -> None:
    for voice, knobs, nob in ((ENGLISH, "His Knobs", "his nob"), (FRENCH, "Sa Grandeur", "sa caboche")):
        for preset, name in (("family", knobs), ("parlour", nob)):
            said = explained("his heels", voice.by(preset), PRESETS[preset](2))
            assert f" *{name}*." in said
        assert knobs not in explained("his heels", voice, PRESETS["standard"](2))


def test_the_crib_and_the_discard_are_as_large_as_the_number_of_players_makes_them() -> None:
    standard, family = PRESETS["standard"], PRESETS["family"]
    assert "2 of your 6 cards" in explained("discard", ENGLISH, standard(2))
    assert "1 of your 5 cards" in explained("discard", ENGLISH, standard(3))
    assert "hand of 3 cards" in explained("crib", ENGLISH, family(3))


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
