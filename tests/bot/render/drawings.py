"""Every message of whole games, in a voice: for tests that read all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from bot.model.preferences import Preferences
from bot.model.table_record import (
    Agreement,
    Explaining,
    Status,
    TableRecord,
    computer_at,
)
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.explaining import explaining_drawing, what_was_that_drawing
from bot.render.messages.hand import Asked, hand_drawing, past_hand_drawing
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.messages.pictures import board_alt, show_alt
from bot.render.messages.result import GameEnd, result_dm_drawing, result_drawing
from bot.render.messages.show import hands_in_show, show_drawing
from bot.render.messages.table import plays_drawing, table_drawing
from bot.render.text.explaining import heard_so_far
from bot.render.text.voice import Voice
from bot.standings.usual_level import NextLevel
from engine import Game, Seat, Stage, StarterCut
from engine.computer import Level
from engine.secret_events import public
from tests.bot.render.games import (
    ALOUD,
    MUGGINS,
    PLAIN,
    deal_in_hand,
    end_of,
    over,
    played,
    record_of,
    turned,
)

GAMES = {
    "standard": Agreement(),
    "aloud": ALOUD,
    "muggins": MUGGINS,
    "family": Agreement.of(players=4, preset="family"),
    "lurch": Agreement.of(players=3, preset="lurch"),
}
"""Five games that have all messages between them."""
SEED = 15

_URL = "https://discord.com/channels/1/2/3"


def drawn_in_a_game(agreement: Agreement, voice: Voice, names: tuple[str, ...] = PLAIN) -> Iterator[Drawing]:
    """Every message about a game, from its first cut to its result."""
    for game in played(agreement, SEED):
        record = record_of(agreement, names, won_before=(1,) * agreement.rules.sides)
        yield from _public(record, game, voice, names)
        for seat in range(game.rules.seats):
            yield from _private(record, game, Seat(seat), voice)
        if game.rules.seats == 2 and not game.rules.muggins:
            yield from _alone(record, game, voice)


def _public(record: TableRecord, game: Game, voice: Voice, names: tuple[str, ...]) -> Iterator[Drawing]:
    events, table = deal_in_hand(game), game.table
    if table.result is not None:
        over = replace(record, status=Status.OVER)
        end = _end(record.agreement)
        yield result_drawing(over, table, end, voice)
        for seat in range(game.rules.seats):
            yield result_dm_drawing(over, table, end, voice, seat=Seat(seat), table_url=_URL)
        yield result_drawing(over, table, end, voice, picture=_file("result", board_alt(over, table, voice)))
    yield table_drawing(record, table, events, voice, hand_behind_button=names[: game.rules.seats])
    yield table_drawing(
        record, table, events, voice, open=False, board=_file("board", board_alt(record, table, voice))
    )
    yield show_drawing(record, table, events, voice, open=True)
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    _, hands = hands_in_show(events)
    if starter is not None and hands:
        alt = show_alt(record, starter, hands, voice)
        yield show_drawing(record, table, events, voice, show=_file("show", alt))
    yield plays_drawing(record, events, voice)


def _private(record: TableRecord, game: Game, seat: Seat, voice: Voice) -> Iterator[Drawing]:
    view, events = game.view(seat), deal_in_hand(game)
    chosen = view.hand[: game.rules.discarded] if game.table.stage is Stage.DISCARDING else ()
    for dm in (True, False):
        yield hand_drawing(record, view, voice, table_url=_URL, events=events, dm=dm)
        yield hand_drawing(
            record,
            view,
            voice,
            table_url=_URL,
            events=events,
            chosen=chosen,
            likes=Preferences(dms_closed=True, always_cut=True),
            dm=dm,
        )
    heard = heard_so_far(public(game.log), seat)
    occupants = list(record.occupants)
    occupants[seat] = replace(occupants[seat], explaining=Explaining.ON)
    told = replace(record, occupants=tuple(occupants))
    for dm in (True, False):
        yield hand_drawing(
            told, view, voice, table_url=_URL, events=events, chosen=chosen, heard=heard, dm=dm
        )
    yield what_was_that_drawing(told, game.table, heard, seat, voice)
    yield explaining_drawing(told, seat, voice)
    yield explaining_drawing(record, seat, voice)
    for held in view.legal_moves.playable[:1]:
        for more in (False, True):
            asked = Asked(held, more=more)
            yield hand_drawing(record, view, voice, table_url=None, events=events, asked=asked, dm=True)
    if view.discarded:
        for by_clock in (False, True):
            yield past_hand_drawing(record, 1, view.hand, view.discarded, voice, by_clock=by_clock)


def _alone(record: TableRecord, game: Game, voice: Voice) -> Iterator[Drawing]:
    """The table in the bot's own DM."""
    computer = computer_at(Level.STEADY, record.occupants[:1])
    own = replace(record, guild=None, venue=Venue.BOT_DM, occupants=(record.occupants[0], computer))
    view, events = game.view(Seat(0)), deal_in_hand(game)
    chosen = view.hand[: game.rules.discarded] if game.table.stage is Stage.DISCARDING else ()
    for begun in (Begun(), Begun(chosen=chosen, likes=Preferences(always_cut=True))):
        yield own_table_drawing(own, view, events, voice, begun=begun, picture=None)
    heard = heard_so_far(public(game.log), Seat(0))
    yield own_table_drawing(own, view, events, voice, begun=Begun(), heard=heard, picture=None)
    if game.table.result is not None:
        offer = NextLevel(Level.EXPERT, Level.STEADY, 3)
        over, end = replace(own, status=Status.OVER), replace(_end(own.agreement), next_level=offer)
        yield result_drawing(over, game.table, end, voice)
        yield result_dm_drawing(over, game.table, end, voice, seat=Seat(0), table_url=_URL)


@lru_cache(maxsize=8)
def _end(agreement: Agreement) -> GameEnd:
    return end_of(over(agreement, SEED), chances=turned(agreement.rules.sides))


def _file(name: str, alt: str) -> DrawnFile:
    return DrawnFile(name=f"{name}.png", content=name.encode(), description=alt)
