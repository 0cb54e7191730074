"""Sentences, numbers and lists in every language, catalogues that fit the code, and answers that use them."""

from __future__ import annotations

import ast
import io
import re
from datetime import date

import discord
import pytest
from babel.messages.catalog import Message

from bot.language.languages import ENGLISH, LANGUAGES, PSEUDO, Language, pseudo
from programs.words import ROOT, TEMPLATE, calls, collected, read, written

_PART = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize(
    ("code", "spoken"),
    [("en-GB", "en"), ("en-US", "en"), ("fr", "fr"), ("fr-CA", "fr"), ("eo", "en"), (None, "en"), ("", "en")],
)
def test_people_are_spoken_to_in_their_language_or_english(code: str | None, spoken: str) -> None:
    assert Language.of(code).code == spoken


def test_every_code_is_one_of_discord_s() -> None:
    assert set(LANGUAGES) - {ENGLISH} <= {each.value for each in discord.Locale}


def test_a_sentence_takes_its_parts_as_they_are() -> None:
    english = Language.of(ENGLISH)
    assert english.gettext("{player} cuts the deck", player="{Ada}") == "{Ada} cuts the deck"
    assert english.gettext("Use {braces}") == "Use {braces}", "nothing to fill in"
    assert english.ngettext("{number} card", "{number} cards", 1) == "1 card"
    assert english.ngettext("{number} card", "{number} cards", 0) == "0 cards"
    assert english.ngettext("{player} has {number} card", "{player} has {number} cards", 2, player="Ada") == (
        "Ada has 2 cards"
    )


def test_numbers_are_written_as_the_language_writes_them() -> None:
    english, french = Language.of("en"), Language.of("fr")
    assert [english.number(1184), english.number(3.14159, 1)] == ["1,184", "3.1"]
    assert [french.number(1184), french.number(3.14159, 1)] == ["1\N{NARROW NO-BREAK SPACE}184", "3,1"]
    assert [english.change(16), english.change(-0.55, 1), english.change(0)] == ["+16", "−0.6", "+0"]
    assert [english.percent(0.07), english.percent(0.567, 1)] == ["7%", "56.7%"]
    assert french.percent(0.07) == "7\N{NO-BREAK SPACE}%"


def test_dates_are_written_as_the_language_writes_them() -> None:
    first, second = date(2026, 11, 1), date(2026, 11, 2)
    assert [Language.of("en").date(day) for day in (first, second)] == ["1 November 2026", "2 November 2026"]
    assert [Language.of("fr").date(day) for day in (first, second)] == [
        "1er novembre 2026",
        "2 novembre 2026",
    ]


def test_lists_are_spoken_as_in_a_sentence() -> None:
    english, french = Language.of("en"), Language.of("fr")
    assert english.listing(["Ada"]) == "Ada"
    assert english.listing(["Ada", "Ben"]) == "Ada and Ben"
    assert english.listing(["Ada", "Ben", "Cleo"]) == "Ada, Ben and Cleo"
    assert english.listing(["5", "6"], last="or") == "5 or 6"
    assert french.listing(["Ada", "Ben", "Cleo"]) == "Ada, Ben et Cleo"
    assert english.listing([]) == ""
    assert english.listing(["{Ada}", "{0}"]) == "{Ada} and {0}"
    assert Language.of(PSEUDO).listing(["Ada", "Ben"]) == "⟦Ada àñd Ben·⟧"


def test_what_is_said_in_the_pseudo_locale_shows_it_and_keeps_what_no_translation_changes() -> None:
    said = Language.of(PSEUDO).gettext("Tap {card}: `/crib go` for <@1>", card="5H")
    assert said.startswith("⟦Tàp 5H: `/crib go` för <@1>·")
    assert said.endswith("⟧")
    assert len(pseudo("abcdefghi")) == len("abcdefghi") + 2 + 3
    assert Language.of(PSEUDO).ngettext("{number} card", "{number} cards", 2).startswith("⟦2 çàrdš")


@pytest.mark.deep
def test_the_template_has_every_sentence_in_the_code() -> None:
    assert TEMPLATE.read_bytes() == written(collected()), "run `make words`"


def test_sentences_are_collected_wherever_they_are_said() -> None:
    code = b"""
# Translators: a heading
a = f"## {voice.gettext('In an f-string')} {voice.gettext('Twice') + 's'}"
b = voice.ngettext("{number} card", "{number} "
    "cards", number, number=gettext_noop("in an argument"))
voice.gettext(known)
# Translators: heads
c: Final = (
    gettext_noop("hand"),
)
"""
    found = list(calls(io.BytesIO(code), {"gettext", "ngettext", "gettext_noop"}, ["Translators:"], {}))
    assert sorted((name, texts, comments) for _, name, texts, comments in found) == sorted(
        [
            ("gettext_noop", ("hand",), ["Translators: heads"]),
            ("gettext_noop", ("in an argument",), []),
            ("gettext", ("In an f-string",), ["Translators: a heading"]),
            ("gettext", ("Twice",), ["Translators: a heading"]),
            ("ngettext", ("{number} card", "{number} cards", None), []),
        ]
    )


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != ENGLISH])
def test_a_translation_fills_in_the_same_parts_as_its_sentence(code: str) -> None:
    for message in read(code):
        if not message.id or message.string is None or message.fuzzy:
            continue  # what is fuzzy is not said before somebody has looked at it
        sentences = (message.id,) if isinstance(message.id, str) else message.id
        said = (message.string,) if isinstance(message.string, str) else message.string
        parts = {part for sentence in sentences for part in _PART.findall(sentence)}
        for translation in said:
            if translation:
                assert set(_PART.findall(translation)) | {"number"} == parts | {"number"}, message.id


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != ENGLISH])
def test_a_translation_is_complete(code: str) -> None:
    missing = [
        message.id for message in read(code) if message.id and (message.fuzzy or not all(_said(message)))
    ]
    assert missing == [], "translate them, and look at what is fuzzy"


def test_french_punctuation_has_no_break_spaces() -> None:
    for said in (said for message in read("fr") if message.id for said in _said(message)):
        prose = re.sub(r"`[^`]*`|What Is Cribbage\?", "", said)
        assert not re.search(r"[\w}*] ?[:;!?»](?!\w)|« ?[\w{]", prose), said


def test_french_has_one_no_break_space_before_signs() -> None:
    for said in (said for message in read("fr") if message.id for said in _said(message)):
        assert "\N{NARROW NO-BREAK SPACE}" not in said, said


def test_french_says_nothing_before_a_name_that_a_vowel_would_shorten() -> None:
    """ "de Ben" would be "d'Ada", and "que Ben" "qu'Ada", so no such word precedes a name."""
    names = "player|players|side|winner|loser|host|partner|dealer|computer|absent|names|server|event"
    words = "de|que|jusque|lorsque|puisque|le|la|je|me|te|se|ne"
    shortened = re.compile(rf"\b(?:{words}) \W*{{(?:{names})}}(?! joueurs)", re.IGNORECASE)
    said = [said for message in read("fr") if message.id for said in _said(message)]
    assert [each for each in said if shortened.search(each)] == []


def _said(message: Message) -> tuple[str, ...]:
    """The translation, in each of its plural forms."""
    return (message.string or "",) if isinstance(message.string, str | None) else tuple(message.string)


def test_a_language_prints_as_its_code_and_a_pseudo_one_says_commands_as_it_says_all_else() -> None:
    assert repr(Language.of("fr")) == "Language('fr')"
    pseudo = Language.of(PSEUDO)
    assert pseudo.pgettext("command", "new") == pseudo.gettext("new") != "new"


# Answers without a drawing are found in the code: a text in `bot/interactions` that begins like a sentence
# must be translated, logged or raised, or be a docstring.

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
