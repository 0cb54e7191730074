"""The sub-commands of `/crib` that ask the coach. Each reads its options and asks the desk."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from bot.interactions import autocomplete as completion
from bot.interactions.answering import answering
from bot.interactions.host import Host
from bot.model.card_input import read_dealt
from bot.model.table_record import Agreement
from bot.render.text.rules import preset_choice
from engine import PRESETS

Interaction: TypeAlias = discord.Interaction[Host]

_RULES: list[Choice[str]] = [Choice(name=preset_choice(name), value=name) for name in PRESETS]
_PLAYERS: list[Choice[int]] = [
    Choice(name="two", value=2),
    Choice(name="three", value=3),
    Choice(name="four, as partners", value=4),
]


@app_commands.command(description="What is best now, and why; where the table agreed on hints, or alone.")
async def hint(interaction: Interaction) -> None:
    """Ask for advice."""
    desk = interaction.client.coaching
    async with answering(interaction, desk.announcer.faces) as answer:
        await desk.hint(answer)


@app_commands.command(description="What to keep of any cards: every choice, with what it is worth.")
@app_commands.describe(
    cards="The cards that you are dealt, such as 4c 5d 6h js 2d 9c",
    dealer="Whether you deal: then the crib is yours",
    rules="Whose rules; standard unless you say otherwise (see /crib rules)",
    players="How many play; two for six cards, three for five unless you say otherwise",
    everybody="Show it to everybody here",
)
@app_commands.choices(rules=_RULES)
@app_commands.choices(players=_PLAYERS)
@app_commands.autocomplete(cards=completion.dealt)
async def discards(
    interaction: Interaction,
    *,
    cards: Range[str, 1, 150],
    dealer: bool,
    rules: str = "standard",
    players: int | None = None,
    everybody: bool = False,
) -> None:
    """Weigh every way to discard."""
    desk = interaction.client.coaching
    async with answering(interaction, desk.announcer.faces) as answer:
        dealt, number = read_dealt(cards, players)
        agreement = Agreement.of(players=number, preset=rules)
        await desk.discards(answer, dealt, agreement, dealer=dealer, everybody=everybody)


@app_commands.command(description="Look back on your last game here: what was dear, and what was luck.")
async def review(interaction: Interaction) -> None:
    """Look back on a game."""
    desk = interaction.client.coaching
    async with answering(interaction, desk.announcer.faces) as answer:
        await desk.last_review(answer)


COACHING_COMMANDS: tuple[app_commands.Command[Any, ..., None], ...] = (hint, discards, review)
"""What `/crib` has of these."""
