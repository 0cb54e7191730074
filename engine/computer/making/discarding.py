"""The discards of good players, found by best responses to one another.

Every set of six ranks that can be dealt (18,395; of five ranks, 6,175) makes the discard worth most: its
exact hand over all starters, the crib as the others discard, and the pegging where it is known. From all
these discards follow the next round's cribs, and after a few rounds nothing changes any more. Suits are left
out. People differ, so a choice that is nearly as good is made nearly as often (`SOFTNESS`).

With two players it matters which cards one holds, because the other cannot have them. Every card changes the
other's discards a little, so a factor for each of them tells it (`Discards.beside`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.computer.crib_values import crib_points
from engine.computer.deals import Dealt, every_deal
from engine.computer.numbers import Floats, Ints
from engine.computer.ranks import NO_RANK, RANKS, Holdings, holdings, ways_to_take
from engine.computer.scorer import Scorer
from engine.computer.tables import DEALER, OTHER, Discards, Family
from engine.presets import TWO_HANDED

ROUNDS = 6
SOFTNESS = 0.3
"""Points by which a choice must be worse to be made e times less often."""

_PACK: Ints = np.full(RANKS, 4)
"""By rank: the cards of a whole pack."""
_JACKS = 0.24
"""Average points of a jack in the crib as his nobs."""
_BLOCKS = 64
"""Parts of the sets that are computed at once; more take less memory."""
_LEAST = 0.002
"""Least frequency of any discard, relative to the most common one."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The discards of both roles, and the value of each choice to them."""

    discards: Discards
    dealt: Dealt
    cribs: tuple[Floats, Floats]
    """By role, [set, choice]: the expected points of the crib."""
    best: tuple[Ints, Ints]
    """By role, [set]: the best choice."""
    used: tuple[Floats, Floats]
    """By role, [set, choice]: how often it is chosen."""

    def crib_table(self, bias: Floats) -> Floats:
        """[role, discard]: the crib's average points, as in published tables."""
        number = int(self.dealt.given.max()) + 1
        result = []
        for role in (DEALER, OTHER):
            times = self.used[role] * self.dealt.ways[:, None]
            total = _sums(times * self.cribs[role], self.dealt.given, number)
            result.append(total / _sums(times, self.dealt.given, number) + bias[role])
        return np.stack(result)


def learn(family: Family, pegging: Floats | None = None) -> Learned:
    """Lets the players of such a table learn to discard.

    `pegging` is [role, hand of four ranks] in points, as `Course` has it; without it nobody thinks of the
    play.
    """
    dealt = every_deal(6 if family.seats == 2 else 5)
    thrown = holdings(2 if family.seats == 2 else 1)
    pegged = np.zeros((2, *dealt.hand.shape)) if pegging is None else pegging[:, dealt.kept]
    throws, beside = np.ones((2, len(thrown))), np.zeros((2, RANKS, len(thrown)))
    for _ in range(ROUNDS):
        if family.seats == 2:
            cribs = _pair_cribs(dealt, throws, beside)
        else:
            cribs = _single_cribs(dealt, throws, family)
        mine, theirs = cribs[DEALER], -_share(family) * cribs[OTHER]
        totals = (dealt.hand + pegged[DEALER] + mine, dealt.hand + pegged[OTHER] + theirs)
        chosen = [_chosen(total) for total in totals]
        throws = throws_of(dealt, chosen, thrown, _PACK)
        if family.seats == 2:
            beside = _beside(dealt, chosen, thrown, throws)
    four = holdings(4)
    keeps = np.stack([_sums(each * dealt.ways[:, None], dealt.kept, len(four)) for each in chosen])
    keeps = keeps / four.ways(_PACK)
    keeps = np.maximum(keeps, _LEAST * keeps.max(axis=1, keepdims=True))
    discards = Discards(
        keeps=keeps / keeps.max(),
        throws=throws / throws.max(),
        beside=beside if family.seats == 2 else np.zeros((2, 0, 0)),
        cribs=np.zeros((2, 0, 0)) if family.seats == 2 else single_chances(throws, family),
        bias=np.zeros(2),
    )
    best = (totals[0].argmax(axis=1), totals[1].argmax(axis=1))
    return Learned(discards, dealt, cribs, best, (chosen[0], chosen[1]))


def _share(family: Family) -> float:
    """The cost in points to one of the others of a point in the dealer's crib."""
    return 1.0 if family.seats == 2 or family.partners else 1.0 / (family.seats - 1)


def _chosen(total: Floats) -> Floats:
    likely = np.exp((total - total.max(axis=1, keepdims=True)) / SOFTNESS)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def throws_of(dealt: Dealt, chosen: Sequence[Floats], thrown: Holdings, left: Ints) -> Floats:
    """[role, discard]: how often it is made of hands dealt from the cards left, for each way to hold it."""
    ways = ways_to_take(left, dealt.counts)
    made = np.stack([_sums(each * ways[:, None], dealt.given, len(thrown)) for each in chosen])
    often = made / ways.sum() / thrown.ways(left)
    return np.asarray(np.maximum(often, _LEAST * often.max(axis=1, keepdims=True)))


def _beside(dealt: Dealt, chosen: Sequence[Floats], thrown: Holdings, throws: Floats) -> Floats:
    """See `Discards.beside`."""
    one_gone = _PACK - np.eye(RANKS, dtype=np.intp)
    changed = [throws_of(dealt, chosen, thrown, left) for left in one_gone]
    return np.log(np.stack(changed, axis=1) / throws[:, None])


def _sums(values: Floats, which: Ints, number: int) -> Floats:
    return np.asarray(np.bincount(which.ravel(), weights=values.ravel(), minlength=number), dtype=np.float64)


def _pair_cribs(dealt: Dealt, throws: Floats, beside: Floats) -> tuple[Floats, Floats]:
    """By role, [set, choice]: the crib's average points with that pair discarded."""
    pairs = holdings(2)
    points = crib_points().reshape(len(pairs), -1).astype(np.float64)
    jacks = _JACKS * pairs.counts[:, 10]
    worth = np.empty((2, *dealt.hand.shape))
    for sets in np.array_split(np.arange(len(dealt.counts)), _BLOCKS):
        left = 4 - dealt.counts[sets][:, None, :]
        ways, starters = ways_to_take(left, pairs.counts), np.maximum(left - pairs.counts, 0)
        for role, other in ((DEALER, OTHER), (OTHER, DEALER)):
            against = throws[other] * np.exp(dealt.counts[sets] @ beside[other])
            weights = (against * ways)[:, :, None] * starters
            weights /= weights.sum(axis=(1, 2), keepdims=True)
            theirs = weights.sum(axis=2) @ jacks
            cribs = weights.reshape(len(sets), -1) @ points.T + jacks + theirs[:, None]
            worth[role, sets] = np.take_along_axis(cribs, dealt.given[sets], axis=1)
    return worth[DEALER], worth[OTHER]


def _single_cribs(dealt: Dealt, throws: Floats, family: Family) -> tuple[Floats, Floats]:
    chances = single_chances(throws, family)
    worth = chances @ np.arange(chances.shape[2])
    return worth[DEALER][dealt.given], worth[OTHER][dealt.given]


def single_chances(throws: Floats, family: Family) -> Floats:
    """[role, rank discarded, points]: the distribution of the crib's points, without his nobs."""
    uniform = np.full(RANKS, 1.0 / RANKS)
    dealer, other = (each / each.sum() for each in throws)
    every = np.arange(RANKS, dtype=np.uint8)
    result = np.zeros((2, RANKS, 30))
    for role in (DEALER, OTHER):
        sources = [dealer] * (role == OTHER) + [other] * (family.seats - 1 - (role == OTHER))
        sources += [uniform] * (3 - len(sources)) if family.full_crib else []
        axes = [every] * len(sources) + [np.array([NO_RANK], dtype=np.uint8)] * (3 - len(sources))
        likely = sources + [np.ones(1)] * (3 - len(sources))
        grid = np.stack(np.meshgrid(every, *axes, every, indexing="ij"), axis=-1).reshape(-1, 5)
        weight = np.einsum("i,j,k,l,m->ijklm", np.ones(RANKS), *likely, uniform).ravel()
        points = Scorer(TWO_HANDED).ranks(grid[:, :4], grid[:, 4])
        for rank in range(RANKS):
            mine = grid[:, 0] == rank
            chances = np.bincount(points[mine], weights=weight[mine], minlength=30)[:30]
            result[role, rank] = chances / chances.sum()  # renormalized without five cards of one rank
    return result
