"""Answers to messages in the bot's DM, and their cooldown."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.concurrency.keyed_tasks import Key, KeyedTasks, Work
from bot.store import Store
from bot.sync.greeting import Greeting
from tests.bot.stand_in import stand_in
from tests.bot.sync.fake_sync import fake_sync


class Woken(KeyedTasks):
    """Tasks that are recorded and never run."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[Key] = []

    def wake(self, key: Key, work: Work) -> None:
        """Record the key."""
        self.keys.append(key)


class Clock:
    """A clock that tests set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def message(user: int = 7, **changes: Any) -> dict[str, Any]:
    """The gateway's payload of a message in a DM."""
    return {
        "id": "100",
        "type": 0,
        "channel_id": "50",
        "content": "hello",
        "author": {"id": str(user), "username": "ada"},
        **changes,
    }


@pytest.fixture
def clock() -> Clock:
    """The clock of the greeting."""
    return Clock()


@pytest.fixture
def tasks() -> Woken:
    """The greeting's scheduled tasks."""
    return Woken()


@pytest.fixture
def greeting(tasks: Woken, clock: Clock) -> Greeting:
    """A greeting that sends nothing."""
    return Greeting(
        stand_in(discord.Client),
        stand_in(Store),
        fake_sync(),
        tasks,
        clock=clock,
    )


def test_of_a_flood_one_message_a_minute_is_answered_for_each_person(
    greeting: Greeting, tasks: Woken, clock: Clock
) -> None:
    for now in (0, 1, 59, 61, 62):
        clock.now = now
        greeting.on_message(message(7))
    greeting.on_message(message(8))
    assert tasks.keys == [("greeting", "7"), ("greeting", "7"), ("greeting", "8")]


def test_a_banned_person_gets_no_answer(tasks: Woken) -> None:
    greeting = Greeting(stand_in(discord.Client), stand_in(Store), fake_sync(), tasks, banned={7})
    greeting.on_message(message(7))
    greeting.on_message(message(8))
    assert tasks.keys == [("greeting", "8")]


def test_only_what_a_person_says_in_a_dm_is_answered(greeting: Greeting, tasks: Woken) -> None:
    others = {
        "bot": message(author={"id": "1", "username": "fifteen-two", "bot": True}),
        "webhook": message(webhook_id="3"),
        "server": message(guild_id="9"),
        "pin": message(type=discord.MessageType.pins_add.value),
        "call": message(type=discord.MessageType.call.value),
    }
    for name, other in others.items():
        greeting.on_message(other)
        assert tasks.keys == [], name
    greeting.on_message(message(type=discord.MessageType.reply.value))
    assert tasks.keys == [("greeting", "7")]
