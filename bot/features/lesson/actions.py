"""The actions of the lesson: opening it, answering its steps, and the first game at its end.

A button carries its step, so that any message of the lesson works, after a restart too. Only coming back asks
for what is stored: the step at which the person goes on.
"""

from __future__ import annotations

from typing import Final

from bot.features.lesson.custom_ids import SKIP
from bot.features.lesson.deal import AGREEMENT, THROWN
from bot.features.lesson.illustrations import illustration
from bot.features.lesson.messages import begun_drawing, end_drawing, remark, step_drawing
from bot.features.lesson.steps import CUT, STEPS, THROW, THROWN_KEY, Step, number_of
from bot.features.lesson.store import LessonStore
from bot.interactions.answering import Answer
from bot.interactions.table_actions import TableActions, occupant
from bot.model.errors import StaleButton
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.sync.venues import venue_of
from bot.tables.lobbies import Lobbies
from engine import Cards, NotationError, cards
from engine.computer import Level

_LEVEL: Final = Level.LEARNER
"""The opponent of the first game."""


class LessonActions:
    """The actions behind `/crib-coach learn` and its buttons."""

    def __init__(self, progress: LessonStore, tables: TableActions, lobbies: Lobbies) -> None:
        self._progress = progress
        self._tables = tables
        self._lobbies = lobbies
        self._sync = tables.sync

    async def open(self, answer: Answer) -> None:
        """Show the step at which the person goes on: ephemeral in a server, a message in the bot's DM."""
        number = number_of(await self._progress.step(answer.user)) or 0
        drawing = await self._drawing(answer, number, came_back=number > 0)
        if venue_of(answer.interaction) is Venue.BOT_DM:
            await answer.post(drawing)
        else:
            await answer.show(drawing)

    async def begin_again(self, answer: Answer) -> None:
        """Redraw the message with the first step."""
        await self._go_to(answer, 0)

    async def choose(self, answer: Answer, word: str, key: str) -> None:
        """Answer a step: a right answer leads to the next one, a wrong one is answered by the reason.

        Raises `StaleButton` for an unknown step or choice.
        """
        number = number_of(word)
        if number is None:
            raise StaleButton(0, 0)
        step = STEPS[number]
        if key == SKIP or step.word == CUT or (step.word == THROW and key == THROWN_KEY):
            await self._go_to(answer, number + 1)
            return
        chosen: Cards = ()
        if step.word == THROW:
            chosen = _chosen(key)
            key = next((str(each) for each in chosen if each not in THROWN), "")
            chosen = tuple(each for each in THROWN if each in chosen)
            if not key:
                await answer.redraw(await self._drawing(answer, number, chosen=chosen))
                return
        choice = next((each for each in step.choices if each.key == key), None)
        if choice is None:
            raise StaleButton(0, 0)
        if choice.why is None:
            await self._go_to(answer, number + 1)
            return
        why = remark(step, choice, answer.voice)
        await answer.redraw(await self._drawing(answer, number, why=why, chosen=chosen))

    async def play(self, answer: Answer) -> None:
        """Start a game against a learner: in the bot's DM, or here if the person's DMs are closed.

        Raises `NotPosted`, and what `TableActions.open_table` and `Lobbies.open` raise.
        """
        await self._progress.keep(answer.user, None)
        if venue_of(answer.interaction) is not Venue.BOT_DM and await self._play_in_dm(answer):
            return
        await self._tables.open_table(answer, AGREEMENT, _LEVEL)

    async def _play_in_dm(self, answer: Answer) -> bool:
        """Start the game in the person's DM; False if it cannot be opened, or takes no messages.

        A line is sent there first: whether a DM is closed shows only in an answer to a message.
        """
        store, user, voice = self._tables.store, answer.user, answer.voice
        line = voice.gettext("Here comes your first game. Take your time!")
        if not await self._sync.dms.say_quietly(user, line):
            return False
        channel = await self._sync.dms.channel(user)
        standing = await store.table_in(channel)
        if standing is not None:
            self._sync.queue.repost(standing.game)
        else:
            record = await self._lobbies.open(
                guild=None,
                venue=Venue.BOT_DM,
                channel=channel,
                place="",
                host=occupant(answer.interaction.user),
                agreement=AGREEMENT,
                computers=_LEVEL,
                language=str(answer.interaction.locale),
            )
            await self._sync.queue.opened(record, self._sync.queue.open(record.game))
        await answer.redraw(begun_drawing(channel, voice))
        return True

    async def _go_to(self, answer: Answer, number: int) -> None:
        """Store that the person goes on at that step, and draw it; the end after the last."""
        is_over = number == len(STEPS)
        await self._progress.keep(answer.user, None if is_over or not number else STEPS[number].word)
        await answer.redraw(end_drawing(answer.voice) if is_over else await self._drawing(answer, number))

    async def _drawing(
        self, answer: Answer, number: int, *, why: str = "", chosen: Cards = (), came_back: bool = False
    ) -> Drawing:
        return step_drawing(
            number,
            answer.voice,
            why=why,
            chosen=chosen,
            came_back=came_back,
            drawn=await self._drawn(STEPS[number], answer),
        )

    async def _drawn(self, step: Step, answer: Answer) -> DrawnFile | None:
        illustrator = self._sync.illustrator
        return None if illustrator is None else await illustration(step, illustrator, answer.voice)


def _chosen(key: str) -> Cards:
    """The cards in a choice such as `2D7D`. Raises `StaleButton` for anything else."""
    try:
        return cards(" ".join(key[place : place + 2] for place in range(0, len(key), 2)))
    except NotationError:
        raise StaleButton(0, 0) from None
