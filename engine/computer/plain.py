"""A plain move under any rules: the discard that leaves most in the hand, and the card that scores most."""

from __future__ import annotations

from engine.cards import Card, Cards
from engine.computer.claims import claim
from engine.computer.levels import FULL_ATTENTION
from engine.counting import fifteens, pairs, runs
from engine.moves import Discard, OwnMove, PlayCard
from engine.pegging import scores_in_play
from engine.scores import total
from engine.views import PlayerView, TableView


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
