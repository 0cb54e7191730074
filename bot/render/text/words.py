"""English grammar: numbers in words, plurals, articles, lists, durations."""

from __future__ import annotations

from collections.abc import Iterable

_SMALL = (
    "nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNITS = (("day", "a", 86_400), ("hour", "an", 3_600), ("minute", "a", 60))
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def number(value: int) -> str:
    """The number in words, as `twenty-two`; in figures from 100 on."""
    if not 0 <= value < 100:
        return str(value)
    if value < 20:
        return _SMALL[value]
    tens, ones = divmod(value, 10)
    return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]


def ordinal(value: int) -> str:
    """The ordinal in words, as `second`; in figures from 10 on."""
    return _ORDINALS[value] if 0 < value < len(_ORDINALS) else f"{value}th"


def some(value: int, noun: str) -> str:
    """A number with its noun, as `two cards` or `one card`."""
    return f"{number(value)} {plural(value, noun)}"


def plural(value: int, noun: str) -> str:
    """The noun in singular or plural, as `cards`."""
    return noun if value == 1 else f"{noun}s"


def a(word: str) -> str:
    """The word with its indefinite article, by its sound: `an eight`, `a ten`, `an ace`."""
    sounds_open = word[:1].lower() in "aeiou" and not word.lower().startswith("one")
    return f"{'an' if sounds_open else 'a'} {word}"


def listing(items: Iterable[str], last: str = "and") -> str:
    """The items as a list in a sentence, as `Ada, Ben and Cleo`."""
    *most, end = list(items) or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def together(*words: object) -> str:
    """The words with no-break spaces between them."""
    return "\N{NO-BREAK SPACE}".join(map(str, words))


def duration(seconds: int) -> str:
    """A duration in words, as `a minute and a half`, in the largest unit that fits."""
    for unit, article, length in _UNITS:
        whole, rest = divmod(seconds, length)
        if whole and not rest:
            return f"{article} {unit}" if whole == 1 else some(whole, unit)
        if whole and rest * 2 == length:
            half = "and a half"
            return f"{article} {unit} {half}" if whole == 1 else f"{number(whole)} {half} {unit}s"
    return some(seconds, "second")


def sentence(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
