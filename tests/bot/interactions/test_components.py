"""Controls are made from their custom_ids without a look at anything: discord.py drops errors there."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import create_autospec

import discord
import pytest
from discord import ui

from bot.interactions.components import Control
from bot.interactions.stats_commands import PageButton, WishButton
from bot.model.custom_ids import TEMPLATE
from bot.standings.page_ids import PERSON, RANK


@pytest.mark.parametrize(
    ("kind", "template", "custom_id"),
    [
        (Control, TEMPLATE, "crib:k3f9a:1:nonsense"),
        (PageButton, RANK, "rank:nonsense:ever:1:5"),
        (WishButton, PERSON, "person:nonsense"),
    ],
)
@pytest.mark.parametrize("component", [ui.Button, ui.Select])
async def test_a_control_is_made_from_any_component(
    kind: Any, template: re.Pattern[str], custom_id: str, component: type[ui.Button[Any] | ui.Select[Any]]
) -> None:
    item = component(custom_id=custom_id)
    interaction = create_autospec(discord.Interaction, instance=True)
    made = await kind.from_custom_id(interaction, item, template.fullmatch(custom_id))
    assert made.item is item
