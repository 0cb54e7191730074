"""The answer to `/crib-stats wall`: every hand of 28 and 29 of a server, and its biggest win."""

from __future__ import annotations

from bot.features.stats.custom_ids import WallId
from bot.features.stats.player_stats import best_hand
from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, button, container, layout, row, rule, subtext, text
from bot.render.messages.players import start_one
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from bot.standings.wall import BiggestWin, Wall, WalledHand
from engine import Source


def wall_drawing(found: Wall, asker: int, voice: Voice) -> Drawing:
    """A page of the wall; its buttons turn it in place for the `asker`."""
    return layout(
        container(
            text(
                f"## {voice.gettext('The wall')}",
                subtext(voice.gettext("Every 28 and 29 of this server, for ever")),
            ),
            text(*(_hand(each, voice) for each in found.hands))
            if found.hands
            else text(
                voice.gettext("No 28 or 29 yet. The first one goes up here."), subtext(start_one(voice))
            ),
            rule() if found.win else None,
            text(_win(found.win, voice)) if found.win else None,
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
