"""The error messages for players: what is wrong, and what to do instead.

Each error class has a sentence, found by the class or its nearest base class. Cards may be named, because an
error message is ephemeral and is read only by the player who holds them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.model import errors as bot_errors
from bot.model.errors import DatabaseTooNew, DatabaseUnusable, NotCopied, SettingsError, StartUpError
from bot.model.table_record import Status, TableRecord
from bot.render.text.names import Names, escaped, plain
from bot.render.text.resting import resting
from bot.render.text.voice import Voice
from bot.render.text.words import listing, number, plural, sentence, some
from engine import (
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
)

_Sentence = Callable[[Any, TableRecord | None, Voice], str]


def refusal(error: EngineError | bot_errors.BotError, record: TableRecord | None, voice: Voice) -> str:
    """The sentence for `error`; `record` is the table concerned, if it is known."""
    for kind in type(error).__mro__:
        if kind in SENTENCES:
            return SENTENCES[kind](error, record, voice)
    return "That cannot be done. `/crib help` shows what can."


def _say(sentence: str) -> _Sentence:
    return lambda _error, _record, _voice: sentence


def _not_your_turn(error: NotYourTurn, record: TableRecord | None, _: Voice) -> str:
    if record is None or not error.waiting_for:
        return "It is not your turn."
    names = Names(record.names, record.agreement.rules)
    return f"It is not your turn: the table is waiting for {names.listed(error.waiting_for)}."


_NOW = {
    Stage.CUTTING_FOR_DEAL.value: "the players are cutting for the deal",
    Stage.DEALING.value: "the cards are still to be dealt",
    Stage.DISCARDING.value: "cards are being laid away",
    Stage.CUTTING.value: "the starter is still to be cut",
    Stage.PLAYING.value: "the play is on",
    Stage.SHOWING.value: "the hands are being shown",
    Stage.OVER.value: "the game is over",
}


def _wrong_phase(error: WrongPhase, *_: object) -> str:
    now = f"Not just now: {_NOW.get(error.stage, 'the table is busy')}."
    if error.stage == Stage.DISCARDING.value:
        return f"{now} Open your hand to see your cards, and lay away first: `/crib discard`."
    return f"{now} Open your hand to see what you can do: press *My hand* or use `/crib hand`."


def _over_thirty_one(error: OverThirtyOne, _: TableRecord | None, voice: Voice) -> str:
    return f"You can't play the {voice.faces.text(error.card)}: the count is {error.count}."


def _must_play(error: MustPlay, _: TableRecord | None, voice: Voice) -> str:
    playable = listing((voice.faces.text(each) for each in error.playable), "or")
    return f"You can't say go while you can play: you have {playable}."


def _card_not_held(error: CardNotHeld, _: TableRecord | None, voice: Voice) -> str:
    return f"You don't hold the {voice.faces.text(error.card)}. Open your hand to see your cards."


def _same_card_twice(error: SameCardTwice, _: TableRecord | None, voice: Voice) -> str:
    return f"You named the {voice.faces.text(error.card)} twice: choose another card beside it."


def _wrong_number(error: WrongNumberOfCards, *_: object) -> str:
    return f"The crib takes {some(error.wanted, 'card')} from you, and you gave {number(error.given)}."


def _impossible(error: ImpossibleCount, *_: object) -> str:
    return f"Nothing here is worth {error.points}: the most is {error.most}."


def _must_call(error: MustCallPoints, _: TableRecord | None, voice: Voice) -> str:
    card = voice.faces.text(error.card)
    return f"With muggins you call the points yourself: say what the {card} scores, if only nought."


def _too_near_the_end(error: CutTooNearTheEnd, *_: object) -> str:
    return f"A cut leaves four cards at either end: choose a place from {error.first} to {error.last}."


def _no_such_seat(error: NoSuchSeat, *_: object) -> str:
    return f"There is no such seat: this table has {number(error.seats)}."


def _notation(error: NotationError, *_: object) -> str:
    return f"I can't read that: I expected {error.expected}."


def _no_table(error: bot_errors.NoTable, *_: object) -> str:
    match error.record.status if error.record else None:
        case Status.GATHERING:
            return "The game has not begun yet: it needs everyone seated, and then *Start*."
        case Status.CANCELLED:
            return "This table was called off. `/crib new` sets up another."
        case _:
            return "There is no table here. `/crib new` sets one up."


def _too_many_tables(error: bot_errors.TooManyTables, *_: object) -> str:
    places = listing(dict.fromkeys(escaped(plain(each.place, "a server")) for each in error.records))
    return f"You are at several tables (in {places}): use the command in the channel of the one you mean."


def _rests(error: bot_errors.TableRests, *_: object) -> str:
    return resting(error.record)


def _wrong_deal(error: bot_errors.WrongDeal, _: TableRecord | None, voice: Voice) -> str:
    if error.twice is not None:
        return f"The {voice.faces.text(error.twice)} is there twice: a pack has one of each."
    match error.players:
        case None:
            dealt = "two players are dealt six cards, three and four five"
        case 2:
            dealt = "two players are dealt six cards"
        case players:
            dealt = f"{number(players)} players are dealt five cards"
    return f"{sentence(dealt)}, and you gave {number(error.given)}."


def _not_finished(error: bot_errors.NotFinished, *_: object) -> str:
    match error.record.status if error.record else None:
        case Status.PLAYING | Status.GATHERING:
            return "That game is not over: it is looked back on when it is."
        case Status.CANCELLED:
            return "That game was called off, and there is nothing to look back on."
        case _:
            return "You have finished no game here yet. A review looks back on the last one that you played."


def _not_played(error: bot_errors.NotPlayed, *_: object) -> str:
    return f"You did not play in this game: {_players(error.record)} did. A review is for those who played."


def _not_seated(error: bot_errors.NotSeated, *_: object) -> str:
    return (
        f"You are not playing in this game: {_players(error.record)} {_are(error.record)}. "
        "You are welcome to watch, or to set up a table with `/crib new` in another channel."
    )


def _already_seated(error: bot_errors.AlreadySeated, *_: object) -> str:
    record = error.record
    if len(record.occupants) >= record.agreement.players:
        then = "all seats are taken, so press *Start*"
    elif record.rematch_of:
        then = "the rematch begins by itself when everybody who played before is back"
    else:
        then = "press *Start* when all seats are taken"
    return f"You have a seat at this table already: {then}."


def _table_full(error: bot_errors.TableFull, *_: object) -> str:
    return f"All seats are taken: {_players(error.record)} {_are(error.record)} at this table."


def _not_enough(error: bot_errors.NotEnoughPlayers, *_: object) -> str:
    missing = max(error.record.agreement.players - len(error.record.occupants), 0)
    return f"The game needs {number(missing)} more {plural(missing, 'player')} before it can start."


def _begun(error: bot_errors.AlreadyBegun, *_: object) -> str:
    if error.record.status is Status.CANCELLED:
        return "This table was called off. `/crib new` sets up another."
    if error.record.status is Status.OVER:
        return "That game is over. *Rematch* or `/crib new` begins another."
    return "The game has begun already. To end it early, a player may use `/crib resign`."


def _stale_button(error: bot_errors.StaleButton, *_: object) -> str:
    if error.now > error.deal:
        now = f"deal {error.now} is being played"
        return f"That button is from deal {error.deal}, and {now}. Use *My hand* at the table."
    return "That button is from an earlier game. `/crib table` shows where you are."


def _not_a_card(error: bot_errors.NotACard, *_: object) -> str:
    typed = escaped(plain(error.text, "nothing"))
    return f"I can't read “{typed}” as cards. Write them as `5h`, `10d` or `5h jd`."


def _wrong_hand(error: bot_errors.WrongHand, _: TableRecord | None, voice: Voice) -> str:
    if error.twice is not None:
        return f"The {voice.faces.text(error.twice)} is there twice: a pack has one of each."
    return f"A hand has four cards, and you gave {number(error.given)}: try `5h 5c 5s jd` with `5d`."


def _not_a_number(error: bot_errors.NotANumber, *_: object) -> str:
    return f"“{escaped(plain(error.text, 'nothing'))}” is no number of points. Write one such as `8`, or `0`."


def _missing_permissions(error: bot_errors.MissingPermissions, *_: object) -> str:
    them = "it" if len(error.names) == 1 else "them"
    who = "Somebody who manages the server"
    return f"I may not play here yet: I need {listing(error.names)}. {who} can give me {them}."


def _start_up(error: StartUpError, *_: object) -> str:
    return f"The bot cannot start: {str(error).removesuffix('.')}."


def _players(record: TableRecord) -> str:
    names = Names(record.names, record.agreement.rules)
    return listing(names[Seat(seat)] for seat in range(len(record.occupants)))


def _are(record: TableRecord) -> str:
    return "is" if len(record.occupants) == 1 else "are"


SENTENCES: dict[type[BaseException], _Sentence] = {
    EngineError: _say("That cannot be done in this game. Open your hand to see what can."),
    NoComputerFamily: _say("The computer does not play by these rules: it has not learned them."),
    RulesError: _say("Nobody could play by those rules. `/crib rules` shows which go together."),
    NotationError: _notation,
    LogError: _say("This game's record cannot be read. Please tell whoever runs the bot."),
    GameIsOver: _say("The game is over: the winning peg is in. *Rematch* begins another."),
    IllegalMove: _say("You can't do that now. Open your hand to see what you can do."),
    NoSuchSeat: _no_such_seat,
    NotYourTurn: _not_your_turn,
    WrongPhase: _wrong_phase,
    CardNotHeld: _card_not_held,
    SameCardTwice: _same_card_twice,
    WrongNumberOfCards: _wrong_number,
    OverThirtyOne: _over_thirty_one,
    MustPlay: _must_play,
    CutTooNearTheEnd: _too_near_the_end,
    CutThereAlready: _say("Somebody has cut there already: choose another place."),
    MugginsSpent: _say("You called muggins wrongly in this count, so you can't call again before the next."),
    ImpossibleCount: _impossible,
    MustCallPoints: _must_call,
    PointsNotCalled: _say("Points are pegged for you in this game: play the card without calling any."),
    bot_errors.BotError: _say("I can't do that. `/crib help` shows what I can do."),
    bot_errors.RoomError: _say("That can't be done here. `/crib help` shows what can."),
    bot_errors.NoTable: _no_table,
    bot_errors.TooManyTables: _too_many_tables,
    bot_errors.TableRests: _rests,
    bot_errors.NotSeated: _not_seated,
    bot_errors.NotAtTable: _say(
        "Only those who sit at this table can do that. *Join* gives you a seat, if one is free."
    ),
    bot_errors.NotHost: _say("Only the host of this table can change that."),
    bot_errors.AlreadySeated: _already_seated,
    bot_errors.TableFull: _table_full,
    bot_errors.NoComputer: _say("No computer sits at this table."),
    bot_errors.NobodyAway: _say(
        "Everybody is playing. The computer can take a seat over from somebody who has missed three turns."
    ),
    bot_errors.NotEnoughPlayers: _not_enough,
    bot_errors.AlreadyBegun: _begun,
    bot_errors.StaleButton: _stale_button,
    bot_errors.NotACard: _not_a_card,
    bot_errors.WrongHand: _wrong_hand,
    bot_errors.WrongDeal: _wrong_deal,
    bot_errors.NoHints: _say(
        "This table plays without hints. They are agreed on when it is opened: `/crib new hints:True`."
    ),
    bot_errors.NotFinished: _not_finished,
    bot_errors.NotPlayed: _not_played,
    bot_errors.NotInServer: _say("A table needs a channel of a server: use `/crib new` there."),
    bot_errors.NotANumber: _not_a_number,
    bot_errors.MissingPermissions: _missing_permissions,
    bot_errors.StoreError: _say("I could not write that down, so nothing has changed. Please try again."),
    bot_errors.NoSuchGame: _say("I don't know that game: its table is gone. `/crib new` sets up another."),
    bot_errors.StaleGame: _say("The table moved on just as you pressed. Please press again."),
    bot_errors.ChannelTaken: _say(
        "There is a table in this channel already: `/crib table` shows it. "
        "Another channel has room for yours."
    ),
    bot_errors.IdTaken: _say("That table could not be set up. Please try once more."),
    bot_errors.StoreUnavailable: _say(
        "I could not save that just now, so nothing has changed. Please press again."
    ),
    StartUpError: _start_up,
    SettingsError: _start_up,
    DatabaseTooNew: _start_up,
    DatabaseUnusable: _start_up,
    NotCopied: _start_up,
}
"""The sentence of each error class, or a function that makes it."""
