"""Tables, players and dealt games for the bot's tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from bot.model.table_record import Agreement, Occupant, TableRecord, is_deserted
from bot.model.venue import Venue
from bot.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import KEPT, Session, Sessions
from engine import Chance, CutForFirstDeal, Deal, Stage, StandIn
from engine.computer import Level, plain_move
from engine.fair import Secrets

if TYPE_CHECKING:

    class Guest(Occupant):
        """An occupant who is a person, so that tests can use the id as it is."""

        user: int
else:
    Guest = Occupant

ADA, BEN, CLEO, DAN = (Guest(user, name) for user, name in ((1, "Ada"), (2, "Ben"), (3, "Cleo"), (4, "Dan")))
PEOPLE = (ADA, BEN, CLEO, DAN)


class News:
    """Stands in for the sync: records which games had events."""

    def __init__(self) -> None:
        self.games: list[str] = []

    def __call__(self, record: TableRecord) -> None:
        self.games.append(record.game)


def room_of(
    store: Store,
    seed: int = 1,
    *,
    kept: int = KEPT,
    new_secrets: Callable[[], Secrets | None] = lambda: None,
) -> tuple[Sessions, Lobbies, News]:
    """Sessions and lobbies on a store, with shuffles from a seed, or from secrets."""
    news = News()
    sessions = Sessions(store, Chance(Random(seed)), kept=kept, new_secrets=new_secrets)
    sessions.subscribe(news)
    return sessions, Lobbies(store, sessions, now=time.time), news


async def opened(
    lobbies: Lobbies, host: Guest = ADA, agreement: Agreement | None = None, channel: int = 20, **more: Any
) -> TableRecord:
    """A lobby of that host in a server."""
    agreement = agreement or Agreement()
    return await lobbies.open(
        guild=10, channel=channel, place="The Crib Room", host=host, agreement=agreement, **more
    )


async def opened_in_dm(lobbies: Lobbies, agreement: Agreement | None = None) -> TableRecord:
    """A game of Ada's against the computer in the bot's DM, which is channel 30."""
    return await lobbies.open(
        guild=None,
        venue=Venue.BOT_DM,
        channel=30,
        place="",
        host=ADA,
        agreement=agreement or Agreement(),
        computers=Level.STEADY,
    )


async def gather(
    lobbies: Lobbies,
    agreement: Agreement | None = None,
    channel: int = 20,
    *,
    venue: Venue = Venue.SERVER,
) -> TableRecord:
    """A full lobby, Ada's."""
    agreement = agreement or Agreement()
    is_in_server = venue is Venue.SERVER
    record = await lobbies.open(
        guild=10 if is_in_server else None,
        channel=channel,
        place="The Crib Room" if is_in_server else "",
        host=ADA,
        agreement=agreement,
        venue=venue,
    )
    for person in PEOPLE[1 : agreement.players]:
        record = await lobbies.join(record.game, person)
    return record


async def sit_down(
    store: Store, agreement: Agreement | None = None, seed: int = 1, *, venue: Venue = Venue.SERVER
) -> tuple[Sessions, Lobbies, Session, News]:
    """A game that has just begun."""
    sessions, lobbies, news = room_of(store, seed)
    record = await gather(lobbies, agreement, venue=venue)
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    return sessions, lobbies, session, news


async def cut_for_deal(sessions: Sessions, session: Session) -> None:
    """Let everybody cut until the first hand is dealt."""
    while session.game.table.stage is Stage.CUTTING_FOR_DEAL:
        seat = session.game.table.waiting_for[0]
        user = session.record.occupants[seat].person
        if user is None:
            await sessions.move_for(session.record.game, CutForFirstDeal(seat))
        else:
            await sessions.move(session.record.game, user, CutForFirstDeal)


async def desert(sessions: Sessions, session: Session, *, at: Stage | None = None) -> None:
    """Let the clock move until everybody is away, and then until the stage `at`."""

    def is_done() -> bool:
        absences = session.game.table.absences
        return is_deserted(session.record, absences) and at in (None, session.game.table.stage)

    while not is_done():
        move = plain_move(session.game.view(session.game.table.waiting_for[0]))
        await sessions.move_for(session.record.game, move if isinstance(move, Deal) else StandIn(move))


async def play_out(sessions: Sessions, session: Session, seed: int = 2) -> None:
    """Play at random until the game is over."""
    random = Random(seed)
    while not session.game.is_over:
        seat = random.choice(session.game.table.waiting_for)
        move = random.choice(session.game.legal_moves(seat).moves)
        user = session.record.occupants[seat].user or 0
        session, _ = await sessions.move(session.record.game, user, lambda _, move=move: move)
