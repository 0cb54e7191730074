"""The screens of the drills, all private: a question, its answer, and what the answers add up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from discord import ButtonStyle

from bot.features.drill.custom_ids import CountId, DealId, DealVerb, DrillId, Wish
from bot.features.drill.judging import Judged
from bot.features.drill.questions import Deal, Hand
from bot.features.drill.records import Kind, Record, Told
from bot.language.languages import gettext_noop
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import BAIZE, GOLD, Part, button, container, layout, picture, row, subtext, text
from bot.render.messages.discard_buttons import discard_buttons
from bot.render.text.advice import loss
from bot.render.text.reasons import said
from bot.render.text.speech import Telling
from bot.render.text.spoken_counts import lines, spoken
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import Cards, count

_USUAL_LENGTH: Final = 121

_NAMES: Final = {
    Kind.COUNTING: gettext_noop("Count hands"),
    Kind.DISCARDS: gettext_noop("Discard"),
}
"""The labels of the buttons that begin a drill."""


def hand_drawing(hand: Hand, choices: Sequence[int], voice: Voice, *, drawn: DrawnFile | None) -> Drawing:
    """A hand to count, and the points to choose from."""
    return layout(
        container(
            text(f"## {voice.gettext('How many points?')}"),
            picture(drawn) if drawn else text(*_cards(hand, voice)),
            row(*(button(CountId(hand, each), voice.number(each)) for each in choices)),
            row(_stop(Kind.COUNTING, voice)),
            colour=BAIZE,
        ),
        files=(drawn,) if drawn else (),
    )


def counted_drawing(
    hand: Hand, told: Told, said_now: int, voice: Voice, *, drawn: DrawnFile | None
) -> Drawing:
    """The points of the hand, with the cards of each score, and the verdict on the answer."""
    counted = count(hand.cards, starter=hand.starter)
    is_right = told.given == str(hand.points)
    points = voice.ngettext("{number} point", "{number} points", hand.points)
    if is_right:
        verdict = f"✓ {points}"
    else:
        verdict = "✗ " + voice.gettext("{points}, not {said}", points=points, said=told.given)
    return layout(
        container(
            text(f"## {verdict}", *_remarks(told, str(said_now), voice)),
            picture(drawn) if drawn else text(*_cards(hand, voice)),
            text(
                f"{sentence(spoken(counted.scores, counted.points, voice, Telling.QUICK))}.",
                *map(subtext, lines(counted.scores, voice)),
                f"**{record_line(Kind.COUNTING, told.record, voice)}**",
            ),
            _next_row(Kind.COUNTING, voice),
            colour=GOLD if is_right else BAIZE,
        ),
        files=(drawn,) if drawn else (),
    )


def deal_drawing(deal: Deal, chosen: Cards, voice: Voice) -> Drawing:
    """Six cards as buttons, and a button that discards the two chosen ones."""
    return layout(
        container(
            text(
                f"## {voice.gettext('Which two go to the crib?')}",
                f"**{_task(deal, voice)}**",
                voice.gettext(
                    "Score: you {own}, opponent {other}",
                    own=voice.number(deal.own),
                    other=voice.number(deal.other),
                ),
                subtext(" · ".join(_circumstances(deal, voice))),
            ),
            *discard_buttons(
                deal.dealt,
                chosen,
                lambda after: DealId(DealVerb.PICK, deal, after),
                DealId(DealVerb.GIVE, deal, tuple(sorted(chosen))),
                voice,
            ),
            row(_stop(Kind.DISCARDS, voice)),
            colour=BAIZE,
        )
    )


def judged_drawing(judged: Judged, told: Told, said_now: str, voice: Voice) -> Drawing:
    """The best discard, what the person's own costs, and why."""
    made, best = (voice.faces.all(sorted(each.given)) for each in (judged.made, judged.best))
    if judged.is_best:
        verdict = [f"## ✓ {voice.gettext('{cards}: the best discard', cards=made)}"]
    else:
        cost = loss(judged.points_lost, judged.winning_lost, voice, places=1)
        verdict = [
            f"## ✗ {voice.gettext('Better: {cards}', cards=best)}",
            voice.gettext("You discarded {cards}: **{cost}**", cards=made, cost=cost),
        ]
    reasons = judged.reasons
    return layout(
        container(
            text(
                *verdict,
                "" if reasons is None else said(reasons, voice),
                *_remarks(told, said_now, voice),
            ),
            text(
                subtext(f"{voice.faces.all(judged.deal.dealt)} · {_task(judged.deal, voice)}"),
                f"**{record_line(Kind.DISCARDS, told.record, voice)}**",
            ),
            _next_row(Kind.DISCARDS, voice),
            colour=GOLD if judged.is_best else BAIZE,
        )
    )


def stopped_drawing(records: Mapping[Kind, Record], voice: Voice) -> Drawing:
    """The sums of the person's answers, and the buttons for another round."""
    added = list(record_lines(records, voice))
    return layout(
        container(
            text(
                f"## {voice.gettext('Your drills')}",
                *(added or [voice.gettext("You haven't answered a question yet.")]),
            ),
            row(*(button(DrillId(Wish.NEXT, kind), voice.gettext(name)) for kind, name in _NAMES.items())),
            colour=BAIZE,
        )
    )


def record_lines(records: Mapping[Kind, Record], voice: Voice) -> Iterator[str]:
    """A line for each kind of drill that has answers."""
    for kind, record in records.items():
        line = record_line(kind, record, voice)
        if kind is Kind.COUNTING:
            yield voice.gettext("**Counting:** {record}", record=line)
        else:
            yield voice.gettext("**Discards:** {record}", record=line)


def record_line(kind: Kind, record: Record, voice: Voice) -> str:
    """As `12 of 15 right · streak 4, longest 9 · 6.2 s on average`."""
    parts = {
        "answers": voice.number(record.answers),
        "streak": voice.number(record.streak),
        "longest": voice.number(record.longest),
    }
    if kind is Kind.DISCARDS:
        return voice.ngettext(
            "{number} of {answers} best · streak {streak}, longest {longest}",
            "{number} of {answers} best · streak {streak}, longest {longest}",
            record.hits,
            **parts,
        )
    line = voice.ngettext(
        "{number} of {answers} right · streak {streak}, longest {longest}",
        "{number} of {answers} right · streak {streak}, longest {longest}",
        record.hits,
        **parts,
    )
    if record.average is None:
        return line
    seconds = voice.gettext("{seconds} s on average", seconds=voice.number(record.average, 1))
    return f"{line} · {seconds}"


def _cards(hand: Hand, voice: Voice) -> Iterator[str]:
    """The hand in text, where there is no picture."""
    yield f"# {voice.faces.all(hand.cards)}"
    yield voice.gettext("Starter: {card}.", card=voice.faces.text(hand.starter))


def _remarks(told: Told, said_now: str, voice: Voice) -> Iterator[str]:
    if not told.is_counted:
        yield subtext(voice.gettext("You have answered a later question, so this one doesn't count."))
    elif told.given != said_now:
        yield subtext(voice.gettext("Your first answer counts."))


def _task(deal: Deal, voice: Voice) -> str:
    if deal.dealer:
        return voice.gettext("Discard 2 to your crib")
    return voice.gettext("Discard 2 to the opponent's crib")


def _circumstances(deal: Deal, voice: Voice) -> Iterator[str]:
    """The deal's source, and the game's length unless that is 121."""
    yield _source(deal, voice)
    if deal.target != _USUAL_LENGTH:
        yield voice.gettext("a game to {target}", target=voice.number(deal.target))


def _source(deal: Deal, voice: Voice) -> str:
    if deal.game is not None:
        return voice.gettext("A mistake from your own games")
    if deal.day is not None:
        return voice.gettext("Daily hand, {day}", day=voice.language.date(date.fromordinal(deal.day)))
    return voice.gettext("Dealt at random")


def _next_row(kind: Kind, voice: Voice) -> Part | None:
    following = button(DrillId(Wish.NEXT, kind), voice.gettext("Next"), style=ButtonStyle.primary)
    return row(following, _stop(kind, voice))


def _stop(kind: Kind, voice: Voice) -> Part:
    return button(DrillId(Wish.STOP, kind), voice.gettext("Stop"))
