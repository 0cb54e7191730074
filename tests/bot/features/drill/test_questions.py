"""Questions of the drills are true: the right answer is among five, and each row of a picture is a score."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.features.drill.custom_ids import COUNT, DISCARD, CountId, DealId, DealVerb
from bot.features.drill.illustrations import counted_facts, hand_facts
from bot.features.drill.judging import Judged
from bot.features.drill.questions import POSSIBLE, RANDOM, Deal, Hand, choices_about, hand_dealt
from bot.features.drill.records import SLOWEST, Record
from bot.render.messages.lit_hands import lit_alt
from bot.render.text.voice import Voice
from engine import PACK, PRESETS, Card, Cards, EngineError, card, cards, count
from engine.coach import practice_hand, throws_at
from tests.bot.interactions.test_shipped_custom_ids import form, shipped

ASKED = 1_795_000_000_000


def hands(number: int, seed: int = 5) -> list[tuple[Cards, Card]]:
    random = Random(seed)
    return [hand_dealt(random) for _ in range(number)]


def deal(source: str = RANDOM, preset: str = "standard", target: int = 121, seed: bytes = b"1") -> Deal:
    hand = practice_hand(seed)
    scores = {"own": min(hand.own, target - 20), "other": min(hand.other, target - 20)}
    place = {"source": source, "preset": preset, "target": target, "dealer": hand.dealer}
    return Deal(asked=ASKED, dealt=hand.dealt, **place, **scores)  # type: ignore[arg-type]


def test_the_points_that_a_hand_can_have_are_all_that_hands_have() -> None:
    random = Random(7)
    seen = {
        count(tuple(five[:4]), starter=five[4]).points
        for five in (random.sample(PACK, 5) for _ in range(30_000))
    }
    fives = count(cards("5C 5D 5S JH"), starter=card("5H")).points
    assert seen <= {*POSSIBLE}
    assert {*range(17)} <= seen
    assert {0, 29, fives} == {POSSIBLE[0], POSSIBLE[-1], 29}
    assert {19, 25, 26, 27}.isdisjoint(POSSIBLE)


def test_a_hand_is_four_cards_and_another_that_a_player_would_keep() -> None:
    points = []
    for kept, starter in hands(300):
        assert len({*kept, starter}) == 5
        assert list(kept) == sorted(kept)
        points.append(count(kept, starter=starter).points)
    assert 6 < sum(points) / len(points) < 10, "not the five of a hand at random"
    assert len({*points}) > 10


@pytest.mark.parametrize("points", POSSIBLE)
def test_the_right_number_is_among_five_possible_ones_near_it(points: int) -> None:
    random = Random(points)
    for _ in range(50):
        choices = choices_about(points, random)
        assert len({*choices}) == len(choices) == 5
        assert list(choices) == sorted(choices)
        assert points in choices
        assert {*choices} <= {*POSSIBLE}
        assert max(abs(each - points) for each in choices) <= 9


def test_the_place_of_the_right_number_tells_nothing() -> None:
    random = Random(3)
    places = Counter(choices_about(8, random).index(8) for _ in range(1000))
    assert set(places) == set(range(5))
    assert min(places.values()) > 140


def test_each_row_of_the_picture_is_made_of_scores_and_lights_up_their_cards() -> None:
    fives = (cards("5C 5D 5S JH"), card("5H"))
    flush, nothing = (cards("2C 6C 8C TC"), card("KD")), (cards("2C 4H 6D 8S"), card("KD"))
    for kept, starter in [*hands(300), fives, flush, nothing]:
        scores = count(kept, starter=starter)
        rows = counted_facts(Hand(ASKED, kept, starter)).hands
        assert 1 <= len(rows) <= 4
        assert sum(row.points or 0 for row in rows) == scores.points
        for row in rows:
            lit = {*row.cards} - {*row.played}
            assert set(row.cards) == {*kept, starter}
            inside = [each for each in scores if {*each.cards} <= lit]
            assert lit == {one for each in inside for one in each.cards}
            assert (row.points or 0) <= sum(each.points for each in inside)
        if 0 < len(scores) <= 4:
            assert [({*row.cards} - {*row.played}, row.points) for row in rows] == [
                ({*each.cards}, each.points) for each in scores
            ]


def test_many_scores_are_in_rows_as_they_are_said() -> None:
    rows = counted_facts(Hand(ASKED, cards("7C 8D 8H 9S"), card("7D"))).hands
    fifteens, double_double_run = rows
    assert fifteens.points == 8
    assert double_double_run.points == 3 * 4 + 2 * 2
    assert double_double_run.played == ()


def test_the_question_s_picture_tells_no_points_and_its_alt_text_each_card() -> None:
    facts = hand_facts(Hand(ASKED, cards("5C 5H 5S JD"), card("5D")))
    assert [each.points for each in facts.hands] == [None]
    alt = lit_alt(facts, Voice())
    assert (
        alt
        == "Starter: five of diamonds. Five of clubs, five of hearts, five of spades and jack of diamonds."
    )


def test_a_hand_worth_nothing_is_a_row_without_lit_cards() -> None:
    [row] = counted_facts(Hand(ASKED, cards("2C 4H 6D 8S"), card("KD"))).hands
    assert (row.points, {*row.played}) == (0, {*row.cards})


@pytest.mark.parametrize("source", [RANDOM, "d739947", "abcdefgh12345678.999"])
def test_a_custom_id_has_the_whole_question_within_discord_s_limit(source: str) -> None:
    asked = deal(source, "piecepack")
    for chosen in ((), asked.dealt[:1], asked.dealt[1:3]):
        for verb in DealVerb:
            written = str(DealId(verb, asked, chosen))
            match = DISCARD.fullmatch(written)
            assert match is not None
            assert DealId.from_match(match) == DealId(verb, asked, chosen)
            assert len(written) <= 100
    hand = Hand(ASKED, *hands(1)[0])
    match = COUNT.fullmatch(str(CountId(hand, 12)))
    assert match is not None
    assert CountId.from_match(match) == CountId(hand, 12)


@pytest.mark.parametrize("written", ["AH3D8C9HTDJHAHAH", "AH3D8C9HTDJH2C", "AHAH8C9HTDJH"])
def test_cards_that_do_not_fit_together_are_no_question(written: str) -> None:
    match = DISCARD.fullmatch(f"drill:pick:{ASKED}:r:standard:0:20:31:121:{written}")
    assert match is not None
    assert DealId.from_match(match) is None
    twice = COUNT.fullmatch(f"drill:count:{ASKED}:12:5C5C5SJD5D")
    assert twice is not None
    assert CountId.from_match(twice) is None


def test_every_button_is_in_the_list_of_shipped_custom_ids() -> None:
    listed = {form(each.custom_id) for each in shipped()}
    assert form(str(CountId(Hand(ASKED, *hands(1)[0]), 8))) in listed
    for source, preset, target in (
        (RANDOM, "standard", 121),
        ("d739947", "standard", 121),
        ("k3f9.4", "short", 61),
    ):
        asked = deal(source, preset, target)
        for verb in DealVerb:
            assert form(str(DealId(verb, asked, asked.dealt[:2]))) in listed


def test_the_best_discard_is_the_coach_s_and_costs_nothing() -> None:
    for number in range(10):
        asked = deal(seed=b"%d" % number)
        throws = throws_at(asked.dealt, asked.rules, dealer=asked.dealer, own=asked.own, other=asked.other)
        best = Judged.of(asked, throws[0].given, None)
        worst = Judged.of(asked, throws[-1].given, None)
        assert best.is_best
        assert (best.winning_lost, best.points_lost) == (0.0, 0.0)
        assert not worst.is_best
        assert worst.best == throws[0]
        assert worst.winning_lost == (throws[0].winning or 0) - (throws[-1].winning or 0)
        assert worst.reasons is not None
        assert best.reasons is not None


def test_a_short_game_is_judged_by_its_own_length() -> None:
    long, short = deal(), deal(preset="short", target=61)
    assert short.rules == PRESETS["short"](2)
    chances = [Judged.of(each, each.dealt[:2], None).made.winning for each in (long, short)]
    assert chances[0] != chances[1]


@pytest.mark.parametrize(("preset", "target"), [("nonsense", 121), ("standard", 5)])
def test_rules_that_there_are_not_are_no_question(preset: str, target: int) -> None:
    asked = Deal(
        **{**{name: getattr(deal(), name) for name in Deal.__slots__}, "preset": preset, "target": target}
    )
    with pytest.raises((KeyError, EngineError)):
        Judged.of(asked, asked.dealt[:2], None)


def test_the_cards_do_not_print() -> None:
    asked = deal()
    said = f"{asked!r} {Judged.of(asked, asked.dealt[:2], None)!r}"
    said += (
        f"{Hand(ASKED, asked.dealt[:4], asked.dealt[5])!r} {DealId(DealVerb.PICK, asked, asked.dealt[:1])!r}"
    )
    assert not [each for each in asked.dealt if f"'{each}'" in said]


def test_a_record_counts_streaks_and_the_times_that_were_no_pause() -> None:
    record = Record()
    for is_hit, time in ((True, 4000), (True, 6000), (False, 5000), (True, SLOWEST + 1)):
        record = record.after(is_hit=is_hit, time=time)
    assert (record.answers, record.hits, record.streak, record.longest) == (4, 3, 1, 2)
    assert record.average == 5.0
    assert Record().average is None
