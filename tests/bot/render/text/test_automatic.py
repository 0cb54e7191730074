"""Texts tell the clock's moves from the players' own."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

from bot.render.text.automatic import automatic, clock_discarded
from engine import (
    PRESETS,
    CardPlayed,
    CardsDiscarded,
    Chance,
    ClaimHeels,
    CutStarter,
    Deal,
    Game,
    HeelsClaimed,
    PreArranged,
    PublicEvent,
    Seat,
    Stage,
    StandIn,
    StarterCut,
)
from engine.computer import plain_move
from engine.secret_events import public

ADA, BEN = Seat(0), Seat(1)


def dealt() -> Game:
    return Game.new(PRESETS["standard"](2), chance=Chance(Random(1)), dealer=ADA, automatic={Deal})


def test_a_move_is_the_clock_s_when_it_stood_in_for_its_player() -> None:
    game = dealt()
    while game.table.stage is not Stage.SHOWING and game.table.deal_number == 1:
        seat = game.table.waiting_for[0]
        move = plain_move(game.view(seat))
        game.apply(StandIn(move) if seat == BEN else move)

    moves = [
        (event, is_the_clocks)
        for event, is_the_clocks in automatic(public(game.log))
        if isinstance(event, CardsDiscarded | StarterCut | CardPlayed)
    ]
    assert {type(event) for event, _ in moves} == {CardsDiscarded, StarterCut, CardPlayed}
    assert all(is_the_clocks is (event.seat == BEN) for event, is_the_clocks in moves)


def test_who_is_back_moves_for_themselves() -> None:
    game = dealt()
    game.apply(plain_move(game.view(ADA)))
    game.apply(StandIn(plain_move(game.view(BEN))))
    assert clock_discarded(public(game.log), BEN)
    assert not clock_discarded(public(game.log), ADA)

    game.apply(plain_move(game.view(BEN)))  # cuts, and is back
    [cut] = [each for event, each in automatic(public(game.log)) if isinstance(event, StarterCut)]
    assert not cut
    assert clock_discarded(public(game.log), BEN), "what went to the crib is still the clock's"


def test_a_cut_that_its_player_wants_every_time_is_not_the_clock_s() -> None:
    game = dealt()
    game.apply(plain_move(game.view(ADA)))
    game.apply(StandIn(plain_move(game.view(BEN))))
    game.apply(PreArranged(CutStarter(BEN)))

    [cut] = [each for event, each in automatic(public(game.log)) if isinstance(event, StarterCut)]
    assert not cut


def test_who_is_back_after_the_clock_claimed_their_heels_plays_for_themselves() -> None:
    rules = replace(PRESETS["standard"](2), heels_claimed=True)
    seeds = (Game.new(rules, chance=Chance(Random(seed)), dealer=BEN, automatic={Deal}) for seed in count())
    game = next(each for each in seeds if _turns_a_jack(each))
    game.apply(StandIn(ClaimHeels(BEN)))
    for _ in range(2):  # Ada leads, and Ben is back
        game.apply(plain_move(game.view(game.table.waiting_for[0])))

    moves = {type(event): each for event, each in automatic(public(game.log)) if _is_of(event, BEN)}
    assert not moves[CardPlayed]
    assert moves[HeelsClaimed]


def _turns_a_jack(game: Game) -> bool:
    """True if the starter is a jack, once all have discarded."""
    for seat in (ADA, BEN, ADA):
        game.apply(plain_move(game.view(seat)))
    return ClaimHeels(BEN) in game.legal_moves(BEN)


def _is_of(event: PublicEvent, seat: Seat) -> bool:
    return isinstance(event, HeelsClaimed | CardPlayed) and event.seat == seat
