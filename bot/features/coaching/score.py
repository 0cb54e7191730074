"""The answer to `/crib-coach score`: three or four cards with a starter, counted under a rule set."""

from __future__ import annotations

from bot.language.languages import later
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.layouts import container, layout, subtext, text
from bot.render.text.rules import PRESET_NAMES
from bot.render.text.spoken_counts import lines, spoken
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import Card, Cards, count

_BY_A_RULE_SET = (
    later("As a hand, with the starter {starter}, by {rules} rules"),
    later("As a crib, with the starter {starter}, by {rules} rules"),
)
_BY_THE_TABLE = (
    later("As a hand, with the starter {starter}, by this table's rules"),
    later("As a crib, with the starter {starter}, by this table's rules"),
)
"""Headings for changed rules, which belong to no rule set."""


def score_drawing(
    hand: Cards, starter: Card, agreement: Agreement, voice: Voice, *, crib: bool = False
) -> Drawing:
    """Points of the hand or crib under the agreed rules, with every score."""
    counted = count(hand, starter=starter, rules=agreement.rules, crib=crib)
    shown = voice.faces.text(starter)
    rules = voice.say(PRESET_NAMES[agreement.preset])
    sentences = _BY_THE_TABLE if agreement.is_changed else _BY_A_RULE_SET
    said = voice.say(sentences[crib], starter=shown, rules=rules)
    return layout(
        container(
            text(
                f"## {voice.some(counted.points, '{number} point', '{number} points')}",
                f"# {voice.faces.all(sorted(hand))}",
                said,
            ),
            text(
                f"{sentence(spoken(counted.scores, counted.points, voice))}.",
                *map(subtext, lines(counted.scores, voice)),
            ),
        )
    )
