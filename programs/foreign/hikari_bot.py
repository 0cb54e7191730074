"""The bot of `programs/foreign/steps.py` in hikari: it does what its commands and buttons say.

URL and TOKEN come by the environment; the first line of its output is the library's version. It runs in an
environment of its own, which has hikari and nothing of this project.
"""

from __future__ import annotations

import os
from typing import Any

import hikari

bot: Any = hikari.GatewayBot(
    os.environ["TOKEN"],
    rest_url=f"{os.environ['URL']}/api/v10",
    intents=hikari.Intents.GUILDS,
    banner=None,
    suppress_optimization_warning=True,
)
posted: list[Any] = []
ANSWER = hikari.ResponseType.MESSAGE_CREATE
UPDATE = hikari.ResponseType.MESSAGE_UPDATE


async def answer(interaction: Any) -> None:
    await interaction.create_initial_response(ANSWER, "Answered.")


async def defer(interaction: Any) -> None:
    await interaction.create_initial_response(hikari.ResponseType.DEFERRED_MESSAGE_CREATE)
    await interaction.edit_initial_response("Edited.")


async def follow(interaction: Any) -> None:
    await interaction.create_initial_response(ANSWER, "First.")
    await interaction.execute("For you alone.", flags=hikari.MessageFlag.EPHEMERAL)


async def panel(interaction: Any) -> None:
    row = bot.rest.build_message_action_row()
    for name in ("update", "acknowledge", "ask"):
        row.add_interactive_button(hikari.ButtonStyle.SECONDARY, name, label=name)
    menu = bot.rest.build_message_action_row().add_text_menu("choice", min_values=1)
    select = menu.add_option("First", "first").add_option("Second", "second").parent
    await interaction.create_initial_response(ANSWER, "A panel.", components=[row, select])


async def suggest(interaction: Any) -> None:
    await interaction.create_initial_response(ANSWER, f"Suggested: {interaction.options[0].value}")


async def post(interaction: Any) -> None:
    file = hikari.Bytes(b"A file.", "note.txt")
    posted[:] = [await bot.rest.create_message(interaction.channel_id, "With a file.", attachment=file)]
    await interaction.create_initial_response(ANSWER, "Posted.")


async def edit(interaction: Any) -> None:
    posted[:] = [await posted[0].edit("Edited, with its file.", attachments=posted[0].attachments)]
    await interaction.create_initial_response(ANSWER, "Edited.")


async def dm(interaction: Any) -> None:
    channel = await bot.rest.create_dm_channel(interaction.user)
    await channel.send("A direct message.")
    await interaction.create_initial_response(ANSWER, "Sent.")


async def hurry(interaction: Any) -> None:
    await bot.rest.create_message(interaction.channel_id, "After a wait.")
    await interaction.create_initial_response(ANSWER, "Waited.")


async def wrong(interaction: Any) -> None:
    told = "nothing"
    try:
        await bot.rest.create_message(interaction.channel_id, "x" * 2001, flags="many")
    except hikari.BadRequestError as error:
        told = f"{error.status.value} {error.code}"
    await interaction.create_initial_response(ANSWER, f"Refused: {told}")


async def update(interaction: Any) -> None:
    await interaction.create_initial_response(UPDATE, "Updated.")


async def acknowledge(interaction: Any) -> None:
    await interaction.create_initial_response(hikari.ResponseType.DEFERRED_MESSAGE_UPDATE)
    await interaction.edit_initial_response("Acknowledged.")


async def ask(interaction: Any) -> None:
    row = bot.rest.build_modal_action_row().add_text_input("words", "Words")
    await interaction.create_modal_response("A question", "asked", components=[row])


async def choice(interaction: Any) -> None:
    await interaction.create_initial_response(UPDATE, f"Chosen: {interaction.values[0]}")


COMMANDS = (answer, defer, follow, panel, suggest, post, edit, dm, hurry, wrong)
BUTTONS = (update, acknowledge, ask, choice)
BY_NAME = {each.__name__: each for each in (*COMMANDS, *BUTTONS)}


async def register(_event: Any) -> None:
    """Register the commands."""
    builders = {
        each.__name__: bot.rest.slash_command_builder(each.__name__, f"Tries {each.__name__}.")
        for each in COMMANDS
    }
    option = hikari.CommandOption(
        type=hikari.OptionType.STRING, name="word", description="A word.", autocomplete=True
    )
    builders["suggest"].add_option(option)
    application = await bot.rest.fetch_application()
    await bot.rest.set_application_commands(application, list(builders.values()))


async def hear(event: Any) -> None:
    """Do what was asked."""
    interaction = event.interaction
    match interaction.type:
        case hikari.InteractionType.AUTOCOMPLETE:
            typed = f"{interaction.options[0].value}!"
            await interaction.create_response([hikari.impl.AutocompleteChoiceBuilder(typed, typed)])
        case hikari.InteractionType.APPLICATION_COMMAND:
            await BY_NAME[interaction.command_name](interaction)
        case hikari.InteractionType.MODAL_SUBMIT:
            words = interaction.components[0][0].value
            await interaction.create_initial_response(ANSWER, f"Told: {words}")
        case _:
            await BY_NAME[interaction.custom_id](interaction)


print(f"hikari {hikari.__version__}", flush=True)
bot.subscribe(hikari.StartedEvent, register)
bot.subscribe(hikari.InteractionCreateEvent, hear)
bot.run(check_for_updates=False)
