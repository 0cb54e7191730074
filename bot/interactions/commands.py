"""`/crib` and its sub-commands. Each reads its options and calls an action; nothing is decided here.

Discord allows a command 25 sub-commands. So what is one wish has one of them, whenever it is made: `end`
closes a table before its game as well, and `join` seats a computer too.
"""

from __future__ import annotations

from collections.abc import Callable

from discord import app_commands
from discord.app_commands import Choice, Range

from bot.interactions import autocomplete, choices
from bot.interactions.actions import Actions, Interaction, asked
from bot.interactions.answering import Answer
from bot.interactions.coaching_commands import COACHING_COMMANDS
from bot.interactions.stats_commands import STATS_COMMANDS
from bot.model.card_input import read_card, read_cards, read_hand
from bot.model.table_record import Agreement, Pace, Status
from bot.render.messages.help import help_drawing
from bot.render.messages.score import score_drawing
from bot.render.text.rules import rules_drawing
from engine import (
    CallMuggins,
    ClaimHeels,
    CountAloud,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    PlayCard,
    SayGo,
    Seat,
)
from engine.computer import Level

_PACES: list[Choice[str]] = [
    Choice(name="live: a minute and a half for a move", value=Pace.LIVE.value),
    Choice(name="slow: a day for a move", value=Pace.SLOW.value),
]
_LEVELS: list[Choice[str]] = [
    Choice(name="beginner: keeps what counts most, plays what scores", value=Level.BEGINNER.value),
    Choice(name="steady: a good club player", value=Level.STEADY.value),
    Choice(name="expert: as strong as it can", value=Level.EXPERT.value),
]
_LENGTHS: list[Choice[int]] = [
    Choice(name="121, twice around the board", value=121),
    Choice(name="61, once around", value=61),
]


@app_commands.guild_install()
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Crib(app_commands.Group):
    """Play cribbage in this channel."""

    def __init__(self) -> None:
        super().__init__(name="crib", description="Play cribbage in this channel.")
        for command in (*STATS_COMMANDS, *COACHING_COMMANDS):
            self.add_command(command)

    @app_commands.command(description="Open a table in this channel.")
    @app_commands.describe(
        players="How many play; two unless you say otherwise",
        rules="Whose rules; standard unless you say otherwise (see /crib rules)",
        length="How far to play; as the rules have it unless you say otherwise",
        partners="Four players: as partners, or each alone",
        count_aloud="Count your own hands at the show",
        muggins="Count aloud, and let opponents take what you miss",
        pace="How long a move may take; live unless you say otherwise",
        seconds="Another time for a move, in seconds, before the clock moves for you",
        computer="Play at once: a computer of this level in every other seat",
        hints="Let players ask /crib hint what is best; against the computer alone you always may",
    )
    @app_commands.choices(players=choices.players(four="four"), length=_LENGTHS)
    @app_commands.choices(rules=choices.RULES, pace=_PACES, computer=_LEVELS)
    async def new(
        self,
        interaction: Interaction,
        players: int = 2,
        rules: str = "standard",
        length: int | None = None,
        partners: bool | None = None,
        count_aloud: bool = False,
        muggins: bool = False,
        pace: str = Pace.LIVE.value,
        seconds: Range[int, 15, 604_800] | None = None,
        computer: str | None = None,
        hints: bool = False,
    ) -> None:
        """Open a table."""
        async with asked(interaction) as (actions, answer):
            agreement = Agreement.of(
                players=players,
                preset=rules,
                target=length,
                partners=partners,
                aloud=count_aloud or muggins,
                muggins=muggins,
                pace=Pace(pace),
                seconds=seconds,
                hints=hints,
            )
            await actions.tables.open_table(answer, agreement, Level(computer) if computer else None)

    @app_commands.command(description="Sit down at the table in this channel, or seat a computer there.")
    @app_commands.describe(computer="Seat a computer instead: in a free seat, or for whoever stays away")
    @app_commands.choices(computer=_LEVELS)
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

    @app_commands.command(description="Stand up from the table before the game begins.")
    @app_commands.describe(computer="Send away the computer that was seated last, and stay")
    async def leave(self, interaction: Interaction, computer: bool = False) -> None:
        """Stand up, or send a computer away."""
        async with asked(interaction) as (actions, answer):
            game = (await actions.tables.lookup.table(interaction)).game
            await (actions.tables.remove_computer if computer else actions.tables.leave)(answer, game)

    @app_commands.command(
        description="Begin the game; deal the next hand, with muggins; after a game, a rematch."
    )
    async def start(self, interaction: Interaction) -> None:
        """Begin, deal, or ask for a rematch."""
        async with asked(interaction) as (actions, answer):
            before = await actions.tables.lookup.game_before(interaction)
            if before is not None:
                await actions.tables.rematch(answer, before.game)
                return
            record = await actions.tables.lookup.table(interaction)
            session = await actions.tables.lookup.session(interaction)
            if session is not None and session.game.rules.muggins:
                await actions.tables.move(answer, record.game, Deal)
                return
            await actions.tables.start(answer, record.game)

    @app_commands.command(description="See your own hand; nobody else does.")
    async def hand(self, interaction: Interaction) -> None:
        """Show one's own hand."""
        async with asked(interaction) as (actions, answer):
            await actions.tables.show_hand(answer, (await actions.tables.lookup.table(interaction)).game)

    @app_commands.command(description="Lay cards away to the crib.")
    @app_commands.describe(cards="The cards to give, such as 5h 10d")
    @app_commands.autocomplete(cards=autocomplete.discards)
    async def discard(self, interaction: Interaction, cards: Range[str, 1, 100]) -> None:
        """Discard."""
        async with asked(interaction) as (actions, answer):
            given = read_cards(cards)
            await _move(actions, answer, lambda seat: Discard(seat, given))

    @app_commands.command(description="Play a card to the count.")
    @app_commands.describe(
        card="The card, such as 5h or J♠", points="With muggins: the points you call for it"
    )
    @app_commands.autocomplete(card=autocomplete.plays)
    async def play(
        self, interaction: Interaction, card: Range[str, 1, 30], points: Range[int, 0, 29] | None = None
    ) -> None:
        """Play a card."""
        async with asked(interaction) as (actions, answer):
            played = read_card(card)
            await _move(actions, answer, lambda seat: PlayCard(seat, played, points))

    @app_commands.command(description="Say go, when you hold no card that keeps the count at 31 or less.")
    async def go(self, interaction: Interaction) -> None:
        """Say go."""
        async with asked(interaction) as (actions, answer):
            await _move(actions, answer, SayGo)

    @app_commands.command(description="Cut the pack for the starter.")
    async def cut(self, interaction: Interaction) -> None:
        """Cut the starter."""
        async with asked(interaction) as (actions, answer):
            await _move(actions, answer, CutStarter)

    @app_commands.command(
        description="Count your hand or crib aloud, or claim his heels, where the rules want it."
    )
    @app_commands.describe(points="What you count; leave it out to claim his heels")
    async def count(self, interaction: Interaction, points: Range[int, 0, 29] | None = None) -> None:
        """Count aloud, or claim his heels."""
        async with asked(interaction) as (actions, answer):
            if points is None:
                await _move(actions, answer, ClaimHeels)
            else:
                called = points
                await _move(actions, answer, lambda seat: CountAloud(seat, called))

    @app_commands.command(description="Call muggins for points that an opponent missed.")
    @app_commands.describe(points="How many points were missed; 0 to let the count stand")
    async def muggins(self, interaction: Interaction, points: Range[int, 0, 29]) -> None:
        """Call muggins, or let the count stand."""
        async with asked(interaction) as (actions, answer):
            if points:
                await _move(actions, answer, lambda seat: CallMuggins(seat, points))
            else:
                await _move(actions, answer, LetStand)

    @app_commands.command(description="Post the table anew at the end of the channel.")
    async def table(self, interaction: Interaction) -> None:
        """Post the table again."""
        async with asked(interaction) as (actions, answer):
            await actions.tables.repost(answer, await actions.tables.lookup.table(interaction))

    @app_commands.command(description="Give the game up; you are asked once more.")
    @app_commands.describe(sure="Resign at once, without being asked")
    async def resign(self, interaction: Interaction, sure: bool = False) -> None:
        """Resign, once asked."""
        async with asked(interaction) as (actions, answer):
            game = (await actions.tables.lookup.table(interaction)).game
            await (actions.tables.resign if sure else actions.tables.ask_to_resign)(answer, game)

    @app_commands.command(
        description="Close the table, or end its game: if all agree, if others stay away, or as a moderator."
    )
    async def end(self, interaction: Interaction) -> None:
        """Close the table, or end the game without playing it out."""
        async with asked(interaction) as (actions, answer):
            await actions.ending.end(answer, await actions.tables.lookup.table(interaction))

    @app_commands.command(description="How cribbage goes, and the rules at this table.")
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        async with asked(interaction) as (actions, answer):
            agreement = await actions.tables.lookup.agreement(interaction)
            await answer.show(rules_drawing(agreement))

    @app_commands.command(description="Count any hand with its starter, and say why.")
    @app_commands.describe(
        hand="Four cards, such as 5h 5c 5s jd", starter="The starter, such as 5d", crib="Count it as a crib"
    )
    async def score(
        self,
        interaction: Interaction,
        hand: Range[str, 1, 100],
        starter: Range[str, 1, 30],
        crib: bool = False,
    ) -> None:
        """Count any hand."""
        async with asked(interaction) as (_, answer):
            four, turned = read_hand(hand, starter)
            await answer.show(score_drawing(four, turned, crib, answer.voice))

    @app_commands.command(description="How to play in a minute.")
    async def help(self, interaction: Interaction) -> None:
        """Show the help."""
        async with asked(interaction) as (_, answer):
            await answer.show(help_drawing())


GROUPS: tuple[type[app_commands.Group], ...] = (Crib,)
"""Every top-level command. `/crib` is full: what has no place among its 25 needs another group."""


async def _move(actions: Actions, answer: Answer, make: Callable[[Seat], Move]) -> None:
    record = await actions.tables.lookup.table(answer.interaction)
    await actions.tables.move(answer, record.game, make)
