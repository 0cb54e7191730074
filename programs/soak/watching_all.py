"""The watcher of cards and secrets (`end_to_end.watching`) for several games at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.table_record import TableRecord
from engine import Card
from engine.secret_events import LoggedEvent
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.end_to_end.archive import Archive
from tests.end_to_end.watching import Said, Watch, cards_in, known_from, tells_secret

_GAME = re.compile(r"crib:([a-z0-9]+):")
_NOT_ABOUT_A_GAME = {8, 9}
"""The callback types of autocomplete choices and modals, which only their user sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidThen(Said):
    """The same, with how far each log had come."""

    versions: dict[str, int] = field(repr=False)


class WatchAll(Watch):
    """An observer of a sandbox in which each game has its own thread."""

    def __init__(self, sandbox: Sandbox, archive: Archive) -> None:
        super().__init__(sandbox, archive)
        self._secrets_told: list[str] = []

    def __call__(self, seen: Exchange | Frame) -> None:
        """Keep what is said, with how far each log has come."""
        if not isinstance(seen, Exchange) or seen.body is None or seen.path.startswith("/applications"):
            return
        versions, kept = self._archive.progress()
        said = SaidThen(
            exchange=seen, reader=self.reader_of(seen), version=sum(versions.values()), versions=versions
        )
        if cards_in(said.text):
            self.said.append(said)
        self._secrets_told += [
            f"the secret of the deck of {game}, which has not ended: {said.text}"
            for game, secret in kept.items()
            if tells_secret(said.text, secret)
        ]

    def leaks(self, log_lines: Sequence[str]) -> list[str]:
        """Every leaked card and secret, in words."""
        tables = self._archive.tables()
        logs = {table.game: self._archive.log(table.game) for table in tables}
        messages = {post.message: table.game for table in tables for post in self._archive.posts(table.game)}
        found = []
        for said in self.said:
            assert isinstance(said, SaidThen)
            about = self._about(said, tables, messages)
            known: set[Card] = set()
            for table in about:
                known |= _known_at(table, logs[table.game], said)
            if leaked := cards_in(said.text) - known:
                games = [table.game for table in about]
                found.append(f"{leaked} to {said.reader or 'everybody'}, of {games}: {said.text}")
        secrets = [secret for table in tables if (secret := self._archive.secret(table.game))]
        return (
            found
            + self._secrets_told
            + [
                f"in the log: {line}"
                for line in log_lines
                if cards_in(line) or any(tells_secret(line, secret) for secret in secrets)
            ]
        )

    def close(self) -> None:
        """Observe nothing more."""
        if self in self._sandbox.observers:
            self._sandbox.observers.remove(self)

    def _about(
        self, said: SaidThen, tables: Sequence[TableRecord], messages: dict[int, str]
    ) -> list[TableRecord]:
        """The games a request may be about: by its custom_ids, its thread, or its message."""
        named = set(_GAME.findall(said.text))
        path = said.exchange.path.split("/")
        channel = path[2] if path[1] == "channels" else None
        answered = (said.exchange.answer or {}).get("id") if isinstance(said.exchange.answer, dict) else None
        message = next((int(each) for each in (path[-1], answered) if each and str(each).isdigit()), None)
        by_place = [
            table
            for table in tables
            if table.game in named
            or (said.reader is None and channel == str(table.channel))
            or messages.get(message or 0) == table.game
        ]
        if by_place:
            return by_place
        return [table for table in tables if said.reader and table.seat_of(int(said.reader)) is not None]

    def reader_of(self, seen: Exchange) -> str | None:
        """See `Watch.reader_of`: also of what is about no game, and of what is deferred."""
        parts = seen.path.strip("/").split("/")
        interactions = self._sandbox.interactions
        if parts[0] == "interactions" and seen.body["type"] in _NOT_ABOUT_A_GAME:
            return interactions.by_id[parts[1]].user.id
        if parts[-1] == "@original" and interactions.by_token[parts[2]].original is None:
            asked = interactions.by_token[parts[2]]
            is_private = asked.message is None or asked.message.is_ephemeral or asked.channel.is_dm
            return asked.user.id if is_private else None
        return super().reader_of(seen)


def _known_at(table: TableRecord, log: Sequence[LoggedEvent], said: SaidThen) -> set[Card]:
    seat = table.seat_of(int(said.reader)) if said.reader else None
    return known_from(log[: said.versions.get(table.game, 0)], said, seat)
