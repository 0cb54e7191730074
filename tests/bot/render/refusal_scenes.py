"""Scenes of refusals: every error with its sentence, and every mistake at every moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

from bot.model import errors as room
from bot.model.errors import BotError, Refusal, Refused
from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from bot.model.venue import Venue
from bot.render.text.faces import Faces
from bot.render.text.refusals import refusal
from bot.render.text.voice import Voice
from engine import (
    CannotCount,
    CardNotHeld,
    CutStarter,
    CutThereAlready,
    CutTooNearTheEnd,
    EngineError,
    GameIsOver,
    IllegalMove,
    ImpossibleCount,
    LogError,
    MugginsSpent,
    MustCallPoints,
    MustPlay,
    NoComputerFamily,
    NoSuchSeat,
    NotationError,
    NotCoached,
    NotYourTurn,
    OverThirtyOne,
    OwnMove,
    PointsNotCalled,
    PositionError,
    RulesError,
    SameCardTwice,
    Seat,
    Stage,
    WrongNumberOfCards,
    WrongNumberOfPlayers,
    WrongPhase,
    card,
    cards,
)
from tests.bot.registered import full_voice
from tests.bot.render.games import ADA, BEN, EMOJIS, record_of
from tests.golden import Scene, scenes

TABLE = record_of(Agreement())
_LOBBY = record_of(Agreement(), ("Ada",), status=Status.GATHERING, called=77, opened_at=400)
_REFUSALS = sorted((each for each in Refusal.__subclasses__() if each.__module__.startswith("bot.")), key=str)
_PEOPLE = (Occupant(2, "Ben"), Occupant(3, "Cleo"))
_NOT_ON = (Status.GATHERING, Status.CANCELLED, Status.OVER)

ERRORS: tuple[EngineError | BotError, ...] = (
    EngineError(),
    NoComputerFamily(("play_out",)),
    NotCoached(),
    RulesError("x"),
    WrongNumberOfPlayers("short", 3, (2, 4)),
    CannotCount(None, 5),
    NotationError("5x", "`5h`"),
    PositionError("hand", "x"),
    LogError("x"),
    GameIsOver(),
    IllegalMove(ADA),
    NoSuchSeat(Seat(7), 2),
    NotYourTurn(ADA, (BEN,)),
    NotYourTurn(ADA, (ADA, BEN)),
    WrongPhase(ADA, "cutting"),
    CardNotHeld(ADA, card("5H")),
    SameCardTwice(ADA, card("5H")),
    WrongNumberOfCards(ADA, 1, 2),
    OverThirtyOne(ADA, card("9D"), 26),
    OverThirtyOne(ADA, card("KC"), 26, cards("5H")),
    OverThirtyOne(ADA, card("KC"), 23, cards("8H")),
    OverThirtyOne(ADA, card("KC"), 30, cards("AH")),
    MustPlay(ADA, cards("3H 4D")),
    ImpossibleCount(ADA, 30, 29),
    MustCallPoints(ADA, card("9D")),
    CutTooNearTheEnd(ADA, 3, 4, 36),
    CutThereAlready(ADA, 17),
    MugginsSpent(ADA),
    PointsNotCalled(ADA),
    room.BotError(),
    room.RoomError(),
    room.NoTable(),
    room.NoTable(own=(TABLE,)),
    *(room.NoTable(replace(TABLE, status=status)) for status in _NOT_ON),
    room.TooManyTables((TABLE, TABLE)),
    room.TableRests(TABLE),
    room.NotInServer(TABLE),
    room.TimedOut(TABLE, 1_800_000_000),
    room.NotSeated(TABLE),
    room.NotHost(TABLE),
    room.NotHost(replace(TABLE, host=99)),
    room.NotCalled(TABLE),
    room.NotCalled(_LOBBY),
    room.NotAtTable(TABLE),
    room.NotAtTable(_LOBBY),
    room.NotAtTable(replace(TABLE, status=Status.GATHERING)),
    room.AlreadySeated(TABLE),
    room.AlreadySeated(_LOBBY),
    room.AlreadySeated(replace(_LOBBY, called=None, held=_PEOPLE[:1])),
    room.MatchGoesOn(TABLE),
    room.TableFull(TABLE),
    room.SeatHeld(_LOBBY),
    room.SeatHeld(replace(_LOBBY, called=None, held=_PEOPLE)),
    room.NoComputer(TABLE),
    room.NobodyAway(TABLE),
    room.NotEnoughPlayers(record_of(Agreement.of(players=3), ("Ada",))),
    room.AlreadyBegun(TABLE),
    room.AlreadyBegun(replace(TABLE, guild=None)),
    *(room.AlreadyBegun(replace(TABLE, status=status)) for status in (Status.OVER, Status.CANCELLED)),
    room.StaleButton(2, 3),
    room.StaleButton(0, 1),
    room.NotACard("*1*"),
    room.WrongHand(2),
    room.WrongHand(4, card("5H")),
    room.WrongDeal(7),
    room.WrongDeal(5, 2),
    room.WrongDeal(5, 4),
    room.WrongDeal(5, 2, card("5H")),
    room.NotFinished(),
    *(room.NotFinished(replace(TABLE, status=status)) for status in Status),
    room.NotPlayed(TABLE),
    room.NoDeck(TABLE),
    room.NoServer("crib-daily post"),
    room.NotANumber("1,5"),
    room.WrongLength("30", 31, 999),
    room.WrongLength("", 31, 999),
    room.WrongTime("2 #"),
    room.NumberOutOfRange(15, 604_800),
    room.TablesEnough(Occupant(1, "A*da"), 20, are_live=True),
    room.TablesEnough(Occupant(1, "Ada"), 10, are_live=False),
    room.TooSoon(1_795_262_341),
    room.MissingPermissions(("View Channel", "Send Messages")),
    room.NotAddedToThread(5),
    room.ShutElsewhere(20),
    room.NotPosted(TABLE),
    room.NotPosted(replace(TABLE, venue=Venue.ANYWHERE)),
    room.NotPosted(replace(TABLE, venue=Venue.BOT_DM)),
    *(Refused(why) for kind in _REFUSALS for why in kind),
    room.StoreError(),
    room.NoSuchGame("k3f9"),
    room.StaleGame("k3f9", 4),
    room.DamagedGame("k3f9", "its log", "ValueError"),
    room.ChannelTaken(20, "k3f9"),
    room.ChannelTaken(20, "k3f9", is_direct=True),
    room.IdTaken("k3f9"),
    room.StoreUnavailable(),
    room.OutcomeUnknown(),
    room.LeaseLost(),
    room.ShardsDiffer(8, 16),
    room.StartUpError("No."),
    room.SettingsError("DISCORD_TOKEN", "is missing"),
    room.DatabaseTooNew(9, 3),
    room.DatabaseOfDevelopment(2, 3),
    room.DatabaseTooOld(Path("/srv/x")),
    room.DatabaseUnusable(Path("/srv/x"), "it belongs to another program"),
    room.DatabaseUnusable(Path("/srv/x"), "disk I/O error", may_pass=True),
    room.DatabaseDamaged(Path("/srv/x")),
    room.DatabaseInUse(Path("/srv/x")),
    room.LibraryLacking("asyncpg", "DATABASE_URL"),
    room.NotCopied(Path("/srv/x"), Path("/srv/y"), "no room"),
    room.UpgradeNotCopied(Path("/srv/x"), 45, 46, "no room"),
    room.DatabaseLost(Path("/srv/x"), Path("/srv/x-wal"), Path("/srv/x.rescued")),
)
"""Every error, and every form of its sentence."""


START_UP = "start-up errors"
"""The kind whose sentences nobody translates."""


@scenes("refusals")
def refusals(voice: Voice) -> Iterator[Scene]:
    """The sentence of each error at a table, and without one if that is another."""
    players = (error for error in ERRORS if not isinstance(error, room.StartUpError))
    yield "errors", "\n".join(_sentence(error, voice) for error in players)
    for title, record in (
        ("at the wrong moment", TABLE),
        ("at the wrong moment, counting aloud", record_of(Agreement.of(muggins=True, heels_claimed=True))),
    ):
        yield title, "\n".join(_mistakes(record, voice))
    waited_for = (WrongPhase(ADA, stage.value, CutStarter, (ADA,)) for stage in Stage)
    yield "when it is one's turn", "\n".join(refusal(error, TABLE, voice) for error in waited_for)
    begun = room.AlreadyBegun(TABLE)
    yield "a game that is on, to a player", refusal(begun, TABLE, voice, reader=1)
    drawn = full_voice(voice.language, Faces(EMOJIS))
    yield "with pictures of cards", refusal(CardNotHeld(ADA, card("9C")), None, drawn)


@scenes(START_UP)
def start_up_errors(voice: Voice) -> Iterator[Scene]:
    """Why the bot cannot start, for its owner: in English, whatever the voice."""
    owners = (error for error in ERRORS if isinstance(error, room.StartUpError))
    yield "errors", "\n".join(_sentence(error, voice) for error in owners)


def _sentence(error: EngineError | BotError, voice: Voice) -> str:
    name = error.why if isinstance(error, Refused) else type(error).__name__
    here, without = (refusal(error, record, voice) for record in (TABLE, None))
    return f"`{name}`: {here}" + (f" / {without}" if without != here else "")


def _mistakes(record: TableRecord, voice: Voice) -> Iterator[str]:
    """What everybody reads who makes a move at another's turn, by its kind and the game's stage."""
    for move, stage in product(get_args(OwnMove), Stage):
        said = refusal(WrongPhase(ADA, stage.value, move, (BEN,)), record, voice)
        yield f"`{move.__name__}, {stage.value}`: {said}"
