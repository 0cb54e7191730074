"""Databases of this bot and earlier ones: for each schema, one that such a bot has played.

`tests/data/databases/sqlite-0045.sqlite3.zst` was written by a bot whose newest migration was 0045. It was
stopped with tables in every state. PostgreSQL databases are SQL. The JSON beside each has what that bot's own
code made of each game, and the messages that stood in Discord, with their custom_ids. Those of released
schemas never change.
`python -m tests.make_played_database` writes that of the newest schema.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Self

import zstandard

from sandbox.model.channels import Channel, ChannelType, Message, MessageFlag
from sandbox.model.components import ComponentType
from sandbox.model.json_types import JSON
from sandbox.model.snowflakes import Clock
from sandbox.model.world import World

FOLDER = Path(__file__).parent / "data" / "databases"

FOUNDED = 1_763_164_800.0
"""Time (s since 1970) at which their worlds were founded; the ids of people and channels follow from it."""

_TIMES = (
    *(("games", "created_at"), ("games", "updated_at"), ("events", "at")),
    *(("clubs", "due"), ("clubs", "again")),
)
"""Columns with times by which the bot ends turns, tables and rounds, or opens events (s since 1970), or 0."""

_USUAL_FLAGS = int(MessageFlag.IS_COMPONENTS_V2)

_A_ROW = 5
"""Buttons that Discord shows in a row."""


class FoundingClock(Clock):
    """Stands still while a world is founded, whose people and channels get the same ids each time."""

    def __init__(self) -> None:
        super().__init__()
        self.is_founding = True

    def now(self) -> float:
        """The sandbox's time, in seconds since 1970."""
        return FOUNDED if self.is_founding else super().now()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game when its bot was stopped, as that bot's own code read its log."""

    status: str
    seats: Sequence[str]
    events: int
    scores: Sequence[int] | None = None
    """By side; `None` for a game that has not begun."""
    stage: str | None = None
    winner: int | None = None
    """The side that has won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMessage:
    """A message of the bot's, as far as a press needs it."""

    id: str
    channel: str
    flags: int = _USUAL_FLAGS
    only_for: str | None = None
    """The id of the one person who saw it."""
    buttons: Sequence[str] = ()
    """The custom_ids of those that could be pressed."""
    selects: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The values on offer, by custom_id."""

    @classmethod
    def of(cls, message: Message) -> Self:
        """A message of the sandbox's."""
        return cls(
            id=message.id,
            channel=message.channel.id,
            flags=int(message.flags & ~MessageFlag.HAS_THREAD),
            only_for=message.only_for,
            buttons=[each["custom_id"] for each in message.buttons if _can_be_used(each)],
            selects={
                each["custom_id"]: [option["value"] for option in each.get("options", ())]
                for each in message.selects
                if _can_be_used(each)
            },
        )

    def restored(self, world: World) -> Message:
        """The message in a sandbox: its buttons are labelled with their custom_ids."""
        ids = count(1)
        buttons = [
            {"type": ComponentType.BUTTON, "id": next(ids), "style": 2, "label": each, "custom_id": each}
            for each in self.buttons
        ]
        rows: list[list[JSON]] = [buttons[at : at + _A_ROW] for at in range(0, len(buttons), _A_ROW)]
        for custom_id, values in self.selects.items():
            options = [{"label": each, "value": each} for each in values]
            kind = ComponentType.STRING_SELECT
            select: JSON = {"type": kind, "id": next(ids), "custom_id": custom_id, "options": options}
            rows.append([select | {"min_values": 1, "max_values": len(options)}])
        channel = world.channel(self.channel)
        assert channel is not None
        return Message(
            self.id,
            channel,
            world.bot,
            components=[
                {"type": ComponentType.ACTION_ROW, "id": next(ids), "components": row} for row in rows
            ],
            flags=MessageFlag(self.flags),
            application_id=None if self.only_for is None else world.bot.id,
            only_for=self.only_for,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDatabase:
    """One of them, with what is known of it."""

    stem: str
    driver: str
    schema: int
    """The number of its newest migration."""
    commit: str
    """Of the bot that has played it."""
    at: int
    """Time (s since 1970) of its last event."""
    people: Mapping[str, str]
    """Their ids, by name."""
    games: Mapping[str, PlayedGame]
    channels: Mapping[str, JSON]
    messages: Sequence[PlayedMessage]

    @classmethod
    def read(cls, stem: str) -> Self:
        """The one of that name, such as `sqlite-0045`."""
        facts: dict[str, Any] = json.loads((FOLDER / f"{stem}.json").read_text(encoding="utf-8"))
        facts["games"] = {game: PlayedGame(**each) for game, each in facts["games"].items()}
        facts["messages"] = [PlayedMessage(**each) for each in facts["messages"]]
        return cls(stem=stem, **facts)

    def write(self, content: bytes) -> None:
        """Write it down, with the database itself: a line for each fact, so that a person can read it."""
        self._database.write_bytes(zstandard.ZstdCompressor(level=22).compress(content))
        facts = {name: each for name, each in asdict(self).items() if name != "stem" and each not in ("", {})}
        lines = (f"{_line(name)}: {_facts(each)}" for name, each in facts.items())
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (FOLDER / f"{self.stem}.json").write_text(text, encoding="utf-8")

    @property
    def content(self) -> bytes:
        """The bytes of the SQLite file, or of the SQL that fills an empty PostgreSQL database."""
        return zstandard.ZstdDecompressor().decompress(self._database.read_bytes())

    @property
    def _database(self) -> Path:
        return FOLDER / f"{self.stem}.{'sqlite3' if self.driver == 'sqlite' else 'sql'}.zst"

    def unpacked(self, path: Path) -> Path:
        """Write the SQLite file there."""
        path.write_bytes(self.content)
        path.chmod(0o600)
        return path

    def unpacked_as_of_now(self, path: Path) -> Path:
        """The same, as if it had been played a minute ago: clocks of tables go on while no bot runs.

        The bot sends its commands again, which a restored world lacks, and does not take the file for a copy.
        """
        ahead = int(time.time()) - 60 - self.at
        with closing(sqlite3.connect(self.unpacked(path))) as connection, connection:
            for table, column in _TIMES:
                connection.execute(f"UPDATE {table} SET {column} = {column} + ? WHERE {column} > 0", (ahead,))
            for table in ("commands", "identity"):
                connection.execute(f"DELETE FROM {table}")
        return path

    def custom_ids(self) -> Iterator[str]:
        """Those of all messages."""
        for each in self.messages:
            yield from each.buttons
            yield from each.selects

    def restore(self, world: World) -> None:
        """Let its channels and messages stand in a world that was founded by a `FoundingClock`."""
        assert {user.global_name: user.id for user in world.people} == self.people
        for id_, each in self.channels.items():
            if "recipient" in each:
                recipient = world.users[each["recipient"]]
                world.restore_dm(Channel(id_, ChannelType.DM, recipient=recipient))
                continue
            parent = None if "parent" not in each else world.channel(each["parent"])
            channel = Channel(
                id_,
                ChannelType(each["type"]),
                each["name"],
                guild_id=world.guild.id,
                parent=parent,
                owner_id=each.get("owner"),
                members={world.bot.id},
                active_at=world.clock.now(),
            )
            world.guild.channels[id_] = channel
        for message in self.messages:
            restored = message.restored(world)
            restored.channel.messages[restored.id] = restored


def described(world: World) -> tuple[dict[str, JSON], list[PlayedMessage]]:
    """The channels in which the bot's messages stand, and those that can be used or that everybody sees."""
    channels: dict[str, JSON] = {}
    messages: list[PlayedMessage] = []
    for channel in [*world.guild.channels.values(), *world.dms.values()]:
        found = [PlayedMessage.of(each) for each in channel.messages.values() if each.author is world.bot]
        found = [each for each in found if each.buttons or each.selects or each.only_for is None]
        if found:
            channels |= {each.id: _described(each) for each in (channel.parent, channel) if each is not None}
            messages += found
    return channels, messages


def stems(driver: str) -> list[str]:
    """The names of those of a driver, oldest schema first."""
    return sorted(each.stem for each in FOLDER.glob(f"{driver}-*.json"))


def _described(channel: Channel) -> JSON:
    facts: JSON = {"type": int(channel.type)}
    if channel.recipient is not None:
        return facts | {"recipient": channel.recipient.id}
    if channel.parent is not None:
        facts |= {"parent": channel.parent.id, "owner": channel.owner_id}
    return facts | {"name": channel.name}


def _can_be_used(component: JSON) -> bool:
    return "custom_id" in component and not component.get("disabled")


def _facts(value: object) -> str:
    """The value as JSON, with a line for each entry of what holds further facts."""
    entries: Iterable[str] = ()
    if isinstance(value, dict) and any(isinstance(each, dict) for each in value.values()):
        entries = (f"{_line(key)}: {_line(each)}" for key, each in value.items())
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        entries = map(_line, value)
    else:
        return _line(value)
    opening, closing_ = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n  " + ",\n  ".join(entries) + f"\n{closing_}"


def _line(value: object) -> str:
    if isinstance(value, dict):
        value = {key: each for key, each in value.items() if each not in (None, [], {}, _USUAL_FLAGS)}
    return json.dumps(value, ensure_ascii=False)
