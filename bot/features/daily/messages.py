"""The messages of the daily hand: the question, the result, and the public posts.

Public messages name no card before the day is over: only squares, a grade and a streak.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

import discord
from discord import ButtonStyle

from bot.features.daily.custom_ids import DailyId, DailyVerb
from bot.features.daily.hands import DailyAnswer, DailyBest, DailyPlace, DailyPosting, is_best
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.colours import Colour
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import (
    BAIZE,
    FELT,
    GOLD,
    button,
    container,
    layout,
    picture,
    row,
    select,
    subtext,
    text,
)
from bot.render.messages.discard_buttons import discard_buttons
from bot.render.messages.shared import show_everybody
from bot.render.pictures.show import HandInPicture, ShowFacts
from bot.render.text.advice import signed, total
from bot.render.text.days import end_of, moment
from bot.render.text.milestones import milestones_line
from bot.render.text.names import escaped, plain, width
from bot.render.text.reasons import said
from bot.render.text.spelled_cards import spelled_out
from bot.render.text.voice import Voice
from bot.standings.milestones import Milestone
from engine import TWO_HANDED, Card, Cards, count
from engine.coach import (
    COST_UNIT,
    DailyHand,
    Grade,
    Owner,
    Place,
    Reckoned,
    discard_reasons,
    grade_of,
)
from engine.computer import Throw

WEEK: Final = 7
"""Number of past days that can be played for practice."""

MOST_NAMES: Final = 5
"""Limit of names of the best players in a post."""

OFF: Final = "off"
"""The select's value for no daily post."""

_GRADES: Final = {
    Grade.TWENTY_NINE: pgettext_noop("grade", "Twenty-nine"),
    Grade.DOUBLE_RUN: pgettext_noop("grade", "Double run"),
    Grade.FIFTEEN_TWO: pgettext_noop("grade", "Fifteen two"),
    Grade.HIS_NOBS: pgettext_noop("grade", "His nobs"),
    Grade.NINETEEN: pgettext_noop("grade", "Nineteen"),
}
_MEANINGS: Final = {
    Grade.TWENTY_NINE: gettext_noop("the best choice"),
    Grade.DOUBLE_RUN: gettext_noop("nearly the best"),
    Grade.FIFTEEN_TWO: gettext_noop("a fair choice"),
    Grade.HIS_NOBS: gettext_noop("could be better"),
    Grade.NINETEEN: gettext_noop("cribbage for zero"),
}
_SQUARES: Final = {
    Grade.TWENTY_NINE: "🟩🟩🟩🟩🟩",
    Grade.DOUBLE_RUN: "🟩🟩🟩🟩⬜",
    Grade.FIFTEEN_TWO: "🟨🟨🟨⬜⬜",
    Grade.HIS_NOBS: "🟧🟧⬜⬜⬜",
    Grade.NINETEEN: "🟥⬜⬜⬜⬜",
}

# Translators: a narrow column: the chance to win in percent; points in all, in hand, crib and play; the cards
# given to the crib
_COLUMNS: Final = (
    gettext_noop("win %"),
    gettext_noop("all"),
    gettext_noop("hand"),
    gettext_noop("crib"),
    gettext_noop("peg"),
    gettext_noop("give"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyResult:
    """One person's result."""

    answer: DailyAnswer | None
    """The answer of the day itself; `None` for practice."""
    here: DailyPlace | None = None
    """The place in the server; `None` in a direct message."""
    everywhere: DailyPlace | None = None
    is_perfect_week: bool = False
    """True if the answer ends the person's first week of best choices."""
    again: bool = False
    """True if the person has just tried to discard other cards."""


def question_drawing(day: date, hand: DailyHand, chosen: Cards, voice: Voice, *, practice: bool) -> Drawing:
    """Six cards as buttons, and a button that discards the two chosen ones. Ephemeral."""
    done = DailyId(DailyVerb.DISCARD, day, tuple(sorted(chosen)))
    task = (
        voice.gettext("Discard 2 to your crib")
        if hand.dealer
        else voice.gettext("Discard 2 to the opponent's crib")
    )
    return layout(
        container(
            text(
                *_title(day, voice, practice=practice),
                f"**{task}**",
                voice.gettext("Score: you {own}, opponent {other}", own=hand.own, other=hand.other),
            ),
            *discard_buttons(
                hand.dealt, chosen, lambda after: DailyId(DailyVerb.PICK, day, after), done, voice
            ),
            text(subtext(_what_counts(day, voice, practice=practice))),
            colour=BAIZE,
        )
    )


def result_drawing(
    day: date, reckoned: Reckoned, given: Cards, result: DailyResult, voice: Voice, *, drawn: DrawnFile | None
) -> Drawing:
    """The discard compared with the best, and why. Ephemeral."""
    cost = reckoned.cost_of(given)
    best, made = reckoned.throws[0], reckoned.throw_of(given)
    grade = grade_of(cost)
    graded = f"**{voice.pgettext('grade', _GRADES[grade])}** · {voice.gettext(_MEANINGS[grade])}"
    if result.answer is None:
        first = button(DailyId(DailyVerb.PLAY), voice.gettext("Today's hand"))
    else:
        first = show_everybody(DailyId(DailyVerb.SHARE, day), voice)
    figures = DailyId(DailyVerb.FIGURES, day, tuple(sorted(made.given)))
    return layout(
        container(
            text(
                *_title(day, voice, practice=result.answer is None, ends=end_of(day)),
                voice.gettext("Your first discard counts. Here is what it was worth.")
                if result.again
                else "",
                *_comparison(reckoned.hand, best, made, cost, voice, has_picture=drawn is not None),
                _because(reckoned, made, cost, voice),
            ),
            picture(drawn) if drawn else None,
            # Last, next to the buttons: a phone scrolls to the end of the message.
            text(f"{_SQUARES[grade]} {graded}", *_standing(result, voice)),
            row(
                first,
                button(figures, voice.gettext("All 15")),
                button(DailyId(DailyVerb.PRACTICE), voice.gettext("Past week")),
            ),
            colour=GOLD if grade is Grade.TWENTY_NINE else BAIZE,
        ),
        files=(drawn,) if drawn else (),
    )


def figures_drawing(day: date, reckoned: Reckoned, given: Cards, voice: Voice, *, practice: bool) -> Drawing:
    """The figures of all fifteen discards, and how they are known. Ephemeral."""
    return layout(
        container(
            text(
                *_title(day, voice, practice=practice),
                "\n".join(("```", *_table(reckoned.throws, reckoned.throw_of(given), voice), "```")),
                subtext(_explained(reckoned.hand, voice)),
                subtext(_graded_by(reckoned.hand, voice)),
            ),
            colour=BAIZE,
        )
    )


def result_facts(reckoned: Reckoned, given: Cards) -> ShowFacts:
    """The facts of a result's picture: the starter, the kept hand, and the best one if it is another."""
    made, best = reckoned.throw_of(given), reckoned.throws[0]
    hands = [_in_picture(made, reckoned.hand, Colour.BLUE)]
    if not is_best(reckoned.cost_of(given)):
        hands.append(_in_picture(best, reckoned.hand, Colour.GREEN))
    return ShowFacts(starter=reckoned.hand.starter, hands=tuple(hands))


def result_alt(reckoned: Reckoned, given: Cards, voice: Voice) -> str:
    """The alt text of a result's picture."""
    made, best = reckoned.throw_of(given), reckoned.throws[0]
    starter = reckoned.hand.starter
    said = [
        voice.gettext("Starter: {card}.", card=spelled_out(starter, voice)),
        voice.gettext("You kept {cards}: {points}.", **_spelled(made, starter, voice)),
    ]
    if not is_best(reckoned.cost_of(given)):
        said.append(
            voice.gettext("The best choice keeps {cards}: {points}.", **_spelled(best, starter, voice))
        )
    return " ".join(said)


def practice_drawing(today: date, days: Sequence[date], voice: Voice) -> Drawing:
    """A select with the days of the past week."""
    options = [
        discord.SelectOption(label=voice.language.date(each)[:100], value=each.isoformat()) for each in days
    ]
    return layout(
        container(
            text(
                voice.gettext("## Daily hand: past week"),
                voice.gettext("Play any of these for practice. They don't count."),
            ),
            select(DailyId(DailyVerb.DAY), voice.gettext("Choose a day"), options),
            row(button(DailyId(DailyVerb.PLAY), voice.gettext("Today's hand"))),
            text(subtext(voice.gettext("Today is {day} (UTC)", day=voice.language.date(today)))),
            colour=BAIZE,
        )
    )


def share_drawing(name: str, answer: DailyAnswer, voice: Voice) -> Drawing:
    """The public post of a person's grade: squares, and no cards."""
    return layout(
        container(
            text(f"**{escaped(plain(name))}** · {_heading(answer.day, voice)}", _shared(answer, voice)),
            row(button(DailyId(DailyVerb.PLAY), voice.gettext("Play today's hand"))),
            colour=FELT,
        )
    )


def share_text(answer: DailyAnswer, voice: Voice) -> str:
    """The post of a grade as text, to copy from a direct message."""
    return "\n".join(
        (
            voice.gettext("Copy it, and share it anywhere:"),
            "```",
            _heading(answer.day, voice),
            _shared(answer, voice),
            "```",
        )
    )


def post_drawing(day: date, before: tuple[Reckoned, DailyBest | None], voice: Voice) -> Drawing:
    """The server's daily post: an invitation, and the result of the day before."""
    return layout(
        container(
            text(
                *_title(day, voice, practice=False),
                voice.gettext("Six cards, the same for everybody: which two go to the crib?"),
            ),
            text(*_yesterday(before, voice)),
            row(button(DailyId(DailyVerb.PLAY), voice.gettext("Play"), style=ButtonStyle.success)),
            colour=FELT,
        )
    )


def posting_drawing(
    posting: DailyPosting | None, here: int, today: date, voice: Voice, *, is_shut: bool = False
) -> Drawing:
    """The moderators' panel of the daily post, which is sent to the channel `here`.

    With `is_shut`, it says that the bot may not write in the chosen channel.
    """
    if posting is None:
        now = [voice.gettext("I don't post the daily hand here yet.")]
    else:
        channel, first = f"<#{posting.channel}>", max(today, posting.posted + timedelta(days=1))
        now = [
            voice.gettext(
                "I post the daily hand every day at {hour} UTC in {channel}. Next: {when}",
                channel=channel,
                hour=_hour(posting.hour),
                when=f"<t:{moment(first, posting.hour)}:f>",
            )
        ]
        if is_shut:
            now.append(
                voice.gettext(
                    "⚠️ I can't write in {channel}. Give me *View Channel* and *Send Messages* there, "
                    "or use {post} in another channel.",
                    channel=channel,
                    post=voice.command("crib-daily post"),
                )
            )
    is_here = posting is not None and posting.channel == here
    options = [
        discord.SelectOption(label=voice.gettext("Don't post it"), value=OFF, default=posting is None),
        *(
            discord.SelectOption(
                label=voice.gettext("In this channel at {hour} UTC", hour=_hour(hour)),
                value=str(hour),
                default=is_here and posting is not None and posting.hour == hour,
            )
            for hour in range(24)
        ),
    ]
    return layout(
        container(
            text(
                voice.gettext("## Daily hand in this server"),
                *now,
                voice.gettext(
                    "When should I post it in {channel}, with yesterday's best?", channel=f"<#{here}>"
                ),
            ),
            select(DailyId(DailyVerb.HOUR), voice.gettext("When to post it"), options),
            colour=BAIZE,
        )
    )


def _title(day: date, voice: Voice, *, practice: bool, ends: str = "") -> Iterator[str]:
    """The heading and the day; `ends` is when the next hand comes, unless the day is over."""
    yield f"## {voice.gettext('Daily hand')}"
    said = [voice.language.date(day)]
    if practice:
        said.append(voice.gettext("practice"))
    elif ends:
        said.append(voice.gettext("next hand at {when}", when=ends))
    yield subtext(" · ".join(said))


def _heading(day: date, voice: Voice) -> str:
    return voice.gettext("Daily hand, {day}", day=voice.language.date(day))


def _position(hand: DailyHand, voice: Voice) -> str:
    scores = {"own": voice.number(hand.own), "other": voice.number(hand.other)}
    if hand.dealer:
        return voice.gettext("dealer at {own} to {other}", **scores)
    return voice.gettext("non-dealer at {own} to {other}", **scores)


def _explained(hand: DailyHand, voice: Voice) -> str:
    return voice.gettext(
        "The expert's figures ({position}): your chance to win, then points in all, in hand, crib and play.",
        position=_position(hand, voice),
    )


def _graded_by(hand: DailyHand, voice: Voice) -> str:
    """The source of the best discard: simulation, or today's reckoning."""
    if (evidence := hand.evidence) is None:
        return voice.gettext("These chances are the expert's reckoning; this hand was not simulated.")
    return voice.gettext(
        "The best discard is known by simulation: over {deals} deals it wins {margin} more often than the "
        "next best (standard error {error}).",
        deals=voice.number(evidence.deals),
        margin=voice.language.percent(evidence.margin, 1),
        error=voice.language.percent(evidence.error, 2),
    )


def _what_counts(day: date, voice: Voice, *, practice: bool) -> str:
    if practice:
        return voice.gettext("Just practice: it doesn't count.")
    return voice.gettext(
        "A game for two to 121. Your first discard counts; the next hand comes at {when}.",
        when=end_of(day),
    )


def _comparison(
    hand: DailyHand, best: Throw, made: Throw, cost: int, voice: Voice, *, has_picture: bool
) -> Iterator[str]:
    """The cards of both, and without a picture what the hands are worth with the starter."""
    given = voice.faces.all(sorted(made.given))
    if is_best(cost):
        yield voice.gettext("You discarded {cards}, the best there is.", cards=given)
    else:
        yield voice.gettext(
            "You discarded {cards}. The best was {best}: +{lost} to win.",
            cards=given,
            lost=voice.language.percent(cost / COST_UNIT, 1),
            best=voice.faces.all(sorted(best.given)),
        )
    if has_picture:  # it has the starter and the points, as its alt text does
        return
    counts = {
        "starter": voice.faces.text(hand.starter),
        "points": _points(made, hand.starter, voice),
    }
    if is_best(cost):
        yield voice.gettext("The starter is {starter}: your hand has {points}.", **counts)
    else:
        yield voice.gettext(
            "The starter is {starter}: your hand has {points}, the best choice {others}.",
            others=_points(best, hand.starter, voice),
            **counts,
        )


def _because(reckoned: Reckoned, made: Throw, cost: int, voice: Voice) -> str:
    """The reason why the best was better than the discard, or than the next best."""
    best, other, *_ = reckoned.throws
    if not is_best(cost):
        other = made
    elif made is not best:
        return ""
    hand = reckoned.hand
    place = Place(
        rules=TWO_HANDED,
        owner=Owner.SELF if hand.dealer else Owner.OPPONENT,
        score=(hand.score.mine, hand.score.theirs),
        is_simulated=hand.evidence is not None,
    )
    return said(discard_reasons(best, other, reckoned.throws, place), voice)


def _points(throw: Throw, starter: Card, voice: Voice) -> str:
    return voice.ngettext("{number} point", "{number} points", count(throw.kept, starter=starter).points)


def _spelled(throw: Throw, starter: Card, voice: Voice) -> dict[str, str]:
    return {
        "cards": voice.listing(spelled_out(each, voice) for each in sorted(throw.kept)),
        "points": _points(throw, starter, voice),
    }


def _in_picture(throw: Throw, hand: DailyHand, colour: Colour) -> HandInPicture:
    points = count(throw.kept, starter=hand.starter).points
    return HandInPicture(colour=colour, cards=tuple(sorted(throw.kept)), points=points, is_crib=False)


def _table(throws: Sequence[Throw], made: Throw, voice: Voice) -> list[str]:
    """The heading, and lines as ` 54.2  6.0  9.8 −4.1 +0.3 2♦9♣`, with an arrow before the person's own."""
    rows = [[voice.gettext(each) for each in _COLUMNS], *(_cells(each, made, voice) for each in throws)]
    *figures, _ = zip(*rows, strict=True)
    widths = [max(map(width, column)) for column in figures]
    return [
        " ".join((*(" " * (w - width(cell)) + cell for w, cell in zip(widths, line, strict=False)), line[-1]))
        for line in rows
    ]


def _cells(throw: Throw, made: Throw, voice: Voice) -> list[str]:
    chance = voice.number(100 * (throw.winning or 0.0), 1)
    return [
        f"→{chance}" if throw is made else chance,
        total(throw.points, voice),
        voice.number(throw.average, 1),
        signed(throw.crib, voice),
        signed(throw.pegging, voice),
        "".join(voice.faces.plain(each) for each in sorted(throw.given)),
    ]


def _standing(result: DailyResult, voice: Voice) -> Iterator[str]:
    """The places, the streak, and a milestone."""
    if result.here is not None:
        yield voice.gettext("**In this server:** {place}", place=_place(result.here, voice))
    if result.everywhere is not None:
        yield voice.gettext("**Worldwide:** {place}", place=_place(result.everywhere, voice))
    if result.answer is not None:
        streak = _streak(result.answer.streak, voice)
        if result.answer.longest > result.answer.streak:
            longest = voice.number(result.answer.longest)
            streak = voice.gettext("{streak} (longest: {longest})", streak=streak, longest=longest)
        yield f"**{voice.gettext('Streak:')}** {streak}"
    if result.is_perfect_week:
        yield milestones_line((Milestone.WEEK,), voice)


def _place(place: DailyPlace, voice: Voice) -> str:
    if place.players == 1:
        return voice.gettext("nobody else so far")
    return voice.gettext(
        "place {place} of {players}", place=voice.number(place.place), players=voice.number(place.players)
    )


def _streak(days: int, voice: Voice) -> str:
    return voice.ngettext("{number} day", "{number} days", days)


def _shared(answer: DailyAnswer, voice: Voice) -> str:
    grade = grade_of(answer.cost)
    said = f"{_SQUARES[grade]} {voice.pgettext('grade', _GRADES[grade])}"
    if answer.streak < 2:
        return said
    return f"{said} · {_streak(answer.streak, voice)} 🔥"


def _yesterday(before: tuple[Reckoned, DailyBest | None], voice: Voice) -> Iterator[str]:
    reckoned, best = before
    hand = reckoned.hand
    yield f"**{voice.gettext('Yesterday')}** · {_position(hand, voice)}"
    yield voice.gettext(
        "{cards}: the best discard was {given}.",
        cards=voice.faces.all(hand.dealt),
        given=voice.faces.all(sorted(reckoned.throws[0].given)),
    )
    if best is None:
        yield voice.gettext("Nobody here played it. Be the first today!")
        return
    names = [f"**{escaped(plain(each))}**" for each in best.names]
    if (more := best.best - len(names)) > 0:
        names.append(voice.ngettext("{number} more", "{number} more", more))
    grade = grade_of(best.cost)
    parts = {
        "names": voice.listing(names),
        "squares": _SQUARES[grade],
        "grade": voice.pgettext("grade", _GRADES[grade]),
    }
    if best.players == 1:
        yield voice.gettext("Only {names} played here: {squares} {grade}", **parts)
        return
    yield voice.gettext(
        "Best of {players} here: {names} {squares} {grade}", players=voice.number(best.players), **parts
    )


def _hour(hour: int) -> str:
    return f"{hour:02}:00"
