"""Replaces secrets in a text, in whatever form a library has written them there.

A password in an error stands as it is, in a `repr`, in JSON, percent-encoded in an address, or in several of
these at once. So a secret is not compared as a text: each of its characters matches all of its escaped forms.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import groupby

_SHORT_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}


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
            found.append(rf"(?:\\|{_percent_encoded(character)}){{{count},}}")
        else:
            found.append(f"(?:{'|'.join(_forms(character))}){{{count}}}")
    return "".join(found)


def _forms(character: str) -> list[str]:
    """Patterns of a character: raw, after backslashes, as an escape of its number, and in an address."""
    number, encoded = ord(character), character.encode(errors="surrogatepass")
    found = [
        r"\\*%(?:25)*" if character == "%" else rf"\\*{re.escape(character)}",
        _percent_encoded(character),
    ]
    if character == " ":
        found.append(r"\+")
    if character in _SHORT_ESCAPES:
        found.append(rf"\\+{_SHORT_ESCAPES[character]}")
    units = character.encode("utf-16-be", errors="surrogatepass")
    found += [
        rf"\\+U(?i:{number:08x})",
        "".join(rf"\\+u(?i:{units[at : at + 2].hex()})" for at in range(0, len(units), 2)),
        "".join(rf"\\+x(?i:{byte:02x})" for byte in encoded),
    ]
    if number < 256:
        found.append(rf"\\+x(?i:{number:02x})")
    return found


def _percent_encoded(character: str) -> str:
    return "".join(f"%(?:25)*(?i:{byte:02x})" for byte in character.encode(errors="surrogatepass"))
