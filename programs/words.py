"""Extracts the msgids from the code into the catalogues: `python -m programs.words`, or `make words`.

The template lists the msgids with their files. Each language's catalogue keeps its translations; those of a
changed msgid become "fuzzy", for review, and those of a removed one go.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.language.languages import DOMAIN, ENGLISH, LANGUAGES

ROOT = Path(__file__).parent.parent
LOCALES = ROOT / "bot" / "language" / "locales"
TEMPLATE = LOCALES / f"{DOMAIN}.pot"
_KEYWORDS = {
    "gettext": None,
    "pgettext": ((1, "c"), 2),
    "ngettext": (1, 2),
    "gettext_noop": None,
    "pgettext_noop": ((1, "c"), 2),
}
"""Functions with msgids as arguments (`bot.language`), and the positions of those."""
_TO_TRANSLATORS = "Translators:"
"""Prefix of a comment for translators, in the line above the call or its statement."""
_WIDTH = 100
_CHANGING = (
    b"Project-Id",
    b"Report-Msgid",
    b"POT-Creation",
    b"PO-Revision",
    b"Last-Trans",
    b"Language-Team",
    b"Generated",
)
"""Prefixes of header lines with dates and authors, which the files' history has."""


def collected() -> Catalog:
    """Every msgid in the code, with its files."""
    catalogue = Catalog(project="Fifteen Two", charset="utf-8")
    found = extract_from_dir(
        str(ROOT / "bot"),
        method_map=[("**.py", "programs.words:calls")],
        keywords=_KEYWORDS,
        comment_tags=(_TO_TRANSLATORS,),
    )
    for name, line, sentence, comments, meaning in found:
        catalogue.add(sentence, None, [(f"bot/{name}", line)], auto_comments=comments, context=meaning)
    return catalogue


_Message = tuple[int, str, tuple[str | None, ...], list[str]]


def calls(
    file: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: object
) -> Iterator[_Message]:
    """The calls of these functions with the texts among their arguments, and their comments.

    Babel calls it for each file. Its own extractor ignores f-strings before Python 3.12.
    """
    del options
    source = file.read()
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.tokenize(io.BytesIO(source).readline)
        if token.type == tokenize.COMMENT and token.string.lstrip("# ").startswith(tuple(comment_tags))
    }
    tree = ast.parse(source)
    statements = {
        part: statement.lineno
        for statement in ast.walk(tree)
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return)
        for part in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = tuple(
            each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else None
            for each in node.args
        )
        if name in keywords and any(texts):
            above = {node.lineno, statements.get(node, node.lineno)}
            yield (
                node.lineno,
                name,
                texts,
                [comments[line - 1] for line in sorted(above) if line - 1 in comments],
            )


def written(catalogue: Catalog) -> bytes:
    """The catalogue as a file, without header lines that change from day to day."""
    file = io.BytesIO()
    write_po(
        file,
        catalogue,
        width=_WIDTH,
        omit_header=catalogue.locale is None,
        sort_by_file=True,
        ignore_obsolete=True,
        include_lineno=False,
    )
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.removeprefix(b'"').startswith(_CHANGING))


def catalogue_of(code: str) -> Path:
    """The file of that language's catalogue."""
    return LOCALES / code / f"{DOMAIN}.po"


def read(code: str) -> Catalog:
    """The catalogue of that language; an empty one if the file is missing."""
    path = catalogue_of(code)
    if not path.exists():
        return Catalog(locale=_locale(code), project="Fifteen Two", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=_locale(code))


def _locale(code: str) -> Locale:
    return Locale.parse(code, sep="-")


def main() -> None:
    """Write the template, and update every catalogue from it."""
    template = collected()
    LOCALES.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(written(template))
    for code in LANGUAGES:
        if code == ENGLISH:
            continue
        catalogue = read(code)
        catalogue.update(template)
        catalogue.fuzzy = False
        catalogue.header_comment = f"# What Fifteen Two says, in {catalogue.locale_identifier}."
        catalogue_of(code).parent.mkdir(parents=True, exist_ok=True)
        catalogue_of(code).write_bytes(written(catalogue))


if __name__ == "__main__":
    main()
