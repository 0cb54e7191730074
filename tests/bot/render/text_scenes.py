"""Scenes of sentences inside messages: names, numbers, calls, counted hands, reasons, boards, options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from random import Random
from typing import get_type_hints

from bot.model.great_moments import CountedHand
from bot.model.table_record import Agreement, Occupant, computer_at
from bot.render.messages.board import board, legend
from bot.render.text.calls import calls
from bot.render.text.celebrations import colour_of, hand_line
from bot.render.text.explaining import heard_so_far, reasons_since, told_in_full
from bot.render.text.honest_deck import deck_on_deal
from bot.render.text.names import Names
from bot.render.text.pegs import pegs_line
from bot.render.text.rules import describe, time_text
from bot.render.text.sides import Sides
from bot.render.text.speech import Telling, speech
from bot.render.text.spoken_counts import lines, ranks, spoken
from bot.render.text.voice import Voice
from engine import (
    PARTNERS,
    PRESETS,
    TWO_HANDED,
    CameBack,
    CardPlayed,
    Chance,
    Game,
    GoSaid,
    HandCounted,
    HandShown,
    HeelsClaimed,
    HeelsForfeited,
    MugginsCalled,
    Pegged,
    Pegs,
    PublicEvent,
    Reason,
    Rules,
    Score,
    Seat,
    SeriesEnded,
    Side,
    Source,
    StarterCut,
    StoodIn,
    card,
    cards,
    count,
)
from engine.computer import Level
from tests.bot.render.games import ADA, BEN, HOSTILE, record_of
from tests.engine.rule_options import changed
from tests.golden import Scene, scenes

NAMES = Names(("Ada", "Ben"), TWO_HANDED)

Scored = tuple[Reason, int, str]


def in_turn(*texts: str) -> tuple[PublicEvent, ...]:
    """Cards played in turn that score nothing."""
    return tuple(CardPlayed(Seat(place % 2), card(text)) for place, text in enumerate(texts))


def pegged(seat: Seat, *scores: Scored) -> Pegged:
    """Points for these scores, each with its cards."""
    made = tuple(Score(reason, points, cards(those)) for reason, points, those in scores)
    return Pegged(seat, sum(score.points for score in made), made)


FIFTEEN: Scored = (Reason.FIFTEEN, 2, "TD 5C")
GO: Scored = (Reason.GO, 1, "5C")
LAST: Scored = (Reason.LAST, 1, "5C")
PRICE: Scored = (Reason.WRONG_CLAIM, 2, "")
SEVEN = in_turn("7D")

CALLS: tuple[tuple[PublicEvent, ...], ...] = (
    SEVEN,
    (*SEVEN, StoodIn(BEN)),
    (*SEVEN, CameBack(BEN)),
    (*in_turn("TD", "5C"), pegged(BEN, FIFTEEN)),
    (*in_turn("TD", "TC"), pegged(BEN, (Reason.PAIR, 2, "TD TC"))),
    (*in_turn("2D", "2C", "2H"), pegged(ADA, (Reason.PAIR, 6, "2D 2C 2H"))),
    (*in_turn("2D", "2C", "2H", "2S"), pegged(BEN, (Reason.PAIR, 12, "2D 2C 2H 2S"))),
    (*in_turn("6D", "7C", "9H"), pegged(ADA, (Reason.RUN, 3, "6D 7C 8H"))),
    (
        *in_turn("5D", "5C", "5H"),
        pegged(ADA, (Reason.FIFTEEN, 2, "5D 5C 5H"), (Reason.PAIR, 6, "5D 5C 5H")),
    ),
    (*in_turn("4D", "6C", "5H"), pegged(ADA, (Reason.FIFTEEN, 2, "4D"), (Reason.RUN, 3, "4D 6C 5H"))),
    (*in_turn("TD", "TC", "TH", "AS"), pegged(BEN, (Reason.THIRTY_ONE, 2, "AS"))),
    (*in_turn("TD"), GoSaid(BEN)),
    (*in_turn("TD"), GoSaid(BEN), pegged(ADA, GO), SeriesEnded()),
    (*in_turn("TD", "7C"), pegged(BEN, GO), SeriesEnded()),
    (*in_turn("TD", "5C"), pegged(BEN, FIFTEEN), pegged(BEN, LAST)),
    (*in_turn("TD", "TC", "TH", "AS"), pegged(BEN, (Reason.THIRTY_ONE, 2, "AS")), pegged(BEN, GO)),
    (StarterCut(BEN, card("JH"), 17),),
    (StarterCut(BEN, card("JH"), 17), pegged(ADA, (Reason.HEELS, 2, "JH"))),
    (HeelsClaimed(ADA), pegged(ADA, (Reason.HEELS, 2, "JH"))),
    (HeelsForfeited(ADA),),
    (CardPlayed(ADA, card("7C"), called=0),),
    (CardPlayed(ADA, card("7C"), called=2),),
    (CardPlayed(ADA, card("7C"), called=2), pegged(ADA, LAST)),
    (*SEVEN, MugginsCalled(BEN, called=2, taken=2)),
    (*SEVEN, MugginsCalled(BEN, called=5, taken=2)),
    (*SEVEN, MugginsCalled(BEN, called=2, taken=0)),
    (*SEVEN, MugginsCalled(BEN, called=2, taken=0), pegged(ADA, PRICE)),
    (*in_turn("8D"), CardPlayed(BEN, card("7C"), called=8), pegged(BEN, FIFTEEN), pegged(ADA, PRICE)),
    (StoodIn(ADA), StoodIn(BEN), StoodIn(BEN), StoodIn(BEN)),
    (*SEVEN, StoodIn(BEN), *in_turn("8C"), StoodIn(BEN)),
)
"""Events of the play; each kind of event that is called, and each form of its call."""


@scenes("calls")
def all_calls(voice: Voice) -> Iterator[Scene]:
    """What is said in the play; and of jacks by the rule sets that call them by other names."""
    said = [" · ".join(calls(events, NAMES, voice)) for events in CALLS]
    turned = (StarterCut(BEN, card("JH"), 17), pegged(ADA, (Reason.HEELS, 1, "JH")), HeelsForfeited(ADA))
    nobs = (Score(Reason.FIFTEEN, 2, cards("TD 5C")), Score(Reason.NOBS, 1, cards("JH")))
    for preset in ("standard", "parlour", "family"):
        theirs = voice.by(preset)
        said += (f"`{preset}`", *calls(turned, NAMES, theirs), spoken(nobs, 3, theirs))
    yield "all", "\n".join(said)


@scenes("numbers")
def numbers(voice: Voice) -> Iterator[Scene]:
    """Numbers as they are called, of which the greatest are figures."""
    tens = (map(speech(voice).number, range(first, first + 10)) for first in range(-1, 102, 10))
    yield "all", "\n".join(map(" · ".join, tens))


LONG, MARKED = "x" * 30, "q" + "\u0301" * 20 + "x"
INVISIBLE, TURNED = "\u200b\u3164 \u2800\u202e", "Ada\N{RIGHT-TO-LEFT OVERRIDE}nibbirc"


@scenes("names")
def all_names(voice: Voice) -> Iterator[Scene]:
    """Names in a text, and where nothing is formatted."""
    people = ("Zoë O'Neill", INVISIBLE, TURNED, MARKED, "שלום" * 10, "```", "```Ada", *HOSTILE)
    both = (Names.at(record_of(Agreement(), (each, "Ben")), voice) for each in people)
    yield "of people", "\n".join(f"{names[ADA]}   {names.plain(ADA)}" for names in both)
    seats = range(4)
    twice = Names(("Ada", "Ada", LONG, f"{LONG}y"), PARTNERS)
    yield "that begin alike", "\n".join(twice.plain(Seat(seat)) for seat in seats)
    yield "of sides", "\n".join((twice.side(Side(0)), twice.plain_side(Side(1), 20)))
    alone = record_of(Agreement(), ("Ada",))
    yield "of a free seat", Names.at(alone, voice)[BEN]
    seated = [Occupant(1, "Ada"), Occupant(2, "Ben", Level.STEADY)]
    for _ in range(2):
        seated.append(computer_at(Level.BEGINNER, seated))
    named = (Occupant(None, "🤖 Vega", Level.STEADY), Occupant(None, "🤖 Steady 2", Level.STEADY))
    those = Names.of((*seated, *named), voice)
    left = ("", "@everyone **Ben** <@5>", "B" * 60)
    absent = Names.of(tuple(Occupant(2, each, Level.EXPERT) for each in left), voice)
    yield "of players with substitutes", "\n".join(absent[Seat(seat)] for seat in range(3))
    yield "of computers", "\n".join(those.plain(Seat(seat)) for seat in range(6))


POSITIONS: tuple[tuple[str, int, tuple[Pegs, ...]], ...] = (
    ("standard", 2, (Pegs(0, 0), Pegs(1, 0))),
    ("standard", 2, (Pegs(2, 1), Pegs(31, 30))),
    ("standard", 2, (Pegs(64, 57), Pegs(12, 10))),
    ("standard", 2, (Pegs(120, 91), Pegs(52, 47))),
    ("standard", 2, (Pegs(126, 119), Pegs(90, 80))),
    ("standard", 4, (Pegs(5, 0), Pegs(9, 5))),
    ("short", 2, (Pegs(60, 59), Pegs(31, 30))),
    ("shotgun", 2, (Pegs(90, 90), Pegs(93, 90))),
    ("lurch", 3, (Pegs(60, 59), Pegs(31, 30), Pegs(61, 61))),
    ("piecepack", 2, (Pegs(9, 8), Pegs(60, 1))),
    ("captains", 3, (Pegs(40, 30), Pegs(12, 10))),
)
"""Rule sets, numbers of players, and the pegs of the sides."""


@scenes("boards in text")
def boards(voice: Voice) -> Iterator[Scene]:
    """The board where there is no picture, and the line with the pegs in a hand by DM."""
    for number, (preset, players, pegs) in enumerate(POSITIONS, 1):
        captain = 1 if preset == "captains" else None
        record = record_of(Agreement.of(preset=preset, players=players, captain=captain))
        rules = record.agreement.rules
        table = replace(Game.new(rules, chance=Chance(Random(1)), dealer=ADA).table, pegs=pegs)
        names = Names.at(record, voice)
        lines = (pegs_line(table, Side(own), Sides(record, names), names, voice) for own in (0, 1))
        yield f"{number}, {preset}", "\n".join((board(table, names), legend(rules, voice), *lines))


@scenes("sealed decks")
def sealed_decks(voice: Voice) -> Iterator[Scene]:
    """What the messages of a deal say of its deck."""
    sealed = replace(record_of(Agreement()), has_deck=True, seal="0123456789abcdef" * 4)
    for title, record, deal in (
        ("before the first deal", sealed, 0),
        ("on the first deal", sealed, 1),
        ("on a later deal", sealed, 2),
        ("without a seal", replace(sealed, seal=None), 1),
    ):
        told = ("\n".join(deck_on_deal(record, deal, voice, named=named)) or "-" for named in (True, False))
        yield title, "\n---\n".join(told)


HANDS = (
    ("5H 5C 5S JD", "5D"),
    ("4S 5H 6D KC", "6H"),
    ("5H TD TC 2S", "9C"),
    ("7H 8D JC 2S", "KC"),
    ("2H 2C 9S KD", "7H"),
    ("2H 2C 9S 9D", "KH"),
    ("6H 7C KS KD", "2H"),
    ("2H 3C 4S KD", "QH"),
    ("9H TC JS QD", "KH"),
    ("2H 3C 4S 4D", "5H"),
    ("8H 9C TS TD", "TH"),
    ("TH TC JS JD", "QH"),
    ("3H 3C 3S KD", "8H"),
    ("2H 4H 8H KH", "9C"),
    ("2H 4H 8H KH", "QH"),
    ("AH 3H 9H JH", "QH"),
    ("5H TD KC 2S", "9H"),
    ("JH TC TD JD", "5D"),
    ("2H 3H 4H KH", "4S"),
    ("AH 2C 2S KC", "2H"),
    ("2H 4C 6S 8D", "TH"),
)
"""Hands and starters with every combination, alone and beside others."""


@scenes("counted hands")
def counted_hands(voice: Voice) -> Iterator[Scene]:
    """What players say when they count, at each length, with the cards and the ranks below it."""
    yield "hands", "\n".join(each for hand, starter in HANDS for each in _counted(hand, starter, voice))
    yield "points without scores", spoken((Score(Reason.CLAIM, 6),), 6, voice)
    standard = PRESETS["standard"](2)
    great = (
        hand_line(great_hand(points, source), standard, NAMES, voice)
        for points in (23, 24, 28, 29)
        for source in Source
    )
    yield "celebrated", "\n".join(great)
    several = ((24, 29, 28), (24, 28), (12, 24), (12,))
    colours = (colour_of([great_hand(each) for each in those]) for those in several)
    yield "colours", "\n".join(f"`{colour}`" for colour in colours)
    four = PRESETS["standard"](4)
    yield "celebrated at a table of four", hand_line(great_hand(29, Source.HAND), four, NAMES, voice)


def _counted(hand: str, starter: str, voice: Voice) -> Iterator[str]:
    counted = count(cards(hand), starter=card(starter))
    yield f"`{hand} · {starter}`"
    yield from dict.fromkeys(spoken(counted.scores, counted.points, voice, telling) for telling in Telling)
    yield from lines(counted.scores, voice)
    yield " · ".join(ranks(counted.scores))


def great_hand(points: int, source: Source = Source.HAND) -> CountedHand:
    """A hand or crib of Ada, counted at so many points."""
    hand, starter = cards("5H 5C 5S JD"), card("5D")
    return CountedHand(deal=1, seat=ADA, source=source, cards=hand, starter=starter, points=points)


SCORES: tuple[tuple[Scored, ...], ...] = (
    ((Reason.FIFTEEN, 2, "8H 7C"),),
    ((Reason.FIFTEEN, 2, "AH 4C JS"),),
    ((Reason.THIRTY_ONE, 2, "KH TC 6S 5S"),),
    ((Reason.FIFTEEN, 2, "AH AC AS 2S 2D 4H 4C"),),
    ((Reason.PAIR, 2, "7H 7C"),),
    ((Reason.PAIR, 6, "QH QC QS"),),
    ((Reason.PAIR, 12, "AH AC AS AD"),),
    ((Reason.RUN, 3, "6H 4C 5S"),),
    ((Reason.FIFTEEN, 2, "4H 5C 6S"), (Reason.RUN, 3, "4H 5C 6S")),
    ((Reason.LAST, 1, "7H"),),
)
"""What can be pegged with a card, which is the last of the first score."""


@scenes("explanations")
def explanations(voice: Voice) -> Iterator[Scene]:
    """Why points were pegged, in a line and in full, for Ada."""
    yield "pegs", "\n".join(_told(_of_a_card(BEN, scores), voice) for scores in SCORES)
    yield "own pegs", "\n".join(_told(_of_a_card(ADA, scores), voice) for scores in SCORES)
    for title, events in _happenings():
        told = heard_so_far(events, ADA)
        assert told.last is not None
        in_full = told_in_full(told.last, TWO_HANDED, ADA, NAMES, voice)
        yield title, "\n".join((*reasons_since(told, ADA, NAMES, voice), "---", *in_full))


def _of_a_card(seat: Seat, scores: tuple[Scored, ...]) -> tuple[PublicEvent, ...]:
    return CardPlayed(seat, cards(scores[0][2])[-1]), pegged(seat, *scores)


def _told(events: tuple[PublicEvent, ...], voice: Voice) -> str:
    return " · ".join(reasons_since(heard_so_far(events, ADA), ADA, NAMES, voice))


def _happenings() -> Iterator[tuple[str, tuple[PublicEvent, ...]]]:
    """Everything that there is something to tell about, as it happens to Ada or to Ben."""
    king, one = CardPlayed(BEN, card("KH")), pegged(BEN, (Reason.GO, 1, "KH"))
    yield "a card", (king,)
    yield "an own card", (CardPlayed(BEN, card("8H")), *_of_a_card(ADA, SCORES[0]))
    yield "a pair royal", (CardPlayed(ADA, card("QC")), *_of_a_card(BEN, SCORES[5]))
    yield "a go", (king, GoSaid(ADA))
    yield "a go for points", (king, GoSaid(ADA), one, SeriesEnded())
    yield "the other's go", (CardPlayed(ADA, card("KH")), GoSaid(BEN), pegged(ADA, GO), SeriesEnded())
    yield "nobody can play on", (king, one)
    yield "the starter", (StarterCut(BEN, card("2C"), 17),)
    yield "heels", (StarterCut(ADA, card("JS"), 17), pegged(BEN, (Reason.HEELS, 2, "JS")))
    yield "claimed heels", (HeelsClaimed(BEN), pegged(BEN, (Reason.HEELS, 2, "JS")))
    yield "forgotten heels", (HeelsForfeited(BEN),)
    lead = CardPlayed(ADA, card("8H"), 0)
    yield "a claim", (lead, CardPlayed(BEN, card("7C"), 2), pegged(BEN, SCORES[0][0]))
    yield "a short claim", (lead, CardPlayed(BEN, card("7C"), 2), pegged(BEN, (Reason.CLAIM, 2, "")))
    wrong = pegged(ADA, PRICE)
    yield "a wrong claim", (lead, CardPlayed(BEN, card("7C"), 8), pegged(BEN, SCORES[0][0]), wrong)
    yield "muggins", (lead, MugginsCalled(BEN, 2, 2), pegged(BEN, (Reason.MUGGINS, 2, "")))
    yield "muggins for nothing", (lead, MugginsCalled(BEN, 2, 0), wrong)
    king_pair = pegged(BEN, (Reason.PAIR, 2, "KC KD"))
    others = (HandShown(BEN, Source.HAND, cards("KC KD 2C 4C")), HandCounted(BEN, Source.HAND, 2), king_pair)
    yield "the other's hand", others
    sevens = pegged(
        ADA, (Reason.FIFTEEN, 2, "7C 8H"), (Reason.FIFTEEN, 2, "7D 8H"), (Reason.PAIR, 2, "7C 7D")
    )
    own = (HandShown(ADA, Source.HAND, cards("7C 7D 8H 3S")), HandCounted(ADA, Source.HAND, 6), sevens)
    yield "the own hand", (*others, *own)
    run = pegged(ADA, (Reason.RUN, 3, "AC 2H 3D"), (Reason.NOBS, 1, "JS"))
    crib = (HandShown(ADA, Source.CRIB, cards("AC 2H 3D JS")), HandCounted(ADA, Source.CRIB, 4), run)
    yield "the own crib", (*others, *own, *crib)
    yield "nothing", (HandShown(ADA, Source.HAND, cards("2C 4D 6H 8S")), HandCounted(ADA, Source.HAND, 0))


@scenes("options of the rules")
def options(voice: Voice) -> Iterator[Scene]:
    """What the rules say of each option that differs, and of the time for a turn."""
    yield "by default", describe(TWO_HANDED, voice)
    hints = get_type_hints(Rules)

    @lru_cache(maxsize=256)
    def lines_of(rules: Rules) -> tuple[str, ...]:
        return tuple(describe(rules, voice).splitlines())

    said = (
        f"`{each.name}`: {line}" for each in fields(Rules) for line in _said_of(each.name, hints, lines_of)
    )
    yield "each option", "\n".join(said)
    for seconds in (90, 300, 3_600, 86_400, 604_800):
        yield f"{seconds} seconds", time_text(replace(Agreement(), seconds=seconds), voice)


def _said_of(
    name: str, hints: Mapping[str, object], lines_of: Callable[[Rules], tuple[str, ...]]
) -> Iterable[str]:
    """The sentences that change with that option, an example of each."""
    found: dict[str, str] = {}
    for base, other in changed(name, hints[name]):
        for line in lines_of(other):
            if line not in lines_of(base):
                found.setdefault(re.sub(r"\d+", "", line), line)
    return found.values()
