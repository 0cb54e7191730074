"""The sub-commands of `/crib` about finished games and about oneself, and the buttons under their answers.

Each reads what was asked and calls an action; nothing is decided here.
"""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.interactions.actions import Interaction, asked
from bot.model.errors import StaleButton
from bot.render.stats.leaderboard import TITLES
from bot.standings.leaderboards import Board, Span
from bot.standings.page_ids import PageId, Wish

_BOARDS = [Choice(name=title, value=board.value) for board, title in TITLES.items()]
_SPANS = [Choice(name="this month", value=Span.MONTH.value), Choice(name="all games", value=Span.EVER.value)]


@app_commands.command(description="Games, skunks, streaks, averages and the best hand: yours or a player's.")
@app_commands.describe(player="Whose; yours unless you say otherwise")
async def stats(interaction: Interaction, player: discord.User | None = None) -> None:
    """Show a person's figures."""
    async with asked(interaction) as (actions, answer):
        await actions.stats.stats(answer, player or interaction.user)


@app_commands.command(description="The server's players, by rating, wins, win rate or best hand.")
@app_commands.describe(
    by="What it goes by; the rating of two players unless you say otherwise",
    games="Which games count; all unless you say otherwise",
)
@app_commands.choices(by=_BOARDS, games=_SPANS)
async def leaderboard(
    interaction: Interaction, by: str = Board.RATING.value, games: str = Span.EVER.value
) -> None:
    """Post a leaderboard."""
    async with asked(interaction) as (actions, answer):
        await actions.stats.leaderboard(answer, PageId(board=Board(by), span=Span(games), asker=answer.user))


@app_commands.command(description="What is kept about you and why; hide from leaderboards.")
@app_commands.describe(hide="Stand on no leaderboard, and keep your figures to yourself")
async def privacy(interaction: Interaction, hide: bool | None = None) -> None:
    """Say what is kept."""
    async with asked(interaction) as (actions, answer):
        await actions.stats.privacy(answer, hide=hide)


@app_commands.command(description="Get all that is kept about you as a file, by DM.")
async def export(interaction: Interaction) -> None:
    """Send a file of all that is kept."""
    async with asked(interaction) as (actions, answer):
        await actions.stats.export(answer)


@app_commands.command(name="forget-me", description="Be taken out of everything; you are asked once more.")
async def forget_me(interaction: Interaction) -> None:
    """Forget a person, once asked."""
    async with asked(interaction) as (actions, answer):
        await actions.stats.ask_to_forget(answer)


STATS_COMMANDS: tuple[app_commands.Command[Any, ..., None], ...] = (
    stats,
    leaderboard,
    privacy,
    export,
    forget_me,
)
"""What `/crib` has of these."""


async def turn_page(interaction: Interaction, match: re.Match[str]) -> None:
    """Turn to the page of a leaderboard that a button names, on any message, however old."""
    async with asked(interaction) as (actions, answer):
        try:
            at = PageId.from_match(match)
        except ValueError:
            raise StaleButton(0, 0) from None
        await actions.stats.turn(answer, at)


async def grant_wish(interaction: Interaction, match: re.Match[str]) -> None:
    """Forget the person who presses, or keep their data: the answer to whether they mean to be forgotten."""
    async with asked(interaction) as (actions, answer):
        match match["wish"]:
            case Wish.FORGET.value:
                await actions.stats.forget(answer)
            case Wish.KEEP.value:
                await actions.stats.keep(answer)
            case _:
                raise StaleButton(0, 0)
