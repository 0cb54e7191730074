"""The scenes of statistics: figures, leaderboards, seasons, the wall, and one's own games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from bot.features.stats.custom_ids import PageId
from bot.features.stats.leaderboard import leaderboard_drawing, own_places_drawing
from bot.features.stats.own_games import OwnGame, own_games_drawing, reminder_drawing
from bot.features.stats.player_pictures import StatsPicture, pictures_of
from bot.features.stats.player_stats import hidden_drawing, rivalry_drawing, stats_drawing
from bot.features.stats.reminder_store import Reminder
from bot.features.stats.season import (
    board_drawing,
    no_games_text,
    podium_drawing,
    posting_text,
    season_drawing,
    zone_text,
)
from bot.features.stats.wall import wall_drawing
from bot.model.table_record import Agreement, Pace, Status, computer_at
from bot.model.venue import Venue
from bot.render.drawing import DrawnFile
from bot.render.text.voice import Voice
from bot.standings.careers import Career, OtherGame, Profile, Record, Rivalry, Skunks
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.leaderboards import Board, Leaderboard, Row, Span, Tally
from bot.standings.ratings import Kind, Rating
from bot.standings.seasons import Season, SeasonBoard, Winner
from bot.standings.wall import BiggestWin, Feat, Wall, WalledHand
from bot.standings.wall import Record as WallRecord
from engine import Seat, Source, card, cards
from engine.computer import Level
from tests.bot.render.games import record_of
from tests.golden import Scene, scenes

AT = 1_795_262_400
"""21 November 2026, 12:00 UTC."""
MONTH = datetime(2026, 11, 1, tzinfo=UTC)
END = datetime(2026, 12, 1, tzinfo=UTC)
URL = "https://discord.com/channels/1/2/3"
HANDS = tuple(
    BestHand(points, cards("5H 5C 5S JD"), card("5D")) for points in (29, 24, 24, 21, 20, 20, 17, 16, 16, 16)
)
FIGURES = SeatFigures(
    dealing=InRole(deals=20, pegged=70, hands=20, points=160),
    not_dealing=InRole(deals=20, pegged=44, hands=20, points=166),
    cribs=20,
    crib_points=92,
    hands_of_24=2,
    hands_of_29=1,
    judged=40,
    luck=12_345,
    given_away=25_000,
    best=HANDS[0],
    top=HANDS,
)
FEW = SeatFigures(
    not_dealing=InRole(deals=1, pegged=1, hands=1, points=4),
    muggins=1,
    judged=1,
    luck=1,
    best=HANDS[-1],
    top=HANDS[-1:],
)
RATED = Rating(mu=28.0, sigma=5.0, games=1_234)
NEW = Rating(games=3)
PROFILE = Profile(
    career=Career(
        games=1_234,
        wins=803,
        streak=3,
        longest=12,
        comebacks=2,
        given=Skunks(single=9, double=1, lurch=2),
        taken=Skunks(single=6),
        best=HANDS[0],
        two=FIGURES,
    ),
    course=(1_000, 1_050, 990),
    ratings={Kind.TWO: RATED, Kind.MORE: NEW},
    computers={Level.EXPERT: Record(12, 5), Level.LEARNER: Record(1, 1)},
    others={OtherGame("lowball"): Record(3, 1), OtherGame("standard", 5): Record(1, 0)},
    slams=1,
)
LOST = Profile(career=Career(games=2, wins=0, streak=-2, best=HANDS[-1], more=FEW))
RIVALS = Rivalry(games=12, won=7, lost=4, together=2, won_together=1)


@scenes("stats", stats_drawing, hidden_drawing, rivalry_drawing)
def stats(voice: Voice) -> Iterator[Scene]:
    pictures = [
        StatsPicture(each.lines, DrawnFile(name=f"{each.kind}.png", content=b"", description=each.alt))
        for each in pictures_of(PROFILE, voice)
    ]
    more = ("🃏 **1,200**",)
    yield (
        "one's own",
        stats_drawing("A*da", PROFILE, voice, own=True, here=True, pictures=pictures, more=more),
    )
    yield "as text, everywhere", stats_drawing("A*da", PROFILE, voice, own=True, here=False)
    rival = replace(LOST, rivalry=RIVALS)
    yield "somebody else's", stats_drawing("A*da", rival, voice, own=False, here=True)
    yield "shown to all", stats_drawing("A*da", rival, voice, own=False, here=True, rival="B*en")
    for title, own, here in (("own, here", True, True), ("own", True, False), ("another's", False, True)):
        for computers in ({}, PROFILE.computers):
            nothing = Profile(career=Career(), computers=computers, others=PROFILE.others if own else {})
            name = f"no games, {title}{', computers' if computers else ''}"
            yield name, stats_drawing("A*da", nothing, voice, own=own, here=here, more=more if own else ())
    yield "hidden", hidden_drawing("A*da", Rivalry(games=1, won=1), voice)
    yield "hidden, no games together", hidden_drawing("A*da", Rivalry(), voice)
    yield "games together", rivalry_drawing("A*da", Rivalry(games=3, won=1, lost=2), voice)
    yield "games as partners", rivalry_drawing("A*da", Rivalry(together=1, won_together=1), voice)


@scenes("stats-pictures", pictures_of)
def statistics_pictures(voice: Voice) -> Iterator[Scene]:
    for title, profile in (("long", PROFILE), ("short", LOST), ("none", Profile(career=Career(games=1)))):
        for each in pictures_of(profile, voice):
            yield f"{title}, {each.kind}", each
    no_crib = replace(FIGURES, cribs=0, crib_points=0, judged=0)
    for each in pictures_of(Profile(career=Career(games=1, two=no_crib)), voice):
        yield f"no crib, {each.kind}", each


def tally(
    user: int, rating: Rating = RATED, *, hidden: bool = False, games: int = 30, wins: int = 10
) -> Tally:
    return Tally(
        user=user,
        name=f"P*{user}",
        hidden=hidden,
        games=games,
        wins=wins,
        best=HANDS[user % 4],
        rating=rating,
    )


def board(
    kind: Board, span: Span = Span.EVER, own: Tally | None = None, place: int | None = None
) -> Leaderboard:
    """A page of two with a place, and one without."""
    rows = (Row(1, tally(1)), Row(1, tally(2, games=1, wins=1)), Row(None, tally(3, NEW)))
    own_row = None if own is None or place is None else Row(place, own)
    return Leaderboard(
        board=kind,
        span=span,
        month=MONTH,
        people=23,
        ranked=22,
        page=1,
        rows=rows,
        own=own,
        own_row=own_row,
    )


def empty(kind: Board, span: Span, own: Tally | None = None) -> Leaderboard:
    facts = board(kind, span, own)
    return replace(facts, people=0, ranked=0, page=0, rows=())


@scenes("leaderboard", leaderboard_drawing)
def leaderboard(voice: Voice) -> Iterator[Scene]:
    def page(found: Leaderboard, *, private: bool = False) -> object:
        at = PageId(board=found.board, span=found.span, page=1, asker=9)
        return leaderboard_drawing(found, at, "E*ve", voice, private=private)

    for kind in Board:
        for span in Span:
            yield f"{kind.value}, {span.value}", page(board(kind, span, tally(9), 12))
            yield f"{kind.value}, {span.value}, nobody", page(empty(kind, span))
    yield "one's own row, the first page", page(replace(board(Board.WINS, own=tally(1), place=1), page=0))
    yield "few games, the last page", page(replace(board(Board.RATE, own=tally(9, games=4)), page=2))
    yield "hidden", page(board(Board.WINS, own=tally(9, hidden=True)), private=True)
    yield "hidden, for all", page(board(Board.WINS, own=tally(9, hidden=True)))
    yield "no hand", page(board(Board.HAND, own=replace(tally(9), best=None)), private=True)
    yield "provisional", page(board(Board.RATING, own=tally(9, NEW)))


@scenes("own-places", own_places_drawing)
def own_places(voice: Voice) -> Iterator[Scene]:
    places = (
        ("The *Snug*", board(Board.RATING, own=tally(9), place=12)),
        ("", board(Board.RATING, own=tally(9, NEW))),
    )
    yield "rating", own_places_drawing(places, voice)
    for kind in (Board.MORE, Board.HAND):
        hidden = board(kind, Span.MONTH, tally(9, hidden=True))
        yield kind.value, own_places_drawing([("The Snug", hidden)], voice)


PODIUM = (
    Winner(place=1, name="A*da", wins=21, games=30),
    Winner(place=2, name="Ben", wins=1, games=1),
    Winner(place=2, name="", wins=1, games=1),
)
NOVEMBER = Season(month=202611, end=END, people=9, podium=PODIUM)
PAST = (
    replace(NOVEMBER, month=202610, podium=(PODIUM[0], replace(PODIUM[1], place=1))),
    replace(NOVEMBER, month=202609, podium=(Winner(place=1, name="Cleo", wins=1, games=2),)),
)


@scenes("season", season_drawing, podium_drawing)
def season(voice: Voice) -> Iterator[Scene]:
    yield "under way", season_drawing(NOVEMBER, PAST, voice)
    yield "nobody yet", season_drawing(replace(NOVEMBER, podium=(), people=0), (), voice)
    yield "the podium", podium_drawing(NOVEMBER, voice)


@scenes("season-board", board_drawing, no_games_text)
def season_board(voice: Voice) -> Iterator[Scene]:
    rows = (*PODIUM, Winner(place=4, name="Eve", wins=0, games=2))
    found = SeasonBoard(month=202611, end=END, is_over=False, people=23, page=1, rows=rows)
    yield "the middle page", board_drawing(found, 9, voice)
    yield "the only page", board_drawing(replace(found, is_over=True, people=4, page=0), 9, voice)
    yield "a month without games", no_games_text(202610, voice)


@scenes("season-posting", posting_text, zone_text)
def season_posting(voice: Voice) -> Iterator[Scene]:
    yield "in a channel", posting_text(20, NOVEMBER, voice)
    yield "nowhere", posting_text(None, NOVEMBER, voice)
    yield "a zone", zone_text("America/New_York", NOVEMBER, voice)


@scenes("wall", wall_drawing)
def wall(voice: Voice) -> Iterator[Scene]:
    record = record_of(Agreement.of(players=4), ("A*da", "Ben", "Cleo", ""))
    hands = tuple(
        WalledHand(record=record, seat=Seat(seat), source=source, hand=HANDS[seat % 2], at=AT)
        for seat, source in ((0, Source.HAND), (1, Source.CRIB), (3, Source.HAND))
    )
    records = {
        Feat.STREAK: WallRecord(number=11, names=("A*da", "Ben", "Cleo", "Dan", "Eve")),
        Feat.COMEBACK: WallRecord(number=47, names=("Ben",)),
        Feat.SKUNKS: WallRecord(number=23, names=("",)),
        Feat.SLAMS: WallRecord(number=2, names=("A*da",)),
    }
    win = BiggestWin(record=record, seat=Seat(1), holes=68, at=AT)
    full = Wall(hands=hands, total=14, page=0, win=win, records=records, champions=PAST)
    yield "the first page", wall_drawing(full, 9, voice)
    last = Wall(hands=hands[:1], total=14, page=3, win=None)
    yield "the last page", wall_drawing(last, 9, voice)
    yield "one hole", wall_drawing(Wall(hands=(), total=0, page=0, win=replace(win, holes=1)), 9, voice)
    yield "empty", wall_drawing(Wall(hands=(), total=0, page=0, win=None), 9, voice)


@scenes("own-games", own_games_drawing)
def own_games(voice: Voice) -> Iterator[Scene]:
    ended = Reminder(user=1, rung=0, seen=AT, is_refused=True)
    yield "each kind", own_games_drawing(list(games()), voice)
    yield "reminded", own_games_drawing(list(games())[:1], voice, reminder=replace(ended, is_refused=False))
    yield "reminders have ended", own_games_drawing(list(games())[1:2], voice, reminder=ended)
    yield "two turns of a dozen", own_games_drawing(list(games()) * 2, voice)
    yield "none", own_games_drawing([], voice)


def games() -> Iterator[OwnGame]:
    """A game that waits for others, one for the reader, and those that wait for nobody."""
    two = record_of(Agreement(), ("A*da", "Ben"))
    waits = OwnGame(record=two, seat=Seat(0), url=URL, scores=(7, 9), waiting=(Seat(1),))
    slow = record_of(Agreement.of(players=4, pace=Pace.SLOW))
    yield waits
    yield OwnGame(record=slow, seat=Seat(2), url=None, scores=(80, 61), waiting=(Seat(2), Seat(3)))
    yield OwnGame(record=slow, seat=Seat(2), url=URL, scores=(80, 61), waiting=(Seat(0), Seat(3)))
    yield replace(waits, waiting=())
    alone = replace(
        two, guild=None, venue=Venue.BOT_DM, occupants=(two.occupants[0], computer_at(Level.EXPERT, ()))
    )
    yield replace(waits, record=alone)
    gathering = replace(two, status=Status.GATHERING, occupants=two.occupants[:1])
    yield OwnGame(record=gathering, seat=Seat(0), url=None)


@scenes("reminder", reminder_drawing)
def reminder(voice: Voice) -> Iterator[Scene]:
    yield "of a game", reminder_drawing(list(games())[1:2], voice)
