"""Collects every sentence for people into the catalogues: `python -m tests.words`, or `make words`.

The template lists the sentences as they stand in the code, with the files in which they are said. Each
language's catalogue keeps what was translated; what was changed in English comes back as "fuzzy", to be
looked at, and what nobody says any more goes.
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
    "say": None,
    "say_as": ((1, "c"), 2),
    "some": (2, 3),
    "later": None,
    "later_as": ((1, "c"), 2),
}
"""The functions whose arguments are sentences (`bot.language`), and which of their arguments are."""
_TO_TRANSLATORS = "Translators:"
"""How a comment for translators begins, in the line above the sentence."""
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
"""The beginnings of header lines that say when and by whom; the history of the files says that."""


def collected() -> Catalog:
    """Every sentence in the code, with the files in which it stands."""
    catalogue = Catalog(project="Fifteen Two", charset="utf-8")
    found = extract_from_dir(
        str(ROOT / "bot"),
        method_map=[("**.py", "tests.words:calls")],
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
    """The calls of these functions with the texts among their arguments, and the comments above them.

    Babel calls it for each file. Its own extractor does not look into f-strings before Python 3.12.
    """
    del options
    source = file.read()
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.tokenize(io.BytesIO(source).readline)
        if token.type == tokenize.COMMENT and token.string.lstrip("# ").startswith(tuple(comment_tags))
    }
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = tuple(
            each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else None
            for each in node.args
        )
        if name in keywords and any(texts):
            yield (
                node.lineno,
                name,
                texts,
                [comments[line] for line in (node.lineno - 1,) if line in comments],
            )


def written(catalogue: Catalog) -> bytes:
    """The catalogue as a file, without what would differ from day to day."""
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
    """The catalogue of that language; an empty one where there is none."""
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
