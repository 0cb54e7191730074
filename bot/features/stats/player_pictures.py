"""The contents of a player's statistics pictures: their facts, the lines above them, and their alt texts.

`bot.features.stats.pictures` draws them, off the event loop. The alt text states every fact of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.features.stats.pictures import (
    PARTS,
    Balance,
    Bar,
    CourseFacts,
    HandFacts,
    HandsFacts,
    LuckFacts,
    PointsFacts,
    StatisticsFacts,
)
from bot.render.drawing import MOST_ALT, DrawnFile, size_of
from bot.render.layouts import subtext
from bot.render.text.voice import Voice
from bot.standings.careers import Career, Profile
from bot.standings.experts import (
    EXPERT_DEALER,
    EXPERT_NON_DEALER,
    PointsADeal,
    as_dealer,
    as_non_dealer,
)
from bot.standings.figures import BestHand, SeatFigures, most_counted
from bot.standings.ratings import Kind


@dataclass(frozen=True, slots=True)
class StatsPicture:
    """A picture with the lines above it."""

    lines: tuple[str, ...]
    file: DrawnFile


@dataclass(frozen=True, slots=True)
class ToDraw:
    """A picture to draw."""

    kind: str
    facts: StatisticsFacts
    lines: tuple[str, ...]
    alt: str


def pictures_of(profile: Profile, voice: Voice) -> Iterator[ToDraw]:
    """The pictures of a player's statistics, without those that lack facts."""
    if len(profile.course) > 1:
        course = CourseFacts(profile.course)
        yield ToDraw("rating", course, _course_lines(course, voice), _course_alt(course, voice))
    two = profile.career.two
    if two is not None and (as_dealer(two) or as_non_dealer(two)):
        points = _points_facts(two, voice)
        yield ToDraw("points", points, _points_lines(voice), _points_alt(two, voice))
    judged = luck_and_skill(profile.career)
    if judged is not None:
        luck = LuckFacts(*(Balance(each, signed(each, voice)) for each in judged))
        yield ToDraw("luck", luck, _luck_lines(voice), luck_text(profile.career, voice))
    if best := best_hands(profile.career):
        hands = HandsFacts(tuple(HandFacts(each.points, each.cards, each.starter) for each in best))
        title = voice.ngettext("The best hand", "The {number} best hands", len(best))
        yield ToDraw("best", hands, (f"**{title}**",), _hands_alt(best, voice))


def best_hands(career: Career) -> tuple[BestHand, ...]:
    """The hands with most points, in games of any number of players."""
    return most_counted(hand for figures in career.figures.values() for hand in figures.top)


def luck_and_skill(career: Career) -> tuple[float, float] | None:
    """Luck of the cards and loss by discards (negative), in points per deal; `None` without figures."""
    figures = career.figures.get(Kind.TWO) or career.figures.get(Kind.MORE)
    if figures is None or not figures.judged:
        return None
    return figures.luck / 1000 / figures.judged, -figures.given_away / 1000 / figures.judged


def luck_text(career: Career, voice: Voice) -> str:
    """Luck and skill in one sentence; empty without figures."""
    judged = luck_and_skill(career)
    if judged is None:
        return ""
    return voice.gettext(
        "Luck of the cards: {luck} points a deal. Discards, against the best ones: {skill} points a deal.",
        luck=signed(judged[0], voice),
        skill=signed(judged[1], voice),
    )


def signed(points: float, voice: Voice) -> str:
    """Points with a sign and two decimals; no sign if they round to zero."""
    rounded = round(points, 2)
    return voice.language.change(rounded, 2) if rounded else voice.number(0, 1)


def _course_lines(facts: CourseFacts, voice: Voice) -> tuple[str, ...]:
    games = len(facts.ratings) - 1
    title = voice.ngettext(
        "Rating over {number} rated game", "Rating over the last {number} rated games", games
    )
    return (f"**{title}**",)


def _course_alt(facts: CourseFacts, voice: Voice) -> str:
    ratings = facts.ratings
    return voice.ngettext(
        "Rating over {number} game: from {first} to {last}, between {low} and {high}.",
        "Rating over {number} games: from {first} to {last}, between {low} and {high}.",
        len(ratings) - 1,
        first=voice.number(ratings[0]),
        last=voice.number(ratings[-1]),
        low=voice.number(min(ratings)),
        high=voice.number(max(ratings)),
    )


def _points_facts(figures: SeatFigures, voice: Voice) -> PointsFacts:
    def bar(average: PointsADeal) -> Bar:
        return Bar(average.parts, voice.number(sum(average.parts), 1))

    dealer, non_dealer = as_dealer(figures), as_non_dealer(figures)
    return PointsFacts(
        dealer=None if dealer is None else bar(dealer),
        dealer_expert=bar(EXPERT_DEALER),
        non_dealer=None if non_dealer is None else bar(non_dealer),
        non_dealer_expert=bar(EXPERT_NON_DEALER),
    )


def _points_lines(voice: Voice) -> tuple[str, ...]:
    pegging, hand, crib = (colour.emoji for colour in PARTS)
    key = voice.gettext(
        "Dealer, then non-dealer: {pegging} pegging {hand} hand {crib} crib. Narrow bars: experts.",
        pegging=pegging,
        hand=hand,
        crib=crib,
    )
    return (f"**{voice.gettext('Points a deal, 2 players')}**", subtext(key))


def _points_alt(figures: SeatFigures, voice: Voice) -> str:
    def averaged(average: PointsADeal | None) -> str:
        return "–" if average is None else _points_text(average, voice)

    dealer = voice.gettext(
        "Points a deal as dealer: {own}; experts: {expert}.",
        own=averaged(as_dealer(figures)),
        expert=averaged(EXPERT_DEALER),
    )
    non_dealer = voice.gettext(
        "Points a deal as non-dealer: {own}; experts: {expert}.",
        own=averaged(as_non_dealer(figures)),
        expert=averaged(EXPERT_NON_DEALER),
    )
    return f"{dealer} {non_dealer}"


def _points_text(average: PointsADeal, voice: Voice) -> str:
    parts = {
        "total": voice.number(sum(average.parts), 1),
        "pegging": voice.number(average.pegging, 1),
        "hand": voice.number(average.hand, 1),
    }
    if average.crib is None:
        return voice.gettext("{total} (pegging {pegging}, hand {hand})", **parts)
    crib = voice.number(average.crib, 1)
    return voice.gettext("{total} (pegging {pegging}, hand {hand}, crib {crib})", crib=crib, **parts)


def _luck_lines(voice: Voice) -> tuple[str, ...]:
    key = voice.gettext("🍀 what the cards brought · 🎯 what discards gave away, against the best ones")
    return (f"**{voice.gettext('Luck and skill, points a deal')}**", subtext(key))


def _hands_alt(hands: Sequence[BestHand], voice: Voice) -> str:
    text = ""
    for hand in hands:
        # Ten hands spelled out exceed Discord's limit of an alt text.
        said = voice.ngettext(
            "{number} point: {cards} with {starter}",
            "{number} points: {cards} with {starter}",
            hand.points,
            cards=voice.faces.all_plain(sorted(hand.cards)),
            starter=voice.faces.plain(hand.starter),
        )
        longer = f"{text}; {said}" if text else said
        if size_of(longer) > MOST_ALT:
            break
        text = longer
    return text
