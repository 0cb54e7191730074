"""The answer to `/crib-coach hint`: the best choice and why; behind a button, the figures of every choice.

Choices are ordered by the chance to win with two sides, and by points with three. The order and the figures
come from `engine.coach.advice`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.coaching.custom_ids import ChoicesId
from bot.features.coaching.discards import explained, table_of
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, button, container, layout, row, subtext, text
from bot.render.text.advice import cards_of, worth
from bot.render.text.names import Names
from bot.render.text.reasons import said
from bot.render.text.speech import speech
from bot.render.text.voice import Voice
from engine import ClaimHeels, CutForFirstDeal, CutStarter, PlayCard, PlayerView, Rank, SayGo
from engine.coach import CardChoice, Choice, reasons_of
from engine.computer import Throw


def hint_drawing(record: TableRecord, view: PlayerView, choices: Sequence[Choice], voice: Voice) -> Drawing:
    """The best choice and why; `choices` are best first."""
    voice = voice.by(record.agreement.preset)
    names = Names.at(record, voice)
    best, *others = choices
    next_best = _different(choices)[:1]
    figures = ChoicesId(record.game, view.table.deal_number, len(view.hand))
    heels = ClaimHeels in view.legal_moves.kinds
    return layout(
        container(
            text(_heels(view, voice)) if heels else None,
            text(
                f"## {_advised(best, view, names, voice)}",
                _because(best, next_best, choices, view, voice),
            ),
            text(_by_the_score(best, others, view, voice)),
            text(*(subtext(_next_best(each, voice)) for each in next_best)),
            row(button(figures, _all(choices, voice))),
            colour=BAIZE,
        )
    )


def choices_drawing(view: PlayerView, choices: Sequence[Choice], voice: Voice) -> Drawing:
    """The figures of every choice, best first."""
    throws = [each for each in choices if isinstance(each, Throw)]
    if throws:
        table = view.table
        dealer = table.dealer == view.seat
        own_crib = table.rules.side_of(table.dealer) == table.rules.side_of(view.seat)
        return layout(
            container(
                text("### " + voice.gettext("Your discards")),
                text("\n".join(("```", *table_of(throws, voice, by_chance=True), "```"))),
                text(*map(subtext, explained(table.rules, voice, dealer=dealer or own_crib, by_chance=True))),
                colour=BAIZE,
            )
        )
    return layout(
        container(
            text("### " + voice.gettext("Your cards to play")),
            text(*(f"- {cards_of(each, voice)} · {worth(each, voice)}" for each in choices)),
            text(subtext(voice.gettext("Points: what you peg from here on, less what the others peg"))),
            colour=BAIZE,
        )
    )


def _all(choices: Sequence[Choice], voice: Voice) -> str:
    """The label of the button that shows the figures."""
    if isinstance(choices[0], CardChoice):
        return voice.gettext("Figures")
    return voice.gettext("All {number}", number=voice.number(len(choices)))


def _heels(view: PlayerView, voice: Voice) -> str:
    return voice.ngettext(
        "Claim {heels} before you play, or {number} point is gone.",
        "Claim {heels} before you play, or {number} points are gone.",
        view.table.rules.his_heels,
        heels=speech(voice).heels_name,
    )


def no_choice_text(view: PlayerView, voice: Voice) -> str:
    """The reason why there is no hint although it is the seat's turn."""
    kinds, playable = view.legal_moves.kinds, view.legal_moves.playable
    if PlayCard in kinds and len(playable) == 1:
        return voice.gettext("{card} is the only card you can play.", card=voice.faces.text(playable[0]))
    if PlayCard in kinds:
        return voice.gettext(
            "Play any of these, they count the same: {cards}", cards=voice.faces.all(playable)
        )
    if SayGo in kinds:
        return voice.gettext("None of your cards fits: say go.")
    if kinds & {CutStarter, CutForFirstDeal}:
        return voice.gettext("Cut the deck, no hint needed.")
    return voice.gettext("Hints are for discards and the play. Counting is up to you.")


def _advised(best: Choice, view: PlayerView, names: Names, voice: Voice) -> str:
    cards, dealer = cards_of(best, voice), view.table.dealer
    if isinstance(best, CardChoice):
        return voice.gettext("Play {card}", card=cards)
    if dealer == view.seat:
        return voice.gettext("Discard {cards} to your crib", cards=cards)
    return voice.gettext("Discard {cards} to {dealer}'s crib", cards=cards, dealer=names[dealer])


def _different(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The choices after the best, without those that differ from a better one by suits alone."""
    by_ranks: dict[tuple[Rank, ...], Choice] = {}
    for each in choices:
        held = (each.card,) if isinstance(each, CardChoice) else each.kept
        by_ranks.setdefault(tuple(sorted(one.rank for one in held)), each)
    return tuple(by_ranks.values())[1:]


def _because(
    best: Choice, next_best: Sequence[Choice], choices: Sequence[Choice], view: PlayerView, voice: Voice
) -> str:
    """The reason why the best choice is better than the next; empty if they differ by suits alone."""
    if not next_best:
        return ""
    return said(reasons_of(view, best, next_best[0], choices), voice)


def _next_best(other: Choice, voice: Voice) -> str:
    return voice.gettext("Next best: {cards}", cards=cards_of(other, voice))


def _by_the_score(best: Choice, others: Sequence[Choice], view: PlayerView, voice: Voice) -> str:
    """A remark if the best choice is not the one with the most points."""
    most = max((each.points for each in others), default=best.points)
    if round(most - best.points, 1) <= 0:
        return ""
    mine = view.table.rules.side_of(view.seat)
    scores = view.table.scores
    return voice.gettext(
        "Another choice scores more, but at {mine} to {theirs} this one wins more often.",
        mine=voice.number(scores[mine]),
        theirs=voice.number(scores[1 - mine]),
    )
