"""The library's page in `engine/README.md` shows what really happens."""

from __future__ import annotations

import doctest
from pathlib import Path

import engine

README = Path(engine.__file__).with_name("README.md")


def test_every_example_of_the_page_is_so() -> None:
    results = doctest.testfile(str(README), module_relative=False)

    assert results.attempted > 30
    assert results.failed == 0
