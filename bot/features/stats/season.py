"""A season: the podium so far, its post at the end of the month, a past month's whole leaderboard, and the
champions on the wall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.features.stats.custom_ids import SeasonId
from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, button, container, layout, row, rule, subtext, text
from bot.render.messages.players import shown_name, start_one
from bot.render.text.voice import Voice
from bot.standings.seasons import Season, SeasonBoard, Winner, first_day

_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def season_drawing(now: Season, before: Sequence[Season], voice: Voice) -> Drawing:
    """The podium so far, and the champions of the seasons before."""
    end = voice.gettext("Ends {when}", when=f"<t:{now.end.timestamp():.0f}:R>")
    return layout(
        container(
            text(_title(now.month, voice), subtext(end)),
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
        container(text(_title(season.month, voice)), text(*_podium(season, voice)), text(begun), colour=GOLD)
    )


def board_drawing(found: SeasonBoard, asker: int, voice: Voice) -> Drawing:
    """A page of a month's leaderboard, with buttons to the others."""
    at = SeasonId(found.month, found.page, asker)
    when = f"<t:{found.end.timestamp():.0f}:R>"
    end = (
        voice.gettext("Ended {when}", when=when) if found.is_over else voice.gettext("Ends {when}", when=when)
    )
    return layout(
        container(
            text(_title(found.month, voice), subtext(end)),
            text(*(_winner(each, voice) for each in found.rows), subtext(_ranking(found.people, voice))),
            row(
                button(replace(at, page=at.page - 1), voice.gettext("Previous")) if at.page > 0 else None,
                button(replace(at, page=at.page + 1), voice.gettext("Next"))
                if at.page + 1 < found.pages
                else None,
            ),
            colour=GOLD,
        )
    )


def no_games_text(month: int, voice: Voice) -> str:
    """The answer for a month without games."""
    return voice.gettext(
        "No games between people were finished here in {month}.", month=voice.language.month(first_day(month))
    )


def champions(seasons: Sequence[Season], voice: Voice) -> list[str]:
    """A heading, and a small line for each of the closed seasons, as `October 2026: Ada, 21 wins`."""
    lines = [
        voice.ngettext(
            "{month}: {players}, {number} win",
            "{month}: {players}, {number} wins",
            each.champions[0].wins,
            month=voice.language.month(first_day(each.month)),
            players=", ".join(shown_name(first.name, voice) for first in each.champions),
        )
        for each in seasons
    ]
    return [f"**{voice.gettext('Champions of the month')}**", *map(subtext, lines)] if lines else []


def posting_text(channel: int | None, season: Season, voice: Voice) -> str:
    """The answer to moderators who have chosen a channel; `season` is the one under way."""
    if channel is None:
        return voice.gettext("I don't post the podium of the month here any more.")
    return voice.gettext(
        "I'll post the podium of each month in {channel}. Next: {when}",
        channel=f"<#{channel}>",
        when=_end(season),
    )


def zone_text(zone: str, season: Season, voice: Voice) -> str:
    """The answer to moderators who have chosen a time zone; `season` is the one under way."""
    return voice.gettext(
        "From now on seasons end at midnight in {zone}; past ones stay as they are. This one ends {when}.",
        zone=f"**{zone}**",
        when=_end(season),
    )


def _end(season: Season) -> str:
    return f"<t:{season.end.timestamp():.0f}:f>"


def _title(month: int, voice: Voice) -> str:
    return "## " + voice.gettext("Season: {month}", month=voice.language.month(first_day(month)))


def _podium(season: Season, voice: Voice) -> list[str]:
    """The first places, and by what they are."""
    return [*(_winner(each, voice) for each in season.podium), subtext(_ranking(season.people, voice))]


def _ranking(people: int, voice: Voice) -> str:
    """The number of people, and by what they are ranked."""
    number = voice.ngettext("{number} player", "{number} players", people)
    return f"{number} · {voice.gettext('Most wins against people; of equal ones, fewest games')}"


def _winner(winner: Winner, voice: Voice) -> str:
    """As `🥇 **Ada** · 21 of 30 games won`; below the podium as `**4** Ada · 2 of 9 games won`."""
    won = voice.ngettext(
        "{won} of {number} game won",
        "{won} of {number} games won",
        winner.games,
        won=voice.number(winner.wins),
    )
    name = shown_name(winner.name, voice)
    if winner.wins and winner.place in _MEDALS:
        return f"{_MEDALS[winner.place]} **{name}** · {won}"
    return f"**{voice.number(winner.place)}** {name} · {won}"
