"""Interactions that come late, again or in a replay make no move, whatever the clocks do."""

from __future__ import annotations

import sys
import time
from typing import Any

import discord
import pytest

from bot.gateway.press_gate import MISTRUST_AFTER, REPLAYED_WITHIN, PressGate
from bot.gateway.sharded_client import ShardedClient
from bot.sync.discord_internals import parsers

NOON = 1_000_000.0
"""A time of Discord (s since its epoch), at which the monotonic clock is at zero."""


class Gate:
    """A gate, and the monotonic clock before it."""

    def __init__(self) -> None:
        self.gate = PressGate()
        self.offset = NOON
        """Discord's time when the monotonic clock is at zero."""
        self._ids = 0

    def admits(self, made: float, late: float = 0.0, *, is_replayed: bool = False, again: int = 0) -> bool:
        """True if the gate admits what was made at that time (s after noon) and arrived so much later."""
        self._ids += 1
        number = again or self.id_at(made) + self._ids
        return self.gate.admit(number, NOON + made + late - self.offset, is_replayed=is_replayed) is not None

    def id_at(self, made: float) -> int:
        return int((NOON + made) * 1000) << 22


@pytest.fixture
def gate() -> Gate:
    """One that has admitted something."""
    gate = Gate()
    assert gate.admits(0.0, 0.1)
    return gate


@pytest.mark.parametrize(
    ("late", "is_replayed", "is_admitted"),
    [(2.9, False, True), (3.2, False, False), (1.9, True, True), (2.2, True, False), (14.0, True, False)],
)
def test_what_its_person_was_told_has_failed_is_dropped(
    gate: Gate, late: float, is_replayed: bool, is_admitted: bool
) -> None:
    assert gate.admits(10.0, late, is_replayed=is_replayed) is is_admitted
    assert gate.gate.dropped == (not is_admitted)
    assert gate.admits(20.0, 0.1), "and what comes next is carried out"


def test_what_has_come_already_is_dropped(gate: Gate) -> None:
    number = gate.id_at(10.0)
    assert gate.admits(10.0, again=number)
    assert not gate.admits(10.0, 0.5, again=number)
    assert not gate.admits(10.0, 0.6, is_replayed=True, again=number)


def test_its_age_counts_from_the_fastest_of_the_last_hundred(gate: Gate) -> None:
    number = gate.id_at(10.0)
    assert gate.gate.admit(number, NOON + 11.5 - gate.offset, is_replayed=False) == pytest.approx(
        1.4, abs=0.01
    )


def test_before_anything_has_come_a_replayed_one_is_dropped() -> None:
    gate = Gate()
    assert not gate.admits(0.0, is_replayed=True)
    assert gate.admits(1.0)


@pytest.mark.parametrize("drift", [5e-5, -5e-5])
def test_a_clock_that_is_a_little_fast_or_slow_drops_nothing(gate: Gate, drift: float) -> None:
    for hour in range(1, 200):
        gate.offset = NOON - 3_600 * hour * drift
        assert gate.admits(3_600.0 * hour, 0.1)
    assert not gate.admits(3_600.0 * 200, 4.0)


def test_after_a_clock_that_stood_still_presses_count_and_what_was_missed_does_not(gate: Gate) -> None:
    gate.offset += 3_600
    assert not gate.admits(3_650.0, 14.0, is_replayed=True), "its age is unknown"
    assert gate.admits(3_670.0, 0.1)
    assert not gate.admits(3_680.0, 3.2)


def test_after_a_clock_that_leapt_presses_are_dropped_for_a_minute_and_then_count_again(
    gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    gate.offset -= 3_600
    assert not any(gate.admits(float(second)) for second in range(10, 10 + int(MISTRUST_AFTER), 5))
    assert all(gate.admits(float(second), 0.1) for second in range(75, 300, 5))
    assert [each.levelname for each in caplog.records if each.levelno > 10] == ["ERROR"]
    assert not gate.admits(300.0, 3.2)
    assert not gate.admits(300.0, REPLAYED_WITHIN + 0.2, is_replayed=True)


def test_late_ones_with_a_prompt_one_between_them_say_nothing_of_the_clock(
    gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    for minute in range(1, 60):
        assert not gate.admits(60.0 * minute, 5.0)
        assert gate.admits(60.0 * minute + 30.0, 0.1)
    assert caplog.records == []


def test_a_long_replay_does_not_make_lateness_the_rule(gate: Gate) -> None:
    assert not any(gate.admits(10.0 + number / 10, 14.0, is_replayed=True) for number in range(300))
    assert not gate.admits(60.0, 3.2)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells for how long it was suspended")
def test_what_came_while_the_host_was_suspended_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    client, carried_out = ShardedClient(intents=discord.Intents.none()), list[Any]()
    parsers(client)["INTERACTION_CREATE"] = carried_out.append
    client.gate_interactions(PressGate())
    suspended = 0.0

    def clock(number: int) -> float:
        return suspended if number == time.CLOCK_BOOTTIME else 0.0

    monkeypatch.setattr(time, "clock_gettime", clock)
    began = time.monotonic()
    missed, fresh = ({"id": str(int((began + made) * 1000) << 22)} for made in (1.0, 15.0))
    parsers(client)["INTERACTION_CREATE"]({"id": str(int(began * 1000) << 22)})
    suspended = 15.0
    for press in (missed, fresh):
        parsers(client)["INTERACTION_CREATE"](press)
    assert carried_out[1:] == [fresh]
