"""Cards to choose two of for the crib, outside a game: buttons as in a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from discord import ButtonStyle

from bot.model.custom_ids import CustomId
from bot.render.layouts import Part, button, row
from bot.render.text.voice import Voice
from engine import Card, Cards

_CARDS_A_ROW: Final = 4
"""Card buttons in a row, as in a hand: phones wrap a fifth one to a line of its own."""


def discard_buttons(
    dealt: Cards, chosen: Cards, pick: Callable[[Cards], CustomId], give: CustomId, voice: Voice
) -> tuple[Part | None, Part | None]:
    """Two rows: the cards, and once two are `chosen` a button that discards them.

    `pick` has the custom_id of a card, from the cards that are chosen after its press.
    """
    cards = [_card(each, chosen, pick, voice) for each in dealt]
    below: list[Part] = cards[_CARDS_A_ROW:]
    if len(chosen) == 2:
        names = " ".join(_text(each, voice) for each in sorted(chosen))
        label = voice.gettext("Discard {cards}", cards=names)
        below.append(button(give, label, style=ButtonStyle.success))
    return row(*cards[:_CARDS_A_ROW]), row(*below)


def _card(card: Card, chosen: Cards, pick: Callable[[Cards], CustomId], voice: Voice) -> Part:
    """A card's button. A third card replaces the first."""
    is_chosen = card in chosen
    after = tuple(each for each in chosen if each != card) if is_chosen else (*chosen, card)[-2:]
    emoji = voice.faces.emoji(card)
    mark = "✓" if is_chosen else ""
    name = "" if emoji else _text(card, voice)
    style = ButtonStyle.primary if is_chosen else ButtonStyle.secondary
    label = " ".join(filter(None, (mark, name)))
    return button(pick(after), label, style=style, emoji=emoji)


def _text(card: Card, voice: Voice) -> str:
    """The card in a button's label, with its suit in the colour of the text, for contrast."""
    return f"{voice.faces.plain(card)}\N{VARIATION SELECTOR-15}"
