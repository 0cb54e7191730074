"""The computer's claims beside playing: its counts, muggins on points that others missed, his heels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import (
    PACK,
    PARTNERS,
    PRESETS,
    TWO_HANDED,
    CallMuggins,
    Card,
    Cards,
    ClaimHeels,
    CountAloud,
    Game,
    MugginsCalled,
    OwnMove,
    PlayCard,
    PlayerView,
    SayGo,
    Seat,
    card,
    cards,
    count,
    pegging,
    spell,
)
from engine.computer import FULL_ATTENTION, SKILLS, Level, calls_muggins, choose, choose_with
from engine.events import Source
from engine.phases import Playing, Showing
from engine.presets import family
from engine.rules import Counting
from engine.scores import total
from tests.engine.computer.matches import TABLES, usual_match
from tests.engine.games import SEATINGS, mostly_deep, move_of, seats_of
from tests.engine.tables import PlainChance, at_play, at_show, play, settled

MUGGINS = replace(TWO_HANDED, counting=Counting.ALOUD, muggins=True)
MUGGINS_4 = replace(PARTNERS, counting=Counting.ALOUD, muggins=True)
ALOUD = [table for table in TABLES if table.endswith("muggins")]
every_level = pytest.mark.parametrize("level", Level)


def attentive(view: PlayerView, level: Level) -> OwnMove:
    """The move of that level if it overlooks nothing."""
    return choose_with(view, replace(SKILLS[level], attention=FULL_ATTENTION), seed=1)


@pytest.mark.parametrize("table", mostly_deep(ALOUD, ["standard-2-muggins"]))
def test_no_computer_claims_more_than_the_truth_and_the_expert_no_less(table: str) -> None:
    counted = called = 0
    for turn in usual_match(table):
        rules = turn.state.rules
        match turn.move:
            case CountAloud(_, points):
                shown = turn.state.expect(Showing).shown[-1]
                starter = turn.state.expect(Showing).layout.starter
                assert starter is not None
                crib = shown.source is Source.CRIB
                counted += 1
                worth = count(shown.cards, starter=starter, rules=rules, crib=crib).points

                assert points == worth or (points < worth and turn.level is not Level.EXPERT)
            case PlayCard(_, played, points):
                cards = turn.state.expect(Playing).cards
                called += 1
                worth = total(pegging.scores_in_play((*cards, played), rules))

                assert points is not None
                assert points == worth or (points < worth and turn.level is not Level.EXPERT)
            case CallMuggins(seat, points):
                phase = turn.state.phase
                assert isinstance(phase, Playing | Showing)
                missed = sum(each.missed for each in phase.oversights if seat in each.open_to)

                assert 0 < points <= missed, "a computer calls muggins for what was missed"

    assert counted > 5
    assert called > 20


def a_show() -> Game:
    """The show of a hand worth 21, whose owner counts first."""
    return settled(at_show(MUGGINS, "4C 6D KH 7S", "5H 5S TC JD", starter="5D", crib="2C 2D 9C KS"))


@every_level
def test_what_was_missed_in_the_play_is_taken_and_what_was_called_is_not(level: Level) -> None:
    game = at_play(MUGGINS, "5H 6H 7D 8C", "TH QC 2D 3S")
    say(game, "1 TH 0")

    assert isinstance(choose(game.view(Seat(0)), level, seed=1), PlayCard)

    say(game, "0 5H 0")

    assert attentive(game.view(Seat(1)), level) == CallMuggins(Seat(1), 2)


def test_a_count_that_missed_nothing_gives_nothing_to_choose_where_nobody_waits() -> None:
    game = at_play(MUGGINS_4, "9H 9D 4C 4S", "TH QC 2D 3S", "5H 6H 7D 8C", "5D 6C 7S 8S")
    say(game, "1 TH 0", "2 5H 2")

    assert CallMuggins in game.legal_moves(Seat(1)).kinds
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(game.view(Seat(1)), Level.BEGINNER, seed=1)


@every_level
def test_what_was_missed_in_part_is_taken_in_part(level: Level) -> None:
    game = at_play(MUGGINS, "5H 6H 7D 8C", "5D 5C 2D 3S")
    say(game, "1 5D 0", "0 5H 2", "1 5C 3")

    assert attentive(game.view(Seat(0)), level) == CallMuggins(Seat(0), 8 - 3)


@every_level
def test_what_was_missed_with_the_last_card_of_the_play_is_taken_before_the_show(level: Level) -> None:
    """The first hand lies open by then and is not counted yet."""
    game = at_play(MUGGINS, "QH AH 2H 3H", "KC JC TC 3C")
    say(game, "1 KC 0", "0 QH 0", "1 JC 3", "0 AH 2", "1 TC 0", "0 2H 0", "1 3C 2", "0 3H 0")
    view = game.view(Seat(1))

    assert view.table.stage.value == "showing"
    assert attentive(view, level) == CallMuggins(Seat(1), 2)

    game.apply(CallMuggins(Seat(1), 2))

    assert isinstance(choose(game.view(Seat(1)), level, seed=1), CountAloud)


@every_level
def test_a_computer_calls_what_the_opponents_missed_and_not_what_its_partner_missed(level: Level) -> None:
    game = at_play(MUGGINS_4, "9H 9D 4C 4S", "TH QC 2D 3S", "5H 6H 7D 8C", "5D 6C 7S 8S")
    say(game, "1 TH 0", "2 5H 1", "3 5D 0")

    assert attentive(game.view(Seat(1)), level) == CallMuggins(Seat(1), 1)
    assert attentive(game.view(Seat(0)), level) == CallMuggins(Seat(0), 2)


@every_level
def test_what_was_missed_at_the_show_is_taken_and_a_true_count_stands(level: Level) -> None:
    game = a_show()
    short, true = game, Game.replay(game.log)
    short.apply(CountAloud(Seat(1), 21 - 3))
    true.apply(CountAloud(Seat(1), 21))

    assert attentive(short.view(Seat(0)), level) == CallMuggins(Seat(0), 3)
    assert not isinstance(choose(true.view(Seat(0)), level, seed=1), CallMuggins)


@every_level
def test_his_heels_are_claimed_before_a_card_is_played(level: Level) -> None:
    game = at_play(family(2), "5H 6H 7D 8C", "TH QC 2D 3S", starter="JH")

    assert choose(game.view(Seat(0)), level, seed=1) == ClaimHeels(Seat(0))
    assert isinstance(choose(game.view(Seat(1)), level, seed=1), PlayCard)

    game.apply(choose(game.view(Seat(1)), level, seed=1))

    assert choose(game.view(Seat(0)), level, seed=1) == ClaimHeels(Seat(0))


def test_points_that_another_took_are_not_called_a_second_time() -> None:
    game = at_play(MUGGINS_4, "9H 9D 4C 4S", "TH QC 2D 3S", "5H 6H 7D 8C", "5D 6C 7S 8S")
    say(game, "1 TH 0", "2 5H 0", "3 5D 0")
    play(game, CallMuggins(Seat(2), 2))

    assert isinstance(choose(game.view(Seat(0)), Level.EXPERT, seed=1), PlayCard)
    assert choose(game.view(Seat(1)), Level.EXPERT, seed=1) == CallMuggins(Seat(1), 2)


@pytest.mark.parametrize("seating", mostly_deep(["2", "3", "4"], ["2"]))
def test_a_library_calls_rightly_at_every_table(seating: str) -> None:
    """Everybody claims at random, and a computer in each seat is asked after each move."""
    seats, shared = SEATINGS[seating]
    rules = PRESETS["short"](seats, **shared, counting=Counting.ALOUD, muggins=True)
    called = 0
    for seed in range(2):
        game, dice = Game.new(rules, chance=PlainChance(seed)), PlainChance(seed + 50)
        while not game.is_over:
            for seat in seats_of(rules):
                if calls_muggins(game.view(seat), Level.EXPERT) and dice.below(2):
                    called += 1
                    happened = game.apply(choose(game.view(seat), Level.EXPERT, seed=seed))

                    assert all(
                        event.taken == event.called for event in happened if isinstance(event, MugginsCalled)
                    )
                    if game.is_over:
                        break
            else:
                game.apply(modest(move_of(game, game.table.waiting_for[0], dice), dice))

    assert called > 10


def modest(move: OwnMove, dice: PlainChance) -> OwnMove:
    """The move with a claim of few points, if it has one."""
    match move:
        case PlayCard(seat, played):
            return PlayCard(seat, played, dice.below(3))
        case CountAloud(seat):
            return CountAloud(seat, dice.below(6))
        case _:
            return move


@pytest.mark.deep
@pytest.mark.parametrize(
    ("level", "short", "noticed"),
    [
        (Level.LEARNER, (0.30, 0.42), (0.0, 0.07)),
        (Level.BEGINNER, (0.18, 0.30), (0.08, 0.24)),
        (Level.STEADY, (0.01, 0.07), (0.45, 0.75)),
        (Level.EXPERT, (0.0, 0.0), (1.0, 1.0)),
    ],
)
def test_levels_overlook_and_notice_as_often_as_documented(
    level: Level, short: tuple[float, float], noticed: tuple[float, float]
) -> None:
    dice = PlainChance(7)
    counted = overlooked = seen = 0
    for seed in range(200):
        pack = dice.shuffled(PACK)
        game = settled(at_show(MUGGINS, spell(pack[:4]), spell(pack[4:8]), starter=str(pack[8])))
        worth = count(game.table.shown[0].cards, starter=pack[8]).points
        move = choose(game.view(Seat(1)), level, seed=seed)
        assert isinstance(move, CountAloud)
        if worth:
            counted += 1
            overlooked += move.points < worth
            game.apply(CountAloud(Seat(1), worth - 1))
            seen += calls_muggins(game.view(Seat(0)), level)

    assert short[0] <= overlooked / counted <= short[1]
    assert noticed[0] <= seen / counted <= noticed[1]


@every_level
def test_the_same_count_is_claimed_alike_each_time(level: Level) -> None:
    game = a_show()
    claims = [choose(game.view(Seat(1)), level, seed=seed) for seed in range(60)]

    assert claims == [choose(Game.replay(game.log).view(Seat(1)), level, seed=seed) for seed in range(60)]
    assert (len({*claims}) > 1) == (level is not Level.EXPERT)


@pytest.mark.parametrize(
    ("hand", "starter", "short"),
    [
        ("JH 2C 4D 8S", "6H", {0, 1}),
        ("TC JD 5S 2H", "2S", {0, 2}),
        ("7C 7D 2H 9S", "KD", {0}),
        ("3C 4D 5S 5H", "KS", {0, 2, 3, 5}),
    ],
    ids=["his nobs", "second fifteen", "no pair", "double run"],
)
def test_a_beginner_overlooks_what_beginners_do(hand: str, starter: str, short: set[int]) -> None:
    view = showing(cards(hand), card(starter)).view(Seat(1))
    worth = count(cards(hand), starter=card(starter)).points
    moves = [choose(view, Level.BEGINNER, seed=seed) for seed in range(80)]

    assert {worth - move.points for move in moves if isinstance(move, CountAloud)} == short


def test_a_beginner_may_overlook_a_run_in_the_play_and_never_a_pair() -> None:
    run = at_play(MUGGINS, "2C 4C KH KD", "3D 5S TH JH")
    say(run, "1 3D 0", "0 2C 0", "1 5S 0")
    pair = at_play(MUGGINS, "2C 3C KH KD", "3D 5S TH JH")
    say(pair, "1 3D 0")
    runs = {choose(run.view(Seat(0)), Level.BEGINNER, seed=seed) for seed in range(40)}
    pairs = {choose(pair.view(Seat(0)), Level.BEGINNER, seed=seed) for seed in range(40)}

    assert runs == {PlayCard(Seat(0), card("4C"), points) for points in (0, 4)}
    assert pairs == {PlayCard(Seat(0), card("3C"), 2)}


def showing(hand: Cards, starter: Card) -> Game:
    """The show in which seat 1 counts that hand."""
    rest = [each for each in PACK if each not in {*hand, starter}]
    return settled(at_show(MUGGINS, spell(rest[8::10][:4]), spell(hand), starter=str(starter)))


def say(game: Game, *plays: str) -> None:
    """Cards played and what is called for them: "1 KC 0"; goes are said where they must be."""
    for text in plays:
        seat, played, points = text.split()
        while game.table.waiting_for != (Seat(int(seat)),):
            play(game, SayGo(game.table.waiting_for[0]))
        play(game, PlayCard(Seat(int(seat)), card(played), int(points)))
