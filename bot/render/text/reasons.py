"""The coach's reasons in words: why one choice is better than another, in a sentence of about 25 words.

Each fact is a phrase whose subject is the better choice, as "keeps a run 5-6-7 (3 points, not 2)". The facts
come from `engine.coach.reasons`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language.languages import gettext_noop
from bot.render.text.faces import RANKS
from bot.render.text.speech import Item, speech
from bot.render.text.spoken_counts import items
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import Cards, Reason, Score
from engine.coach import (
    AtScore,
    Crib,
    Cuts,
    Decision,
    Fact,
    Gift,
    Hole,
    Kept,
    Later,
    Nobs,
    Now,
    Owner,
    Pegger,
    Pegging,
    Plan,
    Reasons,
    Reply,
    Simulated,
    Wait,
    reasons_of,
)

_MORE_CUTS: Final = 4
"""The least difference in the number of helping cuts that says something."""

_GIVES: Final = {
    Owner.SELF: gettext_noop("gives your crib {gift}"),
    Owner.PARTNER: gettext_noop("gives your partner's crib {gift}"),
    Owner.OPPONENT: gettext_noop("gives the dealer's crib {gift}"),
}
_MORE: Final = {
    Owner.SELF: gettext_noop("gives your crib more"),
    Owner.PARTNER: gettext_noop("gives your partner's crib more"),
    Owner.OPPONENT: gettext_noop("gives the dealer's crib more"),
}
_LESS: Final = {
    Owner.SELF: gettext_noop("gives your crib less"),
    Owner.PARTNER: gettext_noop("gives your partner's crib less"),
    Owner.OPPONENT: gettext_noop("gives the dealer's crib less"),
}
_PEGS: Final = {
    Pegger.LOW: gettext_noop("pegs better, with low cards"),
    Pegger.PAIR: gettext_noop("pegs better, with a pair"),
    Pegger.NONE: gettext_noop("pegs better"),
}
_PLANS: Final = {
    Plan.HOME: gettext_noop("has the {mine} you need, whatever is cut"),
    Plan.ON: gettext_noop("puts your hand first: {mine} to go against {theirs}"),
    Plan.OFF: gettext_noop("gives away less: {mine} to go against {theirs}"),
    Plan.OFTEN: gettext_noop("wins more often: {mine} to go against {theirs}"),
}


def because(decision: Decision, voice: Voice) -> str:
    """The reason why the best choice was better than the one made; empty for a choice without cost."""
    if not decision.is_costly:
        return ""
    return said(reasons_of(decision.view, decision.best, decision.made, decision.choices), voice)


def said(why: Reasons, voice: Voice) -> str:
    """The facts to tell, in a sentence; empty if there are none."""
    pros = [_pro(each, voice) for each in why.told if each.share > 0]
    if not pros:
        return ""
    reason = pros[0]
    if len(pros) > 1:
        reason = voice.gettext(
            "{reason}; {another}", reason=reason, another=voice.gettext("; ").join(pros[1:])
        )
    if cons := [_con(each, voice) for each in why.told if each.share < 0]:
        reason = voice.gettext("{reason}, but {concession}", reason=reason, concession=cons[0])
    return f"{sentence(reason)}."


def _pro(fact: Fact, voice: Voice) -> str:
    match fact:
        case Kept():
            return _kept(fact, voice)
        case Nobs():
            return voice.gettext(
                "has {starters} cuts for his nobs, not {instead}",
                starters=voice.number(fact.starters),
                instead=voice.number(fact.instead),
            )
        case Cuts():
            return _cuts(fact, voice)
        case Crib():
            return _crib(fact, voice)
        case Pegging():
            return voice.gettext(_PEGS[fact.pegger])
        case AtScore():
            parts = {"mine": voice.number(fact.mine), "theirs": voice.number(fact.theirs)}
            return voice.gettext(_PLANS[fact.plan], **parts)
        case Simulated():
            return voice.gettext("did better in the simulation")
        case Now():
            return _now(fact, voice)
        case Reply():
            return _reply(fact, voice)
        case Later():
            return _later(fact, voice)
        case _:
            raise TypeError(fact)


def _con(fact: Fact, voice: Voice) -> str:
    """Drawbacks of the better choice."""
    match fact:
        case Kept():
            return voice.ngettext(
                "keeps {number} point fewer", "keeps {number} points fewer", fact.instead - fact.points
            )
        case Nobs():
            return voice.gettext("has fewer cuts for his nobs")
        case Cuts():
            return voice.gettext("gains less from the cut")
        case Crib():
            return voice.gettext((_MORE if fact.owner is Owner.OPPONENT else _LESS)[fact.owner])
        case Pegging():
            return voice.gettext("pegs less")
        case AtScore():
            return voice.gettext("its points count less at this score")
        case Simulated():
            return voice.gettext("did worse than that in the simulation")
        case Now():
            return voice.ngettext(
                "pegs {number} point fewer now", "pegs {number} points fewer now", fact.instead - fact.points
            )
        case Reply(hole=Hole.MORE):
            return _scoring(fact, voice)
        case Reply():
            return voice.gettext("gives more to the next card")
        case Later():
            return voice.gettext("pegs less later")
        case _:
            raise TypeError(fact)


def _kept(fact: Kept, voice: Voice) -> str:
    scores = voice.listing(_item(each, voice) for each in items(fact.scores))
    points = voice.ngettext("{number} point", "{number} points", fact.points)
    if not fact.instead:
        return voice.gettext("keeps {scores} ({points})", scores=scores, points=points)
    return voice.gettext(
        "keeps {scores} ({points}, not {instead})",
        scores=scores,
        points=points,
        instead=voice.number(fact.instead),
    )


def _item(item: Item, voice: Voice) -> str:
    """Scores of a hand before the cut, such as `a double run 4-4-5-6`."""
    words = speech(voice)
    match item.reason:
        case Reason.FIFTEEN:
            return voice.ngettext("a fifteen", "{number} fifteens", len(item.scores))
        case Reason.PAIR:
            return f"{words.alike[item.cards]} {_ranks(_every_card(item.scores))}"
        case Reason.RUN:
            return f"{words.runs[item.runs]} {_ranks(_every_card(item.scores))}"
        case _:
            return words.flush


def _every_card(scores: Sequence[Score]) -> Cards:
    """Each card of the scores once."""
    return tuple({each for score in scores for each in score.cards})


def _ranks(cards: Cards) -> str:
    """The ranks, in order, as `5-6-7`."""
    return "-".join(RANKS[each.rank] for each in sorted(cards))


def _cuts(fact: Cuts, voice: Voice) -> str:
    if fact.helping >= fact.instead + _MORE_CUTS:
        return voice.ngettext(
            "{number} cut helps, not {instead}",
            "{number} cuts help, not {instead}",
            fact.helping,
            instead=voice.number(fact.instead),
        )
    if fact.gain > fact.gain_instead:
        return voice.gettext(
            "gains {gain} from a cut {rank}", gain=voice.number(fact.gain), rank=RANKS[fact.rank]
        )
    return voice.gettext("gains more from the cut")


def _crib(fact: Crib, voice: Voice) -> str:
    ranks = _ranks(fact.given)
    match fact.gift:
        case Gift.NONE:
            return voice.gettext((_LESS if fact.owner is Owner.OPPONENT else _MORE)[fact.owner])
        case Gift.FIVE:
            gift = voice.gettext("a five")
        case Gift.PAIR:
            gift = f"{speech(voice).alike[2]} {ranks}"
        case Gift.FIFTEEN:
            gift = voice.gettext("a fifteen ({ranks})", ranks=ranks)
        case Gift.TOUCHING:
            gift = voice.gettext("touching cards ({ranks})", ranks=ranks)
        case Gift.NEAR:
            gift = voice.gettext("close cards ({ranks})", ranks=ranks)
        case Gift.APART:
            gift = voice.gettext("cards far apart ({ranks})", ranks=ranks)
    if fact.is_given:
        return voice.gettext(_GIVES[fact.owner], gift=gift)
    return voice.gettext("keeps {gift} from the dealer's crib", gift=gift)


def _now(fact: Now, voice: Voice) -> str:
    if not fact.instead:
        return voice.ngettext("pegs {number} point now", "pegs {number} points now", fact.points)
    return voice.ngettext(
        "pegs {number} point now, not {instead}",
        "pegs {number} points now, not {instead}",
        fact.points,
        instead=voice.number(fact.instead),
    )


def _reply(fact: Reply, voice: Voice) -> str:
    match fact.hole:
        case Hole.FIVE:
            return voice.gettext("avoids a count of 5: any ten-card makes fifteen")
        case Hole.TWENTY_ONE:
            return voice.gettext("avoids a count of 21: any ten-card makes thirty-one")
        case Hole.SAFE:
            return voice.gettext("can't be paired any more")
        case Hole.FEWER:
            return _scoring(fact, voice)
        case Hole.STUCK:
            return voice.gettext(
                "leaves {stuck} of {unseen} unseen cards that don't fit",
                stuck=voice.number(fact.stuck),
                unseen=voice.number(fact.unseen),
            )
        case _:
            return voice.gettext("gives less to the next card")


def _scoring(fact: Reply, voice: Voice) -> str:
    instead = voice.number(fact.instead)
    if not fact.scoring:
        return voice.gettext("no unseen card scores on it, not {instead}", instead=instead)
    return voice.ngettext(
        "{number} unseen card scores on it, not {instead}",
        "{number} unseen cards score on it, not {instead}",
        fact.scoring,
        instead=instead,
    )


def _later(fact: Later, voice: Voice) -> str:
    answer = "" if fact.answer is None else voice.faces.text(fact.answer)
    match fact.wait:
        case Wait.PAIR:
            return voice.gettext(
                "if it's paired, {answer} makes three for {points}",
                answer=answer,
                points=voice.number(fact.points),
            )
        case Wait.TRAP if fact.reply is not None:
            return voice.gettext(
                "sets a trap: {answer} answers a {reply} for {points}",
                answer=answer,
                reply=RANKS[fact.reply],
                points=voice.number(fact.points),
            )
        case Wait.LOW:
            return voice.gettext("keeps {answer} for the end of a count", answer=answer)
        case _:
            points = voice.number(fact.gain, 1)
            if points == voice.number(0, 1):
                return voice.gettext("gains a little in the rest of the play")
            return voice.gettext("gains {points} points in the rest of the play", points=points)
