"""Answers without a drawing go through a voice as well.

Drawings are read in the pseudo-locale (`tests/bot/render/test_pseudo_games.py`). Plain answers of actions are
found in the code: a text in `bot/interactions` that begins like a sentence must be translated, logged or
raised, or be a docstring.
"""

from __future__ import annotations

import ast
import re

from programs.words import ROOT

_SAYING = {"gettext", "pgettext", "ngettext", "gettext_noop", "pgettext_noop"}
_LIKE_A_SENTENCE = re.compile(r"[A-Z][a-z'][\w']*([ .!?:]|$)")


def _unsaid(source: str) -> list[str]:
    """Texts that begin like sentences and that nothing translates."""
    known: set[ast.AST] = set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                known.add(docstring)
            case ast.Raise() | ast.Assert():
                known.update(ast.walk(node))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
                known.update(ast.walk(node))
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _SAYING:
                known.update(node.args)
            case _:
                pass
    return [
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant)
        and isinstance(each.value, str)
        and each not in known
        and _LIKE_A_SENTENCE.match(each.value)
    ]


def test_every_answer_goes_through_a_voice() -> None:
    files = sorted((ROOT / "bot" / "interactions").rglob("*.py"))
    assert {file.name: found for file in files if (found := _unsaid(file.read_text("utf-8")))} == {}


def test_an_answer_that_does_not_is_found() -> None:
    source = 'await answer.reply("You joined.")\nawait answer.reply(voice.gettext("Done."))\nlog.info("Up")'
    assert _unsaid(source) == ["You joined."]
