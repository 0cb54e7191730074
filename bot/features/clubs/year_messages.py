"""The answer to `/crib-club year`: the standings of a club's year, page by page."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.features.clubs.custom_ids import YearId
from bot.features.clubs.messages import MEDALS
from bot.features.clubs.year import ClubYear, YearRow
from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, Part, button, container, layout, row, rule, subtext, text
from bot.render.messages.players import shown_name
from bot.render.text.names import shortened
from bot.render.text.voice import Voice

_ON_A_PAGE: Final = 10
"""Rows on a page."""

_LONGEST_NAME: Final = 32
"""Limit (columns) of a person's name."""


def year_drawing(found: ClubYear, at: YearId, voice: Voice, *, is_over: bool) -> Drawing:
    """A page of the year, with the row of the person who asks; medals once the year `is_over`."""
    page = max(0, min(at.page, -(-len(found.rows) // _ON_A_PAGE) - 1))
    at = replace(at, page=page)
    shown = found.rows[page * _ON_A_PAGE : (page + 1) * _ON_A_PAGE]
    own = next((each for each in found.rows if each.user == at.asker and each not in shown), None)
    nobody = (
        voice.gettext("No club night was played here that year.")
        if is_over
        else voice.gettext("No club night has ended this year yet. A night counts once it's over.")
    )
    lines = [_line(each, at.asker, voice, is_over=is_over) for each in shown]
    return layout(
        container(
            text(
                f"## {voice.gettext('Club year {year}', year=found.year)}",
                subtext(_nights(found.nights, voice)) if found.nights else None,
            ),
            text(*(lines or [nobody])),
            rule() if own else None,
            text(_line(own, at.asker, voice, is_over=is_over)) if own else None,
            text(*map(subtext, _footnotes(found, voice))) if lines else None,
            row(*_buttons(found, at, voice)),
            colour=GOLD,
        )
    )


def best_text(year: int, best: int | None, voice: Voice) -> str:
    """The answer to an organiser who has chosen how many nights count."""
    if best is None:
        return voice.gettext("From {year} on, every club night counts for the year.", year=year)
    return voice.ngettext(
        "From {year} on, each player's best club night counts for the year.",
        "From {year} on, each player's best {number} club nights count for the year.",
        best,
        year=year,
    )


def _line(each: YearRow, asker: int, voice: Voice, *, is_over: bool) -> str:
    """As `1\\. Ada · **87 points** · 31 won · +412`; for the person who asks, with their nights."""
    medal = MEDALS.get(each.place) if is_over and each.points else None
    nights = (
        _nights(each.nights, voice)
        if each.counted == each.nights
        else voice.ngettext(
            "{counted} of {number} night", "{counted} of {number} nights", each.nights, counted=each.counted
        )
    )
    line = voice.ngettext(
        "{place} {player} · **{number} point** · {won} won · {spread}",
        "{place} {player} · **{number} points** · {won} won · {spread}",
        each.points,
        place=medal or f"{each.place}\\.",
        player=shortened(shown_name(each.name, voice), _LONGEST_NAME),
        won=each.won,
        spread=voice.language.change(each.spread),
    )
    return f"▸ {line} · {nights}" if each.user == asker else line


def _nights(number: int, voice: Voice) -> str:
    return voice.ngettext("{number} night", "{number} nights", number)


def _footnotes(found: ClubYear, voice: Voice) -> tuple[str, ...]:
    """The number of nights that count, and the order of equals."""
    counts = (
        voice.gettext("Every night counts")
        if found.best is None
        else voice.ngettext(
            "Each player's best night counts", "Each player's best {number} nights count", found.best
        )
    )
    return (counts, voice.gettext("Ties: games won, then spread"))


def _buttons(found: ClubYear, at: YearId, voice: Voice) -> list[Part | None]:
    has_more = (at.page + 1) * _ON_A_PAGE < len(found.rows)
    years = [
        button(YearId(year, 0, at.asker), str(year))
        for year in (found.before, found.after)
        if year is not None
    ]
    return [
        button(replace(at, page=at.page - 1), voice.gettext("Previous")) if at.page > 0 else None,
        button(replace(at, page=at.page + 1), voice.gettext("Next")) if has_more else None,
        *years,
    ]
