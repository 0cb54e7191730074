"""The sentences that speak of a game's state, each with what must be so when it leaves the bot.

A message may be drawn a moment before it leaves, so a sentence is true if it was so at any time of the last
seconds. What it is held against is the log in the database.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from bot.model.table_record import OPEN, Status, TableRecord
from engine import Game
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.end_to_end.archive import Archive

_LATE = 4.0
"""Seconds for which a drawing may be under way: a request's first answer is due within three."""

_LATE_AMONG_FAILURES = 20.0
"""The same where requests fail: discord.py sends them again, as they were, for fifteen seconds."""

_COMPARED = 6.0
"""Seconds within which the bot has compared its memory with the database."""

_GAME = re.compile(r"crib:([a-z0-9]+):")


@dataclass(frozen=True, slots=True)
class Facts:
    """The state of a game at one version of its log."""

    scores: tuple[int, ...]
    waiting_for: frozenset[str]
    winner: str | None
    has_gone_back: bool = False
    """True if an older copy of the database has taken moves of the game away."""


Holds = Callable[[re.Match[str], Facts, TableRecord], bool]

_BOARD = re.compile(r"^(?P<side>\S.*?) {2,}(?P<points>\d+)$", re.MULTILINE)
_OWN_SCORES = re.compile(r"^-# \S+ You (?P<own>\d+) · (?P<rest>.*) of \d+", re.MULTILINE)
_TURN = re.compile(
    r"^\*\*(?P<who>[^*\n]+?)(?:'s turn| leads?|: choose [^*\n]*| cuts? the deck|: cut for the deal)\*\*$",
    re.MULTILINE,
)
_WON = re.compile(r"^## 🏆 (?P<who>.+?) wins? ", re.MULTILINE)
_LOST = re.compile(r"^-# The last moves were lost with my database", re.MULTILINE)
_CLOSED = re.compile(r"^## (?:Table closed|Game cancelled)", re.MULTILINE)


def _side(name: str, record: TableRecord) -> int | None:
    sides = defaultdict(list)
    for seat, each in enumerate(record.names):
        sides[int(record.agreement.rules.side_of(seat))].append(each)  # type: ignore[arg-type]
    return next((side for side, names in sides.items() if " & ".join(names) == name), None)


def _scored(match: re.Match[str], facts: Facts, record: TableRecord) -> bool:
    side = _side(match["side"], record)
    return side is None or facts.scores[side] == int(match["points"])


def _own_score(match: re.Match[str], facts: Facts, _: TableRecord) -> bool:
    told = sorted([int(match["own"]), *map(int, re.findall(r"(\d+)(?: ·|$)", match["rest"]))])
    return told == sorted(facts.scores)


def _turn(match: re.Match[str], facts: Facts, record: TableRecord) -> bool:
    who = frozenset(re.split(r", | and ", match["who"]))
    return not who <= set(record.names) or who == facts.waiting_for


def _won(match: re.Match[str], facts: Facts, record: TableRecord) -> bool:
    return match["who"] == facts.winner or match["who"] not in {*record.names, facts.winner}


SENTENCES: Mapping[str, tuple[re.Pattern[str], Holds]] = {
    "a score": (_BOARD, _scored),
    "the scores in a hand": (_OWN_SCORES, _own_score),
    "whose turn it is": (_TURN, _turn),
    "who has won": (_WON, _won),
    "lost moves": (_LOST, lambda _, facts, __: facts.has_gone_back),
    "closed": (_CLOSED, lambda _, __, record: record.status is Status.CANCELLED),
}
"""By what it speaks of: a sentence, and what must be so."""


class Truth:
    """An observer of a sandbox that holds each sentence about a game's state against the log."""

    def __init__(self, sandbox: Sandbox, archive: Archive, *, requests_fail: bool) -> None:
        self._late = _LATE_AMONG_FAILURES if requests_fail else _LATE
        self.checked: Counter[str] = Counter()
        """By kind: the number of sentences that were looked at."""
        self.lies: list[str] = []
        self.gone_back: set[str] = set()
        """Games that have lost moves, and have not said so yet."""
        self.concealed: set[str] = set()
        """Those of them whose table has shown scores or a turn since: a refused edit shows nothing."""
        self.unknowable: set[str] = set()
        """Games of whose loss the bot knows nothing: it started after it, and nobody has pressed since."""
        self._ever_gone_back: set[str] = set()
        self._archive = archive
        self._seen: dict[str, list[tuple[float, int]]] = defaultdict(list)
        """By game: when its log was first seen at which version."""
        self._facts: dict[str, list[Facts]] = defaultdict(list)
        self._games: dict[str, Game] = {}
        self._former: Mapping[str, tuple[Facts, ...]] = {}
        """By game: its last states before an older copy came, of which a sentence under way may speak."""
        self._former_until = 0.0
        sandbox.observers.append(self)

    def __call__(self, seen: Exchange | Frame) -> None:
        """Look at what the bot has said."""
        if not isinstance(seen, Exchange) or seen.status >= 300 or not isinstance(seen.body, dict):
            return
        now = asyncio.get_running_loop().time()
        for game, version in self._archive.versions().items():
            history = self._seen[game]
            if not history or history[-1][1] != version:
                history.append((now, version))
        told = json.dumps(seen.body)
        named = set(_GAME.findall(told))
        if len(named) != 1:
            return
        game = named.pop()
        for text in _texts(seen.body):
            self._check(game, text, now)

    def look(self, game: str, message: Message) -> None:
        """Look at what a message shows now, whenever it was sent."""
        for text in _texts({"content": message.content, "components": message.components}):
            self._check(game, text, asyncio.get_running_loop().time())

    def goes_back(self) -> Mapping[str, int]:
        """Note what is so before an older copy of the database takes its place; the versions of all logs."""
        now = asyncio.get_running_loop().time()
        versions = self._archive.versions()
        self._former = {game: tuple(self._recent(game, now)) for game in versions}
        self._former_until = now + _COMPARED + self._late
        return versions

    def went_back(self, before: Mapping[str, int]) -> None:
        """Forget what was known of each game: an older copy is in the database's place.

        `before` is what `goes_back` has returned.
        """
        self._facts.clear()
        self._games.clear()
        now, at = self._archive.versions(), asyncio.get_running_loop().time()
        lost = {game for game, version in before.items() if now[game] < version}
        self._ever_gone_back |= lost
        # A write that has just stood, after its answer was lost, may not be known to the bot.
        self.gone_back |= {game for game in lost if self._version_at(game, at - _COMPARED) > now[game]}
        for game, version in now.items():
            self._seen[game] = [(at - 2 * self._late, version)]

    def started(self) -> None:
        """Note that the bot has started, and knows no more than the copy does."""
        self.unknowable |= self.gone_back
        self.gone_back.clear()

    def _check(self, game: str, text: str, now: float) -> None:
        for kind, (pattern, holds) in SENTENCES.items():
            for match in pattern.finditer(text):
                record = self._archive.table(game)
                self.checked[kind] += 1
                if pattern is _LOST:
                    self.gone_back.discard(game)
                elif pattern in {_BOARD, _TURN} and game in self.gone_back and now > self._former_until:
                    self.concealed |= {game} if record.status in OPEN else set()
                if not any(holds(match, facts, record) for facts in self._recent(game, now)):
                    self.lies.append(f"{game} at {now:.1f}: {kind}: {match[0]!r}; {self._now(game)}")

    def _recent(self, game: str, now: float) -> Iterator[Facts]:
        """The states of the last seconds, the newest first."""
        if now < self._former_until:
            yield from self._former.get(game, ())
        self._catch_up(game)
        history = self._seen[game]
        if not history:
            return
        first = next(
            (old for (_, old), (at, _) in pairwise(history) if at > now - self._late), history[-1][1]
        )
        yield from reversed(self._facts[game][first : history[-1][1] + 1])

    def _version_at(self, game: str, moment: float) -> int:
        """The version of the log that was seen first before that moment."""
        return max((version for at, version in self._seen[game] if at < moment), default=0)

    def _now(self, game: str) -> Facts | str:
        return self._facts[game][-1] if self._facts[game] else "no events"

    def _catch_up(self, game: str) -> None:
        """Know the facts of every version up to the log's."""
        facts = self._facts[game]
        log = self._archive.log(game)
        record = self._archive.table(game)
        if not facts:
            facts.append(Facts((), frozenset(), None))
        for version in range(len(facts), len(log) + 1):
            played = self._games.get(game)
            if played is None:
                played = self._games[game] = Game.replay(log[:version])
            else:
                played.accept(log[version - 1 : version])
            table = played.table
            winner = None
            if table.result is not None:
                seats = table.rules.seats_of(table.result.winner)
                winner = " & ".join(record.names[seat] for seat in seats)
            waiting = frozenset(record.names[seat] for seat in table.waiting_for)
            facts.append(Facts(table.scores, waiting, winner, game in self._ever_gone_back))


def _texts(body: object) -> Iterator[str]:
    """Every text of a message's body."""
    match body:
        case {"content": str(text)}:
            yield text
        case list(parts):
            for part in parts:
                yield from _texts(part)
            return
        case _:
            pass
    if isinstance(body, dict):
        for value in body.values():
            if isinstance(value, dict | list):
                yield from _texts(value)
