"""A season: the podium so far, its post at the end of the month, and the champions on the wall."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, container, layout, rule, subtext, text
from bot.render.messages.players import shown_name, start_one
from bot.render.text.voice import Voice
from bot.standings.seasons import Season, Winner, month_after

_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def season_drawing(now: Season, before: Sequence[Season], voice: Voice) -> Drawing:
    """The podium so far, and the champions of the seasons before."""
    end = voice.gettext("Ends {when}", when=f"<t:{month_after(now.month).timestamp():.0f}:R>")
    return layout(
        container(
            text(_title(now, voice), subtext(end)),
            text(*_podium(now, voice))
            if now.podium
            else text(voice.gettext("Nobody has won a game with people yet."), start_one(voice)),
            rule() if before else None,
            text(*champions(before, voice)),
            colour=GOLD,
        )
    )


def podium_drawing(season: Season, voice: Voice) -> Drawing:
    """The podium of a closed season, for everybody."""
    begun = voice.gettext("A new season has begun: {season}", season=voice.command("crib-stats season"))
    return layout(
        container(text(_title(season, voice)), text(*_podium(season, voice)), text(begun), colour=GOLD)
    )


def champions(seasons: Sequence[Season], voice: Voice) -> list[str]:
    """A heading, and a line for each of the closed seasons, as `October 2026: Ada, 21 wins`."""
    lines = [
        voice.ngettext(
            "{month}: {players}, {number} win",
            "{month}: {players}, {number} wins",
            each.champions[0].wins,
            month=voice.language.month(each.month),
            players=", ".join(shown_name(first.name, voice) for first in each.champions),
        )
        for each in seasons
    ]
    return [f"**{voice.gettext('Champions of the month')}**", *lines] if lines else []


def posting_text(channel: int | None, season: Season, voice: Voice) -> str:
    """The answer to moderators who have chosen a channel; `season` is the one under way."""
    if channel is None:
        return voice.gettext("I don't post the podium of the month here any more.")
    return voice.gettext(
        "I'll post the podium of each month in {channel}. Next: {when}",
        channel=f"<#{channel}>",
        when=f"<t:{month_after(season.month).timestamp():.0f}:f>",
    )


def _title(season: Season, voice: Voice) -> str:
    return "## " + voice.gettext("Season: {month}", month=voice.language.month(season.month))


def _podium(season: Season, voice: Voice) -> list[str]:
    """The first places, and by what they are."""
    people = voice.ngettext("{number} player", "{number} players", season.people)
    how = voice.gettext("Most wins against people; of equal ones, fewest games")
    return [*(_winner(each, voice) for each in season.podium), subtext(f"{people} · {how}")]


def _winner(winner: Winner, voice: Voice) -> str:
    """As `🥇 **Ada** · 21 of 30 games won`."""
    won = voice.ngettext(
        "{won} of {number} game won",
        "{won} of {number} games won",
        winner.games,
        won=voice.number(winner.wins),
    )
    return f"{_MEDALS[winner.place]} **{shown_name(winner.name, voice)}** · {won}"
