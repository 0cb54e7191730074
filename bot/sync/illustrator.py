"""Draws every picture of a message, as a file with alt text, in the pictures' thread.

`bot.render` computes a picture's facts and alt text; its bytes take tens of milliseconds to draw. Equal
pictures are drawn once (`picture_cache`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

from bot.model.table_record import TableRecord
from bot.render.drawing import DrawnFile
from bot.render.messages.pictures import (
    board_alt,
    board_facts,
    is_piecepack,
    result_alt,
    result_facts,
    show_alt,
    show_facts,
)
from bot.render.messages.show import hands_in_show
from bot.render.pictures.board import draw_board
from bot.render.pictures.piecepack import draw_piecepack_board
from bot.render.pictures.result import draw_result
from bot.render.pictures.show import ShowFacts, draw_show, prepare_card
from bot.render.text.voice import Voice
from bot.sync.picture_cache import PictureCache
from engine import PACK, PublicEvent, StarterCut, TableView
from engine.coach import WinChances


class Illustrator:
    """Draws the pictures of messages."""

    def __init__(self, pictures: PictureCache) -> None:
        self._pictures = pictures

    async def prepare(self) -> None:
        """Draw the faces of all cards (5 ms each) in advance.

        One job a card, so that a picture requested meanwhile waits for one card at most.
        """
        for card in PACK:
            await self._pictures.work(partial(prepare_card, card))

    async def board(self, record: TableRecord, table: TableView, voice: Voice) -> DrawnFile:
        """The board with the current scores."""
        facts = board_facts(record, table)
        kind, draw = ("piecepack", draw_piecepack_board) if is_piecepack(record) else ("board", draw_board)
        picture = await self._pictures.draw(kind, facts, partial(draw, facts))
        return DrawnFile(
            name=picture.name, content=picture.content, description=board_alt(record, table, voice)
        )

    async def show(
        self, record: TableRecord, table: TableView, events: Sequence[PublicEvent], voice: Voice
    ) -> DrawnFile | None:
        """The hands shown so far in the deal of these events; `None` before the show."""
        starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
        _, hands = hands_in_show(events)
        if starter is None or not hands:
            return None
        facts = show_facts(record, table, starter, hands)
        picture = await self._pictures.draw("show", facts, partial(draw_show, facts))
        alt = show_alt(record, starter, hands, voice)
        return DrawnFile(name=picture.name, content=picture.content, description=alt)

    async def hands(self, facts: ShowFacts, alt: str) -> DrawnFile:
        """Hands beside a starter, outside a game, with `alt` as the alt text."""
        picture = await self._pictures.draw("show", facts, partial(draw_show, facts))
        return DrawnFile(name=picture.name, content=picture.content, description=alt)

    async def picture(self, kind: str, facts: Hashable, draw: Callable[[], bytes], alt: str) -> DrawnFile:
        """Any other picture: equal `facts` of one `kind` are drawn once."""
        picture = await self._pictures.draw(kind, facts, draw)
        return DrawnFile(name=picture.name, content=picture.content, description=alt)

    async def result(
        self, record: TableRecord, table: TableView, chances: WinChances, voice: Voice
    ) -> DrawnFile:
        """The final board, with the chance of winning over the course of the game."""
        facts = result_facts(record, table, chances)
        picture = await self._pictures.draw("result", facts, partial(draw_result, facts))
        alt = result_alt(record, table, chances, voice)
        return DrawnFile(name=picture.name, content=picture.content, description=alt)
