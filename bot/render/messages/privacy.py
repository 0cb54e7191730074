"""The answers to `/crib-data privacy`, `export` and `delete`: what is stored about a person and why.

Export and deletion themselves are done in `standings` and `store`.
"""

from __future__ import annotations

from collections.abc import Iterator

from discord import ButtonStyle

from bot.language.languages import gettext_noop
from bot.model.custom_ids import Wish
from bot.model.declined import Declined
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, RED, button, container, layout, row, rule, subtext, text
from bot.render.text.voice import Voice


def privacy_drawing(voice: Voice, *, hidden: bool, declined: Declined) -> Drawing:
    """The data stored and why, the person's choice to hide figures, and the challenges they decline."""
    return layout(
        container(
            text(f"## {voice.gettext('Your data')}", *_stored(voice), voice.gettext(_NOT_STORED)),
            rule(),
            text(f"### {voice.gettext('What you can do')}", *_choices(voice)),
            text(
                subtext(_hidden_now(voice, hidden=hidden)),
                subtext(_declined_now(voice, declined)),
                subtext(
                    voice.gettext(
                        "When a server removes me, its games are cancelled after 30 days. After 90 days its "
                        "leaderboards go, and nothing here names it."
                    )
                ),
                subtext(voice.additions.contact_line(voice)),
            ),
            row(
                None if declined.everybody else button(Wish.DECLINE, voice.gettext("No challenges")),
                button(Wish.ACCEPT, voice.gettext("Take all challenges")) if declined else None,
            ),
            colour=BAIZE,
        )
    )


def ask_to_forget_drawing(tables: int, voice: Voice) -> Drawing:
    """Asks a person, in private, to confirm that their data is deleted; they sit at so many tables."""
    leaving = voice.ngettext(
        "You are at {number} table: you will leave it, and resign if the game is on.",
        "You are at {number} tables: you will leave them, and resign the games that are on.",
        tables,
    )
    return layout(
        container(
            text(
                f"## {voice.gettext('Delete your data?')}",
                voice.gettext(
                    "Your ID, name, statistics, ratings and settings go for good. "
                    "Finished games keep a seat without a name, so that the others' results stay right."
                ),
                leaving if tables else None,
                subtext(
                    voice.gettext(
                        "Messages in channels stay. For a copy first: {export}",
                        export=voice.command("crib-data export"),
                    )
                ),
            ),
            row(
                button(Wish.FORGET, voice.gettext("Delete my data"), style=ButtonStyle.danger),
                button(Wish.KEEP, voice.gettext("Cancel")),
            ),
            colour=RED,
        )
    )


def forgotten_drawing(voice: Voice) -> Drawing:
    """Replaces the question when the data was deleted."""
    return layout(container(text(voice.gettext("Your data is deleted.")), colour=BAIZE))


def forgetting_drawing(voice: Voice) -> Drawing:
    """Replaces the question while the data is being deleted."""
    return layout(
        container(text(voice.gettext("Deleting your data. This takes a minute at most.")), colour=BAIZE)
    )


def kept_drawing(voice: Voice) -> Drawing:
    """Replaces the question when nothing was deleted."""
    return layout(container(text(voice.gettext("Nothing was deleted.")), colour=BAIZE))


EXPORT_GOES_ON = gettext_noop("More of it:")
"""The text of another message with files."""

EXPORTED = gettext_noop(
    "Everything stored about you is in this file, without other people's names and cards."
)
"""The text of the message with the file."""

EXPORT_SENT = gettext_noop("Sent to you by DM.")
"""The answer to the command when the file was sent by DM."""

_NOT_STORED = gettext_noop("No messages, no member lists, no ads, nothing for third parties.")


def _stored(voice: Voice) -> Iterator[str]:
    yield voice.gettext(
        "**Tables:** your Discord ID and name, server and channel, to seat you and send your hand"
    )
    yield voice.gettext("**Games:** every move with its time, to show and review games")
    yield voice.gettext("**Messages:** where tables and hands are, to update them")
    yield voice.gettext("**Results:** your points and wins, for statistics and leaderboards")
    yield voice.gettext("**Daily hands:** your discards, grades and streak, and in which servers you played")
    yield voice.gettext("**Drills:** your answers, streaks and times")
    yield voice.gettext("**Club nights:** your name, your partner and your results there")
    yield voice.gettext("**Honest decks:** the words that you add")
    yield voice.gettext(
        "**Settings:** your language, automatic cuts, closed DMs, hiding, declined challenges, reminders"
    )
    yield voice.gettext("All of it until you delete it.")


def _choices(voice: Voice) -> Iterator[str]:
    yield voice.gettext("{command} sends you all of it", command=voice.command("crib-data export"))
    yield voice.gettext(
        "{command} with `hide:True` hides you from leaderboards and statistics",
        command=voice.command("crib-data privacy"),
    )
    yield voice.gettext("{command} deletes your data (asks first)", command=voice.command("crib-data delete"))


def _hidden_now(voice: Voice, *, hidden: bool) -> str:
    if hidden:
        return voice.gettext("You are hidden: only you see your statistics.")
    return voice.gettext("You are not hidden: leaderboards and statistics show you.")


def _declined_now(voice: Voice, declined: Declined) -> str:
    if declined.everybody:
        return voice.gettext("You take no challenges: no table calls you.")
    if declined.people:
        return voice.ngettext(
            "You take no challenges from {number} player.",
            "You take no challenges from {number} players.",
            declined.people,
        )
    return voice.gettext("You take challenges: others can call you to a table.")
