"""README.md and CONTRIBUTING.md name files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_PATH = re.compile(r"`((?:bot|engine|sandbox|tests|benchmarks|docs)/[\w./-]*)`")
_LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]+)?\)")


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_file_that_is_named_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = {*_PATH.findall(text), *_LINK.findall(text)}

    assert named, "the document names files"
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
