"""Every error has a sentence of its own for the player."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model import errors as room
from bot.model.errors import DatabaseTooNew, DatabaseUnusable, NotCopied, SettingsError, StartUpError
from bot.model.table_record import Agreement, Status
from bot.render.text.faces import Faces
from bot.render.text.refusals import SENTENCES, refusal
from bot.render.text.voice import Voice
from engine import (
    Card,
    CardNotHeld,
    CutThereAlready,
    CutTooNearTheEnd,
    EngineError,
    GameIsOver,
    IllegalMove,
    ImpossibleCount,
    LogError,
    MugginsSpent,
    MustCallPoints,
    MustPlay,
    NoComputerFamily,
    NoSuchSeat,
    NotationError,
    NotYourTurn,
    OverThirtyOne,
    PointsNotCalled,
    RulesError,
    SameCardTwice,
    Seat,
    Stage,
    WrongNumberOfCards,
    WrongPhase,
    card,
    cards,
)
from tests.bot.render.games import EMOJIS, record_of

_RECORD = record_of(Agreement())
_ADA = Seat(0)

ERRORS: list[tuple[BaseException, str]] = [
    (EngineError(), "That cannot be done"),
    (NoComputerFamily(("play_out",)), "The computer does not play by these rules"),
    (RulesError("x"), "Nobody could play by those rules"),
    (NotationError("5x", "a card"), "I expected a card"),
    (LogError("x"), "record cannot be read"),
    (GameIsOver(), "The game is over"),
    (IllegalMove(_ADA), "You can't do that now"),
    (NoSuchSeat(Seat(7), 2), "this table has two"),
    (NotYourTurn(_ADA, (Seat(1),)), "waiting for Ben"),
    (WrongPhase(_ADA, "cutting"), "the starter is still to be cut"),
    (CardNotHeld(_ADA, card("5H")), "You don't hold the **5♥️**"),
    (SameCardTwice(_ADA, card("5H")), "You named the **5♥️** twice"),
    (WrongNumberOfCards(_ADA, 1, 2), "The crib takes two cards from you, and you gave one."),
    (OverThirtyOne(_ADA, card("9D"), 26), "You can't play the **9♦️**: the count is 26."),
    (MustPlay(_ADA, cards("3H 4D")), "you have **3♥️** or **4♦️**"),
    (ImpossibleCount(_ADA, 30, 29), "Nothing here is worth 30: the most is 29."),
    (MustCallPoints(_ADA, card("9D")), "say what the **9♦️** scores"),
    (CutTooNearTheEnd(_ADA, 3, 4, 36), "a place from 4 to 36"),
    (CutThereAlready(_ADA, 17), "choose another place"),
    (MugginsSpent(_ADA), "called muggins wrongly"),
    (PointsNotCalled(_ADA), "Points are pegged for you"),
    (room.BotError(), "`/crib help`"),
    (room.RoomError(), "can't be done here"),
    (room.NoTable(), "There is no table here"),
    (room.TooManyTables((_RECORD, _RECORD)), "several tables (in The Snug)"),
    (room.TableRests(_RECORD), "I was removed from The Snug"),
    (room.NotSeated(_RECORD), "Ada and Ben are"),
    (room.NotHost(_RECORD), "Only the host"),
    (room.NotAtTable(_RECORD), "Only those who sit at this table"),
    (room.AlreadySeated(_RECORD), "already: all seats are taken, so press *Start*."),
    (room.TableFull(_RECORD), "All seats are taken: Ada and Ben are"),
    (room.NoComputer(_RECORD), "No computer sits at this table"),
    (room.NobodyAway(_RECORD), "missed three turns"),
    (room.NotEnoughPlayers(record_of(Agreement.of(players=3), ("Ada",))), "two more players"),
    (room.AlreadyBegun(_RECORD), "The game has begun already"),
    (room.StaleButton(2, 3), "deal 2, and deal 3"),
    (room.NotACard("*hello*"), "“\\*hello\\*”"),
    (room.WrongHand(3), "A hand has four cards, and you gave three"),
    (room.WrongDeal(7), "Two players are dealt six cards, three and four five, and you gave seven."),
    (room.NoHints(_RECORD), "This table plays without hints"),
    (room.NotFinished(), "You have finished no game here yet"),
    (room.NotPlayed(_RECORD), "You did not play in this game: Ada and Ben did."),
    (room.NotInServer(), "a channel of a server"),
    (room.NotANumber("lots"), "“lots” is no number"),
    (room.MissingPermissions(("View Channel", "Send Messages")), "View Channel and Send Messages"),
    (room.StoreError(), "nothing has changed"),
    (room.NoSuchGame("k3f9"), "I don't know that game"),
    (room.StaleGame("k3f9", 4), "press again"),
    (room.ChannelTaken(20, "k3f9"), "a table in this channel already"),
    (room.IdTaken("k3f9"), "once more"),
    (room.StoreUnavailable(), "nothing has changed"),
    (StartUpError("No."), "The bot cannot start"),
    (SettingsError("DISCORD_TOKEN", "is missing"), "DISCORD_TOKEN is missing"),
    (DatabaseTooNew(9, 3), "newer bot"),
    (DatabaseUnusable(Path("x"), "locked"), "locked"),
    (NotCopied(Path("x"), Path("y"), "no room"), "no room"),
]


def _all_below(kind: type[BaseException]) -> set[type[BaseException]]:
    return {kind}.union(*(_all_below(each) for each in kind.__subclasses__()))


def test_every_error_has_a_sentence_of_its_own() -> None:
    kinds = _all_below(EngineError) | _all_below(room.BotError)
    ours = {kind for kind in kinds if kind.__module__.partition(".")[0] in {"engine", "bot"}}

    assert ours == SENTENCES.keys()
    assert ours == {type(error) for error, _ in ERRORS}


@pytest.mark.parametrize(("error", "part"), ERRORS, ids=[type(error).__name__ for error, _ in ERRORS])
def test_a_refusal_says_what_is_wrong(error: BaseException, part: str) -> None:
    for record in (_RECORD, None):
        said = refusal(error, record, Voice())  # type: ignore[arg-type]
        assert said[0].isupper() or said.startswith("“")
        assert said.endswith(".")
        assert len(said) < 300
    assert part in refusal(error, _RECORD, Voice())  # type: ignore[arg-type]


def test_an_error_that_came_later_is_answered_like_its_parent() -> None:
    class NewMove(OverThirtyOne):
        pass

    assert "the count is 26" in refusal(NewMove(_ADA, card("9C"), 26), None, Voice())


def test_a_refusal_shows_the_card_as_a_picture_where_there_is_one() -> None:
    said = refusal(OverThirtyOne(_ADA, card("9C"), 26), None, Voice(faces=Faces(EMOJIS)))

    assert said.startswith("You can't play the <:card_9C_1:")


@pytest.mark.parametrize(
    ("players", "twice", "said"),
    [
        (2, None, "Two players are dealt six cards, and you gave five."),
        (4, None, "Four players are dealt five cards, and you gave five."),
        (2, card("5H"), "The **5♥️** is there twice: a pack has one of each."),
    ],
)
def test_cards_that_nobody_is_dealt_are_refused_with_their_fault(
    players: int, twice: Card | None, said: str
) -> None:
    assert said == refusal(room.WrongDeal(5, players, twice), None, Voice())


@pytest.mark.parametrize(
    ("status", "part"),
    [(Status.PLAYING, "is not over"), (Status.CANCELLED, "called off"), (Status.OVER, "no game here yet")],
)
def test_a_game_that_cannot_be_looked_back_on_says_why(status: Status, part: str) -> None:
    assert part in refusal(room.NotFinished(record_of(Agreement(), status=status)), None, Voice())


@pytest.mark.parametrize(
    ("status", "part"),
    [
        (Status.GATHERING, "has not begun yet"),
        (Status.CANCELLED, "called off"),
        (Status.OVER, "There is no table here"),
    ],
)
def test_no_table_knows_a_table_that_has_not_begun(status: Status, part: str) -> None:
    record = record_of(Agreement(), status=status)

    assert part in refusal(room.NoTable(record), record, Voice())


def test_a_card_that_was_typed_twice_is_named() -> None:
    said = refusal(room.WrongHand(4, card("5H")), None, Voice())

    assert said == "The **5♥️** is there twice: a pack has one of each."


def test_a_table_that_is_over_or_off_is_told_from_one_in_play() -> None:
    over = refusal(room.AlreadyBegun(record_of(Agreement(), status=Status.OVER)), None, Voice())
    off = refusal(room.AlreadyBegun(record_of(Agreement(), status=Status.CANCELLED)), None, Voice())

    assert "Rematch" in over
    assert "called off" in off


@pytest.mark.parametrize(
    ("stage", "part"),
    [
        ("playing", "press *My hand* or use `/crib hand`"),
        ("discarding", "lay away first: `/crib discard`"),
    ],
)
def test_a_move_at_the_wrong_moment_is_shown_the_way(stage: str, part: str) -> None:
    assert part in refusal(WrongPhase(_ADA, Stage[stage.upper()].value), _RECORD, Voice())


@pytest.mark.parametrize(
    ("rematch_of", "part"),
    [(None, "press *Start* when all seats are taken"), ("a1b2", "begins by itself")],
)
def test_whoever_is_seated_already_is_told_what_comes_next(rematch_of: str | None, part: str) -> None:
    record = record_of(
        Agreement.of(players=3), ("Ada", "Ben"), status=Status.GATHERING, rematch_of=rematch_of
    )

    assert part in refusal(room.AlreadySeated(record), record, Voice())
