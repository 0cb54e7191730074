"""Honest decks: secrets and salts, people's own words, and the hash chain of each log.

A secret is read to deal and, once its game has ended, to prove the deck. No table record holds it. Decks with
salts are of the second scheme; those of the first belong to games and lobbies that were open at the upgrade,
and before.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.model.deck import Deck
from bot.model.errors import StaleGame
from bot.model.first_deck import FirstDeck
from bot.model.table_record import OPEN, Status
from bot.store.connection import Connection, Row
from bot.store.damage import UNREADABLE, reading, require
from engine import DeckSealed, Entry
from engine.fair import (
    CHAIN_VERSIONS,
    LINK_BYTES,
    MOST_SEATS,
    SECRET_BYTES,
    Chain,
    FileEnding,
    Proof,
    Secrets,
    Terms,
    chain_of,
    ft1,
    ft2,
    salt_hash,
)

_NUMBERS_OF_SALTS = frozenset({4, MOST_SEATS})
"""Salts of a table; four are from before games of five."""


async def insert_deck(connection: Connection, game: str, drawn: Secrets) -> None:
    """Store the secret and the salts of a new table."""
    await connection.execute("INSERT INTO decks (game, secret) VALUES ($1, $2)", game, drawn.secret)
    await connection.executemany(
        "INSERT INTO salts (game, seat, salt) VALUES ($1, $2, $3)",
        [(game, seat, salt) for seat, salt in enumerate(drawn.salts)],
    )


async def deck(connection: Connection, game: str) -> Deck | FirstDeck | None:
    """The deck of that game. Raises `DamagedGame`."""
    row = await connection.fetchrow("SELECT * FROM decks WHERE game = $1", game)
    if row is None:
        return None
    salts = await _salts(connection, game)
    words = await connection.fetch('SELECT "user", word FROM words WHERE game = $1', game)
    async with reading(connection, game, "its deck"):
        return _deck_of(row, salts) if salts else _first_deck_of(row, words)


async def note_message(connection: Connection, game: str, message: int) -> None:
    """Store the first message that showed a first scheme's commitment; later calls change nothing."""
    await connection.execute(
        "UPDATE decks SET message = $2 WHERE game = $1 AND message IS NULL", game, message
    )


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
    drawn = await connection.fetchval("SELECT count(*) FROM salts WHERE game = $1", game)
    if 0 < drawn < MOST_SEATS:  # a table from before games of five; nothing is bound to its salts yet
        await connection.executemany(
            "INSERT INTO salts (game, seat, salt) VALUES ($1, $2, $3)",
            [(game, seat, secrets.token_bytes(SECRET_BYTES)) for seat in range(drawn, MOST_SEATS)],
        )


async def seal(connection: Connection, game: str, terms: Terms | ft1.Terms | None) -> None:
    """Store the sealed terms of a game that begins, and begin its log's chain.

    Raises `StaleGame` if a word came or went since the terms were made.
    """
    await connection.execute("DELETE FROM words WHERE game = $1", game)
    if isinstance(terms, Terms):
        given = await connection.fetchval("SELECT terms FROM decks WHERE game = $1", game)
        if given != terms.canonical and (given is not None or terms.words):
            raise StaleGame(game, 0)
    if terms is not None:
        await connection.execute(
            "UPDATE decks SET terms = $2, seal = $3 WHERE game = $1", game, terms.canonical, terms.seal
        )
        chain = Chain() if isinstance(terms, Terms) else Chain(2)
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
    """The proof of a game that has ended, or of a table that closed after a word; `None` for others.

    Raises `DamagedGame`.
    """
    row = await connection.fetchrow(
        "SELECT decks.*, status, head, chain, unversioned FROM decks JOIN games ON id = game WHERE game = $1",
        game,
    )
    if row is None or row["terms"] is None:
        return None
    salts = await _salts(connection, game)
    log = await _entries(connection, game)
    async with reading(connection, game, "its deck"):
        if _is_open(row):
            return None
        return _proof_of(row, salts, log) if salts else _first_proof_of(row, log)


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


async def _salts(connection: Connection, game: str) -> list[Row]:
    """The rows of the deck's salts and words, by seat; none for a deck of the first scheme."""
    return await connection.fetch(
        "SELECT seat, salt, hash, word FROM salts WHERE game = $1 ORDER BY seat", game
    )


async def forget_word(connection: Connection, game: str, user: int) -> None:
    """Delete the person's word and their salt, of which the hash remains.

    In a game of the first scheme the word is in its terms, whose seal can then no longer be checked.
    """
    row = await connection.fetchrow(
        """
        SELECT seat, terms, salt FROM decks JOIN seats USING (game) LEFT JOIN salts USING (game, seat)
        WHERE game = $1 AND "user" = $2
        """,
        *(game, user),
    )
    if row is None:
        return
    if row["salt"] is not None:
        await connection.execute(
            "UPDATE salts SET salt = NULL, word = NULL, hash = $3 WHERE game = $1 AND seat = $2",
            *(game, row["seat"], salt_hash(bytes(row["salt"]))),
        )
    elif _has_word(row["terms"], row["seat"]):
        left = _without_word(row["terms"], row["seat"])
        await connection.execute("UPDATE decks SET terms = $2, forgotten = true WHERE game = $1", game, left)


async def words_given(connection: Connection, user: int) -> dict[str, str]:
    """The person's own words for decks of games that gather, by game."""
    rows = await connection.fetch(
        """
        SELECT game, word FROM words WHERE "user" = $1
        UNION ALL SELECT game, word FROM salts JOIN seats USING (game, seat) JOIN games ON id = game
        WHERE "user" = $1 AND word IS NOT NULL AND status = 'gathering'
        ORDER BY game
        """,
        user,
    )
    return {row["game"]: row["word"] for row in rows}


async def word_of(connection: Connection, game: str, seat: int) -> str | None:
    """The seat's own word in a game that has begun; `None` without one, or if it cannot be read."""
    row = await connection.fetchrow("SELECT word FROM salts WHERE game = $1 AND seat = $2", game, seat)
    if row is not None:
        return None if row["word"] is None else str(row["word"])
    return _word_in(await connection.fetchval("SELECT terms FROM decks WHERE game = $1", game), seat)


def _deck_of(row: Row, salts: Sequence[Row]) -> Deck:
    """The deck of a row, with its salts and words."""
    require(holds=len(row["secret"]) == SECRET_BYTES and len(salts) in _NUMBERS_OF_SALTS)
    require(holds=[each["seat"] for each in salts] == list(range(len(salts))))
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


def _first_deck_of(row: Row, words: Iterable[Row]) -> FirstDeck:
    """The deck of a row by the first scheme, with people's words."""
    require(holds=len(row["secret"]) == SECRET_BYTES)
    require(holds=row["message"] is None or row["message"] > 0)
    require(holds=row["seal"] is None or len(bytes.fromhex(row["seal"])) == LINK_BYTES)
    return FirstDeck(
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


def _proof_of(row: Row, salts: Sequence[Row], log: Sequence[Row]) -> ft2.Proof:
    """The proof of a row's game, which has ended."""
    terms = Terms.from_plain(json.loads(row["terms"]))
    require(holds=len(row["secret"]) == SECRET_BYTES and len(salts) >= len(terms.seats))
    return ft2.Proof(
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


def _first_proof_of(row: Row, log: Sequence[Row]) -> ft1.Proof:
    """The proof of a row's game by the first scheme, which has ended."""
    return ft1.Proof(
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
