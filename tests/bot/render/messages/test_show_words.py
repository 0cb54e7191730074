"""The words of a show: few enough for a glance, with everything that was scored."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bot.language.languages import Language
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.show import show_drawing
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import (
    CountStood,
    DealBegan,
    DealEnded,
    Game,
    GameWon,
    HandCounted,
    MugginsCalled,
    PlayEnded,
    TableView,
)
from engine.secret_events import LoggedEvent, public
from programs.look.sizes import words_in
from tests.bot.render.games import ALOUD, EMOJIS, MUGGINS, PRICED, components, over, record_of

PICTURE = DrawnFile(name="show.webp", content=b"", description="the show")
MOST = {
    "two": (Agreement(), 60, 4),
    "two by the family's rules": (Agreement.of(preset="family"), 60, 3),
    "two, aloud": (ALOUD, 60, 2),
    "two, with muggins": (MUGGINS, 60, 2),
    "two, with a price": (PRICED, 60, 2),
    "three": (Agreement.of(players=3), 85, 5),
    "four": (Agreement.of(players=4), 110, 15),
    "four, each alone": (Agreement.of(players=4, partners=False), 110, 3),
    "four, with muggins": (Agreement.of(players=4, muggins=True, aloud=True), 110, 4),
    "four, with a price": (Agreement.of(players=4, muggins=True, aloud=True, wrong_claims=2), 110, 4),
}
"""Highest numbers of words in the shows of that many random games, as many as show a limit one higher."""


_ADDS_WORDS = CountStood | MugginsCalled | DealEnded | GameWon


def shows(log: tuple[LoggedEvent, ...]) -> Iterator[tuple[TableView, tuple[LoggedEvent, ...]]]:
    """Each state of each show in a game, with the events of its deal."""
    begun = 0
    is_show = False
    game = Game.replay(log[:1])
    for place, event in enumerate(log, 1):
        if place > 1:
            game.accept([event])
        if isinstance(event, DealBegan):
            begun, is_show = place - 1, False
        is_show |= isinstance(event, PlayEnded)
        if is_show and isinstance(event, _ADDS_WORDS):
            yield game.table, log[begun:place]


def drawn(
    agreement: Agreement, table: TableView, events: tuple[LoggedEvent, ...], *, pictures: bool
) -> Drawing:
    """The show for everybody."""
    voice = Voice(faces=Faces(EMOJIS)) if pictures else Voice()
    show = PICTURE if pictures else None
    return show_drawing(record_of(agreement), table, public(events), voice, open=True, show=show)


def read(drawing: Drawing) -> str:
    """All texts, without those on buttons."""
    return "\n".join(each["content"] for each in components(drawing) if each["type"] == 10)


@pytest.mark.parametrize("name", MOST)
def test_a_show_never_has_more_words_than_are_read_at_a_glance(name: str) -> None:
    agreement, most, games = MOST[name]
    read_shows = [
        read(drawn(agreement, table, events, pictures=True))
        for seed in range(games)
        for table, events in shows(over(agreement, seed).log)
    ]
    longest = max(read_shows, key=words_in)

    assert most * 3 // 4 < words_in(longest) <= most, longest


def test_cards_that_are_emojis_take_no_words_from_the_counts() -> None:
    all_shows = [
        (drawn(Agreement(), table, events, pictures=True), table, events)
        for table, events in shows(over(Agreement(), 1).log)
    ]
    drawing, table, events = min(all_shows, key=lambda each: words_in(read(each[0])))
    emojis = show_drawing(
        record_of(Agreement()), table, public(events), Voice(faces=Faces(EMOJIS)), open=True
    )

    assert _without_cards(read(emojis)) == read(drawing)


@pytest.mark.parametrize(("players", "most"), [(2, 14.67), (3, 13.07)])
def test_a_show_in_the_longer_language_fits_a_phone_with_its_picture_and_a_row_of_buttons(
    players: int, most: float
) -> None:
    agreement, voice = Agreement.of(players=players), Voice(Language.of("fr"), Faces(EMOJIS))
    heights = [
        _rows(read(show_drawing(record_of(agreement), table, public(events), voice, open=True, show=PICTURE)))
        for seed in range(8)
        for table, events in shows(over(agreement, seed).log)
    ]

    assert most - 1 < max(heights) <= most


def test_of_three_a_call_that_took_nothing_leaves_before_what_was_missed() -> None:
    agreement = Agreement.of(players=3, muggins=True, aloud=True)
    heights, idle, missed, dropped = [], 0, 0, 0
    for seed in range(3):
        for table, events in shows(over(agreement, seed).log):
            said = read(drawn(agreement, table, events, pictures=True))
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


def _rows(text: str) -> float:
    """Height in rows of text, which have 33 characters on a phone of 390 pixels; 44 in small print."""
    lines = [re.sub(r"\*\*|^-# |<:\w+:\d+>", "", line) for line in text.splitlines()]
    small = [line.startswith("-# ") for line in text.splitlines()]
    each = zip(lines, small, strict=True)
    return sum(0.83 * -(-len(line) // 44) if is_small else -(-len(line) // 33) for line, is_small in each)


def _without_cards(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "<:card" not in line)


def test_a_rich_show_says_less_of_each_hand_and_a_poor_one_all() -> None:
    all_shows = [
        read(drawn(Agreement(), table, events, pictures=True))
        for seed in range(10)
        for table, events in shows(over(Agreement(), seed).log)
    ]
    whole = [each for each in all_shows if "fifteen two, fifteen four" in each]
    quick = [each for each in all_shows if re.search(r"  fifteen (four|six|eight), and ", each)]
    terse = [each for each in all_shows if re.search(r"  fifteen \w+, (pair|double run) ", each)]

    assert len(whole) > len(quick) > len(terse) > 0
    assert not set(whole) & set(quick)
    assert not set(quick) & set(terse)
