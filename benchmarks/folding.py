"""The fold of a whole game's log: from its events to the state in which it ended.

The games are for two, played to the end from one seed with the moves that the clock makes for absent players.
The size of a log is that of its bodies as the store writes them.
"""

from __future__ import annotations

import json
import time
from random import Random

from benchmarks.figures import Figure, median, milliseconds
from benchmarks.sizes import Sizes
from engine import PRESETS, Chance, CutForFirstDeal, Deal, Game, encode
from engine.computer import plain_move
from engine.secret_events import LoggedEvent

TITLE = "Folding the log of a whole game"
_GAMES = 5


def run(sizes: Sizes) -> list[Figure]:
    """Fold a few games, each several times."""
    logs = [_played(seed) for seed in range(_GAMES)]
    times = [_folded(log) for log in logs for _ in range(sizes.repetitions)]
    each = [_folded(log) / len(log) for log in logs for _ in range(sizes.repetitions)]
    events = median(len(log) for log in logs)
    size = median(sum(len(_body(event)) for event in log) for log in logs)
    return [
        Figure("a whole game", milliseconds(median(times))),
        Figure("an event", f"{median(each) * 1e6:.1f} us"),
        Figure("events in a game", f"{events:.0f}"),
        Figure("size of a log", f"{size / 1000:.1f} kB"),
    ]


def _played(seed: int) -> tuple[LoggedEvent, ...]:
    game = Game.new(PRESETS["standard"](2), chance=Chance(Random(seed)), automatic={CutForFirstDeal, Deal})
    while not game.is_over:
        game.apply(plain_move(game.view(game.table.waiting_for[0])))
    return game.log


def _folded(log: tuple[LoggedEvent, ...]) -> float:
    before = time.process_time()
    Game.replay(log)
    return time.process_time() - before


def _body(event: LoggedEvent) -> str:
    return json.dumps(encode(event), separators=(",", ":"))
