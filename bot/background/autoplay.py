"""What is moved for a player who is away: plain, legal, and the same every time.

It discards what leaves the most points in the hand, plays the card that scores most, counts what there is,
and takes nothing from anybody. It sees what the player would see, and never plays to win: that is the
computer player's business, not the clock's.
"""

from __future__ import annotations

from engine import (
    Card,
    Cards,
    CountAloud,
    Discard,
    LetStand,
    OwnMove,
    PlayCard,
    PlayerView,
    Source,
    TableView,
    count,
    fifteens,
    pairs,
    runs,
    scores_in_play,
    total,
)


def stand_in_move(view: PlayerView) -> OwnMove:
    """The move for a seat that the game waits for; which must have one."""
    moves = view.legal_moves
    discards = [move for move in moves if isinstance(move, Discard)]
    if discards:
        return max(discards, key=lambda move: _worth_keeping(_kept(view, move.cards)))
    plays = [move for move in moves if isinstance(move, PlayCard)]
    if plays:
        return _best_play(view, plays)
    if any(isinstance(move, CountAloud) for move in moves):
        return CountAloud(view.seat, _true_count(view.table))
    if any(isinstance(move, LetStand) for move in moves):
        return LetStand(view.seat)
    return moves.moves[-1]


def _kept(view: PlayerView, given: Cards) -> Cards:
    """The hand that a discard leaves; a choice made before is open again."""
    return tuple(each for each in (*view.hand, *view.discarded) if each not in given)


def _worth_keeping(kept: Cards) -> int:
    """The points that lie in a hand before the starter is known."""
    in_order = tuple(sorted(kept))
    scores = (*fifteens(in_order), *pairs(in_order), *runs(in_order))
    suited = len(kept) if len({each.suit for each in kept}) == 1 else 0
    return total(scores) + suited


def _best_play(view: PlayerView, plays: list[PlayCard]) -> PlayCard:
    """The card that scores most, of equal ones the highest; with muggins, all it scores is called."""
    best = max(plays, key=lambda play: (_scored(view.table, play.card), play.card.rank, play.card.suit.value))
    if best.points is None:
        return best
    return PlayCard(view.seat, best.card, _scored(view.table, best.card))


def _scored(table: TableView, card: Card) -> int:
    series = (*(played.card for played in table.series), card)
    return total(scores_in_play(series, table.rules))


def _true_count(table: TableView) -> int:
    shown = table.shown[-1]
    assert table.starter is not None, "nothing is shown before the starter is cut"
    is_crib = shown.source is Source.CRIB
    return count(shown.cards, starter=table.starter, rules=table.rules, crib=is_crib).points
