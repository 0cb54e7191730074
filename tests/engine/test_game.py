"""The handle on a game, every refusal with its facts, and what holds in every game of every variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    PACK,
    TWO_HANDED,
    CallMuggins,
    CannotCount,
    Card,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    EngineError,
    Game,
    GameIsOver,
    IllegalMove,
    LetStand,
    LogError,
    Move,
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
    Side,
    Stage,
    card,
    cards,
)
from engine.errors import (
    CardNotHeld,
    CutThereAlready,
    CutTooNearTheEnd,
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
from engine.events import DealBegan, Ending, GameWon, HandShown, Pegged
from engine.evolution import replay
from engine.legal import legal_moves, waiting_for
from engine.phases import Over, Playing, Showing
from engine.referee import decide
from engine.rules import Counting
from engine.state import State
from tests.engine.games import VARIANTS, Step, Walk, any_walk, layout_of, move_of, seats_of
from tests.engine.tables import PlainChance, StackedChance, at_play, at_show, play


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


NEVER_HOLDS_UP = {ClaimGame, Discard, ClaimHeels, CallMuggins, LetStand}
"""Moves of a seat that the game does not wait for."""

automatic_kinds = st.sets(st.sampled_from((CutForFirstDeal, Deal, CutStarter, SayGo, PlayCard, LetStand)))


@given(any_walk)
@settings(max_examples=25)
def test_games_end_with_one_winner_and_nothing_after_him(game: Walk) -> None:
    log, state = game.log, game.states[-1]
    won = [event for event in log if isinstance(event, GameWon)]

    assert won == [log[-1]]
    assert isinstance(state.phase, Over)
    if won[0].ending is Ending.PEGGED_OUT:
        rules = state.rules
        reached = [side for side, pegs in enumerate(state.pegs) if pegs.front >= rules.target_of(Side(side))]

        assert reached == [1 - won[0].side if rules.low_wins else won[0].side]
        assert isinstance(log[-2], Pegged)


@given(any_walk)
@settings(max_examples=25)
def test_all_fifty_two_cards_are_accounted_for_at_all_times(game: Walk) -> None:
    for state in game.states:
        layout, played = layout_of(state), played_in(state)
        if layout is None:
            continue
        held = chain.from_iterable(held_by(state, seat) for seat in seats_of(state.rules))

        assert Counter(PACK) == Counter((*held, *played, *layout.crib, *layout.pack))
        assert layout.starter is None or layout.starter in layout.pack


def played_in(state: State) -> tuple[Card, ...]:
    phase = state.phase.before if isinstance(state.phase, Over) else state.phase
    if isinstance(phase, Playing):
        return tuple(each.card for series in (*phase.past, phase.series) for each in series)
    if isinstance(phase, Showing):
        return tuple(each.card for series in phase.past for each in series)
    return ()


def held_by(state: State, seat: Seat) -> tuple[Card, ...]:
    """Cards that the seat kept and has not played, from the layout only."""
    layout = layout_of(state)
    assert layout is not None
    gone = {*layout.discarded[seat], *played_in(state)}
    return tuple(each for each in layout.dealt[seat] if each not in gone)


@given(any_walk)
@settings(max_examples=25)
def test_a_score_is_the_sum_of_what_was_pegged(game: Walk) -> None:
    rules = game.steps[0].before.rules
    sums = [rules.start] * rules.sides
    for step in game.steps:
        for event in step.events:
            if isinstance(event, Pegged):
                assert event.points > 0
                assert event.points == sum(score.points for score in event.scores)
                sums[rules.side_of(event.seat)] += event.points

        assert sums == [pegs.front for pegs in step.after.pegs]


@given(any_walk, st.data())
@settings(max_examples=25)
def test_the_log_is_the_game(game: Walk, data: st.DataObject) -> None:
    length = data.draw(st.integers(0, len(game.steps)))
    log = (*game.opening, *(event for step in game.steps[:length] for event in step.events))

    assert game.states[length] == replay(log)
    assert Game.replay(game.log).log == game.log


@given(any_walk)
@settings(max_examples=25)
def test_somebody_who_is_waited_for_can_move_and_nobody_else_holds_up(game: Walk) -> None:
    for state in game.states[:-1]:
        waiting = waiting_for(state)
        others = set(seats_of(state.rules)).difference(waiting)

        assert waiting
        assert all(legal_moves(state, seat) for seat in waiting)
        assert all(legal_moves(state, seat).kinds <= NEVER_HOLDS_UP for seat in others)


@given(any_walk)
@settings(max_examples=25)
def test_after_the_winning_peg_nothing_can_be_done(game: Walk) -> None:
    over = game.steps[-1].after

    assert not waiting_for(over)
    for seat in seats_of(over.rules):
        assert not legal_moves(over, seat)
        for move in (Deal(seat), Resign(seat), CountAloud(seat, 0)):
            with pytest.raises(GameIsOver):
                decide(over, move, PlainChance(0))


@st.composite
def moments(draw: st.DrawFn) -> Step:
    """Any step of any game."""
    steps = draw(any_walk).steps
    return steps[draw(st.integers(0, len(steps) - 1))]


any_seat = st.integers(-1, 5).map(Seat)
any_card = st.sampled_from(PACK)
points = st.integers(-1, 31)
places = st.integers(-1, 53)
PLAIN = [
    kind(Seat(seat))
    for kind in (CutForFirstDeal, Deal, CutStarter, ClaimHeels, SayGo, LetStand)
    for seat in range(-1, 6)
]
"""Every move that is nothing but its kind, from every seat and from where nobody sits."""

moves_with_cards_or_points = st.one_of(
    st.builds(Discard, any_seat, st.lists(any_card, max_size=4).map(tuple)),
    st.builds(PlayCard, any_seat, any_card, st.none() | points),
    st.builds(CutForFirstDeal, any_seat, places),
    st.builds(CutStarter, any_seat, places),
    st.builds(CountAloud, any_seat, points),
    st.builds(CallMuggins, any_seat, points),
)


@given(moments(), st.lists(moves_with_cards_or_points, max_size=20))
@settings(max_examples=25)
def test_a_move_is_listed_or_refused_and_a_refusal_changes_nothing(step: Step, moves: list[OwnMove]) -> None:
    """Cards that are really held come closest to a legal move."""
    state = step.before
    kept = (repr(state), hash(state))
    own = {seat: held_by(state, seat) if layout_of(state) else PACK[:6] for seat in seats_of(state.rules)}
    close: list[OwnMove] = [
        move
        for seat, hand in own.items()
        for move in (
            Discard(seat, hand),
            *(PlayCard(seat, each, called) for each in hand for called in (None, 2)),
            *(Discard(seat, (each,)) for each in hand),
        )
    ]
    for move in (*PLAIN, *moves, *close):
        if move in legal_moves(state, move.seat):
            continue
        with pytest.raises(IllegalMove) as refusal:
            decide(state, move, PlainChance(0))

        assert move.seat == refusal.value.seat
    assert kept == (repr(state), hash(state))


@given(moments())
@settings(max_examples=25)
def test_every_move_that_is_listed_is_accepted(step: Step) -> None:
    state = step.before
    for seat in seats_of(state.rules):
        for move in (*legal_moves(state, seat), Resign(seat)):
            assert move.seat == seat

            decide(state, move, PlainChance(0))


@given(any_walk, st.data(), st.integers(0, 2**32))
@settings(max_examples=25)
def test_deciding_changes_nothing_and_is_settled_by_state_move_and_chance(
    walked: Walk, data: st.DataObject, seed: int
) -> None:
    place = data.draw(st.integers(0, len(walked.steps) - 1))
    log = (*walked.opening, *(event for step in walked.steps[:place] for event in step.events))
    game = Game.replay(log, chance=PlainChance(seed))
    once = game.decide(walked.steps[place].move)

    assert log == game.log
    assert walked.steps[place].before == game.state
    assert once == Game.replay(log, chance=PlainChance(seed)).decide(walked.steps[place].move)


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32), automatic_kinds)
@settings(max_examples=4)
def test_what_is_automatic_is_what_a_player_would_have_done(
    name: str, seed: int, automatic: set[type[Move]]
) -> None:
    by_hand = Game.new(VARIANTS[name], chance=PlainChance(seed))
    by_itself = Game.new(VARIANTS[name], chance=PlainChance(seed), automatic=automatic)
    dice = PlainChance(seed + 1)
    while not by_hand.is_over:
        if forced := only_move(by_hand, automatic):
            by_hand.apply(forced)
            continue

        assert by_hand.log == by_itself.log

        move = move_of(by_hand, by_hand.table.waiting_for[0], dice)
        by_hand.apply(move)
        by_itself.apply(move)

    assert by_hand.log == by_itself.log


def only_move(game: Game, automatic: set[type[Move]]) -> Move | None:
    for seat in game.table.waiting_for:
        moves = game.legal_moves(seat)
        forced = list(moves)[-1]
        if moves.kinds <= automatic and (len(moves) == 1 or isinstance(forced, CutStarter | CutForFirstDeal)):
            return forced
    return None


@given(any_walk)
@settings(max_examples=25)
def test_hands_are_shown_from_the_dealers_left_and_the_crib_last(game: Walk) -> None:
    rules = game.steps[0].before.rules
    dealer = Seat(0)
    shown: list[tuple[int, str]] = []
    for event in game.log:
        match event:
            case DealBegan():
                dealer, shown = event.dealer, []
            case HandShown():
                shown.append((event.seat, event.source.value))
                order = [((dealer + 1 + place) % rules.seats, "hand") for place in range(rules.seats)]

                assert shown == [*order, (dealer, "crib")][: len(shown)]
