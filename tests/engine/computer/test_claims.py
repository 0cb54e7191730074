"""The computer's claims beside playing: true counts, muggins on points that others missed, his heels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import (
    PARTNERS,
    TWO_HANDED,
    CallMuggins,
    ClaimHeels,
    CountAloud,
    Game,
    LetStand,
    PlayCard,
    SayGo,
    Seat,
    card,
    count,
    pegging,
)
from engine.computer import Level
from engine.computer.player import choose
from engine.events import Source
from engine.phases import Playing, Showing
from engine.presets import family
from engine.rules import Counting
from engine.scores import total
from tests.engine.computer.matches import TABLES, usual_match
from tests.engine.tables import at_play, at_show, play

MUGGINS = replace(TWO_HANDED, counting=Counting.ALOUD, muggins=True)
MUGGINS_4 = replace(PARTNERS, counting=Counting.ALOUD, muggins=True)
ALOUD = [table for table in TABLES if table.endswith("muggins")]
every_level = pytest.mark.parametrize("level", Level)


@pytest.mark.parametrize("table", ALOUD)
def test_computers_call_and_count_the_truth(table: str) -> None:
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

                assert points == count(shown.cards, starter=starter, rules=rules, crib=crib).points
            case PlayCard(_, played, points):
                cards = turn.state.expect(Playing).cards
                called += 1

                assert points == total(pegging.scores_in_play((*cards, played), rules))
            case CallMuggins():
                pytest.fail("computers miss nothing that another could take")

    assert counted > 5
    assert called > 20


@every_level
def test_what_was_missed_in_the_play_is_taken_and_what_was_called_is_not(level: Level) -> None:
    game = at_play(MUGGINS, "5H 6H 7D 8C", "TH QC 2D 3S")
    say(game, "1 TH 0")

    assert isinstance(choose(game.view(Seat(0)), level, seed=1), PlayCard)

    say(game, "0 5H 0")

    assert choose(game.view(Seat(1)), level, seed=1) == CallMuggins(Seat(1), 2)


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

    assert choose(game.view(Seat(0)), level, seed=1) == CallMuggins(Seat(0), 8 - 3)


@every_level
def test_what_was_missed_with_the_last_card_of_the_play_is_taken_before_the_show(level: Level) -> None:
    """The first hand lies open by then and is not counted yet."""
    game = at_play(MUGGINS, "QH AH 2H 3H", "KC JC TC 3C")
    say(game, "1 KC 0", "0 QH 0", "1 JC 3", "0 AH 2", "1 TC 0", "0 2H 0", "1 3C 2", "0 3H 0")
    view = game.view(Seat(1))

    assert view.table.stage.value == "showing"
    assert choose(view, level, seed=1) == CallMuggins(Seat(1), 2)

    game.apply(CallMuggins(Seat(1), 2))

    assert isinstance(choose(game.view(Seat(1)), level, seed=1), CountAloud)


@every_level
def test_a_computer_calls_what_the_opponents_missed_and_not_what_its_partner_missed(level: Level) -> None:
    game = at_play(MUGGINS_4, "9H 9D 4C 4S", "TH QC 2D 3S", "5H 6H 7D 8C", "5D 6C 7S 8S")
    say(game, "1 TH 0", "2 5H 1", "3 5D 0")

    assert choose(game.view(Seat(1)), level, seed=1) == CallMuggins(Seat(1), 1)
    assert choose(game.view(Seat(0)), level, seed=1) == CallMuggins(Seat(0), 2)


@every_level
def test_what_was_missed_at_the_show_is_taken_and_a_true_count_stands(level: Level) -> None:
    game = at_show(MUGGINS, "4C 6D KH 7S", "5H 5S TC JD", starter="5D", crib="2C 2D 9C KS")
    while game.table.muggins_open_to:
        game.apply(LetStand(game.table.muggins_open_to[0]))
    worth = count(game.table.shown[0].cards, starter=card("5D")).points
    short, true = (Game.replay(game.log) for _ in range(2))
    short.apply(CountAloud(Seat(1), worth - 3))
    true.apply(CountAloud(Seat(1), worth))

    assert choose(short.view(Seat(0)), level, seed=1) == CallMuggins(Seat(0), 3)
    assert not isinstance(choose(true.view(Seat(0)), level, seed=1), CallMuggins)


@every_level
def test_his_heels_are_claimed_before_a_card_is_played(level: Level) -> None:
    game = at_play(family(2), "5H 6H 7D 8C", "TH QC 2D 3S", starter="JH")

    assert choose(game.view(Seat(0)), level, seed=1) == ClaimHeels(Seat(0))
    assert isinstance(choose(game.view(Seat(1)), level, seed=1), PlayCard)

    game.apply(choose(game.view(Seat(1)), level, seed=1))

    assert choose(game.view(Seat(0)), level, seed=1) == ClaimHeels(Seat(0))


def test_no_computer_ever_forgets_his_heels() -> None:
    claimed = 0
    for table in TABLES:
        if table.startswith("family"):
            for turn in usual_match(table):
                if isinstance(turn.state.phase, Playing) and turn.state.phase.heels_open:
                    claimed += isinstance(turn.move, ClaimHeels)

                    assert turn.seat != turn.state.dealer or isinstance(turn.move, ClaimHeels)

    assert claimed >= 2


def say(game: Game, *plays: str) -> None:
    """Cards played and what is called for them: "1 KC 0"; goes are said where they must be."""
    for text in plays:
        seat, played, points = text.split()
        while game.table.waiting_for != (Seat(int(seat)),):
            play(game, SayGo(game.table.waiting_for[0]))
        play(game, PlayCard(Seat(int(seat)), card(played), int(points)))
