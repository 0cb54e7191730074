"""English numbers in words, and helpers for joining words; plurals and lists are in `bot.language`."""

from __future__ import annotations

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def number(value: int) -> str:
    """The number in words, such as `twenty-two`; in figures from 100 on."""
    if not 0 <= value < 100:
        return str(value)
    if value < 20:
        return _SMALL[value]
    tens, ones = divmod(value, 10)
    return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]


def together(*words: object) -> str:
    """The words with no-break spaces between them."""
    return "\N{NO-BREAK SPACE}".join(map(str, words))


def sentence(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
