"""Honest decks in the database: what goes with a person, and what is found when a byte was changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from bot.model.deck import Deck
from bot.model.table_record import Agreement, Status
from bot.store.examination import damage_in
from engine import Game, Seat
from engine.fair import FairChance, ft2, salt_hash
from tests.bot.decks import SECRET, SECRETS
from tests.bot.standings.games import ADA, BEN, SHORT, Club
from tests.bot.standings.test_persons import traces
from tests.engine.games import any_move
from tests.engine.tables import PlainChance

AGREED: Agreement = SHORT


async def with_a_deck(club: Club, *, begun: bool = True) -> str:
    """A game of Ada and Ben, each with a word of their own, called off after some moves."""
    record = await club.seated((ADA, BEN), AGREED)
    await club.store.cancel(record.game)
    record = await club.store.open_table(
        type(record)(
            game="deck", guild=record.guild, channel=9, place="Snug", host=ADA.user,
            status=Status.GATHERING, agreement=AGREED, occupants=(ADA, BEN),
        ),
        SECRETS,
    )  # fmt: skip
    for seat, word in ((Seat(0), "swordfish1"), (Seat(1), "porpoise2")):
        record, deck = await club.store.table("deck"), await club.store.deck("deck")
        assert isinstance(deck, Deck)
        terms = deck.with_word(seat, word).terms(record, Seat(0))
        await club.store.keep_word(record, seat, word, terms)
    if not begun:
        return "deck"
    game = Game.new(AGREED.rules, chance=FairChance(SECRET, terms.sealed), dealer=Seat(0))
    await club.store.begin("deck", game.log, terms)
    dice = PlainChance(3)
    for _ in range(8):
        version = game.version
        await club.store.append("deck", version, game.apply(any_move(game, dice)), over=False)
    await club.store.call_off("deck")
    return "deck"


async def test_who_is_forgotten_takes_their_word_along_and_leaves_the_cards(club: Club) -> None:
    await with_a_deck(club)
    before = await club.everything_about(ADA.user)
    assert [each.get("your_word") for each in before["games"]] == [None, "swordfish1"]
    await club.forget(ADA.user)
    await club.people.scrub()
    assert traces(club.path, "swordfish1", "porpoise2") == {"porpoise2"}
    proof = await club.store.proof("deck")
    assert proof is not None
    assert isinstance(proof, ft2.Proof)
    assert proof.words == (None, "porpoise2")
    assert proof.salts == (salt_hash(SECRETS.salts[0]), SECRETS.salts[1])
    assert SECRETS.salts[0] not in club.path.read_bytes()
    assert all(finding.holds for finding in proof.check())


async def test_a_word_given_to_a_lobby_is_exported_and_goes_too(club: Club) -> None:
    await with_a_deck(club, begun=False)
    told = await club.everything_about(BEN.user)
    assert told["words_given_to_games_that_gather"] == {"deck": "porpoise2"}
    await club.forget(BEN.user)
    await club.people.scrub()
    assert traces(club.path, "porpoise2") == set()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET body = replace(body, 'a', 'b') WHERE kind = 'DeckSealed'",
        "UPDATE games SET head = zeroblob(32) WHERE id = 'deck'",
        "UPDATE games SET head = zeroblob(31) WHERE id = 'deck'",
        "UPDATE decks SET secret = zeroblob(31)",
        "UPDATE decks SET seal = 'no seal'",
        "UPDATE decks SET terms = replace(terms, 'seats', 'chairs')",
        "UPDATE salts SET salt = zeroblob(31) WHERE seat = 0",
        "DELETE FROM salts WHERE seat = 3",
    ],
)
async def test_a_changed_game_is_damaged(club: Club, change: str) -> None:
    await with_a_deck(club)
    assert list(await damage_in(club.path)) == []
    with closing(sqlite3.connect(club.path)) as connection, connection:
        changed = connection.execute(change).rowcount
    assert len(list(await damage_in(club.path))) == min(changed, 1)
