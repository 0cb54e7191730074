"""Games at each of their moments, their tables and messages, and what is in a message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from discord import ui

from bot.model.custom_ids import TEMPLATE, ComponentId, Verb
from bot.model.preferences import Preferences
from bot.model.table_record import (
    Agreement,
    Explaining,
    Occupant,
    Status,
    TableRecord,
    computer_at,
)
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.explaining import explaining_drawing, what_was_that_drawing
from bot.render.messages.hand import Asked, hand_drawing, past_hand_drawing
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.messages.pictures import board_alt, show_alt
from bot.render.messages.result import GameEnd, result_dm_drawing, result_drawing
from bot.render.messages.show import hands_in_show, show_drawing
from bot.render.messages.table import plays_drawing, table_drawing
from bot.render.text.explaining import heard_so_far
from bot.render.text.voice import Voice
from bot.standings.usual_level import NextLevel
from engine import (
    PACK,
    PRESETS,
    CallMuggins,
    Chance,
    CountAloud,
    CutStarter,
    Deal,
    DealBegan,
    Discard,
    Game,
    LetStand,
    PlayCard,
    PublicEvent,
    Seat,
    Side,
    Stage,
    StarterCut,
    cards,
)
from engine.coach import Moment, Swing, WinChances, win_chances
from engine.computer import Level
from engine.secret_events import public
from tests.bot.registered import full_voice
from tests.engine.tables import StackedChance

ADA, BEN = Seat(0), Seat(1)
ALOUD = Agreement.of(aloud=True)
MUGGINS = Agreement.of(muggins=True, aloud=True)
PRICED = Agreement.of(muggins=True, aloud=True, wrong_claims=2)
PLAIN = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
HOSTILE = (
    "@everyone*_~`|<@123456789012345678",
    "[free](https://example.org/x#y)!!",
    "``` # > - 1. \N{RIGHT-TO-LEFT OVERRIDE}abc\u0301\u0301\u0301\u0301\u0301\u0301 ||boo||",
    "שלום עולם וברוכים הבאים לשולחן שלי",
    "__Eve__ \\ <#123456789012345678> ~~x~~",
    "佐藤さくらと鈴木一郎と高橋花子と田中太郎",
)
"""Names of about 32 characters with markdown, mentions, combining marks and right-to-left letters."""
EMOJIS = {f"{rank}{suit}": f"<:card_{rank}{suit}_1:{10**18}>" for rank in "A23456789TJQK" for suit in "CDHS"}
"""Application emojis as long as Discord's."""

_TABLES = ((2, None), (3, None), (4, None), (4, False), (5, None), (6, None))
AGREEMENTS = (
    *(
        Agreement.of(players=players, preset=preset, partners=partners)
        for preset, of in PRESETS.items()
        for players, partners in _TABLES
        if players in of.players and (preset, partners) != ("lowball", False)
    ),
    Agreement.of(players=6, players_a_side=3),
    *(
        Agreement.of(players=players, preset=preset, partners=partners, muggins=muggins, aloud=True)
        for preset in ("standard", "family")
        for players, partners in _TABLES[:4]
        for muggins in (False, True)
    ),
    PRICED,
    Agreement.of(players=4, muggins=True, aloud=True, wrong_claims=2),
)
"""Every preset for every number of players; two of them aloud, with muggins and without; two priced."""
_STRIDE = 29
"""Step of the moves that are drawn after the first deal, because positions repeat."""


def record_of(agreement: Agreement, names: tuple[str, ...] = PLAIN, **changes: Any) -> TableRecord:
    """The record of a game in play."""
    facts: dict[str, Any] = {
        "game": "k3f9",
        "guild": 10,
        "channel": 20,
        "place": "The Snug",
        "host": 1,
        "status": Status.PLAYING,
        "agreement": agreement,
        "occupants": tuple(Occupant(user, name) for user, name in enumerate(names[: agreement.players], 1)),
    }
    return TableRecord(**facts | changes)


def played(agreement: Agreement, seed: int) -> Iterator[Game]:
    """A game at every move up to the end of its first deal, at some later ones, and at its end.

    Counts aloud and calls are right, short or too high, at random.
    """
    random = Random(seed)
    automatic = frozenset() if agreement.rules.muggins else frozenset({Deal})
    game = Game.new(agreement.rules, chance=Chance(Random(seed)), automatic=automatic)
    yield game
    while not game.is_over:
        is_anybody = random.random() < 0.2
        seat = random.choice(_who_may_move(game) if is_anybody else game.table.waiting_for)
        moves = list(game.legal_moves(seat))
        calm = [
            move
            for move in moves
            if isinstance(move, LetStand)
            or (isinstance(move, CountAloud) and move.points < 13)
            or (isinstance(move, PlayCard) and (move.points or 0) < 3)
        ]
        game.apply(random.choice(calm if calm and random.random() < 0.8 else moves))
        if game.is_over or game.table.deal_number <= 1 or game.version % _STRIDE == 0:
            yield game


def _who_may_move(game: Game) -> list[Seat]:
    return [Seat(seat) for seat in range(game.rules.seats) if game.legal_moves(Seat(seat))]


def cutting(*turned: str, players: int = 2) -> Game:
    """A game whose players cut these cards, pack by pack, from place 4 on."""

    packs = []
    for first in map(cards, turned):
        rest = [each for each in PACK if each not in first]
        packs.append((*rest[:4], *first, *rest[4:]))
    rules = Agreement.of(players=players, muggins=True).rules
    return Game.new(rules, chance=StackedChance(packs=packs))


def discarding(agreement: Agreement, seed: int = 1) -> Game:
    """A game at its first discarding; Ada deals."""
    game = Game.new(agreement.rules, chance=Chance(Random(seed)), dealer=ADA)
    game.apply(Deal(ADA))
    return game


def starter_cut(agreement: Agreement, seed: int = 1) -> Game:
    """`discarding` continued to the cut of the starter."""
    game = discarding(agreement, seed)
    for seat in game.table.waiting_for:
        game.apply(Discard(seat, game.view(seat).hand[: game.rules.discarded]))
    game.apply(CutStarter(game.table.waiting_for[0]))
    return game


def at_the_show(agreement: Agreement, seed: int = 1) -> Game:
    """`discarding` continued to the end of the first play, where nobody calls muggins."""
    game = starter_cut(agreement, seed)
    while game.table.stage is Stage.PLAYING:
        seat = game.table.waiting_for[0]
        game.apply(game.legal_moves(seat).moves[0])
    while game.legal_moves(game.table.waiting_for[0]).kinds <= {CallMuggins, LetStand}:
        game.apply(LetStand(game.table.waiting_for[0]))
    return game


@lru_cache(maxsize=64)
def over(agreement: Agreement, seed: int = 1) -> Game:
    """A game played at random to its very end."""
    *_, game = played(agreement, seed)
    return game


def deal_in_hand(game: Game) -> tuple[PublicEvent, ...]:
    """Public events of the current deal; of the first, with the cuts before it."""
    log = public(game.log)
    starts = [place for place, event in enumerate(log) if isinstance(event, DealBegan)]
    return log[starts[-1] :] if len(starts) > 1 else log


def end_of(game: Game, **facts: Any) -> GameEnd:
    """Facts about a finished game."""
    events = public(game.log)
    known: dict[str, Any] = {"events": events, "ratings": (), **facts}
    if "chances" not in known:
        known["chances"] = win_chances(events)
    return GameEnd(**known)


def turned(sides: int) -> WinChances:
    """The course of a game that turned once, by the hand of its second player."""
    even = (1 / sides,) * sides
    after = tuple(0.7 if side == 1 else 0.3 / (sides - 1) for side in range(sides))
    pegged = (0, 12, *(0,) * (sides - 2))
    turn = Swing(deal=7, moment=Moment.HAND, seat=Seat(1), pegged=pegged, before=even, after=after)
    return WinChances((even, even), (turn,), Side(1))


def drawn_table(game: Game, agreement: Agreement, **changes: Any) -> Drawing:
    """The table for everybody."""
    return table_drawing(record_of(agreement), game.table, deal_in_hand(game), full_voice(), **changes)


def drawn_hand(game: Game, seat: Seat, agreement: Agreement, **changes: Any) -> Drawing:
    """A seat's hand by DM, unless `changes` say otherwise."""
    facts = {"table_url": None, "dm": True} | changes
    return hand_drawing(record_of(agreement), game.view(seat), full_voice(), **facts)  # type: ignore[arg-type]


def own_table(
    game: Game, agreement: Agreement, voice: Voice | None = None, *, explains: bool = False, **begun: Any
) -> Drawing:
    """The table of Ada, who plays computers in her DM."""
    others = tuple(Occupant(None, f"🤖 Steady {number}", Level.STEADY) for number in range(2, 7))
    seated = (Occupant(1, "Ada"), *others)[: agreement.players]
    record = record_of(agreement, guild=None, venue=Venue.BOT_DM, place="", occupants=seated)
    return own_table_drawing(
        record,
        game.view(ADA),
        deal_in_hand(game),
        voice or Voice(),
        begun=Begun(**begun),
        heard=heard_so_far(public(game.log), ADA) if explains else None,
        picture=None,
    )


def components(view: Drawing | ui.Modal) -> Iterator[dict[str, Any]]:
    """All components as sent, containers before their content."""
    rest: list[Any] = list((view.layout if isinstance(view, Drawing) else view).to_components())
    while rest:
        each = rest.pop(0)
        yield each
        inside = [*each.get("components", ())]
        inside += [each[part] for part in ("accessory", "component") if part in each]
        rest = inside + rest


def words(drawing: Drawing) -> str:
    """All readable text of the layout; buttons in brackets."""
    said = []
    for each in components(drawing):
        match each["type"]:
            case 2:
                said.append(f"[{button_name(each)}]")
            case 3:
                options = ", ".join(option["label"] for option in each["options"])
                said.append(f"[{each['placeholder']}: {options}]")
            case 10:
                said.append(each["content"])
            case 14:
                said.append("---")
    return "\n".join(said)


def button_name(component: dict[str, Any]) -> str:
    """The button's label, or the name of its emoji without one."""
    return component.get("label") or component["emoji"]["name"]


def custom_ids(drawing: Drawing) -> list[str]:
    """The custom_ids in the layout."""
    return [each["custom_id"] for each in components(drawing) if each.get("custom_id")]


def verbs(drawing: Drawing) -> set[Verb]:
    """Verbs of all buttons and selects."""
    matches = map(TEMPLATE.fullmatch, custom_ids(drawing))
    return {ComponentId.from_match(match).verb for match in matches if match}


# Every message of a game


GAMES = {
    "standard": Agreement(),
    "aloud": ALOUD,
    "muggins": MUGGINS,
    "family": Agreement.of(players=4, preset="family"),
    "lurch": Agreement.of(players=3, preset="lurch"),
}
"""Five games that have all messages between them."""
SEED = 15

URL = "https://discord.com/channels/1/2/3"


def drawn_in_a_game(agreement: Agreement, voice: Voice, names: tuple[str, ...] = PLAIN) -> Iterator[Drawing]:
    """Every message about a game, from its first cut to its result."""
    for game in played(agreement, SEED):
        record = record_of(agreement, names, won_before=(1,) * agreement.rules.sides)
        yield from _for_all(record, game, voice, names)
        for seat in range(game.rules.seats):
            yield from _for_one(record, game, Seat(seat), voice)
        if game.rules.seats == 2 and not game.rules.muggins:
            yield from _drawings_alone(record, game, voice)


def _for_all(record: TableRecord, game: Game, voice: Voice, names: tuple[str, ...]) -> Iterator[Drawing]:
    events, table = deal_in_hand(game), game.table
    if table.result is not None:
        ended = replace(record, status=Status.OVER)
        end = _end(record.agreement)
        yield result_drawing(ended, table, end, voice)
        for seat in range(game.rules.seats):
            yield result_dm_drawing(ended, table, end, voice, seat=Seat(seat), table_url=URL)
        yield result_drawing(
            ended, table, end, voice, picture=_file("result", board_alt(ended, table, voice))
        )
    yield table_drawing(record, table, events, voice, hand_behind_button=names[: game.rules.seats])
    yield table_drawing(
        record, table, events, voice, open=False, board=_file("board", board_alt(record, table, voice))
    )
    yield show_drawing(record, table, events, voice, open=True)
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    _, hands = hands_in_show(events)
    if starter is not None and hands:
        alt = show_alt(record, starter, hands, voice)
        yield show_drawing(record, table, events, voice, open=False, show=_file("show", alt))
    yield plays_drawing(record, events, voice)


def _for_one(record: TableRecord, game: Game, seat: Seat, voice: Voice) -> Iterator[Drawing]:
    view, events = game.view(seat), deal_in_hand(game)
    chosen = view.hand[: game.rules.discarded] if game.table.stage is Stage.DISCARDING else ()
    for dm in (True, False):
        yield hand_drawing(record, view, voice, table_url=URL, events=events, dm=dm)
        yield hand_drawing(
            record,
            view,
            voice,
            table_url=URL,
            events=events,
            chosen=chosen,
            likes=Preferences(dms_closed=True, always_cut=True),
            dm=dm,
        )
    heard = heard_so_far(public(game.log), seat)
    occupants = list(record.occupants)
    occupants[seat] = replace(occupants[seat], explaining=Explaining.ON)
    told = replace(record, occupants=tuple(occupants))
    for dm in (True, False):
        yield hand_drawing(told, view, voice, table_url=URL, events=events, chosen=chosen, heard=heard, dm=dm)
    yield what_was_that_drawing(told, game.table, heard, seat, voice)
    yield explaining_drawing(told, seat, voice)
    yield explaining_drawing(record, seat, voice)
    for held in view.legal_moves.playable[:1]:
        for more in (False, True):
            asked = Asked(held, more=more)
            yield hand_drawing(record, view, voice, table_url=None, events=events, asked=asked, dm=True)
    if view.discarded:
        for by_clock in (False, True):
            yield past_hand_drawing(record, 1, view.hand, view.discarded, voice, by_clock=by_clock)


def _drawings_alone(record: TableRecord, game: Game, voice: Voice) -> Iterator[Drawing]:
    """The table in the bot's own DM."""
    computer = computer_at(Level.STEADY, record.occupants[:1])
    own = replace(record, guild=None, venue=Venue.BOT_DM, occupants=(record.occupants[0], computer))
    view, events = game.view(Seat(0)), deal_in_hand(game)
    chosen = view.hand[: game.rules.discarded] if game.table.stage is Stage.DISCARDING else ()
    for begun in (Begun(), Begun(chosen=chosen, likes=Preferences(always_cut=True))):
        yield own_table_drawing(own, view, events, voice, begun=begun, picture=None)
    heard = heard_so_far(public(game.log), Seat(0))
    yield own_table_drawing(own, view, events, voice, begun=Begun(), heard=heard, picture=None)
    if game.table.result is not None:
        offer = NextLevel(Level.EXPERT, Level.STEADY, 3)
        ended, end = replace(own, status=Status.OVER), replace(_end(own.agreement), next_level=offer)
        yield result_drawing(ended, game.table, end, voice)
        yield result_dm_drawing(ended, game.table, end, voice, seat=Seat(0), table_url=URL)


@lru_cache(maxsize=8)
def _end(agreement: Agreement) -> GameEnd:
    return end_of(over(agreement, SEED), chances=turned(agreement.rules.sides))


def _file(name: str, alt: str) -> DrawnFile:
    return DrawnFile(name=f"{name}.png", content=name.encode(), description=alt)
