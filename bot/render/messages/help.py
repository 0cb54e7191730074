"""The help: how to play in a minute, and a short page for each topic, with a select that leads to the others.

Features add pages of their own, and lines to those of the table. A select leaves a phone's screen to the
text, which rows of buttons do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import discord

from bot.language.languages import gettext_noop
from bot.model.custom_ids import TURN, HelpId, Topic
from bot.model.version import VERSION
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, row, select, text
from bot.render.text.speech import speech
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import TWO_HANDED, USUAL_HAND, Counting, CribFlush, Flush, GoScoring, Rules

LABELS = {
    Topic.BRIEF: gettext_noop("In a minute"),
    Topic.TABLE: gettext_noop("Tables"),
    Topic.PLAY: gettext_noop("The play"),
    Topic.COUNT: gettext_noop("Counting"),
    Topic.BETTER: gettext_noop("Play better"),
    Topic.COMMANDS: gettext_noop("Commands"),
    Topic.MODERATORS: gettext_noop("For moderators"),
}
"""The label of each of the table's own pages."""

_LAST = (Topic.COMMANDS, Topic.MODERATORS)
"""The pages after those of features."""


def help_drawing(voice: Voice, word: str = Topic.BRIEF.value, rules: Rules = TWO_HANDED) -> Drawing:
    """The page of the help for the topic `word`, of at most 90 words, with a select of the other pages.

    It explains the game by `rules`. An unknown word gives the first page.
    """
    labels = topics(voice)
    shown = word if word in labels else Topic.BRIEF.value
    added = {page.word: page.lines for page in voice.additions.pages}
    lines = added[shown](voice) if shown in added else _page(Topic(shown), voice, rules)
    others = [
        discord.SelectOption(label=voice.gettext(label), value=each)
        for each, label in labels.items()
        if each != shown
    ]
    return layout(
        container(
            text(*lines),
            select(HelpId(TURN), voice.gettext("More help"), others),
            row(*(added(voice) for added in voice.additions.in_greeting))
            if shown == Topic.BRIEF.value
            else None,
            colour=BAIZE,
        )
    )


def topics(voice: Voice) -> dict[str, str]:
    """The label of each page, by its word, in their order."""
    labels = {
        **{each.value: label for each, label in LABELS.items() if each not in _LAST},
        **{page.word: page.label for page in voice.additions.pages},
        **{each.value: LABELS[each] for each in _LAST},
    }
    if not any(voice.additions.lines_on(Topic.BETTER, voice)):
        del labels[Topic.BETTER.value]
    return labels


def _page(topic: Topic, voice: Voice, rules: Rules) -> tuple[str, ...]:
    match topic:
        case Topic.BRIEF:
            return _brief(voice, rules)
        case Topic.TABLE:
            return _table(voice)
        case Topic.PLAY:
            return (*_play(voice, rules), *voice.additions.lines_on(topic, voice))
        case Topic.COUNT:
            return (*_count(voice, rules), *voice.additions.lines_on(topic, voice))
        case Topic.BETTER:
            return (voice.gettext("## Play better"), *voice.additions.lines_on(topic, voice))
        case Topic.COMMANDS:
            return _commands(voice)
        case Topic.MODERATORS:
            return _moderators(voice)
    assert_never(topic)


def _brief(voice: Voice, rules: Rules) -> tuple[str, ...]:
    return (
        voice.gettext("## Cribbage in a minute"),
        voice.gettext(
            "**Sit down** with {new}: others press *Join*, then you press *Start*.", new=_new(voice)
        ),
        voice.gettext("**Discard** to the crib, an extra hand that counts for the dealer."),
        voice.gettext("**Cut** the deck: the card turned up, the starter, counts in every hand."),
        voice.gettext("**Play** a card each in turn, up to 31. Nothing fits? Say *Go*."),
        voice.gettext("**Show** the hands: I count them, and say why.")
        if rules.counting is Counting.MACHINE
        else voice.gettext("**Show** the hands: each counts their own."),
        voice.gettext("First past the last hole loses.")
        if rules.low_wins
        else voice.gettext("First past the last hole wins."),
        f"-# {' · '.join(_small_print(voice))}",
    )


def _small_print(voice: Voice) -> Iterator[str]:
    yield voice.gettext("Version {version}", version=VERSION)
    if voice.manual is not None:
        yield f"[{voice.gettext('Manual')}](<{voice.manual}>)"
    if voice.install is not None:
        yield f"[{voice.gettext('Play anywhere')}](<{voice.install}>)"
    if contact := voice.additions.contact_line(voice):
        yield contact


def _table(voice: Voice) -> tuple[str, ...]:
    return (
        voice.gettext("## Tables"),
        voice.gettext(
            "{new} opens a table: one a channel, or in its own `thread`.",
            new=_new(voice),
        ),
        voice.gettext("**Against the computer:** choose its level, and you start at once."),
        voice.gettext("**With friends:** they press *Join*, or *Not now* if called; you press *Start*."),
        voice.gettext("**Your cards** come by DM. *My hand* shows them at the table, only to you."),
        voice.gettext("{table} brings the table to the bottom.", table=voice.command("crib table")),
        voice.gettext(
            "{end} closes it. Nobody holds you up: when time runs out, I move for them.",
            end=voice.command("crib end"),
        ),
    )


def _play(voice: Voice, rules: Rules) -> tuple[str, ...]:
    return (
        voice.gettext("## The play"),
        voice.gettext("Lay a card, and add it to the count: faces are 10, aces 1. It never passes 31."),
        voice.gettext("**2 points** for a count of 15, or of 31.")
        if not rules.thirty_one_plus_last
        else voice.gettext("**2 points** for 15, 3 for 31."),
        voice.gettext("**Pairs:** 2 for two alike in a row, 6 for three, 12 for four.")
        if rules.pairs_in_play
        else voice.gettext("No pairs in the play."),
        voice.gettext("**Runs:** 1 a card for three or more in sequence, in any order.")
        if rules.runs_in_play
        else voice.gettext("No runs in the play."),
        voice.gettext("**Last card** of a count: 1.")
        if rules.go_scoring is GoScoring.LAST_CARD
        else voice.gettext("**A go** scores 1 when said."),
        voice.gettext("The play stops at the first go or 31.") if not rules.play_out else "",
        _heels(voice, rules),
        voice.gettext("**Words:** {help} `word`", help=voice.command("crib help")),
    )


def _heels(voice: Voice, rules: Rules) -> str:
    if not rules.his_heels:
        return voice.gettext("No point for his heels, a jack turned up.")
    heels = sentence(speech(voice).heels_name)
    if rules.heels_claimed:
        return voice.gettext(
            "**{heels}:** {points} for a jack turned up, if the dealer claims them.",
            heels=heels,
            points=rules.his_heels,
        )
    return voice.gettext(
        "**{heels}:** if the starter is a jack, the dealer gets {points}.",
        heels=heels,
        points=rules.his_heels,
    )


def _count(voice: Voice, rules: Rules) -> tuple[str, ...]:
    return (
        voice.gettext("## Counting"),
        voice.gettext(
            "Each hand counts with the starter: the non-dealer first, then the dealer and the crib."
        ),
        voice.gettext("**Fifteens:** 2 for every set of cards that adds up to 15."),
        voice.gettext("**Pairs:** 2 for each."),
        voice.gettext("**Runs:** 1 a card for three or more in sequence."),
        voice.gettext(_FLUSHES[rules.flush, rules.crib_flush])
        if rules.kept == USUAL_HAND
        else voice.gettext(
            "**Flush:** 3 for three cards of a suit in hand, 4 with the starter; a crib needs five."
        ),
        voice.gettext("**{nobs}:** 1 for the jack of the starter's suit.", nobs=speech(voice).nobs_title)
        if rules.his_nobs
        else voice.gettext("No point for {nobs}.", nobs=speech(voice).nob),
    )


_FLUSHES = {
    (Flush.HAND, CribFlush.FIVE): gettext_noop(
        "**Flush:** 4 for four cards of a suit in hand, 5 with the starter; a crib needs five."
    ),
    (Flush.HAND, CribFlush.FOUR): gettext_noop(
        "**Flush:** 4 for four cards of a suit in hand or crib, 5 with the starter."
    ),
    (Flush.ANY_FOUR, CribFlush.FIVE): gettext_noop(
        "**Flush:** 4 for any four cards of a suit, the starter included, 5 for five; a crib needs five."
    ),
    (Flush.ANY_FOUR, CribFlush.FOUR): gettext_noop(
        "**Flush:** 4 for any four cards of a suit, the starter included, 5 for five."
    ),
}


def _commands(voice: Voice) -> tuple[str, ...]:
    def listed(*names: str) -> str:
        return " ".join(voice.command(f"crib {name}") for name in names)

    return (
        voice.gettext("## Commands"),
        voice.gettext("**Before the game:** {commands}", commands=listed("new", "join", "leave", "start")),
        voice.gettext("**A match:** {new} `games`", new=_new(voice)),
        voice.gettext(
            "**Your turn:** {commands}", commands=listed("deal", "hand", "discard", "cut", "play", "go")
        ),
        voice.gettext("**Counting aloud:** {commands}", commands=listed("claim", "count", "muggins")),
        voice.gettext(
            "**Any time:** {commands}", commands=listed("table", "rules", *voice.additions.any_time, "help")
        ),
        voice.gettext("**To finish:** {commands}", commands=listed("resign", "end", "rematch")),
        *voice.additions.lines_on(Topic.COMMANDS, voice),
        voice.gettext(
            "**Your data:** {commands}",
            commands=" ".join(voice.command(f"crib-data {name}") for name in ("privacy", "export", "delete")),
        ),
        voice.gettext("Cards: `5h 10d`."),
    )


def _moderators(voice: Voice) -> tuple[str, ...]:
    return (
        voice.gettext("## For moderators"),
        voice.gettext(
            "{settings}: the language of tables here, and boards as pictures or text.",
            settings=voice.command("crib-settings"),
        ),
        *voice.additions.lines_on(Topic.MODERATORS, voice),
        voice.gettext(
            "{end} closes a table that nobody uses. If others play there, I ask you first.",
            end=voice.command("crib end"),
        ),
        voice.gettext("**I need** *View Channel* and *Send Messages*, and *Attach Files* for pictures."),
        voice.gettext(
            "**Threads** take *Create Public Threads* and *Send Messages in Threads*. "
            "They archive themselves; leave them open while people play: "
            "buttons in archived threads don't work."
        ),
    )


def _new(voice: Voice) -> str:
    return voice.command("crib new")
