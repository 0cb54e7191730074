"""A player's own hand, sent by DM or as an ephemeral message: everything needed to play without the table.

Buttons are never disabled: a message may be older than the state of the game, so legality is checked when a
button is pressed. The colour of a card's button shows whether it could be played when the hand was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord
from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import (
    BAIZE,
    GOLD,
    Part,
    address,
    button,
    container,
    layout,
    link,
    row,
    rule,
    select,
    subtext,
    text,
)
from bot.render.messages.substitutes import cover_hint
from bot.render.text.calls import heard_by
from bot.render.text.faces import spelled_out
from bot.render.text.names import Names, escaped, plain
from bot.render.text.turn import counted, for_seat
from bot.render.text.voice import Voice
from bot.render.text.words import listing, number, sentence, some, together
from engine import (
    MOST_IN_PLAY,
    CallMuggins,
    Card,
    Cards,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutStarter,
    Deal,
    LetStand,
    PlayerView,
    PublicEvent,
    Result,
    SayGo,
    Seat,
    Side,
    Source,
    Stage,
    TableView,
)

_STANDS_STILL = subtext("If this copy stands still, press *Refresh*.")


def hand_drawing(
    record: TableRecord,
    view: PlayerView,
    voice: Voice,
    *,
    table_url: str | None,
    events: Sequence[PublicEvent] = (),
    chosen: Cards = (),
    playing: Card | None = None,
    note: str | None = None,
    dm: bool,
    dms_closed: bool = False,
) -> Drawing:
    """The hand of one seat, for that player alone.

    `events` are those of the deal, from which the calls since the player's own last call are shown; `chosen`
    are the cards selected for the crib but not yet confirmed; `playing` is the card whose points are to be
    called; `note` is a remark on top. The message is ephemeral unless `dm`.
    """
    names = Names(record.names, view.table.rules)
    over = view.table.stage is Stage.OVER
    return layout(
        container(
            text(note),
            rule() if note else None,
            text(*_where(record, view, names)),
            text(*_cards(view, voice)),
            text(*_latest_calls(view, events, names, voice)),
            text(*_table(view, names, voice), f"**{_turn_or_result(view, names)}**"),
            *(() if over else _moves(record, view, voice, chosen, playing)),
            text(_STANDS_STILL) if not dm and _waits_for_others(view) else None,
            text(subtext(cover_hint(record, view))),
            _links(record, view.table, table_url, dm=dm, dms_closed=dms_closed),
            colour=GOLD if over else BAIZE,
        )
    )


def past_hand_drawing(record: TableRecord, deal: int, kept: Cards, discarded: Cards, voice: Voice) -> Drawing:
    """Replaces a hand's message when its deal is over: the cards that were held, and no buttons."""
    return layout(
        container(
            text(
                subtext(f"{_place(record)} · deal {deal}, played"),
                f"### {voice.faces.all(kept)}" if kept else None,
                subtext(f"Laid away: {voice.faces.all_small(discarded)}") if discarded else None,
            ),
            colour=BAIZE,
        )
    )


def _where(record: TableRecord, view: PlayerView, names: Names) -> Iterator[str]:
    table = view.table
    deal = f" · deal {table.deal_number}" if table.deal_number else ""
    whose = "your crib" if table.dealer == view.seat else f"{names.whose(table.dealer)} crib"
    yield subtext(f"{_place(record)}{deal} · {whose}")
    scores = enumerate(table.scores)
    yield subtext(" · ".join(together(names.side(Side(side)), score) for side, score in scores))


def _place(record: TableRecord) -> str:
    return f"Cribbage in {escaped(plain(record.place, 'a server'))} <#{record.channel}>"


def _waits_for_others(view: PlayerView) -> bool:
    return bool(view.table.waiting_for) and view.seat not in view.table.waiting_for


def _cards(view: PlayerView, voice: Voice) -> Iterator[str]:
    """The cards held, in large type, and those played and discarded."""
    table = view.table
    if view.hand:
        yield f"# {voice.faces.all(view.hand)}"
    played = _played(table, view.seat)
    if table.stage in {Stage.SHOWING, Stage.OVER} and not view.hand and played:
        yield f"# {voice.faces.all(sorted(played))}"
    elif played:
        yield subtext(f"Played: {voice.faces.all_small(played)}")
    if view.discarded:
        yield subtext(f"Laid away: {voice.faces.all_small(view.discarded)}")


def _played(table: TableView, seat: Seat) -> Cards:
    """The cards of this deal that the seat has played."""
    series = (*table.past_series, table.series)
    return tuple(each.card for some_cards in series for each in some_cards if each.seat == seat)


def _latest_calls(
    view: PlayerView, events: Sequence[PublicEvent], names: Names, voice: Voice
) -> Iterator[str]:
    """The latest calls of the play, for a player who does not look at the table."""
    if view.table.stage in {Stage.PLAYING, Stage.SHOWING}:
        yield from map(subtext, heard_by(view.seat, events, names, voice))


def _table(view: PlayerView, names: Names, voice: Voice) -> Iterator[str]:
    """The cards on the table that the player needs to play, to count or to call muggins."""
    table = view.table
    if table.starter is not None:
        yield f"Starter {voice.faces.text(table.starter)}"
    if table.series and table.stage is Stage.PLAYING:
        yield f"On the table {voice.faces.all(each.card for each in table.series)}"
    for shown in table.shown:
        is_open = shown.points is None or (shown.called is not None and not shown.settled)
        lies_above = shown.seat == view.seat and shown.source is Source.HAND
        if table.stage is Stage.SHOWING and is_open and not lies_above:
            says = f": {number(shown.called)}" if shown.called is not None else ""
            whose = "Your" if shown.seat == view.seat else names.whose(shown.seat)
            yield f"{whose} {shown.source.value} {voice.faces.all(shown.cards)}{says}"


def _turn_or_result(view: PlayerView, names: Names) -> str:
    """Whose turn it is, or that the player has to say go; after the game, the score."""
    if view.table.result is not None:
        return _final(view.table.result, names)
    if SayGo in view.legal_moves.kinds:
        return f"The count is {view.table.count}, and none of your cards goes: say go."
    return for_seat(view.table, view.seat, names)


def _final(result: Result, names: Names) -> str:
    won = result.scores[result.winner]
    lost = sorted((score for side, score in enumerate(result.scores) if side != result.winner), reverse=True)
    return f"{names.side(result.winner)} won, {won} to {listing(map(str, lost))}."


def _moves(
    record: TableRecord, view: PlayerView, voice: Voice, chosen: Cards, playing: Card | None
) -> Iterator[Part | None]:
    match view.table.stage:
        case Stage.DISCARDING:
            yield _discard_select(record, view, voice, chosen)
            yield _confirm_discard(record, view, voice, chosen)
        case Stage.PLAYING:
            yield row(*_card_buttons(record, view, voice))
            if playing is not None and playing in view.hand:
                yield _points_select(record, view, voice, playing)
        case _:
            # The other stages have no cards to choose from.
            pass
    yield row(*_other_moves(record, view))


def _discard_select(record: TableRecord, view: PlayerView, voice: Voice, chosen: Cards) -> Part:
    wanted = view.table.rules.discarded
    placeholder = "Or choose again" if view.discarded else f"Choose {some(wanted, 'card')}, then confirm"
    return select(
        address(record.game, view.table.deal_number, Verb.PICK),
        placeholder,
        (
            discord.SelectOption(
                label=voice.faces.plain(each),
                value=str(each),
                description=spelled_out(each),
                emoji=voice.faces.emoji(each),
                default=each in chosen,
            )
            for each in sorted((*view.hand, *view.discarded))
        ),
        number=wanted,
    )


def _confirm_discard(record: TableRecord, view: PlayerView, voice: Voice, chosen: Cards) -> Part | None:
    if not chosen:
        return None
    given = tuple(sorted(chosen))
    return row(
        button(
            address(record.game, view.table.deal_number, Verb.DISCARD, "".join(map(str, given))),
            f"Lay away {voice.faces.all_plain(given)}",
            style=ButtonStyle.success,
        )
    )


def _card_buttons(record: TableRecord, view: PlayerView, voice: Voice) -> Iterator[Part]:
    deal = view.table.deal_number
    playable = view.legal_moves.playable
    for each in view.hand:
        yield button(
            address(record.game, deal, Verb.PLAY, str(each)),
            voice.faces.plain(each),
            style=ButtonStyle.primary if each in playable else ButtonStyle.secondary,
            emoji=voice.faces.emoji(each),
        )
    if SayGo in view.legal_moves.kinds:
        yield button(address(record.game, deal, Verb.GO), "Go", style=ButtonStyle.primary)


def _points_select(record: TableRecord, view: PlayerView, voice: Voice, playing: Card) -> Part:
    return select(
        address(record.game, view.table.deal_number, Verb.CALL, str(playing)),
        f"{voice.faces.plain(playing)} makes {view.table.count + playing.pips}: call its points",
        (
            discord.SelectOption(
                label="Nothing" if points == 0 else sentence(number(points)), value=str(points)
            )
            for points in range(MOST_IN_PLAY + 1)
        ),
    )


def _other_moves(record: TableRecord, view: PlayerView) -> Iterator[Part]:
    """A button for each legal move that needs no card."""
    kinds = view.legal_moves.kinds

    def ask(verb: Verb, label: str, style: ButtonStyle = ButtonStyle.success) -> Part:
        return button(address(record.game, view.table.deal_number, verb), label, style=style)

    if ClaimGame in kinds:
        yield ask(Verb.CLAIM, "Claim the game", ButtonStyle.danger)
    if Deal in kinds:
        yield ask(Verb.DEAL, "Deal")
    if CutStarter in kinds:
        yield ask(Verb.CUT, "Cut")
    if ClaimHeels in kinds:
        yield ask(Verb.HEELS, "Claim his heels")
    if CountAloud in kinds:
        yield ask(Verb.COUNT, f"Count your {counted(view.table)}")
    if CallMuggins in kinds:
        yield ask(Verb.MUGGINS, "Muggins", ButtonStyle.danger)
    if LetStand in kinds:
        yield ask(Verb.STAND, "Let it stand", ButtonStyle.secondary)


def _links(
    record: TableRecord, table: TableView, table_url: str | None, *, dm: bool, dms_closed: bool
) -> Part | None:
    deal = table.deal_number
    return row(
        None if dm else button(address(record.game, deal, Verb.HAND), "Refresh"),
        button(address(record.game, deal, Verb.DM), "Send it by DM") if dms_closed else None,
        link(table_url, "To the table") if table_url else None,
    )
