"""The error messages for players: what is wrong, and what to do instead.

Each error class has a sentence, found by the class or its nearest base class; where one class stands for
several mistakes, its sentence follows from the error's fields. Cards may be named, because an error message
is ephemeral and is read only by the player who holds them.

Why the bot cannot start is for its owner, who reads it in a terminal: it stays in English.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from bot.language.languages import gettext_noop
from bot.model import errors as bot_errors
from bot.model.errors import (
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseLost,
    DatabaseOfDevelopment,
    DatabaseTooNew,
    DatabaseTooOld,
    DatabaseUnusable,
    LibraryLacking,
    NotCopied,
    SettingsError,
    ShardsDiffer,
    StartUpError,
    UpgradeNotCopied,
)
from bot.model.rule_settings import NUMBERS, Setting
from bot.model.table_record import Status, TableRecord
from bot.render.text.awaited import awaited_names, held_line
from bot.render.text.names import Names, escaped, plain
from bot.render.text.places import server_of
from bot.render.text.resting import resting
from bot.render.text.rules import PRESET_NAMES, turn_text
from bot.render.text.voice import Voice
from engine import (
    ABSENCES_TO_CLAIM,
    THIRTY_ONE,
    CallMuggins,
    CannotCount,
    CardNotHeld,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    Counting,
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
    PlayCard,
    PointsNotCalled,
    PositionError,
    Rules,
    RulesError,
    SameCardTwice,
    SayGo,
    Seat,
    Stage,
    WrongNumberOfCards,
    WrongNumberOfPlayers,
    WrongPhase,
)

_Sentence = Callable[[Any, TableRecord | None, Voice], str]


def refusal(
    error: EngineError | bot_errors.BotError,
    record: TableRecord | None,
    voice: Voice,
    *,
    reader: int | None = None,
) -> str:
    """The sentence for `error`, for that user; `record` is the table concerned, if it is known."""
    if isinstance(error, bot_errors.AlreadyBegun):
        return _begun(error, record, voice, reader)
    for kind in type(error).__mro__:
        if kind in SENTENCES:
            return SENTENCES[kind](error, record, voice)
    return voice.gettext("That doesn't work here. {help} shows what does.", help=voice.command("crib help"))


def _say(sentence: str, **commands: str) -> _Sentence:
    """That sentence, with commands in it by the names of its parts."""

    def said(_error: object, _record: TableRecord | None, voice: Voice) -> str:
        return voice.gettext(sentence, **{part: voice.command(name) for part, name in commands.items()})

    return said


def _refused(error: bot_errors.Refused, record: TableRecord | None, voice: Voice) -> str:
    return _say(error.why.sentence, **error.why.commands)(error, record, voice)


# Whose turn it is, and what can be done at which moment.


def _not_your_turn(error: NotYourTurn, record: TableRecord | None, voice: Voice) -> str:
    if record is None or not error.waiting_for:
        return voice.gettext("It's not your turn.")
    names = Names.at(record, voice)
    if len(error.waiting_for) == 1:
        return voice.gettext("It's {player}'s turn.", player=names[error.waiting_for[0]])
    return _waiting(error.waiting_for, names, voice)


def _waiting(seats: Iterable[Seat], names: Names, voice: Voice) -> str:
    return voice.gettext("Waiting for {players}.", players=voice.listing(names[seat] for seat in seats))


def _wrong_phase(error: WrongPhase, record: TableRecord | None, voice: Voice) -> str:
    rules = record.agreement.rules if record is not None else None
    mistake = voice.gettext(_mistake(error, rules), number=ABSENCES_TO_CLAIM)
    return f"{mistake} {_what_now(error, record, voice)}"


_ORDER = {stage.value: place for place, stage in enumerate(Stage)}
"""The order of the stages within a deal."""

_TIMES: dict[type, tuple[Stage, str, str]] = {
    CutForFirstDeal: (
        Stage.CUTTING_FOR_DEAL,
        gettext_noop("It's too early to cut for the deal."),
        gettext_noop("The first dealer is known already."),
    ),
    Deal: (
        Stage.DEALING,
        gettext_noop("The first dealer isn't known yet."),
        gettext_noop("The cards are dealt already."),
    ),
    Discard: (
        Stage.DISCARDING,
        gettext_noop("The cards aren't dealt yet."),
        gettext_noop("You've discarded already."),
    ),
    CutStarter: (
        Stage.CUTTING,
        gettext_noop("The deck is cut after everybody has discarded."),
        gettext_noop("The deck is cut already."),
    ),
    PlayCard: (
        Stage.PLAYING,
        gettext_noop("The play hasn't started yet."),
        gettext_noop("The play is over."),
    ),
    SayGo: (Stage.PLAYING, gettext_noop("The play hasn't started yet."), gettext_noop("The play is over.")),
    CountAloud: (
        Stage.SHOWING,
        gettext_noop("Hands are counted after the play."),
        gettext_noop("All hands are counted."),
    ),
}
"""For moves that have their time in a deal: its stage, and what is said before it and afterwards."""


def _mistake(error: WrongPhase, rules: Rules | None) -> str:
    """The sentence that says why that kind of move cannot be made now."""
    if error.move is CountAloud and rules is not None and rules.counting is Counting.MACHINE:
        return gettext_noop("Hands are counted for you at this table.")
    if error.move is CallMuggins:
        if rules is not None and not rules.muggins:
            return gettext_noop("This table plays without muggins.")
        return gettext_noop("There's nothing to call muggins on.")
    if error.move is ClaimHeels:
        if rules is not None and not rules.heels_claimed:
            return gettext_noop("His heels are pegged for you at this table.")
        return gettext_noop("There are no heels to claim.")
    if error.move is LetStand:
        return gettext_noop("There's no count to let stand.")
    if error.move is ClaimGame:
        return gettext_noop("You can claim the game when somebody has missed {number} turns in a row.")
    if error.move in _TIMES:
        stage, early, late = _TIMES[error.move]
        if error.move is CutStarter and rules is not None and rules.seats == 2:
            early = gettext_noop("The deck is cut after both have discarded.")
        return early if _ORDER[error.stage] < _ORDER[stage.value] else late
    return gettext_noop("You can't do that now.")


def _what_now(error: WrongPhase, record: TableRecord | None, voice: Voice) -> str:
    """The player's possible moves, or the people for whom they wait."""
    if record is None or not error.waiting_for:
        return voice.gettext("Your hand shows what you can do: {hand}.", hand=voice.command("crib hand"))
    stage = Stage(error.stage)
    if error.seat not in error.waiting_for and stage is not Stage.DEALING:
        return _waiting(error.waiting_for, Names.at(record, voice), voice)
    match stage:
        case Stage.CUTTING_FOR_DEAL:
            return voice.gettext("Cut for the deal: {cut}.", cut=voice.command("crib cut"))
        case Stage.DEALING:
            return voice.gettext("Tap **Deal** for the next hand.")
        case Stage.DISCARDING:
            return voice.ngettext(
                "Choose {number} card for the crib: {discard}.",
                "Choose {number} cards for the crib: {discard}.",
                record.agreement.rules.discarded,
                discard=voice.command("crib discard"),
            )
        case Stage.CUTTING:
            return voice.gettext("Cut the deck to turn the starter: {cut}.", cut=voice.command("crib cut"))
        case Stage.PLAYING:
            return voice.gettext("It's your turn to play a card or say go.")
        case Stage.SHOWING:
            return voice.gettext("The show waits for you: {hand}.", hand=voice.command("crib hand"))
        case Stage.OVER:
            return voice.gettext("This game is over.")


# Cards, cuts and counts.


def _over_thirty_one(error: OverThirtyOne, _: TableRecord | None, voice: Voice) -> str:
    total = error.count + error.card.pips
    if not error.playable:
        return voice.gettext("That would make {total}. Nothing fits: tap **Go**.", total=total)
    highest = THIRTY_ONE - error.count
    if highest == 1:
        return voice.gettext("That would make {total}. Play an ace.", total=total)
    if highest == 8:
        return voice.gettext("That would make {total}. Play an 8 or lower.", total=total)
    return voice.gettext(
        "That would make {total}. Play a {highest} or lower.", total=total, highest=voice.number(highest)
    )


def _must_play(error: MustPlay, _: TableRecord | None, voice: Voice) -> str:
    playable = voice.listing((voice.faces.text(each) for each in error.playable), last="or")
    return voice.gettext("You can still play: {cards}.", cards=playable)


def _card_not_held(error: CardNotHeld, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "You don't have the {card}. Your cards: {hand}.",
        card=voice.faces.text(error.card),
        hand=voice.command("crib hand"),
    )


def _same_card_twice(error: SameCardTwice, _: TableRecord | None, voice: Voice) -> str:
    card = voice.faces.text(error.card)
    return voice.gettext("You named the {card} twice. Choose another card with it.", card=card)


def _wrong_number(error: WrongNumberOfCards, _: TableRecord | None, voice: Voice) -> str:
    return voice.ngettext(
        "Choose {number} card for the crib, not {given}.",
        "Choose {number} cards for the crib, not {given}.",
        error.wanted,
        given=voice.number(error.given),
    )


def _impossible(error: ImpossibleCount, _: TableRecord | None, voice: Voice) -> str:
    return voice.ngettext(
        "Nothing is worth {number} point here. Call {most} at most.",
        "Nothing is worth {number} points here. Call {most} at most.",
        error.points,
        most=voice.number(error.most),
    )


def _must_call(error: MustCallPoints, _: TableRecord | None, voice: Voice) -> str:
    card = voice.faces.text(error.card)
    return voice.gettext("With muggins you call your points: say what the {card} scores, or 0.", card=card)


def _too_near_the_end(error: CutTooNearTheEnd, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "A cut leaves 4 cards at each end. Choose a place from {first} to {last}.",
        first=voice.number(error.first),
        last=voice.number(error.last),
    )


def _no_such_seat(error: NoSuchSeat, _: TableRecord | None, voice: Voice) -> str:
    return voice.ngettext(
        "That seat doesn't exist. This table has {number}.",
        "That seat doesn't exist. This table has {number}.",
        error.seats,
    )


def _notation(error: NotationError, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext("I can't read that. I expected {expected}.", expected=error.expected)


# Tables and seats.


def _no_table(error: bot_errors.NoTable, _: TableRecord | None, voice: Voice) -> str:
    new = voice.command("crib new")
    match error.record.status if error.record else None:
        case Status.GATHERING:
            return voice.gettext("The game hasn't started yet: take all seats, then tap **Start**.")
        case Status.CANCELLED:
            return voice.gettext("This game was cancelled. Start another: {new}.", new=new)
        case _ if error.own:
            channels = voice.listing(f"<#{each.channel}>" for each in error.own)
            return voice.gettext("There's no table here. You play in {channels}.", channels=channels)
        case _:
            return voice.gettext("There's no table here. Start one: {new}.", new=new)


def _too_many_tables(error: bot_errors.TooManyTables, _: TableRecord | None, voice: Voice) -> str:
    servers = dict.fromkeys(server_of(each, voice) for each in error.records)
    return voice.gettext(
        "You're at several tables (in {servers}). Use the command in the channel of the one you mean.",
        servers=voice.listing(servers),
    )


def _rests(error: bot_errors.TableRests, _: TableRecord | None, voice: Voice) -> str:
    return resting(error.record, voice)


def _not_in_server(error: bot_errors.NotInServer, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "You're no longer in {server}, so you can't play at its tables.",
        server=server_of(error.record, voice),
    )


def _timed_out(error: bot_errors.TimedOut, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "You're timed out in {server} until {time}, so you can't play at its tables.",
        server=server_of(error.record, voice),
        time=f"<t:{error.until}:f>",
    )


def _not_seated(error: bot_errors.NotSeated, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "This game is between {players}. You can watch, or start your own in another channel: {new}.",
        players=_players(error.record, voice),
        new=voice.command("crib new"),
    )


def _not_at_table(error: bot_errors.NotAtTable, _: TableRecord | None, voice: Voice) -> str:
    record = error.record
    if record.status is not Status.GATHERING:
        return voice.gettext(
            "Only those who played can ask for a rematch. Start your own game: {new}.",
            new=voice.command("crib new"),
        )
    if len(record.occupants) < record.agreement.players:
        return voice.gettext("You're not at this table yet. There's a free seat: tap **Join**.")
    names = Names.at(record, voice)
    people = voice.listing(names[seat] for seat in sorted(record.people))
    return voice.gettext("Only {players} can do that at this table.", players=people)


def _not_called(error: bot_errors.NotCalled, _: TableRecord | None, voice: Voice) -> str:
    record = error.record
    if not record.awaited:
        return voice.gettext("This table is open to everybody: press *Join* if you'd like to play.")
    return voice.gettext(
        "That button is for {player}. *Join* is for everybody.",
        player=voice.listing(awaited_names(record, voice)),
    )


def _not_host(error: bot_errors.NotHost, _: TableRecord | None, voice: Voice) -> str:
    record = error.record
    seat = record.seat_of(record.host)
    if seat is None:
        return voice.gettext("Only the host can change that.")
    names = Names.at(record, voice)
    return voice.gettext("Only {player} can change that: it's their table.", player=names[seat])


def _already_seated(error: bot_errors.AlreadySeated, _: TableRecord | None, voice: Voice) -> str:
    record = error.record
    missing = record.agreement.players - len(record.occupants)
    if missing <= 0:
        return voice.gettext("You have a seat. The table is full: tap **Start**.")
    if record.held:
        return voice.gettext("You have a seat. The rematch starts when everyone is back.")
    return voice.ngettext(
        "You have a seat. Waiting for {number} more player.",
        "You have a seat. Waiting for {number} more players.",
        missing,
    )


def _table_full(error: bot_errors.TableFull, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "This table is full: {players}. Start your own in another channel or a thread: {new}.",
        players=_players(error.record, voice),
        new=voice.command("crib new"),
    )


def _seat_held(error: bot_errors.SeatHeld, _: TableRecord | None, voice: Voice) -> str:
    return held_line(awaited_names(error.record, voice), error.record, voice)


def _nobody_away(_error: object, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "Everyone is here. The computer can step in for somebody who has missed {number} turns in a row.",
        number=ABSENCES_TO_CLAIM,
    )


def _not_enough(error: bot_errors.NotEnoughPlayers, _: TableRecord | None, voice: Voice) -> str:
    missing = max(error.record.agreement.players - len(error.record.occupants), 0)
    return voice.ngettext(
        "You need {number} more player to start.",
        "You need {number} more players to start.",
        missing,
    )


def _begun(
    error: bot_errors.AlreadyBegun, _: TableRecord | None, voice: Voice, reader: int | None = None
) -> str:
    """The sentence for a player of the game, or for anybody else."""
    match error.record.status:
        case Status.CANCELLED:
            return voice.gettext(
                "This game was cancelled. Start another: {new}.", new=voice.command("crib new")
            )
        case Status.OVER:
            return _over(error, None, voice)
        case _:
            if reader is not None and error.record.seat_of(reader) is not None:
                return voice.gettext("You're in this game: press *My hand*.")
            if error.record.is_direct:
                return voice.gettext("This game is on. You can watch it here.")
            return voice.gettext(
                "This game is on. Watch, or start yours in another channel: {new}.",
                new=voice.command("crib new"),
            )


_over = _say(
    gettext_noop("This game is over. Play again: {rematch} or {new}."), rematch="crib rematch", new="crib new"
)


def _stale_button(error: bot_errors.StaleButton, _: TableRecord | None, voice: Voice) -> str:
    if error.now and error.now != error.deal:
        way = voice.gettext("Your hand: {hand}.", hand=voice.command("crib hand"))
        return f"{stale_note(error, voice)} {way}"
    return voice.gettext(
        "That button is from an earlier game. Start another: {new}.", new=voice.command("crib new")
    )


def stale_note(error: bot_errors.StaleButton, voice: Voice) -> str:
    """The note about a button of another deal, above the current hand."""
    now = voice.number(error.now)
    if error.deal == 0:
        return voice.gettext("The cut for the deal is over: you're in deal {now}.", now=now)
    deal = voice.number(error.deal)
    return voice.gettext("That button is from deal {deal}, and you're in deal {now}.", deal=deal, now=now)


def _tables_enough(error: bot_errors.TablesEnough, _: TableRecord | None, voice: Voice) -> str:
    player = escaped(plain(error.person.name, voice.gettext("somebody")))
    if error.are_live:
        return voice.ngettext(
            "{player} is playing {number} game, the most there can be. Finish one first.",
            "{player} is playing {number} games, the most there can be. Finish one first.",
            error.most,
            player=player,
        )
    return voice.ngettext(
        "{player} is at {number} table that hasn't started. Start or leave one first.",
        "{player} is at {number} tables that haven't started. Start or leave one first.",
        error.most,
        player=player,
    )


def _too_soon(error: bot_errors.TooSoon, _: TableRecord | None, voice: Voice) -> str:
    # A countdown would go on when it is over: nobody edits this answer. Discord shows whole minutes.
    minute = math.ceil(error.until / 60) * 60
    return voice.gettext("I just did that for you. You can ask again at {when}.", when=f"<t:{minute}:t>")


def _missing_permissions(error: bot_errors.MissingPermissions, _: TableRecord | None, voice: Voice) -> str:
    return voice.ngettext(
        "I can't do that here yet: I need the permission {names}. A server manager can give it to me.",
        "I can't do that here yet: I need the permissions {names}. A server manager can give them to me.",
        len(error.names),
        names=voice.listing(voice.gettext(_PERMISSIONS[name]) for name in error.names),
    )


_PERMISSIONS = {
    # Translators: the names of permissions as Discord's settings have them in your language.
    "View Channel": gettext_noop("View Channel"),
    # Translators: as above.
    "Send Messages": gettext_noop("Send Messages"),
    # Translators: as above.
    "Send Messages in Threads": gettext_noop("Send Messages in Threads"),
    # Translators: as above.
    "Create Public Threads": gettext_noop("Create Public Threads"),
    # Translators: as above; of voice channels.
    "Connect": gettext_noop("Connect"),
}
"""The permissions that the bot needs, by their names in `sync.permissions`."""


def _not_added(error: bot_errors.NotAddedToThread, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "I'm not in this private thread yet. Mention {me} in a message here to add me, then try again.",
        me=f"<@{error.bot}>",
    )


def _no_server(error: bot_errors.NoServer, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "That's for servers: use {command} in a channel of yours.", command=voice.command(error.command)
    )


def _shut_elsewhere(error: bot_errors.ShutElsewhere, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "I can't write in {channel} at the moment. {new} there says what I need.",
        channel=f"<#{error.channel}>",
        new=voice.command("crib new"),
    )


def _channel_taken(error: bot_errors.ChannelTaken, _: TableRecord | None, voice: Voice) -> str:
    table = voice.command("crib table")
    if error.is_direct:
        return voice.gettext(
            "There's already a table here: {table}. {end} makes room for another.",
            table=table,
            end=voice.command("crib end"),
        )
    return voice.gettext(
        "There's already a table here: {table}. Start yours in another channel or a thread.", table=table
    )


def _not_posted(error: bot_errors.NotPosted, _: TableRecord | None, voice: Voice) -> str:
    if error.record.is_anywhere:
        return voice.gettext(
            "Discord lets only you see what I post here, so I've closed your table again. {new} opens it.",
            new=voice.command("crib new"),
        )
    if error.record.is_in_dm:
        return voice.gettext(
            "Discord doesn't let me write to you here, so I've closed your table again. "
            "Allow direct messages in a server where I am, then try again."
        )
    return voice.gettext(
        "Discord doesn't let me post your table in {channel}, so I've closed it again. "
        "Ask a moderator whether I may write there, or play in another channel.",
        channel=f"<#{error.record.channel}>",
    )


# Coaching, and what was typed.


def _wrong_number_of_players(error: WrongNumberOfPlayers, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "{rules} rules are for {players} players, not {given}. Choose others, or another number of players.",
        rules=voice.gettext(PRESET_NAMES[error.preset]),
        players=voice.listing(map(voice.number, error.wanted), last="or"),
        given=voice.number(error.given),
    )


def _wrong_deal(error: bot_errors.WrongDeal, _: TableRecord | None, voice: Voice) -> str:
    if error.twice is not None:
        return _twice_in_the_pack(error.twice, voice)
    given = voice.number(error.given)
    match error.players:
        case None:
            return voice.gettext(
                "You gave {given} cards: type 6 for two players, 5 for three or four.", given=given
            )
        case 2:
            return voice.gettext("Two players get 6 cards each, and you gave {given}.", given=given)
        case players:
            return voice.gettext(
                "{players} players get 5 cards each, and you gave {given}.", players=players, given=given
            )


def _wrong_hand(error: bot_errors.WrongHand, _: TableRecord | None, voice: Voice) -> str:
    if error.twice is not None:
        return _twice_in_the_pack(error.twice, voice)
    return voice.gettext(
        "A hand has 3 or 4 cards, and you gave {given}. Try `5h 5c 5s jd` with starter `5d`.",
        given=voice.number(error.given),
    )


def _twice_in_the_pack(card: Any, voice: Voice) -> str:
    return voice.gettext("You named the {card} twice, and a deck has only one.", card=voice.faces.text(card))


def _not_finished(error: bot_errors.NotFinished, _: TableRecord | None, voice: Voice) -> str:
    match error.record.status if error.record else None:
        case Status.PLAYING | Status.GATHERING:
            return voice.gettext("That game isn't over yet. You can review it afterwards.")
        case Status.CANCELLED:
            return voice.gettext("That game was cancelled, so there's nothing to review.")
        case _:
            return voice.gettext("You haven't finished a game here yet. Play one, then review it.")


def _not_played(error: bot_errors.NotPlayed, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "Only {players} can review this game: they played it.", players=_players(error.record, voice)
    )


def _not_a_card(error: bot_errors.NotACard, _: TableRecord | None, voice: Voice) -> str:
    typed = escaped(plain(error.text, voice.gettext("nothing")))
    return voice.gettext(
        "I can't read “{typed}” as cards. Type them like `5h`, `10d` or `5h jd`.", typed=typed
    )


def _not_a_number(error: bot_errors.NotANumber, _: TableRecord | None, voice: Voice) -> str:
    typed = escaped(plain(error.text, voice.gettext("nothing")))
    return voice.gettext("“{typed}” isn't a number. Type one like `8`, or `0`.", typed=typed)


def _out_of_range(error: bot_errors.NumberOutOfRange, _: TableRecord | None, voice: Voice) -> str:
    first, last = voice.number(error.first), voice.number(error.last)
    return voice.gettext("Choose a number from {first} to {last}.", first=first, last=last)


def _wrong_length(error: bot_errors.WrongLength, _: TableRecord | None, voice: Voice) -> str:
    return voice.gettext(
        "Length: “{typed}” isn't a number from {first} to {last}. Type one like `121`. Nothing has changed.",
        typed=escaped(plain(error.text, voice.gettext("nothing"))),
        first=error.first,
        last=error.last,
    )


def _wrong_time(error: bot_errors.WrongTime, _: TableRecord | None, voice: Voice) -> str:
    first, last = (turn_text(each, voice) for each in (NUMBERS[Setting.TIME][0], NUMBERS[Setting.TIME][-1]))
    return voice.gettext(
        "Time for a turn: “{typed}” isn't a time from {first} to {last}. Type one like `90 s`, `5 min` or "
        "`12 h`. Nothing has changed.",
        typed=escaped(plain(error.text, voice.gettext("nothing"))),
        first=first,
        last=last,
    )


def _start_up(error: StartUpError, *_: object) -> str:
    """For the bot's owner, in English."""
    return f"The bot cannot start: {str(error).removesuffix('.')}."


def _players(record: TableRecord, voice: Voice) -> str:
    names = Names.at(record, voice)
    return voice.listing(names[Seat(seat)] for seat in range(len(record.occupants)))


_unsaved = _say(gettext_noop("I couldn't save that just now, so nothing has changed. Please press again."))

SENTENCES: dict[type[BaseException], _Sentence] = {
    EngineError: _say(
        gettext_noop("That doesn't work in this game. Your hand shows what does: {hand}."), hand="crib hand"
    ),
    NoComputerFamily: _say(
        gettext_noop("The computer can't play by these rules. Choose others, or play with people.")
    ),
    NotCoached: _say(gettext_noop("The coach doesn't know this game. It can judge the usual one.")),
    RulesError: _say(
        gettext_noop("Those rules don't go together. {rules} shows which do."), rules="crib rules"
    ),
    WrongNumberOfPlayers: _wrong_number_of_players,
    CannotCount: _say(gettext_noop("Those cards aren't a hand and a starter. Each card can be there once.")),
    NotationError: _notation,
    PositionError: _say(gettext_noop("I can't read that position: no game gets there.")),
    LogError: _say(
        gettext_noop("I can't read this game's record. Please tell the person who runs this bot.")
    ),
    GameIsOver: _over,
    IllegalMove: _say(
        gettext_noop("You can't do that now. Your hand shows what you can do: {hand}."), hand="crib hand"
    ),
    NoSuchSeat: _no_such_seat,
    NotYourTurn: _not_your_turn,
    WrongPhase: _wrong_phase,
    CardNotHeld: _card_not_held,
    SameCardTwice: _same_card_twice,
    WrongNumberOfCards: _wrong_number,
    OverThirtyOne: _over_thirty_one,
    MustPlay: _must_play,
    CutTooNearTheEnd: _too_near_the_end,
    CutThereAlready: _say(gettext_noop("Somebody has already cut there. Choose another place.")),
    MugginsSpent: _say(
        gettext_noop("Your muggins call for this count is used up. You can call again on the next.")
    ),
    ImpossibleCount: _impossible,
    MustCallPoints: _must_call,
    PointsNotCalled: _say(
        gettext_noop("Points are pegged for you at this table. Play the card without calling any.")
    ),
    bot_errors.BotError: _say(gettext_noop("I can't do that. {help} shows what I can do."), help="crib help"),
    bot_errors.RoomError: _say(
        gettext_noop("That doesn't work here. {help} shows what does."), help="crib help"
    ),
    bot_errors.Refused: _refused,
    bot_errors.NoTable: _no_table,
    bot_errors.TooManyTables: _too_many_tables,
    bot_errors.TableRests: _rests,
    bot_errors.NotInServer: _not_in_server,
    bot_errors.TimedOut: _timed_out,
    bot_errors.NotSeated: _not_seated,
    bot_errors.NotAtTable: _not_at_table,
    bot_errors.NotHost: _not_host,
    bot_errors.NotCalled: _not_called,
    bot_errors.NoDeck: _say(
        gettext_noop("This table is older than honest decks. The next one you open has one.")
    ),
    bot_errors.AlreadySeated: _already_seated,
    bot_errors.TableFull: _table_full,
    bot_errors.SeatHeld: _seat_held,
    bot_errors.NoComputer: _say(gettext_noop("There's no computer at this table to remove.")),
    bot_errors.NobodyAway: _nobody_away,
    bot_errors.NotEnoughPlayers: _not_enough,
    bot_errors.MatchGoesOn: _say(
        gettext_noop("Seats and rules stay the same for the whole match. {end} ends it."), end="crib end"
    ),
    bot_errors.AlreadyBegun: _begun,
    bot_errors.StaleButton: _stale_button,
    bot_errors.NotACard: _not_a_card,
    bot_errors.WrongHand: _wrong_hand,
    bot_errors.WrongDeal: _wrong_deal,
    bot_errors.NotFinished: _not_finished,
    bot_errors.NotPlayed: _not_played,
    bot_errors.NoServer: _no_server,
    bot_errors.NotANumber: _not_a_number,
    bot_errors.NumberOutOfRange: _out_of_range,
    bot_errors.WrongLength: _wrong_length,
    bot_errors.WrongTime: _wrong_time,
    bot_errors.TablesEnough: _tables_enough,
    bot_errors.TooSoon: _too_soon,
    bot_errors.MissingPermissions: _missing_permissions,
    bot_errors.NotAddedToThread: _not_added,
    bot_errors.ShutElsewhere: _shut_elsewhere,
    bot_errors.NotPosted: _not_posted,
    bot_errors.StoreError: _say(
        gettext_noop("I couldn't save that, so nothing has changed. Please try again.")
    ),
    bot_errors.NoSuchGame: _say(
        gettext_noop("I don't know that game any more. Start another: {new}."), new="crib new"
    ),
    bot_errors.StaleGame: _say(gettext_noop("The table moved on just as you pressed. Please press again.")),
    bot_errors.ChannelTaken: _channel_taken,
    bot_errors.IdTaken: _say(gettext_noop("I couldn't set up that table. Please try again.")),
    bot_errors.DamagedGame: _say(
        gettext_noop(
            "I can't read this game any more, so it can't go on. {end} clears the channel for another. "
            "Please tell the person who runs this bot."
        ),
        end="crib end",
    ),
    bot_errors.StoreUnavailable: _unsaved,
    bot_errors.OutcomeUnknown: _say(
        gettext_noop("I can't tell yet whether that was saved. Please have another look in a moment.")
    ),
    bot_errors.LeaseLost: _unsaved,
    StartUpError: _start_up,
    SettingsError: _start_up,
    DatabaseTooNew: _start_up,
    DatabaseOfDevelopment: _start_up,
    DatabaseTooOld: _start_up,
    DatabaseUnusable: _start_up,
    DatabaseDamaged: _start_up,
    DatabaseInUse: _start_up,
    ShardsDiffer: _start_up,
    LibraryLacking: _start_up,
    NotCopied: _start_up,
    UpgradeNotCopied: _start_up,
    DatabaseLost: _start_up,
}
"""The sentence of each error class, or a function that makes it."""
