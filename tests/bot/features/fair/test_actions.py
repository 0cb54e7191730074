"""`/crib fair`: what is told of a deck before, during and after its game, and to whom."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.features.fair.actions import DeckActions
from bot.features.fair.errors import DeckRefusal
from bot.model.custom_ids import ComponentId, Verb
from bot.model.errors import NoSuchGame, NotAtTable
from bot.model.table_record import Agreement, TableRecord
from bot.model.venue import Venue
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.tables.worker import Worker
from engine.fair import read_proof
from tests.bot.decks import SECRET, secrets
from tests.bot.interactions.asking import Room, asked_by, given
from tests.bot.refusing import refused
from tests.bot.registered import full_voice
from tests.bot.render.games import words
from tests.bot.seating import ADA, BEN, CLEO, Guest, room_of
from tests.bot.store.memory import MemoryStore


class Decks:
    """A room whose tables have honest decks."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.sessions, self.lobbies, _ = room_of(self.store, new_secrets=secrets)
        self.worker = Worker()
        room = Room(self.store, self.sessions, self.lobbies)
        self.tables = room.tables
        self.actions = DeckActions(room.tables, self.store, self.lobbies, self.worker)

    async def opened(self, channel: int = 20) -> TableRecord:
        record = await self.lobbies.open(
            guild=10, channel=channel, place="x", host=ADA, agreement=Agreement()
        )
        return await self.lobbies.join(record.game, BEN)

    async def form(self, person: Guest, record: TableRecord) -> discord.ui.Modal:
        """The form that a person gets who presses *Fair?*."""
        answer = asked_by(person)
        answer.ask = AsyncMock()
        await self.actions.ask_for_word(answer, ComponentId(record.game, 0, Verb.DECK))
        modal: discord.ui.Modal = answer.ask.await_args.args[0]
        return modal

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


async def test_who_gave_a_word_that_a_change_of_the_table_dropped_is_told_so(decks: Decks) -> None:
    record = await decks.opened()
    note = await decks.lobbies.note(record.game, ADA.user)
    await decks.lobbies.give_word(record.game, ADA.user, "swordfish1", note)
    await decks.lobbies.agree(record.game, ADA.user, lambda _: Agreement.of(preset="short"))
    [(_, said)] = await decks.asked(ADA)
    assert "The table has changed, so the words for the deck are gone" in said
    assert "swordfish1" not in said
    assert "You haven't given it a word yet" not in said


async def test_a_lobby_shows_nothing_of_its_deck_and_asks_for_a_word(decks: Decks) -> None:
    await decks.opened()
    [(_, said)] = await decks.asked(ADA)
    assert not re.search("[0-9a-f]{40}", said)
    assert "You haven't given it a word yet" in said
    [(_, to_cleo)] = await decks.asked(CLEO)
    assert "shown when the game is over" in to_cleo


async def test_the_form_shows_the_note_and_its_word_is_taken_and_shown_to_its_giver_alone(
    decks: Decks,
) -> None:
    record = await decks.opened()
    modal = await decks.form(ADA, record)
    note = await decks.lobbies.note(record.game, ADA.user)
    assert note in str(modal.to_components())
    assert modal.custom_id == f"crib:{record.game}:0:word:{note}"
    answer = asked_by(ADA)
    await decks.actions.give_word(answer, record.game, "SwordFish1", note)
    said = given(answer)[0][1]
    assert "swordfish1" in said
    assert note not in said, "a note that is seen after the word proves nothing"
    decks.tables.sync.queue.schedule.assert_called_with(record.game)  # type: ignore[attr-defined]
    for person in (BEN, CLEO):
        assert "swordfish" not in (await decks.asked(person))[0][1]


async def test_the_lobby_says_who_gave_words_in_their_order_and_when_they_are_gone(decks: Decks) -> None:
    record = await decks.opened()
    assert "Words for the deck" not in words(lobby_drawing(record, full_voice()))
    for person in (BEN, ADA):
        note = await decks.lobbies.note(record.game, person.user)
        await decks.actions.give_word(asked_by(person), record.game, f"{person.name}1234567", note)
    record = await decks.store.table(record.game)
    assert "in this order: Ben, Ada" in words(lobby_drawing(record, full_voice()))
    await decks.lobbies.agree(record.game, ADA.user, lambda _: Agreement.of(preset="short"))
    record = await decks.store.table(record.game)
    assert "the words for the deck are gone" in words(lobby_drawing(record, full_voice()))


async def test_a_word_is_refused_if_it_is_none_or_if_the_table_has_changed(decks: Decks) -> None:
    record = await decks.opened()
    note = await decks.lobbies.note(record.game, ADA.user)
    for typed in ("short", "with a space", "épée56789", "\u200bswordfish"):
        with refused(DeckRefusal.UNUSABLE_WORD):
            await decks.actions.give_word(asked_by(ADA), record.game, typed, note)
    await decks.lobbies.agree(record.game, ADA.user, lambda _: Agreement.of(preset="short"))
    with refused(DeckRefusal.STALE_NOTE):
        await decks.actions.give_word(asked_by(ADA), record.game, "swordfish1", note)
    assert (await decks.store.table(record.game)).words == ()
    with pytest.raises(NotAtTable):
        await decks.form(CLEO, record)


async def test_the_word_that_somebody_gave_before_is_refused(decks: Decks) -> None:
    record = await decks.opened()
    note = await decks.lobbies.note(record.game, ADA.user)
    await decks.actions.give_word(asked_by(ADA), record.game, "swordfish1", note)
    with refused(DeckRefusal.SAME_WORD):
        await decks.actions.give_word(asked_by(ADA), record.game, "SwordFish1", note)
    await decks.actions.give_word(asked_by(ADA), record.game, "swordfish2", note)
    note = await decks.lobbies.note(record.game, BEN.user)
    await decks.actions.give_word(asked_by(BEN), record.game, "swordfish2", note)  # or it would betray hers


@pytest.mark.parametrize(
    ("word", "warned"),
    [("aaaaaaaa", True), ("testtest1", True), ("1234567890", True), ("qwertyuiop", True),
     ("password12", True), ("31121999", True), ("k3x9qzr7", False), ("g5hw0dmy2p", False)],
)  # fmt: skip
async def test_an_easy_word_is_taken_with_a_warning(decks: Decks, word: str, warned: bool) -> None:
    record = await decks.opened()
    note = await decks.lobbies.note(record.game, ADA.user)
    await decks.actions.give_word(answer := asked_by(ADA), record.game, word, note)
    said = given(answer)[0][1]
    assert word in said
    assert ("easy to guess" in said) == warned


async def test_fair_is_in_my_seat_at_a_full_table_and_not_in_the_lobby(decks: Decks) -> None:
    record = await decks.lobbies.open(guild=10, channel=20, place="x", host=ADA, agreement=Agreement())
    assert "Fair?" not in words(own_seat_drawing(record, ADA.user, full_voice()))
    record = await decks.lobbies.join(record.game, BEN)
    assert "Fair?" in words(own_seat_drawing(record, ADA.user, full_voice()))
    assert "Fair?" not in words(own_seat_drawing(record, CLEO.user, full_voice()))
    assert "Fair?" not in words(lobby_drawing(record, full_voice()))


async def test_a_game_with_a_word_is_not_said_to_lack_one(decks: Decks) -> None:
    record = await decks.opened()
    note = await decks.lobbies.note(record.game, ADA.user)
    await decks.actions.give_word(asked_by(ADA), record.game, "swordfish1", note)
    await decks.lobbies.start(record.game, ADA.user)
    assert "without a word" not in (await decks.asked(ADA))[0][1]
    await decks.sessions.call_off(record.game)
    assert "without a word" not in (await decks.asked(ADA, record.game))[0][1]


async def test_between_two_games_of_a_match_the_next_takes_a_word(decks: Decks) -> None:
    """In the bot's direct messages, too: its lobby has *My seat* there."""
    record = await decks.opened()
    between = replace(record, guild=None, match=record.game)
    assert between.goes_on_in_match
    assert "Fair?" in words(own_seat_drawing(between, ADA.user, full_voice()))


async def test_during_the_game_its_seal_is_shown_and_nothing_of_its_secret(decks: Decks) -> None:
    record = await decks.opened()
    begun = await decks.lobbies.start(record.game, ADA.user)
    assert begun.seal is not None
    told = await decks.asked(ADA)
    assert len(told) == 1, "there is no file yet"
    assert "without a word of yours" in told[0][1]
    assert begun.seal in told[0][1]
    assert SECRET.hex() not in str(told)


async def test_a_table_that_closed_after_a_word_has_a_file(decks: Decks) -> None:
    record = await decks.opened()
    note = await decks.lobbies.note(record.game, ADA.user)
    await decks.actions.give_word(asked_by(ADA), record.game, "swordfish1", note)
    await decks.lobbies.cancel(record.game, ADA.user, may_moderate=False)
    answer = asked_by(ADA)
    await decks.actions.explain(answer, record.game)
    file = json.load(answer.reply.await_args.args[1][0].fp)
    assert (file["ending"], file["words"], file["log"]) == ("closed", ["swordfish1"], [])


async def test_after_the_game_everything_is_checked_and_sent(decks: Decks) -> None:
    record = await decks.opened()
    await decks.lobbies.start(record.game, ADA.user)
    await decks.sessions.call_off(record.game)
    answer = asked_by(CLEO)
    await decks.actions.explain(answer)
    shown, sent = answer.show.await_args, answer.reply.await_args
    assert shown is not None
    said = words(shown.args[0])
    assert said.count("✅") == 5
    assert "my own word" in said
    assert "without a word of yours" in said
    assert SECRET.hex() in said
    [file] = sent.args[1]
    assert file.filename == f"fifteen-two-{record.game}.json"
    proof = read_proof(file.fp.read().decode())
    assert all(finding.holds for finding in proof.check())


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
    assert "❌ The secret and the salts" in words(answer.show.await_args.args[0])


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


async def test_where_the_bot_is_no_member_the_deck_of_the_table_there_is_explained(decks: Decks) -> None:
    record = await decks.lobbies.open(
        guild=None,
        channel=20,
        place="",
        host=ADA,
        agreement=Agreement(),
        venue=Venue.ANYWHERE,
        outside=77,
    )
    where: dict[str, Any] = {"guild": 77, "venue": Venue.ANYWHERE}
    [(way, said)] = await decks.asked(ADA, **where)
    assert way == "show"
    assert "You haven't given it a word yet" in said
    assert await decks.asked(ADA, record.game, **where) == [(way, said)]
    for person in (BEN, CLEO):
        with pytest.raises(NoSuchGame):
            await decks.asked(person, record.game, **where)
    [(_, elsewhere)] = await decks.asked(ADA, channel=21, **where)
    assert "You haven't given it a word yet" not in elsewhere
