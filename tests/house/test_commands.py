"""Every command prints any name and any path, whatever the encoding of the terminal or the file."""

from __future__ import annotations

import importlib
import io
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

COMMANDS = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("engine", "bot", "sandbox", "benchmarks", "programs")
    for path in (ROOT / folder).rglob("*.py")
    if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
}

OTHERS = {
    "benchmarks.experienced": "it runs benchmarks.without_search",
    "benchmarks.noop": "it prints nothing",
    "engine.computer.build": "it prints numbers",
    "programs.costs": "pytest prints",
    "programs.words": "it prints nothing",
}
"""Commands that need nothing, with the reason."""


@pytest.mark.deep
@pytest.mark.parametrize("name", sorted(COMMANDS - OTHERS.keys()))
def test_a_command_prints_what_the_encoding_lacks_as_an_escape(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = importlib.import_module(name)
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    print("Ægir 猫", flush=True)
    assert ended.value.code == 0
    assert written.getvalue().endswith(b"\\xc6gir \\u732b\n")
