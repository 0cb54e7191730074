"""The table message: one for each deal, edited during the deal, until it becomes the deal's show.

It is drawn from the table view and public events only. The board is a picture, or text if pictures cannot be
shown. The parts that change fast, the cards and calls of the running count, are text, with large cards. *Play
by play*, which is private, has the earlier counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.match import games_won
from bot.model.table_record import TableRecord, away, is_deserted
from bot.render.drawing import Drawing, DrawnFile, size_of
from bot.render.layouts import (
    FELT,
    GOLD,
    MOST_TEXT,
    Part,
    address,
    button,
    container,
    layout,
    length_of,
    picture,
    row,
    subtext,
    text,
)
from bot.render.messages.board import board as text_board
from bot.render.messages.board import legend
from bot.render.messages.cut import cut_buttons
from bot.render.text.calls import Calls, by_count, call_line, count_line, spoken_call
from bot.render.text.cut_for_deal import cutting_lines, dealer_lines
from bot.render.text.honest_deck import deck_on_deal
from bot.render.text.match_score import match_score
from bot.render.text.names import Names, escaped, plain
from bot.render.text.sides import Sides
from bot.render.text.speech import speech
from bot.render.text.turn import asleep, for_everybody
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import (
    MOST_USUAL_SEATS,
    Counting,
    DealBegan,
    PublicEvent,
    Seat,
    Stage,
    TableView,
)


def table_drawing(
    record: TableRecord,
    table: TableView,
    events: Sequence[PublicEvent],
    voice: Voice,
    *,
    open: bool = True,  # noqa: A002 -- the word for a table that can be played at
    board: DrawnFile | None = None,
    hand_behind_button: Sequence[str] = (),
    hand: Sequence[Part | None] = (),
    to_press_my_hand: Sequence[str] = (),
    calling: Sequence[str] = (),
    has_lost_moves: bool = False,
) -> Drawing:
    """The table with the running count of one deal; without buttons to play unless `open`.

    `events` are the deal's, and `table` is the table after the last of them. `board` is its picture; without
    it the board is text. `hand_behind_button` are the names, not yet escaped, of players whose DMs are
    closed; `to_press_my_hand` of those whose turn it is while their hand is out of sight. `calling` mentions
    players as their turn begins. In the DM of a
    single player, their `hand` replaces the turn and the public buttons. If it `has_lost_moves`, it says that
    the game has gone back.
    """
    voice = voice.by(record.agreement.preset)
    names = Names.at(record, voice)
    called = by_count(events, voice)
    is_over = table.result is not None
    above = "\n".join(_heading(record, table, events, names, voice, is_small=bool(hand)))
    drawn = "" if board else "\n".join((text_board(table, names), subtext(legend(table.rules, voice))))
    deal = "\n".join(_deal(table, called, names, voice, has_picture=board is not None))
    cards = _series(called, table, voice)
    can_cut = open and table.stage in _CUTS
    # With the hand, the seal stands before the cards are in play, and with the show again.
    is_sealed = not hand or table.stage not in _IN_PLAY
    below = (
        _turn(record, table, names, voice) if (open or is_over) and not hand else "",
        subtext(voice.gettext("Cut: thin or thick?")) if can_cut and not hand else "",
        _behind_button(hand_behind_button, voice) if open else "",
        _to_press(to_press_my_hand, voice) if open else "",
        *calling,
        subtext(lost_moves(voice)) if has_lost_moves else "",
        *(map(subtext, deck_on_deal(record, table.deal_number, voice, named=True)) if is_sealed else ()),
    )
    pressed = (
        table_buttons(record, table, voice, open=open, has_calls=bool(called.counts)),
        cut_buttons(record, table, voice) if can_cut else None,
    )
    said = _this_count(called, names, _most_calls(table, with_hand=bool(hand)))
    room = (
        MOST_TEXT - length_of(hand) - sum(size_of(part) + 1 for part in (above, drawn, deal, cards, *below))
    )
    return layout(
        container(
            picture(board) if board else None,
            text(above),
            text(drawn),
            text(deal, cards, " · ".join(_newest(said, room))),
            *map(text, below),
            *(hand or pressed),
            colour=GOLD if is_over else FELT,
        ),
        files=(board,) if board else (),
    )


def lost_moves(voice: Voice) -> str:
    """The sentence after an older copy of the database has come in its place."""
    return voice.gettext("The last moves were lost with my database, so the game has gone back a little.")


def _turn(record: TableRecord, table: TableView, names: Names, voice: Voice) -> str:
    return asleep(record, table, voice) or f"**{for_everybody(table, names, voice)}**"


def table_buttons(
    record: TableRecord,
    table: TableView,
    voice: Voice,
    *,
    open: bool,  # noqa: A002 -- as above
    has_calls: bool,
    deal: int | None = None,
) -> Part | None:
    """Buttons of a deal's message: to play if it is `open`, and to read its calls."""
    number = table.deal_number if deal is None else deal

    def ask(verb: Verb, label: str, style: ButtonStyle = ButtonStyle.success) -> Part:
        return button(address(record.game, number, verb), label, style=style)

    plays = plays_button(record, number, voice) if has_calls else None
    if not open:
        return row(plays)
    waits = bool(table.waiting_for)
    counts = table.stage is Stage.SHOWING and table.rules.counting is Counting.ALOUD
    to_count = counts and bool(table.shown) and table.shown[-1].points is None
    muggins = bool(table.muggins_open_to)
    is_asleep = is_deserted(record, table.absences)
    absent = away(record, table.absences) and not is_asleep  # who has left can't vote on a substitute
    buttons = [
        ask(Verb.WAKE, voice.gettext("Go on")) if is_asleep else None,
        ask(Verb.HAND, voice.gettext("My hand"), ButtonStyle.primary),
        ask(Verb.DEAL, voice.gettext("Deal")) if table.stage is Stage.DEALING and waits else None,
        ask(Verb.HEELS, sentence(speech(voice).heels_name)) if table.heels_open else None,
        ask(Verb.COUNT, voice.gettext("Count")) if to_count else None,
        ask(Verb.MUGGINS, voice.gettext("Muggins"), ButtonStyle.danger) if muggins else None,
        ask(Verb.STAND, voice.gettext("Let it stand"), ButtonStyle.secondary) if muggins and counts else None,
        ask(Verb.COVER, voice.gettext("Let the computer play"), ButtonStyle.secondary) if absent else None,
    ]
    present = [each for each in buttons if each is not None]
    return row(*present, plays if len(present) < _IN_A_ROW else None)


def plays_button(record: TableRecord, deal: int, voice: Voice) -> Part:
    """Button that shows every call of a deal."""
    return button(address(record.game, deal, Verb.PLAYS), voice.gettext("Play by play"))


_CUTS = frozenset({Stage.CUTTING_FOR_DEAL, Stage.CUTTING})
"""Stages in which the pack is cut."""

_IN_PLAY = frozenset({Stage.CUTTING, Stage.PLAYING})
"""Stages in which the table has the least room for its player's hand."""

_IN_A_ROW = 5
"""Discord's limit of buttons in a row."""


def _heading(
    record: TableRecord,
    table: TableView,
    events: Sequence[PublicEvent],
    names: Names,
    voice: Voice,
    *,
    is_small: bool,
) -> Iterator[str]:
    """The sides, more than two in small print if `is_small`; the deal, and what came before its play."""
    sides = Sides(record, names).all()
    yield subtext(sides) if is_small and table.rules.sides > 2 else sides
    began = next((event for event in events if isinstance(event, DealBegan)), None)
    if began is None:
        yield voice.gettext("**Who deals first?** The lowest card.")
    else:
        yield voice.gettext(
            "**Deal {deal}** · {player}'s crib", deal=began.number, player=names[began.dealer]
        )
    if record.won_before or record.agreement.is_match:
        yield subtext(match_score(record, games_won(record, table), names, voice))
    if table.rules.captain is not None:
        captain = Seat(table.rules.captain)
        yield subtext(
            voice.gettext(
                "{player} is captain, alone to {captain}; the others together to {target}",
                player=names[captain],
                captain=table.rules.captain_target,
                target=table.rules.target,
            )
        )
    yield from cutting_lines(table, events, names, voice)
    yield from map(subtext, dealer_lines(table, events, names, voice))


def _deal(table: TableView, called: Calls, names: Names, voice: Voice, *, has_picture: bool) -> Iterator[str]:
    """The starter, if no picture shows it, and the calls before the play."""
    if table.starter is not None and not has_picture:
        yield voice.gettext("### Starter {card}", card=voice.faces.text(table.starter))
    yield from (spoken_call(call, names) for call in called.starter if call.card is None)
    if table.heels_open:
        yield voice.gettext(
            "{player} may claim {heels} before playing a card.",
            player=names[table.dealer],
            heels=speech(voice).heels_name,
        )


def _series(called: Calls, table: TableView, voice: Voice) -> str:
    """Cards of the running count, or of the last one until the next card, in large."""
    if not called.counts or table.stage is not Stage.PLAYING:
        return ""
    return count_line([call.card for call in called.counts[-1] if call.card is not None], voice)


_MOST_CALLS = 3
"""Calls of a count on a table of five or six, the latest: a phone has no room for more."""
_MOST_CALLS_WITH_HAND = {2: 4, 3: 3, 4: 3, 5: 2, 6: 2}
"""The same with the player's hand, by number of players; *Play by play* has all calls."""


def _most_calls(table: TableView, *, with_hand: bool) -> int | None:
    """Limit of a count's calls; None for no limit."""
    seats = table.rules.seats
    if with_hand:
        return _MOST_CALLS_WITH_HAND[seats]
    return _MOST_CALLS if seats > MOST_USUAL_SEATS else None


def _this_count(called: Calls, names: Names, most: int | None) -> list[str]:
    """Calls of the running count, or of the last one; the latest if there are more than `most`."""
    said = [spoken_call(call, names) for call in called.counts[-1]] if called.counts else []
    return said if most is None else said[-most:]


def _newest(said: list[str], room: int) -> list[str]:
    """The latest of the calls that fit `room` characters with their separators; usually all."""
    kept: list[str] = []
    for each in reversed(said):
        room -= size_of(each) + size_of(" · ")
        if room < 0:
            break
        kept.insert(0, each)
    return kept


def _behind_button(players: Sequence[str], voice: Voice) -> str:
    if not players:
        return ""
    who = voice.listing(escaped(plain(name)) for name in players)
    return subtext(
        voice.ngettext(
            "I can't reach {players} by DM: their cards are behind *My hand*.",
            "I can't reach {players} by DM: their cards are behind *My hand*.",
            len(players),
            players=who,
        )
    )


def _to_press(players: Sequence[str], voice: Voice) -> str:
    if not players:
        return ""
    who = voice.listing(f"**{escaped(plain(name))}**" for name in players)
    # English has one form; other languages address one player or several.
    return voice.ngettext(
        "{players}: press *My hand*", "{players}: press *My hand*", len(players), players=who
    )


def plays_drawing(record: TableRecord, events: Sequence[PublicEvent], voice: Voice) -> Drawing:
    """All calls of one deal's play, one line for each count."""
    voice = voice.by(record.agreement.preset)
    names = Names.at(record, voice)
    called = by_count(events, voice)
    began = next((event for event in events if isinstance(event, DealBegan)), None)
    lines = [
        *(call_line(call, names, voice) for call in called.starter),
        *(" · ".join(call_line(call, names, voice) for call in count) for count in called.counts),
    ]
    heading = voice.gettext("### Deal {deal}, play by play", deal=began.number if began else 0)
    return layout(container(text(heading), text(*_newest(lines, MOST_TEXT - size_of(heading) - 1))))
