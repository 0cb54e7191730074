"""Whole games as text: every move, every event, and what the table and each seat can then see.

    python -m tests.engine.playthroughs         writes tests/data/playthroughs again

A change of behaviour is a difference in these files that somebody reads. The games are random, from
a generator of our own, so they are the same under every version of Python.

    > 1 plays 8C                                a move, then the events that came of it
        CardPlayed seat=1 card=8C called=null
        table: playing, count 8, pegs 0/0 0/0, crib 4, waiting for 0
        seat 0: 5C 5D TS JD | gave 2H 9C | plays 5C 5D TS JD

The table and a seat are written when they have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from engine import (
    PRESETS,
    CallMuggins,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Discard,
    Game,
    LegalMoves,
    Move,
    PlayCard,
    PlayerView,
    Rules,
    TableView,
    spell,
)
from engine.notation import write_event, write_move
from engine.rules import Counting
from engine.secret_events import LoggedEvent
from tests.engine.games import PRESET_SEATS, move_of, seats_of
from tests.engine.tables import PlainChance

FOLDER = Path(__file__).parent.parent / "data" / "playthroughs"

_PRESETS = {f"{name}-{seats}": PRESETS[name](seats) for name, seats in PRESET_SEATS}
_ALOUD = {
    f"{name}-{seats}": PRESETS["standard"](seats, counting=Counting.ALOUD, muggins=name == "muggins")
    for name in ("aloud", "muggins")
    for seats in (2, 3, 4)
}
_PRICE = {
    "price-3": PRESETS["standard"](3, counting=Counting.ALOUD, muggins=True, wrong_claims=2),
}
_THREES = {"standard-6-threes": PRESETS["standard"](6, players_a_side=3)}
GAMES: dict[str, Rules] = _PRESETS | _ALOUD | _PRICE | _THREES
"""Every game that is kept, by the name of its file."""

_LATER = ("standard-5", "standard-6", "five_card-2", "lowball-2", "lowball-4", "captains-3", *_THREES)
_SEEDS = {
    **{name: 316 + place for place, name in enumerate(each for each in _PRESETS if each not in _LATER)},
    **{name: 334 + place for place, name in enumerate((*_ALOUD, *_PRICE, *_LATER))},
}
"""Seeds, which a game added after the others leaves as they are."""


def main() -> None:
    """Write every game again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


def playthrough(name: str) -> str:
    """The game of that name from the first cut to the winning peg."""
    return "".join(f"{line}\n" for line in _lines(GAMES[name], seed=_SEEDS[name]))


def _lines(rules: Rules, *, seed: int) -> Iterator[str]:
    game = Game.new(rules, chance=PlainChance(seed))
    dice = PlainChance(seed + 1000)
    seen: dict[str, str] = {}
    yield from _after(game, game.log, seen)
    while not game.is_over:
        others = [seat for seat in seats_of(rules) if game.legal_moves(seat)]
        seat = dice.pick(others) if dice.below(8) == 0 else dice.pick(game.table.waiting_for)
        move = move_of(game, seat, dice)
        yield f"> {write_move(move)}"
        yield from _after(game, game.apply(move), seen)


def _after(game: Game, events: Iterable[LoggedEvent], seen: dict[str, str]) -> Iterator[str]:
    """The events, and what looks different after them."""
    for event in events:
        yield f"    {write_event(event)}"
    looks = {"table": _table(game.table)} | {
        f"seat {seat}": _seat(game.view(seat)) for seat in seats_of(game.rules)
    }
    for who, look in looks.items():
        if seen.get(who) != look:
            yield f"    {who}: {look}"
    seen.update(looks)


def _table(table: TableView) -> str:
    words = [
        table.stage.value,
        f"count {table.count}" if table.series else "",
        f"hands {' '.join(map(str, table.hand_sizes))}",
        f"pegs {' '.join(f'{pegs.front}/{pegs.back}' for pegs in table.pegs)}",
        f"crib {table.crib_size}",
        f"starter {table.starter}" if table.starter else "",
        "heels open" if table.heels_open else "",
        f"go from {_seats(table.said_go)}" if table.said_go else "",
        f"muggins open to {_seats(table.muggins_open_to)}" if table.muggins_open_to else "",
        f"muggins spent by {' '.join(f'{caller} on {on}' for caller, on in table.muggins_spent)}"
        if table.muggins_spent
        else "",
        f"waiting for {_seats(table.waiting_for)}" if table.waiting_for else "",
        f"won by {table.result.winner} for {table.result.games}" if table.result else "",
    ]
    return ", ".join(filter(None, words))


def _seats(seats: Iterable[int]) -> str:
    return " ".join(map(str, seats))


def _seat(view: PlayerView) -> str:
    gave = f"gave {spell(view.discarded)}" if view.discarded else ""
    parts = [spell(view.hand), gave, "; ".join(_short(view.legal_moves))]
    return " | ".join(part or "-" for part in parts)


def _short(moves: LegalMoves) -> Iterator[str]:
    """The legal moves, those of one kind in one phrase."""
    discards = [move for move in moves if isinstance(move, Discard)]
    calls = [move.points for move in moves if isinstance(move, PlayCard) and move.points is not None]
    counts = [move.points for move in moves if isinstance(move, CountAloud)]
    muggins = [move.points for move in moves if isinstance(move, CallMuggins)]
    if discards:
        yield f"discards {len(discards[0].cards)}, {len(discards)} ways"
    if moves.playable:
        yield f"plays {spell(moves.playable)}" + (f" calling {min(calls)}-{max(calls)}" if calls else "")
    if counts:
        yield f"counts {min(counts)}-{max(counts)}"
    if muggins:
        yield f"calls muggins for {min(muggins)}-{max(muggins)}"
    if moves.places:
        yield f"cuts at {_ranges(moves.places)}"
    for move in moves:
        if not isinstance(move, Discard | PlayCard | CountAloud | CallMuggins) and not _names_a_place(move):
            yield write_move(move).partition(" ")[2]


def _names_a_place(move: Move) -> bool:
    return isinstance(move, CutForFirstDeal | CutStarter) and move.place is not None


def _ranges(places: tuple[int, ...]) -> str:
    """`4-19 21-48`: the places, those that follow each other together."""
    firsts = [place for place in places if place - 1 not in places]
    lasts = [place for place in places if place + 1 not in places]
    return " ".join(f"{first}-{last}" for first, last in zip(firsts, lasts, strict=True))


if __name__ == "__main__":
    main()
