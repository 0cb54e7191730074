"""Everything that people read goes through a voice, fits in longer words, and has no English in French."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

import discord
import pytest

from bot.language.languages import PSEUDO, Language
from bot.model.table_record import Agreement
from bot.model.version import VERSION
from bot.render.drawing import Drawing
from bot.render.layouts import MOST_TEXT, container, layout, row, text
from bot.render.text.faces import Faces
from bot.render.text.rules_documents import DOCUMENTS
from tests.bot.registered import full_voice
from tests.bot.render.games import EMOJIS, GAMES, HOSTILE, PLAIN, drawn_in_a_game
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, is_spoken, read, unspoken
from tests.bot.render.refusal_scenes import START_UP
from tests.golden import all_kinds

NAMES = (*PLAIN, r"A\*da", r"B\*n", r"R\*bot", "The Snug", "English", "Français", "November")
"""Names of people, their server, languages in their own words, and the month in a date."""

CREDITED = tuple(
    chain.from_iterable(
        (
            document.title,
            *(work.name for work in document.reading),
            *((document.licence.name,) if document.licence else ()),
        )
        for document in DOCUMENTS.values()
    )
)
"""Titles and names in the sources of the rules, which no language translates."""

KINDS = {name: kind for name, kind in all_kinds().items() if name not in {START_UP, "names"}}
"""All but those that nobody translates: the owner's errors, and what people call themselves."""
OWN = sorted(name for name, kind in KINDS.items() if kind.scenes.__module__.startswith("tests.bot.render"))
"""The kinds that are no feature's: their names are known here."""
ENGLISH, FRENCH = full_voice(), full_voice(Language.of("fr"))
LONGEST = full_voice(Language.of(PSEUDO), Faces(EMOJIS))
"""A voice with cards as emojis, which take the most characters."""


def told(what: object) -> list[str]:
    """The texts of a scene."""
    match what:
        case str():
            return [what]
        case Drawing():
            return [*read(what)]
        case discord.ui.Modal():
            return [what.title, *read(what)]
        case _:
            return []  # a picture's facts have no words


def test_a_voice_has_one_voice_for_each_document_and_finds_back() -> None:
    voice = ENGLISH
    assert voice.by("lurch") is voice is voice.by("family").by("standard")
    assert voice.by("family") is voice.by("family") is voice.by("parlour").by("family")
    assert (voice.preset, voice.by("family").preset) == ("standard", "family")


# The pseudo-locale


SAID = PSEUDO_VOICE.gettext("{player} cuts the deck", player="Ada")
SPOKEN = (
    SAID,
    f"## **{SAID}** · 1,184 (+3.5)",
    f"-# {SAID} Ada 12 · <t:1700000000:R> <@1> <:card_5H_1:1000> `/crib new`",
    "10♣ **J♦️** 5♥︎",
    "-# 5+J · Q=Q · 9-10-J",
    f"```\n{SAID}\n 4.9  7♦J♠\n```",
    PSEUDO_VOICE.gettext(
        "Better: {worth}", worth=PSEUDO_VOICE.ngettext("{number} point", "{number} points", 2)
    ),
    PSEUDO_VOICE.gettext("Press {command} or `/crib new`", command="`/crib hand`"),
    "</crib new:1000>",
    "🍀 ✗ ✓ → −7% 🔴 ▸",
    "",
)
UNSPOKEN = (
    "Cut the deck",
    "✗ 5♥ on 15",
    f"{SAID} and so on",
    f"{SAID}s",
    "Cleo",
    "Adam",
    "être",
    "一",
    PSEUDO_VOICE.gettext("{player} cuts the deck", player="an opponent"),
    PSEUDO_VOICE.gettext("You have {what}", what="2 cards"),
    SAID[:-1],
    SAID[1:],
    SAID.replace("⟦", "⟧").replace("Ada", ""),
    f"```\n{SAID}\n all hand\n```",
    "K to J",
    "I",
    "</crib and more>",
)


def test_what_did_not_go_through_a_voice_is_found() -> None:
    assert [each for each in SPOKEN if not is_spoken(each, "Ada", "Ben")] == []
    assert [each for each in UNSPOKEN if is_spoken(each, "Ada", "Ben")] == []


def test_every_piece_of_a_drawing_is_read() -> None:
    option = {"label": "first", "description": "the first of all", "value": "1"}
    drawing = layout(
        container(
            text("a text"),
            {"type": 12, "items": [{"media": {"url": "attachment://x.png"}, "description": "a picture"}]},
            row({"type": 2, "label": "a button", "custom_id": "1"}),
            row({"type": 3, "placeholder": "choose", "options": [option], "custom_id": "2"}),
        )
    )

    pieces = ["a text", "a picture", "a button", "choose", "first", "the first of all"]
    assert list(read(drawing)) == pieces
    assert unspoken(drawing) == pieces
    assert unspoken(drawing, *pieces) == []


def test_limits_that_are_not_kept_are_found() -> None:
    full, over = "a" * MOST_TEXT, "a" * (MOST_TEXT + 1)
    assert beyond_limits(layout(text(full))) == []
    assert beyond_limits(layout(text(over))) == [f"{MOST_TEXT + 1} characters"]
    assert beyond_limits(layout(*[text("a")] * 41)) == ["41 components"]
    six = row(*[{"type": 2, "label": "a", "custom_id": str(number)} for number in range(6)])
    assert beyond_limits(layout(six)) == ["six buttons in a row"]


@pytest.mark.parametrize("name", OWN)
def test_no_message_is_said_without_a_voice_or_grows_too_long(name: str) -> None:
    scenes = KINDS[name].scenes
    unsaid = [
        f"{title}: {each}"
        for title, what in scenes(PSEUDO_VOICE)
        for each in told(what)
        if not is_spoken(each, *NAMES, *CREDITED, VERSION)
    ]
    assert unsaid == []
    drawn = ((title, what) for title, what in scenes(LONGEST) if isinstance(what, Drawing))
    assert [(title, limits) for title, what in drawn if (limits := beyond_limits(what))] == []


@pytest.mark.deep
@pytest.mark.parametrize("agreement", GAMES.values(), ids=GAMES)
def test_nothing_in_a_game_is_said_without_a_voice(agreement: Agreement) -> None:
    drawn = drawn_in_a_game(agreement, PSEUDO_VOICE)
    assert {each for drawing in drawn for each in unspoken(drawing, *NAMES, *CREDITED)} == set()


@pytest.mark.parametrize(
    "agreement",
    [
        pytest.param(agreement, id=name, marks=() if name == "standard" else pytest.mark.deep)
        for name, agreement in GAMES.items()
    ],
)
def test_every_message_of_a_game_has_room_for_longer_words_and_names(agreement: Agreement) -> None:
    drawn = drawn_in_a_game(agreement, LONGEST, HOSTILE)
    assert {each for drawing in drawn for each in beyond_limits(drawing)} == set()


# French


_NAMES = frozenset({*PLAIN, "The", "Snug", "go", "point", "points", "skunk"})
"""Names, and words that both languages share."""
_NO_PROSE = re.compile(
    r"https://\S+|\w+/\w+|`[^`\n]+`|<[^<>\n]+>|“[^”]*”|«[^»]*»|"
    r"American Cribbage Congress|Trevor L. Davis|Sir John Suckling"
)
"""Code, mentions, typed text, and the names of books and people."""
_ENGLISH = (
    "about after an and any at be by can either every for from had has have if in is it its left more most "
    "my no nothing of one or other players runs starter their them then there these they this to two until "
    "was who will with won you your"
)
"""Frequent English words that are not French."""


def _words(text: str) -> list[str]:
    for name in sorted((*CREDITED, *NAMES), key=len, reverse=True):
        text = text.replace(name, " ")
    found = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", _NO_PROSE.sub(" ", text))
    return [word.lower() for word in found if word not in _NAMES and len(word) > 1]


def _in_common(english: str, french: str) -> set[str]:
    """Three words in a row that both texts have, and English words in the French."""
    said, ours = _words(english), _words(french)
    threes = {" ".join(ours[place : place + 3]) for place in range(len(ours) - 2)}
    return {each for place in range(len(said)) if (each := " ".join(said[place : place + 3])) in threes} | (
        set(_ENGLISH.split()).intersection(ours)
    )


def _left(english: Iterable[str], french: Iterable[str]) -> list[str]:
    """The French texts that have English in them."""
    pairs = zip(english, french, strict=True)
    return [f"{ours}: {found}" for said, ours in pairs if (found := _in_common(said, ours))]


@pytest.mark.parametrize("name", sorted(KINDS))
def test_no_message_has_english_in_french(name: str) -> None:
    english, french = (
        [each for _, what in KINDS[name].scenes(voice) for each in told(what)] for voice in (ENGLISH, FRENCH)
    )
    assert _left(english, french) == []


@pytest.mark.deep
@pytest.mark.parametrize("agreement", GAMES.values(), ids=GAMES)
def test_no_game_has_english_in_french(agreement: Agreement) -> None:
    english, french = (
        chain.from_iterable(map(read, drawn_in_a_game(agreement, voice))) for voice in (ENGLISH, FRENCH)
    )
    assert _left(english, french) == []
