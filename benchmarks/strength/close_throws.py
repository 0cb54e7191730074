"""How far the coach is off when it tells two good discards apart, beside the deals that follow them.

    python -m benchmarks.strength throws --random 100 --games 60

takes a hundred random hands whose two best discards lie within half a point of each other, and plays sixty
deals after each discard: the opponent's cards and the starter are the same for both, and experts play. Of a
difference the points of the hand are exact; those of the pegging and of the crib are compared with what came.
Two deals take a tenth of a second.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from random import Random

from benchmarks.figures import Figure
from benchmarks.opponents.known_deals import dealt
from benchmarks.strength.players import SEED
from engine import PACK, Card, Cards, Discard, HandShown, Pegged, Reason, Seat, Source, Stage
from engine.computer import SKILLS, Level, choose_with
from engine.computer.player import throws_of
from engine.computer.throws import Throw
from engine.secret_events import LoggedEvent

_ME = Seat(0)
_OTHER = Seat(1)
_CLOSE = 0.5
"""The most points between two discards that are compared."""


def run(hands: int, deals: int, *, seed: int) -> list[Figure]:
    """Compare the two best discards of that many hands, in that many deals each."""
    random = Random(seed)
    pegging: list[float] = []
    crib: list[float] = []
    while len(pegging) < hands:
        six = tuple(random.sample(PACK, 6))
        dealer = random.choice((_ME, _OTHER))
        best, second = _two_best(six, dealer, random)
        if best.points - second.points > _CLOSE:
            continue
        came = [_came(six, dealer, (best, second), random) for _ in range(deals)]
        pegged, in_crib = zip(*came, strict=True)
        pegging.append(off_by(best.pegging - second.pegging, pegged))
        crib.append(off_by(best.crib - second.crib, in_crib))
    both = [peg + of_crib for peg, of_crib in zip(pegging, crib, strict=True)]
    return [
        _figure("pegging, off by (rms, points)", pegging),
        _figure("crib", crib),
        _figure("both", both),
    ]


def off_by(said: float, came: Sequence[int]) -> float:
    """The squared error of what was said, less what chance adds to it in that many deals."""
    return (said - statistics.mean(came)) ** 2 - statistics.variance(came) / len(came)


def _figure(name: str, squares: Sequence[float]) -> Figure:
    mean, error = statistics.mean(squares), statistics.stdev(squares) / math.sqrt(len(squares))
    return Figure(name, f"{math.sqrt(max(mean, 0)):.2f} (mean square {mean:.3f} ± {error:.3f})")


def _two_best(six: Cards, dealer: Seat, random: Random) -> tuple[Throw, Throw]:
    theirs, starter = _rest(six, random)
    begun = dealt((six, theirs), starter, dealer=dealer, scores=(0, 0), random=random)
    best, second, *_ = sorted(throws_of(begun.view(_ME)), key=lambda each: -each.points)
    return best, second


def _came(six: Cards, dealer: Seat, throws: tuple[Throw, Throw], random: Random) -> tuple[int, int]:
    """How many points more my side got after the first discard, in the play and by the crib."""
    theirs, starter = _rest(six, random)
    points = []
    for throw in throws:
        game = dealt((six, theirs), starter, dealer=dealer, scores=(0, 0), random=random)
        begun = len(game.log)
        while game.table.stage is not Stage.DEALING:
            seat = game.table.waiting_for[0]
            view = game.view(seat)
            if seat == _ME and Discard in view.legal_moves.kinds:
                game.apply(Discard(seat, throw.given))
            else:
                game.apply(choose_with(view, SKILLS[Level.EXPERT], seed=SEED))
        points.append(margins(game.log[begun:]))
    (pegged, in_crib), (pegged_by_second, in_second) = points
    return pegged - pegged_by_second, in_crib - in_second


def _rest(six: Cards, random: Random) -> tuple[Cards, Card]:
    """The opponent's six cards, and the starter."""
    *theirs, starter = random.sample([each for each in PACK if each not in six], 7)
    return tuple(theirs), starter


def margins(log: Sequence[LoggedEvent]) -> tuple[int, int]:
    """The points of my side less the other's in a deal, of the play and of the crib."""
    pegged = in_crib = 0
    source: Source | None = None
    for event in log:
        match event:
            case HandShown():
                source = event.source
            case Pegged(seat, points, scores):
                signed = points if seat == _ME else -points
                if source is Source.CRIB:
                    in_crib += signed
                elif source is None and not any(each.reason is Reason.HEELS for each in scores):
                    pegged += signed
    return pegged, in_crib
