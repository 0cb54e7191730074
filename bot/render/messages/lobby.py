"""The lobby: the message of a table before its game begins, and its replacement afterwards.

It has the actions open to everybody. `own_seat` has a person's own, `rules_panel` the rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import OwnThread, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import FELT, RED, Part, address, button, container, layout, row, subtext, text
from bot.render.text.awaited import awaited_names, held_until
from bot.render.text.honest_deck import words_given
from bot.render.text.match_score import match_score
from bot.render.text.names import Names, escaped, plain
from bot.render.text.rules import rules_in_short
from bot.render.text.voice import Voice
from engine import Side


def lobby_drawing(record: TableRecord, voice: Voice) -> Drawing:
    """The lobby; without buttons once the game has begun or was called off."""
    is_open = record.status is Status.GATHERING
    awaited = awaited_names(record, voice) if is_open else ()
    called = called_by(record)
    return layout(
        container(
            text(
                f"## {_heading(record, voice)}",
                _closed(record, voice) or _place(record, voice),
                _call(called if is_open and called in record.awaited else None, voice),
            ),
            text("\n".join(_seated(record, awaited, voice)))
            if record.status is not Status.CANCELLED
            else None,
            text(_match(record, voice)) if record.goes_on_in_match else None,
            text(
                _state(record, awaited, voice),
                subtext(_agreed(record, voice)),
                *map(subtext, words_given(record, voice)),
                *map(subtext, _added_lines(record, voice)),
            )
            if is_open
            else None,
            _buttons(record, voice, is_held=bool(awaited)) if is_open else None,
            _added_buttons(record, voice) if is_open else None,
            colour=RED if record.status is Status.CANCELLED else FELT,
        )
    )


def called_by(record: TableRecord) -> int | None:
    """The person whom the lobby invites, until they sit down or the table stops gathering."""
    is_gathering = record.status is Status.GATHERING
    return record.called if is_gathering and record.seat_of(record.called) is None else None


def calling_line(record: TableRecord, user: int, voice: Voice) -> str:
    """First text of a lobby that invites `user`; a phone's notification shows it, but no components."""
    return voice.gettext(
        "{player}, {host} wants to play cribbage with you!",
        player=f"<@{user}>",
        host=escaped(plain(_host(record))),
    )


def _agreed(record: TableRecord, voice: Voice) -> str:
    rules = rules_in_short(record.agreement, voice)
    return f"{rules} · {voice.gettext('own thread')}" if record.thread is OwnThread.WANTED else rules


def _closed(record: TableRecord, voice: Voice) -> str | None:
    """Reason of a lobby's closing, if it timed out."""
    if record.status is not Status.CANCELLED or not record.timed_out:
        return None
    if record.goes_on_in_match:
        return voice.gettext("Nobody started the next game.")
    return voice.gettext(
        "Nobody joined or changed anything for an hour. Open another: {command}",
        command=voice.command("crib new"),
    )


def _place(record: TableRecord, voice: Voice) -> str | None:
    """The game's channel or thread, if a thread was wanted."""
    match record.thread:
        case OwnThread.OPEN if record.status is not Status.GATHERING:
            return voice.gettext("It's played in {thread}.", thread=f"<#{record.channel}>")
        case OwnThread.REFUSED:
            return voice.gettext("I may not open a thread here, so it's played in this channel.")
        case _:
            return None


def _call(user: int | None, voice: Voice) -> str | None:
    """Mention of the invited person."""
    return voice.gettext("{player}, will you play?", player=f"<@{user}>") if user is not None else None


def _heading(record: TableRecord, voice: Voice) -> str:
    match record.status:
        case Status.CANCELLED:
            if record.goes_on_in_match:
                return voice.gettext("The match ended without a winner")
            return voice.gettext("Table closed")
        case Status.PLAYING | Status.OVER:
            return voice.gettext("The game is on")
        case Status.GATHERING:
            if record.goes_on_in_match:
                return voice.gettext("Game {number} of the match", number=len(record.match_before) + 1)
            host = escaped(plain(_host(record)))
            if record.rematch_of:
                return voice.gettext("{player} wants a rematch", player=host)
            return voice.gettext("{player} wants to play cribbage", player=host)


def _host(record: TableRecord) -> str:
    return next((each.name for each in record.occupants if each.user == record.host), "")


def _seated(record: TableRecord, awaited: tuple[str, ...], voice: Voice) -> Iterator[str]:
    """The colour and occupants of each side, a line each; the first free seats are held for `awaited`."""
    seated = len(record.occupants)
    rules, names = record.agreement.rules, Names.at(record, voice)
    for side, colour in enumerate(record.colours):
        people = [
            f"**{names[seat]}**"
            if seat < seated
            else f"{awaited[seat - seated]}?"
            if seat - seated < len(awaited)
            else voice.gettext("*free*")
            for seat in rules.seats_of(Side(side))
        ]
        yield f"{colour.emoji} {' & '.join(people)}"


def _match(record: TableRecord, voice: Voice) -> str:
    """Score of the match, between two of its games and after."""
    return match_score(record, record.won_before, Names.at(record, voice), voice)


def _state(record: TableRecord, awaited: tuple[str, ...], voice: Voice) -> str:
    if record.goes_on_in_match:
        return voice.gettext("Ready? Anybody at the table can press *Next game*.")
    missing = record.agreement.players - len(record.occupants)
    if missing <= 0:
        return voice.gettext("All here: press *Start*.")
    if missing == len(awaited):
        return voice.gettext(
            "Waiting for {players} until {time}.", players=voice.listing(awaited), time=held_until(record)
        )
    return voice.ngettext("{number} seat is free.", "{number} seats are free.", missing - len(awaited))


def _buttons(record: TableRecord, voice: Voice, *, is_held: bool) -> Part | None:
    if record.goes_on_in_match:
        return row(
            button(
                address(record.game, 0, Verb.START), voice.gettext("Next game"), style=ButtonStyle.success
            ),
            button(address(record.game, 0, Verb.RULES), voice.gettext("Rules")),
            button(address(record.game, 0, Verb.SEAT), voice.gettext("My seat")),
        )
    is_full = len(record.occupants) >= record.agreement.players
    start = ButtonStyle.success if is_full else ButtonStyle.secondary
    join = ButtonStyle.secondary if is_full else ButtonStyle.success
    starting = button(address(record.game, 0, Verb.START), voice.gettext("Start"), style=start)
    declining = button(address(record.game, 0, Verb.DECLINE), voice.gettext("Not now"))
    return row(
        button(address(record.game, 0, Verb.JOIN), voice.gettext("Join"), style=join),
        None if is_held else starting,  # it would fail while a seat is held for somebody
        button(address(record.game, 0, Verb.RULES), voice.gettext("Rules")),
        button(address(record.game, 0, Verb.SEAT), voice.gettext("My seat")),
        declining if is_held else None,
    )


def _added_lines(record: TableRecord, voice: Voice) -> Iterator[str]:
    """Lines of features, for people who may be new; they name commands."""
    if _seats_strangers(record) and not record.is_anywhere:
        for lines in voice.additions.lobby_lines:
            yield from lines(voice)


def _added_buttons(record: TableRecord, voice: Voice) -> Part | None:
    """Buttons of features in place of their lines: between people, only some have the app's commands."""
    if not _seats_strangers(record) or not record.is_anywhere:
        return None
    return row(*(added(voice) for added in voice.additions.in_greeting))


def _seats_strangers(record: TableRecord) -> bool:
    """True for a first game: the players of a rematch, and of a match's next game, have played."""
    return not record.goes_on_in_match and record.rematch_of is None
