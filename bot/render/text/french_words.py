"""French numbers in words."""

from __future__ import annotations

_SMALL = (
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
    "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
)  # fmt: skip
_TENS = {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante", 8: "quatre-vingt"}


def number(value: int) -> str:
    """The number in words, such as `vingt et un`; in figures above 100."""
    if not 0 <= value <= 100:
        return str(value)
    if value == 100:
        return "cent"
    if value < 20:
        return _SMALL[value]
    # Seventy is sixty-ten, and ninety eighty-ten.
    tens = value // 10 if value < 60 else value // 20 * 2
    rest = value - 10 * tens
    if not rest:
        return "quatre-vingts" if tens == 8 else _TENS[tens]
    between = " et " if rest in {1, 11} and tens != 8 else "-"
    return f"{_TENS[tens]}{between}{_SMALL[rest]}"
