"""The coach: what is best now, what would have been best in a game that is over, and what was luck.

It judges by the computer player's own figures (`engine.computer`), at its best and with fixed seeds, so that
the same question has the same answer. It knows nothing that the seat it advises could not know.
"""

from engine.coach.advice import CardChoice, Choice, advice, throws_for, throws_now
from engine.coach.review import Decision, Luck, Review, review_of

__all__ = [
    "CardChoice",
    "Choice",
    "Decision",
    "Luck",
    "Review",
    "advice",
    "review_of",
    "throws_for",
    "throws_now",
]
