"""Scenes of a game's end: the result in its channel and by DM, in each of its states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from bot.model.table_record import Agreement, MatchGame, Occupant, computer_at
from bot.model.venue import Venue
from bot.render.drawing import MOST_ALT, Drawing, DrawnFile
from bot.render.messages.pictures import result_alt, result_facts
from bot.render.messages.result import GameEnd, result_dm_drawing, result_drawing
from bot.render.text.voice import Voice
from bot.standings.milestones import Milestone
from bot.standings.ratings import RatingChange
from bot.standings.results import SeatRating
from bot.standings.usual_level import NextLevel
from engine import (
    Chance,
    DealBegan,
    Ending,
    Game,
    NextDeal,
    Pegged,
    Pegs,
    PublicEvent,
    Reason,
    Resign,
    Resigned,
    Score,
    Seat,
    Side,
    Skunk,
    TableView,
)
from engine.coach import Moment, Swing, WinChances
from engine.computer import Level
from tests.bot.registered import full_voice
from tests.bot.render.games import ADA, BEN, MUGGINS, end_of, over, record_of, starter_cut, turned
from tests.golden import Scene, scenes

TWO = Agreement()
THREE, FOUR, SIX = (Agreement.of(players=players) for players in (3, 4, 6))
ALONE = Agreement.of(players=4, partners=False)
BEST_OF_FIVE = Agreement.of(best_of=5)
BEFORE = (MatchGame(Side(0), 1, (121, 104)), MatchGame(Side(1), 2, (80, 121)))
URL = "https://discord.com/channels/1/2/3"
PICTURE = DrawnFile(name="result.png", content=b"", description="")
"""Stands for the picture, which has what the board says in text."""
INSTALL = "https://discord.com/oauth2/authorize?client_id=1"


def won(
    agreement: Agreement, scores: tuple[int, ...], *skunks: Skunk, **facts: Any
) -> tuple[TableView, GameEnd]:
    """A finished game with other scores, won by the first side unless `facts` of its result say otherwise."""
    game = over(replace(agreement, best_of=1))
    assert game.table.result is not None
    told: dict[str, Any] = {"winner": Side(0), "games": 1, "ending": Ending.PEGGED_OUT} | facts
    lost = skunks or (Skunk.NONE,) * (len(scores) - 1)
    result = replace(game.table.result, scores=scores, skunks=(Skunk.NONE, *lost), **told)
    table = replace(game.table, result=result, pegs=tuple(Pegs(score, 0) for score in scores))
    return table, end_of(game, chances=WinChances((), ()))


def rated(before: int, after: int, games: int = 11, *, is_hidden: bool = False) -> SeatRating:
    """A change of a rating after so many games."""
    return SeatRating(change=RatingChange(before=before, after=after), games=games, is_hidden=is_hidden)


def swing(moment: Moment, seat: Seat | None, pegged: tuple[int, int]) -> WinChances:
    """The course of a game of two that turned once."""
    turn = Swing(deal=7, moment=moment, seat=seat, pegged=pegged, before=(0.6, 0.4), after=(0.29, 0.71))
    return WinChances(((0.5, 0.5), (0.29, 0.71), (0.0, 1.0)), (turn,), Side(1))


def behind(by: int) -> tuple[PublicEvent, ...]:
    """Events of a game in which the first side is that far behind in the last quarter, and wins."""
    return (
        DealBegan(ADA, 1),
        Pegged(ADA, 100 - by, ()),
        Pegged(BEN, 100, ()),
        DealBegan(BEN, 2),
        Pegged(ADA, 21 + by, ()),
    )


@scenes("result", result_drawing)
def results(voice: Voice) -> Iterator[Scene]:
    """The result for everybody."""

    def here(agreement: Agreement, table: TableView, end: GameEnd, **changes: Any) -> Drawing:
        picture = changes.pop("picture", PICTURE)
        return result_drawing(record_of(agreement, **changes), table, end, voice, picture=picture)

    table, end = won(TWO, (121, 100))
    told = replace(end, chances=swing(Moment.CRIB, BEN, (0, 12)), head="0123456789abcdef" * 4)
    ratings = (rated(1512, 1527), rated(980, 966))
    yield "won", here(TWO, table, replace(told, ratings=ratings), picture=None)
    record = record_of(TWO)
    alt = result_alt(record, table, told.chances, voice)
    drawn = DrawnFile(name="result.png", content=b"", description=alt)
    yield "with its picture", here(TWO, table, told, picture=drawn)
    yield "facts of its picture", result_facts(record, table, told.chances)
    for moment, seat in ((Moment.HAND, BEN), (Moment.PLAY, None)):
        yield (
            f"turned by the {moment.value}",
            here(TWO, table, replace(end, chances=swing(moment, seat, (1, 9)))),
        )
    for skunk in (Skunk.LURCH, Skunk.SKUNK, Skunk.DOUBLE):
        yield f"a {skunk.value}", here(TWO, *won(TWO, (121, 50), skunk, games=2))
    yield "a comeback", here(TWO, table, replace(end, events=behind(14)))
    yield "from a few holes behind", here(TWO, table, replace(end, events=behind(9)))
    given_up, resigned = won(TWO, (121, 100), ending=Ending.RESIGNED)
    resigned = replace(resigned, events=(*behind(14), Resigned(BEN)))
    yield "from far behind, by a resignation", here(TWO, given_up, resigned)
    short = Agreement.of(target=31)
    for won_in, agreement, seed in (
        ("in the play", short, 7),
        ("in the hand", short, 0),
        ("in the crib", short, 2),
        ("by muggins", MUGGINS, 16),
    ):
        game = over(agreement, seed)
        yield f"won {won_in}", here(agreement, game.table, end_of(game, chances=WinChances((), ())))
    price = Pegged(BEN, 2, (Score(Reason.WRONG_CLAIM, 2),))
    yield "a wrong claim", here(TWO, table, replace(end, events=(*behind(0), price)))
    yield "placements", here(TWO, table, replace(end, ratings=(rated(1000, 1138, 1), rated(1000, 1210, 10))))
    private = (rated(1512, 1527), rated(980, 966, is_hidden=True))
    yield "a private rating", here(TWO, table, replace(end, ratings=private))
    yield (
        "a substitute",
        here(TWO, table, end, occupants=(Occupant(1, "Ada"), Occupant(2, "Ben", Level.STEADY))),
    )
    ada = Occupant(1, "Ada")
    beaten = replace(end, next_level=NextLevel(Level.BEGINNER, Level.LEARNER, 3))
    yield "of a computer", here(TWO, table, beaten, occupants=(ada, computer_at(Level.LEARNER, (ada,))))

    for title, game in _given_up():
        yield title, here(TWO, game.table, end_of(game, chances=WinChances((), ())))
    for next_deal in NextDeal:
        changed = replace(table, rules=replace(table.rules, next_deal=next_deal))
        yield f"deals next: {next_deal.value}", here(TWO, changed, end)
    shotgun, lowball = Agreement.of(preset="shotgun"), Agreement.of(preset="lowball")
    yield "from ninety", here(shotgun, *won(shotgun, (121, 104)), picture=None)
    yield "where low wins", here(lowball, *won(lowball, (80, 121)), picture=None)
    three = won(THREE, (121, 80, 40), Skunk.SKUNK, Skunk.DOUBLE)
    yield "of three", here(THREE, *three, picture=None)
    yield "of partners", here(FOUR, *won(FOUR, (121, 85), Skunk.SKUNK))
    yield "of four", here(ALONE, *won(ALONE, (121, 100, 85, 50), Skunk.NONE, Skunk.SKUNK, Skunk.DOUBLE))
    muggins = Agreement.of(players=3, muggins=True, aloud=True)
    yield "of three with muggins", here(muggins, *won(muggins, (121, 100, 95)))
    between: dict[str, Any] = {"guild": None, "venue": Venue.ANYWHERE}
    where = full_voice(voice.language, install=INSTALL)
    yield "between people", result_drawing(record_of(TWO, **between), table, told, where, picture=PICTURE)
    for agreement in (THREE, ALONE, FOUR):
        game, sides = over(agreement), agreement.rules.sides
        course = tuple(tuple(float(side == first) for side in range(sides)) for first in (*range(sides), 0))
        names = tuple(mark * 40 for mark in "★☆✦✧")
        alt = result_alt(record_of(agreement, names), game.table, WinChances(course * 4, ()), voice)
        assert len(alt) <= MOST_ALT
        yield f"alt text of {sides} sides of {agreement.players}", alt


def _given_up() -> Iterator[tuple[str, Game]]:
    """Games that Ben resigned."""
    for title, game in (
        ("resigned", starter_cut(TWO)),
        ("resigned before the first deal", Game.new(TWO.rules, chance=Chance(Random(1)))),
    ):
        game.apply(Resign(BEN))
        yield title, game


@scenes("result by dm", result_dm_drawing)
def results_by_dm(voice: Voice) -> Iterator[Scene]:
    """The result for each of its players."""

    def own(seat: int, agreement: Agreement, table: TableView, end: GameEnd, **changes: Any) -> Drawing:
        record = record_of(agreement, **changes)
        facts: dict[str, Any] = {"seat": Seat(seat), "table_url": URL, "picture": PICTURE}
        return result_dm_drawing(record, table, end, voice, **facts)

    table, end = won(TWO, (121, 50), Skunk.SKUNK)
    ratings, milestones = (rated(1512, 1527), rated(980, 966)), ((Milestone.PEOPLE, Milestone.TEN), ())
    told = replace(end, ratings=ratings, milestones=milestones, head="0123456789abcdef" * 4)
    yield "won", own(0, TWO, table, told)
    yield "lost", own(1, TWO, table, told)
    yield "in the bot's DM", own(0, TWO, table, told, venue=Venue.BOT_DM, guild=None)
    private = replace(end, ratings=(rated(1512, 1527), rated(980, 966, is_hidden=True)))
    for seat, title in enumerate(("the opponent's rating is private", "the own rating is private")):
        yield title, own(seat, TWO, table, private)
    for agreement, name in ((TWO, "two"), (ALONE, "four")):
        game, sides = over(agreement, 3), agreement.rules.sides
        plain = end_of(game, chances=turned(sides))
        yield f"a turning point of {name}", own(0, agreement, game.table, plain)
        news = ((Milestone.TEN,), *((),) * (sides - 1))
        yield f"news of {name}", own(0, agreement, game.table, replace(plain, milestones=news))
    far = replace(won(TWO, (121, 100))[1], events=behind(14))
    for seat, title in enumerate(("came back", "lost after a comeback")):
        yield title, own(seat, TWO, won(TWO, (121, 100))[0], far)
    ada = Occupant(1, "Ada")
    beaten = replace(end, next_level=NextLevel(Level.BEGINNER, Level.LEARNER, 3))
    yield "beat a computer", own(0, TWO, table, beaten, occupants=(ada, computer_at(Level.LEARNER, (ada,))))
    game = starter_cut(TWO)
    game.apply(Resign(BEN))
    yield "resigned", own(1, TWO, game.table, end_of(game, chances=WinChances((), ())))
    three = won(THREE, (121, 100, 80), Skunk.NONE, Skunk.SKUNK)
    for seat, title in enumerate(("won against two", "lost to one of two", "was skunked by one of two")):
        yield title, own(seat, THREE, *three)
    four = won(FOUR, (121, 85), Skunk.SKUNK)
    yield "won with a partner", own(2, FOUR, *four)
    yield "lost with a partner", own(1, FOUR, *four)
    threes = Agreement.of(players=6, players_a_side=3)
    yield "won with two partners", own(2, threes, *won(threes, (121, 85)))


@scenes("result of a match", result_drawing, result_dm_drawing)
def results_of_matches(voice: Voice) -> Iterator[Scene]:
    """The results of a game that is one of several."""

    def here(agreement: Agreement, table: TableView, end: GameEnd, **changes: Any) -> Drawing:
        return result_drawing(record_of(agreement, **changes), table, end, voice, picture=PICTURE)

    def own(seat: int, agreement: Agreement, table: TableView, end: GameEnd, **changes: Any) -> Drawing:
        record = record_of(agreement, **changes)
        facts: dict[str, Any] = {"seat": Seat(seat), "table_url": None, "picture": PICTURE}
        return result_dm_drawing(record, table, end, voice, **facts)

    table, end = first = won(BEST_OF_FIVE, (121, 110))
    offer = NextLevel(Level.BEGINNER, Level.LEARNER, 3)
    yield "goes on", here(BEST_OF_FIVE, table, replace(end, next_level=offer))
    yield "goes on, by DM", own(1, BEST_OF_FIVE, *first)
    cut = Agreement.of(best_of=3, next_deal=NextDeal.CUT)
    yield "goes on with a cut", here(cut, *won(cut, (121, 110)))
    captains = Agreement.of(preset="captains", captain=1)
    yield "goes on with another captain", here(captains, *won(captains, (121, 60)))
    facts: dict[str, Any] = {"match": "first", "match_before": BEFORE, "won_before": (1, 2)}
    last = won(BEST_OF_FIVE, (110, 121), winner=Side(1))
    yield "is won", here(BEST_OF_FIVE, *last, **facts)
    for seat, title in enumerate(("is lost, by DM", "is won, by DM")):
        yield title, own(seat, BEST_OF_FIVE, *last, **facts)
    table, end = won(BEST_OF_FIVE, (110, 54), winner=Side(1), ending=Ending.RESIGNED)
    end = replace(end, events=(*end.events, Resigned(ADA)))
    yield "is won by a resignation", here(BEST_OF_FIVE, table, end, **facts)
    pairs, one = (
        Agreement.of(players=4, best_of=3),
        facts | {"match_before": BEFORE[:1], "won_before": (1, 0)},
    )
    yield "is won by partners", here(pairs, *won(pairs, (121, 110)), **one)
    for seat, title in ((2, "is won with a partner, by DM"), (3, "is lost with a partner, by DM")):
        yield title, own(seat, pairs, *won(pairs, (121, 110)), **one)
    three = Agreement.of(players=3, best_of=3)
    games = (MatchGame(Side(0), 1, (121, 90, 100)), MatchGame(Side(1), 1, (90, 121, 100)))
    of_three: dict[str, Any] = {"match": "first", "match_before": games, "won_before": (1, 1, 0)}
    yield "is won by one of three", here(three, *won(three, (121, 99, 111)), **of_three)
    last_captain = Agreement.of(preset="captains", captain=2)
    shared: dict[str, Any] = {"match": "first", "match_before": BEFORE, "won_before": (1, 1, 0)}
    yield "is shared", here(last_captain, *won(last_captain, (61, 100), winner=Side(1)), **shared)
    yield "rematches", here(TWO, *won(TWO, (121, 100)), won_before=(1, 2), rematch_of="before")
