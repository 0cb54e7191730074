"""`/crib` and its sub-commands. Each reads its options and calls an action; nothing is decided here.

`/crib` is for the table, and has twenty sub-commands at most: more would be out of sight. The rest is in
groups of their own, such as `/crib-data` and those of features: Discord sorts commands by name and lists what
begins with the letters typed, so that `/crib` shows them all, and a hyphen keeps them together.

`/crib new` has few options, because a list of ten hides them all: what decides who plays (`with`, `computer`,
`players`), what most tables choose (`rules`, `length`, `games`), and what is fixed with the table's first
message.
Everything else (counting, muggins, time, hints, partners, single rules) is set in the lobby's *Rules*, where
each says what it is now.
"""

from __future__ import annotations

from collections.abc import Callable

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from bot.interactions import autocomplete, choices
from bot.interactions.actions import Actions, Interaction, asked
from bot.interactions.answering import Answer
from bot.interactions.data_commands import CribData
from bot.interactions.registry import Command
from bot.language.languages import later, later_as
from bot.model.card_input import read_card, read_cards
from bot.model.errors import DamagedGame
from bot.model.table_record import Agreement, Board, Status
from bot.render.messages.help import help_drawing
from bot.render.text.rules import rules_drawing
from engine import (
    CallMuggins,
    ClaimHeels,
    CountAloud,
    Discard,
    LetStand,
    Move,
    PlayCard,
    SayGo,
    Seat,
)
from engine.computer import Level

_BOARDS: list[Choice[str]] = [
    Choice(name=later("a picture"), value=Board.PICTURES.value),
    Choice(name=later("text"), value=Board.TEXT.value),
]
_GAMES: list[Choice[int]] = [
    Choice(name=later("one game"), value=1),
    Choice(name=later("best of three"), value=3),
    Choice(name=later("best of five"), value=5),
]
_LENGTHS: list[Choice[int]] = [
    Choice(name=later("121: twice around the board"), value=121),
    Choice(name=later("61: once around the board"), value=61),
]


@app_commands.guild_install()
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Crib(app_commands.Group):
    """The table in this channel: opening it, playing at it, closing it."""

    def __init__(self) -> None:
        super().__init__(name="crib", description=later("Play cribbage in this channel"))

    @app_commands.command(name=later_as("command", "new"), description=later("Open a table in this channel"))
    @app_commands.describe(
        opponent=later("Call somebody to play"),
        computer=later("Start at once: the computer takes every other seat"),
        players=later("How many play (default: 2)"),
        rules=later("Rule set (default: standard)"),
        length=later("How far to play (default: as the rule set says)"),
        games=later("Play a match of several games (default: one game)"),
        thread=later("Play in a thread of its own, opened when the game starts"),
        board=later("How the board is shown (default: as this server has it)"),
    )
    @app_commands.rename(opponent="with")
    @app_commands.choices(players=choices.players(four=later("4")), length=_LENGTHS, games=_GAMES)
    @app_commands.choices(rules=choices.rule_sets(2, 3, 4), computer=choices.LEVELS, board=_BOARDS)
    async def new(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        computer: str | None = None,
        players: int | None = None,
        rules: str = "standard",
        length: int | None = None,
        games: int = 1,
        thread: bool = False,
        board: str | None = None,
    ) -> None:
        """Open a table."""
        async with asked(interaction) as (actions, answer):
            agreement = Agreement.of(players=players, preset=rules, target=length, best_of=games)
            await actions.tables.open_table(
                answer,
                agreement,
                Level(computer) if computer else None,
                calls=opponent,
                board=Board(board) if board else None,
                thread=thread,
            )

    @app_commands.command(
        name=later_as("command", "join"),
        description=later("Take a seat at the table, or give one to the computer"),
    )
    @app_commands.describe(computer=later("Seat the computer instead, or let it play for an absent player"))
    @app_commands.choices(computer=choices.LEVELS)
    async def join(self, interaction: Interaction, computer: str | None = None) -> None:
        """Sit down, or seat a computer."""
        async with asked(interaction) as (actions, answer):
            record = await actions.tables.lookup.table(interaction)
            if computer is None:
                await actions.tables.join(answer, record.game)
            elif record.status is Status.PLAYING:
                await actions.substitutes.propose(answer, record.game, Level(computer))
            else:
                await actions.tables.add_computer(answer, record.game, Level(computer))

    @app_commands.command(
        name=later_as("command", "leave"), description=later("Leave the table before the game starts")
    )
    @app_commands.describe(computer=later("Send away the computer that came last, and stay"))
    async def leave(self, interaction: Interaction, computer: bool = False) -> None:
        """Stand up, or send a computer away."""
        async with asked(interaction) as (actions, answer):
            game = (await actions.tables.lookup.table(interaction)).game
            await (actions.tables.remove_computer if computer else actions.tables.leave)(answer, game)

    @app_commands.command(name=later_as("command", "start"), description=later("Start the game"))
    async def start(self, interaction: Interaction) -> None:
        """Begin the game."""
        async with asked(interaction) as (actions, answer):
            await actions.tables.start(answer, (await actions.tables.lookup.table(interaction)).game)

    @app_commands.command(
        name=later_as("command", "rematch"), description=later("Play the same people again")
    )
    async def rematch(self, interaction: Interaction) -> None:
        """Ask for a rematch, or sit down for the one that somebody has asked for."""
        async with asked(interaction) as (actions, answer):
            before = await actions.tables.lookup.game_before(interaction)
            if before is not None:
                await actions.tables.rematch(answer, before.game)
            else:
                table = await actions.tables.lookup.table(interaction)
                again = actions.tables.start if table.goes_on_in_match else actions.tables.join
                await again(answer, table.game)

    @app_commands.command(
        name=later_as("command", "hand"), description=later("See your cards; nobody else does")
    )
    async def hand(self, interaction: Interaction) -> None:
        """Show one's own hand."""
        async with asked(interaction) as (actions, answer):
            await actions.tables.show_hand(answer, (await actions.tables.lookup.table(interaction)).game)

    @app_commands.command(name=later_as("command", "deal"), description=later("Deal the next hand at once"))
    async def deal(self, interaction: Interaction) -> None:
        """Deal."""
        async with asked(interaction) as (actions, answer):
            await actions.tables.deal(answer, (await actions.tables.lookup.table(interaction)).game)

    @app_commands.command(name=later_as("command", "discard"), description=later("Give cards to the crib"))
    @app_commands.describe(cards=later("The cards to give, such as 5h 10d"))
    @app_commands.autocomplete(cards=autocomplete.discards)
    async def discard(self, interaction: Interaction, cards: Range[str, 1, 100]) -> None:
        """Discard."""
        async with asked(interaction) as (actions, answer):
            given = read_cards(cards)
            await _move(actions, answer, lambda seat: Discard(seat, given))

    @app_commands.command(name=later_as("command", "play"), description=later("Play a card"))
    @app_commands.describe(
        card=later("The card, such as 5h or J♠"), points=later("With muggins: the points you call for it")
    )
    @app_commands.autocomplete(card=autocomplete.plays)
    async def play(
        self, interaction: Interaction, card: Range[str, 1, 30], points: Range[int, 0, 29] | None = None
    ) -> None:
        """Play a card."""
        async with asked(interaction) as (actions, answer):
            played = read_card(card)
            await _move(actions, answer, lambda seat: PlayCard(seat, played, points))

    @app_commands.command(
        name=later_as("command", "go"), description=later("Say go when every card would pass 31")
    )
    async def go(self, interaction: Interaction) -> None:
        """Say go."""
        async with asked(interaction) as (actions, answer):
            await _move(actions, answer, SayGo)

    @app_commands.command(
        name=later_as("command", "cut"), description=later("Cut the deck for the starter or the deal")
    )
    @app_commands.describe(place=later("How many cards to lift off (default: somewhere in the middle)"))
    async def cut(self, interaction: Interaction, place: Range[int, 1, 51] | None = None) -> None:
        """Cut for the starter, or for the first deal."""
        async with asked(interaction) as (actions, answer):
            await actions.tables.cut(
                answer, (await actions.tables.lookup.table(interaction)).game, place, exactly=True
            )

    @app_commands.command(
        name=later_as("command", "claim"), description=later("Claim his heels for the jack you turned up")
    )
    async def claim(self, interaction: Interaction) -> None:
        """Claim his heels, where the rules want it."""
        async with asked(interaction) as (actions, answer):
            await _move(actions, answer, ClaimHeels)

    @app_commands.command(
        name=later_as("command", "count"), description=later("Count your hand or crib aloud")
    )
    @app_commands.describe(points=later("What you count"))
    async def count(self, interaction: Interaction, points: Range[int, 0, 29]) -> None:
        """Count aloud."""
        async with asked(interaction) as (actions, answer):
            await _move(actions, answer, lambda seat: CountAloud(seat, points))

    @app_commands.command(
        name=later_as("command", "muggins"), description=later("Take the points that an opponent missed")
    )
    @app_commands.describe(points=later("How many points were missed; 0 if none"))
    async def muggins(self, interaction: Interaction, points: Range[int, 0, 29]) -> None:
        """Call muggins, or let the count stand."""
        async with asked(interaction) as (actions, answer):
            if points:
                await _move(actions, answer, lambda seat: CallMuggins(seat, points))
            else:
                await _move(actions, answer, LetStand)

    @app_commands.command(
        name=later_as("command", "table"),
        description=later("Bring the table to the bottom of the channel"),
    )
    async def table(self, interaction: Interaction) -> None:
        """Post the table again."""
        async with asked(interaction) as (actions, answer):
            await actions.tables.repost(answer, await actions.tables.lookup.table(interaction))

    @app_commands.command(
        name=later_as("command", "resign"), description=later("Give up the game (asks first)")
    )
    @app_commands.describe(sure=later("Resign at once, without being asked"))
    async def resign(self, interaction: Interaction, sure: bool = False) -> None:
        """Resign, once asked."""
        async with asked(interaction) as (actions, answer):
            game = (await actions.tables.lookup.table(interaction)).game
            await (actions.tables.resign if sure else actions.tables.ask_to_resign)(answer, game)

    @app_commands.command(
        name=later_as("command", "end"), description=later("Close the table, or end the game if all agree")
    )
    async def end(self, interaction: Interaction) -> None:
        """Close the table, or end the game without playing it out."""
        async with asked(interaction) as (actions, answer):
            try:
                record = await actions.tables.lookup.table(interaction)
            except DamagedGame as damaged:
                await actions.ending.clear(answer, damaged)
            else:
                await actions.ending.end(answer, record)

    @app_commands.command(name=later_as("command", "rules"), description=later("The rules of this table"))
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        async with asked(interaction) as (actions, answer):
            agreement = await actions.tables.lookup.agreement(interaction)
            await answer.show(rules_drawing(agreement, answer.voice))

    @app_commands.command(name=later_as("command", "help"), description=later("How to play in a minute"))
    async def help(self, interaction: Interaction) -> None:
        """Show the help."""
        async with asked(interaction) as (_, answer):
            await answer.show(help_drawing(answer.voice))


@app_commands.guild_install()
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
@app_commands.command(
    name="crib-settings",
    description=later("For moderators: how tables in this server speak and look"),
)
async def settings(interaction: Interaction) -> None:
    """Open the settings of the server."""
    async with asked(interaction) as (actions, answer):
        await actions.servers.open(answer)


@app_commands.guild_install()
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.context_menu(name=later_as("command", "Challenge to cribbage"))
async def challenge(interaction: Interaction, user: discord.User) -> None:
    """Open a table for two and call that person; on the bot itself, play its computer."""
    async with asked(interaction) as (actions, answer):
        await actions.tables.open_table(answer, Agreement(), calls=user)


def commands() -> tuple[Command, ...]:
    """The table's own top-level commands; groups are new ones, as features add commands to them."""
    return (Crib(), CribData(), settings, challenge)


async def _move(actions: Actions, answer: Answer, make: Callable[[Seat], Move]) -> None:
    record = await actions.tables.lookup.table(answer.interaction)
    await actions.tables.move(answer, record.game, make)
