"""The kinds of drills, and what a person's answers add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

SLOWEST: Final = 60_000
"""Longest time (ms) of an answer that counts for the average: a longer one was a pause."""


class Kind(Enum):
    """A kind of drill; its value is the word in custom_ids and in the store."""

    COUNTING = "counting"
    DISCARDS = "discards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The sums of a person's answers in one kind of drill."""

    answers: int = 0
    hits: int = 0
    """Number of right answers, or of best discards."""
    streak: int = 0
    """Number of hits in a row, up to now."""
    longest: int = 0
    timed: int = 0
    """Number of answers with a time."""
    spent: int = 0
    """The time (ms) of these in all."""

    def after(self, *, is_hit: bool, time: int) -> Record:
        """The record with one more answer, which took `time` (ms)."""
        streak = self.streak + 1 if is_hit else 0
        is_timed = 0 <= time <= SLOWEST
        return replace(
            self,
            answers=self.answers + 1,
            hits=self.hits + is_hit,
            streak=streak,
            longest=max(self.longest, streak),
            timed=self.timed + is_timed,
            spent=self.spent + time * is_timed,
        )

    @property
    def average(self) -> float | None:
        """The average time (s) of an answer; `None` before the first one."""
        return self.spent / self.timed / 1000 if self.timed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The answer to a question as it was taken, and the record with it."""

    record: Record
    given: str
    """The answer that counts: the first one to this question."""
    is_counted: bool
    """False for a question that was asked before one that is answered already."""
