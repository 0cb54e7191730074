"""A player that looks one card ahead: the points of a card, less the expected points of the opponent's reply.

It discards as the steady computer does, and weighs all hands that the opponent may still hold by how often a
good player keeps them. Many programs play this way; a search to the end of the play is measured against it.
Two players only.
"""

from __future__ import annotations

import numpy as np

from engine import Card, OwnMove, PlayCard, PlayerView
from engine.computer import SKILLS, Level, choose_with
from engine.computer.habits import habit_for
from engine.computer.memory import memory_of, ranks_left
from engine.computer.ranks import rank_of
from engine.computer.series import table_for
from engine.computer.tables import DEALER, OTHER, discarding_of, family_of
from engine.computer.worlds import Guess


def one_ply(view: PlayerView) -> OwnMove:
    """The move that it makes."""
    if PlayCard in view.legal_moves.kinds:
        return PlayCard(view.seat, _card(view))
    return choose_with(view, SKILLS[Level.STEADY], seed=0)


def _card(view: PlayerView) -> Card:
    table = view.table
    series = table_for(table.rules)
    number = series.number([rank_of(each.card) for each in table.series])
    memory = memory_of(view)
    opponent = 1 - view.seat
    keeps = discarding_of(family_of(table.rules)).keeps[DEALER if opponent == table.dealer else OTHER]
    guess = Guess(series, habit_for(table.rules), 0.0)
    hands, weights = guess.hands_of(opponent, memory, keeps, np.array(ranks_left(memory.seen), dtype=np.intp))
    may_answer = opponent not in table.said_go and hands.shape[1] > 0 and weights.sum() > 0

    def worth(card: Card) -> float:
        after = series.after[number, rank_of(card)]
        answer = 0.0
        if may_answer:
            answer = float(np.average(series.points[after][hands].max(axis=1), weights=weights))
        return float(series.points[number, rank_of(card)]) - answer

    return max(view.legal_moves.playable, key=lambda card: (worth(card), card.pips))
