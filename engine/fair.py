"""The honest deck: every card of a game follows from a secret, and from parts that nobody chose knowing it.

    1. Before anybody can add anything, the bot draws a secret of 32 random bytes, and shows its commitment
       to all: SHA-256("ft1" | game | secret).
    2. Then come the parts: the id that Discord gives the message with the commitment, and people's own words.
    3. When the game begins its terms are sealed: SHA-256 of their canonical JSON. The seal is in the log
       before any card.
    4. Block i of a label is HMAC-SHA256(secret, seal | length of the label | label | i), both numbers as 32
       bits, big-endian. Its eight big-endian 32-bit numbers, and then those of the next block, are draws
       below m: a number of floor(2^32 / m) * m or more is skipped, any other gives its remainder.
    5. A pack is shuffled by swapping card i, from the last to the second, with card draw(i + 1). The labels
       are those of `engine.chance`.
    6. When the game is over the bot publishes the secret, and with it the log's head: the last link of a
       chain that starts with 32 zero bytes, and in which each event makes
       SHA-256(link | canonical JSON of [kind, body, codec]). Chains of version 1 lack the codec (`Chain`).

Canonical JSON has its keys sorted, no spaces, and only ASCII, as Python's `json` writes it.

    python -m engine.fair FILE

checks the file of a finished game, with its result as exit status. It plays the whole game again, so it finds
a point pegged too much as well as a card dealt wrongly. `docs/fair.md` has a check that shares no code with
this one. Nothing proves that nobody read the secret during the game, nor that an owner who plays did not
choose the last part: a word of one's own, which the owner cannot know before, rules out the latter.

It is not exported by the package. It has secrets, so no drawing code imports it.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from engine.cards import Cards
from engine.chance import Chance
from engine.codec import Entry, Json, decode, decode_rules, entries_of, kind_of
from engine.errors import EngineError, LogError
from engine.events import (
    CameBack,
    CardPlayed,
    CountLetStand,
    CountStood,
    CutForDeal,
    DealBegan,
    DeckSealed,
    GameClaimed,
    GoSaid,
    HandCounted,
    HeelsClaimed,
    HeelsForfeited,
    MugginsCalled,
    Resigned,
    StarterCut,
    StoodIn,
)
from engine.game import Game
from engine.moves import (
    CallMuggins,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    OwnMove,
    PlayCard,
    PreArranged,
    Resign,
    SayGo,
    StandIn,
)
from engine.notation import write_game_as_json
from engine.seats import Seat
from engine.secret_events import Discarded, LoggedEvent

SCHEME = "ft1"
"""The name of the scheme by which cards follow from a secret."""

SECRET_BYTES = 32

LONGEST_WORD = 32
"""Limit (characters) of a person's own word."""

CHAIN_BEGINS = bytes(32)

CHAIN_VERSIONS = (1, 2)

_NUMBERS = struct.Struct(">8I")
_BELOW = 1 << 32

_T = TypeVar("_T")


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


def seal_of(terms: str) -> str:
    """The seal of terms in their canonical form."""
    return hashlib.sha256(terms.encode()).hexdigest()


def canonical(value: object) -> str:
    """Canonical JSON: one text for each value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


class FairChance(Chance):
    """Shuffles and picks that follow from a secret and from the terms that were sealed."""

    def __init__(self, game: str, secret: bytes, seal: str) -> None:
        """`seal` is in hexadecimal."""
        self._secret = secret
        self._seal = bytes.fromhex(seal)
        self.sealed = DeckSealed(commitment(game, secret), seal)

    def shuffled(self, pack: Cards, label: str) -> Cards:
        """The cards in the order that follows from the label, from the top."""
        cards, numbers = list(pack), self._numbers(label)
        for last in range(len(cards) - 1, 0, -1):
            other = _draw(last + 1, numbers)
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)

    def pick(self, choices: Sequence[_T], label: str) -> _T:
        """The choice that follows from the label."""
        return choices[_draw(len(choices), self._numbers(label))]

    def _numbers(self, label: str) -> Iterator[int]:
        name = label.encode("ascii")
        begins = self._seal + len(name).to_bytes(4, "big") + name
        block = 0
        while True:
            digest = hmac.digest(self._secret, begins + block.to_bytes(4, "big"), "sha256")
            yield from _NUMBERS.unpack(digest)
            block += 1


def _draw(below: int, numbers: Iterator[int]) -> int:
    """A draw from 0 to under `below`, each as likely."""
    limit = _BELOW // below * below
    return next(number for number in numbers if number < limit) % below


@dataclass(frozen=True, slots=True)
class Chain:
    """How the events of a log make the links of its chain."""

    version: int = 2
    """Links of version 1 have [kind, body], those of version 2 [kind, body, codec]. A chain keeps its own."""
    unversioned: int = 0
    """The number of first links that have version 1 even so: the game was in play at an upgrade."""

    def lengthened(self, link: bytes, entries: Iterable[Entry], at: int) -> bytes:
        """The chain's head after these events, the first of which is number `at` of the log, from 0."""
        for number, entry in enumerate(entries, at):
            link = _link(link, entry, 1 if number < self.unversioned else self.version)
        return link

    def head(self, log: Iterable[Entry]) -> str:
        """The head of the whole log's chain, in hexadecimal."""
        return self.lengthened(CHAIN_BEGINS, log, 0).hex()


def chain_of(log: Sequence[Entry], head: str) -> Chain:
    """The chain by which the log leads to that head; one of the newest version if none does.

    For logs of bots that did not store the version. An upgrade in mid-game went from version 1 to 2.
    """
    first = CHAIN_BEGINS
    for unversioned, entry in enumerate(log):
        chain = Chain(unversioned=unversioned)
        if chain.lengthened(first, log[unversioned:], unversioned).hex() == head:
            return chain
        first = _link(first, entry, 1)
    return Chain(version=1) if first.hex() == head else Chain()


def _link(link: bytes, entry: Entry, version: int) -> bytes:
    """The link of one event after `link`."""
    parts = [entry.kind, entry.body] if version == 1 else [entry.kind, entry.body, entry.codec]
    return hashlib.sha256(link + canonical(parts).encode()).digest()


class Checked(Enum):
    """The checks of a game, in the order in which their subjects were fixed."""

    COMMITMENT = "The secret is the one that the game's first message committed to."
    TERMS = "The terms are the ones that were sealed before any card."
    CARDS = "Cards, cuts and points are those that follow from the secret, the terms and the moves."
    LOG = "The log's head is the one that its events lead to."


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: Checked
    holds: bool
    detail: str = ""
    """The place at which it fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The facts by which anybody can check a finished game's fairness."""

    terms: str
    """Canonical JSON; without the words of people whose data were deleted."""
    seal: str
    secret: bytes = field(repr=False)
    head: str
    """The last link of the log's chain, in hexadecimal."""
    chain: Chain = Chain()
    log: tuple[Entry, ...] = field(repr=False)
    forgotten: bool = False
    """True if somebody's word was deleted at their wish."""

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
            head = str(plain["head"])
            return cls(
                terms=canonical({**plain["terms"]}),
                seal=str(plain["seal"]),
                secret=bytes.fromhex(plain["secret"]),
                head=head,
                chain=_chain_in(plain, log, head),
                log=log,
                forgotten=bool(plain["forgotten"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("this is not the file of a finished game with an honest deck") from error

    def check(self) -> tuple[Finding, ...]:
        """The results of all checks, in the order of `Checked`."""
        terms = json.loads(self.terms)
        return (
            Finding(
                Checked.COMMITMENT,
                commitment(str(terms.get("game")), self.secret) == terms.get("commitment"),
            ),
            *(() if self.forgotten else [Finding(Checked.TERMS, seal_of(self.terms) == self.seal)]),
            _played_again(self, terms),
            Finding(Checked.LOG, self.chain.head(self.log) == self.head),
        )


def _chain_in(plain: dict[str, Any], log: Sequence[Entry], head: str) -> Chain:
    """The chain of a file; early files do not say which. Raises `ValueError` for an unknown version."""
    if "chain" not in plain:
        return chain_of(log, head)
    chain = Chain(int(plain["chain"]), int(plain["unversioned"]))
    if chain.version not in CHAIN_VERSIONS:
        raise ValueError(f"its chain has a version that is not known here, {chain.version}")
    return chain


def _played_again(proof: Proof, terms: dict[str, Any]) -> Finding:
    """Plays the game again, move by move, with the cards that follow from secret and seal."""
    same = 0
    try:
        log = tuple(decode(each.kind, each.body, each.codec) for each in proof.log)
        chance = FairChance(str(terms["game"]), proof.secret, proof.seal)
        rules, dealer = decode_rules(terms["rules"], proof.log[0].codec), terms["dealer"]
        game = Game.new(rules, chance=chance, dealer=None if dealer is None else Seat(dealer))
        same = _alike(game.log, log)
        while same == game.version < len(log):
            events = game.apply(_move(log[same : same + _MOST_AT_ONCE]))
            same += _alike(events, log[same:])
    except (EngineError, AttributeError, LookupError, TypeError, ValueError) as error:
        return Finding(Checked.CARDS, False, f"event {same} ({type(error).__name__})")  # noqa: FBT003 -- as its field
    return Finding(Checked.CARDS, same == game.version == len(log), f"event {same}")


def _alike(ours: Sequence[LoggedEvent], theirs: Sequence[LoggedEvent]) -> int:
    """The number of equal events from the first on."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((place for place, (our, their) in pairs if our != their), min(len(ours), len(theirs)))


_MOST_AT_ONCE = 5
"""Events searched for the one that shows the move: a return or a settled count may come before it."""


def _move(log: Sequence[LoggedEvent]) -> Move:
    """The move that wrote the first of these events. Raises `LogError` if none did.

    A cut by chance may have been arranged beforehand: only then does it leave an absent player absent.
    """
    match log[0]:
        case StoodIn():
            return StandIn(_own_move(log[1:]))
        case CutForDeal(by_chance=True) | StarterCut(by_chance=True):
            return PreArranged(_own_move(log))
        case _:
            return _own_move(log)


def _own_move(log: Sequence[LoggedEvent]) -> OwnMove:  # noqa: C901, PLR0912 -- one case a move
    match log[0]:
        case CameBack() | CountStood() | HeelsForfeited():
            return _own_move(log[1:])  # the next event shows the move
        case CutForDeal(seat, _, place, by_chance):
            return CutForFirstDeal(seat, None if by_chance else place)
        case DealBegan(dealer):
            return Deal(dealer)
        case Discarded(seat, given):
            return Discard(seat, given)
        case StarterCut(seat, _, place, by_chance):
            return CutStarter(seat, None if by_chance else place)
        case HeelsClaimed(seat):
            return ClaimHeels(seat)
        case CardPlayed(seat, played, called):
            return PlayCard(seat, played, called)
        case GoSaid(seat):
            return SayGo(seat)
        case HandCounted(seat=seat, called=int(called)):
            return CountAloud(seat, called)
        case MugginsCalled(seat, called):
            return CallMuggins(seat, called)
        case CountLetStand(seat):
            return LetStand(seat)
        case Resigned(seat):
            return Resign(seat)
        case GameClaimed(seat):
            return ClaimGame(seat)
        case event:
            raise LogError(f"no move begins with a {kind_of(event)}")


def proof_of(terms: Terms, secret: bytes, log: Iterable[LoggedEvent]) -> Proof:
    """The proof of a game, from its log."""
    entries = entries_of(log)
    return Proof(
        terms=terms.canonical,
        seal=terms.seal,
        secret=secret,
        head=Chain().head(entries),
        log=entries,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks the file of a finished game: 0 if all holds, 1 if not, 2 for an unreadable file."""
    parser = argparse.ArgumentParser(prog="python -m engine.fair", description="Check a game's honest deck.")
    parser.add_argument("file", help="the file of a finished game")
    try:
        with open(parser.parse_args(arguments).file, encoding="utf-8") as file:
            proof = Proof.from_plain(json.load(file))
    except (OSError, ValueError) as error:
        print(f"It cannot be read: {error}", file=sys.stderr)
        return 2
    findings = proof.check()
    for finding in findings:
        print(f"{'holds' if finding.holds else 'WRONG'}  {finding.what.value}")
        if not finding.holds and finding.detail:
            print(f"       It goes wrong at {finding.detail}.")
    if proof.forgotten:
        print("-      Somebody's word was deleted at their wish: what was sealed cannot be checked.")
    print(f"The head, which begins as on the game's result: {proof.head}")
    return 0 if all(finding.holds for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
