"""The first scheme, "ft1": games that began before the second stay checkable.

Its commitment is SHA-256("ft1" | game | secret). Its terms have the id that Discord gave the message with the
commitment, and people's words; their seal is the SHA-256 of their canonical JSON. A file says the seal, and
the head of the log.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.codec import Entry, Json, entries_of
from engine.events import DeckSealed, GameWon
from engine.fair.canonical import MOST_EVENTS, canonical, is_hash
from engine.fair.chain import FIRST_SCHEMES, Chain, chain_of
from engine.fair.draws import SECRET_BYTES, FairChance
from engine.fair.findings import Checked, Finding
from engine.fair.replaying import played_again
from engine.notation import write_game_as_json
from engine.secret_events import LoggedEvent

SCHEME = "ft1"

LIMITS = (
    "This is a game of the first scheme. It could not prove that its deck was not chosen: a dishonest owner "
    "could try secrets, message ids and words until they liked the cards."
)
"""The sentence on what the scheme could not prove."""


def commitment(game: str, secret: bytes) -> str:
    """The hash that binds a game to its secret before the secret is known, in hexadecimal."""
    return hashlib.sha256(SCHEME.encode() + game.encode() + secret).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms from which, with the secret, the cards of a game follow; fixed when it begins."""

    game: str
    rules: dict[str, Json]
    """In the codec's plain form, as the log's first event has them."""
    dealer: int | None
    """The first dealer, if known, as after another game; `None` if the players cut for it."""
    seats: tuple[str, ...]
    """By seat: `person`, or the computer's level."""
    commitment: str
    message: str | None
    """The id of the first message with the commitment."""
    words: tuple[str | None, ...]
    """By seat: a person's own word, if they gave one."""

    @property
    def canonical(self) -> str:
        """The canonical JSON that is sealed."""
        return canonical({"version": SCHEME} | {name: getattr(self, name) for name in self.__slots__})

    @property
    def seal(self) -> str:
        """The hash that binds a game to its terms, in hexadecimal."""
        return seal_of(self.canonical)

    @property
    def sealed(self) -> DeckSealed:
        """The event that the log has before any card."""
        return DeckSealed(self.commitment, self.seal)


def seal_of(terms: str) -> str:
    """The seal of terms in their canonical form."""
    return hashlib.sha256(terms.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The facts by which anybody can check a finished game's fairness."""

    terms: str
    """Canonical JSON; without the words of people whose data were deleted."""
    seal: str
    secret: bytes = field(repr=False)
    head: str
    """The last link of the log's chain, in hexadecimal."""
    chain: Chain
    log: tuple[Entry, ...] = field(repr=False)
    forgotten: bool = False
    """True if somebody's word was deleted at their wish: the seal cannot be checked."""

    def write(self, players: Sequence[str] = ()) -> str:
        """The file of a finished game; `players` are names by seat."""
        proof: dict[str, Json] = {
            "terms": json.loads(self.terms),
            "seal": self.seal,
            "secret": self.secret.hex(),
            "head": self.head,
            "chain": self.chain.version,
            "unversioned": self.chain.unversioned,
            "forgotten": self.forgotten,
        }
        return write_game_as_json(self.log, players, proof)

    @classmethod
    def from_plain(cls, plain: Any) -> Proof:
        """Reads the JSON of a file. Raises `ValueError` if it has no proof that this version can check."""
        try:
            log = tuple(Entry(**each) for each in plain["log"])
            head = _hash(plain["head"])
            return cls(
                terms=canonical({**plain["terms"]}),
                seal=_hash(plain["seal"]),
                secret=bytes.fromhex(plain["secret"]),
                head=head,
                chain=_chain_in(plain, log, head),
                log=log,
                forgotten=bool(plain["forgotten"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError("this is not the file of a finished game with an honest deck") from error

    def check(self) -> tuple[Finding, ...]:
        """The results of all checks, in the order of `Checked`."""
        terms = json.loads(self.terms)
        committed = str(terms.get("commitment"))
        is_committed = committed == commitment(str(terms.get("game")), self.secret)
        has_end = bool(self.log) and self.log[-1].kind == GameWon.__name__
        return (
            Finding(Checked.COMMITMENT, is_committed and len(self.secret) == SECRET_BYTES),
            Finding(
                Checked.TERMS,
                None if self.forgotten else seal_of(self.terms) == self.seal,
                "a word was deleted at its owner's wish" if self.forgotten else "",
            ),
            self._played_again(terms, committed),
            Finding(Checked.LOG, self.chain.head(self.log) == self.head),
            Finding(
                Checked.END,
                True if has_end else None,
                "" if has_end else "it was called off, or its log was cut short: the file does not say",
            ),
        )

    def _played_again(self, terms: dict[str, Any], committed: str) -> Finding:
        if not is_hash(self.seal):
            return Finding(Checked.CARDS, holds=False, detail="its seal")
        chance = FairChance(self.secret, DeckSealed(committed, self.seal))
        return played_again(self.log, chance, terms)


def _hash(value: object) -> str:
    """A seal or head of a file. Raises `ValueError` for anything but a hash."""
    if not isinstance(value, str) or not is_hash(value):
        raise ValueError("a seal or head has 32 bytes, in lower-case hexadecimal")
    return value


def _chain_in(plain: dict[str, Any], log: Sequence[Entry], head: str) -> Chain:
    """The chain of a file; early files do not say which.

    Raises `ValueError` for an unknown version, and for more events than a search for the chain has time for.
    """
    if len(log) > MOST_EVENTS:
        raise ValueError(f"a log has at most {MOST_EVENTS} events")
    if "chain" not in plain:
        return chain_of(log, head)
    chain = Chain(int(plain["chain"]), int(plain["unversioned"]))
    if chain.version not in FIRST_SCHEMES:
        raise ValueError(f"its chain has a version that is not known here, {chain.version}")
    return chain


def proof_of(terms: Terms, secret: bytes, log: Iterable[LoggedEvent]) -> Proof:
    """The proof of a game, from its log."""
    entries, chain = entries_of(log), Chain(2)
    return Proof(
        terms=terms.canonical,
        seal=terms.seal,
        secret=secret,
        chain=chain,
        head=chain.head(entries),
        log=entries,
    )
