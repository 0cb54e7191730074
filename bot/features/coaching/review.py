"""The review of a finished game for one of its players: accuracy, mistakes, luck, and then deal by deal.

A page fits a phone's screen: the reasons are behind *Why?*, on a page of the mistakes alone.

It shows that player's cards, and of the others only cards that were played or shown. The figures come from
`engine.coach.review`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from discord import ButtonStyle

from bot.features.coaching.accuracy import shown_accuracy
from bot.model.custom_ids import ReplayId, ReplayWish, Verb
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, address, button, container, layout, row, subtext, text
from bot.render.text.advice import better_in_short, cards_of, chance_or_points, cost_of, worth_in_short
from bot.render.text.names import Names
from bot.render.text.places import place_of
from bot.render.text.reasons import because
from bot.render.text.voice import Voice
from engine import Ending, Result, Side
from engine.coach import CardChoice, Decision, Luck, Review
from engine.computer import Throw

MISTAKES = 3
"""Number of biggest mistakes on the first page, and on a page of reasons."""

_LITTLE_CHANCE = 0.01
"""Cost (chance to win) below which a choice cost little: half a point in the middle of a game."""
_LITTLE_POINTS = 0.5


_WHY = "why"
"""Ending of the argument of a button that leads to a page's reasons."""


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A page of the review; its `str` is the argument of the button that leads there."""

    number: int = 0
    """0 for the whole game, from 1 for a deal."""
    why: bool = False
    """True for the reasons of the page's mistakes."""

    def __str__(self) -> str:
        return f"{self.number}{_WHY if self.why else ''}"

    @classmethod
    def of(cls, argument: str) -> ReviewPage:
        """The page of a button. Raises `ValueError` for an unknown argument."""
        number = argument.removesuffix(_WHY)
        if not (number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS):
            raise ValueError(argument)
        return cls(int(number), why=argument != number)


FIRST_PAGE = ReviewPage()

_MOST_DIGITS = 3
"""Limit of digits in a page's number."""


def review_drawing(
    record: TableRecord, result: Result, review: Review, voice: Voice, page: ReviewPage = FIRST_PAGE
) -> Drawing:
    """That page of the review; past the last deal, the last."""
    names = Names.at(record, voice)
    deals = _deals(review)
    page = replace(page, number=min(page.number, len(deals)))
    shown = deals[page.number - 1] if page.number else review.dearest[:MISTAKES]
    has_reasons = any(each.is_costly for each in shown)
    page = replace(page, why=page.why and has_reasons)
    if page.number:
        dearest = [each for each in review.dearest if each in shown][:MISTAKES]
        told = [each for each in shown if each in dearest] if page.why else shown
        parts = _deal(told, names, voice, why=page.why)
    elif page.why:
        parts = iter([_mistakes(shown, names, voice, why=True)])
    else:
        parts = _game(record, result, review, names, voice)
    buttons = _buttons(record, len(deals), page, voice, has_reasons=has_reasons)
    return layout(container(*parts, row(*buttons), colour=BAIZE))


def _game(
    record: TableRecord, result: Result, review: Review, names: Names, voice: Voice
) -> Iterator[Part | None]:
    yield text(f"## {_ended(result, review, names, voice)}", subtext(place_of(record, voice)))
    if not review.decisions:
        yield text(voice.gettext("The game ended before you had a choice to make."))
        return
    yield text(*_accurate(review, voice))
    if mistakes := review.dearest[:MISTAKES]:
        yield _mistakes(mistakes, names, voice, why=False)
    if any(each.total for each in review.luck):
        yield text(f"🍀 {_lucky(review, names, voice)}")


def _ended(result: Result, review: Review, names: Names, voice: Voice) -> str:
    """The result of the game, addressed to the player."""
    mine = review.rules.side_of(review.seat)
    others = sorted(
        (score for side, score in enumerate(result.scores) if side != mine),
        reverse=True,
    )
    score = {
        "mine": voice.number(result.scores[mine]),
        "theirs": voice.listing(map(voice.number, others)),
    }
    if result.winner == mine:
        match result.ending:
            case Ending.RESIGNED:
                return voice.gettext("You won by resignation, {mine} to {theirs}", **score)
            case Ending.CLAIMED:
                return voice.gettext("You claimed the win, {mine} to {theirs}", **score)
            case _:
                return voice.gettext("You won, {mine} to {theirs}", **score)
    winner = names.side(result.winner)
    if result.ending is Ending.CLAIMED:
        return voice.gettext("{winner} claimed the win, you had {mine} to {theirs}", winner=winner, **score)
    if review.rules.sides > 2:
        return voice.gettext("{winner} won, you had {mine} to {theirs}", winner=winner, **score)
    if result.ending is Ending.RESIGNED:
        return voice.gettext("You lost by resignation, {mine} to {theirs}", **score)
    return voice.gettext("You lost, {mine} to {theirs}", **score)


def _accurate(review: Review, voice: Voice) -> Iterator[str]:
    number, costly = len(review.decisions), len(review.dearest)
    percent = voice.language.percent(shown_accuracy(review))
    yield "# " + voice.gettext("Accuracy {percent}", percent=percent)
    if costly:
        best = voice.number(number - costly)
        little = sum(map(_cost_little, review.dearest))
        if 2 * little > costly:
            yield subtext(
                voice.gettext(
                    "{best} of {number} perfect, most others cost little",
                    best=best,
                    number=voice.number(number),
                )
            )
        else:
            yield subtext(voice.gettext("{best} of {number} perfect", best=best, number=voice.number(number)))
    else:
        yield subtext(
            voice.ngettext(
                "Your only choice was the best",
                "All {number} choices were the best",
                number,
            )
        )


def _cost_little(decision: Decision) -> bool:
    if decision.made.winning is None:
        return decision.points_lost < _LITTLE_POINTS
    return decision.winning_lost < _LITTLE_CHANCE


def _mistakes(mistakes: Sequence[Decision], names: Names, voice: Voice, *, why: bool) -> Part | None:
    title = voice.ngettext("Your biggest mistake", "Your {number} biggest mistakes", len(mistakes))
    return text(
        f"## {title}" if why else f"**{title}**",
        *(line for each in mistakes for line in _mistake(each, names, voice, why=why)),
    )


def _mistake(decision: Decision, names: Names, voice: Voice, *, why: bool) -> Iterator[str]:
    """The player's choice, the better one, the reason if asked, the cost and the moment."""
    made, best = decision.made, decision.best
    cards = {"made": cards_of(made, voice), "best": cards_of(best, voice)}
    if isinstance(made, Throw):
        yield "### " + voice.gettext("You discarded {made}, better {best}", **cards)
    else:
        yield "### " + voice.gettext("You played {made}, better {best}", **cards)
    if why:
        yield because(decision, voice)
    yield subtext(" · ".join(filter(None, (cost_of(decision, voice), _when(decision, names, voice)))))


def _when(decision: Decision, names: Names, voice: Voice) -> str:
    """As `Deal 4, as non-dealer` or `Deal 4, count 15`; and the score, if nothing else explains the cost."""
    view, table = decision.view, decision.view.table
    deal = voice.number(table.deal_number)
    if not round(decision.points_lost, 1):
        mine = table.rules.side_of(view.seat)
        theirs = (voice.number(score) for side, score in enumerate(table.scores) if side != mine)
        score = {"mine": voice.number(table.scores[mine]), "theirs": voice.listing(theirs)}
        return voice.gettext("Deal {deal}, at {mine} to {theirs}", deal=deal, **score)
    if table.starter is not None:
        if not table.series:
            return voice.gettext("Deal {deal}, your lead", deal=deal)
        return voice.gettext("Deal {deal}, count {count}", deal=deal, count=voice.number(table.count))
    if view.seat == table.dealer:
        return voice.gettext("Deal {deal}, as dealer", deal=deal)
    if table.rules.seats == 2:
        return voice.gettext("Deal {deal}, as non-dealer", deal=deal)
    return voice.gettext("Deal {deal}, {dealer}'s crib", deal=deal, dealer=names[table.dealer])


def _lucky(review: Review, names: Names, voice: Voice) -> str:
    """The side that the cards favoured; with more than two sides, the player's luck against the average."""
    rules = review.rules
    mine = rules.side_of(review.seat)
    luck = [
        sum((review.luck[seat] for seat in rules.seats_of(Side(side))), Luck()).total
        for side in range(rules.sides)
    ]
    if rules.sides == 2:
        other = Side(1 - mine)
        points = round(luck[mine] - luck[other], 1)
        figure = voice.language.change(abs(points), 1)
        if not points:
            return voice.gettext("Luck: even")
        if points > 0:
            return voice.gettext("Luck: {points} points for you", points=figure)
        return voice.gettext("Luck: {points} points for {player}", player=names.side(other), points=figure)
    points = round(luck[mine], 1)
    if not points:
        return voice.gettext("Luck: as usual")
    return voice.gettext("Luck: {points} points against the average", points=voice.language.change(points, 1))


def _deals(review: Review) -> tuple[tuple[Decision, ...], ...]:
    """The decisions, grouped by deal."""
    numbers = dict.fromkeys(each.view.table.deal_number for each in review.decisions)
    return tuple(
        tuple(each for each in review.decisions if each.view.table.deal_number == deal) for deal in numbers
    )


def _deal(decisions: Sequence[Decision], names: Names, voice: Voice, *, why: bool) -> Iterator[Part | None]:
    """The choices of a deal, or the biggest mistakes among them with their reasons."""
    view = decisions[0].view
    table = view.table
    deal = voice.number(table.deal_number)
    if table.dealer == view.seat:
        heading = voice.gettext("Deal {deal}, your crib", deal=deal)
    else:
        heading = voice.gettext("Deal {deal}, {dealer}'s crib", deal=deal, dealer=names[table.dealer])
    scores = (
        f"{names.side(Side(side))}\N{NO-BREAK SPACE}{voice.number(score)}"
        for side, score in enumerate(table.scores)
    )
    yield text(f"## {heading}", subtext(" · ".join(scores)))
    for each in decisions:
        if isinstance(each.made, Throw):
            yield text(*_discard_lines(each, voice, why=why))
    plays = [each for each in decisions if isinstance(each.made, CardChoice)]
    if plays:
        yield text(
            f"### {voice.gettext('The play')}",
            *(line for each in plays for line in _card_lines(each, voice, why=why)),
        )
    if not why:
        is_known = any(each.made.winning is not None for each in decisions)
        yield text(
            subtext(voice.gettext("% = your chance to win")) if is_known else None,
            subtext(voice.gettext("Forced moves don't count")),
        )


def _discard_lines(decision: Decision, voice: Voice, *, why: bool) -> Iterator[str]:
    if not why:
        yield voice.gettext("Your cards: {cards}", cards=voice.faces.all(decision.view.hand))
    cards = cards_of(decision.made, voice)
    yield f"### {_mark(decision)} {voice.gettext('You discarded {cards}', cards=cards)}"
    if not why:
        yield worth_in_short(decision.made, voice)
    yield from _better(decision, voice, why=why)


def _card_lines(decision: Decision, voice: Voice, *, why: bool) -> Iterator[str]:
    table = decision.view.table
    parts = {"card": cards_of(decision.made, voice), "worth": chance_or_points(decision.made, voice)}
    if table.series:
        line = voice.gettext("{card} on {count} ({worth})", count=voice.number(table.count), **parts)
    else:
        line = voice.gettext("led {card} ({worth})", **parts)
    yield f"{_mark(decision)} {line}"
    yield from _better(decision, voice, why=why)


def _better(decision: Decision, voice: Voice, *, why: bool) -> Iterator[str]:
    """The better choice in small print, with what it would have saved; and the reason, if asked."""
    yield better_in_short(decision, voice)
    if why:
        yield because(decision, voice)


def _mark(decision: Decision) -> str:
    return "✗" if decision.is_costly else "✓"


def _buttons(
    record: TableRecord, deals: int, page: ReviewPage, voice: Voice, *, has_reasons: bool
) -> Iterator[Part | None]:
    def leads_to(
        label: str, where: int, style: ButtonStyle = ButtonStyle.secondary, *, why: bool = False
    ) -> Part:
        return button(
            address(record.game, 0, Verb.REVIEW, str(ReviewPage(where, why=why))), label, style=style
        )

    number = page.number
    if not number:
        if page.why:
            yield leads_to(voice.gettext("Summary"), 0)
        if deals:
            yield leads_to(voice.gettext("Deal by deal"), 1, ButtonStyle.primary)
        replay = ReplayId(record.game, ReplayWish.OPEN)
        yield button(replay, voice.gettext("Replay")) if voice.additions.offers(replay) else None
        if has_reasons and not page.why:
            yield leads_to(voice.gettext("Why?"), 0, why=True)
        return
    # The first page precedes the first deal, so that *Next* keeps its place under a thumb.
    yield leads_to(voice.gettext("Previous"), number - 1)
    if number < deals:
        yield leads_to(voice.gettext("Next"), number + 1, ButtonStyle.primary)
    if page.why:
        yield leads_to(voice.gettext("All choices"), number)
    elif has_reasons:
        yield leads_to(voice.gettext("Why?"), number, why=True)
    if number > 1:
        yield leads_to(voice.gettext("Summary"), 0)
