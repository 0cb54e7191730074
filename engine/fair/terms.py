"""The values of the scheme "ft2": secret and salts, words, terms, notes and seal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.codec import Json
from engine.events import DeckSealed
from engine.fair.canonical import canonical, digest, is_hash
from engine.fair.draws import SECRET_BYTES
from engine.rules import MOST_SEATS

PERSON = "person"
"""The occupant of a seat in the terms, where it is no level of the computer."""

SHORTEST_WORD, LONGEST_WORD = 8, 32
"""Limits (characters) of a person's own word."""

_WORD = re.compile(f"[a-z0-9]{{{SHORTEST_WORD},{LONGEST_WORD}}}")
_GAME = re.compile("[a-z0-9]{1,16}")
_PLAYER = re.compile("[a-z0-9.-]{1,40}")
_LEVEL = re.compile("[a-z]{1,16}")


def is_word(text: object) -> bool:
    """True for a word that can be given to a deck: 8 to 32 of a-z and 0-9."""
    return _is_text(text, _WORD)


def is_player(text: object) -> bool:
    """True for a version of the computer player: at most 40 of a-z, 0-9, point and hyphen."""
    return _is_text(text, _PLAYER)


def salt_hash(salt: bytes) -> str:
    """The hash of a seat's salt, which stands in its place once it is deleted."""
    return digest(["ft2 salt", salt.hex()])


def word_digest(salt: bytes, word: str) -> str:
    """The hash of the word of the seat with that salt."""
    return digest(["ft2 word", salt.hex(), word])


def commitment(game: str, secret: bytes, salt_hashes: Sequence[str]) -> str:
    """The hash that binds a game to its secret and to the salts of its seats."""
    return digest(["ft2 deck", game, secret.hex(), list(salt_hashes)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """The random bytes of a game, drawn as it is created: its secret, and a salt for each seat."""

    secret: bytes = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)
    """By seat. A table has as many as a game can have seats; a game uses those of its own seats."""

    def __post_init__(self) -> None:
        """Raises `ValueError` for other lengths."""
        if any(len(each) != SECRET_BYTES for each in (self.secret, *self.salts)):
            raise ValueError(f"a secret and a salt have {SECRET_BYTES} bytes")

    def commitment(self, game: str, seats: int) -> str:
        """The commitment of a game with that many seats."""
        return commitment(game, self.secret, [salt_hash(salt) for salt in self.salts[:seats]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms from which, with the secret, the cards of a game follow; fixed when it begins."""

    commitment: str
    dealer: int | None
    """The first dealer, if known, as after another game; `None` if the players cut for it."""
    game: str
    player: str
    """The version of the computer player and of its tables."""
    rules: dict[str, Json]
    """In the codec's plain form, as the log's first event has them."""
    seats: tuple[str, ...]
    """By seat: `person`, or the computer's level."""
    stand_in: str
    """The level that moves for people who are away."""
    words: tuple[tuple[int, str], ...] = ()
    """The seat and the digest of each word, the oldest first."""

    @property
    def plain(self) -> dict[str, Any]:
        """The terms as plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def canonical(self) -> str:
        """The canonical JSON that is stored."""
        return canonical(self.plain)

    @property
    def seal(self) -> str:
        """The hash that binds a game to its terms, in hexadecimal."""
        return digest(["ft2 seal", self.plain])

    @property
    def sealed(self) -> DeckSealed:
        """The event that the log has before any card."""
        return DeckSealed(self.commitment, self.seal)

    def note(self, seat: int) -> str:
        """The hash that a player notes before their word is known: the terms without it, and their seat."""
        others = tuple(each for each in self.words if each[0] != seat)
        return digest(["ft2 note", replace(self, words=others).plain, seat])

    @classmethod
    def from_plain(cls, plain: Any) -> Terms:
        """Reads the terms of a file. Raises `ValueError` for any other value."""
        if not isinstance(plain, dict) or plain.keys() != set(cls.__slots__):
            raise ValueError(f"terms have exactly {', '.join(cls.__slots__)}")
        rules, seats, words = plain["rules"], plain["seats"], plain["words"]
        _require(is_hash(plain["commitment"]), "commitment")
        _require(_is_text(plain["game"], _GAME), "game")
        _require(is_player(plain["player"]), "player")
        _require(isinstance(rules, dict) and type(rules.get("seats")) is int, "rules")
        _require(isinstance(seats, list) and len(seats) == rules["seats"] <= MOST_SEATS, "number of seats")
        _require(all(_is_text(each, _LEVEL) for each in seats), "seats")
        _require(_is_text(plain["stand_in"], _LEVEL) and plain["stand_in"] != PERSON, "stand_in")
        dealer = plain["dealer"]
        _require(dealer is None or (type(dealer) is int and 0 <= dealer < len(seats)), "dealer")
        _require(isinstance(words, list) and all(_is_row(each, seats) for each in words), "words")
        _require(len({seat for seat, _ in words}) == len(words), "words: one for each seat")
        return cls(**{**plain, "seats": tuple(seats), "words": tuple((seat, each) for seat, each in words)})


def terms_of(
    secrets: Secrets,
    *,
    game: str,
    dealer: int | None,
    player: str,
    rules: dict[str, Json],
    seats: Sequence[str],
    stand_in: str,
    words: Mapping[int, str],
) -> Terms:
    """The terms of a game; `words` by seat, the oldest first."""
    return Terms(
        commitment=secrets.commitment(game, len(seats)),
        dealer=dealer,
        game=game,
        player=player,
        rules=rules,
        seats=tuple(seats),
        stand_in=stand_in,
        words=tuple((seat, word_digest(secrets.salts[seat], word)) for seat, word in words.items()),
    )


def _is_text(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_row(row: object, seats: Sequence[str]) -> bool:
    """True for a person's seat and the digest of their word."""
    match row:
        case [int(seat), str(hashed)] if type(seat) is int:
            return is_hash(hashed) and 0 <= seat < len(seats) and seats[seat] == PERSON
        case _:
            return False


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 -- the condition itself
    """Raises `ValueError` that names a wrong part of the terms."""
    if not holds:
        raise ValueError(f"the terms have a wrong {what}")
