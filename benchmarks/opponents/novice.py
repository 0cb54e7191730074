"""A scripted novice: takes the fifteens and pairs that are there in the play, and discards at random.

It stands for a person in their first games. It sees no run and no thirty-one, looks no card ahead, and leaves
what it cannot decide to chance, which follows from its cards and the scores.
"""

from __future__ import annotations

from random import Random

from engine import Discard, OwnMove, PlayCard, PlayerView, Reason, scores_in_play

_OBVIOUS = frozenset({Reason.FIFTEEN, Reason.PAIR})


def novice(view: PlayerView) -> OwnMove:
    """The novice's move; its counts are made for it."""
    kinds = view.legal_moves.kinds
    random = Random(f"{view.table.scores} {view.hand} {view.table.deal_number}")
    if Discard in kinds:
        return Discard(view.seat, tuple(random.sample(view.hand, view.table.rules.discarded)))
    if PlayCard in kinds:
        series = tuple(each.card for each in view.table.series)
        playable = view.legal_moves.playable
        scoring = [
            card
            for card in playable
            if _OBVIOUS.intersection(
                each.reason for each in scores_in_play((*series, card), view.table.rules)
            )
        ]
        return PlayCard(view.seat, random.choice(scoring or playable))
    return next(iter(view.legal_moves))
