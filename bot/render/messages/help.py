"""The help: how to play in a minute, and a short page for each topic, with buttons from one to another."""

from __future__ import annotations

from typing import assert_never

from discord import ButtonStyle

from bot.language.languages import later
from bot.model.custom_ids import Topic
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, button, container, layout, row, text
from bot.render.text.voice import Voice
from bot.standings.ratings import DEALS_TO_COUNT, POINTS_TO_COUNT, PROVISIONAL, RATED_A_DAY

LABELS = {
    Topic.BRIEF: later("In a minute"),
    Topic.TABLE: later("Tables"),
    Topic.PLAY: later("The play"),
    Topic.COUNT: later("Counting"),
    Topic.BETTER: later("Play better"),
    Topic.CLUB: later("Clubs"),
    Topic.COMMANDS: later("Commands"),
    Topic.MODERATORS: later("For moderators"),
}
"""The label of each topic's button; the shown page has no button."""


def help_drawing(voice: Voice, topic: Topic = Topic.BRIEF) -> Drawing:
    """One page of the help, of at most 90 words, with buttons to the others."""
    others = [each for each in LABELS if each is not topic]
    half = -(-len(others) // 2)
    return layout(
        container(
            text(*_page(topic, voice)),
            *(
                row(*(button(each, voice.say(LABELS[each]), style=_style(each)) for each in line))
                for line in (others[:half], others[half:])
            ),
            colour=BAIZE,
        )
    )


def _style(topic: Topic) -> ButtonStyle:
    return ButtonStyle.primary if topic is Topic.BRIEF else ButtonStyle.secondary


def _page(topic: Topic, voice: Voice) -> tuple[str, ...]:
    match topic:
        case Topic.BRIEF:
            return _brief(voice)
        case Topic.TABLE:
            return _table(voice)
        case Topic.PLAY:
            return _play(voice)
        case Topic.COUNT:
            return _count(voice)
        case Topic.BETTER:
            return _better(voice)
        case Topic.CLUB:
            return _club(voice)
        case Topic.COMMANDS:
            return _commands(voice)
        case Topic.MODERATORS:
            return _moderators(voice)
    assert_never(topic)


def _brief(voice: Voice) -> tuple[str, ...]:
    return (
        voice.say("## Cribbage in a minute"),
        voice.say("**Sit down** with {new}: others press *Join*, then you press *Start*.", new=_new(voice)),
        voice.say("**Discard** to the crib, an extra hand that counts for the dealer."),
        voice.say("**Cut** the deck: the card turned up, the starter, counts in every hand."),
        voice.say("**Play** a card each in turn, up to a count of 31. Nothing fits? Say *Go*."),
        voice.say("**Show** the hands: I count them, and say why."),
        voice.say("First past the last hole wins on the spot. Have fun!"),
    )


def _table(voice: Voice) -> tuple[str, ...]:
    return (
        voice.say("## Tables"),
        voice.say(
            "{new} opens a table: one a channel, or in its own `thread`.",
            new=_new(voice),
        ),
        voice.say("**Against the computer:** choose its level, and you start at once."),
        voice.say("**With friends:** they press *Join*, or *Not now* if called; you press *Start*."),
        voice.say("**Your cards** come by DM. *My hand* shows them at the table, only to you."),
        voice.say("{table} brings the table to the bottom.", table=voice.command("crib table")),
        voice.say(
            "{end} closes it. Nobody holds you up: when time runs out, I move for them.",
            end=voice.command("crib end"),
        ),
    )


def _play(voice: Voice) -> tuple[str, ...]:
    return (
        voice.say("## The play"),
        voice.say("Lay a card, and add it to the count: faces are 10, aces 1. It never passes 31."),
        voice.say("**2 points** for a count of 15, or of 31."),
        voice.say("**Pairs:** 2 for two alike in a row, 6 for three, 12 for four."),
        voice.say("**Runs:** 1 a card for three or more in sequence, in any order."),
        voice.say("**Last card** of a count: 1."),
        voice.say("**His heels:** if the starter is a jack, the dealer gets 2."),
    )


def _count(voice: Voice) -> tuple[str, ...]:
    return (
        voice.say("## Counting"),
        voice.say("Each hand counts with the starter: the non-dealer first, then the dealer and the crib."),
        voice.say("**Fifteens:** 2 for every set of cards that adds up to 15."),
        voice.say("**Pairs:** 2 for each."),
        voice.say("**Runs:** 1 a card for three or more in sequence."),
        voice.say("**Flush:** 4 for four cards of a suit in hand, 5 with the starter; a crib needs five."),
        voice.say("**His nobs:** 1 for the jack of the starter's suit."),
        voice.say("{score} counts any hand for you.", score=voice.command("crib-coach score")),
    )


def _better(voice: Voice) -> tuple[str, ...]:
    return (
        voice.say("## Play better"),
        voice.say("{hint}: the best move now, and why.", hint=voice.command("crib-coach hint")),
        voice.say("{discards}: every discard compared.", discards=voice.command("crib-coach discards")),
        voice.say("{score}: any hand counted.", score=voice.command("crib-coach score")),
        voice.say(
            "{review}: mistakes and luck in your last game.", review=voice.command("crib-coach review")
        ),
        voice.say(
            "{replay}: watch it again. {history}: every game.",
            replay=voice.command("crib-coach replay"),
            history=voice.command("crib-stats history"),
        ),
        voice.say(
            "{player}, {leaderboard} and {wall}: your games, and this server's best.",
            player=voice.command("crib-stats player"),
            leaderboard=voice.command("crib-stats leaderboard"),
            wall=voice.command("crib-stats wall"),
        ),
        voice.say(
            "**Ratings** count games that reach deal {deals} or {points} points, up to {number} a day with "
            "the same players. From {games} games, you have a place.",
            deals=DEALS_TO_COUNT,
            points=POINTS_TO_COUNT,
            number=RATED_A_DAY,
            games=PROVISIONAL,
        ),
    )


def _commands(voice: Voice) -> tuple[str, ...]:
    def listed(*names: str) -> str:
        return " ".join(voice.command(f"crib {name}") for name in names)

    return (
        voice.say("## Commands"),
        voice.say("**Before the game:** {commands}", commands=listed("new", "join", "leave", "start")),
        voice.say("**A match:** {new} `games`", new=_new(voice)),
        voice.say(
            "**Your turn:** {commands}", commands=listed("deal", "hand", "discard", "cut", "play", "go")
        ),
        voice.say("**Counting aloud:** {commands}", commands=listed("claim", "count", "muggins")),
        voice.say("**Any time:** {commands}", commands=listed("table", "rules", "fair", "help")),
        voice.say("**To finish:** {commands}", commands=listed("resign", "end", "rematch")),
        voice.say(
            "**Daily:** {commands}",
            commands=" ".join(voice.command(f"crib-daily {name}") for name in ("play", "practice", "share")),
        ),
        voice.say(
            "**Your data:** {commands}",
            commands=" ".join(voice.command(f"crib-data {name}") for name in ("privacy", "export", "delete")),
        ),
        voice.say("Cards: `5h 10d`."),
    )


def _club(voice: Voice) -> tuple[str, ...]:
    def club(name: str) -> str:
        return voice.command(f"crib-club {name}")

    return (
        voice.say("## Club nights"),
        voice.say("{open}: an evening, or a season at a day a move.", open=club("open")),
        voice.say(
            "**Sign up** with the button, and press *I'm here* when you are. In teams, choose your "
            "{partner}.",
            partner=club("partner"),
        ),
        voice.say(
            "{start} pairs everybody. Each game has its own thread, and results come in by themselves.",
            start=club("start"),
        ),
        voice.say(
            "**Points:** 2 for a win, 3 for a skunk. {standings} shows them.", standings=club("standings")
        ),
        voice.say(
            "Organisers may {correct}, {remove} or {close}; moderators name them: {organisers}.",
            correct=club("correct"),
            remove=club("remove"),
            close=club("close"),
            organisers=club("organisers"),
        ),
    )


def _moderators(voice: Voice) -> tuple[str, ...]:
    return (
        voice.say("## For moderators"),
        voice.say(
            "{settings}: the language of tables here, and boards as pictures or text.",
            settings=voice.command("crib-settings"),
        ),
        voice.say(
            "{post}: the daily hand in this channel, every day.",
            post=voice.command("crib-daily post"),
        ),
        voice.say(
            "{end} closes a table that nobody uses. If others play there, I ask you first.",
            end=voice.command("crib end"),
        ),
        voice.say("**I need** *View Channel* and *Send Messages*, and *Attach Files* for pictures."),
        voice.say(
            "**Threads** take *Create Public Threads* and *Send Messages in Threads*. "
            "They archive themselves; leave them open while people play: "
            "buttons in archived threads don't work."
        ),
    )


def _new(voice: Voice) -> str:
    return voice.command("crib new")
