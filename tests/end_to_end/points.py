"""The points at which the bot can be killed, found while it runs.

A point is an operation that the bot is about to do or has just done, in words that are the same in every game
with the same cards: "post ta.2.-1.0, after" or "INSERT INTO events at 41, before". Things with a random id,
such as messages, are named by their key.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import Enum

from aiohttp import web

from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction, InteractionType, command_name
from sandbox.rest.context import body
from sandbox.rest.middlewares import PREFIX
from sandbox.server import Sandbox

_GAME = re.compile(r"crib:[a-z0-9]+:")
_ID = re.compile(r"\d{15,}")
_OF_A_GAME = re.compile(r"games|events|seats|posts|people")


class Moment(Enum):
    """Time of the kill: before or after the operation."""

    BEFORE = "before"
    """Before Discord carries out the request; before the commit."""
    AFTER = "after"
    """After Discord carried it out, before the response arrives; after the commit."""


class Kind(Enum):
    """The kind of operation at a point."""

    REQUEST = "request"
    WRITE = "durable write"


@dataclass(frozen=True, slots=True)
class Point:
    """A point: one moment of one operation."""

    kind: Kind
    moment: Moment
    what: str

    def __str__(self) -> str:
        return f"{self.kind.value} {self.what!r}, {self.moment.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The points at which the bot is killed."""

    kinds: frozenset[tuple[Kind, Moment]] = frozenset((kind, moment) for kind in Kind for moment in Moment)
    nth: int = 1
    """Of each kind and moment every nth new point is used to kill the bot; the others are skipped."""
    first: int = 0
    """Index, below `nth`, of the first new point that is used."""
    rest: int = 0
    """The number of points that each process passes before it can be killed."""


class Points:
    """All points that were reached, and those at which the bot was killed, in one or several games."""

    def __init__(self) -> None:
        self.reached: dict[Point, None] = {}
        """In the order in which they were first reached."""
        self.died_at: dict[Point, None] = {}
        """In the order in which the bot was killed there."""
        self._passed: set[Point] = set()
        self._new: Counter[tuple[Kind, Moment]] = Counter()
        self._this_life = 0

    def a_life_begins(self) -> None:
        """Note that the bot was restarted."""
        self._this_life = 0

    def dies_at(self, point: Point, plan: Plan) -> bool:
        """Note that the bot reached a point; returns whether to kill it there, at most once for each."""
        self.reached.setdefault(point)
        self._this_life += 1
        if (point.kind, point.moment) not in plan.kinds or point in self.died_at or point in self._passed:
            return False
        if self._this_life <= plan.rest:
            return False
        self._new[point.kind, point.moment] += 1
        if (self._new[point.kind, point.moment] - 1) % plan.nth != plan.first:
            self._passed.add(point)
            return False
        self.died_at[point] = None
        return True

    def counted(self) -> dict[str, tuple[int, int]]:
        """A table in words: points reached and kills, by kind and moment."""
        reached = Counter((each.kind, each.moment) for each in self.reached)
        died = Counter((each.kind, each.moment) for each in self.died_at)
        return {
            f"{kind.value}, {moment.value}": (reached[kind, moment], died[kind, moment])
            for kind in Kind
            for moment in Moment
        }


class Once(Points):
    """One kill, at the first point that has these words in it."""

    def __init__(self, kind: Kind, moment: Moment, words: str) -> None:
        super().__init__()
        self._kind, self._moment, self._words = kind, moment, words

    def dies_at(self, point: Point, plan: Plan) -> bool:
        """Only there."""
        is_there = (point.kind, point.moment) == (self._kind, self._moment)
        if self.died_at or not is_there or self._words not in point.what:
            return False
        self.died_at[point] = None
        return True


class Words:
    """Puts the bot's requests and transactions into words, for one sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.version = 0
        """Number of events in the log."""
        self._sandbox = sandbox

    def of_request(self, request: web.Request) -> str:
        """Purpose of a request, and the game's version."""
        path = request.path.removeprefix(PREFIX)
        match path.strip("/").split("/"):
            case ["channels", channel, "messages"] if nonce := body(request).get("nonce"):
                return f"post {str(nonce).partition('.')[2]} {self._channel(channel)}"
            case ["channels", channel, "messages", message]:
                return f"{request.method} {self._message(channel, message)} at {self.version}"
            case ["interactions", asked, _, "callback"]:
                return f"answer {self._asked(self._sandbox.interactions.by_id[asked])} at {self.version}"
            case ["webhooks", _, token, *rest]:
                asked_by = self._sandbox.interactions.by_token[token]
                on = asked_by.original
                shown = self._message(on.channel.id, on.id) if on is not None else "nothing"
                how = _ID.sub("ID", "/".join(rest))
                return f"{request.method} {how} {shown} at {self.version}"
            case ["users", "@me", "channels"]:
                user = self._sandbox.world.users[str(body(request)["recipient_id"])]
                return f"open DM of {user.global_name}"
            case _:
                return f"{request.method} {_ID.sub('ID', path)}"

    def of_write(self, told: str) -> str:
        """Content of a transaction, and the game's version."""
        return f"{told} at {self.version}" if _OF_A_GAME.search(told) else told

    def _channel(self, channel_id: str) -> str:
        channel = self._sandbox.world.channel(channel_id)
        return _named(channel) if channel is not None else "nowhere"

    def _message(self, channel_id: str, message_id: str) -> str:
        channel = self._sandbox.world.channel(channel_id)
        message = channel.messages.get(message_id) if channel is not None else None
        if channel is None or message is None:
            return "nothing"
        return f"{_named(channel)} {_place(channel, message)}"

    def _asked(self, asked: Interaction) -> str:
        name = (
            command_name(asked.data)
            if asked.type is InteractionType.COMMAND
            else _GAME.sub("", asked.data["custom_id"])
        )
        return f"{asked.user.global_name} {name}"


def _named(channel: Channel) -> str:
    return f"{channel.recipient.global_name}'s DM" if channel.recipient is not None else "channel"


def _place(channel: Channel, message: Message) -> str:
    if message.is_ephemeral:
        return "panel"
    standing = [each for each in channel.messages.values() if not each.is_ephemeral]
    return f"message {standing.index(message)}" if message in standing else "message gone"
