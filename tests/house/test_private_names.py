"""No test asks for a private name of the code: what it needs to see, the code shows by a public one.

Ruff refuses attributes (SLF001); imports, and names in strings (`monkeypatch.setattr`, `getattr`, `patch`),
are refused here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

EXCEPTIONS: frozenset[str] = frozenset(
    {
        "tests/bot/sync/test_discord_internals.py",
    }
)
"""Files whose subject is about to change, and which may ask until then. The list only shrinks."""

_HINT = re.compile(r"import.*\b_[a-z]|^ +_\w+,|[\"'.]_[A-Za-z]\w*[\"'.]", re.MULTILINE)
"""A text without it has no such name, and need not be parsed."""

_BY_STRING = frozenset({"setattr", "getattr", "delattr", "hasattr", "patch", "object", "multiple"})
"""Functions and methods that are given a name as a string."""


def test_no_test_imports_or_names_what_is_private() -> None:
    found = {
        f"{path}:{line}: {name}"
        for folder in ("tests", "programs", "benchmarks")
        for file in (ROOT / folder).rglob("*.py")
        if (path := file.relative_to(ROOT).as_posix()) not in EXCEPTIONS
        for line, name in private_names(file.read_text(encoding="utf-8"))
    }

    assert not found, "\n".join(sorted(found))


def test_every_exception_is_needed() -> None:
    needless = [
        path
        for path in EXCEPTIONS
        if not (ROOT / path).exists() or not any(private_names((ROOT / path).read_text(encoding="utf-8")))
    ]

    assert not needless, needless


def test_imports_and_strings_are_seen() -> None:
    source = 'from bot.client import _LIMIT\nmonkeypatch.setattr("bot.client._LIMIT", 1)\npatch("a._b")\n'

    assert list(private_names(source)) == [(1, "_LIMIT"), (2, "bot.client._LIMIT"), (3, "a._b")]


def private_names(source: str) -> Iterator[tuple[int, str]]:
    """Yields each private name of our packages that is imported or stands in a string, with its line."""
    if not _HINT.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                if module.partition(".")[0] in {"bot", "engine", "sandbox"}:
                    parts = [*module.split("."), *(each.name for each in names)]
                    yield from ((node.lineno, part) for part in parts if _is_private(part))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _BY_STRING:
                strings = (each.value for each in node.args[:2] if isinstance(each, ast.Constant))
                for given in filter(None, map(str, strings)):
                    if any(map(_is_private, given.split("."))):
                        yield node.lineno, given


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")
