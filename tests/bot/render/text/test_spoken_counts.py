"""The show in players' words."""

from __future__ import annotations

import pytest

from bot.language.languages import Language
from bot.render.text.faces import Faces
from bot.render.text.speech import Telling, speech
from bot.render.text.spoken_counts import lines, ranks, spoken
from bot.render.text.voice import Voice
from engine import PRESETS, TWO_HANDED, Reason, Score, card, cards, count

NINETEEN = speech(Voice()).nothing

SAID = [
    (
        "5H 5C 5S JD",
        "5D",
        (
            "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, "
            "fifteen fourteen, fifteen sixteen, a double pair royal is twenty-eight, "
            "and one for his nobs is twenty-nine"
        ),
    ),
    ("4S 5H 6D KC", "6H", "fifteen two, fifteen four, fifteen six, and a double run of three is fourteen"),
    ("5H TD TC 2S", "9C", "fifteen two, fifteen four, and a pair is six"),
    ("7H 8D JC 2S", "KC", "fifteen two, and one for his nobs is three"),
    ("2H 2C 9S KD", "7H", "a pair is two"),
    ("2H 2C 9S 9D", "KH", "a pair is two, and another is four"),
    ("6H 7C KS KD", "2H", "fifteen two, and a pair is four"),
    ("2H 3C 4S KD", "QH", "fifteen two, fifteen four, and a run of three is seven"),
    ("9H TC JS QD", "KH", "a run of five is five"),
    ("2H 3C 4S 4D", "5H", "fifteen two, and a double run of four is twelve"),
    ("8H 9C TS TD", "TH", "a triple run of three is fifteen"),
    ("TH TC JS JD", "QH", "a double double run of three is sixteen"),
    ("3H 3C 3S KD", "8H", "a pair royal is six"),
    ("2H 4H 8H KH", "9C", "fifteen two, and a flush of four is six"),
    ("2H 4H 8H KH", "QH", "a flush of five is five"),
    ("AH 3H 9H JH", "QH", "a flush of five is five, and one for his nobs is six"),
    ("5H TD 2C 2S", "KH", "fifteen two, fifteen four, and a pair is six"),
    ("5H TD KC 2S", "9H", "fifteen two, fifteen four"),
    ("2H 4C 6S 8D", "TH", NINETEEN),
]


@pytest.mark.parametrize(("hand", "starter", "expected"), SAID, ids=[each[0] for each in SAID])
def test_a_hand_is_counted_as_players_say_it(hand: str, starter: str, expected: str) -> None:
    counted = count(cards(hand), starter=card(starter))

    assert spoken(counted.scores, counted.points, Voice()) == expected


@pytest.mark.parametrize(
    ("hand", "starter", "quick", "terse"),
    [
        (
            "JH TC TD JD",
            "5D",
            "fifteen eight, a pair is ten, another is twelve, and his nobs is thirteen",
            "fifteen eight, pair ten, pair twelve, his nobs thirteen",
        ),
        (
            "2H 3H 4H KH",
            "4S",
            "fifteen two, a double run of three is ten, and a flush of four is fourteen",
            "fifteen two, double run ten, flush fourteen",
        ),
        ("5H TD KC 2S", "9H", "fifteen four", "fifteen four"),
    ],
)
def test_where_a_count_stands_beside_others_less_is_said(
    hand: str, starter: str, quick: str, terse: str
) -> None:
    counted = count(cards(hand), starter=card(starter))

    assert spoken(counted.scores, counted.points, Voice(), Telling.QUICK) == quick
    assert spoken(counted.scores, counted.points, Voice(), Telling.TERSE) == terse


def test_less_is_said_in_french_too() -> None:
    counted = count(cards("JH TC TD JD"), starter=card("5D"))

    assert spoken(counted.scores, counted.points, FRENCH, Telling.TERSE) == (
        "quinze huit, paire dix, paire douze, sa caboche treize"
    )


def test_nineteen_is_said_of_a_hand_worth_nothing() -> None:
    assert "nineteen" in NINETEEN
    assert NINETEEN.startswith("nothing")


def test_points_without_their_scores_are_said_as_a_number() -> None:
    assert spoken((Score(Reason.CLAIM, 6),), 6, Voice()) == "six"


_OF_NOTHING = {Telling.WHOLE: NINETEEN, Telling.QUICK: "nothing", Telling.TERSE: "nothing"}


def test_the_last_word_is_the_total_for_every_hand_of_some_thousands() -> None:
    from random import Random

    from bot.render.text.words import number
    from engine import PACK

    random = Random(15)
    for _ in range(3_000):
        *hand, starter = random.sample(PACK, 5)
        for rules in (TWO_HANDED, PRESETS["family"]()):
            counted = count(tuple(hand), starter=starter, rules=rules)
            for telling in Telling:
                said = spoken(counted.scores, counted.points, Voice(), telling)
                total = number(counted.points) if counted.points else _OF_NOTHING[telling]
                assert said == total or said.endswith(f" {total}")


def test_the_cards_stand_behind_the_points_one_line_for_each_kind() -> None:
    counted = count(cards("5H TD JC JD"), starter=card("QD"))

    assert [_bare(line) for line in lines(counted.scores, Voice())] == [
        "Fifteens 5♥ 10♦ · 5♥ J♣ · 5♥ J♦ · 5♥ Q♦",
        "Double run of three 10♦ J♣ J♦ Q♦",
        "His nobs J♦",
    ]


def test_a_pair_names_its_two_cards_and_two_pairs_have_a_line_each() -> None:
    counted = count(cards("2H 2C 9S 9D"), starter=card("KH"))

    assert [_bare(line) for line in lines(counted.scores, Voice())] == ["Pair 2♣ 2♥", "Pair 9♦ 9♠"]


def test_every_card_that_scores_is_named() -> None:
    counted = count(cards("5H 5C 5S JD"), starter=card("5D"))
    written = _bare(" ".join(lines(counted.scores, Voice())))

    assert all(Faces().plain(each) in written for score in counted.scores for each in score.cards)


def _bare(line: str) -> str:
    return line.replace("*", "").replace("\ufe0e", "").replace("\ufe0f", "")


FRENCH = Voice(Language.of("fr"))
SAID_IN_FRENCH = [
    (
        "5H 5C 5S JD",
        "5D",
        (
            "quinze deux, quinze quatre, quinze six, quinze huit, quinze dix, quinze douze, quinze quatorze, "
            "quinze seize, un carré font vingt-huit, et un pour sa caboche font vingt-neuf"
        ),
    ),
    ("5H TD TC 2S", "9C", "quinze deux, quinze quatre, et une paire font six"),
    ("2H 2C 9S KD", "7H", "une paire fait deux"),
    ("2H 2C 9S 9D", "KH", "une paire fait deux, et une autre font quatre"),
    ("2H 3C 4S 4D", "5H", "quinze deux, et une double suite de quatre font douze"),
    ("8H 9C TS TD", "TH", "une triple suite de trois fait quinze"),
    ("TH TC JS JD", "QH", "une quadruple suite de trois fait seize"),
    ("3H 3C 3S KD", "8H", "un brelan fait six"),
    ("AH 3H 9H JH", "QH", "un flush de cinq fait cinq, et un pour sa caboche font six"),
    ("5H TD KC 2S", "9H", "quinze deux, quinze quatre"),
    ("2H 4C 6S 8D", "TH", speech(FRENCH).nothing),
]


@pytest.mark.parametrize(
    ("hand", "starter", "expected"), SAID_IN_FRENCH, ids=[each[0] for each in SAID_IN_FRENCH]
)
def test_a_hand_is_counted_in_french(hand: str, starter: str, expected: str) -> None:
    counted = count(cards(hand), starter=card(starter))

    assert spoken(counted.scores, counted.points, FRENCH) == expected


def test_the_groups_have_french_headings() -> None:
    run = count(cards("5H TD JC JD"), starter=card("QD"))
    assert [
        _bare(line).split(" 5")[0].split(" 1")[0].split(" J")[0] for line in lines(run.scores, FRENCH)
    ] == [
        "Quinze",
        "Double suite de trois",
        "Sa caboche",
    ]
    pair = count(cards("2H 2C 9S KD"), starter=card("7H"))
    assert [_bare(line) for line in lines(pair.scores, FRENCH)] == ["Paire 2♣ 2♥"]


@pytest.mark.parametrize(
    ("hand", "starter", "told"),
    [
        ("5H 5C 5S JD", "5D", "5+J×4 · 5+5+5×4 · 5=5×6"),
        ("AH 2C 2S KC", "2H", "A+2+2+K×3 · 2=2×3"),
        ("4C 5D 6H 6S", "QC", "5+Q · 4+5+6×2 · 6=6 · 4-5-6×2"),
        ("2C 5D 6H 9S", "KC", "5+K · 6+9"),
        ("2H 4H 6H 8H", "KC", ""),
    ],
)
def test_what_made_the_points_is_told_in_ranks_each_combination_once(
    hand: str, starter: str, told: str
) -> None:
    scores = count(cards(hand), starter=card(starter)).scores
    assert " · ".join(ranks(scores)) == told
