"""Places in a source file that can be broken, and what each becomes.

A break is the smallest change that alters what the code does: a comparison turned round, a condition
negated, a number one more, a sentence with another word, a call left out. Docstrings, annotations, log
messages and `assert_never` are no places: nobody is promised anything about them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

_SUMS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}

_NOT_PROMISED = frozenset({"log", "logging", "assert_never", "cast", "TypeVar", "NewType"})
"""Calls whose arguments, and whose absence, no test need see."""


@dataclass(frozen=True, slots=True, order=True)
class Break:
    """One change of one file."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    kind: str
    becomes: str
    function: str
    """The function or class around it, such as `Sessions.move`; empty at the top of a module."""
    text: str
    """The source that it replaces."""

    @property
    def name(self) -> str:
        """The break as one word, the same on every run."""
        return f"{self.path}:{self.line}:{self.column}:{self.kind}"

    @property
    def lasting(self) -> tuple[str, str, str, str]:
        """What stays the same when the code around it moves within its file."""
        return self.function, self.kind, self.text, self.becomes

    def applied(self, source: str) -> str:
        """The file's text, broken; columns count bytes, as `ast` counts them."""
        lines = source.encode().splitlines(keepends=True)
        before = b"".join(lines[: self.line - 1]) + lines[self.line - 1][: self.column]
        after = lines[self.end_line - 1][self.end_column :] + b"".join(lines[self.end_line :])
        return (before + self.becomes.encode() + after).decode()


def breaks_of(path: str, source: str) -> list[Break]:
    """Every break of a file, in the order of the text."""
    tree = ast.parse(source)
    lines = source.encode().splitlines(keepends=True)
    found = []
    functions = list(_functions(tree))
    for node, kind, becomes in _changes(tree):
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        around = [name for name, first, last in functions if first <= node.lineno <= last]
        # `ast.get_source_segment` would split the whole file again for each.
        whole = b"".join(lines[node.lineno - 1 : node.end_lineno])
        end = len(whole) - len(lines[node.end_lineno - 1]) + node.end_col_offset
        text = whole[node.col_offset : end].decode()
        found.append(Break(path, *place, kind, becomes, max(around, key=len, default=""), text))
    return sorted(found)


def found_again(root: Path, kept: Break) -> Break | None:
    """The same break in the code as it is now, in its file or wherever its function has gone; or `None`."""
    home = root / kept.path
    others = sorted(each for top in ("engine", "bot") for each in (root / top).rglob("*.py"))
    for path in [home, *others] if home.exists() else others:
        source = path.read_text()
        if kept.text in source:
            for each in breaks_of(path.relative_to(root).as_posix(), source):
                if each.lasting == kept.lasting:
                    return each
    return None


def sampled(root: Path, inside: Sequence[str], *, seed: int, number: int) -> list[Break]:
    """Breaks of files and folders, spread as their code is: one a place, at random; with 0, all."""
    places: dict[tuple[str, int, int], list[Break]] = {}
    for top in inside:
        for path in sorted((root / top).rglob("*.py")) if (root / top).is_dir() else [root / top]:
            name = path.relative_to(root).as_posix()
            for each in breaks_of(name, path.read_text()):
                places.setdefault((each.path, each.line, each.column), []).append(each)
    if not number:
        return [each for place in sorted(places) for each in places[place]]
    chance = Random(seed)
    chosen = chance.sample(sorted(places), min(number, len(places)))
    return [chance.choice(places[place]) for place in chosen]


def _functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, int, int]]:
    """Each function and class with its first and last line."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{node.name}".lstrip(".")
            yield name, node.lineno, node.end_lineno or node.lineno
            yield from _functions(node, name)


def _changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:  # noqa: C901 -- a case a kind
    for node in _promised(tree):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                turned = ast.Compare(left, [_COMPARISONS[type(op)]()], [right])
                yield node, "comparison", f"({ast.unparse(turned)})"
            case ast.BoolOp(op=op, values=values):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield node, "and-or", f"({ast.unparse(ast.BoolOp(other, values))})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield node, "not", f"({ast.unparse(operand)})"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _SUMS:
                yield node, "arithmetic", f"({ast.unparse(ast.BinOp(left, _SUMS[type(op)](), right))})"
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                yield test, "condition", f"(not ({ast.unparse(test)}))"
            case ast.Constant(value=bool(value)):
                yield node, "flag", repr(not value)
            case ast.Constant(value=int(value)):
                yield node, "number", repr(value + 1)
            case ast.Constant(value=float(value)):
                yield node, "number", repr(value * 2 + 1)
            case ast.Constant(value=str(value)) if any(map(str.isalpha, value)):
                yield node, "words", repr(f"{value}ish")
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield value, "result", "None"
            case ast.Expr(value=ast.Call() | ast.Await()):
                yield node, "left out", "pass"


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _promised(node: ast.AST) -> Iterator[ast.AST]:
    """Every node below that does something: no docstring, annotation, log line or piece of an f-string."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params", "type_comment", "slice"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_no_promise(child):
                yield child
                if not isinstance(child, ast.JoinedStr):
                    yield from _promised(child)


def _is_no_promise(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Raise() | ast.Assert():
            return True
        case ast.Expr(value=ast.Call(func=func)) | ast.Call(func=func):
            return bool({each.id for each in ast.walk(func) if isinstance(each, ast.Name)} & _NOT_PROMISED)
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case _:
            return False
