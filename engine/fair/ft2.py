"""The scheme "ft2": the file of a game, and its checks.

The package's docstring has the scheme. A file says nothing that follows from the rest of it: the commitment,
the digests of the words, the seal and the head of the log are computed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from engine.codec import CODEC_VERSION, Entry, Json, decode, encode
from engine.events import (
    CutForDeal,
    DeckSealed,
    GameBegan,
    GameWon,
    StarterCut,
    StoodIn,
    SubstituteMoved,
)
from engine.fair.canonical import MOST_EVENTS, is_hash
from engine.fair.chain import head_of
from engine.fair.draws import FairChance
from engine.fair.findings import Checked, Finding
from engine.fair.replaying import played_again
from engine.fair.terms import PERSON, Terms, commitment, is_word, salt_hash, word_digest
from engine.notation import write_game_as_json

SCHEME = "ft2"

_KEYS = {"format", "players", "scheme", "ending", "terms", "secret", "salts", "words", "log"}

_FOR_THEIR_PLAYERS = (StoodIn.__name__, SubstituteMoved.__name__)

_CUTS = (CutForDeal.__name__, StarterCut.__name__)


class FileEnding(Enum):
    """The way in which a game of a file ended."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    """The game was called off."""
    CLOSED = "closed"
    """The table was closed before the game began, after a word was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The facts by which anybody can check the deck of a game that has ended."""

    ending: FileEnding
    terms: Terms
    secret: bytes = field(repr=False)
    salts: tuple[bytes | str, ...] = field(repr=False)
    """By seat; the hash of one that was deleted with its person's data."""
    words: tuple[str | None, ...] = field(repr=False)
    """In the order of the terms; `None` for one that was deleted with its person's data."""
    log: tuple[Entry, ...] = field(repr=False)

    @property
    def seal(self) -> str:
        """The seal of the terms, in hexadecimal."""
        return self.terms.seal

    @property
    def head(self) -> str:
        """The last link of the log's chain, in hexadecimal."""
        return head_of(self.log)

    def write(self, players: Sequence[str] = ()) -> str:
        """The file of the game; `players` are names by seat."""
        proof: dict[str, Json] = {
            "scheme": SCHEME,
            "ending": self.ending.value,
            "terms": json.loads(self.terms.canonical),
            "secret": self.secret.hex(),
            "salts": [
                {"hash": each} if isinstance(each, str) else {"salt": each.hex()} for each in self.salts
            ],
            "words": list(self.words),
        }
        return write_game_as_json(self.log, players, proof)

    @classmethod
    def from_plain(cls, plain: Any) -> Proof:
        """Reads the JSON of a file. Raises `ValueError` with the first thing that no file has."""
        if not isinstance(plain, dict) or plain.keys() != _KEYS:
            raise ValueError(f"a file has exactly {', '.join(sorted(_KEYS))}")
        if plain["scheme"] != SCHEME:
            raise ValueError("its scheme is not known here")
        players, words, secret = plain["players"], plain["words"], plain["secret"]
        if not isinstance(players, list) or not all(isinstance(each, str) for each in players):
            raise ValueError("players are names")
        if not isinstance(plain["format"], str):
            raise ValueError("format is a text")  # noqa: TRY004 -- as everything that no file has
        if not is_hash(secret):
            raise ValueError("a secret has 32 bytes, in lower-case hexadecimal")
        terms = Terms.from_plain(plain["terms"])
        if not isinstance(words, list) or len(words) != len(terms.words):
            raise ValueError("each word of the terms has a text, or null")
        if not all(each is None or is_word(each) for each in words):
            raise ValueError("a word has 8 to 32 of a-z and 0-9")
        salts = plain["salts"]
        if not isinstance(salts, list) or len(salts) != len(terms.seats):
            raise ValueError("each seat has a salt, or its hash")
        return cls(
            ending=FileEnding(plain["ending"]),
            terms=terms,
            secret=bytes.fromhex(secret),
            salts=tuple(map(_salt, salts)),
            words=tuple(words),
            log=_log(plain),
        )

    def check(self) -> tuple[Finding, ...]:
        """The results of all checks, in the order of `Checked`."""
        hashes = [each if isinstance(each, str) else salt_hash(each) for each in self.salts]
        is_committed = commitment(self.terms.game, self.secret, hashes) == self.terms.commitment
        before_any_card = (
            Finding(Checked.COMMITMENT, is_committed),
            self._words(),
        )
        if self.ending is FileEnding.CLOSED:
            return (
                *before_any_card,
                Finding(Checked.END, not self.log, "no card was dealt at a closed table"),
            )
        return (
            *before_any_card,
            Finding(Checked.TERMS, self._is_sealed(), "event 1"),
            self._cards(),
            Finding(Checked.END, self._has_its_end(), f"event {len(self.log)}"),
        )

    def _words(self) -> Finding:
        """Words that were deleted have no salt either, and are not checked."""
        for (seat, hashed), word in zip(self.terms.words, self.words, strict=True):
            salt = self.salts[seat]
            if isinstance(salt, str) != (word is None):
                return Finding(
                    Checked.WORDS, holds=False, detail=f"seat {seat}: a word or a salt alone is gone"
                )
            if isinstance(salt, bytes) and word is not None and word_digest(salt, word) != hashed:
                return Finding(Checked.WORDS, holds=False, detail=f"seat {seat}")
        return Finding(Checked.WORDS, holds=True)

    def _is_sealed(self) -> bool:
        sealed = [(at, each.body) for at, each in enumerate(self.log) if each.kind == DeckSealed.__name__]
        return sealed == [(1, {"commitment": self.terms.commitment, "seal": self.seal})]

    def _cards(self) -> Finding:
        chance = FairChance(self.secret, self.terms.sealed)
        found = played_again(self.log, chance, self.terms.plain)
        if found.holds:
            for at, each in enumerate(self.log):
                if not self._is_spelt_as_written(each):
                    return Finding(Checked.CARDS, holds=False, detail=f"event {at}: another spelling")
                if each.kind in _CUTS and not each.body["by_chance"] and self._leaves_to_chance(at):
                    return Finding(
                        Checked.CARDS, holds=False, detail=f"event {at}: the computer names no place"
                    )
        return found

    def _is_spelt_as_written(self, entry: Entry) -> bool:
        """True if the body is the one that a bot writes.

        The rules lack the options that are newer than their bot, in the log and in the terms alike.
        """
        written = encode(decode(entry.kind, entry.body, entry.codec))
        if entry.kind == GameBegan.__name__:
            all_options, rules = written["rules"], self.terms.rules
            assert isinstance(all_options, dict)
            written = {"rules": {name: all_options[name] for name in rules}}
        return entry.body == written

    def _leaves_to_chance(self, at: int) -> bool:
        """True for a cut of the computer, for itself, for somebody who is away, or as their substitute."""
        is_computers = self.terms.seats[self.log[at].body["seat"]] != PERSON
        return is_computers or self.log[at - 1].kind in _FOR_THEIR_PLAYERS

    def _has_its_end(self) -> bool:
        is_won = bool(self.log) and self.log[-1].kind == GameWon.__name__
        return is_won == (self.ending is FileEnding.FINISHED)


def _salt(plain: object) -> bytes | str:
    """A seat's salt, or the hash of one that was deleted. Raises `ValueError`."""
    match plain:
        case {"salt": str(salt), **others} if is_hash(salt) and not others:
            return bytes.fromhex(salt)
        case {"hash": str(hashed), **others} if is_hash(hashed) and not others:
            return hashed
        case _:
            raise ValueError("a salt has 32 bytes, in lower-case hexadecimal")


def _log(plain: dict[str, Any]) -> tuple[Entry, ...]:
    """The events of a file, which have one codec. Raises `ValueError`."""
    log = plain["log"]
    if not isinstance(log, list) or len(log) > MOST_EVENTS:
        raise ValueError(f"a log has at most {MOST_EVENTS} events")
    entries = tuple(map(_entry, log))
    if any(each.codec != CODEC_VERSION for each in entries):
        raise ValueError("the events of a log have one codec, which is known here")
    return entries


def _entry(plain: object) -> Entry:
    match plain:
        case {"kind": str(kind), "body": dict(body), "codec": int(codec), **others} if not others:
            if type(codec) is int:
                return Entry(kind, body, codec)
    raise ValueError("an event has a kind, a body and a codec")
