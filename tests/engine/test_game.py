"""The handle on a game: each event is folded once, deciding changes nothing, and answers are remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    TWO_HANDED,
    CutForFirstDeal,
    Deal,
    Discard,
    Game,
    LogError,
    MugginsCalled,
    PlayCard,
    Resign,
    SayGo,
    Seat,
    Stage,
    card,
)
from engine import game as game_module
from engine import referee as referee_module
from engine.evolution import evolve
from engine.secret_events import LoggedEvent
from engine.state import State
from tests.engine.games import VARIANTS, any_move, walk
from tests.engine.tables import PlainChance, at_play


@pytest.fixture
def folded() -> Iterator[Counter[int]]:
    """Counts the folds of each event, by its identity."""
    times = Counter[int]()

    def counting(state: State, event: LoggedEvent) -> State:
        times[id(event)] += 1
        return evolve(state, event)

    with patch.object(game_module, "evolve", counting), patch.object(referee_module, "evolve", counting):
        yield times


@pytest.mark.parametrize("name", ["standard-2-machine", "standard-3-muggins", "lurch-4-aloud"])
def test_every_event_of_a_move_is_folded_once(folded: Counter[int], name: str) -> None:
    game = Game.new(VARIANTS[name], chance=PlainChance(1), automatic={Deal, SayGo})
    dice = PlainChance(2)
    for _ in range(200):
        if game.is_over:
            break
        folded.clear()
        events = game.apply(any_move(game, dice))

        assert folded == Counter(map(id, events))


def test_what_was_decided_can_be_accepted_or_left_or_accepted_by_another_game() -> None:
    game = at_play(TWO_HANDED, "2H 3H 9D KD", "5C 5S 9H TD")
    other = Game.replay(game.log)
    five, ten = (PlayCard(Seat(1), card(each)) for each in ("5C", "TD"))
    first, second = game.decide(five), game.decide(ten)

    assert game.version == other.version
    assert game.table == other.table

    game.accept(first)
    other.accept(second)

    assert [each.table.count for each in (game, other)] == [5, 10]
    for each in (game, other):
        assert each._state == Game.replay(each.log)._state


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 1), st.data())
def test_the_state_that_is_taken_over_is_the_state_of_the_log(
    name: str, seed: int, data: st.DataObject
) -> None:
    steps = walk(name, seed).steps
    step = steps[data.draw(st.integers(0, len(steps) - 1))]
    folded = step.before
    for event in step.events:
        folded = evolve(folded, event)

    assert folded == step.after


def test_a_decision_of_an_earlier_moment_is_folded_like_any_events() -> None:
    game = at_play(TWO_HANDED, "2H 3H 9D KD", "5C 5S 9H TD")
    decided = game.decide(PlayCard(Seat(1), card("TD")))
    game.apply(PlayCard(Seat(1), card("5C")))
    game.accept(decided)

    assert game.table.count == 15
    assert game._state == Game.replay(game.log)._state


def test_events_that_cannot_happen_are_not_accepted_even_in_part() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0))
    before = (game.log, game.table)
    good = game.decide(Deal(Seat(0)))

    with pytest.raises(LogError):
        game.accept((*good, *good[:1], game.log[0]))

    assert before == (game.log, game.table)

    game.accept(good)

    assert game.table.deal_number == 1


def test_what_was_asked_is_remembered_until_the_next_event() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0))
    game.apply(Deal(Seat(0)))
    table, view, log = game.table, game.view(Seat(1)), game.log

    assert game.table is table is game.view(Seat(1)).table is game.view(Seat(0)).table
    assert game.view(Seat(1)) is view
    assert game.legal_moves(Seat(1)) is view.legal_moves
    assert game.log is log

    game.decide(Discard(Seat(1), view.hand[:2]))

    assert game.view(Seat(1)) is view

    game.apply(Discard(Seat(1), view.hand[:2]))

    assert view.discarded == ()
    assert game.view(Seat(1)).discarded == view.hand[:2]
    assert game.table.has_discarded == (False, True)


def test_an_automatic_move_is_made_only_where_it_is_all_that_a_seat_can_do() -> None:
    game = Game.replay(
        at_play(TWO_HANDED, "7D JC 5H 8C", "4H 4S 7S 9H").log,
        chance=PlainChance(1),
        automatic={SayGo, Resign},
    )
    for line in ("1 plays 4H", "0 plays 7D", "1 plays 4S"):
        game.play(line)
    events = game.play("0 plays JC")

    assert [type(event).__name__ for event in events] == ["CardPlayed", "GoSaid"]
    assert game.table.waiting_for == (0,)


def test_automatic_moves_may_be_named_for_one_decision() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1))
    while game.table.stage is Stage.CUTTING_FOR_DEAL:
        game.accept(game.decide(CutForFirstDeal(game.table.waiting_for[0]), automatic={Deal}))
    assert (game.table.stage, game.table.deal_number) == (Stage.DISCARDING, 1)

    dealt = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0), automatic={Deal})
    assert dealt.table.stage is Stage.DISCARDING
    kept = Game.new(TWO_HANDED, chance=PlainChance(1), automatic={CutForFirstDeal, Deal})
    assert kept.table.stage is Stage.DISCARDING
    cutting = Game.new(TWO_HANDED, chance=PlainChance(1))
    for _ in range(2):
        cutting.apply(CutForFirstDeal(cutting.table.waiting_for[0]))
    assert cutting.table.stage is Stage.DEALING, "and for no other"


def test_muggins_is_called_in_the_play_and_at_the_show_only() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0))
    game.apply(Deal(Seat(0)))
    with pytest.raises(LogError, match="nobody calls muggins while"):
        game.accept((MugginsCalled(Seat(1), 2, 2),))
