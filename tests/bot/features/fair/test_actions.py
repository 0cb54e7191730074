"""`/crib fair`: what is told of a deck before, during and after its game, and to whom."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.features.fair.actions import DeckActions
from bot.features.fair.errors import DeckRefusal
from bot.model.errors import NoSuchGame, NoTable, NotAtTable
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, TableRecord
from bot.tables.worker import Worker
from engine.fair.ft1 import Proof, commitment
from tests.bot.interactions.asking import Room, asked_by, given
from tests.bot.refusing import refused
from tests.bot.render.games import words
from tests.bot.seating import ADA, BEN, CLEO, Guest, room_of
from tests.bot.store.memory import MemoryStore

SECRET = bytes(range(32))


class Decks:
    """A room whose tables have honest decks."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.sessions, self.lobbies, _ = room_of(self.store, new_secret=lambda: SECRET)
        self.worker = Worker()
        room = Room(self.store, self.sessions, self.lobbies)
        self.actions = DeckActions(room.tables, self.store, self.lobbies, self.worker)

    async def opened(self, channel: int = 20) -> TableRecord:
        record = await self.lobbies.open(
            guild=10, channel=channel, place="x", host=ADA, agreement=Agreement()
        )
        await self.store.keep_post(Post(game=record.game, kind=PostKind.LOBBY, channel=channel, message=500))
        return await self.lobbies.join(record.game, BEN)

    async def asked(self, person: Guest, game: str | None = None, **where: Any) -> list[tuple[Any, ...]]:
        answer = asked_by(person, **where)
        await self.actions.explain(answer, game)
        return given(answer)


@pytest.fixture
async def decks() -> AsyncIterator[Decks]:
    decks = Decks()
    yield decks
    decks.worker.close()


async def test_without_a_game_it_is_explained_in_five_sentences(decks: Decks) -> None:
    [(how, said)] = await decks.asked(CLEO)
    assert how == "show"
    assert "honest deck" in said
    assert "Game" not in said
    assert said.count(".") + said.count(":") >= 5


async def test_a_lobby_shows_its_commitment_and_asks_for_a_word(decks: Decks) -> None:
    record = await decks.opened()
    [(_, said)] = await decks.asked(ADA)
    assert commitment(record.game, SECRET) in said
    assert "You haven't given it a word yet" in said
    assert "https://discord.com/channels/10/20/500" in said
    [(_, to_cleo)] = await decks.asked(CLEO)
    assert "shown when the game is over" in to_cleo


async def test_a_word_is_mixed_in_and_shown_to_its_giver_alone(decks: Decks) -> None:
    await decks.opened()
    answer = asked_by(ADA)
    await decks.actions.give_word(answer, " *bold* ")
    assert "Your word is mixed in: *\\*bold\\**" in given(answer)[0][1]
    [(_, bens)] = await decks.asked(BEN)
    assert "bold" not in bens


async def test_a_word_that_is_none_or_of_somebody_else_is_refused(decks: Decks) -> None:
    with pytest.raises(NoTable):
        await decks.actions.give_word(asked_by(ADA), "hello")
    await decks.opened()
    with refused(DeckRefusal.UNUSABLE_WORD):
        await decks.actions.give_word(asked_by(ADA), "  ")
    with pytest.raises(NotAtTable):
        await decks.actions.give_word(asked_by(CLEO), "hello")


async def test_during_the_game_its_seal_is_shown_and_nothing_of_its_secret(decks: Decks) -> None:
    record = await decks.opened()
    await decks.actions.give_word(asked_by(ADA), "hello")
    await decks.lobbies.start(record.game, ADA.user)
    deck = await decks.store.deck(record.game)
    assert deck is not None
    assert deck.seal is not None
    told = await decks.asked(ADA)
    assert len(told) == 1, "there is no file yet"
    assert deck.seal in told[0][1]
    assert SECRET.hex() not in str(told)


async def test_after_the_game_everything_is_checked_and_sent(decks: Decks) -> None:
    record = await decks.opened()
    await decks.lobbies.start(record.game, ADA.user)
    await decks.sessions.call_off(record.game)
    answer = asked_by(CLEO)
    await decks.actions.explain(answer)
    shown, sent = answer.show.await_args, answer.reply.await_args
    assert shown is not None
    said = words(shown.args[0])
    assert said.count("✅") == 4
    assert SECRET.hex() in said
    [file] = sent.args[1]
    assert file.filename == f"fifteen-two-{record.game}.json"
    proof = Proof.from_plain(json.load(file.fp))
    assert all(finding.holds is not False for finding in proof.check())


async def test_the_file_names_the_players_to_those_who_played_alone(decks: Decks) -> None:
    record = await decks.opened()
    await decks.lobbies.start(record.game, ADA.user)
    await decks.sessions.call_off(record.game)
    for person, names in ((ADA, ["Ada", "Ben"]), (CLEO, [])):
        answer = asked_by(person)
        await decks.actions.explain(answer)
        assert json.load(answer.reply.await_args.args[1][0].fp)["players"] == names


async def test_a_forged_log_is_said_to_be_one(decks: Decks, monkeypatch: pytest.MonkeyPatch) -> None:
    record = await decks.opened()
    await decks.lobbies.start(record.game, ADA.user)
    await decks.sessions.call_off(record.game)
    decks.store.change("UPDATE decks SET secret = $2 WHERE game = $1", record.game, bytes(32))
    answer = asked_by(CLEO)
    await decks.actions.explain(answer)
    assert "❌ The secret is the one promised" in words(answer.show.await_args.args[0])


async def test_an_earlier_game_is_asked_for_by_its_id_where_it_was_played_or_by_its_players(
    decks: Decks,
) -> None:
    record = await decks.opened()
    await decks.lobbies.cancel(record.game, ADA.user, may_moderate=False)
    await decks.opened()
    [(_, said)] = await decks.asked(CLEO, f" {record.game.upper()} ")
    assert record.game in said
    assert "No card was dealt" in said
    [(_, elsewhere)] = await decks.asked(ADA, record.game, guild=None, channel=77)
    assert record.game in elsewhere
    with pytest.raises(NoSuchGame):
        await decks.asked(CLEO, record.game, guild=11, channel=78)


async def test_an_older_game_cannot_be_checked(decks: Decks) -> None:
    _, old, _ = room_of(decks.store)
    await old.open(guild=10, channel=20, place="x", host=ADA, agreement=Agreement())
    [(_, said)] = await decks.asked(CLEO)
    assert "older than honest decks" in said
