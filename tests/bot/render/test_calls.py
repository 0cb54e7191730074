"""The calls of the play, from public events."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.language.languages import Language
from bot.render.text.calls import by_count, calls, heard_by
from bot.render.text.faces import Faces
from bot.render.text.names import Names
from bot.render.text.spoken_counts import spoken
from bot.render.text.voice import Voice
from engine import (
    TWO_HANDED,
    CameBack,
    CardPlayed,
    CardsDealt,
    CardsDiscarded,
    ComputerChanged,
    CountLetStand,
    CountStood,
    CribCardsDealt,
    CutForDeal,
    DealBegan,
    DealEnded,
    DealerChosen,
    DeckSealed,
    Ending,
    GameBegan,
    GameClaimed,
    GameWon,
    GoSaid,
    HandCounted,
    HandShown,
    HeelsClaimed,
    HeelsForfeited,
    MugginsCalled,
    Pegged,
    PlayEnded,
    PublicEvent,
    Reason,
    Resigned,
    Score,
    Seat,
    SeriesEnded,
    Side,
    Source,
    StarterCut,
    StoodIn,
    SubstituteMoved,
    card,
    cards,
)
from tests.bot.render.games import EMOJIS

ADA, BEN = Seat(0), Seat(1)
_NAMES = Names(("Ada", "Ben"), TWO_HANDED)


def _played(*texts: str, first: Seat = ADA) -> list[PublicEvent]:
    """Cards played in turn that score nothing."""
    return [CardPlayed(Seat((first + place) % 2), card(text)) for place, text in enumerate(texts)]


def _pegged(seat: Seat, *scores: tuple[Reason, int, str]) -> Pegged:
    made = tuple(Score(reason, points, cards(those)) for reason, points, those in scores)
    return Pegged(seat, sum(score.points for score in made), made)


def _said(events: list[PublicEvent], code: str = "en") -> list[str]:
    """The calls without emphasis and without the suits' variation selectors."""
    lines = calls(events, _NAMES, Voice(Language.of(code)))
    return [line.replace("*", "").replace("\ufe0e", "").replace("\ufe0f", "") for line in lines]


_FIFTEEN = (Reason.FIFTEEN, 2, "TD 5C")
_GO = (Reason.GO, 1, "5C")
_LAST = (Reason.LAST, 1, "5C")
_PRICE = (Reason.WRONG_CLAIM, 2, "")

CALLS: list[tuple[list[PublicEvent], str, str]] = [
    (_played("7C"), "7♣ Ada seven", "7♣ Ada sept"),
    ([*_played("7C"), StoodIn(BEN)], "⏱ Ben ran out of time", "⏱ Ben a dépassé le temps"),
    ([*_played("7C"), CameBack(BEN)], "Ben is back", "Ben est de retour"),
    ([*_played("TD", "5C"), _pegged(BEN, _FIFTEEN)], "5♣ Ben fifteen for two", "5♣ Ben quinze pour deux"),
    (
        [*_played("TD", "TC"), _pegged(BEN, (Reason.PAIR, 2, "TD TC"))],
        "10♣ Ben twenty, a pair for two",
        "10♣ Ben vingt, une paire pour deux",
    ),
    (
        [*_played("2D", "2C", "2H"), _pegged(ADA, (Reason.PAIR, 6, "2D 2C 2H"))],
        "2♥ Ada six, a pair royal for six",
        "2♥ Ada six, un brelan pour six",
    ),
    (
        [*_played("2D", "2C", "2H", "2S"), _pegged(BEN, (Reason.PAIR, 12, "2D 2C 2H 2S"))],
        "2♠ Ben eight, a double pair royal for twelve",
        "2♠ Ben huit, un carré pour douze",
    ),
    (
        [*_played("6D", "7C", "9H"), _pegged(ADA, (Reason.RUN, 3, "6D 7C 8H"))],
        "9♥ Ada twenty-two, a run of three",
        "9♥ Ada vingt-deux, une suite de trois",
    ),
    (
        [
            *_played("5D", "5C", "5H"),
            _pegged(ADA, (Reason.FIFTEEN, 2, "5D 5C 5H"), (Reason.PAIR, 6, "5D 5C 5H")),
        ],
        "5♥ Ada fifteen and a pair royal for eight",
        "5♥ Ada quinze et un brelan pour huit",
    ),
    (
        [*_played("4D", "6C", "5H"), _pegged(ADA, (Reason.FIFTEEN, 2, "4D"), (Reason.RUN, 3, "4D 6C 5H"))],
        "5♥ Ada fifteen and a run of three for five",
        "5♥ Ada quinze et une suite de trois pour cinq",
    ),
    (
        [*_played("TD", "TC", "TH", "AS"), _pegged(BEN, (Reason.THIRTY_ONE, 2, "AS"))],
        "A♠ Ben thirty-one for two",
        "A♠ Ben trente et un pour deux",
    ),
    ([*_played("TD"), GoSaid(BEN)], "Ben go", "Ben go"),
    (
        [*_played("TD"), GoSaid(BEN), _pegged(ADA, _GO), SeriesEnded()],
        "Ada one for the go",
        "Ada un pour le go",
    ),
    (
        [*_played("TD", "7C"), _pegged(BEN, _GO), SeriesEnded()],
        "7♣ Ben seventeen, one for the go",
        "7♣ Ben dix-sept, un pour le go",
    ),
    (
        [*_played("TD", "5C"), _pegged(BEN, _FIFTEEN), _pegged(BEN, _LAST)],
        "5♣ Ben fifteen for two, and one for last",
        "5♣ Ben quinze pour deux, et un pour la dernière",
    ),
    (
        [*_played("TD", "TC", "TH", "AS"), _pegged(BEN, (Reason.THIRTY_ONE, 2, "AS")), _pegged(BEN, _GO)],
        "A♠ Ben thirty-one for two, and one for last",
        "A♠ Ben trente et un pour deux, et un pour la dernière",
    ),
    ([StarterCut(BEN, card("JH"))], "J♥ Ben cuts the starter", "J♥ Ben coupe la retourne"),
    (
        [StarterCut(BEN, card("JH")), _pegged(ADA, (Reason.HEELS, 2, "JH"))],
        "Ada his heels, two",
        "Ada ses talons, deux",
    ),
    (
        [HeelsClaimed(ADA), _pegged(ADA, (Reason.HEELS, 2, "JH"))],
        "Ada his heels, two",
        "Ada ses talons, deux",
    ),
    ([HeelsForfeited(ADA)], "Ada forgot to claim his heels", "Ada a oublié de réclamer ses talons"),
    ([CardPlayed(ADA, card("7C"), called=0)], "7♣ Ada seven", "7♣ Ada sept"),
    (
        [CardPlayed(ADA, card("7C"), called=2)],
        "7♣ Ada seven for two, takes nothing",
        "7♣ Ada sept pour deux, mais ça fait zéro",
    ),
    (
        [CardPlayed(ADA, card("7C"), called=2), _pegged(ADA, _LAST)],
        "7♣ Ada seven for two, takes nothing, and one for last",
        "7♣ Ada sept pour deux, mais ça fait zéro, et un pour la dernière",
    ),
    ([*_played("7D"), MugginsCalled(BEN, called=2, taken=2)], "Ben muggins for two", "Ben muggins pour deux"),
    (
        [*_played("7D"), MugginsCalled(BEN, called=5, taken=2)],
        "Ben muggins for five, takes two",
        "Ben muggins pour cinq, en prend deux",
    ),
    (
        [*_played("7D"), MugginsCalled(BEN, called=2, taken=0)],
        "Ben muggins for two: nothing missed",
        "Ben muggins pour deux : rien d'oublié",
    ),
    (
        [*_played("7D"), MugginsCalled(BEN, called=2, taken=0), _pegged(ADA, _PRICE)],
        "Ben muggins for two: nothing missed; two for Ada",
        "Ben muggins pour deux : rien d'oublié ; deux pour Ada",
    ),
    (
        [
            *_played("8D"),
            CardPlayed(BEN, card("7C"), called=8),
            _pegged(BEN, _FIFTEEN),
            _pegged(ADA, _PRICE),
        ],
        "7♣ Ben fifteen for eight, takes two; two for Ada",
        "7♣ Ben quinze pour huit, mais ça fait deux ; deux pour Ada",
    ),
]
"""Events, and the last call of them in English and in French."""


def test_who_ran_out_of_time_several_times_in_a_row_is_named_once() -> None:
    absent: list[PublicEvent] = [StoodIn(ADA), StoodIn(BEN), StoodIn(BEN), StoodIn(BEN)]
    assert _said(absent) == ["⏱ Ada ran out of time", "⏱ Ben ran out of time"]
    assert _said([*_played("7C"), StoodIn(BEN), *_played("8C"), StoodIn(BEN)]) == [
        "7♣ Ada seven",
        "⏱ Ben ran out of time",
        "8♣ Ada fifteen",
        "⏱ Ben ran out of time",
    ]


def test_a_call_is_what_players_say_in_either_language() -> None:
    wrong = [
        (told, said)
        for events, *in_words in CALLS
        for code, told in zip(("en", "fr"), in_words, strict=True)
        if (said := _said(events, code)[-1].replace("\N{NO-BREAK SPACE}", " ")) != told
    ]

    assert wrong == []


def test_counts_are_kept_apart_and_the_last_one_stays_open() -> None:
    called = by_count(
        [
            StarterCut(BEN, card("2C")),
            *_played("TD", "TC"),
            GoSaid(ADA),
            _pegged(BEN, _GO),
            SeriesEnded(),
            *_played("4D"),
        ],
        Voice(),
    )

    assert [len(count) for count in called.counts] == [4, 1]
    assert called.counts[1][0].said == "four"
    assert called.is_open


def test_a_count_that_was_turned_over_is_closed() -> None:
    assert not by_count([*_played("TD"), SeriesEnded()], Voice()).is_open


def test_muggins_on_the_last_card_of_a_count_is_told_with_that_count() -> None:
    called = by_count([*_played("TD"), SeriesEnded(), MugginsCalled(BEN, 1, 0)], Voice())

    assert [len(count) for count in called.counts] == [2]


def test_with_muggins_too_few_points_sound_just_like_enough() -> None:
    first, fifth = CardPlayed(ADA, card("TD"), called=0), CardPlayed(BEN, card("5C"), called=2)
    enough: list[PublicEvent] = [first, fifth, _pegged(BEN, _FIFTEEN)]
    too_few: list[PublicEvent] = [first, fifth, Pegged(BEN, 2, (Score(Reason.CLAIM, 2),))]

    assert _said(enough) == _said(too_few) == ["10♦ Ada ten", "5♣ Ben fifteen for two"]


def test_what_scores_is_in_bold() -> None:
    lines = calls([*_played("TD", "5C"), _pegged(BEN, _FIFTEEN)], _NAMES, Voice())

    assert lines[0].endswith("Ada ten")
    assert lines[1].endswith("**Ben fifteen for two**")


SILENT: dict[type, tuple[PublicEvent, str]] = {
    GameBegan: (GameBegan(TWO_HANDED), "the lobby has told the rules"),
    DeckSealed: (DeckSealed("00", "00"), "the lobby has shown the commitment"),
    CutForDeal: (CutForDeal(ADA, card("4C")), "the heading of the first deal tells the cuts"),
    DealerChosen: (DealerChosen(ADA), "the heading says who deals"),
    DealBegan: (DealBegan(ADA, 1), "the heading numbers the deal"),
    CardsDealt: (CardsDealt(ADA, 6), "the hands' sizes are on the table"),
    CribCardsDealt: (CribCardsDealt(1), "the crib's size is on the table"),
    CardsDiscarded: (CardsDiscarded(ADA, 2), "the table says who is still to lay away"),
    Pegged: (_pegged(ADA, _FIFTEEN), "told with what it was pegged for"),
    SeriesEnded: (SeriesEnded(), "the calls are grouped by count"),
    PlayEnded: (PlayEnded(), "the show follows"),
    HandShown: (HandShown(ADA, Source.HAND, cards("5H 5C 5S JD")), "the show tells it"),
    HandCounted: (HandCounted(ADA, Source.HAND, 8), "the show tells it"),
    CountStood: (CountStood(ADA, Source.HAND, 0), "the show explains a hand that stands"),
    CountLetStand: (CountLetStand(BEN), "the table waits for one player less"),
    DealEnded: (DealEnded(), "the next deal has its own table"),
    Resigned: (Resigned(ADA), "the result tells it"),
    GameClaimed: (GameClaimed(ADA, Side(1)), "the result tells it"),
    SubstituteMoved: (SubstituteMoved(ADA, "expert"), "the seat's name says who sits in"),
    ComputerChanged: (ComputerChanged("3"), "it is for the check of the game alone"),
    GameWon: (GameWon(Side(0), Ending.PEGGED_OUT), "the result tells it"),
}
"""The events without a call in the play, each with the message that shows it."""


def test_every_public_event_is_called_or_silent_for_a_reason() -> None:
    called = {type(event) for events, *_ in CALLS for event in events if type(event) not in SILENT}

    assert called | SILENT.keys() == set(get_args(PublicEvent))
    assert not called & SILENT.keys()


def test_silent_events_are_silent() -> None:
    assert [event for event, _ in SILENT.values() if calls([event], _NAMES, Voice())] == []


def test_a_player_hears_what_was_called_since_he_last_spoke() -> None:
    events = _played("KH", "7D", "4S", "9C")

    assert heard_by(BEN, events[:3], _NAMES, Voice()) == ("Ada twenty-one",)
    assert heard_by(ADA, events, _NAMES, Voice()) == ("Ben thirty",)
    assert heard_by(ADA, [], _NAMES, Voice()) == ()


def test_of_a_count_that_is_over_the_cards_are_told_as_a_hand_shows_them() -> None:
    events = [*_played("KH", "7D", "4S", "9C"), SeriesEnded(), *_played("2H", "3H")]
    voice = Voice(faces=Faces(EMOJIS))

    assert heard_by(ADA, events[:5], _NAMES, voice) == (f"{EMOJIS['9C']} Ben thirty",)
    assert heard_by(Seat(2), events, _NAMES, voice)[-3:] == (
        f"{EMOJIS['9C']} Ben thirty",
        "Ada two",
        "Ben five",
    )


def test_of_his_own_calls_a_player_hears_those_that_scored() -> None:
    events = [*_played("TD", "5C"), _pegged(BEN, _FIFTEEN), *_played("4S")]

    assert heard_by(BEN, events, _NAMES, Voice()) == ("**Ben fifteen for two**", "Ada nineteen")
    assert heard_by(ADA, events, _NAMES, Voice()) == ()


def test_the_calls_of_a_deal_are_made_once_for_all_who_hear_them_in_one_voice() -> None:
    english, french = Voice(), Voice(Language.of("fr"))
    events = _played("7C", "8C")
    before = by_count(events, english)
    assert by_count(tuple(events), english) is before
    assert by_count(events, french) != before
    assert by_count(events[1:], english) != before, "the same last event"
    events += _played("9C")
    assert len(by_count(events, english).counts[0]) == 3


_TURNED: list[PublicEvent] = [StarterCut(BEN, card("JH")), _pegged(ADA, (Reason.HEELS, 1, "JH"))]
_NOBS = (Score(Reason.FIFTEEN, 2, cards("TD 5C")), Score(Reason.NOBS, 1, cards("JH")))


@pytest.mark.parametrize(
    ("code", "preset", "turned", "forgotten", "in_hand"),
    [
        *(
            ("en", preset, "his heels, one", "forgot to claim his heels", "and one for his nobs is three")
            for preset in ("standard", "lurch", "piecepack", "nonsense")
        ),
        (
            "en",
            "parlour",
            "one for his nob",
            "forgot to claim his nob",
            "and one for the right jack is three",
        ),
        (
            "en",
            "family",
            "His Knobs, one",
            "forgot to claim His Knobs",
            "and one for the right jack is three",
        ),
        ("fr", "standard", "ses talons, un", "réclamer ses talons", "et un pour sa caboche font trois"),
        ("fr", "parlour", "un pour sa caboche", "réclamer sa caboche", "et un pour le bon valet font trois"),
        ("fr", "family", "Sa Grandeur, un", "réclamer Sa Grandeur", "et un pour le bon valet font trois"),
    ],
)
def test_jacks_are_called_as_the_document_of_the_rule_set_calls_them(
    code: str, preset: str, turned: str, forgotten: str, in_hand: str
) -> None:
    voice = Voice(Language.of(code)).by(preset)
    assert calls(_TURNED, _NAMES, voice)[-1] == f"**Ada {turned}**"
    assert calls([HeelsForfeited(ADA)], _NAMES, voice)[0].endswith(forgotten)
    assert spoken(_NOBS, 3, voice).endswith(in_hand)


def test_a_voice_has_one_voice_for_each_document_and_finds_back() -> None:
    voice = Voice()
    assert voice.by("lurch") is voice is voice.by("family").by("standard")
    assert voice.by("family") is voice.by("family") is voice.by("parlour").by("family")
    assert (voice.preset, voice.by("family").preset) == ("standard", "family")
