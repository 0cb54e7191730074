"""The review of a finished game for one of its players: costly decisions, luck, and then deal by deal.

It shows that player's cards, and of the others only cards that were played or shown. The figures come from
`engine.coach.review`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.coaching.words import chance, points, signed, some_points, whose_crib
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, address, button, container, layout, row, rule, subtext, text
from bot.render.text.names import Names, escaped, plain, possessive
from bot.render.text.voice import Voice
from bot.render.text.words import listing, number, ordinal, some, together
from engine import Ending, PlayerView, Result, Rules, Side
from engine.coach import CardChoice, Choice, Decision, Luck, Review
from engine.computer import Throw

DEAREST = 3
"""How many of the costliest decisions are on the first page."""

_NOTHING = "0.0"


def review_drawing(
    record: TableRecord, result: Result, review: Review, voice: Voice, page: int = 0
) -> Drawing:
    """A page of the review: page 0 is about the whole game, each of the others about a deal."""
    names = Names(record.names, review.rules)
    deals = _deals(review)
    page = min(page, len(deals))
    parts = _deal(deals[page - 1], names, voice) if page else _game(record, result, review, names, voice)
    return layout(container(*parts, row(*_buttons(record, deals, page)), colour=BAIZE))


def _game(
    record: TableRecord, result: Result, review: Review, names: Names, voice: Voice
) -> Iterator[Part | None]:
    yield text(
        f"## {_ended(result, review, names)}",
        subtext(f"Cribbage in {escaped(plain(record.place, 'a server'))} <#{record.channel}>"),
    )
    yield text(*_decided(review))
    dearest = review.dearest[:DEAREST]
    if dearest:
        title = "The dearest" if len(dearest) == 1 else f"The {number(len(dearest))} dearest"
        lines = (f"{place}. {_in_words(each, names, voice)}" for place, each in enumerate(dearest, 1))
        yield text(f"### {title}", *lines)
    if any(each.total for each in review.luck):
        yield rule()
        yield text("### The luck of the deal", *_lucky(review, names))
    if review.decisions:
        yield text(subtext(_explained(review.rules)))


def _ended(result: Result, review: Review, names: Names) -> str:
    mine = review.rules.side_of(review.seat)
    won = result.winner == mine
    others = [score for side, score in enumerate(result.scores) if side != mine]
    by = {Ending.RESIGNED: ", by resignation", Ending.CLAIMED: ", claimed"}.get(result.ending, "")
    who = "You and your partner" if review.rules.partners else "You"
    score = f"{result.scores[mine]} to {listing(map(str, sorted(others, reverse=True)))}"
    if won or review.rules.sides == 2:
        return f"{who} {'won' if won else 'lost'}, {score}{by}"
    return f"{names.side(result.winner)} won{by}; you had {score}"


def _decided(review: Review) -> Iterator[str]:
    decisions = len(review.decisions)
    if not decisions:
        yield "There is nothing to look back on: the game was over before you had anything to decide."
        return
    costly = len(review.dearest)
    if not costly:
        whole = "Your one decision was" if decisions == 1 else f"All your {some(decisions, 'decision')} were"
        yield f"**{whole} the best that could be made.**"
        return
    verb = "was" if decisions - costly == 1 else "were"
    yield f"**{decisions - costly} of {decisions}** decisions {verb} the best."
    rest = "The other one" if costly == 1 else "The others"
    yield f"{rest} cost you **{_cost(review.points_lost, review.winning_lost, review.rules)}**."


def _cost_of(decision: Decision) -> str:
    """The decision's cost, as the difference of the rounded figures that are shown."""
    made, best = decision.made, decision.best
    lost = max(round(best.points, 1) - round(made.points, 1), 0.0)
    winning = max(round(best.winning or 0.0, 3) - round(made.winning or 0.0, 3), 0.0)
    return _cost(lost, winning, decision.view.table.rules)


def _cost(lost: float, winning: float, rules: Rules) -> str:
    """As `1.3 points, 2.1% of the game`; a zero part is left out."""
    parts = [] if points(lost) == _NOTHING else [some_points(lost)]
    if rules.sides == 2 and (chance(winning) != "0.0%" or not parts):
        games = f"{winning:.1f} games" if winning >= 1 else f"{chance(winning)} of the game"
        parts.append(games)
    return ", ".join(parts) or some_points(lost)


def _in_words(decision: Decision, names: Names, voice: Voice) -> str:
    """The decision in a sentence."""
    made, best = decision.made, decision.best
    if isinstance(made, Throw) and isinstance(best, Throw):
        did, other = f"you kept {_kept(made, voice)}", _kept(best, voice)
        worth, better = points(made.points), points(best.points)
    else:
        did, other = f"you played {_card(made, voice)}", _card(best, voice)
        worth, better = signed(made.points), signed(best.points)
    if points(decision.points_lost) == _NOTHING:
        score = " to ".join(map(str, _scores(decision.view)))
        more = f"{other} was worth {better}, but wins more often at {score}"
    else:
        more = f"{other} was worth {better}"
    return f"{_when(decision.view, names)}: {did}, worth {worth}; {more}: **{_cost_of(decision)}**."


def _when(view: PlayerView, names: Names) -> str:
    """As `Deal 4, your discard as pone` or `Deal 4, your second card at 15`."""
    table = view.table
    deal = f"Deal {table.deal_number}"
    if table.starter is None:
        return f"{deal}, your lay-away {_place(view, names)}"
    return f"{deal}, your {ordinal(_number_of_card(view))} card {_at(view)}"


def _place(view: PlayerView, names: Names) -> str:
    table = view.table
    if view.seat == table.dealer:
        return "as dealer"
    return "as pone" if table.rules.seats == 2 else f"to {names.whose(table.dealer)} crib"


def _number_of_card(view: PlayerView) -> int:
    table = view.table
    played = (each for series in (*table.past_series, table.series) for each in series)
    return 1 + sum(each.seat == view.seat for each in played)


def _at(view: PlayerView) -> str:
    return f"at {view.table.count}" if view.table.series else "as the lead"


def _lucky(review: Review, names: Names) -> Iterator[str]:
    rules = review.rules
    mine = rules.side_of(review.seat)
    totals = []
    for side in (mine, *(Side(each) for each in range(rules.sides) if each != mine)):
        luck = sum((review.luck[seat] for seat in rules.seats_of(side)), Luck())
        totals.append(luck.total)
        cards, starters = _against(luck.dealt), _against(luck.starters, short=True)
        yield f"{_whose(side, review, names)} cards were worth {cards} the average, the starters {starters}."
    if rules.sides == 2:
        ahead = totals[0] - totals[1]
        if points(abs(ahead)) == _NOTHING:
            yield "In all, the luck was even."
        else:
            whose = "your" if ahead > 0 else possessive(names.side(Side(1 - mine)))
            yield f"In all, luck was on {whose} side by **{some_points(abs(ahead))}**."


def _whose(side: Side, review: Review, names: Names) -> str:
    rules = review.rules
    if side == rules.side_of(review.seat):
        return "Your and your partner's" if rules.partners else "Your"
    return possessive(names.side(side))


def _against(value: float, *, short: bool = False) -> str:
    if points(value) == _NOTHING:
        return "no more and no less" if short else "exactly"
    more = "more" if value > 0 else "less"
    return f"{points(abs(value))} {more}" if short else f"{some_points(abs(value))} {more} than"


def _explained(rules: Rules) -> str:
    percent = " and % chances to win the game" if rules.sides == 2 else ""
    return f"Points are averages{percent}, as they stood when you decided, with what you could know."


def _deals(review: Review) -> tuple[tuple[Decision, ...], ...]:
    """The decisions, deal by deal."""
    numbers = dict.fromkeys(each.view.table.deal_number for each in review.decisions)
    return tuple(
        tuple(each for each in review.decisions if each.view.table.deal_number == deal) for deal in numbers
    )


def _deal(decisions: Sequence[Decision], names: Names, voice: Voice) -> Iterator[Part | None]:
    view = decisions[0].view
    table = view.table
    sides = enumerate(table.scores)
    yield text(
        f"## Deal {table.deal_number} · {whose_crib(view, names)}",
        subtext(" · ".join(together(names.side(Side(side)), score) for side, score in sides)),
    )
    discards = [each for each in decisions if isinstance(each.made, Throw)]
    plays = [each for each in decisions if isinstance(each.made, CardChoice)]
    for each in discards:
        yield text("### Laying away", *_discard_lines(each, voice))
    if plays:
        yield text("### The play", *(line for each in plays for line in _card_lines(each, voice)))
    yield text(subtext("Cards that you had to play, and choices made for you, are left out."))


def _discard_lines(decision: Decision, voice: Voice) -> Iterator[str]:
    made, best = decision.made, decision.best
    assert isinstance(made, Throw), "cards laid away"
    assert isinstance(best, Throw), "cards laid away"
    given = voice.faces.all_small(sorted(made.given))
    yield f"{_mark(decision)} You kept {_kept(made, voice)} and gave {given}: {_worth(made)}"
    if decision.is_costly:
        yield f"Best was {_kept(best, voice)}: {_worth(best)}"
        yield subtext(f"cost {_cost_of(decision)}")


def _card_lines(decision: Decision, voice: Voice) -> Iterator[str]:
    made, best = decision.made, decision.best
    yield f"{_mark(decision)} {_card(made, voice)} {_at(decision.view)}: {_worth(made)}"
    if decision.is_costly:
        yield f"Best was {_card(best, voice)}: {_worth(best)}"
        yield subtext(f"cost {_cost_of(decision)}")


def _worth(choice: Choice) -> str:
    """As `10.4 · 56.3%`; a card's points have a sign."""
    written = signed(choice.points) if isinstance(choice, CardChoice) else points(choice.points)
    return written if choice.winning is None else together(written, "·", chance(choice.winning))


def _mark(decision: Decision) -> str:
    return "✗" if decision.is_costly else "✓"


def _kept(throw: Throw, voice: Voice) -> str:
    return voice.faces.all_small(sorted(throw.kept))


def _card(choice: Choice, voice: Voice) -> str:
    assert isinstance(choice, CardChoice), "a card to play"
    return voice.faces.small(choice.card)


def _scores(view: PlayerView) -> tuple[int, ...]:
    """The scores, the player's own side first."""
    mine = view.table.rules.side_of(view.seat)
    scores = view.table.scores
    return (scores[mine], *(score for side, score in enumerate(scores) if side != mine))


def _buttons(record: TableRecord, deals: Sequence[Sequence[Decision]], page: int) -> Iterator[Part | None]:
    def leads_to(label: str, where: int, style: ButtonStyle) -> Part:
        return button(address(record.game, 0, Verb.REVIEW, str(where)), label, style=style)

    if page > 1:
        yield leads_to(f"Deal {_number(deals[page - 2])}", page - 1, ButtonStyle.secondary)
    if page < len(deals):
        label = f"Deal {_number(deals[page])}" if page else "Deal by deal"
        yield leads_to(label, page + 1, ButtonStyle.primary)
    if page:
        yield leads_to("The game", 0, ButtonStyle.secondary)


def _number(decisions: Sequence[Decision]) -> int:
    return decisions[0].view.table.deal_number
