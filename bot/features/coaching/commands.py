"""`/crib-coach` and its sub-commands. Each reads its options and calls an action."""

from __future__ import annotations

import re

from discord import app_commands
from discord.app_commands import Range

from bot.features.coaching.actions import CoachingActions
from bot.features.coaching.custom_ids import ChoicesId, DiscardsId, ScoreId
from bot.interactions import autocomplete, choices
from bot.interactions.actions import Interaction, handling
from bot.interactions.installs import anywhere
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.card_input import read_dealt, read_hand
from bot.model.errors import StaleButton
from bot.model.table_record import Agreement, Explaining

_NOT_COMPARED = frozenset({"five_card", "lowball", "captains"})
"""Rule sets whose discards cannot be compared by their cards alone, or that the coach does not know."""


@anywhere
class CribCoach(app_commands.Group):
    """The coach's commands."""

    def __init__(self, actions: CoachingActions) -> None:
        super().__init__(
            name="crib-coach", description=gettext_noop("Play better: hints, counting and reviews")
        )
        self._actions = actions

    @app_commands.command(
        name=pgettext_noop("command", "hint"),
        description=gettext_noop("The best move now, and why: alone, or where the table allows hints"),
    )
    async def hint(self, interaction: Interaction) -> None:
        """Ask for advice."""
        async with handling(interaction) as (_, answer):
            await self._actions.hint(answer)

    @app_commands.command(
        name=pgettext_noop("command", "discards"),
        description=gettext_noop("Compare every discard from any cards"),
    )
    @app_commands.describe(
        cards=gettext_noop("The cards that you are dealt, such as 4c 5d 6h js 2d 9c"),
        dealer=gettext_noop("Whether you deal, so that the crib is yours"),
        rules=gettext_noop("Rule set (default: standard)"),
        players=gettext_noop("How many play (default: 2 for six cards, 3 for five)"),
    )
    @app_commands.choices(rules=choices.rule_sets(2, 3, 4, but=_NOT_COMPARED))
    @app_commands.choices(players=choices.players("2", "3", gettext_noop("4, as partners")))
    @app_commands.autocomplete(cards=autocomplete.dealt)
    async def discards(
        self,
        interaction: Interaction,
        *,
        cards: Range[str, 1, 150],
        dealer: bool,
        rules: str = "standard",
        players: int | None = None,
    ) -> None:
        """Weigh every way to discard."""
        async with handling(interaction) as (_, answer):
            dealt, number = read_dealt(cards, players)
            agreement = Agreement.of(players=number, preset=rules)
            await self._actions.discards(answer, dealt, agreement, dealer=dealer)

    @app_commands.command(
        name=pgettext_noop("command", "score"), description=gettext_noop("Count any hand, with the reasons")
    )
    @app_commands.describe(
        hand=gettext_noop("The cards of the hand, such as 5h 5c 5s jd"),
        starter=gettext_noop("The starter, such as 5d"),
        crib=gettext_noop("Count it as a crib"),
        rules=gettext_noop("Rule set (default: this table's, else standard)"),
    )
    @app_commands.choices(rules=choices.rule_sets(2, 3, 4))
    async def score(
        self,
        interaction: Interaction,
        *,
        hand: Range[str, 1, 100],
        starter: Range[str, 1, 30],
        crib: bool = False,
        rules: str | None = None,
    ) -> None:
        """Count any hand."""
        async with handling(interaction) as (_, answer):
            held, turned = read_hand(hand, starter)
            await self._actions.score(answer, held, turned, rules, crib=crib)

    @app_commands.command(
        name=pgettext_noop("command", "review"),
        description=gettext_noop("Review your last game: mistakes and luck"),
    )
    async def review(self, interaction: Interaction) -> None:
        """Look back on a game."""
        async with handling(interaction) as (_, answer):
            await self._actions.last_review(answer)

    @app_commands.command(
        name=pgettext_noop("command", "explain"),
        description=gettext_noop("Have each score of your game here explained in your hand"),
    )
    @app_commands.describe(on=gettext_noop("False to stop explaining (default: True)"))
    async def explain(self, interaction: Interaction, *, on: bool = True) -> None:
        """Turn explanations on or off."""
        async with handling(interaction) as (actions, answer):
            game = (await actions.tables.lookup.table(interaction)).game
            await actions.tables.explain(answer, game, Explaining.ON if on else Explaining.OFF)


async def share_discards(
    actions: CoachingActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle *Show everybody* under a comparison of discards."""
    async with handling(interaction) as (_, answer):
        at = DiscardsId.from_match(match)
        try:
            agreement = Agreement.of(players=at.players, preset=at.preset)
        except (KeyError, ValueError):
            raise StaleButton(0, 0) from None
        await actions.discards(answer, at.dealt, agreement, dealer=at.dealer, shared=True)


async def share_score(
    actions: CoachingActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle *Show everybody* under a counted hand."""
    async with handling(interaction) as (_, answer):
        at = ScoreId.from_match(match)
        try:
            await actions.score(answer, at.hand, at.starter, at.preset, crib=at.is_crib, shared=True)
        except KeyError:
            raise StaleButton(0, 0) from None


async def share_accuracy(
    actions: CoachingActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle *Show everybody* under a review."""
    async with handling(interaction) as (_, answer):
        await actions.share_accuracy(answer, match["game"])


async def show_choices(
    actions: CoachingActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle *All 15* under a hint."""
    async with handling(interaction) as (_, answer):
        await actions.choices(answer, ChoicesId.from_match(match))
