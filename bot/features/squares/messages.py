"""The messages of squares: the grid, the result, and the post to share.

The grid shows the cards that have come, and no other. The post shows none: only a coloured square for each
row and column, and the total.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from discord import ButtonStyle

from bot.features.squares.custom_ids import PutId, SquaresId, SquaresVerb
from bot.features.squares.games import SquaresGame, SquaresRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, FELT, GOLD, Part, button, container, layout, row, subtext, text
from bot.render.messages.shared import show_everybody
from bot.render.text.days import end_of
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice
from engine import CELLS, SIDE, TO_WIN, Card, Cards, SquaresCount

_SQUARES: Final = ((12, "🟦"), (8, "🟩"), (5, "🟨"), (2, "🟧"), (0, "⬜"))
"""The least points of a row or column for each colour. Eight on average win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SquaresResult:
    """One person's full grid and its points."""

    day: date
    grid: Cards = field(repr=False)
    starter: Card = field(repr=False)
    count: SquaresCount
    best: int | None
    """The best total that a search has found; `None` before it has ended."""
    record: SquaresRecord


def board_drawing(game: SquaresGame, come: Cards, voice: Voice) -> Drawing:
    """The grid with the cards that have come; the last of them is to be placed. Ephemeral."""
    *placed, coming = come
    by_cell = dict(zip(game.cells, placed, strict=True))
    number = voice.number(len(come))
    buttons = [
        _cell(PutId(game.day, len(game.cells), cell), by_cell.get(cell), voice) for cell in range(CELLS)
    ]
    return layout(
        container(
            text(
                *_title(game.day, voice),
                voice.gettext(
                    "**Card {number} of {cards}:** where does it go?",
                    number=number,
                    cards=voice.number(CELLS),
                ),
                f"# {voice.faces.text(coming)}",
            ),
            *(row(*buttons[start : start + SIDE]) for start in range(0, CELLS, SIDE)),
            text(
                subtext(
                    voice.gettext(
                        "Each row and each column is a hand with the starter, which is turned at the end. "
                        "{points} points win.",
                        points=voice.number(TO_WIN),
                    )
                )
            ),
            colour=BAIZE,
        )
    )


def result_drawing(result: SquaresResult, voice: Voice, *, is_today: bool) -> Drawing:
    """The grid with the points of each row and column, the total, and the best one. Ephemeral."""
    starter = voice.gettext("Starter: {card}.", card=voice.faces.text(result.starter))
    if result.count.heels:
        heels = voice.gettext("His heels: +{points}.", points=voice.number(result.count.heels))
        starter = f"{starter} {heels}"
    again = None if is_today else button(SquaresId(SquaresVerb.OPEN), voice.gettext("Today's squares"))
    return layout(
        container(
            text(*_title(result.day, voice), starter),
            text("\n".join(("```", *_table(result, voice), "```"))),
            text(
                f"**{_points(result.count.total, voice)}** · {_verdict(result.count, voice)}",
                _compared(result, voice),
                *_standing(result.record, voice),
                voice.gettext("Next squares at {when}", when=end_of(result.day)) if is_today else "",
            ),
            row(show_everybody(SquaresId(SquaresVerb.SHARE, result.day), voice), again),
            colour=GOLD if result.count.is_won else BAIZE,
        )
    )


def share_drawing(name: str, result: SquaresResult, voice: Voice) -> Drawing:
    """The public post of a person's total: squares, and no cards."""
    return layout(
        container(
            text(f"**{escaped(plain(name))}** · {_heading(result.day, voice)}", *_shared(result, voice)),
            row(button(SquaresId(SquaresVerb.OPEN), voice.gettext("Play today's squares"))),
            colour=FELT,
        )
    )


def share_text(result: SquaresResult, voice: Voice) -> str:
    """The post as text, to copy from a direct message."""
    return "\n".join(
        (
            voice.gettext("Copy it, and share it anywhere:"),
            "```",
            _heading(result.day, voice),
            *_shared(result, voice),
            "```",
        )
    )


def _title(day: date, voice: Voice) -> Iterator[str]:
    yield f"## {voice.gettext('Cribbage squares')}"
    yield subtext(voice.language.date(day))


def _heading(day: date, voice: Voice) -> str:
    return voice.gettext("Cribbage squares, {day}", day=voice.language.date(day))


def _cell(at: PutId, card: Card | None, voice: Voice) -> Part:
    """A free cell with its row and column, or the card that is there."""
    if card is None:
        across, down = at.cell // SIDE + 1, at.cell % SIDE + 1
        return button(at, f"{across}·{down}")
    emoji = voice.faces.emoji(card)
    label = "" if emoji else f"{voice.faces.plain(card)}\N{VARIATION SELECTOR-15}"
    return button(at, label, style=ButtonStyle.primary, emoji=emoji, enabled=False)


def _table(result: SquaresResult, voice: Voice) -> Iterator[str]:
    """Lines as `  5♥ 10♦  J♠  Q♣ │  8`, and the points of the columns below."""
    for number, points in enumerate(result.count.rows):
        cards = result.grid[SIDE * number : SIDE * (number + 1)]
        yield f"{_cells(voice.faces.plain(each) for each in cards)} │ {voice.number(points):>2}"
    yield f"{'─' * 4 * SIDE}─┘"
    yield _cells(map(voice.number, result.count.columns))


def _cells(written: Iterable[str]) -> str:
    return "".join(f"{each:>4}" for each in written)


def _points(points: int, voice: Voice) -> str:
    return voice.ngettext("{number} point", "{number} points", points)


def _verdict(count: SquaresCount, voice: Voice) -> str:
    if count.is_won:
        return voice.gettext("won ({points} or more)", points=voice.number(TO_WIN))
    return voice.gettext(
        "{number} short of {points}", number=TO_WIN - count.total, points=voice.number(TO_WIN)
    )


def _compared(result: SquaresResult, voice: Voice) -> str:
    if result.best is None:
        return voice.gettext("My search for the best total isn't done yet: look again in a minute.")
    best = voice.number(result.best)
    if result.count.total > result.best:
        return voice.gettext("That beats the best that my search found: {best}", best=best)
    if result.count.total == result.best:
        return voice.gettext("My search found nothing better.")
    return voice.gettext("The best that my search found: {best}", best=best)


def _standing(record: SquaresRecord, voice: Voice) -> Iterator[str]:
    yield voice.ngettext(
        "**Won:** {number} of {finished}",
        "**Won:** {number} of {finished}",
        record.won,
        finished=voice.number(record.finished),
    )
    streak = _days(record.streak, voice)
    if record.longest > record.streak:
        streak = voice.gettext(
            "{streak} (longest: {longest})", streak=streak, longest=voice.number(record.longest)
        )
    yield f"**{voice.gettext('Streak:')}** {streak}"


def _days(days: int, voice: Voice) -> str:
    return voice.ngettext("{number} day", "{number} days", days)


def _shared(result: SquaresResult, voice: Voice) -> Iterator[str]:
    yield f"↔️ {_coloured(result.count.rows)}"
    yield f"↕️ {_coloured(result.count.columns)}"
    said = _points(result.count.total, voice)
    if result.record.streak > 1:
        said = f"{said} · {_days(result.record.streak, voice)} 🔥"
    yield said


def _coloured(points: Iterable[int]) -> str:
    return "".join(next(square for least, square in _SQUARES if each >= least) for each in points)
