"""Honest decks: secrets, people's own words, and the hash chain of each log.

A secret is read to deal and, once its game has ended, to prove the deck fair. No table record holds it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bot.model.deck import Deck
from bot.model.table_record import OPEN, Status
from bot.store.connection import Connection, Row
from bot.store.damage import UNREADABLE, reading, require
from engine import Entry
from engine.fair import CHAIN_VERSIONS, LINK_BYTES, SECRET_BYTES, Chain, chain_of
from engine.fair.ft1 import Proof, Terms, commitment


async def insert_deck(connection: Connection, game: str, secret: bytes) -> None:
    """Store the secret of a new table, and the commitment to it."""
    await connection.execute("INSERT INTO decks (game, secret) VALUES ($1, $2)", game, secret)
    await connection.execute("UPDATE games SET commitment = $2 WHERE id = $1", game, commitment(game, secret))


async def deck(connection: Connection, game: str) -> Deck | None:
    """The deck of that game. Raises `DamagedGame`."""
    row = await connection.fetchrow("SELECT * FROM decks WHERE game = $1", game)
    if row is None:
        return None
    words = await connection.fetch('SELECT "user", word FROM words WHERE game = $1', game)
    async with reading(connection, game, "its deck"):
        return _deck_of(row, words)


async def note_message(connection: Connection, game: str, message: int) -> None:
    """Store the first message that showed the commitment; later calls change nothing."""
    await connection.execute(
        "UPDATE decks SET message = $2 WHERE game = $1 AND message IS NULL", game, message
    )


async def write_word(connection: Connection, game: str, user: int, word: str | None) -> None:
    """Replace the person's own word; `None` deletes it."""
    await connection.execute('DELETE FROM words WHERE game = $1 AND "user" = $2', game, user)
    if word is not None:
        await connection.execute(
            'INSERT INTO words (game, "user", word) VALUES ($1, $2, $3)', game, user, word
        )


async def seal(connection: Connection, game: str, terms: Terms | None) -> None:
    """Store the sealed terms of a game that begins, and begin its log's chain."""
    await connection.execute("DELETE FROM words WHERE game = $1", game)
    if terms is not None:
        await connection.execute(
            "UPDATE decks SET terms = $2, seal = $3 WHERE game = $1", game, terms.canonical, terms.seal
        )
        chain = Chain(2)
        statement = "UPDATE games SET head = $2, chain = $3 WHERE id = $1"
        await connection.execute(statement, game, chain.begins, chain.version)


async def lengthen(
    connection: Connection, game: str, link: bytes | None, entries: Iterable[Entry], at: int
) -> None:
    """Extend the chain, whose head is `link`, by entries from number `at` on, if the game has one.

    Raises `DamagedGame`.
    """
    if link is not None:
        row = await connection.fetchrow("SELECT chain, unversioned FROM games WHERE id = $1", game)
        async with reading(connection, game, "its table"):
            link = _chain_in(row).lengthened(bytes(link), entries, at)
        await connection.execute("UPDATE games SET head = $2 WHERE id = $1", game, link)


async def settle_chains(connection: Connection) -> None:
    """Find the chains of games from before a chain's version was stored, for migration 31.

    One that leads to no stored head, and one that cannot be read, get the newest version: a check says so.
    """
    for row in await connection.fetch("SELECT id, head FROM games WHERE head IS NOT NULL"):
        game = row["id"]
        log = await _entries(connection, game)
        try:
            chain = chain_of([_entry_of(each) for each in log], bytes(row["head"]).hex())
        except UNREADABLE:
            chain = Chain(2)
        statement = "UPDATE games SET chain = $2, unversioned = $3 WHERE id = $1"
        await connection.execute(statement, game, chain.version, chain.unversioned)


async def head(connection: Connection, game: str) -> str | None:
    """The head of the log's chain, in hexadecimal. Raises `DamagedGame`."""
    found = await connection.fetchval("SELECT head FROM games WHERE id = $1", game)
    if found is None:
        return None
    async with reading(connection, game, "its table"):
        return _head_of(found)


async def proof(connection: Connection, game: str) -> Proof | None:
    """The proof of a game that has ended; `None` for others. Raises `DamagedGame`."""
    row = await connection.fetchrow(
        "SELECT decks.*, status, head, chain, unversioned FROM decks JOIN games ON id = game WHERE game = $1",
        game,
    )
    if row is None or row["terms"] is None:
        return None
    log = await _entries(connection, game)
    async with reading(connection, game, "its deck"):
        return None if _is_open(row) else _proof_of(row, log)


async def is_chained(connection: Connection, game: str) -> bool:
    """False for a log whose chain leads to another head than the stored one. Raises `DamagedGame`."""
    row = await connection.fetchrow("SELECT head, chain, unversioned FROM games WHERE id = $1", game)
    if row["head"] is None:
        return True
    log = await _entries(connection, game)
    async with reading(connection, game, "its log"):
        return _chain_in(row).head(map(_entry_of, log)) == _head_of(row["head"])


async def _entries(connection: Connection, game: str) -> list[Row]:
    """The rows of the game's log, as far as its chain has them."""
    return await connection.fetch(
        "SELECT kind, body, codec FROM events WHERE game = $1 ORDER BY version", game
    )


async def forget_word(connection: Connection, game: str, user: int) -> None:
    """Delete the person's word from the game's terms, whose seal can then no longer be checked."""
    row = await connection.fetchrow(
        'SELECT seat, terms FROM decks JOIN seats USING (game) WHERE game = $1 AND "user" = $2', game, user
    )
    if row is not None and _has_word(row["terms"], row["seat"]):
        left = _without_word(row["terms"], row["seat"])
        await connection.execute("UPDATE decks SET terms = $2, forgotten = true WHERE game = $1", game, left)


async def word_of(connection: Connection, game: str, seat: int) -> str | None:
    """The seat's own word; `None` without one, or if it cannot be read."""
    return _word_in(await connection.fetchval("SELECT terms FROM decks WHERE game = $1", game), seat)


def _deck_of(row: Row, words: Iterable[Row]) -> Deck:
    """The deck of a row, with people's words."""
    require(holds=len(row["secret"]) == SECRET_BYTES)
    require(holds=row["message"] is None or row["message"] > 0)
    require(holds=row["seal"] is None or len(bytes.fromhex(row["seal"])) == LINK_BYTES)
    return Deck(
        game=row["game"],
        secret=row["secret"],
        message=row["message"],
        words={each["user"]: str(each["word"]) for each in words},
        seal=row["seal"],
    )


def _head_of(head: bytes) -> str:
    """The head of a chain, in hexadecimal."""
    require(holds=len(head) == LINK_BYTES)
    return bytes(head).hex()


def _is_open(row: Row) -> bool:
    """True until the deck's game has ended."""
    return Status(row["status"]) in OPEN


def _proof_of(row: Row, log: Sequence[Row]) -> Proof:
    """The proof of a row's game, which has ended."""
    return Proof(
        terms=_canonical(json.loads(row["terms"])),
        seal=str(row["seal"]),
        secret=bytes(row["secret"]),
        head=bytes(row["head"] or b"").hex(),
        chain=_chain_in(row),
        log=tuple(map(_entry_of, log)),
        forgotten=bool(row["forgotten"]),
    )


def _entry_of(row: Row) -> Entry:
    """An event of a log, as the chain has it."""
    return Entry(row["kind"], json.loads(row["body"]), row["codec"])


def _chain_in(row: Row) -> Chain:
    """The chain of a game's log."""
    require(holds=row["chain"] in CHAIN_VERSIONS and row["unversioned"] >= 0)
    return Chain(row["chain"], row["unversioned"])


def _canonical(terms: object) -> str:
    """The terms in the form that was sealed."""
    return json.dumps(terms, sort_keys=True, separators=(",", ":"))


def _has_word(terms: str | None, seat: int) -> bool:
    """True if the terms have the seat's own word, or are damaged and may have it."""
    if terms is None:
        return False
    try:
        return json.loads(terms)["words"][seat] is not None
    except UNREADABLE:
        return True


def _without_word(terms: str, seat: int) -> str | None:
    """The terms without the seat's own word; `None` if they are damaged, as the word could be anywhere."""
    try:
        left = json.loads(terms)
        left["words"][seat] = None
        return _canonical(left)
    except UNREADABLE:
        return None


def _word_in(terms: str | None, seat: int) -> str | None:
    """The seat's own word in the terms; `None` without one, or if it cannot be read."""
    try:
        word = json.loads(terms or "")["words"][seat]
    except UNREADABLE:
        return None
    return word if isinstance(word, str) else None
