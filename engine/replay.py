"""Prints a finished game for people to read: `python -m engine.replay FILE`.

FILE is a game as the bot exports it, as text or as JSON; `-` reads it from the standard input. It prints each
deal with its hands, the play card by card, the count of each hand, and the scores.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.cards import spell
from engine.errors import EngineError
from engine.events import (
    CardPlayed,
    CardsDiscarded,
    DealBegan,
    Ending,
    GameClaimed,
    GoSaid,
    HandCounted,
    HandShown,
    MugginsCalled,
    Pegged,
    PublicEvent,
    Resigned,
    SeriesEnded,
    Source,
    StarterCut,
    StoodIn,
)
from engine.notation import players_in, read_game
from engine.output import escape_what_cannot_be_written
from engine.phases import Result
from engine.presets import preset_of
from engine.rules import Rules, Skunk
from engine.seats import Seat, Side
from engine.secret_events import LoggedEvent
from engine.steps import Step, steps_of

_ENDINGS = {
    Ending.PEGGED_OUT: "",
    Ending.RESIGNED: " by resignation",
    Ending.CLAIMED: " by claiming the game",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status is 1 for a file that is unreadable or no finished game."""
    escape_what_cannot_be_written()
    parser = argparse.ArgumentParser(
        prog="python -m engine.replay", description="Print a finished game of cribbage."
    )
    parser.add_argument(
        "file", metavar="FILE", help="an exported game, as text or as JSON; - for standard input"
    )
    file = parser.parse_args(arguments).file
    try:
        with open(sys.stdin.fileno() if file == "-" else file, encoding="utf-8") as opened:
            exported = opened.read()
        told = readable(read_game(exported), players_in(exported))
    except (OSError, UnicodeDecodeError, EngineError) as error:
        print(f"{file}: {error}", file=sys.stderr)
        return 1
    try:
        print(told, flush=True)
    except BrokenPipeError:  # as in `| head`: nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nor what Python flushes at its end
    return 0


def readable(log: Sequence[LoggedEvent], players: Sequence[str] = ()) -> str:
    """The game as text for people; `players` are their names by seat. Raises `LogError`."""
    steps = steps_of(log)
    rules = steps[-1].table.rules
    names = [
        " ".join(players[seat].split()) if seat < len(players) and players[seat].strip() else f"Seat {seat}"
        for seat in range(rules.seats)
    ]
    return "\n".join(_Teller(rules, names).tell(steps))


class _Teller:
    """Writes the game of these players as text."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self._rules = rules
        self._names = names
        self._width = max(map(len, names))

    def tell(self, steps: Sequence[Step]) -> Iterator[str]:
        """The lines of the whole game."""
        rules = self._rules
        yield f"Cribbage to {rules.target}, {preset_of(rules)} rules: {', '.join(self._names)}"
        for _, deal in groupby(steps, key=lambda step: step.deal):
            yield ""
            yield from self._deal(tuple(deal))
        result = steps[-1].table.result
        if result is not None:
            yield ""
            yield self._result(result)

    def _deal(self, steps: Sequence[Step]) -> Iterator[str]:
        first = steps[0]
        began = next((event for event in first.events if isinstance(event, DealBegan)), None)
        if began is not None:
            yield f"Deal {began.number}: {self._names[began.dealer]} deals ({self._scores(first)})"
            for seat, hand in enumerate(first.hands):
                yield f"  {self._names[seat]:{self._width}}  {spell(hand.held)}"
        for step in steps if began is None else steps[1:]:
            yield from self._step(step)

    def _step(self, step: Step) -> Iterator[str]:
        for event in step.events:
            match event:
                case SeriesEnded():
                    yield ""
                case StoodIn(seat):
                    yield f"  {self._name(seat)}  is away, and this was done for them:"
                case CardsDiscarded(seat):
                    yield f"  {self._name(seat)}  discards {spell(step.given)}"
                case StarterCut(seat, card):
                    yield f"  {self._name(seat)}  cuts {card}{self._pegged(step.events, event)}"
                case CardPlayed(seat, card):
                    count = sum(each.card.pips for each in step.table.series)
                    said = f"plays {card}  {count:2}"
                    yield f"  {self._name(seat)}  {said}{self._pegged(step.events, event)}"
                case GoSaid(seat):
                    yield f"  {self._name(seat)}  go{self._pegged(step.events, event)}"
                case HandShown(seat, source, those):
                    what = "crib" if source is Source.CRIB else "hand"
                    yield f"  {self._name(seat)}  {what} {spell(sorted(those))}{self._counted(step)}"
                case MugginsCalled(seat, _, taken):
                    price = "" if taken else self._pegged(step.events, event)
                    yield f"  {self._name(seat)}  calls muggins: +{taken}{price}"
                case Resigned(seat):
                    yield f"  {self._name(seat)}  resigns"
                case GameClaimed(seat):
                    yield f"  {self._name(seat)}  claims the game"
                case _:
                    pass  # part of another event's line, or of the scores

    def _name(self, seat: Seat) -> str:
        return f"{self._names[seat]:{self._width}}"

    def _counted(self, step: Step) -> str:
        counted = next((event for event in step.events if isinstance(event, HandCounted)), None)
        if counted is None:
            return ""
        said = f": {counted.points}"
        if counted.called is not None and counted.called > counted.points:
            price = (each for each in _pegs_after(step.events, counted) if each.is_price)
            paid = (f": {self._names[each.seat]} +{each.points}" for each in price)
            said += f", not {counted.called}{''.join(paid)}"
        return f"{said}   ({self._scores(step)})"

    def _pegged(self, events: Sequence[PublicEvent], after: PublicEvent) -> str:
        """The points pegged for an event: those that follow it before any other event."""
        told = []
        for event in _pegs_after(events, after):
            reasons = " and ".join(
                dict.fromkeys(score.reason.value.replace("_", "-") for score in event.scores)
            )
            told.append(f"{self._names[event.seat]} +{event.points} ({reasons})")
        return f"   {', '.join(told)}" if told else ""

    def _scores(self, step: Step) -> str:
        sides = range(self._rules.sides)
        return ", ".join(f"{self._side(Side(side))}: {step.table.scores[side]}" for side in sides)

    def _side(self, side: Side) -> str:
        return " & ".join(self._names[seat] for seat in self._rules.seats_of(side))

    def _result(self, result: Result) -> str:
        won = f"{self._side(result.winner)} won{_ENDINGS[result.ending]}"
        scores = "-".join(map(str, result.scores))
        skunked = any(each is not Skunk.NONE for each in result.skunks)
        return f"{won}, {scores}{', a skunk' if skunked else ''}."


def _pegs_after(events: Sequence[PublicEvent], after: PublicEvent) -> Iterator[Pegged]:
    for event in events[events.index(after) + 1 :]:
        if not isinstance(event, Pegged):
            return
        yield event


if __name__ == "__main__":
    sys.exit(main())
