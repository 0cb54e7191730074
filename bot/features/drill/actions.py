"""The actions of the drills: asking a question, taking its answer, stopping.

A question is in its buttons, and the store has the record: any message works, after a restart too. A round is
drawn over the one before it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import Random

from discord.utils import snowflake_time

from bot.features.drill.custom_ids import CountId, DealId, DealVerb
from bot.features.drill.deals import Deals
from bot.features.drill.illustrations import illustration
from bot.features.drill.judging import Judged
from bot.features.drill.messages import (
    counted_drawing,
    deal_drawing,
    hand_drawing,
    judged_drawing,
    record_lines,
    stopped_drawing,
)
from bot.features.drill.questions import Deal, Hand, choices_about, hand_dealt
from bot.features.drill.records import Kind
from bot.features.drill.store import DrillStore
from bot.interactions.answering import Answer
from bot.model.errors import NotPlayed, StaleButton
from bot.model.table_record import Board
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.render.text.voice import Voice
from bot.store import Store
from bot.sync.parts import Sync
from bot.sync.venues import guild_of, venue_of
from bot.tables.worker import Worker
from engine import Cards, EngineError, cards, spell
from engine.coach import DailyHand


class DrillActions:
    """The actions behind `/crib-coach drill` and its buttons."""

    def __init__(
        self, drills: DrillStore, deals: Deals, store: Store, *, sync: Sync, worker: Worker, random: Random
    ) -> None:
        self._drills = drills
        self._deals = deals
        self._store = store
        self._sync = sync
        self._worker = worker
        self._random = random

    async def open(self, answer: Answer, kind: Kind) -> None:
        """Ask a first question: ephemeral in a server, a message in the bot's DM."""
        drawing = await self._question(answer, kind)
        if venue_of(answer.interaction) is Venue.BOT_DM:
            await answer.post(drawing)
        else:
            await answer.show(drawing)

    async def go_on(self, answer: Answer, kind: Kind) -> None:
        """Redraw the message with another question."""
        await answer.redraw(await self._question(answer, kind))

    async def stop(self, answer: Answer) -> None:
        """Redraw the message with what the person's answers add up to."""
        await answer.redraw(stopped_drawing(await self._drills.records(answer.user), answer.voice))

    async def count(self, answer: Answer, at: CountId) -> None:
        """Take the points as the answer to a hand, and show its scores."""
        hand = at.hand
        told = await self._drills.answered(
            answer.user,
            Kind.COUNTING,
            asked=hand.asked,
            now=_now(answer),
            given=str(at.said),
            is_hit=at.said == hand.points,
        )
        drawn = await self._drawn(answer, hand, is_counted=True)
        await answer.redraw(counted_drawing(hand, told, at.said, answer.voice, drawn=drawn))

    async def choose(self, answer: Answer, at: DealId) -> None:
        """Choose cards of a deal, or discard the two chosen ones.

        Raises `StaleButton`, and for a deal of somebody else's game `NoSuchGame` and `NotPlayed`.
        """
        if at.verb is DealVerb.PICK:
            await answer.redraw(deal_drawing(at.deal, at.chosen, answer.voice))
        elif len(at.chosen) == 2:
            await self._discard(answer, at.deal, at.chosen)
        else:
            raise StaleButton(0, 0)

    async def lines(self, user: int, voice: Voice) -> tuple[str, ...]:
        """The lines about the person's answers for their statistics."""
        return tuple(record_lines(await self._drills.records(user), voice))

    async def _question(self, answer: Answer, kind: Kind) -> Drawing:
        asked, voice = _now(answer), answer.voice
        if kind is Kind.DISCARDS:
            deal = await self._deals.next(answer.user, asked=asked, today=_today(answer))
            return deal_drawing(deal, (), voice)
        hand = Hand(asked, *hand_dealt(self._random))
        choices = choices_about(hand.points, self._random)
        return hand_drawing(hand, choices, voice, drawn=await self._drawn(answer, hand))

    async def _discard(self, answer: Answer, deal: Deal, given: Cards) -> None:
        if deal.game is not None:
            record = await self._store.table(deal.game)
            if record.seat_of(answer.user) is None:
                raise NotPlayed(record)
        hand = None if deal.day is None else await self._daily_hand(answer, deal)
        try:
            judged = await self._worker.run(Judged.of, deal, given, hand)
            told = await self._drills.answered(
                answer.user,
                Kind.DISCARDS,
                asked=deal.asked,
                now=_now(answer),
                given=spell(given),
                is_hit=judged.is_best,
                done="" if deal.game is None and deal.day is None else deal.source,
            )
            if told.given != spell(given):
                judged = await self._worker.run(Judged.of, deal, cards(told.given), hand)
        except (KeyError, EngineError):
            raise StaleButton(0, 0) from None
        await answer.redraw(judged_drawing(judged, told, spell(given), answer.voice))

    async def _daily_hand(self, answer: Answer, deal: Deal) -> DailyHand:
        """The past daily hand that the deal is. Raises `StaleButton`."""
        try:
            day = date.fromordinal(deal.day or 0)
        except (ValueError, OverflowError):
            raise StaleButton(0, 0) from None
        hand = await self._drills.past_hand(day, _today(answer))
        if hand is None or {*hand.dealt} != {*deal.dealt}:
            raise StaleButton(0, 0)
        return hand

    async def _drawn(self, answer: Answer, hand: Hand, *, is_counted: bool = False) -> DrawnFile | None:
        """The picture of the hand; `None` where boards are text."""
        guild, illustrator = guild_of(answer.interaction), self._sync.illustrator
        board = Board.PICTURES if guild is None else (await self._store.server(guild)).board
        if illustrator is None or board is not Board.PICTURES:
            return None
        return await illustration(hand, illustrator, answer.voice, is_counted=is_counted)


def _now(answer: Answer) -> int:
    """Discord's time of the command or press, in ms since 1970."""
    return int(snowflake_time(answer.interaction.id).timestamp() * 1000)


def _today(answer: Answer) -> date:
    return datetime.fromtimestamp(_now(answer) / 1000, UTC).date()
