"""The drills: true questions, own mistakes first, answers that count once, and records of a person."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import count as count_up
from random import Random

import pytest

from bot.features.drill import store
from bot.features.drill.custom_ids import COUNT, DISCARD, CountId, DealId, DealVerb
from bot.features.drill.deals import Deals
from bot.features.drill.illustrations import counted_facts
from bot.features.drill.judging import Judged
from bot.features.drill.questions import POSSIBLE, RANDOM, Deal, Hand, choices_about, hand_dealt
from bot.features.drill.records import SLOWEST, Kind, Record, Told
from bot.features.drill.store import DrillStore
from bot.model.table_record import Agreement
from bot.tables.worker import Worker
from engine import PACK, PRESETS, Card, Cards, EngineError, Seat, card, cards, count
from engine.coach import Decision, Evidence, discards_of, practice_hand, throws_at
from tests.bot.standings.games import ADA, BEN, CLEO, SHORT, THREE, Club, played

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
        for five in (random.sample(PACK, 5) for _ in range(10_000))
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


TODAY = date(2026, 11, 27)


@pytest.fixture
def drills(any_club: Club) -> DrillStore:
    """People's records in each kind of database."""
    return drills_of(any_club)


def drills_of(club: Club) -> DrillStore:
    return club.opened_database.part(DrillStore, "drills")


async def counted(
    drills: DrillStore, given: str = "8", *, asked: int = ASKED, hit: bool = True, user: int = ADA.user
) -> Told:
    """An answer to a hand, five seconds after it was asked."""
    return await drills.answered(user, Kind.COUNTING, asked=asked, now=asked + 5000, given=given, is_hit=hit)


async def test_an_answer_counts_and_none_to_the_same_question_an_older_one_or_one_of_the_future(
    drills: DrillStore,
) -> None:
    once = Record(answers=1, hits=1, streak=1, longest=1, timed=1, spent=5000)
    assert await counted(drills) == Told(record=once, given="8", is_counted=True)
    assert await counted(drills, "7", hit=False) == Told(record=once, given="8", is_counted=True)
    assert not (await counted(drills, "7", asked=ASKED - 1)).is_counted, "it was asked before"
    told = await drills.answered(
        ADA.user, Kind.COUNTING, asked=ASKED + 60_000, now=ASKED + 20_000, given="7", is_hit=True
    )
    assert not told.is_counted, "it is of the future"
    assert await drills.records(ADA.user) == {Kind.COUNTING: once}


async def test_streaks_are_by_person_and_kind(drills: DrillStore) -> None:
    for number, hit in enumerate((True, True, False, True)):
        await counted(drills, asked=ASKED + number, hit=hit)
    await counted(drills, user=BEN.user)
    await drills.answered(
        ADA.user, Kind.DISCARDS, asked=ASKED, now=ASKED + 1, given="5H JD", is_hit=False, done="k3f9.4"
    )
    records = await drills.records(ADA.user)
    counting = records[Kind.COUNTING]
    assert (counting.answers, counting.hits, counting.streak, counting.longest) == (4, 3, 1, 2)
    assert (records[Kind.DISCARDS].answers, records[Kind.DISCARDS].streak) == (1, 0)
    assert (await drills.records(BEN.user))[Kind.COUNTING].answers == 1


async def test_deals_that_were_answered_are_kept_once_and_the_oldest_go(
    drills: DrillStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_DONE", 3)
    assert await drills.done(ADA.user) == frozenset()
    for number in range(6):
        deal = f"d{number % 5}"
        await drills.answered(
            ADA.user,
            Kind.DISCARDS,
            asked=ASKED + number,
            now=ASKED + number,
            given="",
            is_hit=True,
            done=deal,
        )
    assert await drills.done(ADA.user) == {"d3", "d4", "d0"}
    assert await drills.done(BEN.user) == frozenset()


async def test_they_are_exported_and_go_with_the_persons_data(any_club: Club, drills: DrillStore) -> None:
    await counted(drills)
    await counted(drills, user=BEN.user)
    await drills.answered(
        ADA.user, Kind.DISCARDS, asked=ASKED, now=ASKED + 1, given="5H JD", is_hit=True, done="k3f9.4"
    )
    told = (await any_club.everything_about(ADA.user))["drills"]
    assert [each["drill"] for each in told] == ["counting", "discards"]
    assert told[0]["their_seconds"] == 5.0
    assert told[1]["deals_answered"] == ["k3f9.4"]
    assert told[1]["last_answer"] == "5H JD"

    await any_club.forget(ADA.user)
    assert await drills.records(ADA.user) == {}
    assert await drills.done(ADA.user) == frozenset()
    assert (await drills.records(BEN.user))[Kind.COUNTING].answers == 1


async def test_a_day_s_hand_is_known_only_when_the_day_is_over(any_club: Club, drills: DrillStore) -> None:
    hand = practice_hand(b"1")
    for days in (-2, -1, 0, 1):
        await any_club.daily.keep_hand(TODAY + timedelta(days=days), hand)
    await any_club.change("INSERT INTO daily_hands (day, hand) VALUES ($1, $2)", 5, json.dumps("damaged"))
    assert await drills.past_days(TODAY) == (
        TODAY - timedelta(days=1),
        TODAY - timedelta(days=2),
        date.fromordinal(5),
    )
    assert await drills.past_hand(TODAY - timedelta(days=1), TODAY) == hand
    for secret in (TODAY, TODAY + timedelta(days=1)):
        assert await drills.past_hand(secret, TODAY) is None
    assert await drills.past_hand(date.fromordinal(5), TODAY) is None


@pytest.fixture
def new_deals(club: Club) -> Iterator[Callable[[], Deals]]:
    """A bot that asks people for discards, from a book with games."""
    worker = Worker()
    yield lambda: Deals(
        club.store,
        drills_of(club),
        queries=club.queries,
        projection=club.projection,
        worker=worker,
        random=Random(4),
    )
    worker.close()


@pytest.fixture
def deals(new_deals: Callable[[], Deals]) -> Deals:
    return new_deals()


_TIMES = count_up(ASKED, 5_000)


async def following(deals: Deals) -> Deal:
    """The deal that Ada is asked next."""
    return await deals.next(ADA.user, asked=next(_TIMES), today=TODAY)


async def answered(club: Club, deal: Deal) -> None:
    at, source = deal.asked, deal.source
    await drills_of(club).answered(
        ADA.user, Kind.DISCARDS, asked=at, now=at, given="", is_hit=True, done=source
    )


def mistakes(seed: int, seat: int, agreement: Agreement = SHORT) -> list[Decision]:
    """The costly discards of that seat, dearest first."""
    found = [each for each in discards_of(played(seed, agreement), Seat(seat)) if each.winning_lost >= 0.01]
    return sorted(found, key=lambda each: -each.winning_lost)


async def test_own_mistakes_come_first_the_dearest_at_the_head_and_none_twice(
    deals: Deals, new_deals: Callable[[], Deals], club: Club
) -> None:
    game = await club.finished((ADA, BEN), played(2, SHORT), SHORT)
    expected = mistakes(2, 0)
    assert len(expected) > 2
    for each in expected:
        deal, table = await following(deals), each.view.table
        assert (await following(deals)).source == deal.source, "until it is answered"
        assert deal.source == f"{game}.{table.deal_number}"
        assert {*deal.dealt} == {*each.view.hand, *each.view.discarded}, "and nobody else's cards"
        assert (deal.own, deal.other, deal.target) == (*table.scores, 61)
        assert deal.dealer == (table.dealer == 0)
        best, made = (Judged.of(deal, one.given, None) for one in (each.best, each.made))  # type: ignore[union-attr]
        assert best.is_best
        assert made.winning_lost == each.winning_lost, "as the review says"
        await answered(club, deal)
    assert (await following(new_deals())).source == RANDOM


async def test_a_new_game_s_mistakes_are_asked_too(deals: Deals, club: Club) -> None:
    await club.finished((ADA, BEN), played(2, SHORT), SHORT)
    await following(deals)
    game = await club.finished((BEN, ADA), played(3, SHORT), SHORT)
    found = set()
    for _ in range(len(mistakes(2, 0)) + len(mistakes(3, 1))):
        deal = await following(deals)
        found.add(deal.game)
        await answered(club, deal)
    assert game in found


async def test_games_for_three_and_games_by_changed_rules_give_no_mistakes(deals: Deals, club: Club) -> None:
    changed = Agreement.of(preset="short", his_nobs=0)
    assert mistakes(2, 0, changed)
    await club.finished((ADA, BEN), played(2, changed), changed)
    await club.finished((ADA, BEN, CLEO), played(5, THREE), THREE)
    assert (await following(deals)).source == RANDOM


async def test_a_damaged_game_is_passed_over(deals: Deals, club: Club) -> None:
    broken = await club.finished((ADA, BEN), played(3, SHORT), SHORT)
    game = await club.finished((ADA, BEN), played(2, SHORT), SHORT)
    await club.projection.flush()
    await club.change("UPDATE events SET body = '{}' WHERE game = $1 AND version = 9", broken)
    assert (await following(deals)).game == game


async def test_then_come_past_daily_hands_which_stay_judged_as_they_were(deals: Deals, club: Club) -> None:
    hand = practice_hand(b"1")
    worst_first = [(each.given, 0.5 - 0.01 * place) for place, each in enumerate(reversed(hand.throws))]
    evidence = Evidence(
        chances=tuple(worst_first), simulated=3, margin=0.01, error=0.001, deals=9, player="of another year"
    )
    hand = replace(hand, evidence=evidence)
    yesterday = TODAY - timedelta(days=1)
    for day in (yesterday, TODAY, TODAY + timedelta(days=1)):
        await club.daily.keep_hand(day, hand if day == yesterday else practice_hand(b"2"))
    deal = await following(deals)
    assert deal.source == f"d{yesterday.toordinal()}"
    assert {*deal.dealt} == {*hand.dealt}
    judged = Judged.of(deal, hand.throws[-1].given, hand)
    assert (judged.is_best, judged.is_simulated) == (True, True)
    await answered(club, deal)
    assert (await following(deals)).source == RANDOM, "today's and tomorrow's are secret"


async def test_who_is_forgotten_is_asked_at_random(deals: Deals, club: Club) -> None:
    await club.finished((ADA, BEN), played(2, SHORT), SHORT)
    assert (await following(deals)).game
    await club.forget(ADA.user)
    assert (await following(deals)).source == RANDOM
