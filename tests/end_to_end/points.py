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
from typing import TypeAlias

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


Point: TypeAlias = tuple[Kind, Moment, str]
"""One moment of one operation, which is told in words."""


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
    once_at: str = ""
    """If given, there is one kill, at the first point that has these words in it."""


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
        kind, moment, what = point
        if (kind, moment) not in plan.kinds or point in self.died_at or point in self._passed:
            return False
        if self._this_life <= plan.rest or (plan.once_at and (self.died_at or plan.once_at not in what)):
            return False
        self._new[kind, moment] += 1
        if (self._new[kind, moment] - 1) % plan.nth != plan.first:
            self._passed.add(point)
            return False
        self.died_at[point] = None
        return True

    def counted(self) -> dict[str, tuple[int, int]]:
        """A table in words: points reached and kills, by kind and moment."""
        reached = Counter((kind, moment) for kind, moment, _ in self.reached)
        died = Counter((kind, moment) for kind, moment, _ in self.died_at)
        return {
            f"{kind.value}, {moment.value}": (reached[kind, moment], died[kind, moment])
            for kind in Kind
            for moment in Moment
        }


def request_in_words(sandbox: Sandbox, request: web.Request, version: int) -> str:
    """Purpose of a request of the bot, and the game's version."""
    path = request.path.removeprefix(PREFIX)
    match path.strip("/").split("/"):
        case ["channels", channel, "messages"] if nonce := body(request).get("nonce"):
            there = sandbox.world.channel(channel)
            where = _named(there) if there is not None else "nowhere"
            return f"post {str(nonce).partition('.')[2]} {where}"
        case ["channels", channel, "messages", message]:
            return f"{request.method} {_message(sandbox, channel, message)} at {version}"
        case ["interactions", asked, _, "callback"]:
            return f"answer {_asked(sandbox.interactions.by_id[asked])} at {version}"
        case ["webhooks", _, token, *rest]:
            on = sandbox.interactions.by_token[token].original
            shown = _message(sandbox, on.channel.id, on.id) if on is not None else "nothing"
            how = _ID.sub("ID", "/".join(rest))
            return f"{request.method} {how} {shown} at {version}"
        case ["users", "@me", "channels"]:
            user = sandbox.world.users[str(body(request)["recipient_id"])]
            return f"open DM of {user.global_name}"
        case _:
            return f"{request.method} {_ID.sub('ID', path)}"


def write_in_words(told: str, version: int) -> str:
    """Content of a transaction, and the game's version."""
    return f"{told} at {version}" if _OF_A_GAME.search(told) else told


def _message(sandbox: Sandbox, channel_id: str, message_id: str) -> str:
    channel = sandbox.world.channel(channel_id)
    message = channel.messages.get(message_id) if channel is not None else None
    if channel is None or message is None:
        return "nothing"
    return f"{_named(channel)} {_place(channel, message)}"


def _asked(asked: Interaction) -> str:
    is_command = asked.type is InteractionType.COMMAND
    name = command_name(asked.data) if is_command else _GAME.sub("", asked.data["custom_id"])
    return f"{asked.user.global_name} {name}"


def _named(channel: Channel) -> str:
    return f"{channel.recipient.global_name}'s DM" if channel.recipient is not None else "channel"


def _place(channel: Channel, message: Message) -> str:
    if message.is_ephemeral:
        return "panel"
    standing = [each for each in channel.messages.values() if not each.is_ephemeral]
    return f"message {standing.index(message)}" if message in standing else "message gone"
