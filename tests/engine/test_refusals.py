"""Every refusal, with its facts; none is left unprovoked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

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
    MugginsSpent,
    NoComputerFamily,
    NotCoached,
    OwnMove,
    PlayCard,
    PositionError,
    Resign,
    SayGo,
    Seat,
    card,
    cards,
)
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
from engine.rules import Counting
from tests.engine.tables import PlainChance, StackedChance, at_play, at_show, play, plays

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
    play(game, *plays("1 4H, 0 7D, 1 4S, 0 JC"))
    return game


def playing_on() -> Game:
    game = at_play(TWO_HANDED, "7D JC 5H 8C", "4H 2S 7S 9H")
    play(game, *plays("1 9H, 0 JC, 1 7S"))
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


@dataclass(frozen=True)
class Refused:
    """A move that is refused, and with what facts."""

    table: Callable[[], Game]
    move: OwnMove
    kind: type[IllegalMove]
    facts: dict[str, Any]


ONE, NOUGHT = Seat(1), Seat(0)

REFUSED = {
    "dealing from nowhere": Refused(dealing, Deal(Seat(2)), NoSuchSeat, {"seats": 2}),
    "discarding from nowhere": Refused(
        discarding, Discard(Seat(-1), cards("AC 3C")), NoSuchSeat, {"seats": 2}
    ),
    "giving up from nowhere": Refused(dealing, Resign(Seat(7)), NoSuchSeat, {"seats": 2}),
    "dealing for the dealer": Refused(dealing, Deal(ONE), NotYourTurn, {"waiting_for": (0,)}),
    "cutting for pone": Refused(cutting, CutStarter(NOUGHT), NotYourTurn, {"waiting_for": (1,)}),
    "cutting for the deal twice": Refused(
        cutting_for_deal, CutForFirstDeal(NOUGHT, 18), NotYourTurn, {"waiting_for": (1,)}
    ),
    "dealing before the cut": Refused(
        cutting_for_deal, Deal(NOUGHT), WrongPhase, {"stage": "cutting_for_deal"}
    ),
    "cutting for the deal at another's place": Refused(
        cutting_for_deal, CutForFirstDeal(ONE, 17), CutThereAlready, {"place": 17}
    ),
    "cutting for the deal at the top": Refused(
        cutting_for_deal, CutForFirstDeal(ONE, 3), CutTooNearTheEnd, {"place": 3, "first": 4, "last": 48}
    ),
    "cutting at the bottom": Refused(
        cutting, CutStarter(ONE, 37), CutTooNearTheEnd, {"place": 37, "first": 4, "last": 36}
    ),
    "muggins after a wrong call": Refused(muggins_spent, CallMuggins(NOUGHT, 2), MugginsSpent, {}),
    "a card out of turn": Refused(playing_on, PlayCard(ONE, card("2S")), NotYourTurn, {"waiting_for": (0,)}),
    "a go out of turn": Refused(playing, SayGo(NOUGHT), NotYourTurn, {"waiting_for": (1,)}),
    "another's hand": Refused(showing, CountAloud(NOUGHT, 4), NotYourTurn, {"waiting_for": (1,)}),
    "muggins on oneself": Refused(muggins, CallMuggins(ONE, 2), NotYourTurn, {"waiting_for": (0,)}),
    "letting one's own stand": Refused(showing_muggins, LetStand(NOUGHT), NotYourTurn, {"waiting_for": (1,)}),
    "rushing to the crib": Refused(
        showing_muggins, CountAloud(NOUGHT, 4), NotYourTurn, {"waiting_for": (1,)}
    ),
    "a card before the deal": Refused(dealing, PlayCard(ONE, card("5H")), WrongPhase, {"stage": "dealing"}),
    "dealing twice": Refused(discarding, Deal(NOUGHT), WrongPhase, {"stage": "discarding"}),
    "discarding too late": Refused(playing, Discard(ONE, cards("7S 9H")), WrongPhase, {"stage": "playing"}),
    "heels without a jack": Refused(playing, ClaimHeels(NOUGHT), WrongPhase, {"stage": "playing"}),
    "muggins without muggins": Refused(playing, CallMuggins(NOUGHT, 2), WrongPhase, {"stage": "playing"}),
    "counting what the machine counts": Refused(
        playing, CountAloud(ONE, 2), WrongPhase, {"stage": "playing"}
    ),
    "letting a card stand": Refused(muggins, LetStand(NOUGHT), WrongPhase, {"stage": "playing"}),
    "a go at the show": Refused(showing, SayGo(ONE), WrongPhase, {"stage": "showing"}),
    "another's card": Refused(playing, PlayCard(ONE, card("5H")), CardNotHeld, {"card": card("5H")}),
    "a card played before": Refused(playing, PlayCard(ONE, card("4H")), CardNotHeld, {"card": card("4H")}),
    "giving another's card": Refused(
        discarding, Discard(ONE, cards("AC 2C")), CardNotHeld, {"card": card("2C")}
    ),
    "giving one card twice": Refused(
        discarding, Discard(ONE, cards("AC AC")), SameCardTwice, {"card": card("AC")}
    ),
    "giving too few": Refused(
        discarding, Discard(ONE, cards("AC")), WrongNumberOfCards, {"given": 1, "wanted": 2}
    ),
    "giving none": Refused(discarding, Discard(ONE, ()), WrongNumberOfCards, {"given": 0, "wanted": 2}),
    "giving too many": Refused(
        discarding, Discard(ONE, cards("AC 3C 5C")), WrongNumberOfCards, {"given": 3, "wanted": 2}
    ),
    "past thirty-one": Refused(
        playing, PlayCard(ONE, card("7S")), OverThirtyOne, {"card": card("7S"), "count": 25, "playable": ()}
    ),
    "a go with a card to play": Refused(playing_on, SayGo(NOUGHT), MustPlay, {"playable": cards("5H")}),
    "more than a hand can be": Refused(
        showing, CountAloud(ONE, 30), ImpossibleCount, {"points": 30, "most": 29}
    ),
    "less than nothing": Refused(showing, CountAloud(ONE, -1), ImpossibleCount, {"points": -1, "most": 29}),
    "muggins for nothing": Refused(
        muggins, CallMuggins(NOUGHT, 0), ImpossibleCount, {"points": 0, "most": 29}
    ),
    "muggins for too much": Refused(
        showing_muggins, CallMuggins(ONE, 30), ImpossibleCount, {"points": 30, "most": 29}
    ),
    "more than a card can be": Refused(
        muggins, PlayCard(NOUGHT, card("7D"), 15), ImpossibleCount, {"points": 15, "most": 14}
    ),
    "a card in silence": Refused(muggins, PlayCard(NOUGHT, card("7D")), MustCallPoints, {"card": card("7D")}),
    "a card called for nothing": Refused(playing_on, PlayCard(NOUGHT, card("5H"), 15), PointsNotCalled, {}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_its_facts_and_changes_nothing(name: str) -> None:
    refused = REFUSED[name]
    game = refused.table()
    before = (game.log, game._state)
    with pytest.raises(IllegalMove) as refusal:
        game.apply(refused.move)
    error = refusal.value

    assert refused.kind is type(error)
    assert str(error) == f"seat {refused.move.seat}: {error.why}"
    assert error.why.endswith((".", ")"))
    facts = {"seat": refused.move.seat} | refused.facts
    if refused.kind is WrongPhase:
        facts |= {"move": type(refused.move), "waiting_for": game.table.waiting_for}
    assert facts == {name: getattr(error, name) for name in error.__dataclass_fields__}
    assert before == (game.log, game._state)


def kinds(of: type[EngineError]) -> Iterator[type[EngineError]]:
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_refusal_is_provoked_here() -> None:
    assert {refused.kind for refused in REFUSED.values()} == set(kinds(IllegalMove))


def test_the_tree_of_errors_is_as_drawn() -> None:
    tree = {RulesError, CannotCount, NotationError, PositionError, LogError, GameIsOver, IllegalMove}
    tree |= {NoComputerFamily, NotCoached}

    assert tree == set(EngineError.__subclasses__())
    assert set(kinds(IllegalMove)) == set(IllegalMove.__subclasses__())


def test_after_the_game_everything_is_refused() -> None:
    game = dealing()
    play(game, Resign(NOUGHT))
    for move in (Deal(NOUGHT), Resign(ONE), Deal(Seat(9))):
        with pytest.raises(GameIsOver):
            game.apply(move)


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
