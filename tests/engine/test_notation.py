"""Moves and whole games as text, there and back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    PACK,
    BySubstitute,
    CallMuggins,
    Card,
    ChangeComputer,
    ClaimGame,
    ClaimHeels,
    ComeBack,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    LogError,
    Move,
    NotationError,
    PlayCard,
    PreArranged,
    Resign,
    SayGo,
    Seat,
    StandIn,
    card,
    cards,
    spell,
)
from engine.codec import decode
from engine.notation import HEADER, read_event, read_game, read_move, write_event, write_game, write_move
from tests.engine.games import Walk, any_walk, walk

LOGS = Path(__file__).parent.parent / "data" / "logs"

WRITTEN: dict[str, Move] = {
    "0 deals": Deal(Seat(0)),
    "2 discards 5H JD": Discard(Seat(2), cards("JD 5H")),
    "1 cuts": CutStarter(Seat(1)),
    "1 cuts 17": CutStarter(Seat(1), 17),
    "0 cuts for the deal": CutForFirstDeal(Seat(0)),
    "0 cuts 30 for the deal": CutForFirstDeal(Seat(0), 30),
    "3 claims heels": ClaimHeels(Seat(3)),
    "1 plays TC": PlayCard(Seat(1), card("TC")),
    "1 plays TC calling 2": PlayCard(Seat(1), card("TC"), 2),
    "1 plays TC calling 0": PlayCard(Seat(1), card("TC"), 0),
    "0 says go": SayGo(Seat(0)),
    "0 counts 12": CountAloud(Seat(0), 12),
    "1 calls muggins for 4": CallMuggins(Seat(1), 4),
    "1 lets it stand": LetStand(Seat(1)),
    "0 claims the game": ClaimGame(Seat(0)),
    "0 resigns": Resign(Seat(0)),
    "1 plays 5H, stood in for": StandIn(PlayCard(Seat(1), card("5H"))),
    "1 plays 5H, by its substitute expert": BySubstitute(PlayCard(Seat(1), card("5H")), "expert"),
    "1 cuts, as arranged": PreArranged(CutStarter(Seat(1))),
    "1 is back": ComeBack(Seat(1)),
    "the computer is now of version 3": ChangeComputer("3"),
}

NONSENSE = (
    *("", " ", "0", "0 ", "deals", "0  deals", "-1 deals", "a deals", "0 dealt", "² deals", "0 plays"),
    *("0 plays 1H", "0 plays 5H JD", "0 plays 5H calling", "0 plays 5H calling two", "0 discards"),
    *("0 counts", "0 cuts 1000", "0 cuts -4", "0 cuts for", "0 says go, stood in for, stood in for"),
    *("0 cuts, as arranged, stood in for", "0 cuts, as arranged, by its substitute expert"),
    *("0 cuts, by its substitute ", "0 counts -1", "0 calls muggins for"),
    "9" * 5000 + " deals",
    "0 counts " + "9" * 5000,
)


@pytest.mark.parametrize("text", WRITTEN)
def test_a_move_is_written_as_a_player_would_say_it_and_read_back(text: str) -> None:
    assert text == write_move(WRITTEN[text])
    assert WRITTEN[text] == read_move(text)


def test_every_kind_of_move_has_its_words() -> None:
    assert {type(move) for move in WRITTEN.values()} == {*Move.__args__}


@given(any_walk)
@settings(max_examples=10)
def test_every_move_of_a_game_and_the_whole_game_go_there_and_back(game: Walk) -> None:
    for step in game.steps:
        assert step.move == read_move(write_move(step.move))
    assert game.log == read_game(write_game(game.log))


@pytest.mark.parametrize("text", NONSENSE)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_move(text)

    assert refusal.value.expected
    assert str(refusal.value) == f"expected {refusal.value.expected}"


WORDS = "0 1 9 deals plays lays away counts calls muggins for calling 5H JD 2 = , [ {"
texts = st.text() | st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)


@given(texts)
@settings(max_examples=100)
def test_any_text_is_a_move_or_refused(text: str) -> None:
    try:
        move = read_move(text)
    except NotationError:
        return

    assert move == read_move(write_move(move))


LINES = (
    *("GoSaid", "GoSaid seat", "GoSaid seat=", "GoSaid seat=x", "Nothing seat=1", "GoSaid seat=1 seat"),
    *("seat=1", "CardPlayed seat=1 card=5X"),
    "GoSaid seat=" + "9" * 5000,
    "GameBegan rules=" + "[" * 100000,
)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:20])
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        read_event(line)


@given(
    st.text() | st.sampled_from([write_event(event) for event in walk("standard-3-muggins", 0).log[:60]]),
    st.data(),
)
@settings(max_examples=100)
def test_any_line_is_an_event_or_refused(line: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(line)))
    changed = line[:place] + data.draw(st.text(max_size=2)) + line[place + data.draw(st.integers(0, 2)) :]
    try:
        event = read_event(changed)
    except (NotationError, LogError):
        return

    assert event == read_event(write_event(event))


@pytest.mark.parametrize("text", ["", "\n", "fifteen-two game 4\n", "GoSaid seat=1\n"])
def test_a_game_begins_with_its_header(text: str) -> None:
    with pytest.raises(NotationError):
        read_game(text)


def test_blank_lines_in_a_game_do_not_matter() -> None:
    log = walk("standard-2-machine", 0).log

    assert write_game(log).startswith(f"{HEADER}\nGameBegan ")
    assert log == read_game(write_game(log).replace("\n", "\n\n"))


@given(st.lists(st.sampled_from(PACK)).map(tuple))
def test_cards_go_there_and_back(those: tuple[Card, ...]) -> None:
    assert those == cards(spell(those))


@pytest.mark.parametrize("text", ["", "5", "H", "5h", "10H", "H5", "5H ", "1H", "XX"])
def test_what_is_no_card_is_refused_and_does_not_print(text: str) -> None:
    with pytest.raises(NotationError) as refusal:
        card(text)

    assert text == refusal.value.text
    assert "text=" not in repr(refusal.value)


def test_a_game_written_before_the_place_of_a_cut_was_is_read_still() -> None:
    events = json.loads((LOGS / "codec-2.json").read_text())["events"]
    log = tuple(decode(each["kind"], each["body"], 2) for each in events)
    lines = [re.sub(" place=null by_chance=false", "", write_event(event)) for event in log]

    assert read_game("\n".join(("fifteen-two game 2", *lines))) == log
    assert not any("place" in line for line in lines)


def test_what_was_written_before_discarding_had_its_name_is_read_still() -> None:
    events = json.loads((LOGS / "codec-1.json").read_text())["events"]
    lines = (write_event(decode(each["kind"], each["body"], 1)) for each in events)
    former = "\n".join(("fifteen-two game 1", *lines)).replace("Discarded ", "LaidAway ")
    former = former.replace('"discarded":', '"laid_away":')

    assert "LaidAway" in former
    assert read_game(former) == tuple(decode(each["kind"], each["body"], 1) for each in events)
    assert read_move("2 lays away 5H JD") == Discard(Seat(2), cards("5H JD"))
