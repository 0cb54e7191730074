"""The answer to `/crib hint`: the best choice and why, with the next best.

With two sides choices are ordered by the chance to win the game, with three by points. The order and the
figures come from `engine.coach.advice`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.model.table_record import TableRecord
from bot.render.coaching.words import parts_of, points, signed, whose_crib, wins
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, subtext, text
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from bot.render.text.words import number
from engine import ClaimHeels, CutStarter, PlayCard, PlayerView, Rank, SayGo, TableView
from engine.coach import CardChoice, Choice

_NEXT = 2
"""How many of the next best choices are listed."""


def hint_drawing(record: TableRecord, view: PlayerView, choices: Sequence[Choice], voice: Voice) -> Drawing:
    """The best choice and why, with the next best; `choices` are best first."""
    names = Names(record.names, view.table.rules)
    best, *others = choices
    next_best = _different(choices)[:_NEXT]
    heels = ClaimHeels in view.legal_moves.kinds
    return layout(
        container(
            text("Claim his heels first: with your first card they are lost.") if heels else None,
            text(*_advised(best, view, names, voice)),
            text(_by_the_score(best, others, view.table)),
            text(subtext("Next best"), *(f"- {_next_best(each, voice)}" for each in next_best))
            if next_best
            else None,
            text(subtext(_explained(best, view.table))),
            colour=BAIZE,
        )
    )


def no_choice_text(view: PlayerView, voice: Voice) -> str:
    """Why there is no hint although it is the seat's turn."""
    kinds, playable = view.legal_moves.kinds, view.legal_moves.playable
    if PlayCard in kinds and len(playable) == 1:
        only = voice.faces.text(playable[0])
        return f"There is nothing to decide: the only card that you can play is the {only}."
    if PlayCard in kinds:
        ranks = {each.rank.name.lower() for each in playable}
        alike = f"{ranks.pop()}s".replace("sixs", "sixes")
        return f"There is nothing to decide: all that you can play are {number(len(playable))} {alike}."
    if SayGo in kinds:
        return "There is nothing to decide: you can play no card, so say go."
    if CutStarter in kinds:
        return "There is nothing to decide: cut the starter."
    return "Hints are for laying away and for the play. What is counted and called is for you to find."


def _advised(best: Choice, view: PlayerView, names: Names, voice: Voice) -> Iterator[str]:
    if isinstance(best, CardChoice):
        yield f"## Play {voice.faces.text(best.card)}"
        yield f"**{signed(best.points)}** in the play{wins(best)}"
        return
    yield f"## Keep {voice.faces.all(sorted(best.kept))}"
    yield f"Lay {voice.faces.all_small(sorted(best.given))} away to {whose_crib(view, names)}."
    yield f"{parts_of(best)}: **{points(best.points)}** in all{wins(best)}"


def _different(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The choices after the best, without those that differ from a better one by suits alone."""
    by_ranks: dict[tuple[Rank, ...], Choice] = {}
    for each in choices:
        held = (each.card,) if isinstance(each, CardChoice) else each.kept
        by_ranks.setdefault(tuple(sorted(one.rank for one in held)), each)
    return tuple(by_ranks.values())[1:]


def _next_best(other: Choice, voice: Voice) -> str:
    if isinstance(other, CardChoice):
        return f"{voice.faces.small(other.card)}: {signed(other.points)}{wins(other)}"
    kept = voice.faces.all_small(sorted(other.kept))
    return f"Keep {kept}: {parts_of(other)}: {points(other.points)}{wins(other)}"


def _by_the_score(best: Choice, others: Sequence[Choice], table: TableView) -> str:
    """A remark if the best choice is not the one with the most points."""
    more = max((each.points for each in others), default=best.points)
    if points(more - best.points) == "0.0" or more < best.points:
        return ""
    first, second = table.scores[:2]
    return f"Another choice is worth more points, but at {first} to {second} this one wins more often."


def _explained(best: Choice, table: TableView) -> str:
    percent = "" if best.winning is None else "; % is your chance to win the game"
    if isinstance(best, CardChoice):
        others = "your opponent's" if table.rules.sides == 2 else "the others' average"
        return f"Points that you peg from here to the end of the play, less {others}{percent}."
    return f"Points on average; the play is your pegging against what is usual{percent}."
