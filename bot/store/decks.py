"""Honest decks: secrets and salts, people's own words, and the hash chain of each log.

A secret is read to deal and, once its game has ended, to prove the deck. No table record holds it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.model.deck import Deck
from bot.model.errors import StaleGame
from bot.model.table_record import OPEN, Status
from bot.store.connection import Connection, Row
from bot.store.damage import reading, require
from engine import DeckSealed, Entry
from engine.fair import (
    FIRST_LINK,
    LINK_BYTES,
    MOST_SEATS,
    SECRET_BYTES,
    FileEnding,
    Proof,
    Secrets,
    Terms,
    head_of,
    lengthened,
    salt_hash,
)


async def insert_deck(connection: Connection, game: str, drawn: Secrets) -> None:
    """Store the secret and the salts of a new table."""
    await connection.execute("INSERT INTO decks (game, secret) VALUES ($1, $2)", game, drawn.secret)
    await connection.executemany(
        "INSERT INTO salts (game, seat, salt) VALUES ($1, $2, $3)",
        [(game, seat, salt) for seat, salt in enumerate(drawn.salts)],
    )


async def deck(connection: Connection, game: str) -> Deck | None:
    """The deck of that game. Raises `DamagedGame`."""
    row = await connection.fetchrow("SELECT * FROM decks WHERE game = $1", game)
    if row is None:
        return None
    salts = await _salts(connection, game)
    async with reading(connection, game, "its deck"):
        return _deck_of(row, salts)


async def write_word(connection: Connection, game: str, seat: int, word: str, terms: Terms) -> None:
    """Store the word of the person at that seat; the word is the last one of the terms."""
    await connection.execute("UPDATE salts SET word = $3 WHERE game = $1 AND seat = $2", game, seat, word)
    await connection.execute(
        "UPDATE decks SET terms = $2, dropped = false WHERE game = $1", game, terms.canonical
    )


async def drop_words(connection: Connection, game: str) -> None:
    """Delete the words of a table whose seats or rules change, and note it if there were any."""
    await connection.execute("UPDATE salts SET word = NULL WHERE game = $1", game)
    await connection.execute(
        "UPDATE decks SET terms = NULL, dropped = true WHERE game = $1 AND terms IS NOT NULL", game
    )


async def seal(connection: Connection, game: str, terms: Terms | None) -> None:
    """Store the sealed terms of a game that begins, and begin its log's chain.

    Raises `StaleGame` if a word came or went since the terms were made.
    """
    if terms is None:
        return
    given = await connection.fetchval("SELECT terms FROM decks WHERE game = $1", game)
    if given != terms.canonical and (given is not None or terms.words):
        raise StaleGame(game, 0)
    await connection.execute(
        "UPDATE decks SET terms = $2, seal = $3 WHERE game = $1", game, terms.canonical, terms.seal
    )
    await connection.execute("UPDATE games SET head = $2 WHERE id = $1", game, FIRST_LINK)


async def lengthen(connection: Connection, game: str, link: bytes | None, entries: Iterable[Entry]) -> None:
    """Extend the chain, whose head is `link`, by these entries, if the game has one."""
    if link is not None:
        head = lengthened(bytes(link), entries)
        await connection.execute("UPDATE games SET head = $2 WHERE id = $1", game, head)


async def head(connection: Connection, game: str) -> str | None:
    """The head of the log's chain, in hexadecimal. Raises `DamagedGame`."""
    found = await connection.fetchval("SELECT head FROM games WHERE id = $1", game)
    if found is None:
        return None
    async with reading(connection, game, "its table"):
        return _head_of(found)


async def proof(connection: Connection, game: str) -> Proof | None:
    """The proof of a game that has ended, or of a table that closed after a word; `None` for others.

    Raises `DamagedGame`.
    """
    row = await connection.fetchrow(
        "SELECT decks.*, status FROM decks JOIN games ON id = game WHERE game = $1", game
    )
    if row is None or row["terms"] is None:
        return None
    salts = await _salts(connection, game)
    log = await _entries(connection, game)
    async with reading(connection, game, "its deck"):
        if _is_open(row):
            return None
        return _proof_of(row, salts, log)


async def is_chained(connection: Connection, game: str) -> bool:
    """False for a log whose chain leads to another head than the stored one. Raises `DamagedGame`."""
    head = await connection.fetchval("SELECT head FROM games WHERE id = $1", game)
    if head is None:
        return True
    log = await _entries(connection, game)
    async with reading(connection, game, "its log"):
        return head_of(map(_entry_of, log)) == _head_of(head)


async def _entries(connection: Connection, game: str) -> list[Row]:
    """The rows of the game's log, as far as its chain has them."""
    return await connection.fetch(
        "SELECT kind, body, codec FROM events WHERE game = $1 ORDER BY version", game
    )


async def _salts(connection: Connection, game: str) -> list[Row]:
    """The rows of the deck's salts and words, by seat."""
    return await connection.fetch(
        "SELECT seat, salt, hash, word FROM salts WHERE game = $1 ORDER BY seat", game
    )


async def forget_word(connection: Connection, game: str, user: int) -> None:
    """Delete the person's word and salt; the hash of the salt stays."""
    row = await connection.fetchrow(
        'SELECT seat, salt FROM salts JOIN seats USING (game, seat) WHERE game = $1 AND "user" = $2',
        *(game, user),
    )
    if row is not None and row["salt"] is not None:
        await connection.execute(
            "UPDATE salts SET salt = NULL, word = NULL, hash = $3 WHERE game = $1 AND seat = $2",
            *(game, row["seat"], salt_hash(bytes(row["salt"]))),
        )


async def words_given(connection: Connection, user: int) -> dict[str, str]:
    """The person's own words for decks of games that gather, by game."""
    rows = await connection.fetch(
        """
        SELECT game, word FROM salts JOIN seats USING (game, seat) JOIN games ON id = game
        WHERE "user" = $1 AND word IS NOT NULL AND status = 'gathering'
        ORDER BY game
        """,
        user,
    )
    return {row["game"]: row["word"] for row in rows}


async def word_of(connection: Connection, game: str, seat: int) -> str | None:
    """The seat's own word for the game's deck; `None` without one."""
    word = await connection.fetchval("SELECT word FROM salts WHERE game = $1 AND seat = $2", game, seat)
    return None if word is None else str(word)


def _deck_of(row: Row, salts: Sequence[Row]) -> Deck:
    """The deck of a row, with its salts and words."""
    require(holds=len(row["secret"]) == SECRET_BYTES)
    require(holds=[each["seat"] for each in salts] == list(range(MOST_SEATS)))
    kept = tuple(bytes(each["salt"]) for each in salts if each["salt"] is not None)
    require(holds=all(len(salt) == SECRET_BYTES for salt in kept))
    terms = None if row["terms"] is None else Terms.from_plain(json.loads(row["terms"]))
    words = {seat: salts[seat]["word"] for seat, _ in terms.words} if terms is not None else {}
    sealed = None if terms is None or row["seal"] is None else DeckSealed(terms.commitment, str(row["seal"]))
    require(holds=sealed is None or len(bytes.fromhex(sealed.seal)) == LINK_BYTES)
    deck = Deck(
        game=row["game"],
        secret=bytes(row["secret"]),
        salts=kept if len(kept) == len(salts) else (),
        words={seat: str(word) for seat, word in words.items() if word is not None},
        sealed=sealed,
        given=terms if sealed is None else None,
    )
    return deck if terms is None else replace(deck, player=terms.player)


def _head_of(head: bytes) -> str:
    """The head of a chain, in hexadecimal."""
    require(holds=len(head) == LINK_BYTES)
    return bytes(head).hex()


def _is_open(row: Row) -> bool:
    """True until the deck's game has ended."""
    return Status(row["status"]) in OPEN


def _proof_of(row: Row, salts: Sequence[Row], log: Sequence[Row]) -> Proof:
    """The proof of a row's game, which has ended."""
    terms = Terms.from_plain(json.loads(row["terms"]))
    require(holds=len(row["secret"]) == SECRET_BYTES and len(salts) == MOST_SEATS)
    return Proof(
        ending=_ending_of(row),
        terms=terms,
        secret=bytes(row["secret"]),
        salts=tuple(
            str(each["hash"]) if each["salt"] is None else bytes(each["salt"])
            for each in salts[: len(terms.seats)]
        ),
        words=tuple(salts[seat]["word"] for seat, _ in terms.words),
        log=tuple(map(_entry_of, log)),
    )


def _ending_of(row: Row) -> FileEnding:
    if Status(row["status"]) is Status.OVER:
        return FileEnding.FINISHED
    return FileEnding.CLOSED if row["seal"] is None else FileEnding.CANCELLED


def _entry_of(row: Row) -> Entry:
    """An event of a log, as the chain has it."""
    return Entry(row["kind"], json.loads(row["body"]), row["codec"])
