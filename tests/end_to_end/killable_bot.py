"""The real bot, in a process that asks before and after every commit whether it should be killed there.

The bot differs from the one in production in three things. The secrets of its decks come from a seed, and
Discord's ids are no part of them, so that every run of a game deals the same cards. The first game always has
the same id, from which the computer's chances come. And every commit is announced on the socket `CONFESSOR`,
with the number of events at that time, and waits for an answer, which a bot that is to be killed does not
get.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import signal
import socket
import sqlite3
from collections.abc import Sequence
from functools import partial
from random import Random, SystemRandom
from typing import Any

import bot.app
from bot.tables import game_ids
from engine.fair import MOST_SEATS, Secrets

_CHANGES = re.compile(r"(INSERT INTO|UPDATE|DELETE FROM|CREATE \w+|PRAGMA|DROP \w+|ALTER TABLE) (\w+)")


def alter() -> None:
    """Let the bot of this process ask."""
    sqlite3.connect = _mortal  # type: ignore[assignment]
    secret = hashlib.sha256(os.environ["SEED"].encode()).digest()

    def new_secrets(random: Random) -> Secrets:
        return Secrets(secret=secret, salts=(secret,) * MOST_SEATS)

    def new_id(random: Random) -> str:
        return next(ids)

    ids = itertools.chain(["sweep"], iter(partial(game_ids.new_id, SystemRandom()), ""))
    bot.app.new_secrets, game_ids.new_id = new_secrets, new_id  # type: ignore[attr-defined]


class Mortal(sqlite3.Connection):
    """A connection that tells of its commits, before and after."""

    _writes: list[str] | None = None
    _confessor: socket.socket | None = None

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if sql == "BEGIN IMMEDIATE":
            self._writes = []
        elif sql in {"BEGIN", "ROLLBACK"}:
            self._writes = None
        elif sql == "COMMIT" and self._writes:
            told = " + ".join(dict.fromkeys(self._writes))
            [events] = super().execute("SELECT count(*) FROM events").fetchone()
            self._confess(f"before {events} {told}")
            done = super().execute(sql)
            self._confess(f"after {events} {told}")
            self._writes = None
            return done
        self._note(sql, parameters)
        return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
        rows = list(parameters)
        self._note(sql, rows[0] if rows else ())
        return super().executemany(sql, rows)

    def close(self) -> None:
        if self._confessor is not None:
            self._confessor.close()
        super().close()

    def _note(self, sql: str, parameters: Any) -> None:
        if self._writes is not None and (change := _CHANGES.search(sql)):
            self._writes.append(_described(f"{change[1]} {change[2]}", sql, tuple(parameters)))

    def _confess(self, what: str) -> None:
        if self._confessor is None:
            port = int(os.environ["CONFESSOR"])
            self._confessor = socket.create_connection(("127.0.0.1", port))
        self._confessor.sendall(f"{what}\n".encode())
        if not self._confessor.recv(1):
            os.kill(os.getpid(), signal.SIGKILL)  # the test process is gone


def _described(change: str, sql: str, parameters: Sequence[Any]) -> str:
    """Description of a write, without parts that differ between games, such as ids."""
    match change:
        case "INSERT INTO posts":
            _, kind, deal, seat, _, _, drawn = parameters
            shows = drawn.split(" ")[0] if drawn in {"", "settled"} or " " in drawn else "drawn"
            return f"{change} {kind} {deal} {seat} {shows or 'blank'}"
        case "DELETE FROM posts" if len(parameters) == 4:
            return " ".join(map(str, (change, *parameters[1:])))
        case "UPDATE games" if "told" in sql and parameters:
            return f"{change} told {parameters[0]}"
        case "UPDATE games" if "thread" in sql:
            return f"{change} thread"
    return change


def _mortal(*args: Any, **options: Any) -> sqlite3.Connection:
    return Mortal(*args, **options)
