"""The coach: the best choice now, and in a finished game the best choices, the luck and the turning point.

It judges by the computer player's own figures (`engine.computer`), at its best and with fixed seeds, so that
the same question has the same answer. It knows nothing that the seat it advises could not know.
"""

from engine.coach.advice import CardChoice, Choice, advice, throws_for, throws_now
from engine.coach.daily import (
    COST_UNIT,
    GRADE_LIMITS,
    DailyHand,
    Evidence,
    Grade,
    Reckoned,
    clear_hand,
    close_hands,
    grade_of,
    proved_hands,
)
from engine.coach.review import Decision, Fortune, Luck, Review, decision_at, fortunes, review_of
from engine.coach.win_chances import Moment, Swing, WinChances, win_chances

__all__ = [
    "COST_UNIT",
    "GRADE_LIMITS",
    "CardChoice",
    "Choice",
    "DailyHand",
    "Decision",
    "Evidence",
    "Fortune",
    "Grade",
    "Luck",
    "Moment",
    "Reckoned",
    "Review",
    "Swing",
    "WinChances",
    "advice",
    "clear_hand",
    "close_hands",
    "decision_at",
    "fortunes",
    "grade_of",
    "proved_hands",
    "review_of",
    "throws_for",
    "throws_now",
    "win_chances",
]
