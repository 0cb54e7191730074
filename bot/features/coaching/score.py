"""The answer to `/crib-coach score`: three or four cards with a starter, counted under a rule set."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.layouts import container, layout, subtext, text
from bot.render.text.rules import PRESET_NAMES
from bot.render.text.spoken_counts import lines, spoken
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import Card, Cards, count

_BY_A_RULE_SET = (
    gettext_noop("As a hand, with the starter {starter}, by {rules} rules"),
    gettext_noop("As a crib, with the starter {starter}, by {rules} rules"),
)
_BY_THE_TABLE = (
    gettext_noop("As a hand, with the starter {starter}, by this table's rules"),
    gettext_noop("As a crib, with the starter {starter}, by this table's rules"),
)
"""Headings for changed rules, which belong to no rule set."""


def score_drawing(
    hand: Cards, starter: Card, agreement: Agreement, voice: Voice, *, crib: bool = False
) -> Drawing:
    """Points of the hand or crib under the agreed rules, with every score."""
    counted = count(hand, starter=starter, rules=agreement.rules, crib=crib)
    shown = voice.faces.text(starter)
    rules = voice.gettext(PRESET_NAMES[agreement.preset])
    sentences = _BY_THE_TABLE if agreement.is_changed else _BY_A_RULE_SET
    said = voice.gettext(sentences[crib], starter=shown, rules=rules)
    return layout(
        container(
            text(
                f"## {voice.ngettext('{number} point', '{number} points', counted.points)}",
                f"# {voice.faces.all(sorted(hand))}",
                said,
            ),
            text(
                f"{sentence(spoken(counted.scores, counted.points, voice))}.",
                *map(subtext, lines(counted.scores, voice)),
            ),
        )
    )
