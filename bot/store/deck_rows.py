"""Honest decks from their rows, and back: what is the same in every kind of database. Pure.

What nobody can have written raises one of `damage.UNREADABLE`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bot.model.deck import Deck
from bot.model.table_record import OPEN, Status
from bot.store.connection import Row
from bot.store.damage import UNREADABLE, require
from engine import Entry, LogError
from engine.fair import CHAIN_BEGINS, SECRET_BYTES, Proof, canonical, lengthened


def deck_of(row: Row, words: Iterable[Row]) -> Deck:
    """The deck of a row, with the words that people gave to it so far."""
    require(holds=len(row["secret"]) == SECRET_BYTES)
    require(holds=row["message"] is None or row["message"] > 0)
    require(holds=row["seal"] is None or len(bytes.fromhex(row["seal"])) == len(CHAIN_BEGINS))
    return Deck(
        game=row["game"],
        secret=row["secret"],
        message=row["message"],
        words={each["user"]: str(each["word"]) for each in words},
        seal=row["seal"],
    )


def head_of(head: bytes) -> str:
    """The head of a chain, in hexadecimal."""
    require(holds=len(head) == len(CHAIN_BEGINS))
    return bytes(head).hex()


def is_open(row: Row) -> bool:
    """Whether the deck's game has not ended: nothing is proved before that."""
    return Status(row["status"]) in OPEN


def proof_of(row: Row, log: Sequence[Row]) -> Proof:
    """What the game of a row, which has ended, can be checked by."""
    return Proof(
        terms=canonical(json.loads(row["terms"])),
        seal=str(row["seal"]),
        secret=bytes(row["secret"]),
        head=bytes(row["head"] or b"").hex(),
        log=tuple(Entry(each["kind"], json.loads(each["body"]), each["codec"]) for each in log),
        forgotten=bool(row["forgotten"]),
    )


def require_chain(log: Iterable[Row], head: str) -> None:
    """Raises `LogError` when the log is not the one with that head."""
    entries = (Entry(each["kind"], json.loads(each["body"]), each["codec"]) for each in log)
    if lengthened(CHAIN_BEGINS, entries).hex() != head:
        raise LogError("its chain leads to another head")


def has_word(terms: str | None, seat: int) -> bool:
    """Whether the seat's own word stands in these terms, or may: they are damaged."""
    if terms is None:
        return False
    try:
        return json.loads(terms)["words"][seat] is not None
    except UNREADABLE:
        return True


def without_word(terms: str, seat: int) -> str | None:
    """The terms without the seat's own word; nothing where they are damaged, and may hold anything."""
    try:
        left = json.loads(terms)
        left["words"][seat] = None
        return canonical(left)
    except UNREADABLE:
        return None


def word_in(terms: str | None, seat: int) -> str | None:
    """The word that the seat gave to the game, if that was anything, and can be read."""
    try:
        word = json.loads(terms or "")["words"][seat]
    except UNREADABLE:
        return None
    return word if isinstance(word, str) else None
