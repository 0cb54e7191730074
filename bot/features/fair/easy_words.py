"""The words for a deck that an owner could try before they are given."""

from __future__ import annotations

_NEIGHBOURS = "0123456789 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm azerty qwertz"

_FAMILIAR = ("test", "password", "motdepasse", "word", "fair", "crib", "hello", "bonjour", "secret")

_ENOUGH = 6
"""Characters that nobody foresees: 36 to the sixth are two thousand million tries."""


def is_easy(word: str) -> bool:
    """True if fewer than six characters are left without repeats, rows of keys and familiar words."""
    for each in _FAMILIAR:
        word = word.replace(each, each[0])
    surprises = sum(not _follows(before, each) for before, each in zip(" " + word, word, strict=False))
    return min(surprises, len(set(word))) < _ENOUGH or (word.isdecimal() and surprises < _ENOUGH + 4)


def _follows(before: str, each: str) -> bool:
    """True for the same key once more, and for its neighbour in a row of keys or in the alphabet."""
    pair = before + each
    return before == each or pair in _NEIGHBOURS or pair[::-1] in _NEIGHBOURS
