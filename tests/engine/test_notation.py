"""Moves, whole games and positions as text, there and back."""

from __future__ import annotations

from dataclasses import fields
from typing import get_type_hints

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
    Game,
    LetStand,
    LogError,
    Move,
    NotationError,
    PlayCard,
    PositionError,
    PreArranged,
    Resign,
    Rules,
    SayGo,
    Seat,
    StandIn,
    card,
    cards,
    read_position,
    spell,
    write_position,
)
from engine.notation import HEADER, read_event, read_game, read_move, write_event, write_game, write_move
from engine.possible import Facts
from engine.views import PlayerView, player_view
from tests.any_character import ANY_CHARACTER
from tests.engine.games import Walk, any_walk, seats_of, walk
from tests.engine.rule_options import changed
from tests.engine.tables import PlainChance

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


WORDS = "0 1 9 deals plays discards counts calls muggins for calling 5H JD 2 = , [ {"
texts = st.text(ANY_CHARACTER) | st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)


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
    st.text(ANY_CHARACTER)
    | st.sampled_from([write_event(event) for event in walk("standard-3-muggins", 0).log[:60]]),
    st.data(),
)
@settings(max_examples=100)
def test_any_line_is_an_event_or_refused(line: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(line)))
    changed = (
        line[:place]
        + data.draw(st.text(ANY_CHARACTER, max_size=2))
        + line[place + data.draw(st.integers(0, 2)) :]
    )
    try:
        event = read_event(changed)
    except (NotationError, LogError):
        return

    assert event == read_event(write_event(event))


@pytest.mark.parametrize(
    "text", ["", "\n", "fifteen-two game 4\n", "fifteen-two game 2\n", "GoSaid seat=1\n"]
)
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


CUTTING_FOR_DEAL = "position/1 standard/2 cutting_for_deal seat=0 dealer=0 deal=0 cuts=0:5H@10,1:5D@20,1:KD@9"
DEALING = "position/1 standard/2 dealing seat=0 dealer=1 scores=12-8 back=9-0 cuts=0:9S@17,1:JD@6"
DISCARDING = "position/1 standard/4 discarding seat=0 dealer=2 hand=AC,AD,4D,8S discarded=TD given=0,1,2"
CUTTING = "position/1 standard/2 cutting seat=1 dealer=0 hand=2C,5C,5D,9S discarded=JH,KD"
PLAYING = (
    "position/1 standard/2 playing seat=0 dealer=1 deal=9 scores=112-117 hand=4D,JD discarded=2C,9H "
    "starter=TD play=0:6H,1:9C,0:2D,1:4S count=21"
)
GOES = (
    "position/1 standard/3 playing seat=0 dealer=2 scores=2-0-0 hand=2C discarded=QC starter=6C "
    "play=0:2D,1:AC,2:6H,0:4D,1:7C,2:AH,0:AS,1:8S count=30 go=2"
)
HEELS = "position/1 family/2 playing seat=0 dealer=1 hand=4C,4H,9C,QD discarded=3H,7S starter=JD heels=open"
ALOUD = (
    "position/1 standard/2,counting=aloud showing seat=0 dealer=0 scores=4-7 back=1-3 discarded=4D,8S "
    "starter=5H play=1:JD,0:AD,1:AS,0:JH,1:AH,0:2D,0:5C/1:7C/ "
    "shown=1:AH,AS,7C,JD=26>4./0:AD,2D,5C,JH=3>3./crib:2C,4D,8S,TS"
)
MUGGINS = (
    "position/1 standard/2,counting=aloud,muggins=yes showing seat=0 dealer=0 scores=1-5 back=0-1 "
    "discarded=4D,8S starter=5H play=1:7C=9,0:5C=10,1:AS=5,0:AD=0,1:JD=14,0:2D=3,1:AH=0/0:JH=3/ "
    "shown=1:AH,AS,7C,JD=9>4/0:AD,2D,5C,JH open=show:0"
)
SHOTGUN = "position/1 shotgun/2 dealing seat=0 dealer=1 deal=0 scores=97-92"
OVER = "position/1 standard/2 cutting seat=1 dealer=0 hand=2C,5C,5D,9S discarded=JH,KD away=3-0 won=1:claimed"

VIEWS = (CUTTING_FOR_DEAL, DEALING, DISCARDING, CUTTING, PLAYING, GOES, HEELS, ALOUD, MUGGINS, SHOTGUN, OVER)


HINTS = get_type_hints(Rules)
FIELDS = {"line", *(each.name for each in fields(Facts))}


def check(view: PlayerView) -> None:
    assert read_position(write_position(view)) == view


def refusal_of(line: str) -> str:
    """The text of the refusal of that line, which names one of its fields; nothing if it is read."""
    try:
        view = read_position(line)
    except PositionError as error:
        refused = error
    else:
        check(view)
        return ""
    assert refused.field in FIELDS or f" {refused.field}" in line
    return str(refused)


@given(any_walk, st.data())
@settings(max_examples=8)
def test_every_view_of_a_game_goes_there_and_back(game: Walk, data: st.DataObject) -> None:
    state = game.states[data.draw(st.integers(0, len(game.states) - 1))]
    for seat in seats_of(state.rules):
        check(player_view(state, seat))
        check(player_view(game.states[-1], seat))


@pytest.mark.parametrize("field", [each.name for each in fields(Rules)])
def test_every_option_of_the_rules_is_written(field: str) -> None:
    tried = {getattr(other, field): other for _, other in changed(field, HINTS[field])}

    assert tried
    for rules in tried.values():
        check(Game.new(rules, chance=PlainChance(1), dealer=Seat(1)).view(Seat(0)))


@pytest.mark.parametrize("line", VIEWS, ids=lambda line: " ".join(line.split()[1:3]))
def test_a_line_is_written_as_it_was_read(line: str) -> None:
    assert write_position(read_position(line)) == line


def test_fields_come_in_any_order_and_cards_too() -> None:
    jumbled = "position/1 standard/2 cutting discarded=KD,JH dealer=0 hand=9S,5D,2C,5C seat=1"

    assert read_position(jumbled) == read_position(CUTTING)


WRONG = [
    # what the line is
    (CUTTING, "position/1", "position/2", "line: a position begins with position/1, its rules and its stage"),
    (CUTTING, "position/1 standard/2 cutting", "position/1", "rules: they begin with one of standard"),
    (CUTTING, " cutting", " napping", "stage: it cannot be read"),
    (CUTTING, " cutting", " over", "stage: a game that is over has the stage in which it ended, and `won`"),
    (CUTTING, "seat=1", "seat=01", "seat: expected a number"),
    (CUTTING, "seat=1", "seat=1 ", "line: there is no such field"),
    (CUTTING, "seat=1", "seat=1 seat=1", "seat: it is there twice"),
    (CUTTING, "seat=1 ", "", "seat: it is missing"),
    (CUTTING, "dealer=0", "dealer=2", "dealer: nobody sits there"),
    (CUTTING, "hand=2C", "hand=1C", "hand: expected a card: a rank of A23456789TJQK and a suit of CDHS"),
    (CUTTING, "seat=1", "seat=1 pone=1", "pone: there is no such field"),
    # rules
    (CUTTING, "standard/2", "club/2", "rules: they begin with one of standard, short"),
    (CUTTING, "standard/2", "standard/7", "rules: standard is for 2, 3, 4, 5 or 6 players, not 7"),
    (CUTTING, "standard/2", "standard/2,target=5", "rules: a game is to 31 holes at least"),
    (CUTTING, "standard/2", "standard/2,jokers=2", "rules: they have no option jokers"),
    (CUTTING, "standard/2", "standard/2,muggins=maybe", "rules: expected yes or no"),
    (CUTTING, "standard/2", "standard/2,match_points=1-2", "rules: zip() argument 2 is shorter"),
    # deals and scores
    (CUTTING_FOR_DEAL, "deal=0", "deal=1", "deal: it is 0 while players cut for the first"),
    (CUTTING, "dealer=0", "dealer=0 deal=0", "deal: deals are numbered from 1"),
    (DEALING, "scores=12-8", "scores=12-121", "scores: the game is over at 121"),
    (DEALING, "scores=12-8", "scores=12-8-3", "scores: there are 2 sides"),
    (DEALING, "back=9-0", "back=12-0", "back: a back peg is behind its front peg"),
    (OVER, "claimed", "pegged_out", "won: nobody pegs while cutting"),
    (OVER, "won=1", "won=2", "won: there is no such side"),
    (OVER, "away=3-0", "away=3", "away: it has a number for each seat"),
    (PLAYING, "count=21", "count=21 won=1:pegged_out", "won: the winner alone has 121"),
    (PLAYING, "117", "121 won=0:resigned", "scores: the game is over at 121"),
    (SHOTGUN, "scores=97-92", "scores=89-92", "scores: the game begins at 90"),
    # the cut for the first deal
    (CUTTING_FOR_DEAL, "0:5H@10", "0:4H@10", "cuts: the first dealer was known"),
    (CUTTING_FOR_DEAL, "1:KD@9", "0:KD@9,0:2C@8", "cuts: a seat cuts that is not waited for"),
    (CUTTING_FOR_DEAL, "1:KD@9", "1:KD@49", "cuts: it is too near an end of the pack"),
    (CUTTING_FOR_DEAL, "1:5D@20", "1:5D@10", "cuts: two seats cut at one place"),
    (CUTTING_FOR_DEAL, "1:5D@20", "1:5H@20", "cuts: a card is there twice"),
    (DEALING, "0:9S@17,1:JD@6", "1:9S@17,0:JD@6", "cuts: another seat dealt first"),
    # cards
    (CUTTING, "hand=2C,5C", "hand=2C,2C", "hand: a card is there twice"),
    (CUTTING, "hand=2C,", "hand=", "hand: cards there: 3, not 4"),
    (CUTTING, "discarded=JH,KD", "discarded=JH", "discarded: cards there: 1, not 2"),
    (CUTTING, "discarded=JH,KD", "discarded=JH,KD starter=5H", "starter: it has no place while cutting"),
    (DISCARDING, "given=0,1,2", "given=1,2", "discarded: cards there: 1, not 0"),
    (DISCARDING, "given=0,1,2", "given=0,1,2,3", "given: the crib is complete"),
    (DISCARDING, "given=0,1,2", "given=0,2,1", "given: seats come in their order, each once"),
    (PLAYING, "starter=TD ", "", "starter: it is missing"),
    (PLAYING, "starter=TD", "starter=4S", "starter: a card is there twice"),
    # the play
    (PLAYING, "count=21", "count=20", "count: it is 21"),
    (PLAYING, "1:4S count=21", "1:4S,1:QS count=31", "play: seat 0 could play to 21, and did not"),
    (PLAYING, "0:6H,1:9C", "1:9C,0:6H", "play: seat 0 could play to 0, and did not"),
    (PLAYING, "count=21", "count=21 go=0", "play: seat 0 could play to 21, and did not"),
    (PLAYING, "1:4S count=21", "1:4S/", "play: seat 0 could play to 21, and did not"),
    (PLAYING, "0:2D,1:4S count=21", "0:KD,1:TS", "play: a count is past thirty-one"),
    (PLAYING, "0:6H", "0:6H=2", "play: points are called with muggins, and only then"),
    (GOES, "2:AH,0:AS,1:8S count=30", "0:AS,1:8S", "play: seat 2 could play to 20, and did not"),
    (GOES, "1:8S count=30 go=2", "2:8S", "go: a seat that was passed over"),
    (HEELS, "starter=JD", "starter=TD", "heels: no jack was turned"),
    (HEELS, "family/2", "standard/2", "heels: nobody claims them by these rules"),
    # the show
    (ALOUD, "26>4.", "26>5.", "shown: 4 were pegged, not 5"),
    (ALOUD, "26>4.", "30>4.", "shown: no hand is worth more than 29"),
    (ALOUD, "26>4.", "26>4", "shown: it was settled by the next count"),
    (ALOUD, "26>4.", "4.", "shown: points are said by those who count aloud"),
    (ALOUD, "1:AH,AS,7C,JD=26>4./", "", "shown: hands are shown from the dealer's left"),
    (ALOUD, "1:AH,AS,7C", "1:AH,AS,7D", "shown: seat 1 has played another card"),
    (ALOUD, "crib:2C,4D", "crib:2C,4H", "shown: the crib lacks what the seat gave"),
    (ALOUD, "crib:2C", "crib:7C", "shown: a card is there twice"),
    (ALOUD, "/crib:2C,4D,8S,TS", "", "shown: the next hand is not shown"),
    (ALOUD, "/1:7C/", "/", "play: cards are left to play"),
    (ALOUD, "starter=5H", "starter=5H open=show:1", "open: nobody calls muggins by these rules"),
    (MUGGINS, "open=show:0", "open=show:1", "open: no count is open to seat 1"),
    (MUGGINS, "open=show:0", "spent=0>0", "spent: they are on one side"),
    (MUGGINS, "9>4", "9>4.", "shown: it is not settled before the next count"),
    (MUGGINS, "1:7C=9", "1:7C=15", "play: no card is worth more than 14"),
]


@pytest.mark.parametrize(("line", "right", "wrong", "why"), WRONG, ids=lambda each: each[:24])
def test_a_position_that_no_game_reaches_is_refused(line: str, right: str, wrong: str, why: str) -> None:
    assert right in line
    assert refusal_of(line.replace(right, wrong, 1)).startswith(why)


MALFORMED = [
    (PLAYING, "0:6H", "0.6H", "play: expected a card played, such as 1:5H"),
    (CUTTING_FOR_DEAL, "0:5H@10", "0.5H@10", "cuts: expected a cut, such as 0:8H@15"),
    (ALOUD, "1:AH,AS", "1;AH,AS", "shown: expected a hand shown, such as 1:5H,6H,7H,8H=12"),
    (MUGGINS, "open=show:0", "open=show", "open: expected an open count, such as 4:0-2"),
    (MUGGINS, "open=show:0", "spent=0", "spent: expected a caller and an opponent, such as 0>1"),
    (OVER, "won=1:claimed", "won=1", "won: expected a side and an ending, such as 0:pegged_out"),
]


@pytest.mark.parametrize(("line", "right", "wrong", "why"), MALFORMED, ids=lambda each: each[:24])
def test_a_malformed_field_is_refused_with_an_example(line: str, right: str, wrong: str, why: str) -> None:
    assert refusal_of(line.replace(right, wrong, 1)) == why


@given(st.sampled_from(VIEWS), st.data())
def test_a_damaged_line_is_refused_or_reads_as_what_it_says(line: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.text("0123456789AKQJTCDHS:/,=>.-? syno", max_size=2))
    refusal_of(line[:place] + other + line[place + 1 :])
