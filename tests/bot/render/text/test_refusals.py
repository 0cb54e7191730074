"""Every error has a sentence of its own for the player."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.features.clubs.errors import ClubRefusal
from bot.features.coaching.errors import CoachRefusal
from bot.features.daily.errors import DailyRefusal
from bot.features.fair.errors import DeckRefusal
from bot.features.replay.errors import ReplayRefusal
from bot.features.squares.errors import SquaresRefusal
from bot.features.stats.errors import StatsRefusal
from bot.language.languages import PSEUDO, Language
from bot.model import errors as room
from bot.model.errors import (
    DatabaseTooNew,
    DatabaseUnusable,
    NotCopied,
    Refusal,
    Refused,
    SettingsError,
    StartUpError,
    TableRefusal,
)
from bot.model.table_record import Agreement, Occupant, Status
from bot.model.venue import Venue
from bot.render.text.faces import Faces
from bot.render.text.refusals import SENTENCES, refusal
from bot.render.text.voice import Voice
from engine import (
    CallMuggins,
    CannotCount,
    Card,
    CardNotHeld,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    CutThereAlready,
    CutTooNearTheEnd,
    Deal,
    Discard,
    EngineError,
    GameIsOver,
    IllegalMove,
    ImpossibleCount,
    LetStand,
    LogError,
    MugginsSpent,
    MustCallPoints,
    MustPlay,
    NoComputerFamily,
    NoSuchSeat,
    NotationError,
    NotCoached,
    NotYourTurn,
    OverThirtyOne,
    OwnMove,
    PlayCard,
    PointsNotCalled,
    PositionError,
    RulesError,
    SameCardTwice,
    SayGo,
    Seat,
    Stage,
    WrongNumberOfCards,
    WrongNumberOfPlayers,
    WrongPhase,
    card,
    cards,
)
from tests.bot.render.games import EMOJIS, record_of

_RECORD = record_of(Agreement())
_HELD = record_of(Agreement(), ("Ada",), status=Status.GATHERING, called=77, opened_at=400)
_ADA = Seat(0)

ERRORS: list[tuple[BaseException, str]] = [
    (EngineError(), "That doesn't work in this game"),
    (NoComputerFamily(("play_out",)), "The computer can't play by these rules"),
    (NotCoached(), "The coach doesn't know this game"),
    (RulesError("x"), "Those rules don't go together"),
    (WrongNumberOfPlayers("short", 3, (2, 4)), "Short rules are for 2 or 4 players, not 3. Choose others"),
    (CannotCount(None, 5), "aren't a hand and a starter"),
    (NotationError("5x", "a card"), "I expected a card"),
    (PositionError("hand", "x"), "I can't read that position"),
    (LogError("x"), "I can't read this game's record"),
    (GameIsOver(), "This game is over. Play again: `/crib rematch` or `/crib new`."),
    (IllegalMove(_ADA), "You can't do that now"),
    (NoSuchSeat(Seat(7), 2), "This table has 2."),
    (NotYourTurn(_ADA, (Seat(1),)), "It's Ben's turn."),
    (WrongPhase(_ADA, "cutting"), "You can't do that now."),
    (CardNotHeld(_ADA, card("5H")), "You don't have the **5♥️**."),
    (SameCardTwice(_ADA, card("5H")), "You named the **5♥️** twice"),
    (WrongNumberOfCards(_ADA, 1, 2), "Choose 2 cards for the crib, not 1."),
    (OverThirtyOne(_ADA, card("9D"), 26), "That would make 35. Nothing fits: tap **Go**."),
    (MustPlay(_ADA, cards("3H 4D")), "You can still play: **3♥️** or **4♦️**."),
    (ImpossibleCount(_ADA, 30, 29), "Nothing is worth 30 points here. Call 29 at most."),
    (MustCallPoints(_ADA, card("9D")), "say what the **9♦️** scores"),
    (CutTooNearTheEnd(_ADA, 3, 4, 36), "a place from 4 to 36"),
    (CutThereAlready(_ADA, 17), "Choose another place"),
    (MugginsSpent(_ADA), "is used up"),
    (PointsNotCalled(_ADA), "Points are pegged for you"),
    (room.BotError(), "`/crib help`"),
    (room.RoomError(), "That doesn't work here"),
    (room.NoTable(), "There's no table here. Start one"),
    (room.NoTable(own=(_RECORD,)), f"There's no table here. You play in <#{_RECORD.channel}>."),
    (room.TooManyTables((_RECORD, _RECORD)), "several tables (in The Snug)"),
    (room.TableRests(_RECORD), "I was removed from The Snug"),
    (room.NotSeated(_RECORD), "between Ada and Ben"),
    (room.NotHost(_RECORD), "Only Ada can change that"),
    (room.NotCalled(_RECORD), "This table is open to everybody"),
    (room.NotCalled(_HELD), "That button is for <@77>."),
    (room.NotAtTable(_RECORD), "Only those who played can ask for a rematch"),
    (room.AlreadySeated(_RECORD), "The table is full: tap **Start**."),
    (room.MatchGoesOn(_RECORD), "stay the same for the whole match"),
    (room.TableFull(_RECORD), "This table is full: Ada and Ben."),
    (room.SeatHeld(_HELD), "This seat is held for <@77> until <t:1000:t>"),
    (
        room.SeatHeld(replace(_HELD, called=None, held=(Occupant(2, "Ben"), Occupant(3, "Cleo")))),
        "This seat is held for Ben until <t:1000:t>",
    ),
    (room.NoComputer(_RECORD), "There's no computer at this table"),
    (room.NobodyAway(_RECORD), "missed 3 turns in a row"),
    (room.NotEnoughPlayers(record_of(Agreement.of(players=3), ("Ada",))), "You need 2 more players"),
    (room.AlreadyBegun(_RECORD), "This game is on. Watch, or start yours"),
    (room.AlreadyBegun(replace(_RECORD, guild=None)), "This game is on. You can watch it here."),
    (room.StaleButton(2, 3), "That button is from deal 2, and you're in deal 3."),
    (room.StaleButton(0, 1), "The cut for the deal is over: you're in deal 1."),
    (room.NotACard("*hello*"), "“\\*hello\\*”"),
    (room.WrongHand(2), "A hand has 3 or 4 cards, and you gave 2"),
    (room.WrongDeal(7), "You gave 7 cards: type 6 for two players, 5 for three or four."),
    (Refused(CoachRefusal.NO_HINTS), "The host can allow them"),
    (Refused(CoachRefusal.CHOICE_MADE), "Ask for a hint at your next one."),
    (room.NotFinished(), "You haven't finished a game here yet"),
    (room.NotPlayed(_RECORD), "Only Ada and Ben can review this game"),
    (Refused(ReplayRefusal.NO_GAME), "Use it on a result"),
    (Refused(ReplayRefusal.NOTHING_YET), "Play one, then watch it here."),
    (Refused(ReplayRefusal.NOT_SHOWN), "Only those who played this game can watch it."),
    (room.NoDeck(_RECORD), "older than honest decks"),
    (Refused(DeckRefusal.SAME_WORD), "You gave that word before"),
    (Refused(DeckRefusal.STALE_NOTE), "The table has changed"),
    (Refused(DeckRefusal.UNUSABLE_WORD), "That word doesn't work"),
    (Refused(TableRefusal.NOT_IN_SERVER), "Here you play me. To play with others, use"),
    (Refused(TableRefusal.NO_THREADS), "I can open a thread in a text channel only"),
    (room.NoServer("crib-daily post"), "That's for servers: use `/crib-daily post` in"),
    (Refused(DailyRefusal.OVER), "more than a week old"),
    (Refused(SquaresRefusal.OVER), "The day of these squares is over"),
    (Refused(SquaresRefusal.NOT_FINISHED), "You haven't finished these squares"),
    (Refused(SquaresRefusal.SHARED), "shared these squares in this server already"),
    (Refused(DailyRefusal.NOT_PLAYED), "haven't played today's hand"),
    (Refused(StatsRefusal.NO_MONTH), "I know no such month. `/crib-stats season` offers"),
    (Refused(StatsRefusal.NO_ZONE), "I know no such time zone. `/crib-stats podium` offers"),
    (Refused(DailyRefusal.SHARED), "shared this hand in this server already"),
    (Refused(TableRefusal.NOT_MODERATOR), "Only moderators can change this"),
    (Refused(ClubRefusal.TAKEN), "A club event is open here already"),
    (Refused(ClubRefusal.NO_EVENT_HERE), "No club event here. Ask a moderator to open one."),
    (Refused(ClubRefusal.NO_EVENT), "No club event here. `/crib-organise open` opens one."),
    (Refused(ClubRefusal.NOT_ORGANISER), "Only organisers and moderators"),
    (Refused(ClubRefusal.FULL), "This event is full"),
    (Refused(ClubRefusal.TOO_SMALL), "it takes two, or three where partners play"),
    (Refused(ClubRefusal.UNDER_WAY), "This event has started"),
    (Refused(ClubRefusal.NOT_ENTERED), "isn't signed up here"),
    (Refused(ClubRefusal.SINGLES), "everybody plays for themselves"),
    (Refused(ClubRefusal.PARTNER_TAKEN), "have a partner already"),
    (Refused(ClubRefusal.NOT_POSTED), "doesn't let me post the club event"),
    (Refused(ClubRefusal.NEEDS_TEXT_CHANNEL), "needs a text channel"),
    (Refused(ClubRefusal.NO_PAIRING), "I can't find that game"),
    (room.NotANumber("lots"), "“lots” isn't a number"),
    (room.WrongLength("30", 31, 999), "Length: “30” isn't a number from 31 to 999. Type one like `121`."),
    (room.WrongLength("", 31, 999), "Length: “nothing” isn't a number"),
    (room.WrongTime("2 weeks"), "Time for a turn: “2 weeks” isn't a time from 15 s to 7 days. Type one like"),
    (room.NumberOutOfRange(15, 604_800), "Choose a number from 15 to 604,800."),
    (room.TablesEnough(Occupant(1, "A*da"), 20, are_live=True), "A\\*da is playing 20 games, the most"),
    (room.TablesEnough(Occupant(1, "Ada"), 10, are_live=False), "Ada is at 10 tables that haven't started"),
    (room.TooSoon(1_795_262_341), "I just did that for you. You can ask again at <t:1795262400:t>."),
    (room.MissingPermissions(("View Channel", "Send Messages")), "View Channel and Send Messages"),
    (Refused(TableRefusal.NO_EXTERNAL_APPS), "the permission *Use External Apps*"),
    (Refused(TableRefusal.ONLY_THERE), "only where you played"),
    (room.NotAddedToThread(5), "Mention <@5> in a message here to add me"),
    (room.ShutElsewhere(20), "I can't write in <#20> at the moment"),
    (room.NotPosted(_RECORD), "Discord doesn't let me post your table in <#"),
    (room.NotPosted(replace(_RECORD, venue=Venue.ANYWHERE)), "Discord lets only you see what I post here"),
    (Refused(TableRefusal.BANNED), "Whoever runs this bot has excluded you"),
    (Refused(TableRefusal.THREAD_LOCKED), "This thread is locked"),
    (Refused(TableRefusal.MAY_NOT_WRITE), "You can't write here"),
    (room.StoreError(), "nothing has changed"),
    (room.NoSuchGame("k3f9"), "I don't know that game"),
    (room.StaleGame("k3f9", 4), "press again"),
    (room.DamagedGame("k3f9", "its log", "ValueError"), "`/crib end` clears the channel"),
    (room.ChannelTaken(20, "k3f9"), "already a table here: `/crib table`. Start yours in another channel"),
    (
        room.ChannelTaken(20, "k3f9", is_direct=True),
        "already a table here: `/crib table`. `/crib end` makes room",
    ),
    (room.IdTaken("k3f9"), "Please try again"),
    (room.StoreUnavailable(), "nothing has changed"),
    (room.LeaseLost(), "nothing has changed"),
    (room.ShardsDiffer(8, 16), "8 shards, and another process runs with 16"),
    (StartUpError("No."), "The bot cannot start"),
    (SettingsError("DISCORD_TOKEN", "is missing"), "DISCORD_TOKEN is missing"),
    (DatabaseTooNew(9, 3), "newer bot"),
    (room.DatabaseTooOld(Path("x")), "start this one on it first"),
    (DatabaseUnusable(Path("x"), "locked"), "locked"),
    (room.DatabaseDamaged(Path("x")), "is damaged: put a backup in its place"),
    (room.DatabaseInUse(Path("x")), "Another bot runs on the database"),
    (room.LibraryLacking("asyncpg", "postgresql"), "DATABASE needs asyncpg, which is not installed"),
    (NotCopied(Path("x"), Path("y"), "no room"), "no room"),
    (room.UpgradeNotCopied(Path("x"), 30, 31, "no room"), "make room beside it"),
    (
        room.DatabaseLost(Path("x"), Path("x-wal"), Path("x.rescued")),
        "run `mv x.rescued /",
    ),
]


def _all_below(kind: type[BaseException]) -> set[type[BaseException]]:
    return {kind}.union(*(_all_below(each) for each in kind.__subclasses__()))


def test_every_error_has_a_sentence_of_its_own() -> None:
    kinds = _all_below(EngineError) | _all_below(room.BotError)
    ours = {kind for kind in kinds if kind.__module__.partition(".")[0] in {"engine", "bot"}}

    assert ours == SENTENCES.keys()
    assert ours == {type(error) for error, _ in ERRORS}


def test_every_reason_has_an_example() -> None:
    reasons = {member for kind in Refusal.__subclasses__() for member in kind}

    assert reasons == {error.why for error, _ in ERRORS if isinstance(error, Refused)}


def test_every_refusal_says_what_is_wrong() -> None:
    wrong = []
    for error, part in ERRORS:
        with_table, without = (refusal(error, record, Voice()) for record in (_RECORD, None))  # type: ignore[arg-type]
        is_sentence = all(
            (said[0].isupper() or said.startswith("“")) and said.endswith(".") and len(said) < 300
            for said in (with_table, without)
        )
        if not is_sentence or part not in with_table:
            wrong.append((error, part, with_table, without))

    assert wrong == []


def test_an_error_that_came_later_is_answered_like_its_parent() -> None:
    class NewMove(OverThirtyOne):
        pass

    assert "That would make 35" in refusal(NewMove(_ADA, card("9C"), 26), None, Voice())


def test_a_refusal_shows_the_card_as_a_picture_where_there_is_one() -> None:
    said = refusal(CardNotHeld(_ADA, card("9C")), None, Voice(faces=Faces(EMOJIS)))

    assert said.startswith("You don't have the <:card_9C_1:")


@pytest.mark.parametrize(
    ("players", "twice", "said"),
    [
        (2, None, "Two players get 6 cards each, and you gave 5."),
        (4, None, "4 players get 5 cards each, and you gave 5."),
        (2, card("5H"), "You named the **5♥️** twice, and a deck has only one."),
    ],
)
def test_cards_that_nobody_is_dealt_are_refused_with_their_fault(
    players: int, twice: Card | None, said: str
) -> None:
    assert said == refusal(room.WrongDeal(5, players, twice), None, Voice())


@pytest.mark.parametrize(
    ("status", "part"),
    [
        (Status.PLAYING, "isn't over yet"),
        (Status.CANCELLED, "was cancelled"),
        (Status.OVER, "haven't finished a game"),
    ],
)
def test_a_game_that_cannot_be_looked_back_on_says_why(status: Status, part: str) -> None:
    assert part in refusal(room.NotFinished(record_of(Agreement(), status=status)), None, Voice())


@pytest.mark.parametrize(
    ("status", "part"),
    [
        (Status.GATHERING, "hasn't started yet"),
        (Status.CANCELLED, "was cancelled"),
        (Status.OVER, "There's no table here"),
    ],
)
def test_no_table_knows_a_table_that_has_not_begun(status: Status, part: str) -> None:
    record = record_of(Agreement(), status=status)

    assert part in refusal(room.NoTable(record), record, Voice())


def test_a_card_that_was_typed_twice_is_named() -> None:
    said = refusal(room.WrongHand(4, card("5H")), None, Voice())

    assert said == "You named the **5♥️** twice, and a deck has only one."


def test_a_table_that_is_over_or_off_is_told_from_one_in_play() -> None:
    over = refusal(room.AlreadyBegun(record_of(Agreement(), status=Status.OVER)), None, Voice())
    off = refusal(room.AlreadyBegun(record_of(Agreement(), status=Status.CANCELLED)), None, Voice())

    assert "Play again: `/crib rematch`" in over
    assert "cancelled" in off


MISTAKES: list[tuple[str, Any, tuple[int, ...], str]] = [
    ("discarding", PlayCard, (1,), "The play hasn't started yet. Waiting for Ben."),
    (
        "discarding",
        CutStarter,
        (0, 1),
        "The deck is cut after both have discarded. Choose 2 cards for the crib: ",
    ),
    ("cutting", Discard, (1,), "You've discarded already. Waiting for Ben."),
    (
        "cutting",
        SayGo,
        (0,),
        "The play hasn't started yet. Cut the deck to turn the starter: `/crib cut`.",
    ),
    ("playing", Discard, (0,), "You've discarded already. It's your turn to play a card or say go."),
    ("playing", CutStarter, (1,), "The deck is cut already. Waiting for Ben."),
    ("playing", CountAloud, (1,), "Hands are counted for you at this table. Waiting for Ben."),
    ("playing", CallMuggins, (1,), "This table plays without muggins. Waiting for Ben."),
    ("playing", ClaimHeels, (1,), "His heels are pegged for you at this table. Waiting for Ben."),
    ("playing", ClaimGame, (1,), "when somebody has missed 3 turns in a row. Waiting for Ben."),
    ("playing", LetStand, (1,), "There's no count to let stand. Waiting for Ben."),
    ("showing", PlayCard, (0,), "The play is over. The show waits for you: `/crib hand`."),
    ("dealing", PlayCard, (0,), "The play hasn't started yet. Tap **Deal** for the next hand."),
    ("cutting_for_deal", Deal, (0,), "The first dealer isn't known yet. Cut for the deal: `/crib cut`."),
    ("playing", CutForFirstDeal, (1,), "The first dealer is known already. Waiting for Ben."),
]


def test_each_mistake_has_its_own_sentence_and_the_way_on() -> None:
    wrong = []
    for stage, move, waiting, part in MISTAKES:
        said = refusal(WrongPhase(_ADA, stage, move, tuple(map(Seat, waiting))), _RECORD, Voice())
        if part not in said:
            wrong.append((part, said))

    assert wrong == []


def test_moves_at_tables_that_know_them_are_too_early_or_too_late() -> None:
    record = record_of(Agreement.of(aloud=True, muggins=True, heels_claimed=True))
    for stage, move, said in (
        ("playing", CountAloud, "Hands are counted after the play."),
        ("playing", CallMuggins, "There's nothing to call muggins on."),
        ("playing", ClaimHeels, "There are no heels to claim."),
    ):
        assert said in refusal(WrongPhase(_ADA, stage, move, (Seat(1),)), record, Voice())


def test_every_move_at_every_moment_is_answered() -> None:
    wrong = []
    for stage, move, waiting in product(Stage, OwnMove.__args__, ((), (_ADA,), (Seat(1),))):
        said = refusal(WrongPhase(_ADA, stage.value, move, waiting), _RECORD, Voice())
        if not said.endswith(".") or "{" in said:
            wrong.append((stage, move, waiting, said))

    assert wrong == []


@pytest.mark.parametrize(
    ("count", "playable", "said"),
    [
        (26, "5H", "That would make 36. Play a 5 or lower."),
        (23, "8H", "That would make 33. Play an 8 or lower."),
        (30, "AH", "That would make 40. Play an ace."),
        (26, "", "That would make 36. Nothing fits: tap **Go**."),
    ],
)
def test_a_card_too_high_says_what_fits(count: int, playable: str, said: str) -> None:
    error = OverThirtyOne(_ADA, card("KC"), count, cards(playable) if playable else ())
    assert refusal(error, None, Voice()) == said


def test_several_who_are_waited_for_are_named() -> None:
    record = record_of(Agreement.of(players=3))
    assert refusal(NotYourTurn(_ADA, (Seat(1), Seat(2))), record, Voice()) == "Waiting for Ben and Cleo."


@pytest.mark.parametrize(
    ("names", "part"),
    [(("Ada",), "There's a free seat: tap **Join**."), (("Ada", "Ben"), "Only Ada and Ben can do that")],
)
def test_a_lobby_offers_a_seat_only_where_one_is_free(names: tuple[str, ...], part: str) -> None:
    record = record_of(Agreement(), names, status=Status.GATHERING)
    assert part in refusal(room.NotAtTable(record), record, Voice())


def test_only_start_up_errors_are_told_without_a_voice() -> None:
    pseudo = Voice(Language.of(PSEUDO))
    for error, _ in ERRORS:
        said = refusal(error, _RECORD, pseudo)  # type: ignore[arg-type]
        assert ("⟦" in said) is not isinstance(error, StartUpError), said


@pytest.mark.parametrize(
    ("rematch_of", "part"),
    [(None, "Waiting for 1 more player."), ("a1b2", "starts when everyone is back")],
)
def test_a_seated_player_reads_what_comes_next(rematch_of: str | None, part: str) -> None:
    record = record_of(
        Agreement.of(players=3), ("Ada", "Ben"), status=Status.GATHERING, rematch_of=rematch_of
    )
    record = replace(record, held=(Occupant(3, "Cleo"),) if rematch_of else ())

    assert part in refusal(room.AlreadySeated(record), record, Voice())


def test_where_the_host_does_not_sit_any_more_nobody_is_named() -> None:
    record = record_of(Agreement(), host=99)
    assert refusal(room.NotHost(record), record, Voice()) == "Only the host can change that."


def test_a_game_that_is_on_is_told_its_players_and_others_apart() -> None:
    begun = room.AlreadyBegun(_RECORD)
    assert refusal(begun, None, Voice(), reader=1) == "You're in this game: press *My hand*."
    assert refusal(begun, None, Voice(), reader=99).startswith("This game is on. Watch, or start yours")
