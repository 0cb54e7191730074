"""`python -m benchmarks.strength`: how well the computer plays, and how fast it decides.

    python -m benchmarks.strength match expert bsd --games 8000 --jobs 2
    python -m benchmarks.strength match novice learner --games 2000 --target 61 --jobs 2
    python -m benchmarks.strength ladder --games 8000 --jobs 2
    python -m benchmarks.strength tables-played --games 2000 --jobs 2
    python -m benchmarks.strength variants --games 400
    python -m benchmarks.strength selfplay --games 4000 --jobs 2
    python -m benchmarks.strength tables
    python -m benchmarks.strength pegging --games 30000 --seed 11 --write
    python -m benchmarks.strength positions --games 1000 --random 100
    python -m benchmarks.strength throws --games 60 --random 100
    python -m benchmarks.strength speed --games 20

`ladder` plays every match that the levels are measured by; `tables-played` the expert against the steady
player with three to six players and by every preset; `variants` the expert against the beginner in the games
other than the usual one.
"""

from __future__ import annotations

import argparse
import os
import sys

from benchmarks.figures import Figure, lines
from benchmarks.strength import close_throws, experts, positions, selfplay, speed, tables
from benchmarks.strength.matches import Table, match
from benchmarks.strength.players import NAMES
from engine import PRESETS
from engine.output import escape_what_cannot_be_written

WHAT = (
    "match",
    "ladder",
    "tables-played",
    "variants",
    "selfplay",
    "tables",
    "pegging",
    "positions",
    "throws",
    "speed",
)
"""The measurements."""

MORE_THAN_FOUR = (Table(seats=5), Table(seats=6), Table(seats=6, players_a_side=3))

VARIANTS = (
    *(Table("five_card"), Table("lowball"), Table("lowball", seats=4), Table("captains", seats=3)),
    *MORE_THAN_FOUR,
)
"""The games other than the usual one, except shotgun, which is the usual one from another score."""

LADDER = (
    ("expert", "bsd", "at least 61 %"),
    ("steady", "bsd", "at least 54 %"),
    ("beginner", "bsd", "at most 48 %"),
    ("expert", "steady", "more than even"),
    ("expert", "one-ply", "at least 55.5 %"),
    ("steady", "beginner", "more than even"),
    ("beginner", "learner", "more than even"),
)
"""The matches of the ladder, with the least score to expect of each."""


def main() -> int:
    """Run the measurement that the arguments ask for."""
    escape_what_cannot_be_written()
    parser = _parser()
    asked = parser.parse_args()
    say(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    match asked.what:
        case "match":
            if len(asked.players) != 2:
                parser.error("a match is between two: " + ", ".join(NAMES))
            table = Table(asked.preset, asked.seats, asked.partners, asked.target, asked.a_side)
            score = match_of(table, asked.players, asked)
            say(lines(" v ".join(asked.players), [Figure("wins", score)]))
        case "ladder":
            for first, second, aim in LADDER:
                score = match_of(Table(), (first, second), asked)
                say(lines(f"{first} v {second}", [Figure("wins", score, aim=aim)]))
        case "tables-played" | "variants":
            _say_tables(asked)
        case "selfplay":
            say(lines("expert v expert", selfplay.run("expert", asked.games, asked.jobs, begin=asked.seed)))
        case "tables":
            say(lines("The tables beside published ones", tables.run()))
        case "pegging":
            say(lines("Pegging", experts.run(asked.games, asked.seed, write=asked.write)))
        case "positions":
            say(lines("The coach's forecast", positions.run(asked.games, asked.random, seed=asked.seed)))
        case "throws":
            say(lines("Close discards", close_throws.run(asked.random, asked.games, seed=asked.seed)))
        case "speed":
            table = Table(asked.preset, asked.seats, asked.partners, asked.target, asked.a_side)
            say(lines("Speed", speed.run(asked.games, table)))
    return 0


def _say_tables(asked: argparse.Namespace) -> None:
    """A match at each table."""
    others = (VARIANTS, "beginner") if asked.what == "variants" else (_other_tables(), "steady")
    tables, opponent = others
    for table in tables:
        score = match_of(table, ("expert", opponent), asked)
        sides = f" in sides of {table.rules.players_a_side}" if table.rules.partners else ""
        name = f"{table.preset}, {table.seats} players{sides}"
        say(lines(name, [Figure(f"expert v {opponent}", score, aim="above 50 % by more than the error")]))


def match_of(table: Table, players: tuple[str, ...], asked: argparse.Namespace) -> str:
    """The score of the first of two players."""
    return str(match(table, *players[:2], pairs=asked.games // 2, jobs=asked.jobs, begin=asked.seed))


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _other_tables() -> list[Table]:
    more = [Table(seats=3), Table(seats=4, partners=True), Table(seats=4, partners=False)]
    return [
        *more,
        *MORE_THAN_FOUR,
        *(Table(name, min(preset.players)) for name, preset in PRESETS.items() if name != "standard"),
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="two for a match: " + ", ".join(NAMES))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the work")
    parser.add_argument("--seed", type=int, default=0, help="the first game's or pair's")
    parser.add_argument("--preset", default="standard", choices=list(PRESETS))
    parser.add_argument("--seats", type=int, default=2, choices=range(2, 7))
    parser.add_argument("--partners", action=argparse.BooleanOptionalAction)
    parser.add_argument("--a-side", type=int, help="the number of partners of a side")
    parser.add_argument("--target", type=int)
    parser.add_argument("--random", type=int, default=0, help="the number of random positions, or hands")
    parser.add_argument("--write", action="store_true", help="correct the tables by what is measured")
    return parser


if __name__ == "__main__":
    sys.exit(main())
