"""Texts of the modal in which a player counts a hand aloud."""

from __future__ import annotations

from bot.render.text.turn import counts_now, is_crib
from bot.render.text.voice import Voice
from engine import PlayerView


def count_title(view: PlayerView, voice: Voice) -> str:
    """Title of the modal."""
    return voice.gettext("Count your crib") if is_crib(view.table) else voice.gettext("Count your hand")


def count_prompt(view: PlayerView, voice: Voice) -> str:
    """The question, with the hand's cards."""
    table = view.table
    if counts_now(table) != view.seat or table.starter is None:
        return voice.gettext("How many points?")
    return voice.gettext(
        "How many points? {cards} with {starter}",
        cards=voice.faces.all_plain(table.shown[-1].cards),
        starter=voice.faces.plain(table.starter),
    )
