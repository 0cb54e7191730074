"""The answers to `/crib privacy`, `export` and `forget-me`: what is stored about a person and why.

Export and deletion themselves are done in `standings` and `store`.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, RED, button, container, layout, row, rule, subtext, text
from bot.render.text.words import some
from bot.standings.page_ids import Wish

_KEPT = """\
**At a table:** your Discord id and your name in the server, to seat you and to send you your hand.
**In a game:** each move and its time, by seat: the log from which every message can be drawn again.
**At rest:** a game whose server removed me is called off after thirty days.
**Messages:** where the table and your hands stand, to keep them up to date.
**After a game:** the result and figures of your seat, for `/crib stats` and `/crib leaderboard`.
**Settings:** whether your DMs were closed, and whether you hide."""

_NOT_KEPT = "No messages of yours, no list of members, nothing for advertising, and nothing for anybody else."

_YOURS = """\
`/crib export` sends you all of it.
`/crib privacy hide:True` takes you off leaderboards, and your figures out of others' `/crib stats`.
`/crib forget-me` takes you out of everything."""


def privacy_drawing(*, hidden: bool) -> Drawing:
    """What is stored and why, and whether the person hides their figures."""
    now = (
        "You are hidden: you stand on no leaderboard, and only you see your figures."
        if hidden
        else "You stand on leaderboards, once you have finished a game."
    )
    return layout(
        container(
            text("## What is kept about you", _KEPT, _NOT_KEPT),
            rule(),
            text("### It is yours", _YOURS),
            text(subtext(now)),
            colour=BAIZE,
        )
    )


def ask_to_forget_drawing(tables: int) -> Drawing:
    """Asks a person, in private, to confirm that their data is deleted."""
    open_now = (
        f"You are at {some(tables, 'table')}: you leave those that gather players, and resign games in play."
        if tables
        else None
    )
    return layout(
        container(
            text(
                "## Shall I forget you?",
                "Your id and your name go from every game, and your figures, ratings and settings with them. "
                "Finished games keep a nameless seat, so that the others' results stay true. "
                "It cannot be undone.",
                open_now,
                subtext("Messages in channels stay where they are; `/crib export` first keeps you a copy."),
            ),
            row(
                button(Wish.FORGET, "Forget me", style=ButtonStyle.danger),
                button(Wish.KEEP, "Keep me"),
            ),
            colour=RED,
        )
    )


def forgotten_drawing() -> Drawing:
    """Replaces the question when the data was deleted."""
    return layout(container(text("You are forgotten: nothing here names you any more."), colour=BAIZE))


def kept_drawing() -> Drawing:
    """Replaces the question when nothing was deleted."""
    return layout(container(text("Nothing was changed."), colour=BAIZE))


EXPORTED = "All that is kept about you is in this file. Other people's names and cards are not."
"""The text of the message with the file."""

EXPORT_SENT = "I have sent it to you by DM."
"""The answer to the command when the file was sent by DM."""
