"""The actions on finished games: the list, and the replay, for a game's players and for its server.

Only caches are kept between two presses. The coach computes in the worker thread, and pictures are drawn in
a thread of their own.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord
from cachetools import LRUCache

from bot.features.replay.custom_ids import PastId
from bot.features.replay.errors import ReplayRefusal
from bot.features.replay.history import history_drawing
from bot.features.replay.illustrations import open_hands_picture
from bot.features.replay.messages import ReplayPictures, Seeking, is_told, replay_drawing
from bot.interactions.answering import Answer
from bot.interactions.audience import share, shareable, show_all
from bot.interactions.lookup import channel_of
from bot.interactions.table_actions import TableActions
from bot.model.custom_ids import REPLAY, TEMPLATE, ReplayId, ReplayWish
from bot.model.errors import DamagedGame, NoSuchGame, NotFinished, NotPlayed, Refused
from bot.model.table_record import Board, Status, TableRecord
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.players import bot_drawing, elsewhere_drawing
from bot.standings.history import History
from bot.standings.projection import Projection
from bot.standings.protocol import Standings
from bot.store import Store
from bot.sync.venues import guild_of, venue_of
from bot.tables.worker import Worker
from engine import (
    LogError,
    NoComputerFamily,
    NotCoached,
    Seat,
    Step,
    entries_of,
    steps_of,
    write_game,
    write_game_as_json,
)
from engine.coach import Decision, decision_at, review_of
from engine.secret_events import LoggedEvent

_GAMES = 16
"""Limit of games in memory with their steps; reading another takes some 10 ms."""
_ANYBODY = 0
"""The id of no user: it has played in no game."""
_REVIEWED = 64
"""Limit of games and seats whose mistakes are in memory; finding those of another takes about 1 s."""
_DECISIONS = 256
"""Limit of the coach's decisions in memory, for going back to a step."""


class ReplayActions:
    """The actions on finished games."""

    def __init__(
        self,
        tables: TableActions,
        store: Store,
        standings: Standings,
        projection: Projection,
        worker: Worker,
    ) -> None:
        self._tables = tables
        self._store = store
        self._projection = projection
        self._queries = standings.queries
        self._people = standings.people
        self._worker = worker
        self._games: LRUCache[str, tuple[tuple[LoggedEvent, ...], tuple[Step, ...]]] = LRUCache(_GAMES)
        self._decisions: LRUCache[tuple[str, int], Decision | None] = LRUCache(_DECISIONS)
        self._mistakes: LRUCache[tuple[str, Seat], frozenset[int]] = LRUCache(_REVIEWED)

    async def history(
        self, answer: Answer, person: discord.User | discord.Member, *, everybody: bool = False
    ) -> None:
        """List a person's finished games, or those of the server; in a DM, the user's own everywhere."""
        interaction = answer.interaction
        own = person.id == answer.user
        if person.bot:
            await answer.show(bot_drawing(person.display_name, answer.voice))
        elif guild_of(interaction) is None and (everybody or not own):
            await answer.show(elsewhere_drawing(answer.voice))
        else:
            await self._open(answer, PastId(whose=None if everybody else person.id), person.display_name)

    async def turn(self, answer: Answer, at: PastId) -> None:
        """Turn to another page of a list: in place for the person who asked, in private for everybody else.

        *Show everybody* posts the page of an ephemeral list. Raises `MAY_NOT_WRITE`.
        """
        is_elsewhere = guild_of(answer.interaction) is None
        if is_elsewhere and at.is_shared:
            await answer.show(elsewhere_drawing(answer.voice))
        elif is_elsewhere and at.whose != answer.user:
            await answer.redraw(elsewhere_drawing(answer.voice))
        elif at.is_shared:
            at = replace(at, is_shared=False, owner=answer.user)
            found = await self._found(answer, at)
            if found.games:
                await share(answer, self._drawn_list(answer, found, at))
            else:
                await answer.show(self._drawn_list(answer, found, replace(at, owner=0)))
        elif at.owner in {0, answer.user}:
            drawn = self._drawn_list(answer, await self._found(answer, at), at)
            await answer.redraw(self._shareable(answer, drawn, at))
        else:
            await self._open(answer, replace(at, owner=0))

    async def _open(self, answer: Answer, at: PastId, name: str | None = None) -> None:
        """Show a list in a new message: the server's to everybody, a person's to the one who asks."""
        if at.whose is not None:
            found = await self._found(answer, at)
            drawn = self._drawn_list(answer, found, at, name)
            await answer.show(self._shareable(answer, drawn, at) if found.games else drawn)
            return
        posted = replace(at, owner=answer.user)
        found = await self._found(answer, posted)
        is_private = not found.games or answer.interaction.message is not None
        drawn = self._drawn_list(answer, found, at if is_private else posted)
        await show_all(answer, drawn, is_private=is_private)

    def _shareable(self, answer: Answer, drawn: Drawing, at: PastId) -> Drawing:
        """The page of an ephemeral list with *Show everybody*, in a server: elsewhere it is of all."""
        is_elsewhere = guild_of(answer.interaction) is None
        return drawn if at.owner or is_elsewhere else shareable(answer, drawn, replace(at, is_shared=True))

    async def last(self, answer: Answer) -> None:
        """Replay the user's latest finished game: in this channel, or in a DM of all games.

        Raises `NOTHING_YET`.
        """
        channel = None if venue_of(answer.interaction) is Venue.BOT_DM else channel_of(answer.interaction)
        record = await self._store.last_finished(answer.user, channel)
        if record is None:
            raise Refused(ReplayRefusal.NOTHING_YET)
        await self.replay(answer, ReplayId(record.game, ReplayWish.OPEN))

    async def replay_of(self, answer: Answer, message: discord.Message) -> None:
        """Replay the game of a result, whose buttons name it. Raises `NO_GAME`, and what `replay` raises.

        The components are read as Discord sends them: discord.py leaves them unread (`discord_internals`).
        """
        sent: Any = answer.interaction.data or {}
        shown = sent.get("resolved", {}).get("messages", {}).get(str(message.id), {})
        is_own = message.author.id == answer.interaction.application_id
        game = _game_in(shown.get("components")) if is_own else None
        if game is None:
            raise Refused(ReplayRefusal.NO_GAME)
        await self.replay(answer, ReplayId(game, ReplayWish.OPEN))

    async def replay(self, answer: Answer, at: ReplayId) -> None:
        """Handle a button of a replay.

        Raises `NoSuchGame`, `NotFinished`, `NOT_SHOWN` if the user may not see the game, and `LogError` if
        its log is damaged. *Next mistake* raises `NotPlayed`, and `NoComputerFamily` for rules that the coach
        does not know.
        """
        try:
            await self._replay(answer, at)
        except DamagedGame as damaged:  # the game is over, so it needs no quarantine
            raise LogError(str(damaged)) from damaged

    async def _replay(self, answer: Answer, at: ReplayId) -> None:
        record = await self._seen(answer, at.game)
        if at.owner and not await self._is_for_everybody(answer, record):
            raise Refused(ReplayRefusal.NOT_SHOWN)  # a player has hidden their games since it was posted
        match at.wish:
            case ReplayWish.OPEN:
                await answer.show(await self._drawn(answer, record, ReplayId(at.game, at.wish, at.step)))
            case ReplayWish.FILES:
                await self._send_files(answer, record)
            case ReplayWish.SHARE:
                if not await self._is_for_everybody(answer, record):
                    raise Refused(ReplayRefusal.NOT_SHOWN)
                shared = ReplayId(at.game, at.wish, at.step, answer.user)
                await share(answer, await self._drawn(answer, record, shared))
            case ReplayWish.MISTAKE:
                await answer.redraw(await self._next_mistake(answer, record, at))
            case _ if at.owner in {0, answer.user}:
                await answer.redraw(await self._drawn(answer, record, at))
            case _:
                await answer.show(await self._drawn(answer, record, ReplayId(at.game, at.wish, at.step)))

    def _drawn_list(self, answer: Answer, found: History, at: PastId, name: str | None = None) -> Drawing:
        is_own = at.whose == answer.user and not at.owner
        return history_drawing(found, at, name or _name_in(found, at.whose), answer.voice, own=is_own)

    async def _found(self, answer: Answer, at: PastId) -> History:
        """The games of a page: in a posted list those that anybody may see."""
        await self._projection.flush()
        return await self._queries.history(
            at.whose,
            guild_of(answer.interaction),
            asker=_ANYBODY if at.owner else answer.user,
            before=at.before,
            after=at.after,
            is_cancelled=at.is_cancelled,
        )

    async def _seen(self, answer: Answer, game: str) -> TableRecord:
        """The game, if it is over and the user may see it. Raises what `replay` raises."""
        record = answer.record = await self._store.table(game)
        if record.status is not Status.OVER:
            raise NotFinished(record)
        if record.seat_of(answer.user) is None and not await self._is_for_everybody(answer, record):
            raise Refused(ReplayRefusal.NOT_SHOWN)
        return record

    async def _is_for_everybody(self, answer: Answer, record: TableRecord) -> bool:
        """True if the whole server may see the game: it was played there, and none of its players hides.

        The user's own setting does not count, as they may show their own games.
        """
        if record.guild is None or guild_of(answer.interaction) != record.guild:
            return False
        others = {each.user for each in record.occupants if each.user is not None} - {answer.user}
        return not any([await self._people.is_hidden(user) for user in others])

    async def _next_mistake(self, answer: Answer, record: TableRecord, at: ReplayId) -> Drawing:
        """The step of the user's first mistake after the step `at`; that step and a note if there is none.

        The review runs in the worker thread. Raises `NotPlayed` and `NoComputerFamily`.
        """
        seat = record.seat_of(answer.user)
        if seat is None or at.owner:
            raise NotPlayed(record)
        log, steps = await self._steps(record.game)
        mistakes = self._mistakes.get((record.game, seat))
        if mistakes is None:
            mistakes = self._mistakes[record.game, seat] = await self._worker.run(_mistakes_of, log, seat)
        ahead = (step for step in range(at.step + 1, len(steps)) if steps[step].at in mistakes)
        if (found := next(ahead, None)) is not None:
            return await self._drawn(answer, record, replace(at, step=found))
        return await self._drawn(answer, record, at, Seeking.NONE_LEFT if mistakes else Seeking.FLAWLESS)

    async def _drawn(
        self, answer: Answer, record: TableRecord, at: ReplayId, seeking: Seeking = Seeking.OFFERED
    ) -> Drawing:
        """The step; *Next mistake* is left out where the user did not play, or everybody reads it."""
        if at.owner or record.seat_of(answer.user) is None:
            seeking = Seeking.ABSENT
        log, steps = await self._steps(record.game)
        step = steps[min(at.step, len(steps) - 1)]
        decision = await self._decision(record.game, log, step)
        pictures = None
        illustrator = self._tables.sync.illustrator
        if illustrator is not None and record.agreement.board is Board.PICTURES:
            pictures = ReplayPictures(
                None if is_told(decision) else await illustrator.board(record, step.table, answer.voice),
                await open_hands_picture(record, step, illustrator, answer.voice),
            )
        can_share = not at.owner and await self._is_for_everybody(answer, record)
        return replay_drawing(
            record,
            steps,
            at,
            answer.voice,
            decision=decision,
            pictures=pictures,
            can_share=can_share,
            seeking=seeking,
            earlier=await self._earlier(record),
        )

    async def _earlier(self, record: TableRecord) -> tuple[str, ...]:
        """The readable earlier games of the match, in order."""
        found: list[str] = []
        while record.goes_on_in_match and record.rematch_of is not None:
            try:
                record = await self._store.table(record.rematch_of)
            except (DamagedGame, NoSuchGame):
                break
            found.insert(0, record.game)
        return tuple(found)

    async def _steps(self, game: str) -> tuple[tuple[LoggedEvent, ...], tuple[Step, ...]]:
        if (kept := self._games.get(game)) is None:
            log = await self._store.log(game)
            kept = self._games[game] = (log, await self._worker.run(steps_of, log))
        return kept

    async def _decision(self, game: str, log: tuple[LoggedEvent, ...], step: Step) -> Decision | None:
        """The coach's view of the choice in that step; `None` for a step without one."""
        key = (game, step.at)
        if key not in self._decisions:
            try:
                self._decisions[key] = await self._worker.run(decision_at, log, step.at)
            except (NoComputerFamily, NotCoached):
                self._decisions[key] = None
        return self._decisions[key]

    async def _send_files(self, answer: Answer, record: TableRecord) -> None:
        """Send the user the game as text in the engine's notation, and as JSON with the proof of its deck."""
        log, _ = await self._steps(record.game)
        proof = await self._store.proof(record.game)
        voice = answer.voice
        said = [
            voice.gettext(
                "The game as text and as JSON. {command} prints either.",
                command="`python -m engine.replay FILE`",
            )
        ]
        if proof is not None:
            check = "`python -m engine.fair FILE`"
            said.append(voice.gettext("The JSON proves its honest deck: {command} checks it.", command=check))
        files = {
            "txt": write_game(log),
            "json": proof.write(record.names) if proof else write_game_as_json(entries_of(log), record.names),
        }
        await answer.reply(
            " ".join(said),
            [
                discord.File(io.BytesIO(content.encode()), f"fifteen-two-{record.game}.{kind}")
                for kind, content in files.items()
            ],
        )


def _mistakes_of(log: Sequence[LoggedEvent], seat: Seat) -> frozenset[int]:
    """The indices in the log of the seat's mistakes, as its review lists them."""
    return frozenset(each.at for each in review_of(log, seat).dearest)


def _game_in(part: object) -> str | None:
    """The game that the first of a message's components names by its custom_id, if any does."""
    if isinstance(part, Mapping):
        custom_id = part.get("custom_id")
        if isinstance(custom_id, str) and (
            match := TEMPLATE.fullmatch(custom_id) or REPLAY.fullmatch(custom_id)
        ):
            return match["game"]
        part = list(part.values())
    inner = part if isinstance(part, list) else ()
    return next(filter(None, map(_game_in, inner)), None)


def _name_in(found: History, whose: int | None) -> str | None:
    """The person's name at their newest game of the page."""
    seated = (each for game in found.games for each in game.record.occupants)
    return None if whose is None else next((each.name for each in seated if each.user == whose), None)
