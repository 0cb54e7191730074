"""A deal's public messages and the table in the bot's own DM: rules over many games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

import pytest

from bot.language.languages import Language
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import GOLD
from bot.render.messages.result import result_drawing
from bot.render.messages.show import show_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.celebrations import (
    COMEBACK,
    GREAT_HAND,
    PERFECT_HAND,
    SKUNKS,
    TWENTY_EIGHT,
)
from bot.render.text.explaining import heard_so_far
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import (
    CardPlayed,
    Chance,
    CountStood,
    CutForFirstDeal,
    CutStarter,
    Deal,
    DealBegan,
    DealEnded,
    Game,
    GameWon,
    HandCounted,
    HandShown,
    MugginsCalled,
    PlayEnded,
    PublicEvent,
    Seat,
    SeriesEnded,
    Source,
    Stage,
    StarterCut,
    TableView,
    card,
    cards,
)
from engine.computer import Level, choose
from engine.secret_events import LoggedEvent, public
from programs.look.sizes import words_in
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    ALOUD,
    EMOJIS,
    HOSTILE,
    MUGGINS,
    PLAIN,
    PRICED,
    components,
    deal_in_hand,
    drawn_hand,
    drawn_table,
    end_of,
    over,
    own_table,
    played,
    record_of,
    words,
)
from tests.bot.render.pseudo import beyond_limits

PICTURES = Voice(faces=Faces(EMOJIS))
SHOW = DrawnFile(name="show.webp", content=b"", description="the show")
FOUR_WITH_MUGGINS = Agreement.of(players=4, muggins=True, aloud=True)


def read(drawing: Drawing) -> str:
    """All texts, without those on buttons."""
    return "\n".join(each["content"] for each in components(drawing) if each["type"] == 10)


# The table


@pytest.mark.parametrize(
    ("agreement", "most", "games"),
    # These players call wrongly at almost every card of a count, which takes more words than any real game.
    [(Agreement(), 45, 3), (MUGGINS, 70, 2), (Agreement.of(players=4), 60, 3)],
    ids=["two", "muggins", "four"],
)
def test_a_table_never_has_more_words_than_are_read_at_a_glance(
    agreement: Agreement, most: int, games: int
) -> None:
    board = DrawnFile(name="board.webp", content=b"", description="the board")
    tables = [
        re.sub(
            r"<:\w+:\d+>",
            "",
            read(table_drawing(record_of(agreement), game.table, deal_in_hand(game), PICTURES, board=board)),
        )
        for seed in range(games)
        for game in played(agreement, seed)
    ]
    longest = max(tables, key=words_in)

    assert words_in(longest) <= most, longest


_YOU = re.compile(r"\b(you|your|yours|yourself)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "agreement",
    [
        pytest.param(Agreement(), id="two"),
        pytest.param(MUGGINS, id="muggins"),
        pytest.param(Agreement.of(players=3), id="three", marks=pytest.mark.deep),
        pytest.param(FOUR_WITH_MUGGINS, id="partners", marks=pytest.mark.deep),
    ],
)
def test_nothing_that_everybody_reads_at_a_table_says_you(agreement: Agreement) -> None:
    voice = full_voice()
    for game in played(agreement, 5):
        said = [
            words(drawn_table(game, agreement, hand_behind_button=["Ben"], to_press_my_hand=["Ada"])),
            words(show_drawing(record_of(agreement), game.table, deal_in_hand(game), voice, open=True)),
        ]
        if game.is_over:
            said.append(words(result_drawing(record_of(agreement), game.table, end_of(game), voice)))
        assert [each for each in said if _YOU.search(each)] == []


# The show


MOST = {
    "two": (Agreement(), 60, 4),
    "two by the family's rules": (Agreement.of(preset="family"), 60, 3),
    "two, aloud": (ALOUD, 60, 2),
    "two, with muggins": (MUGGINS, 60, 2),
    "two, with a price": (PRICED, 60, 2),
    "three": (Agreement.of(players=3), 85, 5),
    "four": (Agreement.of(players=4), 110, 15),
    "four, each alone": (Agreement.of(players=4, partners=False), 110, 3),
    "four, with muggins": (FOUR_WITH_MUGGINS, 110, 4),
    "four, with a price": (Agreement.of(players=4, muggins=True, aloud=True, wrong_claims=2), 110, 4),
}
"""Highest numbers of words in the shows of that many random games, as many as show a limit one higher."""

_ADDS_WORDS = CountStood | MugginsCalled | DealEnded | GameWon

Shown = tuple[TableView, tuple[LoggedEvent, ...]]


@lru_cache(maxsize=16)
def shows(agreement: Agreement, games: int) -> tuple[Shown, ...]:
    """Each state of each show in that many random games, with the events of its deal."""
    return tuple(each for seed in range(games) for each in _shows(over(agreement, seed).log))


def _shows(log: tuple[LoggedEvent, ...]) -> Iterator[Shown]:
    begun, is_show, game = 0, False, Game.replay(log[:1])
    for place, event in enumerate(log, 1):
        if place > 1:
            game.accept([event])
        if isinstance(event, DealBegan):
            begun, is_show = place - 1, False
        is_show |= isinstance(event, PlayEnded)
        if is_show and isinstance(event, _ADDS_WORDS):
            yield game.table, log[begun:place]


def drawn_show(
    agreement: Agreement, shown: Shown, voice: Voice = PICTURES, show: DrawnFile | None = SHOW
) -> str:
    """The words of a show for everybody."""
    table, events = shown
    return read(show_drawing(record_of(agreement), table, public(events), voice, open=True, show=show))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "two" else pytest.mark.deep) for name in MOST]
)
def test_a_show_never_has_more_words_than_are_read_at_a_glance(name: str) -> None:
    agreement, most, games = MOST[name]
    longest = max((drawn_show(agreement, each) for each in shows(agreement, games)), key=words_in)

    assert most * 3 // 4 < words_in(longest) <= most, longest


@pytest.mark.deep
def test_a_rich_show_says_less_of_each_hand_and_a_poor_one_all() -> None:
    all_shows = [drawn_show(Agreement(), each) for each in shows(Agreement(), 10)]
    whole = [each for each in all_shows if "fifteen two, fifteen four" in each]
    quick = [each for each in all_shows if re.search(r"  fifteen (four|six|eight), and ", each)]
    terse = [each for each in all_shows if re.search(r"  fifteen \w+, (pair|double run) ", each)]

    assert len(whole) > len(quick) > len(terse) > 0
    assert not set(whole) & set(quick)
    assert not set(quick) & set(terse)


def test_cards_that_are_emojis_take_no_words_from_the_counts() -> None:
    poorest = min(shows(Agreement(), 1), key=lambda each: words_in(drawn_show(Agreement(), each)))
    with_cards = drawn_show(Agreement(), poorest, show=None).splitlines()

    assert "\n".join(line for line in with_cards if "<:card" not in line) == drawn_show(Agreement(), poorest)


@pytest.mark.deep
@pytest.mark.parametrize(("players", "most"), [(2, 14.67), (3, 13.07)])
def test_a_show_in_the_longer_language_fits_a_phone_with_its_picture_and_a_row_of_buttons(
    players: int, most: float
) -> None:
    agreement, voice = Agreement.of(players=players), Voice(Language.of("fr"), Faces(EMOJIS))
    highest = max(_rows(drawn_show(agreement, each, voice)) for each in shows(agreement, 8))

    assert most - 1 < highest <= most


def _rows(text: str) -> float:
    """Height in rows of text, which have 33 characters on a phone of 390 pixels; 44 in small print."""
    lines = [re.sub(r"\*\*|^-# |<:\w+:\d+>", "", line) for line in text.splitlines()]
    small = [line.startswith("-# ") for line in text.splitlines()]
    each = zip(lines, small, strict=True)
    return sum(0.83 * -(-len(line) // 44) if is_small else -(-len(line) // 33) for line, is_small in each)


@pytest.mark.deep
def test_of_three_a_call_that_took_nothing_leaves_before_what_was_missed() -> None:
    agreement = Agreement.of(players=3, muggins=True, aloud=True)
    heights, idle, missed, dropped = [], 0, 0, 0
    for shown in shows(agreement, 3):
        said, events = drawn_show(agreement, shown), shown[1]
        taken = [each for each in _answers(events) if each.taken]
        told = [line for line in said.splitlines() if " muggins for " in line]
        assert len([line for line in told if "nothing missed" not in line]) == len(taken)
        missed += len(taken)
        since_count = _answers(events, HandCounted)
        dropped += said.count("nothing missed") < len([each for each in since_count if not each.taken])
        idle += "nothing missed" in said
        heights.append(_rows(said))

    assert missed
    assert dropped, "where there is none it leaves, also in the midst of the show"
    assert idle, "where there is room it is told"
    assert max(heights) <= 17


def _answers(
    events: tuple[LoggedEvent, ...], since: type[PlayEnded | HandCounted] = PlayEnded
) -> list[MugginsCalled]:
    """Calls of muggins since the end of the play, or the first count of the show."""
    begun = [place for place, event in enumerate(events) if isinstance(event, since)]
    return [event for event in events[begun[0] :] if isinstance(event, MugginsCalled)] if begun else []


# Celebrations


BACKGROUNDS = {"light": 0xFFFFFF, "ash": 0x323339, "dark": 0x1A1A1E}
"""Discord's backgrounds of a message."""


def _luminance(colour: int) -> float:
    """Relative luminance as WCAG defines it."""
    shares = ((colour >> shift & 255) / 255 for shift in (16, 8, 0))
    red, green, blue = (
        share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("background", BACKGROUNDS)
def test_each_colour_is_seen_on_every_background(background: str) -> None:
    behind = _luminance(BACKGROUNDS[background])
    celebrations = (GREAT_HAND, TWENTY_EIGHT, PERFECT_HAND, *SKUNKS.values(), COMEBACK)
    for colour in (GOLD, *(each.colour for each in celebrations)):
        lower, higher = sorted((behind, _luminance(colour.value)))

        assert (higher + 0.05) / (lower + 0.05) >= 3, str(colour)


# Deals with so many calls that they exceed Discord's limit of text and are shortened

_LOUD = Agreement.of(players=4, partners=False, muggins=True, aloud=True)
_LOUD_TABLE = Game.new(_LOUD.rules, chance=Chance(Random(1)), dealer=Seat(3)).table
_LOUD_VOICE = full_voice(faces=Faces(EMOJIS))


def _count(*texts: str, called: int) -> list[PublicEvent]:
    """A count in which three wrong calls of muggins follow each card."""
    said: list[PublicEvent] = []
    for place, text in enumerate(texts):
        said.append(CardPlayed(Seat(place % 4), card(text), called=3))
        said += [MugginsCalled(Seat((place + step) % 4), called, 0) for step in (1, 2, 3)]
    return said


def _in_limit(drawing: Drawing) -> str:
    """The drawing's words, which Discord takes."""
    assert beyond_limits(drawing) == []
    return words(drawing)


def test_the_newest_calls_stay_when_there_is_no_room_for_all() -> None:
    first = _count("AC", "AD", "AH", "AS", "2C", "2D", "2H", "2S", called=11)
    second = _count("3C", "3D", "3H", "3S", "4C", "4D", called=12)
    last = _count("5C", "5D", "5H", "5S", called=13)
    events = [DealBegan(Seat(3), 1), *first, SeriesEnded(), *second, SeriesEnded(), *last]
    said = _in_limit(table_drawing(record_of(_LOUD, HOSTILE), _LOUD_TABLE, events, _LOUD_VOICE))

    assert "muggins for thirteen" in said
    assert "muggins for eleven" not in said


def test_one_endless_count_loses_its_beginning() -> None:
    events = _count(*["AC", "AD", "AH", "AS"] * 5, "2C", called=9)
    said = _in_limit(table_drawing(record_of(_LOUD, HOSTILE), _LOUD_TABLE, events, _LOUD_VOICE))

    assert "twenty-two for three" in said
    assert " one for three" not in said


def _loud_show(calls: int, names: tuple[str, ...] = HOSTILE) -> str:
    """A show of five hands of twenty-nine, each answered by that many calls."""
    events: list[PublicEvent] = [StarterCut(Seat(0), card("5D"), 17), PlayEnded()]
    for place in range(5):
        source, seat = Source.CRIB if place == 4 else Source.HAND, Seat(place % 4)
        events += [HandShown(seat, source, cards("5C 5H 5S JD")), HandCounted(seat, source, 29, 29)]
        events += [MugginsCalled(Seat(each % 4), 7, 0) for each in range(calls)]
        events.append(CountStood(seat, source, 0))
    return _in_limit(show_drawing(record_of(_LOUD, names), _LOUD_TABLE, events, _LOUD_VOICE, open=False))


def test_at_a_great_show_ranks_and_counts_give_way_from_the_first_hand_on() -> None:
    text = _loud_show(1, PLAIN)

    assert "-# 5+" not in text
    assert 0 < text.count("his nobs twenty-nine") < 5
    first, *_, crib = re.split(r"(?= 29\*\*)", text)[1:]
    assert "his nobs" not in first
    assert "his nobs" in crib


def test_where_muggins_is_called_on_and_on_the_count_gives_way_too() -> None:
    text = _loud_show(calls=4)

    assert "his nobs" not in text
    assert text.count(" 29**\n## <:card") == 5
    assert text.count("muggins for seven") == 20


def test_at_the_greatest_show_the_first_hands_keep_their_cards_and_points() -> None:
    text = _loud_show(calls=14)

    assert text.count(" 29**\n## <:card") == 5
    assert 0 < text.count("muggins for seven") < 70


# The table in the bot's own DM


def _played_by_computers(agreement: Agreement, level: Level, deals: int) -> Iterator[Game]:
    """A game at each moment of the play in so many deals."""
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal, CutStarter})
    while game.table.deal_number <= deals:
        game.apply(choose(game.view(game.table.waiting_for[0]), level, seed=game.version))
        if game.table.stage is Stage.PLAYING:
            yield game


@pytest.mark.deep
def test_there_a_claim_is_told_once_by_its_call() -> None:
    claimed = 0
    for game in _played_by_computers(MUGGINS, Level.STEADY, deals=4):
        facts = {"heard": heard_so_far(public(game.log), ADA), "events": deal_in_hand(game)}
        claimed += "Ben claimed" in words(drawn_hand(game, ADA, MUGGINS, **facts))
        assert "claimed" not in words(own_table(game, MUGGINS, explains=True))
    assert claimed


@pytest.mark.parametrize(("players", "most"), [(2, 4), (3, 3), (5, 2)])
def test_there_the_latest_calls_of_a_count_stand_and_of_many_players_one_reason(
    players: int, most: int
) -> None:
    agreement, seen = Agreement.of(players=players), set()
    for game in _played_by_computers(agreement, Level.LEARNER, deals=2):
        if not game.table.series:
            continue
        said = words(own_table(game, agreement, explains=True)).splitlines()
        [count] = [place for place, line in enumerate(said) if line.startswith("# ")]
        seen.add(len(said[count + 1].split(" · ")))
        reasons = [line for line in said if re.match(r"-# .*: \d+ for ", line)]
        assert len(reasons) <= (2 if players == 2 else 1)
    assert max(seen) == most
