"""`/crib` and its sub-commands. Each reads its options and calls an action.

`/crib` is for the table, and is limited to twenty sub-commands, so that they stay in sight. The other groups,
such as `/crib-data` and those of features, share its prefix: Discord sorts commands by name and lists those
that begin with the typed letters, so `/crib` shows them all.

`/crib new` has few options, since a list of ten hides them all: the players (`with`, `computer`, `players`),
the usual choices (`rules`, `length`, `games`), and what the table's first message settles. Everything else
(counting, muggins, time, hints, partners, single rules) is set in the lobby's *Rules*, which show the present
values.
"""

from __future__ import annotations

from collections.abc import Callable

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from bot.interactions import autocomplete, choices
from bot.interactions.actions import Actions, Interaction, handling
from bot.interactions.answering import Answer
from bot.interactions.data_commands import CribData
from bot.interactions.installs import anywhere
from bot.interactions.registry import Command
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.card_input import read_card, read_cards
from bot.model.errors import DamagedGame
from bot.model.table_record import Agreement, Board, Status
from bot.render.messages.help import help_drawing
from bot.render.text.rules import rules_drawing
from bot.render.text.terms import explained
from engine import (
    MOST_SEATS,
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

_NUMBERS = range(2, MOST_SEATS + 1)
"""Numbers of players."""
_BOARDS: list[Choice[str]] = [
    Choice(name=gettext_noop("a picture"), value=Board.PICTURES.value),
    Choice(name=gettext_noop("text"), value=Board.TEXT.value),
]
_GAMES: list[Choice[int]] = [
    Choice(name=gettext_noop("one game"), value=1),
    Choice(name=gettext_noop("best of three"), value=3),
    Choice(name=gettext_noop("best of five"), value=5),
]
_LENGTHS: list[Choice[int]] = [
    Choice(name=gettext_noop("121: twice around the board"), value=121),
    Choice(name=gettext_noop("61: once around the board"), value=61),
]


@anywhere
class Crib(app_commands.Group):
    """The table in this channel: opening it, playing at it, closing it."""

    def __init__(self) -> None:
        super().__init__(name="crib", description=gettext_noop("Play cribbage in this channel"))

    @app_commands.command(
        name=pgettext_noop("command", "new"), description=gettext_noop("Open a table in this channel")
    )
    @app_commands.describe(
        opponent=gettext_noop("Call somebody to play"),
        computer=gettext_noop("Start at once: the computer takes every other seat"),
        players=gettext_noop("How many play (default: 2)"),
        rules=gettext_noop("Rule set (default: standard)"),
        length=gettext_noop("How far to play (default: as the rule set says)"),
        games=gettext_noop("Play a match of several games (default: one game)"),
        thread=gettext_noop("Play in a thread of its own, opened when the game starts"),
        board=gettext_noop("How the board is shown (default: as this server has it)"),
    )
    @app_commands.rename(opponent="with")
    @app_commands.choices(players=choices.players(*map(str, _NUMBERS)), length=_LENGTHS, games=_GAMES)
    @app_commands.choices(rules=choices.rule_sets(*_NUMBERS), computer=choices.LEVELS, board=_BOARDS)
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
        async with handling(interaction) as (actions, answer):
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
        name=pgettext_noop("command", "join"),
        description=gettext_noop("Take a seat at the table, or give one to the computer"),
    )
    @app_commands.describe(
        computer=gettext_noop("Seat the computer instead, or let it play for an absent player")
    )
    @app_commands.choices(computer=choices.LEVELS)
    async def join(self, interaction: Interaction, computer: str | None = None) -> None:
        """Sit down, or seat a computer."""
        async with handling(interaction) as (actions, answer):
            record = await actions.tables.table_of(answer)
            if computer is None:
                await actions.tables.join(answer, record.game)
            elif record.status is Status.PLAYING:
                await actions.substitutes.propose(answer, record.game, Level(computer))
            else:
                await actions.tables.add_computer(answer, record.game, Level(computer))

    @app_commands.command(
        name=pgettext_noop("command", "leave"),
        description=gettext_noop("Leave the table before the game starts"),
    )
    @app_commands.describe(computer=gettext_noop("Send away the computer that came last, and stay"))
    async def leave(self, interaction: Interaction, computer: bool = False) -> None:
        """Stand up, or send a computer away."""
        async with handling(interaction) as (actions, answer):
            game = (await actions.tables.table_of(answer)).game
            await (actions.tables.remove_computer if computer else actions.tables.leave)(answer, game)

    @app_commands.command(name=pgettext_noop("command", "start"), description=gettext_noop("Start the game"))
    async def start(self, interaction: Interaction) -> None:
        """Begin the game."""
        async with handling(interaction) as (actions, answer):
            await actions.tables.start(answer, (await actions.tables.table_of(answer)).game)

    @app_commands.command(
        name=pgettext_noop("command", "rematch"), description=gettext_noop("Play the same people again")
    )
    async def rematch(self, interaction: Interaction) -> None:
        """Ask for a rematch, or join one."""
        async with handling(interaction) as (actions, answer):
            before = await actions.tables.lookup.game_before(interaction)
            if before is not None:
                await actions.tables.rematch(answer, before.game)
            else:
                table = await actions.tables.table_of(answer)
                again = actions.tables.start if table.goes_on_in_match else actions.tables.join
                await again(answer, table.game)

    @app_commands.command(
        name=pgettext_noop("command", "hand"), description=gettext_noop("See your cards; nobody else does")
    )
    async def hand(self, interaction: Interaction) -> None:
        """Show one's own hand."""
        async with handling(interaction) as (actions, answer):
            table = await actions.tables.table_of(answer, to_look=True)
            await actions.tables.show_hand(answer, table.game)

    @app_commands.command(
        name=pgettext_noop("command", "deal"), description=gettext_noop("Deal the next hand at once")
    )
    async def deal(self, interaction: Interaction) -> None:
        """Deal."""
        async with handling(interaction) as (actions, answer):
            await actions.tables.deal(answer, (await actions.tables.table_of(answer)).game)

    @app_commands.command(
        name=pgettext_noop("command", "discard"), description=gettext_noop("Give cards to the crib")
    )
    @app_commands.describe(cards=gettext_noop("The cards to give, such as 5h 10d"))
    @app_commands.autocomplete(cards=autocomplete.discards)
    async def discard(self, interaction: Interaction, cards: Range[str, 1, 100]) -> None:
        """Discard."""
        async with handling(interaction) as (actions, answer):
            given = read_cards(cards)
            await _move(actions, answer, lambda seat: Discard(seat, given))

    @app_commands.command(name=pgettext_noop("command", "play"), description=gettext_noop("Play a card"))
    @app_commands.describe(
        card=gettext_noop("The card, such as 5h or J♠"),
        points=gettext_noop("With muggins: the points you call for it"),
    )
    @app_commands.autocomplete(card=autocomplete.plays)
    async def play(
        self, interaction: Interaction, card: Range[str, 1, 30], points: Range[int, 0, 29] | None = None
    ) -> None:
        """Play a card."""
        async with handling(interaction) as (actions, answer):
            played = read_card(card)
            await _move(actions, answer, lambda seat: PlayCard(seat, played, points))

    @app_commands.command(
        name=pgettext_noop("command", "go"), description=gettext_noop("Say go when every card would pass 31")
    )
    async def go(self, interaction: Interaction) -> None:
        """Say go."""
        async with handling(interaction) as (actions, answer):
            await _move(actions, answer, SayGo)

    @app_commands.command(
        name=pgettext_noop("command", "cut"),
        description=gettext_noop("Cut the deck for the starter or the deal"),
    )
    @app_commands.describe(
        place=gettext_noop("How many cards to lift off (default: somewhere in the middle)")
    )
    async def cut(self, interaction: Interaction, place: Range[int, 1, 51] | None = None) -> None:
        """Cut for the starter, or for the first deal."""
        async with handling(interaction) as (actions, answer):
            await actions.tables.cut(
                answer, (await actions.tables.table_of(answer)).game, place, exactly=True
            )

    @app_commands.command(
        name=pgettext_noop("command", "claim"),
        description=gettext_noop("Claim his heels for the jack you turned up"),
    )
    async def claim(self, interaction: Interaction) -> None:
        """Claim his heels, where the rules want it."""
        async with handling(interaction) as (actions, answer):
            await _move(actions, answer, ClaimHeels)

    @app_commands.command(
        name=pgettext_noop("command", "count"), description=gettext_noop("Count your hand or crib aloud")
    )
    @app_commands.describe(points=gettext_noop("What you count"))
    async def count(self, interaction: Interaction, points: Range[int, 0, 29]) -> None:
        """Count aloud."""
        async with handling(interaction) as (actions, answer):
            await _move(actions, answer, lambda seat: CountAloud(seat, points))

    @app_commands.command(
        name=pgettext_noop("command", "muggins"),
        description=gettext_noop("Take the points that an opponent missed"),
    )
    @app_commands.describe(points=gettext_noop("How many points were missed; 0 if none"))
    async def muggins(self, interaction: Interaction, points: Range[int, 0, 29]) -> None:
        """Call muggins, or let the count stand."""
        async with handling(interaction) as (actions, answer):
            if points:
                await _move(actions, answer, lambda seat: CallMuggins(seat, points))
            else:
                await _move(actions, answer, LetStand)

    @app_commands.command(
        name=pgettext_noop("command", "table"),
        description=gettext_noop("Bring the table to the bottom of the channel"),
    )
    async def table(self, interaction: Interaction) -> None:
        """Post the table again."""
        async with handling(interaction) as (actions, answer):
            table = await actions.tables.lookup.table(interaction)
            await actions.tables.require_member(answer, table.game)
            await actions.tables.repost(answer, table)

    @app_commands.command(
        name=pgettext_noop("command", "resign"), description=gettext_noop("Give up the game (asks first)")
    )
    @app_commands.describe(sure=gettext_noop("Resign at once, without being asked"))
    async def resign(self, interaction: Interaction, sure: bool = False) -> None:
        """Resign, after a confirmation."""
        async with handling(interaction) as (actions, answer):
            game = (await actions.tables.table_of(answer)).game
            await (actions.tables.resign if sure else actions.tables.ask_to_resign)(answer, game)

    @app_commands.command(
        name=pgettext_noop("command", "end"),
        description=gettext_noop("Close the table, or end the game if all agree"),
    )
    async def end(self, interaction: Interaction) -> None:
        """Close the table, or end the game without playing it out."""
        async with handling(interaction) as (actions, answer):
            try:
                record = await actions.tables.table_of(answer)
            except DamagedGame as damaged:
                await actions.ending.clear(answer, damaged)
            else:
                await actions.ending.end(answer, record)

    @app_commands.command(
        name=pgettext_noop("command", "rules"), description=gettext_noop("The rules of this table")
    )
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        async with handling(interaction) as (actions, answer):
            agreement = await actions.tables.lookup.agreement(interaction)
            await answer.show(rules_drawing(agreement, answer.voice))

    @app_commands.command(
        name=pgettext_noop("command", "help"), description=gettext_noop("How to play in a minute")
    )
    @app_commands.describe(word=gettext_noop("A word of the game to explain, such as crib or muggins"))
    @app_commands.autocomplete(word=autocomplete.terms)
    async def help(self, interaction: Interaction, word: Range[str, 1, 40] | None = None) -> None:
        """Show the help, or explain a word."""
        async with handling(interaction) as (actions, answer):
            agreement = await actions.tables.lookup.agreement(interaction) or Agreement()
            voice = answer.voice.by(agreement.preset)
            if word is None:
                await answer.show(help_drawing(voice, rules=agreement.rules))
            else:
                await answer.reply(explained(word, voice, agreement.rules))


@app_commands.guild_install()
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
@app_commands.default_permissions(manage_guild=True)
@app_commands.command(
    name="crib-settings",
    description=gettext_noop("For moderators: how tables in this server speak and look"),
)
async def settings(interaction: Interaction) -> None:
    """Open the settings of the server."""
    async with handling(interaction) as (actions, answer):
        await actions.servers.open(answer)


@anywhere
@app_commands.context_menu(name=pgettext_noop("command", "Challenge to cribbage"))
async def challenge(interaction: Interaction, user: discord.User) -> None:
    """Open a table for two and challenge that person; on the bot itself, play its computer."""
    async with handling(interaction) as (actions, answer):
        await actions.tables.open_table(answer, Agreement(), calls=user)


def commands() -> tuple[Command, ...]:
    """The table's own top-level commands; groups are new each time, as features add commands to them."""
    return (Crib(), CribData(), settings, challenge)


async def _move(actions: Actions, answer: Answer, make: Callable[[Seat], Move]) -> None:
    record = await actions.tables.table_of(answer)
    await actions.tables.move(answer, record.game, make)
