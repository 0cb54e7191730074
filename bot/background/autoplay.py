"""The move for a player whose time ran out: the one that the steady computer would make in their seat.

Where players count aloud it overlooks nothing: the clock costs nobody points of their own hand.
It is chosen from the player's view; the same view and seed give the same move. Under rules for which the
computer cannot discard or play, a plain move replaces it: the discard that leaves most points in the hand,
and the card that scores most.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.table_record import STAND_IN
from engine import (
    Card,
    Cards,
    Discard,
    NoComputerFamily,
    OwnMove,
    PlayCard,
    PlayerView,
    TableView,
    fifteens,
    pairs,
    runs,
    scores_in_play,
    total,
)
from engine.computer import FULL_ATTENTION, SKILLS, choose_with, claim

_SKILL = replace(SKILLS[STAND_IN], attention=FULL_ATTENTION)


def autoplay_move(view: PlayerView, seed: int) -> OwnMove:
    """The move for a seat that the game waits for. CPU-bound: run it in the worker thread."""
    try:
        return choose_with(view, _SKILL, seed=seed)
    except NoComputerFamily:
        return plain_move(view)


def plain_move(view: PlayerView) -> OwnMove:
    """A legal move for a seat that the game waits for, under any rules."""
    moves = view.legal_moves
    discards = [move for move in moves if isinstance(move, Discard)]
    if discards:
        return max(discards, key=lambda move: _worth_keeping(_kept(view, move.cards)))
    plays = [move for move in moves if isinstance(move, PlayCard)]
    if plays:
        return _best_play(view, plays)
    if (claimed := claim(view, FULL_ATTENTION, seed=0)) is not None:
        return claimed
    return moves.moves[-1]


def _kept(view: PlayerView, given: Cards) -> Cards:
    """The hand that a discard leaves; cards that were chosen for the crib before count as held."""
    return tuple(each for each in (*view.hand, *view.discarded) if each not in given)


def _worth_keeping(kept: Cards) -> int:
    """Points of a hand without a starter."""
    in_order = tuple(sorted(kept))
    scores = (*fifteens(in_order), *pairs(in_order), *runs(in_order))
    suited = len(kept) if len({each.suit for each in kept}) == 1 else 0
    return total(scores) + suited


def _best_play(view: PlayerView, plays: list[PlayCard]) -> PlayCard:
    """The card that scores most, of equal ones the highest; under muggins, claims all that it scores."""
    best = max(plays, key=lambda play: (_scored(view.table, play.card), play.card.rank, play.card.suit.value))
    if best.points is None:
        return best
    return PlayCard(view.seat, best.card, _scored(view.table, best.card))


def _scored(table: TableView, card: Card) -> int:
    series = (*(played.card for played in table.series), card)
    return total(scores_in_play(series, table.rules))
