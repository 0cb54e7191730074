"""Draws the contents of a table's messages; pictures are drawn in their own thread.

Drawing is the expensive part of a sync, so only a message that is about to be posted or edited is drawn.
"""

from __future__ import annotations

from typing import assert_never

from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.by_dm import at_the_table_drawing, ringing_line
from bot.render.messages.ending_early import called_off_drawing, resting_drawing
from bot.render.messages.hand import past_hand_drawing
from bot.render.messages.lobby import calling_line, lobby_drawing
from bot.render.messages.moved import moved_drawing
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.messages.result import result_dm_drawing, result_drawing
from bot.render.messages.show import show_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.automatic import clock_discarded
from bot.render.text.mentions import nudge
from bot.render.text.voice import Voice, Voices
from bot.store import Store
from bot.sync.contents import (
    AtTheTable,
    CalledOff,
    CallingLine,
    Content,
    Hand,
    Line,
    Lobby,
    Moved,
    NudgeLine,
    OpenHand,
    OwnTable,
    PastHand,
    Resting,
    Result,
    ResultByDm,
    Table,
    TurnLine,
)
from bot.sync.game_ends import GameEnds
from bot.sync.illustrator import Illustrator
from bot.sync.last_deals import LastDeals
from bot.sync.snapshots import GameSnapshot
from bot.sync.table_state import TableState
from engine import Stage


class Renderer:
    """Draws contents from a snapshot of their game."""

    def __init__(self, store: Store, voices: Voices, illustrator: Illustrator, ends: GameEnds) -> None:
        self._store = store
        self._voices = voices
        self._illustrator = illustrator
        self._ends = ends
        self._last_deals = LastDeals(illustrator)

    def lobby(self, record: TableRecord) -> Drawing:
        """The lobby of a table, which may have no game yet."""
        return lobby_drawing(record, self._voices.of(record.language))

    def moved(self, record: TableRecord, content: Moved) -> Drawing:
        """The remains of a table's message, or a lobby's, that was reposted."""
        return moved_drawing(content.url, self._voices.of(record.language))

    def line(self, record: TableRecord, snapshot: GameSnapshot | None, line: Line) -> str:
        """A message's opening, or the text of a mention."""
        match line:
            case CallingLine():
                return calling_line(record, line.user, self._voices.of(record.language))
            case TurnLine():
                assert snapshot is not None, "a turn is of a game"
                return ringing_line(snapshot.views[line.seat], self._by_dm(record, line.language))
            case NudgeLine():
                assert snapshot is not None, "a turn is of a game"
                voice = self._voices.of(record.language)
                return nudge(line.user, snapshot.table, record, voice, url=line.table_url, due=line.due)
            case _:
                assert_never(line)

    async def draw(self, snapshot: GameSnapshot, content: Content, state: TableState) -> Drawing:
        """The drawing of a message. Raises `StoreUnavailable`."""
        record = snapshot.record
        match content:
            case Lobby():
                return self.lobby(record)
            case Table():
                return await self._table(snapshot, content)
            case OwnTable(likes=likes):
                begun = Begun(chosen=snapshot.choices.get(snapshot.own_view.seat, ()), likes=likes)
                return await self.own_table(
                    snapshot, begun, has_picture=content.has_picture, has_lost_moves=content.has_lost_moves
                )
            case Result():
                return await self._result(snapshot, content, state)
            case CalledOff():
                head = await self._store.head(record.game)
                voice = self._voices.of(record.language)
                return called_off_drawing(record, snapshot.table, voice, head=head)
            case Hand():
                return await self._hand(snapshot, content, state)
            case OpenHand():
                return self._open_hand(snapshot, content)
            case AtTheTable():
                return at_the_table_drawing(record, self._by_dm(record, content.language))
            case PastHand():
                return self._past_hand(snapshot, content)
            case Resting():
                return resting_drawing(record, self._by_dm(record, content.language))
            case ResultByDm():
                return await self._result_by_dm(snapshot, content, state)
            case _:
                assert_never(content)

    async def own_table(
        self, snapshot: GameSnapshot, begun: Begun, *, has_picture: bool, has_lost_moves: bool
    ) -> Drawing:
        """The table in its player's own DM, with what they have `begun` on it."""
        record, view = snapshot.record, snapshot.own_view
        voice, deal, picture = self._voices.of(record.language), snapshot.deal(snapshot.latest), None
        if has_picture and deal.is_shown:
            picture = await self._illustrator.show(record, view.table, deal.events, voice)
        elif has_picture:
            picture = await self._illustrator.board(record, view.table, voice)
        heard = snapshot.heard(view.seat)
        return own_table_drawing(
            record,
            view,
            deal.events,
            voice,
            begun=begun,
            heard=heard,
            picture=picture,
            has_lost_moves=has_lost_moves,
        )

    @property
    def last_deals(self) -> LastDeals:
        """The heads of messages by DM."""
        return self._last_deals

    async def _table(self, snapshot: GameSnapshot, content: Table) -> Drawing:
        record, deal = snapshot.record, snapshot.deal(content.deal)
        voice, has_picture = self._voices.of(record.language), content.has_picture
        is_between_deals = content.deal == snapshot.latest and snapshot.table.stage is Stage.DEALING
        table = snapshot.table if is_between_deals else deal.table
        if deal.is_shown:
            show = await self._illustrator.show(record, table, deal.events, voice) if has_picture else None
            return show_drawing(
                record,
                table,
                deal.events,
                voice,
                open=content.is_open,
                show=show,
                has_lost_moves=content.has_lost_moves,
            )
        return table_drawing(
            record,
            table,
            deal.events,
            voice,
            open=content.is_open,
            board=await self._illustrator.board(record, table, voice) if has_picture else None,
            hand_behind_button=content.behind_button,
            to_press_my_hand=content.to_press,
            calling=[nudge(user, table, record, voice) for user in content.calls],
            has_lost_moves=content.has_lost_moves,
        )

    async def _result(self, snapshot: GameSnapshot, content: Result, state: TableState) -> Drawing:
        record, table = snapshot.record, snapshot.table
        end, picture = await self._ends.of(snapshot, state), None
        voice = self._voices.of(record.language)
        if content.has_picture:
            picture = await self._illustrator.result(record, table, end.chances, voice)
        if record.is_in_dm:
            seat = snapshot.own_view.seat
            return result_dm_drawing(record, table, end, voice, seat=seat, table_url=None, picture=picture)
        return result_drawing(record, table, end, voice, picture=picture)

    async def _result_by_dm(self, snapshot: GameSnapshot, content: ResultByDm, state: TableState) -> Drawing:
        record, table, voice = snapshot.record, snapshot.table, self._by_dm(snapshot.record, content.language)
        end, picture = await self._ends.of(snapshot, state), None
        if content.has_picture:
            picture = await self._illustrator.result(record, table, end.chances, voice)
        return result_dm_drawing(
            record, table, end, voice, seat=content.seat, table_url=content.table_url, picture=picture
        )

    async def _hand(self, snapshot: GameSnapshot, content: Hand, state: TableState) -> Drawing:
        record, seat = snapshot.record, content.seat
        voice = self._by_dm(record, content.likes.language)
        last = await self._last_deals.of(
            state,
            record,
            snapshot.table,
            snapshot.deal,
            seat=seat,
            voice=voice,
            has_picture=content.has_picture,
        )
        return snapshot.hands.draw(
            record,
            snapshot.views[seat],
            voice,
            table_url=content.table_url,
            events=snapshot.deal(snapshot.latest).events,
            chosen=snapshot.choices.get(seat, ()),
            likes=content.likes,
            last=last,
            heard=snapshot.heard(seat),
            dm=True,
        )

    def _open_hand(self, snapshot: GameSnapshot, content: OpenHand) -> Drawing:
        return snapshot.hands.draw(
            snapshot.record,
            snapshot.views[content.seat],
            self._voices.of(content.language),
            table_url=content.table_url,
            events=snapshot.deal(snapshot.latest).events,
            chosen=snapshot.choices.get(content.seat, ()),
            likes=content.likes,
            heard=snapshot.heard(content.seat),
            dm=False,
        )

    def _past_hand(self, snapshot: GameSnapshot, content: PastHand) -> Drawing:
        deal, seat = snapshot.deal(content.deal), content.seat
        return past_hand_drawing(
            snapshot.record,
            deal.number,
            deal.kept[seat],
            deal.discarded[seat],
            self._by_dm(snapshot.record, content.language),
            by_clock=clock_discarded(deal.events, seat),
        )

    def _by_dm(self, record: TableRecord, language: str | None) -> Voice:
        """The voice in a player's last known Discord language, else in the table's."""
        return self._voices.of(language or record.language)
