"""The answer to `/crib-stats wall`: the great hands of a server, its biggest win, and its records."""

from __future__ import annotations

from bot.features.stats.custom_ids import WallId
from bot.features.stats.player_stats import best_hand
from bot.features.stats.season import champions
from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, button, container, layout, row, rule, subtext, text
from bot.render.messages.players import shown_name, start_one
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from bot.standings.wall import BiggestWin, Feat, Record, Wall, WalledHand
from engine import Source

_NAMES = 3
"""Number of names that a record shows."""


def wall_drawing(found: Wall, asker: int, voice: Voice) -> Drawing:
    """A page of the wall; its buttons turn it in place for the `asker`."""
    records = [_win(found.win, voice)] if found.win else []
    records += [_record(feat, found.records[feat], voice) for feat in Feat if feat in found.records]
    return layout(
        container(
            text(
                f"## {voice.gettext('The wall')}",
                subtext(voice.gettext("Every 24, 28 and 29 counted here, for ever")),
            ),
            text(*(_hand(each, voice) for each in found.hands))
            if found.hands
            else text(
                voice.gettext("No hand of 24 or more yet. The first one goes up here."),
                subtext(start_one(voice)),
            ),
            rule() if records or found.champions else None,
            text(*records),
            text(*champions(found.champions, voice)),
            row(
                button(WallId(found.page - 1, asker), voice.gettext("Previous")) if found.page > 0 else None,
                button(WallId(found.page + 1, asker), voice.gettext("Next"))
                if found.page + 1 < found.pages
                else None,
            ),
            colour=GOLD,
        )
    )


def _hand(each: WalledHand, voice: Voice) -> str:
    """As `Ada · 29 points: 5♥ 5♣ 5♠ J♦ with 5♦ · 21/11/2026`."""
    player = Names.at(each.record, voice)[each.seat]
    who = voice.gettext("{player}'s crib", player=player) if each.source is Source.CRIB else player
    return f"**{who}** · {best_hand(each.hand, voice)} · <t:{each.at}:d>"


def _win(win: BiggestWin, voice: Voice) -> str:
    names = Names.at(win.record, voice)
    winner = names.side(win.record.agreement.rules.side_of(win.seat))
    return voice.ngettext(
        "**Biggest win:** {winner}, by {number} hole · {day}",
        "**Biggest win:** {winner}, by {number} holes · {day}",
        win.holes,
        winner=winner,
        day=f"<t:{win.at}:d>",
    )


def _record(feat: Feat, record: Record, voice: Voice) -> str:
    """As `**Longest streak:** Ada and Ben, 7 wins`, with at most `_NAMES` names."""
    number = record.number
    names = [shown_name(name, voice) for name in record.names[:_NAMES]]
    more = len(record.names) - len(names)
    who = ", ".join(names) + (f" +{voice.number(more)}" if more else "")
    match feat:
        case Feat.STREAK:
            line = voice.ngettext(
                "**Longest streak:** {players}, {number} win",
                "**Longest streak:** {players}, {number} wins",
                number,
                players=who,
            )
        case Feat.COMEBACK:
            line = voice.ngettext(
                "**Biggest comeback:** {players}, from {number} behind",
                "**Biggest comeback:** {players}, from {number} behind",
                number,
                players=who,
            )
        case Feat.SKUNKS:
            line = voice.ngettext(
                "**Most skunks:** {players}, {number}",
                "**Most skunks:** {players}, {number}",
                number,
                players=who,
            )
        case Feat.SLAMS:
            line = voice.ngettext(
                "**Grand slams:** {players}, {number}",
                "**Grand slams:** {players}, {number}",
                number,
                players=who,
            )
    return line
