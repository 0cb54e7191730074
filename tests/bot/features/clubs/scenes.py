"""The scenes of club nights: signing up, rounds, standings, the podium, the year, questions to organisers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.features.clubs.custom_ids import YearId
from bot.features.clubs.event import Ended, Entrant, Event, Outcome, Pairing, Phase, Points, Presence
from bot.features.clubs.messages import (
    closed_line,
    club_drawing,
    correction_line,
    outcome_line,
    pairing_drawing,
    podium_drawing,
    put_away_line,
    reminder,
    standings_alt,
    standings_drawing,
    standings_facts,
    thread_name,
)
from bot.features.clubs.questions import closing, correcting, done, removing
from bot.features.clubs.year import ClubYear, YearRow
from bot.features.clubs.year_messages import best_text, year_drawing
from bot.model.table_record import Agreement, Pace
from bot.render.drawing import DrawnFile
from bot.render.text.voice import Voice
from engine.computer import Level
from tests.golden import Scene, scenes

PEOPLE = (
    Entrant(number=1, user=11, name="A*da", presence=Presence.HERE),
    Entrant(number=2, user=12, name="Ben"),
    Entrant(number=3, user=None, name="🤖 Steady", level=Level.STEADY, presence=Presence.HERE),
    Entrant(number=4, user=-9, name="", presence=Presence.LEFT),
    Entrant(number=5, user=15, name="Eve", presence=Presence.HERE),
)
OPEN = Event(
    id=5,
    guild=11,
    channel=22,
    place="The Club",
    name="Tuesday _night_",
    phase=Phase.GATHERING,
    agreement=Agreement.of(preset="short", pace=Pace.SLOW),
    points=Points.CONGRESS,
    rounds=3,
    hours=24,
    fill=4,
    level=Level.STEADY,
    language="en",
    entrants=PEOPLE,
)
SKUNK = Outcome(ended=Ended.SKUNK, winner=1, scores=(61, 20))
WIN = Outcome(ended=Ended.WIN, winner=2, scores=(58, 61))
RESIGNED = Outcome(ended=Ended.WIN, winner=1)
FORFEIT = Outcome(ended=Ended.FORFEIT, winner=3)
NOTHING = Outcome(ended=Ended.NOTHING, winner=None)
FIRST = Pairing(round=1, table=1, home=1, away=2, thread=77, game="abcde")
SECOND = Pairing(round=1, table=2, home=3, away=4, thread=78, outcome=FORFEIT)
BYE = Pairing(round=1, table=3, home=5, away=None, outcome=Outcome(ended=Ended.BYE, winner=5))
ROUND = replace(OPEN, phase=Phase.PLAYING, round=1, due=90_000, pairings=(FIRST, SECOND, BYE))
OVER = replace(ROUND, phase=Phase.OVER, pairings=(replace(FIRST, outcome=SKUNK), SECOND, BYE))

EVENING = replace(
    OPEN,
    name="Partners",
    agreement=Agreement.of(players=4),
    points=Points.PLAIN,
    rounds=1,
    hours=2,
    fill=0,
    again=1_795_867_200,
    entrants=tuple(
        replace(each, captain=captain) for each, captain in zip(PEOPLE[:4], (None, 1, None, 3), strict=True)
    ),
)
"""Teams of two, each week."""
TEAMS = Pairing(round=1, table=1, home=1, away=3, thread=77, game="abcde")
TEAM_ROUND = replace(EVENING, phase=Phase.PLAYING, round=1, due=90_000, pairings=(TEAMS,))


def outcomes(pairing: Pairing) -> Iterator[tuple[str, Pairing]]:
    """The pairing with each end."""
    yield "skunk", replace(pairing, outcome=replace(SKUNK, winner=pairing.home))
    yield "win", replace(pairing, outcome=replace(WIN, winner=pairing.away))
    yield "resigned", replace(pairing, outcome=replace(RESIGNED, winner=pairing.home))
    yield "forfeit", replace(pairing, outcome=replace(FORFEIT, winner=pairing.away))
    yield "no result", replace(pairing, outcome=NOTHING)


def standings_file(event: Event, voice: Voice, *, is_final: bool = False) -> DrawnFile:
    """The picture of the standings, without its content."""
    alt = standings_alt(event, voice, is_final=is_final)
    return DrawnFile(name="standings.png", content=b"", description=alt)


@scenes("club", club_drawing)
def club(voice: Voice) -> Iterator[Scene]:
    yield "signing up", club_drawing(OPEN, voice)
    yield "nobody yet", club_drawing(replace(OPEN, entrants=(), fill=1), voice)
    yield "signing up with partners, weekly", club_drawing(EVENING, voice)
    yield "the first round", club_drawing(replace(ROUND, pairings=(FIRST,)), voice)
    yield "the first results", club_drawing(ROUND, voice)
    opening = replace(ROUND, pairings=(replace(FIRST, game=None),))
    yield "threads are refused", club_drawing(opening, voice, is_refused=True)
    many = tuple(replace(PEOPLE[0], number=number, name=f"P{number}") for number in range(1, 11))
    yield "too many for its message", club_drawing(replace(ROUND, entrants=many), voice)
    yield "a round of teams", club_drawing(TEAM_ROUND, voice)
    yield "over", club_drawing(OVER, voice)
    yield "missed", club_drawing(replace(OVER, round=0, pairings=(), again=1_795_867_200), voice)
    yield "closed", club_drawing(replace(ROUND, phase=Phase.CLOSED), voice)


@scenes("club-pairing", pairing_drawing, thread_name)
def pairing(voice: Voice) -> Iterator[Scene]:
    yield "under way", pairing_drawing(ROUND, FIRST, voice)
    yield "its thread", thread_name(ROUND, FIRST, voice)
    yield "put away", pairing_drawing(ROUND, FIRST, voice, is_put_away=True)
    yield "closed", pairing_drawing(replace(ROUND, phase=Phase.CLOSED), FIRST, voice)
    for name, ended in outcomes(FIRST):
        yield name, pairing_drawing(ROUND, ended, voice)
    yield "teams", pairing_drawing(TEAM_ROUND, TEAMS, voice)
    yield "the thread of teams", thread_name(TEAM_ROUND, TEAMS, voice)
    for name, ended in outcomes(TEAMS):
        yield f"teams, {name}", pairing_drawing(TEAM_ROUND, ended, voice)


@scenes("club-thread", reminder, put_away_line, closed_line, outcome_line, correction_line)
def thread(voice: Voice) -> Iterator[Scene]:
    yield "reminder", reminder(ROUND, FIRST, voice)
    yield "reminder of an evening", reminder(TEAM_ROUND, TEAMS, voice)
    yield "put away", put_away_line(ROUND, voice)
    yield "closed", closed_line(voice)
    for name, ended in outcomes(FIRST):
        yield name, outcome_line(ROUND, ended, voice)
    for name, ended in outcomes(TEAMS):
        yield f"teams, {name}", outcome_line(TEAM_ROUND, ended, voice)
    yield "corrected", correction_line(ROUND, replace(FIRST, outcome=replace(WIN, corrected=True)), voice)


@scenes("club-standings", standings_drawing, standings_facts, standings_alt)
def standings(voice: Voice) -> Iterator[Scene]:
    corrected = replace(FIRST, outcome=replace(NOTHING, corrected=True))
    event = replace(ROUND, pairings=(corrected, SECOND, BYE))
    yield "a round", standings_drawing(event, voice, standings_file(event, voice))
    yield "its picture", standings_facts(event, voice)
    yield "over", standings_drawing(replace(OVER, round=3), voice, standings_file(OVER, voice))
    yield "not begun", standings_drawing(OPEN, voice)
    yield "no picture", standings_facts(OPEN, voice)
    yield "nobody", standings_drawing(replace(OPEN, entrants=()), voice)
    yield "teams", standings_drawing(TEAM_ROUND, voice)


@scenes("club-podium", podium_drawing)
def podium(voice: Voice) -> Iterator[Scene]:
    yield "three won", podium_drawing(OVER, voice, standings_file(OVER, voice, is_final=True))
    teams = replace(TEAM_ROUND, pairings=(replace(TEAMS, outcome=SKUNK),))
    yield "a team won", podium_drawing(teams, voice)
    yield "nobody won", podium_drawing(replace(ROUND, pairings=()), voice)


@scenes("club-questions", closing, removing, correcting, done)
def questions(voice: Voice) -> Iterator[Scene]:
    yield "close a sign-up", closing(OPEN, voice)
    yield "close a weekly one", closing(EVENING, voice)
    yield "close a round", closing(ROUND, voice)
    two = replace(ROUND, pairings=(FIRST, replace(SECOND, outcome=None)))
    yield "close a round of two games", closing(two, voice)
    yield "close between games", closing(replace(OVER, phase=Phase.PLAYING), voice)
    yield "take out before the start", removing(OPEN, PEOPLE[1], None, "12", voice)
    yield "take out in a round", removing(ROUND, PEOPLE[1], None, "12", voice)
    yield "take out of a team", removing(TEAM_ROUND, PEOPLE[1], None, "12", voice)
    yield "let the computer play", removing(ROUND, PEOPLE[1], Level.EXPERT, "12.expert", voice)
    yield "correct a game under way", correcting(ROUND, FIRST, SKUNK, "1.1.0.20", voice)
    yield "correct a game to come", correcting(ROUND, replace(FIRST, game=None), WIN, "1.1.1.58", voice)
    ended = replace(FIRST, outcome=SKUNK)
    yield "correct a result", correcting(ROUND, ended, NOTHING, "1.1.nobody", voice)
    yield "done", done(voice.gettext("Nothing has changed."))


def year_row(number: int, **changes: int) -> YearRow:
    figures = {"nights": 9, "counted": 9, "points": 90 - number, "won": 30, "spread": 412}
    return YearRow(user=number, name=f"P*{number}", place=number, **{**figures, **changes})


@scenes("club-year", year_drawing, best_text)
def year(voice: Voice) -> Iterator[Scene]:
    rows = (*map(year_row, range(1, 24)), year_row(24, points=1, won=0, spread=-9, nights=1, counted=1))
    long = ClubYear(year=2026, nights=9, best=None, rows=rows, before=2025, after=2028)
    yield "the first page", year_drawing(long, YearId(2026, 0, 15), voice, is_over=False)
    yield "the own page", year_drawing(long, YearId(2026, 1, 15), voice, is_over=False)
    yield "past the last page", year_drawing(long, YearId(2026, 99, 24), voice, is_over=True)
    best = ClubYear(year=2026, nights=1, best=8, rows=(year_row(1, counted=8), year_row(2, points=0)))
    yield (
        "the best nights of a year that is over",
        year_drawing(best, YearId(2026, 0, 1), voice, is_over=True),
    )
    one = ClubYear(year=2026, nights=2, best=1, rows=(year_row(1, nights=1, counted=0),))
    yield "the best night", year_drawing(one, YearId(2026, 0, 1), voice, is_over=False)
    empty = ClubYear(year=2026, nights=0, best=None, rows=())
    yield "nobody yet", year_drawing(empty, YearId(2026, 0, 1), voice, is_over=False)
    yield "nobody", year_drawing(empty, YearId(2026, 0, 1), voice, is_over=True)
    for nights in (None, 1, 8):
        yield f"{nights} chosen", best_text(2026, nights, voice)
