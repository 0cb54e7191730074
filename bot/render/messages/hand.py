"""A player's own hand, by DM or as an ephemeral message: everything needed to play without the table.

Its cards are buttons, and none is ever disabled, even if its card cannot be played: the message may be older
than the game's state, and a disabled button would block a card that fits by now. A card that did not fit when
the hand was drawn is grey, and pressing it answers with the reason. Legality is checked on the press.

At the table a hand is brief: the table is above it, and each peg would cost an edit. By DM it repeats
the table's news, with the pegs in a line of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import discord
from discord import ButtonStyle

from bot.model.custom_ids import ComponentId, Verb
from bot.model.preferences import Preferences
from bot.model.table_record import TableRecord, is_deserted
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
from bot.render.messages.cut import cut_buttons
from bot.render.messages.last_deal import LastDeal
from bot.render.messages.result import afterwards
from bot.render.messages.substitutes import cover_hint
from bot.render.text.automatic import automatic
from bot.render.text.calls import count_line, heard_by
from bot.render.text.cut_for_deal import cutting_lines, dealer_lines
from bot.render.text.explaining import MOST_REASONS, Heard, allowed, decision_of, reasons_since
from bot.render.text.names import Names
from bot.render.text.pegs import pegs_line
from bot.render.text.places import place_of
from bot.render.text.sides import Sides
from bot.render.text.speech import speech
from bot.render.text.turn import asleep, cutter_of, for_seat, is_crib, yours_to_discard
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import (
    MOST_IN_PLAY,
    MOST_USUAL_SEATS,
    CallMuggins,
    CameBack,
    Card,
    CardPlayed,
    Cards,
    CardsDiscarded,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutForDeal,
    CutForFirstDeal,
    CutStarter,
    GoSaid,
    HandCounted,
    LetStand,
    PlayerView,
    PublicEvent,
    Result,
    SayGo,
    Seat,
    Shown,
    Side,
    Source,
    Stage,
    StarterCut,
)

_A_ROW = 5
"""Discord's limit of buttons in a row."""
_CARDS_A_ROW = 4
"""Cards in one row: on a phone a fifth button would wrap to a line of its own."""
_FEW_CARDS = 2
"""Limit of cards beside which *What was that?* has room in a row on a phone."""
_OFTEN_CALLED = (0, 2, 3, 4)
"""Points with a button of their own under muggins, the same for every card; *More* has the others."""
_CHOSEN = "✓"
_MOVED = CutForDeal | CardsDiscarded | CardPlayed | GoSaid | StarterCut | HandCounted
"""Events that the clock may cause in a player's place, and that their hand mentions."""


_SHOWN = frozenset({Stage.SHOWING, Stage.DEALING})
"""Stages in which the table in the bot's DM shows the hands."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A card whose points its player has to call."""

    card: Card = field(repr=False)
    more: bool = False
    """True to offer the points that have no button of their own."""


def hand_drawing(
    record: TableRecord,
    view: PlayerView,
    voice: Voice,
    *,
    table_url: str | None,
    events: Sequence[PublicEvent] = (),
    chosen: Cards = (),
    asked: Asked | None = None,
    note: str | None = None,
    likes: Preferences | None = None,
    last: LastDeal | None = None,
    heard: Heard | None = None,
    dm: bool,
) -> Drawing:
    """The hand of one seat, for that player only.

    `events` are the deal's; `chosen` are the cards tapped for the crib but not discarded yet; `asked` is the
    card whose points are to be called; `note` is a remark on top; `likes` are the player's preferences;
    `last` is the summary of the deal before; `heard` is there if scores are explained to the player. The
    message is ephemeral unless `dm`.
    """
    voice = voice.by(record.agreement.preset)
    names = Names.at(record, voice)
    over = view.table.stage is Stage.OVER
    asked = _still_asked(asked, view)
    options = [*_allowed(view, heard, names, voice, chosen, asked)]
    if last and _is_crowded(view, chosen, has_options=bool(options)):
        last = replace(last, show=None)
    has_room = not options and not (last and last.show)
    rows = _Rows(
        record=record,
        view=view,
        voice=voice,
        chosen=chosen,
        asked=asked,
        likes=likes or Preferences(),
        table_url=table_url,
        heard=heard,
        dm=dm,
    )
    return layout(
        container(
            *(last.parts if last else ()),
            text(note),
            rule() if note else None,
            text(*_head(record, view, names, voice, chosen, dm=dm)),
            text(
                *_table(view, names, voice),
                *(_heard(view, events, names, voice, scoring=heard is None) if dm else ()),
            ),
            text(
                *_own(view, events, chosen, voice),
                *_reasons(view, heard, names, voice, in_table=False, has_room=has_room),
            ),
            text(asleep(record, view.table, voice) or _now(view, names, voice, chosen, asked), *options),
            *rows.all(),
            text(subtext(cover_hint(record, view, voice))),
            colour=(last and last.colour) or (GOLD if over else BAIZE),
        ),
        files=last.files if last else (),
    )


def _is_crowded(view: PlayerView, chosen: Cards, *, has_options: bool) -> bool:
    """True if the hand has no room on a phone for the picture of the last deal.

    Its player has seen it before they discarded, unless they give no card; with muggins there are more calls
    and buttons then, and the picture of more than two players has more hands. Five or six have no room beside
    the options of a first discard either.
    """
    table, rules = view.table, view.table.rules
    if is_choosing(view, chosen):
        return has_options and rules.seats > MOST_USUAL_SEATS
    is_past = table.stage in {Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING, Stage.SHOWING}
    return is_past and (rules.muggins or rules.seats > 2)


def promised_hand_drawing(voice: Voice) -> Drawing:
    """Placeholder of a hand whose game begins once its table is posted."""
    return layout(container(text(voice.gettext("Your table is open: your hand comes here.")), colour=BAIZE))


def hand_parts(
    record: TableRecord,
    view: PlayerView,
    voice: Voice,
    *,
    events: Sequence[PublicEvent] = (),
    chosen: Cards = (),
    asked: Asked | None = None,
    note: str | None = None,
    likes: Preferences | None = None,
    heard: Heard | None = None,
    buttons: Sequence[Part] = (),
) -> tuple[Part | None, ...]:
    """The hand as a part of the table's message in the bot's DM, which its player alone reads.

    It leaves out what the table above it shows, such as the counts of a show. `buttons` follow the hand's
    own; see `hand_drawing` for the other arguments.
    """
    voice = voice.by(record.agreement.preset)
    names, table = Names.at(record, voice), view.table
    asked = _still_asked(asked, view)
    rows = _Rows(
        record=record,
        view=view,
        voice=voice,
        chosen=chosen,
        asked=asked,
        likes=likes or Preferences(),
        table_url=None,
        heard=heard,
        dm=True,
        buttons=tuple(buttons),
    )
    choosing = yours_to_discard(table, view.seat, names, voice) if is_choosing(view, chosen) else None
    options = [*_allowed(view, heard, names, voice, chosen, asked)]
    reasons = _reasons(view, heard, names, voice, in_table=True, has_room=not options)
    has_discard = table.stage is not Stage.PLAYING or table.rules.seats <= MOST_USUAL_SEATS
    return (
        text(
            *_own(view, events, chosen, voice, has_discard=has_discard),
            *(() if table.stage in _SHOWN else reasons),
        ),
        text(
            f"# {voice.faces.all(view.hand)}" if CutStarter in view.legal_moves.kinds else None,
            note,
            f"**{choosing}**" if choosing else _now(view, names, voice, chosen, asked),
            *options,
        ),
        *rows.all(),
    )


def past_hand_drawing(
    record: TableRecord,
    deal: int,
    kept: Cards,
    discarded: Cards,
    voice: Voice,
    *,
    by_clock: bool = False,
) -> Drawing:
    """Replaces a hand's message after its deal: the cards held, without buttons.

    `by_clock` says that the clock chose the discard.
    """
    given = _discarded_by_clock(discarded, voice) if by_clock else _discarded(discarded, voice)
    return layout(
        container(
            text(
                subtext(f"{voice.gettext('Deal {deal} is over', deal=deal)} · {place_of(record, voice)}"),
                f"### {voice.faces.all(kept)}" if kept else None,
                subtext(given) if discarded else None,
            ),
            colour=BAIZE,
        )
    )


def is_choosing(view: PlayerView, chosen: Cards) -> bool:
    """True if the player has cards to choose for the crib: not discarded yet, or choosing again."""
    has_chosen = bool(view.discarded) or _gives_none(view)
    return view.table.stage is Stage.DISCARDING and (bool(chosen) or not has_chosen)


def _gives_none(view: PlayerView) -> bool:
    """True while the others discard at a table of five or six, where the crib spares this player."""
    table = view.table
    return table.stage is Stage.DISCARDING and not table.rules.discards_of(view.seat, table.dealer)


# Texts.


def _head(
    record: TableRecord, view: PlayerView, names: Names, voice: Voice, chosen: Cards, *, dm: bool
) -> Iterator[str]:
    """The deal; by DM also the starter, a link to the table, and the pegs."""
    table = view.table
    facts = []
    if is_choosing(view, chosen):
        yield _task(view, names, voice)
    elif table.deal_number:
        facts.append(voice.gettext("Deal {deal}", deal=table.deal_number))
    if table.starter is not None and (dm or table.stage is Stage.SHOWING):
        facts.append(voice.gettext("starter {card}", card=voice.faces.text(table.starter)))
    if dm:
        facts.append(place_of(record, voice))
    yield subtext(" · ".join(facts))
    if dm and table.deal_number and table.result is None:
        own = table.rules.side_of(view.seat)
        yield subtext(pegs_line(table, own, Sides(record, names), names, voice))


def _task(view: PlayerView, names: Names, voice: Voice) -> str:
    """The deal, the number of cards to discard, and the crib's owner."""
    table = view.table
    wanted, deal = table.rules.discarded, table.deal_number
    if table.dealer == view.seat:
        return voice.ngettext(
            "**Deal {deal}** · discard {number} to your crib",
            "**Deal {deal}** · discard {number} to your crib",
            wanted,
            deal=deal,
        )
    return voice.ngettext(
        "**Deal {deal}** · discard {number} to {player}'s crib",
        "**Deal {deal}** · discard {number} to {player}'s crib",
        wanted,
        deal=deal,
        player=names[table.dealer],
    )


def _table(view: PlayerView, names: Names, voice: Voice) -> Iterator[str]:
    """The cards on the table that the player needs to play, to count or to call muggins."""
    table = view.table
    match table.stage:
        case Stage.PLAYING:
            yield count_line([each.card for each in table.series], voice)
        case Stage.SHOWING:
            yield from (_shown(each, view.seat, names, voice) for each in table.shown if _is_open(each))
        case Stage.CUTTING if CutStarter in view.legal_moves.kinds:
            yield f"# {voice.faces.all(view.hand)}"
        case _:
            # The other stages have no open cards.
            pass


def _is_open(shown: Shown) -> bool:
    """True if the hand still has to be counted, or may be called muggins on."""
    return shown.points is None or (shown.called is not None and not shown.settled)


def _shown(shown: Shown, seat: Seat, names: Names, voice: Voice) -> str:
    """An open hand or crib: the player's own in large type until it is counted."""
    parts = {"player": names[shown.seat], "cards": voice.faces.all(shown.cards)}
    if shown.called is None:
        if shown.seat == seat:
            return f"# {parts['cards']}"
        if shown.source is Source.CRIB:
            return voice.gettext("{player}'s crib: {cards}", **parts)
        return voice.gettext("{player}'s hand: {cards}", **parts)
    if shown.source is Source.CRIB:
        return voice.gettext("{player}'s crib: {cards}, counted as {points}", points=shown.called, **parts)
    return voice.gettext("{player}'s hand: {cards}, counted as {points}", points=shown.called, **parts)


def _heard(
    view: PlayerView, events: Sequence[PublicEvent], names: Names, voice: Voice, *, scoring: bool
) -> Iterator[str]:
    """The latest calls and cuts, for a player who does not look at the table; see `heard_by`."""
    match view.table.stage:
        case Stage.PLAYING | Stage.SHOWING:
            yield subtext(" · ".join(heard_by(view.seat, events, names, voice, scoring=scoring)))
        case Stage.CUTTING_FOR_DEAL:
            yield from cutting_lines(view.table, events, names, voice)
        case Stage.DISCARDING:
            yield from map(subtext, dealer_lines(view.table, events, names, voice))
        case _:
            # There are no calls before the play and after the show.
            pass


def _reasons(
    view: PlayerView,
    heard: Heard | None,
    names: Names,
    voice: Voice,
    *,
    in_table: bool,
    has_room: bool,
) -> Iterator[str]:
    """Reasons of the points pegged since the player's last move.

    A phone has less room for many players: then it is the latest reason alone, and none unless it `has_room`,
    which the options of a first decision and the picture of the last deal take. `in_table` leaves out claimed
    points, which the table's calls have.
    """
    seats = view.table.rules.seats
    is_full = seats > MOST_USUAL_SEATS or (in_table and seats > 2)
    if heard is None or (is_full and not has_room):
        return
    most = 1 if is_full else MOST_REASONS
    yield from map(subtext, reasons_since(heard, view.seat, names, voice, most=most, has_claims=not in_table))


def _allowed(  # noqa: PLR0917 -- as `_now` takes them
    view: PlayerView,
    heard: Heard | None,
    names: Names,
    voice: Voice,
    chosen: Cards,
    asked: Asked | None,
) -> Iterator[str]:
    """The options under the rules, in the player's first decision of its kind."""
    if heard is None:
        return
    decision = decision_of(view, is_choosing=is_choosing(view, chosen), is_claiming=asked is not None)
    if decision is not None and decision not in heard.decided:
        yield subtext(allowed(decision, view, names, voice))


def _own(
    view: PlayerView,
    events: Sequence[PublicEvent],
    chosen: Cards,
    voice: Voice,
    *,
    has_discard: bool = True,
) -> Iterator[str]:
    """The clock's last move for the player; else their discard, until they play."""
    by_clock = _by_clock(view, events, voice)
    if by_clock:
        yield by_clock
    elif _gives_none(view):
        yield subtext(voice.gettext("You keep all your cards: you give none to the crib"))
    elif has_discard and view.discarded and not is_choosing(view, chosen) and not _has_played(view):
        yield subtext(_discarded(view.discarded, voice))


def _discarded(cards: Cards, voice: Voice) -> str:
    return voice.gettext("You discarded {cards}", cards=voice.faces.all(cards))


def _discarded_by_clock(cards: Cards, voice: Voice) -> str:
    return voice.gettext("⏱ You ran out of time: {cards} went to the crib.", cards=voice.faces.all(cards))


def _by_clock(view: PlayerView, events: Sequence[PublicEvent], voice: Voice) -> str:
    """The clock's move for the player, until they move themselves."""
    if view.table.result is not None:
        return ""
    match _done_for(view.seat, events):
        case CardsDiscarded():
            return _discarded_by_clock(view.discarded, voice)
        case CardPlayed(card=card):
            played = voice.faces.text(card)
            return voice.gettext("⏱ You ran out of time: I played {card} for you.", card=played)
        case GoSaid():
            return voice.gettext("⏱ You ran out of time: I said go for you.")
        case StarterCut() | CutForDeal():
            return voice.gettext("⏱ You ran out of time: I cut for you.")
        case HandCounted(points=points):
            return voice.ngettext(
                "⏱ You ran out of time: I counted {number} point for you.",
                "⏱ You ran out of time: I counted {number} points for you.",
                points,
            )
        case _:
            return ""


def _done_for(seat: Seat, events: Sequence[PublicEvent]) -> PublicEvent | None:
    """The clock's last move for the seat; None if its player has moved since."""
    done: PublicEvent | None = None
    for event, is_the_clocks in automatic(events):
        if isinstance(event, CameBack) and event.seat == seat:
            done = None
        elif is_the_clocks and isinstance(event, _MOVED) and event.seat == seat:
            done = event
    return done


def _has_played(view: PlayerView) -> bool:
    """True if the seat has played a card of this deal."""
    table = view.table
    return any(each.seat == view.seat for series in (*table.past_series, table.series) for each in series)


def _now(view: PlayerView, names: Names, voice: Voice, chosen: Cards, asked: Asked | None) -> str:
    """The current turn, or the question to the player; after the game, the score."""
    table = view.table
    if table.result is not None:
        return f"**{_final(table.result, table.rules.side_of(view.seat), names, voice)}**"
    if is_choosing(view, chosen):
        return ""  # the head says it
    if asked is not None:
        made = table.count + asked.card.pips
        question = voice.gettext(
            "{card} makes {count}: how many points?", card=_text(asked.card, voice), count=made
        )
        return f"**{question}**"
    if SayGo in view.legal_moves.kinds:
        return f"{voice.gettext('Nothing fits: tap **Go**')}"
    return f"**{for_seat(table, view.seat, names, voice)}**"


def _final(result: Result, own: Side, names: Names, voice: Voice) -> str:
    won = voice.number(result.scores[result.winner])
    rest = sorted((score for side, score in enumerate(result.scores) if side != result.winner), reverse=True)
    lost = voice.listing(map(voice.number, rest))
    if result.winner == own:
        return voice.gettext("You win, {points} to {others}!", points=won, others=lost)
    return voice.gettext(
        "{side} won, {points} to {others}", side=names.side(result.winner), points=won, others=lost
    )


def _text(card: Card, voice: Voice) -> str:
    """The card in a label or a bold line, with its suit in the text's colour for legibility."""
    return f"{voice.faces.plain(card)}\N{VARIATION SELECTOR-15}"


# Buttons.


def _still_asked(asked: Asked | None, view: PlayerView) -> Asked | None:
    """The card whose points are to be called, as long as it is playable."""
    return asked if asked is not None and asked.card in view.legal_moves.playable else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """The rows of buttons: cards first, other moves below."""

    record: TableRecord
    view: PlayerView = field(repr=False)
    voice: Voice
    chosen: Cards = field(repr=False)
    asked: Asked | None
    likes: Preferences
    table_url: str | None
    heard: Heard | None
    dm: bool
    buttons: tuple[Part, ...] = ()
    """Buttons from outside the hand."""

    def all(self) -> Iterator[Part | None]:
        """The rows from the top."""
        table = self.view.table
        rest = [*self._moves(), *self._after_absence(), *self._links()]
        if table.stage is Stage.OVER:
            # by DM, the result replaces the hand and has these buttons itself
            ahead = () if self.dm else afterwards(self.record, table, self.voice)
            yield row(*ahead, *self._link_to_table(), *self.buttons)
            return
        cards = list(self._cards())
        if self._cuts():
            yield cut_buttons(self.record, table, self.voice)
            yield row(*rest)
            return
        if self.asked is not None:
            room = _CARDS_A_ROW - len(cards)
            yield row(*cards, *rest[:room])
            yield self._points(self.asked)
            yield row(*rest[room:])
            return
        what, beside = self._what(len(cards)), None
        if SayGo in self.view.legal_moves.kinds and len(cards) < _CARDS_A_ROW:
            # The only move stands beside the cards, before what explains it.
            beside = rest.pop(0)
        elif 0 < len(cards) <= _FEW_CARDS and self.dm and table.rules.seats > MOST_USUAL_SEATS and rest:
            beside, what = rest.pop(0), None
        elif 0 < len(cards) <= _FEW_CARDS:
            beside, what = what, None
        below = [*cards[_CARDS_A_ROW:], *rest]
        # By DM at a table of more than two, a phone has no room for a third button, which wraps.
        if what is not None and not (self.dm and table.rules.seats > 2 and len(below) > 1):
            below.append(what)
        yield row(*cards[:_CARDS_A_ROW], beside)
        for start in range(0, len(below), _A_ROW):
            yield row(*below[start : start + _A_ROW])

    def _cards(self) -> Iterator[Part]:
        view, stage = self.view, self.view.table.stage
        if is_choosing(view, self.chosen):
            for each in sorted((*view.hand, *view.discarded)):
                is_chosen = each in self.chosen
                style = ButtonStyle.primary if is_chosen else ButtonStyle.secondary
                verb = Verb.UNPICK if is_chosen else Verb.PICK
                yield self._card(each, verb, style, mark=_CHOSEN if is_chosen else "")
        elif stage in {Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING}:
            verb = Verb.PICK if stage is Stage.DISCARDING else Verb.PLAY
            for each in view.hand:
                fits = each in view.legal_moves.playable
                yield self._card(each, verb, ButtonStyle.primary if fits else ButtonStyle.secondary)

    def _card(self, card: Card, verb: Verb, style: ButtonStyle, *, mark: str = "") -> Part:
        """A card's button: its emoji, or its name without emojis."""
        emoji = self.voice.faces.emoji(card)
        name = "" if emoji else _text(card, self.voice)
        label = " ".join(filter(None, (mark, name)))
        return button(self._at(verb, str(card)), label, style=style, emoji=emoji)

    def _moves(self) -> Iterator[Part]:
        """A button for each legal move without a card."""
        kinds, voice = self.view.legal_moves.kinds, self.voice
        green, red, grey = ButtonStyle.success, ButtonStyle.danger, ButtonStyle.secondary
        if self._can_discard():
            names = " ".join(_text(each, voice) for each in sorted(self.chosen))
            argument = "".join(map(str, sorted(self.chosen)))
            label = voice.gettext("Discard {cards}", cards=names)
            yield button(self._at(Verb.DISCARD, argument), label, style=green)
        elif self._may_choose_again():
            yield button(self._at(Verb.PICK), voice.gettext("Change"), style=grey)
        if SayGo in kinds:
            yield button(self._at(Verb.GO), voice.gettext("Go"), style=ButtonStyle.primary)
        if self.view.table.stage is Stage.DEALING:
            yield button(self._at(Verb.DEAL), voice.gettext("Deal"), style=green)
        if self._cuts():
            yield button(self._at(Verb.ALWAYS, "cut"), voice.gettext("Always cut for me"), style=grey)
        elif self._is_cut_for():
            yield button(self._at(Verb.ALWAYS, "ask"), voice.gettext("Let me cut"), style=grey)
        if ClaimHeels in kinds:
            points = self.view.table.rules.his_heels
            heels = sentence(speech(voice).heels_name)
            label = voice.gettext("{heels} for {points}", heels=heels, points=points)
            yield button(self._at(Verb.HEELS), label, style=green)
        if CountAloud in kinds:
            crib = is_crib(self.view.table)
            label = voice.gettext("Count your crib") if crib else voice.gettext("Count your hand")
            yield button(self._at(Verb.COUNT), label, style=green)
        if CallMuggins in kinds:
            yield button(self._at(Verb.MUGGINS), voice.gettext("Muggins"), style=red)
        if LetStand in kinds:
            yield button(self._at(Verb.STAND), voice.gettext("Let it stand"), style=grey)

    def _after_absence(self) -> Iterator[Part]:
        """*Go on* where everybody has left, and so nobody can claim; else a claim, if somebody has."""
        voice = self.voice
        if is_deserted(self.record, self.view.table.absences):
            yield button(self._at(Verb.WAKE), voice.gettext("Go on"), style=ButtonStyle.success)
        elif ClaimGame in self.view.legal_moves.kinds:
            yield button(self._at(Verb.CLAIM), voice.gettext("Claim the game"), style=ButtonStyle.danger)

    def _cuts(self) -> bool:
        """True if the player has to cut, for the starter or for the deal."""
        return bool(self.view.legal_moves.kinds & {CutStarter, CutForFirstDeal})

    def _can_discard(self) -> bool:
        wanted = self.view.table.rules.discarded
        return is_choosing(self.view, self.chosen) and len(self.chosen) == wanted

    def _may_choose_again(self) -> bool:
        return bool(self.view.discarded) and self._waits_for_discards()

    def _waits_for_discards(self) -> bool:
        """True while only others have cards to choose for the crib."""
        return self.view.table.stage is Stage.DISCARDING and not is_choosing(self.view, self.chosen)

    def _is_cut_for(self) -> bool:
        """True if the starter is cut for the player by preference, and that is due or just done."""
        table = self.view.table
        is_due = self._waits_for_discards()
        is_done = table.stage is Stage.PLAYING and not table.series and not table.past_series
        return self.likes.always_cut and cutter_of(table) == self.view.seat and (is_due or is_done)

    def _points(self, asked: Asked) -> Part | None:
        """Buttons for the points of a card; the same row for every card, whatever its worth."""
        if asked.more:
            return self._more_points(asked)
        call, grey = str(asked.card), ButtonStyle.secondary
        return row(
            *(
                button(self._at(Verb.CALL, f"{call}{points}"), self.voice.number(points), style=grey)
                for points in _OFTEN_CALLED
            ),
            button(self._at(Verb.MORE, call), self.voice.gettext("More"), style=grey),
        )

    def _more_points(self, asked: Asked) -> Part:
        voice = self.voice
        return select(
            self._at(Verb.CALL, str(asked.card)),
            voice.gettext("Points for {card}", card=_text(asked.card, voice)),
            (
                discord.SelectOption(
                    label=voice.ngettext("{number} point", "{number} points", points), value=str(points)
                )
                for points in range(MOST_IN_PLAY + 1)
                if points not in _OFTEN_CALLED
            ),
        )

    def _link_to_table(self) -> Iterator[Part]:
        if self.table_url:
            yield link(self.table_url, self.voice.gettext("Table"))

    def _links(self) -> Iterator[Part]:
        """Buttons that lead away from the hand; by DM none while the player chooses the points to call."""
        voice = self.voice
        if self.dm and self.asked is not None:
            return
        yield from self._link_to_table()
        if not self.dm:
            yield button(self._at(Verb.HAND), voice.gettext("Refresh"))
            if self.likes.dms_closed:
                yield button(self._at(Verb.DM), voice.gettext("Send it by DM"))
        yield from self.buttons

    def _what(self, cards: int) -> Part | None:
        """*What was that?*, unless the hand by DM, with that number of cards, would grow too high by it."""
        kinds = self.view.legal_moves.kinds
        has_room = 0 < cards <= _FEW_CARDS and SayGo not in kinds
        is_crowded = self.dm and CallMuggins in kinds and not has_room
        if self.heard is None or self.heard.last is None or is_crowded:
            return None
        return button(self._at(Verb.WHAT), self.voice.gettext("What was that?"))

    def _at(self, verb: Verb, argument: str = "") -> ComponentId:
        return address(self.record.game, self.view.table.deal_number, verb, argument)
