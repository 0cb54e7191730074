"""A small discord.py bot for the sandbox's own tests, which uses all that our bot uses of Discord's API."""

import asyncio
import contextlib
import io
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import discord
import yarl
from discord import app_commands, ui

from sandbox.model.media import plain_png
from sandbox.server import Sandbox
from tests.patience import PATIENCE


class Card(ui.DynamicItem[ui.Button], template=r"card:(?P<name>\w+)"):
    """A button whose state is all in its custom_id."""

    def __init__(self, name: str) -> None:
        super().__init__(ui.Button(label=name, custom_id=f"card:{name}"))
        self.name = name

    @classmethod
    async def from_custom_id(cls, _interaction: Any, _item: Any, match: re.Match[str], /) -> "Card":
        return cls(match["name"])

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"played {self.name}", ephemeral=True)


def table_drawing(text: str, *, image: str | None = None) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    parts: list[Any] = [ui.TextDisplay(text), ui.Separator()]
    if image is not None:
        parts.append(ui.MediaGallery(discord.MediaGalleryItem(image, description="the table")))
    parts.append(ui.Section(ui.TextDisplay("your hand"), accessory=Card("hand")))
    parts.append(ui.ActionRow(Card("5H"), Card("JD")))
    view.add_item(ui.Container(*parts, accent_color=0x2D7D46))
    return view


class NameForm(ui.Modal, title="Name the table"):
    name: Any = ui.Label(text="Name", component=ui.TextInput(custom_id="name", max_length=20))
    level: Any = ui.Label(
        text="Level",
        component=ui.Select(
            custom_id="level",
            options=[discord.SelectOption(label="easy"), discord.SelectOption(label="hard")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{self.name.component.value} {self.level.component.values}")


class TableBot(discord.Client):
    """Commands and components of every kind. `handlers` are called for the custom_ids of a test."""

    def __init__(self, intents: discord.Intents | None = None) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True),
            chunk_guilds_at_startup=False,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        # discord.py delays on_ready until no guild has arrived for this long; the sandbox has only one.
        self._connection.guild_ready_timeout = 0.05
        self.tree = app_commands.CommandTree(self)
        self.handlers: dict[str, Callable[[discord.Interaction], Any]] = {}
        self.interactions: list[discord.Interaction] = []
        self.heard: list[tuple[str, Any]] = []
        _add_commands(self)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Card)
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.interactions.append(interaction)
        data: Any = interaction.data or {}
        custom_id = data.get("custom_id")
        if custom_id in self.handlers:
            await self.handlers[custom_id](interaction)

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(("message", message.content))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.heard.append(("guild_remove", guild.id))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.heard.append(("guild_join", guild.id))

    async def on_resumed(self) -> None:
        self.heard.append(("resumed", None))

    async def on_guild_channel_delete(self, channel: Any) -> None:
        self.heard.append(("channel_delete", channel.id))


def _add_commands(bot: TableBot) -> None:
    group = app_commands.Group(name="crib", description="cribbage")
    deep = app_commands.Group(name="stats", description="figures", parent=group)

    @group.command(description="a new table")
    async def new(
        interaction: discord.Interaction, players: app_commands.Range[int, 2, 4], name: str = "table"
    ) -> None:
        await interaction.response.send_message(f"{name} for {players}", view=_plain_view())

    @group.command(description="play a card")
    async def play(interaction: discord.Interaction, card: str) -> None:
        await interaction.response.send_message(f"you play {card}", ephemeral=True)

    @play.autocomplete("card")
    async def cards(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=card, value=card) for card in ("5H", "5D", "JS") if typed in card]

    @group.command(description="the table as layout")
    async def table(interaction: discord.Interaction) -> None:
        file = discord.File(io.BytesIO(plain_png("#224466", 32)), "table.png", description="alt text")
        layout = table_drawing("fifteen two", image="attachment://table.png")
        await interaction.response.send_message(view=layout, file=file)

    @group.command(description="slow")
    @app_commands.choices(
        how=[app_commands.Choice(name="seen", value=0), app_commands.Choice(name="hidden", value=1)]
    )
    async def slow(interaction: discord.Interaction, how: app_commands.Choice[int]) -> None:
        await interaction.response.defer(ephemeral=bool(how.value), thinking=True)
        await interaction.edit_original_response(content="here it is")
        await interaction.followup.send("and one more", ephemeral=True)

    @group.command(description="never answers")
    async def silent(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0)

    @group.command(description="asks")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(NameForm())

    @group.command(description="invites somebody")
    async def invite(interaction: discord.Interaction, who: discord.Member) -> None:
        everyone = discord.AllowedMentions(users=[who], everyone=False)
        await interaction.response.send_message(f"{who.mention} and @everyone", allowed_mentions=everyone)

    @deep.command(name="mine", description="your figures")
    async def mine(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("no games yet", ephemeral=True)

    bot.tree.add_command(group)


def _plain_view() -> ui.View:
    view = ui.View(timeout=None)
    view.add_item(Card("5H"))
    view.add_item(ui.Button(label="later", custom_id="later", disabled=True))
    view.add_item(ui.Button(label="rules", url="https://example.org/rules"))
    select: ui.Select[Any] = ui.Select(
        custom_id="lay",
        min_values=2,
        max_values=2,
        options=[discord.SelectOption(label=card, value=card) for card in ("5H", "6H", "7H")],
    )
    view.add_item(select)
    return view


@contextlib.contextmanager
def pointed_at(url: str) -> Any:
    """Point discord.py to the sandbox, by the three assignments that our bot makes too."""
    from discord.asset import Asset
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, Asset.BASE
    Route.BASE = f"{url}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace("http", "ws", 1) + "/gateway")
    Asset.BASE = f"{url}/cdn"
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, Asset.BASE = before


@contextlib.asynccontextmanager
async def running(sandbox: Sandbox, bot: TableBot | None = None) -> AsyncIterator[TableBot]:
    """The bot, logged in and ready."""
    bot = bot or TableBot()
    with pointed_at(sandbox.url):
        task = asyncio.create_task(bot.start(sandbox.token))
        try:
            await _ready(bot, task)
            yield bot
        finally:
            await bot.close()
            await task


async def _ready(bot: TableBot, task: "asyncio.Task[None]") -> None:
    async with asyncio.timeout(PATIENCE):
        while not bot.is_ready():
            if task.done():
                task.result()
            await asyncio.sleep(0.01)
