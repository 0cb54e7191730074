"""Texts of a declined challenge: to the person who declines, with choices for later, and to the challenger.

The challenger gets the same words for every reason: that somebody is busy, or declines this person's
challenges or all challenges, stays private. After *Not now* they read when they can call that person again.
"""

from __future__ import annotations

import math

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, address, button, container, layout, row, subtext, text
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice


def declined_drawing(
    record: TableRecord,
    challenger: int,
    voice: Voice,
    *,
    for_good: bool | None,
    until: float = math.inf,
) -> Drawing:
    """The private panel of the person who has declined to play with the `challenger`.

    `for_good` says whether they decline all challenges of this person; None right after they declined this
    one, and those `until` then (s since 1970).
    """
    name = _name(record, challenger, voice)
    match for_good:
        case None:
            said = voice.gettext("No problem: {player}'s table stays open to everybody.", player=name)
            if math.isfinite(until):
                later = voice.gettext(
                    "{player} can call you again after {when}.", player=name, when=_moment(until)
                )
                said = f"{said} {later}"
        case True:
            said = voice.gettext("{player} can't call you to a table any more, and isn't told.", player=name)
        case False:
            said = voice.gettext("{player} can call you to a table again.", player=name)
    verb = Verb.ACCEPT if for_good else Verb.DECLINE
    label = (
        voice.gettext("Take their challenges again")
        if for_good
        else voice.gettext("No more from this player")
    )
    return layout(
        container(
            text(
                said,
                subtext(
                    voice.gettext(
                        "{privacy}: no challenges from anybody, or all again.",
                        privacy=voice.command("crib-data privacy"),
                    )
                ),
            ),
            row(button(address(record.game, 0, verb, str(challenger)), label)),
            colour=BAIZE,
        )
    )


def not_called(name: str, voice: Voice, *, until: float = math.inf) -> str:
    """Tells the host that the invited person cannot be called before `until` (s since 1970)."""
    player = escaped(plain(name))
    if math.isfinite(until):
        return voice.gettext(
            "Your table is open to everybody: you can ask {player} again after {when}.",
            player=player,
            when=_moment(until),
        )
    return voice.gettext(
        "Your table is open to everybody: {player} isn't taking challenges at the moment.", player=player
    )


def bot_not_called(name: str, voice: Voice) -> str:
    """To the host of a table whose invited person is another bot."""
    return voice.gettext(
        "Your table is open to everybody: {player} is a bot, and doesn't play.", player=escaped(plain(name))
    )


def declined_line(name: str, voice: Voice, *, until: float = math.inf) -> str:
    """Tells the challenger that the person cannot play, nor be called before `until` (s since 1970)."""
    said = voice.gettext(
        "{player} can't play just now. Your table stays open to everybody.", player=escaped(plain(name))
    )
    return _with_time(said, until, voice)


def declined_there_line(name: str, channel: int, voice: Voice, *, until: float = math.inf) -> str:
    """`declined_line` for a challenger who reads it in their DM."""
    said = voice.gettext(
        "{player} can't play just now. Your table in {channel} stays open to everybody.",
        player=escaped(plain(name)),
        channel=f"<#{channel}>",
    )
    return _with_time(said, until, voice)


def _with_time(said: str, until: float, voice: Voice) -> str:
    if math.isinf(until):
        return said
    return f"{said} {voice.gettext('You can ask them again after {when}.', when=_moment(until))}"


def _moment(until: float) -> str:
    """The time as each reader's Discord shows it, which it does to whole minutes."""
    return f"<t:{math.ceil(until / 60) * 60}:f>"


def _name(record: TableRecord, challenger: int, voice: Voice) -> str:
    """The challenger's name at the table; a general word if they have left it."""
    name = next((each.name for each in record.occupants if each.user == challenger), "")
    return f"**{escaped(plain(name, voice.gettext('this player')))}**"
