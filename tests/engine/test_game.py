"""The handle on a game, and every refusal with its facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    TWO_HANDED,
    CallMuggins,
    CannotCount,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    EngineError,
    Game,
    IllegalMove,
    LetStand,
    LogError,
    MugginsCalled,
    MugginsSpent,
    NoComputerFamily,
    NotCoached,
    OwnMove,
    PlayCard,
    PositionError,
    Resign,
    SayGo,
    Seat,
    Stage,
    card,
    cards,
)
from engine import game as game_module
from engine import referee as referee_module
from engine.errors import (
    CardNotHeld,
    CutThereAlready,
    CutTooNearTheEnd,
    GameIsOver,
    ImpossibleCount,
    MustCallPoints,
    MustPlay,
    NoSuchSeat,
    NotationError,
    NotYourTurn,
    OverThirtyOne,
    PointsNotCalled,
    RulesError,
    SameCardTwice,
    WrongNumberOfCards,
    WrongPhase,
)
from engine.evolution import evolve
from engine.rules import Counting
from engine.secret_events import LoggedEvent
from engine.state import State
from tests.engine.games import VARIANTS, Walk, any_move, any_walk
from tests.engine.tables import PlainChance, StackedChance, at_play, at_show, play


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
        assert each.state == Game.replay(each.log).state


@given(any_walk, st.data())
@settings(max_examples=25)
def test_the_state_that_is_taken_over_is_the_state_of_the_log(walked: Walk, data: st.DataObject) -> None:
    steps = walked.steps
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
    assert game.state == Game.replay(game.log).state


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


def test_a_line_of_notation_is_played_and_one_that_is_no_move_or_not_allowed_changes_nothing() -> None:
    game = at_play(TWO_HANDED, "2H 3H 9D KD", "5C 5S 9H TD")

    assert [type(event).__name__ for event in game.play("1 plays TD")] == ["CardPlayed"]
    assert game.table.count == 10

    before = game.log
    with pytest.raises(NotationError):
        game.play("0 plays the fool")
    with pytest.raises(IllegalMove):
        game.play("0 plays 5H")

    assert game.log == before


def test_muggins_is_called_in_the_play_and_at_the_show_only() -> None:
    game = Game.new(TWO_HANDED, chance=PlainChance(1), dealer=Seat(0))
    game.apply(Deal(Seat(0)))
    with pytest.raises(LogError, match="nobody calls muggins while"):
        game.accept((MugginsCalled(Seat(1), 2, 2),))


ALOUD = replace(TWO_HANDED, counting=Counting.ALOUD)
MUGGINS = replace(ALOUD, muggins=True)


def dealing() -> Game:
    return Game.new(TWO_HANDED, chance=StackedChance(), dealer=Seat(0))


def discarding() -> Game:
    """Pone holds the odd clubs and the dealer the even ones, from the ace to the queen."""
    game = dealing()
    play(game, Deal(Seat(0)))
    return game


def cutting() -> Game:
    game = discarding()
    play(game, Discard(Seat(0), cards("2C 4C")), Discard(Seat(1), cards("AC 3C")))
    return game


def cutting_for_deal() -> Game:
    game = Game.new(TWO_HANDED, chance=StackedChance())
    play(game, CutForFirstDeal(Seat(0), 17))
    return game


def playing() -> Game:
    game = at_play(TWO_HANDED, "7D JC 5H 8C", "4H 4S 7S 9H")
    play(game, "1 4H, 0 7D, 1 4S, 0 JC")
    return game


def playing_on() -> Game:
    game = at_play(TWO_HANDED, "7D JC 5H 8C", "4H 2S 7S 9H")
    play(game, "1 9H, 0 JC, 1 7S")
    return game


def muggins() -> Game:
    game = at_play(MUGGINS, "7D JC 5H 8C", "4H 4S 7S 9H")
    play(game, PlayCard(Seat(1), card("4H"), 0))
    return game


def muggins_spent() -> Game:
    game = muggins()
    play(game, CallMuggins(Seat(0), 2))
    return game


def showing() -> Game:
    return at_show(ALOUD, "4C 6D KH 7S", "5H 5S TC JD", starter="5D")


def showing_muggins() -> Game:
    game = at_show(MUGGINS, "4C 6D KH 7S", "5H 5S TC JD", starter="5D")
    while 0 in game.table.muggins_open_to:
        play(game, LetStand(Seat(0)))
    play(game, CountAloud(Seat(1), 29), CountAloud(Seat(0), 29))
    return game


ONE, NOUGHT = Seat(1), Seat(0)

Refusal = tuple[Callable[[], Game], OwnMove, type[IllegalMove], dict[str, Any]]


def refused(table: Callable[[], Game], move: OwnMove, kind: type[IllegalMove], **facts: Any) -> Refusal:
    """A move that is refused at that table, and with what facts."""
    return table, move, kind, facts


REFUSED: dict[str, Refusal] = {
    "dealing from nowhere": refused(dealing, Deal(Seat(2)), NoSuchSeat, seats=2),
    "discarding from nowhere": refused(discarding, Discard(Seat(-1), cards("AC 3C")), NoSuchSeat, seats=2),
    "giving up from nowhere": refused(dealing, Resign(Seat(7)), NoSuchSeat, seats=2),
    "dealing for the dealer": refused(dealing, Deal(ONE), NotYourTurn, waiting_for=(0,)),
    "cutting for pone": refused(cutting, CutStarter(NOUGHT), NotYourTurn, waiting_for=(1,)),
    "cutting for the deal twice": refused(
        cutting_for_deal, CutForFirstDeal(NOUGHT, 18), NotYourTurn, waiting_for=(1,)
    ),
    "dealing before the cut": refused(cutting_for_deal, Deal(NOUGHT), WrongPhase, stage="cutting_for_deal"),
    "cutting for the deal at another's place": refused(
        cutting_for_deal, CutForFirstDeal(ONE, 17), CutThereAlready, place=17
    ),
    "cutting for the deal at the top": refused(
        cutting_for_deal, CutForFirstDeal(ONE, 3), CutTooNearTheEnd, place=3, first=4, last=48
    ),
    "cutting at the bottom": refused(
        cutting, CutStarter(ONE, 37), CutTooNearTheEnd, place=37, first=4, last=36
    ),
    "muggins after a wrong call": refused(muggins_spent, CallMuggins(NOUGHT, 2), MugginsSpent),
    "a card out of turn": refused(playing_on, PlayCard(ONE, card("2S")), NotYourTurn, waiting_for=(0,)),
    "a go out of turn": refused(playing, SayGo(NOUGHT), NotYourTurn, waiting_for=(1,)),
    "another's hand": refused(showing, CountAloud(NOUGHT, 4), NotYourTurn, waiting_for=(1,)),
    "muggins on oneself": refused(muggins, CallMuggins(ONE, 2), NotYourTurn, waiting_for=(0,)),
    "letting one's own stand": refused(showing_muggins, LetStand(NOUGHT), NotYourTurn, waiting_for=(1,)),
    "rushing to the crib": refused(showing_muggins, CountAloud(NOUGHT, 4), NotYourTurn, waiting_for=(1,)),
    "a card before the deal": refused(dealing, PlayCard(ONE, card("5H")), WrongPhase, stage="dealing"),
    "dealing twice": refused(discarding, Deal(NOUGHT), WrongPhase, stage="discarding"),
    "discarding too late": refused(playing, Discard(ONE, cards("7S 9H")), WrongPhase, stage="playing"),
    "heels without a jack": refused(playing, ClaimHeels(NOUGHT), WrongPhase, stage="playing"),
    "muggins without muggins": refused(playing, CallMuggins(NOUGHT, 2), WrongPhase, stage="playing"),
    "counting what the machine counts": refused(playing, CountAloud(ONE, 2), WrongPhase, stage="playing"),
    "letting a card stand": refused(muggins, LetStand(NOUGHT), WrongPhase, stage="playing"),
    "a go at the show": refused(showing, SayGo(ONE), WrongPhase, stage="showing"),
    "another's card": refused(playing, PlayCard(ONE, card("5H")), CardNotHeld, card=card("5H")),
    "a card played before": refused(playing, PlayCard(ONE, card("4H")), CardNotHeld, card=card("4H")),
    "giving another's card": refused(discarding, Discard(ONE, cards("AC 2C")), CardNotHeld, card=card("2C")),
    "giving one card twice": refused(
        discarding, Discard(ONE, cards("AC AC")), SameCardTwice, card=card("AC")
    ),
    "giving too few": refused(discarding, Discard(ONE, cards("AC")), WrongNumberOfCards, given=1, wanted=2),
    "giving none": refused(discarding, Discard(ONE, ()), WrongNumberOfCards, given=0, wanted=2),
    "giving too many": refused(
        discarding, Discard(ONE, cards("AC 3C 5C")), WrongNumberOfCards, given=3, wanted=2
    ),
    "past thirty-one": refused(
        playing, PlayCard(ONE, card("7S")), OverThirtyOne, card=card("7S"), count=25, playable=()
    ),
    "a go with a card to play": refused(playing_on, SayGo(NOUGHT), MustPlay, playable=cards("5H")),
    "more than a hand can be": refused(showing, CountAloud(ONE, 30), ImpossibleCount, points=30, most=29),
    "less than nothing": refused(showing, CountAloud(ONE, -1), ImpossibleCount, points=-1, most=29),
    "muggins for nothing": refused(muggins, CallMuggins(NOUGHT, 0), ImpossibleCount, points=0, most=29),
    "muggins for too much": refused(
        showing_muggins, CallMuggins(ONE, 30), ImpossibleCount, points=30, most=29
    ),
    "more than a card can be": refused(
        muggins, PlayCard(NOUGHT, card("7D"), 15), ImpossibleCount, points=15, most=14
    ),
    "a card in silence": refused(muggins, PlayCard(NOUGHT, card("7D")), MustCallPoints, card=card("7D")),
    "a card called for nothing": refused(playing_on, PlayCard(NOUGHT, card("5H"), 15), PointsNotCalled),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_its_facts_and_changes_nothing(name: str) -> None:
    table, move, kind, facts = REFUSED[name]
    game = table()
    before = (game.log, game.state)
    with pytest.raises(IllegalMove) as refusal:
        game.apply(move)
    error = refusal.value

    assert kind is type(error)
    assert str(error) == f"seat {move.seat}: {error.why}"
    assert error.why.endswith((".", ")"))
    expected: dict[str, Any] = {"seat": move.seat, **facts}
    if kind is WrongPhase:
        expected |= {"move": type(move), "waiting_for": game.table.waiting_for}
    assert expected == {name: getattr(error, name) for name in error.__dataclass_fields__}
    assert before == (game.log, game.state)


def kinds(of: type[EngineError]) -> Iterator[type[EngineError]]:
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_refusal_is_provoked_here() -> None:
    assert {kind for _, _, kind, _ in REFUSED.values()} == set(kinds(IllegalMove))


def test_the_tree_of_errors_is_as_drawn() -> None:
    tree = {RulesError, CannotCount, NotationError, PositionError, LogError, GameIsOver, IllegalMove}
    tree |= {NoComputerFamily, NotCoached}

    assert tree == set(EngineError.__subclasses__())
    assert set(kinds(IllegalMove)) == set(IllegalMove.__subclasses__())


def test_a_game_is_not_begun_by_a_dealer_that_is_not_there() -> None:
    for seat in (-1, 2):
        with pytest.raises(NoSuchSeat):
            Game.new(TWO_HANDED, chance=PlainChance(0), dealer=Seat(seat))


TABLES = {each.__name__: each for each in (cutting_for_deal, dealing, discarding, cutting, playing, showing)}


@pytest.mark.parametrize("table", TABLES)
def test_nobody_sees_from_where_nobody_sits(table: str) -> None:
    game = TABLES[table]()
    for seat in (Seat(-1), Seat(2)):
        assert not game.legal_moves(seat)
        with pytest.raises(NoSuchSeat):
            game.view(seat)
