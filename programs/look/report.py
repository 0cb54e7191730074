"""The figures of a look as a table: what, as it should be, as measured now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from programs.look.sizes import MessageKind
from programs.look.tally import Kind
from programs.look.ways import ALONE, AT_THE_TABLE, BY_DM, MUGGINS, PARTNERS, Measured, Way

WORSE = "worse"
"""The mark of a figure that is not as good as wanted."""

_HEADINGS = ("", "wanted", "now", "")
_SLACK = 0.05
"""By how much an average of taps may pass what is wanted: one in twenty is a slip of the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure."""

    what: str
    wanted: str = "-"
    now: str
    is_worse: bool = False


def rows(played: Sequence[Measured]) -> Iterator[Row]:
    """Every figure of the ways that were played."""
    by_way = {each.way: each for each in played}
    for each in played:
        yield from _messages(each)
    yield from _taps(by_way)
    for each in played:
        yield from _hands_opened(each)
    yield from _words(by_way)
    yield from _heights(by_way)


def table(of: Sequence[Row]) -> str:
    """The rows in columns, as Markdown."""
    lines = [_HEADINGS, *((row.what, row.wanted, row.now, WORSE if row.is_worse else "") for row in of)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    written = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in lines
    ]
    written.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(written)


def _messages(measured: Measured) -> Iterator[Row]:
    name, deals = measured.way.name, measured.deals
    if measured.way is ALONE and not measured.note:
        yield from _messages_alone(measured)
        return
    yield Row(
        what=f"{name}: messages left in the channel by a game of {deals} deals",
        wanted=f"{deals + 2}",
        now=f"{measured.left_in_channel}" + (f" ({measured.note})" if measured.note else ""),
        is_worse=measured.left_in_channel > deals + 2,
    )
    rings = measured.rings
    yield Row(
        what=f"{name}: DMs to each player, and how many rang",
        wanted="1 or 2",
        now=" · ".join(f"{each.posted}, {each.rang}" for each in rings),
        is_worse=any(each.posted > 2 or each.rang > 2 for each in rings),
    )
    yield Row(
        what=f"{name}: mentions of each player in the channel that rang",
        now=" · ".join(f"{each.rang_in_channel}" for each in rings),
    )


def _messages_alone(measured: Measured) -> Iterator[Row]:
    """In the bot's own DM, where the table stands: one message a deal, and nothing rings."""
    [got] = measured.rings
    name, deals = measured.way.name, measured.deals
    yield figure(f"{name}: messages left in the DM by a game of {deals} deals", got.left, at_most=deals + 2)
    yield Row(
        what=f"{name}: messages that rang",
        wanted="0",
        now=f"{got.rang + got.rang_in_channel}",
        is_worse=got.rang + got.rang_in_channel > 0,
    )


def _taps(by_way: Mapping[Way, Measured]) -> Iterator[Row]:
    plain = by_way.get(BY_DM) or by_way.get(AT_THE_TABLE)
    if plain is not None:
        for kind, wanted in (
            (Kind.CUT_FOR_DEAL, 1),
            (Kind.DEAL, 1),
            (Kind.DISCARD, 3),
            (Kind.CUT, 1),
            (Kind.LEAD, 1),
            (Kind.CARD, 1),
            (Kind.GO, 1),
        ):
            if (taps := plain.tally.taps_for(kind)) is not None:
                yield figure(f"taps: {kind.value}", taps, at_most=wanted, slack=_SLACK)
    if PARTNERS in by_way and (taps := by_way[PARTNERS].tally.taps_for(Kind.DISCARD)) is not None:
        yield figure("taps: discard of one card in five", taps, at_most=2, slack=_SLACK)
    if MUGGINS in by_way:
        for kind, wanted in ((Kind.LEAD, 1), (Kind.CARD, 2)):
            if (taps := by_way[MUGGINS].tally.taps_for(kind)) is not None:
                what = f"taps with muggins: {kind.value}"
                yield figure(what, taps, at_most=wanted, slack=_SLACK)


def _hands_opened(measured: Measured) -> Iterator[Row]:
    if measured.way.in_dm and not measured.note:
        return
    pressed = [measured.tally.hands_opened[name] for name in measured.way.people]
    yield Row(
        what=f"{measured.way.name}: *My hand* pressed by each player in {measured.deals} deals",
        wanted="1",
        now=" · ".join(map(str, pressed)),
        is_worse=max(pressed) > 1,
    )


_WORDS = (
    (MessageKind.TABLE, 45),
    (MessageKind.SHOW, 60),
    (MessageKind.LOBBY, 35),
    (MessageKind.HELP, 90),
    (MessageKind.RULES, 120),
    (MessageKind.RESULT, None),
    (MessageKind.HAND, None),
)
"""By kind of message: the most words at two players."""


def _words(by_way: Mapping[Way, Measured]) -> Iterator[Row]:
    two = [by_way[way] for way in (BY_DM, AT_THE_TABLE) if way in by_way]
    for kind, wanted in _WORDS:
        yield from _length(f"words: {kind.value}", kind, two, wanted)
    buttons = [number for each in two if (number := each.sizes.most_buttons(MessageKind.LOBBY)) is not None]
    if buttons:
        yield figure("buttons: lobby", max(buttons), at_most=4)
    for way, wanted in ((MUGGINS, 60), (PARTNERS, 110)):
        for kind in (MessageKind.TABLE, MessageKind.SHOW):
            of_way = [by_way[way]] if way in by_way else []
            yield from _length(f"words, {way.name}: {kind.value}", kind, of_way, wanted)


def _length(what: str, kind: MessageKind, ways: Sequence[Measured], wanted: int | None) -> Iterator[Row]:
    """The words of most messages of a kind, and of the longest, which should not pass what is wanted."""
    words = sorted(each for way in ways for each in way.sizes.words(kind))
    if not words:
        return
    half, most = words[len(words) // 2], words[-1]
    yield Row(
        what=what,
        wanted="-" if wanted is None else f"{wanted}",
        now=f"{half}, at most {most}" if half < most else f"{most}",
        is_worse=wanted is not None and most > wanted,
    )


def _heights(by_way: Mapping[Way, Measured]) -> Iterator[Row]:
    for way in (BY_DM, AT_THE_TABLE, ALONE, MUGGINS, PARTNERS):
        if way not in by_way:
            continue
        sizes = by_way[way].sizes
        for kind in MessageKind:
            if (heights := sizes.heights(kind)) is None:
                continue
            low, high = heights
            screens = 2 if way is PARTNERS and kind is MessageKind.SHOW else 1
            room = screens * sizes.visible
            yield Row(
                what=f"pixels at 390 px, {way.name}: {kind.value}",
                wanted=f"{room}",
                now=f"{low}-{high}" if low < high else f"{high}",
                is_worse=high > room,
            )


def figure(what: str, now: float, *, at_most: float | None = None, slack: float = 0) -> Row:
    """A figure, told in hundredths, that should not pass a number, but for a share of it as `slack`."""
    return Row(
        what=what,
        wanted="-" if at_most is None else f"{at_most:g}",
        now=f"{now:.2f}".rstrip("0").rstrip("."),
        is_worse=at_most is not None and round(now, 2) > at_most * (1 + slack),
    )
