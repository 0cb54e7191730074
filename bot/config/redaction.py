"""Replaces secrets in a text, in whatever form a library has written them there.

A password in an error stands as it is, in a `repr`, in JSON, percent-encoded in an address, or in several of
these at once. So a secret is not compared as a text: each of its characters matches all of its escaped forms.
A short secret, which may be part of ordinary words, is replaced where it stands by itself alone.

The time is linear in the length of the text, because a run of backslashes is matched as a whole.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby

_SHORT_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}

_ESCAPED = r"(?:(?<!\\)\\*+|(?<=\\))"
"""Pattern of the backslashes before a character, if any: a whole run, or the end of one."""
_ESCAPE = r"(?:(?<!\\)\\++|(?<=\\))"
"""Pattern of the backslashes that begin an escape, at least one."""

_NOT_WITHIN = r"(?<!\\)(?<!%5[Cc])(?<!%255[Cc])"
"""Pattern of a place that is not within a run of backslashes."""

_LONG = 12
"""Least number of characters of a secret that is replaced within words, too."""

_BEFORE = (
    r"(?:(?<![^\W_])|(?<=\\[abfnrtv])|(?<=\\x[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})"
    r"|(?<=%[0-9A-Fa-f]{2})|(?<=%25[0-9A-Fa-f]{2}))"
)
"""Pattern of the place before a word, which an escaped character may precede."""
_AFTER = r"(?![^\W_])"
"""Pattern of the place after a word."""


class Redaction:
    """Replaces each secret by a sign."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """`secrets` maps each secret to its sign."""
        by_sign: dict[str, list[str]] = defaultdict(list)
        for secret, sign in sorted(secrets.items(), key=lambda item: -len(item[0])):
            by_sign[sign].append(_in_any_form(secret))
        # `sub` takes a backslash in its replacement for an escape.
        self._patterns = [
            (re.compile("|".join(forms)), sign.replace("\\", r"\\")) for sign, forms in by_sign.items()
        ]

    def text(self, text: str) -> str:
        """The text without the secrets."""
        for pattern, sign in self._patterns:
            text = pattern.sub(sign, text)
        return text

    def value(self, value: object) -> object:
        """A value for JSON without the secrets, in its keys, too."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.value(key): self.value(each) for key, each in value.items()}
            case list() | tuple():
                return [self.value(each) for each in value]
            case _:
                return value


def _in_any_form(secret: str) -> str:
    """A pattern of the secret, each character raw or escaped any number of times."""
    found = []
    for character, run in groupby(secret):
        count = len(list(run))
        if character == "\\":  # each escape doubles the run, so a longer one is the secret's, too
            found.append(rf"{_NOT_WITHIN}(?:\\|{_percent_encoded(character)}){{{count},}}+")
        else:
            found.append(f"(?:{'|'.join(_forms(character))}){{{count}}}")
    pattern = "".join(found)
    return pattern if len(secret) >= _LONG else f"{_BEFORE}{pattern}{_AFTER}"


def _forms(character: str) -> Iterable[str]:
    """Patterns of a character: raw, after backslashes, as an escape of its number, and in an address."""
    number, encoded = ord(character), character.encode(errors="surrogatepass")
    if character == "%":
        found = [rf"{_ESCAPED}%(?:25)*"]
    else:
        found = [rf"{_ESCAPED}{re.escape(character)}", _percent_encoded(character)]
    if character == " ":
        found.append(r"\+")
    if character in _SHORT_ESCAPES:
        found.append(rf"{_ESCAPE}{_SHORT_ESCAPES[character]}")
    units = character.encode("utf-16-be", errors="surrogatepass")
    found += [
        rf"{_ESCAPE}U(?i:{number:08x})",
        "".join(rf"{_ESCAPE}u(?i:{units[at : at + 2].hex()})" for at in range(0, len(units), 2)),
        "".join(rf"{_ESCAPE}x(?i:{byte:02x})" for byte in encoded),
    ]
    if number < 256:
        found.append(rf"{_ESCAPE}x(?i:{number:02x})")
    return dict.fromkeys(found)  # each way to match a text once: two would be two to the power of its length


def _percent_encoded(character: str) -> str:
    return "".join(f"%(?:25)*(?i:{byte:02x})" for byte in character.encode(errors="surrogatepass"))
