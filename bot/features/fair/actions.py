"""The actions of the honest deck: the explanation, a player's own word, and the check of a finished game.

Everybody may check the games of the server that they are in, and their own games anywhere. Answers are
ephemeral, and contain a deck's secret only after its game has ended.
"""

from __future__ import annotations

import io

import discord

from bot.features.fair.errors import DeckRefusal
from bot.features.fair.fairness import Fairness
from bot.features.fair.form import word_modal
from bot.features.fair.messages import fair_drawing
from bot.interactions.answering import Answer
from bot.interactions.lookup import channel_of
from bot.interactions.table_actions import TableActions
from bot.model.custom_ids import ComponentId
from bot.model.deck import Deck
from bot.model.errors import NoSuchGame, Refused, StaleGame
from bot.model.table_record import Status, TableRecord
from bot.store import Store
from bot.sync.venues import guild_of
from bot.tables.lobbies import Lobbies
from bot.tables.worker import Worker
from engine.fair import is_word


class DeckActions:
    """The actions behind `/crib fair` and *Fair?*."""

    def __init__(self, tables: TableActions, store: Store, lobbies: Lobbies, worker: Worker) -> None:
        self._tables = tables
        self._store = store
        self._lobbies = lobbies
        self._worker = worker

    async def explain(self, answer: Answer, game: str | None = None) -> None:
        """Explain the honest deck, with the facts of that game, or of the latest one in this channel.

        A finished game is checked, and its proof is sent as a file. Raises `NoSuchGame` for a game of other
        people in another server.
        """
        record = await self._found(answer, game)
        fairness = await self._fairness(answer, record)
        await answer.show(fair_drawing(record, fairness, answer.voice))
        if fairness.proof is not None and record is not None:
            players = () if record.seat_of(answer.user) is None else record.names
            file = fairness.proof.write(players).encode()
            name = f"fifteen-two-{record.game}.json"
            said = answer.voice.gettext("The whole game, to check anywhere:")
            await answer.reply(said, (discord.File(io.BytesIO(file), name),))

    async def wait_for_word(self, answer: Answer, game: str | None, *, wanted: bool) -> None:
        """Let games at the user's tables wait for their word from now on, or no more; redraw the explanation.

        Raises `NoSuchGame`.
        """
        await self._store.prefer(answer.user, waits_for_word=wanted)
        record = None if game is None else await self._found(answer, game)
        await answer.redraw(fair_drawing(record, await self._fairness(answer, record), answer.voice))

    async def ask_for_word(self, answer: Answer, at: ComponentId) -> None:
        """Open the form with the user's note, which takes their word. Raises what `Lobbies.note` raises."""
        await answer.ask(word_modal(at, await self._lobbies.note(at.game, answer.user), answer.voice))

    async def give_word(self, answer: Answer, game: str, typed: str, note: str) -> None:
        """Add the user's own word to the deck of that lobby, if its note is the one that the form showed.

        Raises `UNUSABLE_WORD`, `SAME_WORD`, `STALE_NOTE`, and what `Lobbies.give_word` raises.
        """
        word = typed.lower()
        if not is_word(word):
            raise Refused(DeckRefusal.UNUSABLE_WORD)
        if word == await self._own_word(game, answer.user):
            raise Refused(DeckRefusal.SAME_WORD)
        try:
            record = await self._lobbies.give_word(game, answer.user, word, note)
        except StaleGame:
            raise Refused(DeckRefusal.STALE_NOTE) from None
        self._tables.sync.queue.schedule(game)
        await answer.show(fair_drawing(record, await self._fairness(answer, record), answer.voice))

    async def _own_word(self, game: str, user: int) -> str | None:
        """The word that the person gave to that lobby's deck before."""
        deck, seat = await self._store.deck(game), (await self._store.table(game)).seat_of(user)
        return deck.words.get(seat) if isinstance(deck, Deck) and seat is not None else None

    async def _found(self, answer: Answer, game: str | None) -> TableRecord | None:
        if game is not None:
            record = await self._store.table(game.strip().lower())
            is_here = record.guild is not None and record.guild == guild_of(answer.interaction)
            if not is_here and record.seat_of(answer.user) is None:
                raise NoSuchGame(game)
            return record
        channel = channel_of(answer.interaction)
        return await self._store.table_in(channel) or await self._store.newest_in(channel)

    async def _fairness(self, answer: Answer, record: TableRecord | None) -> Fairness:
        waits_for_word = (await self._store.preferences(answer.user)).waits_for_word
        if record is None:
            return Fairness(waits_for_word=waits_for_word)
        deck, proof = await self._store.deck(record.game), await self._store.proof(record.game)
        seat = record.seat_of(answer.user)
        gathers = record.status is Status.GATHERING and seat is not None
        words = deck.words if isinstance(deck, Deck) and gathers else {}
        return Fairness(
            own_word=words.get(seat) if seat is not None else None,
            can_give_word=isinstance(deck, Deck) and gathers,
            waits_for_word=waits_for_word,
            seal=record.seal,
            proof=proof,
            findings=() if proof is None else await self._worker.run(proof.check),
        )
