"""The places of the sample: each break is valid Python that differs from the file in one place."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from programs.breaks.places import breaks_of, found_again, sampled

ROOT = Path(__file__).parents[2]

SOURCE = '''
def winner(scores: list[int], target: int = 121) -> int | None:
    """The side that has reached the target."""
    log.info("asked for %s", scores)
    if scores[0] >= target and not scores[1] > 100:
        return 0
    tell("Ada wins")
    return None
'''


def test_a_break_of_every_kind_is_found_and_docstrings_annotations_and_logs_are_left_alone() -> None:
    found = {(each.kind, each.becomes) for each in breaks_of("x.py", SOURCE)}

    assert found == {
        ("number", "122"),
        ("condition", "(not (scores[0] >= target and (not scores[1] > 100)))"),
        ("and-or", "(scores[0] >= target or not scores[1] > 100)"),
        ("comparison", "(scores[0] > target)"),
        ("not", "(scores[1] > 100)"),
        ("comparison", "(scores[1] >= 100)"),
        ("number", "101"),
        ("number", "1"),
        ("result", "None"),
        ("left out", "pass"),
        ("words", "'Ada winsish'"),
    }


@pytest.mark.deep
def test_every_sampled_break_changes_its_file_and_leaves_valid_python() -> None:
    for each in sampled(ROOT, ("engine/computer", "bot/render/text"), seed=7, number=300):
        source = (ROOT / each.path).read_text()
        broken = each.applied(source)

        assert broken != source
        assert ast.dump(ast.parse(broken)) != ast.dump(ast.parse(source)), each


@pytest.mark.deep
def test_a_seed_chooses_the_same_breaks_again() -> None:
    assert sampled(ROOT, ("bot/tables",), seed=3, number=20) == sampled(
        ROOT, ("bot/tables",), seed=3, number=20
    )
    assert sampled(ROOT, ("bot/tables",), seed=3, number=20) != sampled(
        ROOT, ("bot/tables",), seed=4, number=20
    )


def test_a_break_is_found_again_where_its_function_has_moved_and_not_where_its_text_has_changed(
    tmp_path: Path,
) -> None:
    kept = next(each for each in breaks_of("bot/old.py", SOURCE) if each.becomes == "(scores[0] > target)")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "new.py").write_text(f"LENGTH = 61\n{SOURCE}")

    found = found_again(tmp_path, kept)
    assert found is not None
    assert (found.path, found.line, found.text) == ("bot/new.py", kept.line + 1, "scores[0] >= target")

    (tmp_path / "bot" / "new.py").write_text(SOURCE.replace("scores[0] >= target", "target <= scores[0]"))
    assert found_again(tmp_path, kept) is None
