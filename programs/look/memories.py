"""Invented results of years: a page of finished games, a long career, and a full wall."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import accumulate
from random import Random

from bot.model.table_record import Agreement, MatchGame, TableRecord, computer_at
from bot.standings.careers import Career, Profile, Skunks
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.history import History, PastGame
from bot.standings.wall import BiggestWin, Feat, Record, Wall, WalledHand
from engine import Ending, Seat, Side, Source, card, cards
from engine.computer import Level
from tests.bot.render.games import record_of

_DAY = 86_400
"""Seconds."""


NAMES = ("Zoë", "Ольга Петровна", "佐藤さくら", "يوسف")
REPLAYED = {
    "four": Agreement.of(players=4, target=61),
    "three": Agreement.of(players=3, target=61),
    "piecepack": Agreement.of(preset="piecepack"),
}
"""Games that are watched once more, by what is special about them."""


def finished_games() -> History:
    """A page in the middle of a long list: names of many scripts, partners, a match, every ending."""
    two, four = Agreement.of(), Agreement.of(players=4)
    won_before = (MatchGame(Side(0), 1, (121, 104)), MatchGame(Side(1), 1, (98, 121)))
    best_of_three = record_of(Agreement.of(best_of=3), ("Zoë", "Ben"), match_before=won_before)
    long = "A name of thirty-two letters, so"
    out, first, second = Ending.PEGGED_OUT, Side(0), Side(1)
    records = (
        (record_of(two, ("Zoë", "Ольга Петровна")), (121, 98), first, out, 9),
        (record_of(two, ("佐藤さくら", "Zoë")), (121, 119), first, out, 11),
        (best_of_three, (121, 90), first, out, 27),
        (record_of(four, ("Zoë", "Ben", "Cleo", "Dan")), (117, 121), second, out, 8),
        (record_of(Agreement.of(players=3), ("Zoë", "يوسف", "Ben")), (87, 121, 60), second, out, 10),
        (record_of(two, ("Zoë", "")), (64, 31), first, Ending.RESIGNED, 5),
        (_alone(Agreement.of(target=61)), (58, 61), second, out, 6),
        (record_of(two, ("Zoë", "**Bold** _Ann_ `x`")), (88, 40), first, Ending.CLAIMED, 7),
        (record_of(two, (long, "Zoë")), (121, 55), first, out, 9),
        (record_of(two, ("Zoë", "🎲 Lucky 🎲")), (121, 120), first, out, 9),
    )
    now = int(time.time())
    games = tuple(
        PastGame(
            number=500 - place,
            record=replace(record, game=f"game{place}"),
            at=now - place * _DAY,
            deals=deals,
            winner=winner,
            ending=ending,
            scores=scores,
        )
        for place, (record, scores, winner, ending, deals) in enumerate(records)
    )
    return History(games=games, has_newer=True, has_older=True)


def _alone(agreement: Agreement) -> TableRecord:
    record = record_of(agreement, ("Zoë", ""))
    return replace(record, occupants=(record.occupants[0], computer_at(Level.EXPERT, ())))


_HANDS = (
    BestHand(29, cards("5H 5C 5S JD"), card("5D")),
    BestHand(24, cards("4H 5C 5S 6D"), card("6H")),
    BestHand(24, cards("7H 8C 8S 9D"), card("7D")),
    BestHand(21, cards("6H 7C 8S 8D"), card("7D")),
    BestHand(20, cards("AH 7C 7S 7D"), card("AD")),
    BestHand(20, cards("5H TC JS QD"), card("5D")),
    BestHand(17, cards("5H 5C TS JD"), card("QD")),
    BestHand(16, cards("9H TC JS QD"), card("JC")),
    BestHand(16, cards("2H 3C 4S 4D"), card("3D")),
    BestHand(16, cards("AH 2C 3S 3D"), card("2D")),
)

_FIGURES = SeatFigures(
    dealing=InRole(deals=410, pegged=1470, hands=400, points=3260),
    not_dealing=InRole(deals=405, pegged=850, hands=398, points=3190),
    cribs=400,
    crib_points=1790,
    judged=800,
    luck=85_000,
    given_away=310_000,
    best=_HANDS[0],
    top=_HANDS,
)
_DICE = Random(15)

CAREER = Profile(
    career=Career(
        games=87,
        wins=49,
        streak=3,
        longest=8,
        comebacks=2,
        comeback=41,
        given=Skunks(single=9, double=1),
        taken=Skunks(single=6),
        best=_HANDS[0],
        two=_FIGURES,
    ),
    course=tuple(accumulate((_DICE.randint(-22, 24) for _ in range(49)), initial=1000)),
)


def great_wall() -> Wall:
    """A page of the wall, and the biggest win."""
    people = record_of(Agreement(), ("Zoë", "Ольга Петровна"))
    partners = record_of(Agreement.of(players=4), ("佐藤さくら", "يوسف", "Cleo", ""))
    now = int(time.time())
    places = (
        (people, 0, Source.HAND),
        (partners, 0, Source.CRIB),
        (partners, 1, Source.HAND),
        (partners, 3, Source.HAND),
    )
    hands = tuple(
        WalledHand(
            record=record,
            seat=Seat(seat),
            source=source,
            hand=_HANDS[0] if place == 0 else BestHand(28, cards("5H 5C 5S TD"), card("5D")),
            at=now - place * 40 * _DAY,
        )
        for place, (record, seat, source) in enumerate(places)
    )
    win = BiggestWin(record=partners, seat=Seat(1), holes=68, at=now)
    records = {
        Feat.STREAK: Record(number=11, names=("Cleo", "Zoë")),
        Feat.COMEBACK: Record(number=47, names=("Ольга Петровна",)),
        Feat.SKUNKS: Record(number=23, names=("佐藤さくら",)),
        Feat.SLAMS: Record(number=2, names=("Zoë",)),
    }
    return Wall(hands=hands, total=14, page=0, win=win, records=records)
