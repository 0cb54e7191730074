"""Facts of a table's pictures, and the alt texts that state the same in words.

The facts are the key of a picture in the cache. `bot.render.pictures` draws it, off the event loop, when
`bot.sync` needs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.match import contenders, games_won
from bot.model.table_record import TableRecord
from bot.render.drawing import MOST_ALT, size_of
from bot.render.messages.show import HandInShow
from bot.render.pictures.board import BoardFacts, SideOnBoard
from bot.render.pictures.result import ResultFacts
from bot.render.pictures.show import HandInPicture, ShowFacts
from bot.render.text.names import Names
from bot.render.text.spelled_cards import spelled_out
from bot.render.text.voice import Voice
from engine import Card, Side, Source, TableView
from engine.coach import WinChances

_PIECEPACK = "piecepack"
"""The preset that is played by two sides on a board of its own."""


def is_piecepack(record: TableRecord) -> bool:
    """True if the table plays on the piecepack's board."""
    return record.agreement.preset == _PIECEPACK and record.agreement.rules.sides == 2


def board_facts(record: TableRecord, table: TableView) -> BoardFacts:
    """Facts of the current board."""
    rules = table.rules
    colours = record.colours
    won = games_won(record, table) if rules.captain is None else (0,) * rules.sides
    dealing = rules.side_of(table.dealer) if table.deal_number else None
    return BoardFacts(
        target=rules.target,
        sides=tuple(
            SideOnBoard(
                colour=colours[side],
                front=table.scores[side],
                back=pegs.back,
                games_won=won[side],
                has_crib=side == dealing,
                ahead=rules.target - rules.target_of(Side(side)),
            )
            for side, pegs in enumerate(table.pegs)
        ),
        starter=table.starter,
        skunk_lines=tuple(line.reach for line in rules.skunk_lines),
    )


def board_alt(record: TableRecord, table: TableView, voice: Voice) -> str:
    """Alt text of the board."""
    names, won = Names.at(record, voice), games_won(record, table)
    said = [voice.gettext("Cribbage board to {target}.", target=table.rules.target)]
    for side, pegs in enumerate(table.pegs):
        who, front = names.plain_side(Side(side), 40), table.scores[side]
        if table.rules.captain is not None:
            who = f"{who} ({voice.gettext('to {target}', target=table.rules.target_of(Side(side)))})"
        said.append(
            voice.gettext("{side}: {front}, back peg at {back}.", side=who, front=front, back=pegs.back)
        )
    for seats, games in zip(contenders(table.rules), won, strict=True):
        if games:
            said.append(
                voice.ngettext(
                    "{side} has won {number} game.",
                    "{side} has won {number} games.",
                    games,
                    side=" & ".join(names.plain(seat) for seat in seats),
                )
            )
    if table.deal_number:
        said.append(voice.gettext("{player} has the crib.", player=names.plain(table.dealer)))
    if table.starter is not None:
        said.append(voice.gettext("Starter: {card}.", card=spelled_out(table.starter, voice)))
    return fitting(said)


def show_facts(
    record: TableRecord, table: TableView, starter: Card, hands: Sequence[HandInShow]
) -> ShowFacts:
    """Facts of the open hands, in counting order."""
    rules = table.rules
    colours = record.colours
    return ShowFacts(
        starter=starter,
        hands=tuple(
            HandInPicture(
                colour=colours[rules.side_of(hand.seat)],
                cards=tuple(sorted(hand.cards)),
                points=hand.points,
                is_crib=hand.source is Source.CRIB,
            )
            for hand in hands
        ),
    )


def show_alt(record: TableRecord, starter: Card, hands: Sequence[HandInShow], voice: Voice) -> str:
    """Alt text of the show."""
    names = Names.at(record, voice)
    said = [voice.gettext("Starter: {card}.", card=spelled_out(starter, voice))]
    for hand in hands:
        cards = voice.listing(spelled_out(each, voice) for each in sorted(hand.cards))
        sentence = (
            voice.gettext("Crib of {player}: {cards}.", player=names.plain(hand.seat), cards=cards)
            if hand.source is Source.CRIB
            else voice.gettext("Hand of {player}: {cards}.", player=names.plain(hand.seat), cards=cards)
        )
        said.append(sentence)
        if hand.points is not None:
            said.append(voice.ngettext("{number} point.", "{number} points.", hand.points))
    return fitting(said)


def result_facts(record: TableRecord, table: TableView, chances: WinChances) -> ResultFacts:
    """Facts of the final board, and each side's chance to win after each deal."""
    turn = chances.turning_point
    return ResultFacts(
        board=board_facts(record, table),
        is_piecepack=is_piecepack(record),
        chances=chances.by_deal,
        turn=turn.deal if turn is not None else None,
    )


def result_alt(record: TableRecord, table: TableView, chances: WinChances, voice: Voice) -> str:
    """Alt text of the result."""
    names = Names.at(record, voice)
    said = [board_alt(record, table, voice)]
    # Two sides share one curve; more have one each.
    curves = 1 if table.rules.sides == 2 else table.rules.sides
    for side in map(Side, range(curves if len(chances.by_deal) > 1 else 0)):
        course = ", ".join(voice.language.percent(each[side]) for each in chances.by_deal)
        who = names.plain_side(side, 40)
        said.append(
            voice.gettext("Chance of {side} to win, deal by deal: {chances}.", side=who, chances=course)
        )
    if chances.turning_point is not None:
        said.append(voice.gettext("The game turned in deal {deal}.", deal=chances.turning_point.deal))
    return fitting(said)


def fitting(sentences: Sequence[str]) -> str:
    """The sentences as one text, cut to Discord's limit."""
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}" if text else sentence
        if size_of(longer) > MOST_ALT:
            break
        text = longer
    return text
