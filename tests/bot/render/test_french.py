"""What is drawn in French has no English sentence left in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest

from bot.language.languages import Language
from bot.model.custom_ids import Topic
from bot.model.errors import StartUpError
from bot.model.rule_settings import Setting
from bot.model.table_record import Agreement, Status
from bot.render.coaching.discards import discards_drawing
from bot.render.coaching.review import review_drawing
from bot.render.drawing import Drawing
from bot.render.messages.ending_early import end_drawing, ended_drawing, kept_drawing
from bot.render.messages.hand import hand_drawing
from bot.render.messages.help import help_drawing
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.result import result_drawing
from bot.render.messages.rules_panel import rules_panel_drawing
from bot.render.messages.score import score_drawing
from bot.render.messages.show import show_drawing
from bot.render.messages.table import plays_drawing, table_drawing
from bot.render.text.refusals import refusal
from bot.render.text.rules import rules_drawing
from bot.render.text.voice import Voice
from engine import PRESETS, Game, Seat, card, cards
from engine.coach import review_of, throws_for
from tests.bot.render.games import ALOUD, MUGGINS, PLAIN, deal_in_hand, end_of, played, record_of
from tests.bot.render.pseudo import read
from tests.bot.render.text.test_refusals import ERRORS

ENGLISH_VOICE, FRENCH = Voice(), Voice(Language.of("fr"))
_NAMES = frozenset({*PLAIN, "The", "Snug", "go"})
"""Names, and what is called in both languages."""
_NO_PROSE = re.compile(
    r"`[^`\n]+`|<[^<>\n]+>|“[^”]*”|«[^»]*»|American Cribbage Congress|Trevor L. Davis|View Channel"
    r"|Send Messages"
)
"""Code, mentions, what somebody typed, and the names of books, people and permissions."""
_ENGLISH = (
    "about after an and any at be by can either every for from had has have if in is it its left more most "
    "my no nothing of one or other players runs starter their them then there these they this to two until "
    "was who will with won you your"
)
"""Words without which hardly an English sentence is made, and which are no French words."""


def _words(text: str) -> list[str]:
    found = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", _NO_PROSE.sub(" ", text))
    return [word.lower() for word in found if word not in _NAMES and len(word) > 1]


def _in_common(english: str, french: str) -> set[str]:
    """Three words in a row that stand in both, and English words in the French."""
    said, ours = _words(english), _words(french)
    threes = {" ".join(ours[place : place + 3]) for place in range(len(ours) - 2)}
    return {each for place in range(len(said)) if (each := " ".join(said[place : place + 3])) in threes} | (
        set(_ENGLISH.split()).intersection(ours)
    )


def _left(english: Iterable[Drawing], french: Iterable[Drawing]) -> list[str]:
    return [
        f"{ours}: {found}"
        for one, other in zip(english, french, strict=True)
        for said, ours in zip(read(one), read(other), strict=True)
        if (found := _in_common(said, ours))
    ]


def _at_the_table(agreement: Agreement, game: Game, voice: Voice) -> Iterator[Drawing]:
    record = record_of(agreement)
    events, table = deal_in_hand(game), game.table
    if table.result is not None:
        yield result_drawing(record_of(agreement, status=Status.OVER), table, end_of(game), voice)
    yield table_drawing(record, table, events, voice)
    yield show_drawing(record, table, events, voice, open=True)
    yield plays_drawing(record, events, voice)
    yield end_drawing(record, table, frozenset({Seat(0)}), voice)
    yield kept_drawing(record, table, Seat(0), voice)
    for seat in range(game.rules.seats):
        yield hand_drawing(record, game.view(Seat(seat)), voice, table_url=None, dm=True, events=events)


@pytest.mark.parametrize(
    "agreement",
    [
        Agreement(),
        ALOUD,
        MUGGINS,
        Agreement.of(players=4, preset="family"),
        Agreement.of(players=3, preset="lurch"),
    ],
    ids=["standard", "aloud", "muggins", "family", "lurch"],
)
def test_a_game_is_drawn_in_french(agreement: Agreement) -> None:
    for game in played(agreement, 15):
        english, french = (_at_the_table(agreement, game, voice) for voice in (ENGLISH_VOICE, FRENCH))
        assert _left(english, french) == []


def _around_it(voice: Voice) -> Iterator[Drawing]:
    for preset in PRESETS:
        for players in (2, 3, 4):
            agreement = Agreement.of(players=players, preset=preset)
            yield rules_drawing(agreement, voice)
            for names in (PLAIN, PLAIN[:1]):
                for status in Status:
                    record = record_of(agreement, names, status=status)
                    yield lobby_drawing(record, voice)
                    yield own_seat_drawing(record, 1, voice)
                    yield own_seat_drawing(record, 9, voice)
            yield from (rules_panel_drawing(record_of(agreement), voice, setting) for setting in Setting)
    yield rules_drawing(None, voice)
    yield ended_drawing(voice)
    yield from (help_drawing(voice, topic) for topic in Topic)
    for crib in (False, True):
        yield score_drawing(cards("5H 5C 5S JD"), card("5D"), Agreement(), voice, crib=crib)


def test_lobby_rules_help_and_score_are_drawn_in_french() -> None:
    assert _left(_around_it(ENGLISH_VOICE), _around_it(FRENCH)) == []


def _by_the_coach(voice: Voice) -> Iterator[Drawing]:
    agreement = Agreement.of(preset="short")
    *_, game = played(agreement, 15)
    assert game.table.result is not None
    review, record = review_of(game.log, Seat(0)), record_of(agreement, status=Status.OVER)
    yield from (review_drawing(record, game.table.result, review, voice, page) for page in range(4))
    dealt = cards("4C 5D 6H JS 2D TC")
    throws = throws_for(dealt, agreement.rules, dealer=False)
    yield discards_drawing(dealt, throws, agreement.rules, "short", voice, dealer=False)


def test_the_coach_speaks_french() -> None:
    assert _left(_by_the_coach(ENGLISH_VOICE), _by_the_coach(FRENCH)) == []


def test_refusals_are_said_in_french() -> None:
    left = []
    for error in (error for error, _ in ERRORS if not isinstance(error, StartUpError)):
        for record in (record_of(Agreement()), None):
            english = refusal(error, record, ENGLISH_VOICE)  # type: ignore[arg-type]
            french = refusal(error, record, FRENCH)  # type: ignore[arg-type]
            left += [f"{french}: {found}" for found in [_in_common(english, french)] if found]

    assert left == []
