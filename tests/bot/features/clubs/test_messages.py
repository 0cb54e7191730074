"""Messages of a club event: sign-up, rounds, standings with their picture, the podium."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import product

import pytest
from PIL import Image

from bot.features.clubs.event import MOST_ENTRANTS, Ended, Entrant, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.messages import (
    club_drawing,
    outcome_line,
    pairing_drawing,
    podium_drawing,
    reminder,
    standings_alt,
    standings_drawing,
    standings_facts,
    thread_name,
)
from bot.features.clubs.standings_picture import draw_club_table
from bot.language.languages import LANGUAGES, Language
from bot.model.table_record import Agreement
from bot.render.drawing import MOST_ALT, Drawing, DrawnFile, size_of
from bot.render.layouts import MOST_TEXT
from bot.render.text.voice import Voice
from engine.computer import Level
from tests.bot.features.clubs.test_store import night
from tests.bot.render.games import components, words

PEOPLE = (
    Entrant(number=1, user=11, name="A*da", presence=Presence.HERE),
    Entrant(number=2, user=12, name="Ben", presence=Presence.HERE),
    Entrant(number=3, user=None, name="🤖 Steady", level=Level.STEADY, presence=Presence.HERE),
    Entrant(number=4, user=-9, name="", presence=Presence.LEFT),
)
WON = Outcome(ended=Ended.SKUNK, winner=1, scores=(61, 20))
FIRST = Pairing(round=1, table=1, home=1, away=2, thread=77, game="abcde", outcome=WON)
SECOND = Pairing(round=1, table=2, home=3, away=4, thread=78, outcome=Outcome(ended=Ended.FORFEIT, winner=3))


def event(phase: Phase = Phase.PLAYING, *pairings: Pairing) -> Event:
    return replace(
        night(), id=5, phase=phase, round=1, due=900, entrants=PEOPLE, pairings=pairings or (FIRST, SECOND)
    )


def labels(drawing: Drawing) -> list[str]:
    return [each["label"] for each in components(drawing) if "label" in each]


def picture_of(shown: Event, voice: Voice | None = None) -> DrawnFile:
    return DrawnFile(name="standings-1.png", content=b"", description=standings_alt(shown, voice or Voice()))


def test_people_sign_up_on_it() -> None:
    drawing = club_drawing(event(Phase.GATHERING), Voice())
    assert labels(drawing) == ["Sign up", "I'm here", "Leave", "Start"]
    assert "**3 players**: A\\*da ✅" in words(drawing)
    assert "A win is worth 2, a skunk 3" in words(drawing)
    assert "3 games each · a day a move, 1 day a round · Short rules" in words(drawing)
    assert "🤖 Computers (steady players) fill up to 4 places." in words(drawing)


def test_it_follows_the_round() -> None:
    shown = words(club_drawing(event(), Voice()))
    assert "Round 1 of 3, until <t:900:f>" in shown
    assert "1\\. A\\*da – Ben: **A\\*da** wins, 61–20 (skunk)" in shown
    assert "wins by forfeit" in shown
    evening = replace(event(), hours=2)
    assert "Round 1 of 3, until <t:900:t>" in words(club_drawing(evening, Voice()))
    resigned = replace(FIRST, outcome=replace(WON, ended=Ended.WIN, scores=(0, 0)))
    assert "**A\\*da** wins by resignation" in words(pairing_drawing(event(), resigned, Voice()))
    assert "**Standings**" in shown
    assert "…" not in shown.splitlines(), "four fit"
    waiting = replace(FIRST, outcome=None)
    assert "**Standings**" not in words(club_drawing(event(Phase.PLAYING, waiting), Voice())), "all have 0"
    refused = replace(waiting, game=None)
    assert "<#77>" not in words(club_drawing(event(Phase.PLAYING, refused), Voice())), "it is not there yet"
    assert "1\\. A\\*da – Ben <#77>" in words(club_drawing(event(Phase.PLAYING, waiting), Voice()))


def test_a_pairing_calls_people_and_names_its_thread() -> None:
    shown = words(pairing_drawing(event(), replace(FIRST, outcome=None), Voice()))
    assert "<@11> – <@12>" in shown
    assert "The game is in the thread below. It has to be over <t:900:R>." in shown
    over = words(pairing_drawing(event(), FIRST, Voice()))
    assert "wins, 61–20 (skunk)" in over
    assert "thread below" not in over
    assert "**Tuesday** · round 1 of 3, table 1" in shown
    assert thread_name(event(), FIRST, Voice()) == "Round 1: A*da – Ben"
    assert "<@-9>" not in words(pairing_drawing(event(), SECOND, Voice()))
    assert "<@11> and <@12>" in reminder(event(), FIRST, Voice())
    assert "wins this game" in outcome_line(event(), SECOND, Voice())
    said = outcome_line(event(), FIRST, Voice())
    assert said == "📋 It counts for **Tuesday**, round 1: **A\\*da** wins, 61–20 (skunk)."


def test_standings_have_a_picture_and_say_what_was_corrected() -> None:
    corrected = replace(SECOND, outcome=Outcome(ended=Ended.NOTHING, winner=None, corrected=True))
    shown = event(Phase.PLAYING, FIRST, corrected)
    drawing = standings_drawing(shown, Voice(), picture_of(shown))
    assert "1\\. A\\*da · 3 points · 1/1 won · +41" in words(drawing)
    assert "corrected round 1, table 2: no result" in words(drawing)
    [file] = drawing.files
    assert file.description.startswith("1. A*da · 3 points")
    assert standings_facts(shown, Voice())[0] == (1, 3, "A*da")
    assert not standings_drawing(event(), Voice()).files
    fresh = replace(event(Phase.GATHERING), pairings=(), round=0)
    assert "It hasn't started yet." in words(standings_drawing(fresh, Voice()))
    assert not standings_facts(fresh, Voice()), "there is nothing to see"


def test_the_podium_has_medals() -> None:
    shown = words(podium_drawing(event(), Voice()))
    assert "🏆 A\\*da won!" in shown
    assert "🥇 A\\*da · 3 points" in shown
    assert "🥈" in shown
    assert "🥉" not in shown, "there are no medals for no points"
    nobody = podium_drawing(replace(event(), pairings=()), Voice())
    assert "Nobody won a game." in words(nobody)


def test_teams_are_told_by_both_names() -> None:
    people = tuple(
        replace(each, captain=captain) for each, captain in zip(PEOPLE, (None, 1, None, 3), strict=True)
    )
    pairing = replace(FIRST, away=3, outcome=None)
    agreement = Agreement.of(players=4, preset="short")
    evening = replace(event(), agreement=agreement, entrants=people, pairings=(pairing,))
    assert thread_name(evening, pairing, Voice()) == "Round 1: A*da & Ben – 🤖\xa0Steady & Player 4"
    assert "<@11> & <@12> – 🤖\xa0Steady & Player 4" in words(pairing_drawing(evening, pairing, Voice()))
    signing = words(club_drawing(replace(evening, phase=Phase.GATHERING), Voice()))
    assert "**3 players**: A\\*da ✅ & Ben ✅ and 🤖\xa0Steady ✅ & Player 4" in signing
    assert "· teams of two ·" in signing
    assert "`/crib-club partner`" in signing
    won = replace(pairing, outcome=WON)
    podium = podium_drawing(replace(evening, pairings=(won,)), Voice())
    assert "🏆 A\\*da & Ben won!" in words(podium)
    assert "**A\\*da & Ben** win, 61–20 (skunk)" in words(pairing_drawing(evening, won, Voice()))
    lost = replace(pairing, outcome=Outcome(ended=Ended.FORFEIT, winner=3))
    assert "Player 4 win this game, because" in outcome_line(evening, lost, Voice())


def test_it_says_what_discord_refuses() -> None:
    assert "*Create Public Threads*" in words(club_drawing(event(), Voice(), is_refused=True))
    assert "*Create Public Threads*" not in words(club_drawing(event(), Voice()))


def largest(phase: Phase, *, teams: bool) -> Event:
    """An event with as many people as there may be, all of whose games are corrected."""
    people = tuple(
        Entrant(
            number=number,
            user=10**18 + number,
            name="W" * 40,
            presence=Presence.HERE,
            captain=number - 1 if teams and number % 2 == 0 else None,
        )
        for number in range(1, MOST_ENTRANTS + 1)
    )
    sides = [each.number for each in people if each.captain is None]
    pairings = tuple(
        Pairing(
            round=1,
            table=table,
            home=home,
            away=away,
            thread=10**18,
            outcome=replace(WON, winner=home, corrected=True),
        )
        for table, (home, away) in enumerate(zip(sides[::2], sides[1::2], strict=True), 1)
    )
    agreement = Agreement.of(players=4, preset="short") if teams else event().agreement
    return replace(event(phase), agreement=agreement, entrants=people, pairings=pairings)


@pytest.mark.parametrize("teams", [False, True], ids=["singles", "teams"])
def test_the_largest_event_fits_into_a_message(*, teams: bool) -> None:
    for code, phase in product(LANGUAGES, Phase):
        voice, large = Voice(Language.of(code)), largest(phase, teams=teams)
        for drawing in (
            club_drawing(large, voice, is_refused=True),
            standings_drawing(large, voice, picture_of(large, voice)),
            podium_drawing(large, voice, picture_of(large, voice)),
        ):
            assert size_of(words(drawing)) <= MOST_TEXT, (code, phase)
            assert all(size_of(alt) <= MOST_ALT for alt in drawing.alt), (code, phase)
        assert ("…" in words(club_drawing(large, voice)).splitlines()) is (phase is Phase.PLAYING), phase
        assert len(thread_name(large, large.pairings[0], voice)) <= 100


def test_many_points_and_rows_are_drawn() -> None:
    assert Image.open(BytesIO(draw_club_table([(1, 66, "Ada")] * 32))).size == (1000, 2 * 20 + 12 * 96)
    with pytest.raises(ValueError, match="no rows"):
        draw_club_table([])
