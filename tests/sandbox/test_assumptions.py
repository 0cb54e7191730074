"""Every assumption about Discord says where it comes from."""

import ast
import re
from itertools import pairwise
from pathlib import Path

from sandbox import assumptions

SOURCE = re.compile(r"\bFrom\b|\bfrom the same\b|\b[Aa] guess\b|#\d{3,}")


def test_every_assumption_names_its_source_or_says_that_it_is_a_guess() -> None:
    body = ast.parse(Path(assumptions.__file__).read_text(encoding="utf-8")).body
    told = {}
    for entry, after in pairwise(body):
        if isinstance(entry, ast.Assign | ast.AnnAssign):
            name = entry.targets[0] if isinstance(entry, ast.Assign) else entry.target
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            told[ast.unparse(name)] = str(after.value.value) if is_text else ""  # type: ignore[attr-defined]
    assert len(told) > 30
    assert [name for name, text in told.items() if not SOURCE.search(text)] == []
