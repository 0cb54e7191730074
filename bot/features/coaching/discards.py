"""The answer to `/crib-coach discards`: every possible discard from a hand, best first.

Its lines are short enough for a phone's width. The figures come from `engine.computer.throws`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language.languages import gettext_noop
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, subtext, text
from bot.render.text.advice import parts_of, signed, total, worth
from bot.render.text.names import width
from bot.render.text.rules import PRESET_NAMES
from bot.render.text.voice import Voice
from engine import Cards, Rules
from engine.computer import Throw

# Translators: a narrow column: points in all, in hand, crib and play; the cards given to the crib
_COLUMNS: Final = (
    gettext_noop("all"),
    gettext_noop("hand"),
    gettext_noop("crib"),
    gettext_noop("peg"),
    gettext_noop("give"),
)
"""Column headings. The cards are last because the width of suits differs between devices."""


def discards_drawing(
    dealt: Cards, throws: Sequence[Throw], rules: Rules, preset: str, voice: Voice, *, dealer: bool
) -> Drawing:
    """All discards with the expected points of each; `throws` are best first."""
    best = throws[0]
    return layout(
        container(
            text(f"# {voice.faces.all(sorted(dealt))}", subtext(_asked(rules, preset, voice, dealer=dealer))),
            text(
                "### " + voice.gettext("Discard {cards}", cards=voice.faces.all(sorted(best.given))),
                f"**{worth(best, voice)}**",
                subtext(parts_of(best, voice)),
            ),
            text("\n".join(("```", *table_of(throws, voice), "```"))),
            text(*map(subtext, explained(rules, voice, dealer=dealer))),
            colour=BAIZE,
        )
    )


def _asked(rules: Rules, preset: str, voice: Voice, *, dealer: bool) -> str:
    if rules.partners:
        players = voice.gettext("4 players, partners")
    else:
        players = voice.ngettext("{number} player", "{number} players", rules.seats)
    if dealer:
        place = voice.gettext("you deal")
    elif rules.seats == 2:
        place = voice.gettext("you don't deal")
    else:
        place = voice.gettext("an opponent deals")
    rule_set = voice.gettext("{preset} rules", preset=voice.gettext(PRESET_NAMES[preset]))
    return f"{players} · {rule_set} · {place}"


def table_of(throws: Sequence[Throw], voice: Voice, *, by_chance: bool = False) -> list[str]:
    """The heading, and lines such as `+6.0  4  9.8 16 −4.1 +0.3 2♦9♣`.

    `by_chance` puts the chance to win, if it is known, where the fewest and most points would stand.
    """
    by_chance = by_chance and throws[0].winning is not None
    heads = [voice.gettext(each) for each in _COLUMNS]
    if by_chance:
        # Translators: a narrow column: the chance to win
        heads.insert(-1, voice.pgettext("column", "win"))
    rows = [heads, *(_cells(each, voice, by_chance=by_chance) for each in throws)]
    *figures, _ = zip(*rows, strict=True)
    widths = [max(map(width, column)) for column in figures]
    return [
        " ".join((*(" " * (w - width(cell)) + cell for w, cell in zip(widths, row, strict=False)), row[-1]))
        for row in rows
    ]


def _cells(throw: Throw, voice: Voice, *, by_chance: bool) -> list[str]:
    average = voice.number(throw.average, 1)
    chance = throw.winning if by_chance else None
    return [
        total(throw.points, voice),
        f"{throw.lowest:2} {average:>4} {throw.highest:2}" if chance is None else average,
        signed(throw.crib, voice),
        signed(throw.pegging, voice),
        *([] if chance is None else [voice.language.percent(chance, 1)]),
        "".join(voice.faces.plain(each) for each in sorted(throw.given)),
    ]


def explained(rules: Rules, voice: Voice, *, dealer: bool, by_chance: bool = False) -> tuple[str, ...]:
    """The lines that explain the table's columns."""
    if dealer:
        crib = voice.gettext("crib: points it brings you on average")
    elif rules.sides > 2:
        crib = voice.gettext("crib: points it costs you on average, shared among the others")
    else:
        crib = voice.gettext("crib: points it costs you on average")
    if by_chance and rules.sides == 2:
        hand = voice.gettext("hand: average points with any starter")
    else:
        hand = voice.gettext("hand: fewest, average and most points with any starter")
    return (
        hand,
        crib,
        voice.gettext("peg: your points in the play, compared with most hands"),
    )
