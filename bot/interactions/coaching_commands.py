"""The sub-commands of `/crib` that ask the coach. Each reads its options and calls an action."""

from __future__ import annotations

from typing import Any

from discord import app_commands
from discord.app_commands import Range

from bot.interactions import autocomplete, choices
from bot.interactions.actions import Interaction, asked
from bot.model.card_input import read_dealt
from bot.model.table_record import Agreement


@app_commands.command(description="What is best now, and why; where the table agreed on hints, or alone.")
async def hint(interaction: Interaction) -> None:
    """Ask for advice."""
    async with asked(interaction) as (actions, answer):
        await actions.coaching.hint(answer)


@app_commands.command(description="What to keep of any cards: every choice, with what it is worth.")
@app_commands.describe(
    cards="The cards that you are dealt, such as 4c 5d 6h js 2d 9c",
    dealer="Whether you deal: then the crib is yours",
    rules="Whose rules; standard unless you say otherwise (see /crib rules)",
    players="How many play; two for six cards, three for five unless you say otherwise",
    everybody="Show it to everybody here",
)
@app_commands.choices(rules=choices.RULES)
@app_commands.choices(players=choices.players(four="four, as partners"))
@app_commands.autocomplete(cards=autocomplete.dealt)
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
    async with asked(interaction) as (actions, answer):
        dealt, number = read_dealt(cards, players)
        agreement = Agreement.of(players=number, preset=rules)
        await actions.coaching.discards(answer, dealt, agreement, dealer=dealer, everybody=everybody)


@app_commands.command(description="Look back on your last game here: what was dear, and what was luck.")
async def review(interaction: Interaction) -> None:
    """Look back on a game."""
    async with asked(interaction) as (actions, answer):
        await actions.coaching.last_review(answer)


COACHING_COMMANDS: tuple[app_commands.Command[Any, ..., None], ...] = (hint, discards, review)
"""What `/crib` has of these."""
