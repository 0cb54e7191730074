"""Autocomplete for slash commands: legal moves only, the user's own cards only, and words of the game.

A choice only helps with typing: the move itself is checked again when it is made.
"""

from __future__ import annotations

from discord.app_commands import Choice

from bot.interactions.actions import Interaction
from bot.interactions.answering import let_stop_wait
from bot.model.card_input import read_dealt
from bot.model.errors import NotACard, WrongDeal
from bot.render.text.terms import matching
from engine import Cards, Discard, PlayerView, spell

_MOST = 25
"""Discord's limit of choices."""

_SUITS = str.maketrans("CDHS", "♣♦♥♠")


async def plays(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The cards that may be played now."""
    view = await _view(interaction)
    if view is None:
        return []
    return _matching([(played,) for played in view.legal_moves.playable], typed)


async def discards(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The cards that may be discarded together."""
    view = await _view(interaction)
    if view is None:
        return []
    return _matching([move.cards for move in view.legal_moves if isinstance(move, Discard)], typed)


async def dealt(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The cards that the user was dealt, before the play; or the typed ones, if they are enough."""
    view = await _view(interaction)
    own = () if view is None else tuple(sorted((*view.hand, *view.discarded)))
    offers = [own] if view is not None and len(own) == view.table.rules.dealt else []
    if found := _matching(offers, typed):
        return found
    try:
        read, _ = read_dealt(typed, None)
    except (NotACard, WrongDeal):
        return []
    return [Choice(name=_face(read), value=spell(read))]


async def terms(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The words that the help explains, in the user's language; English ones are found too."""
    let_stop_wait()  # discord.py answers with the result in this task
    voice = interaction.client.actions.tables.sync.voices.of(str(interaction.locale))
    return [Choice(name=each.named(voice), value=each.name) for each in matching(typed, voice)[:_MOST]]


async def _view(interaction: Interaction) -> PlayerView | None:
    let_stop_wait()  # discord.py answers with the result in this task
    session = await interaction.client.actions.tables.lookup.session(interaction)
    seat = session.record.seat_of(interaction.user.id) if session else None
    if session is None or seat is None:
        return None
    return session.game.view(seat)


def _matching(offers: list[Cards], typed: str) -> list[Choice[str]]:
    """The offers that contain every typed word, in players' notation of cards or the bot's."""
    words = typed.upper().replace("10", "T").translate(str.maketrans("♣♦♥♠", "CDHS")).split()
    fitting = [
        offer for offer in offers if all(any(str(each).startswith(word) for each in offer) for word in words)
    ]
    return [Choice(name=_face(offer), value=spell(offer)) for offer in fitting[:_MOST]]


def _face(offer: Cards) -> str:
    return " ".join(str(each).replace("T", "10").translate(_SUITS) for each in offer)
