"""Scenes of a game: hands, the table, the show and the result, in each of their states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from bot.model.preferences import Preferences
from bot.model.table_record import (
    Agreement,
    Explaining,
    MatchGame,
    Occupant,
    TableRecord,
    computer_at,
)
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import container, layout
from bot.render.messages.by_dm import at_the_table_drawing, ringing_line
from bot.render.messages.explaining import explaining_drawing, what_was_that_drawing
from bot.render.messages.hand import Asked, hand_drawing, past_hand_drawing, promised_hand_drawing
from bot.render.messages.last_deal import LastDeal, last_deal
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.messages.pictures import (
    board_alt,
    board_facts,
    show_alt,
    show_facts,
)
from bot.render.messages.show import HandInShow, hands_in_show, show_drawing
from bot.render.messages.table import plays_drawing, table_drawing
from bot.render.text.explaining import heard_so_far
from bot.render.text.faces import Faces
from bot.render.text.mentions import nudge
from bot.render.text.voice import Voice
from engine import (
    CallMuggins,
    Card,
    Chance,
    ClaimGame,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    HandCounted,
    HandShown,
    MugginsCalled,
    Pegged,
    PlayCard,
    PlayerView,
    PublicEvent,
    Reason,
    SayGo,
    Score,
    Seat,
    Side,
    Source,
    Stage,
    StandIn,
    StarterCut,
    card,
    cards,
)
from engine.computer import Level
from engine.secret_events import public
from tests.bot.registered import full_voice
from tests.bot.render.games import (
    ADA,
    ALOUD,
    BEN,
    EMOJIS,
    MUGGINS,
    PRICED,
    at_the_show,
    cutting,
    deal_in_hand,
    discarding,
    over,
    record_of,
    starter_cut,
)
from tests.golden import Scene, scenes

TWO = Agreement()
THREE, FOUR, FIVE, SIX = (Agreement.of(players=players) for players in (3, 4, 5, 6))
FAMILY = Agreement.of(preset="family")
URL = "https://discord.com/channels/1/2/3"
CLEO = Seat(2)
BOARD = DrawnFile(name="board.png", content=b"", description="")
"""Stands for the picture of a board, which has what the board says in text."""


def _until(game: Game, is_there: Callable[[Game], bool]) -> Game:
    """The game, continued by the first legal moves until it is there."""
    while not is_there(game):
        game.apply(game.legal_moves(game.table.waiting_for[0]).moves[0])
    return game


def _may(kind: type) -> Callable[[Game], bool]:
    """True of a game in which somebody has a move of that kind."""
    return lambda game: any(kind in game.legal_moves(Seat(seat)).kinds for seat in range(game.rules.seats))


@lru_cache(maxsize=1)
def _seed_of_heels() -> int:
    """The seed of a game whose starter is a jack."""
    return next(seed for seed in range(400) if starter_cut(FAMILY, seed).table.heels_open)


def _has_pegged(game: Game) -> bool:
    return any(pegs.front for pegs in game.table.pegs)


def _explained(record: TableRecord, seat: Seat = ADA) -> TableRecord:
    """The table, with scores explained to that player."""
    occupants = list(record.occupants)
    occupants[seat] = replace(occupants[seat], explaining=Explaining.ON)
    return replace(record, occupants=tuple(occupants))


def _picture(name: str, alt: str) -> DrawnFile:
    return DrawnFile(name=f"{name}.png", content=b"", description=alt)


def _shown(game: Game) -> tuple[Card, list[HandInShow]]:
    """The starter and the hands of the deal."""
    events = deal_in_hand(game)
    _, hands = hands_in_show(events)
    return next(event.card for event in events if isinstance(event, StarterCut)), hands


def _show_picture(game: Game, agreement: Agreement, voice: Voice) -> DrawnFile:
    """The picture of the deal's hands."""
    return _picture("show", show_alt(record_of(agreement), *_shown(game), voice))


def _with_emojis(voice: Voice) -> Voice:
    return full_voice(voice.language, Faces(EMOJIS))


# Hands


def _hand(
    game: Game, seat: Seat, agreement: Agreement, voice: Voice, view: PlayerView | None = None, **changes: Any
) -> Drawing:
    """The hand by DM, unless `changes` say otherwise."""
    facts: dict[str, Any] = {"events": deal_in_hand(game), "table_url": URL, "dm": True} | changes
    return hand_drawing(record_of(agreement), view or game.view(seat), voice, **facts)


@scenes("hand by dm", hand_drawing)
def hands_by_dm(voice: Voice) -> Iterator[Scene]:
    """A hand from the cut for the deal to the end of the game."""
    game = cutting("3H 9S")
    yield "cuts for the deal", _hand(game, BEN, MUGGINS, voice)
    game.apply(CutForFirstDeal(ADA, 4))
    yield "has cut for the deal", _hand(game, ADA, MUGGINS, voice)
    game.apply(CutForFirstDeal(BEN, 5))
    game.apply(Deal(ADA))
    yield "the cut is over", _hand(game, ADA, MUGGINS, voice)

    game = discarding(TWO)
    held = game.view(BEN).hand
    yield "chooses, to an opponent's crib", _hand(game, BEN, TWO, voice)
    yield "has chosen", _hand(game, BEN, TWO, voice, chosen=held[:2])
    yield "with a note", _hand(game, ADA, TWO, voice, note=voice.gettext("Nothing was deleted."))
    yield "with pictures of cards", _hand(game, BEN, TWO, _with_emojis(voice), chosen=held[:1])
    game.apply(Discard(BEN, held[:2]))
    yield "chooses again", _hand(game, BEN, TWO, voice, chosen=held[:2])
    likes = Preferences(always_cut=True)
    yield "waits, and has the starter cut for them", _hand(game, BEN, TWO, voice, likes=likes)
    game.apply(Discard(ADA, game.view(ADA).hand[:2]))
    yield "cuts the starter", _hand(game, BEN, TWO, voice)
    yield "waits for the cut", _hand(game, ADA, TWO, voice, likes=likes)
    game.apply(CutStarter(BEN))
    yield "leads", _hand(game, BEN, TWO, voice)
    yield "leads, and has had the starter cut", _hand(game, BEN, TWO, voice, likes=likes)
    game = _until(game, _has_pegged)
    yield "plays", _hand(game, game.table.waiting_for[0], TWO, voice)
    game = _until(game, _may(SayGo))
    yield "has to say go", _hand(game, game.table.waiting_for[0], TWO, voice)
    game = at_the_show(TWO)
    yield "deals", _hand(game, BEN, TWO, voice)
    yield "has lost", _hand(over(TWO), ADA, TWO, voice)
    yield "has won", _hand(over(TWO), BEN, TWO, voice)
    yield "has lost to two", _hand(over(THREE), ADA, THREE, voice)

    four, five = discarding(FOUR), discarding(FIVE)
    yield "chooses one of five, to the own crib", _hand(four, ADA, FOUR, voice)
    yield "gives no card", _hand(five, ADA, FIVE, voice)
    yield "plays at a table of six", _hand(starter_cut(SIX), BEN, SIX, voice)


@scenes("hand counting aloud", hand_drawing)
def hands_that_count(voice: Voice) -> Iterator[Scene]:
    """What a player claims and counts, and what the opponents call."""
    game = starter_cut(MUGGINS)
    played = game.view(BEN).hand[0]
    game.apply(PlayCard(BEN, played, 0))
    asked = game.view(ADA).hand[0]
    yield "is asked for points", _hand(game, ADA, MUGGINS, voice, asked=Asked(asked))
    yield "is asked for more points", _hand(game, ADA, MUGGINS, voice, asked=Asked(asked, more=True))
    yield "was asked for a card that is played", _hand(game, BEN, MUGGINS, voice, asked=Asked(played))
    game = _until(game, _may(CallMuggins))
    caller = next(seat for seat in (ADA, BEN) if CallMuggins in game.legal_moves(seat).kinds)
    yield "may call muggins in the play", _hand(game, caller, MUGGINS, voice)
    game = at_the_show(ALOUD)
    yield "counts the own hand", _hand(game, BEN, ALOUD, voice)
    yield "reads a hand to be counted", _hand(game, ADA, ALOUD, voice)
    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    yield "counts the own crib", _hand(game, ADA, ALOUD, voice)
    yield "reads a crib to be counted", _hand(game, BEN, ALOUD, voice)
    game = at_the_show(MUGGINS)
    game.apply(CountAloud(BEN, 1))
    yield "may call muggins on a hand", _hand(game, ADA, MUGGINS, voice)
    yield "waits for calls", _hand(game, BEN, MUGGINS, voice)
    game.apply(CountAloud(ADA, 0))
    yield "lets a hand stand", _hand(game, BEN, MUGGINS, voice)
    heels = starter_cut(FAMILY, _seed_of_heels())
    yield "may claim heels", _hand(heels, ADA, FAMILY, voice)


@scenes("hand without its player", hand_drawing)
def hands_of_the_absent(voice: Voice) -> Iterator[Scene]:
    """What the clock did for a player, and what can be done where others stay away."""
    game = discarding(TWO)
    given = game.view(BEN).hand[:2]
    game.apply(StandIn(Discard(BEN, given)))
    yield "the clock discarded", _hand(game, BEN, TWO, voice)
    game.apply(Discard(ADA, game.view(ADA).hand[:2]))
    game.apply(StandIn(CutStarter(BEN)))
    yield "the clock cut", _hand(game, BEN, TWO, voice)
    game.apply(StandIn(PlayCard(BEN, game.view(BEN).hand[0])))
    yield "the clock played", _hand(game, BEN, TWO, voice)
    game.apply(PlayCard(ADA, game.legal_moves(ADA).playable[0]))
    yield "the clock played before the opponent", _hand(game, BEN, TWO, voice)
    yield "the clock played for the opponent", _hand(game, ADA, TWO, voice)
    game.apply(PlayCard(BEN, game.legal_moves(BEN).playable[0]))
    yield "is back", _hand(game, BEN, TWO, voice)
    game = _until(starter_cut(TWO), _may(SayGo))
    [stuck] = game.table.waiting_for
    game.apply(StandIn(SayGo(stuck)))
    yield "the clock said go", _hand(game, stuck, TWO, voice)
    for points in (1, 2):
        game = at_the_show(ALOUD)
        game.apply(StandIn(CountAloud(BEN, points)))
        yield f"the clock counted {points}", _hand(game, BEN, ALOUD, voice)

    view = discarding(TWO).view(ADA)
    moves = replace(view.legal_moves, moves=(*view.legal_moves.moves, ClaimGame(ADA)))
    for title, absences in (("the opponent is away", (0, 3)), ("everybody is away", (3, 3))):
        left = replace(view, table=replace(view.table, absences=absences), legal_moves=moves)
        yield title, _hand(discarding(TWO), ADA, TWO, voice, left)
    away = replace(starter_cut(THREE).view(ADA), table=replace(starter_cut(THREE).table, absences=(0, 3, 4)))
    yield "two opponents are away", _hand(starter_cut(THREE), ADA, THREE, voice, away)


@scenes("hand at the table", hand_drawing)
def hands_at_the_table(voice: Voice) -> Iterator[Scene]:
    """A hand in an answer that only its player sees."""
    game = discarding(TWO)
    yield "chooses", _hand(game, BEN, TWO, voice, dm=False)
    closed = Preferences(dms_closed=True)
    yield "opens the DM again", _hand(game, BEN, TWO, voice, dm=False, likes=closed)
    yield "plays", _hand(starter_cut(TWO), BEN, TWO, voice, dm=False)
    game = starter_cut(MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    asked = Asked(game.view(ADA).hand[0])
    yield "is asked for points", _hand(game, ADA, MUGGINS, voice, dm=False, asked=asked)
    yield "has lost", _hand(over(TWO), ADA, TWO, voice, dm=False)


@scenes("hand explained", hand_drawing, what_was_that_drawing, explaining_drawing)
def hands_explained(voice: Voice) -> Iterator[Scene]:
    """What a newcomer's hand says besides, and the answers to its buttons."""

    def explained(game: Game, seat: Seat, agreement: Agreement = TWO, **changes: Any) -> Drawing:
        return _hand(game, seat, agreement, voice, heard=heard_so_far(public(game.log), seat), **changes)

    game = discarding(TWO)
    yield "the first discard", explained(game, BEN)
    game.apply(Discard(BEN, game.view(BEN).hand[:2]))
    yield "chooses again", explained(game, BEN, chosen=game.view(BEN).discarded)
    yield "the first discard, to the own crib", explained(discarding(FOUR), ADA, FOUR)
    yield "gives no card", explained(discarding(FIVE), ADA, FIVE)
    game = discarding(TWO)
    for seat in (BEN, ADA):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    yield "the first cut", explained(game, BEN)
    yield "the first card", explained(starter_cut(TWO), BEN)
    game = starter_cut(PRICED)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    yield "the first claim", explained(game, ADA, PRICED, asked=Asked(game.view(ADA).hand[0]))
    game.apply(PlayCard(ADA, game.view(ADA).hand[0], 0))
    yield "the second card", explained(game, BEN, PRICED)
    game = _until(starter_cut(TWO), _may(SayGo))
    yield "the first go", explained(game, game.table.waiting_for[0])
    game = at_the_show(PRICED)
    yield "the first count", explained(game, BEN, PRICED)
    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    yield "the first call", explained(game, BEN, PRICED)

    game = _until(starter_cut(TWO, 4), _has_pegged)
    [seat] = game.table.waiting_for
    yield "points in the play", explained(game, seat)
    yield "points in the play, at the table", explained(game, seat, dm=False)
    record, heard = record_of(TWO), heard_so_far(public(game.log), seat)
    yield "what was that?", what_was_that_drawing(_explained(record), game.table, heard, seat, voice)
    yield "the show", explained(at_the_show(TWO), ADA)
    begun = heard_so_far(public(discarding(TWO).log)[:1], ADA)
    yield "nothing to explain", what_was_that_drawing(record, discarding(TWO).table, begun, ADA, voice)
    yield "explains from now on", explaining_drawing(_explained(record), ADA, voice)
    yield "explains no more", explaining_drawing(record, ADA, voice)


@scenes("hand elsewhere", past_hand_drawing, promised_hand_drawing, at_the_table_drawing)
def other_messages_of_a_hand(voice: Voice) -> Iterator[Scene]:
    """What stands in a player's DM before and after their hand, and the lines that ring."""
    record, kept, given = record_of(TWO), cards("5H JD"), cards("2C 9D")
    yield "a deal is over", past_hand_drawing(record, 3, kept, given, voice)
    yield "a deal whose cards are played", past_hand_drawing(record, 3, (), given, voice)
    yield "the clock discarded", past_hand_drawing(record, 3, kept, given, voice, by_clock=True)
    yield "the table comes first", promised_hand_drawing(voice)
    yield "plays at the table", at_the_table_drawing(record, voice)
    yield "rings", "\n".join(dict.fromkeys(_ringing(voice)))
    yield "mentions", "\n".join(dict.fromkeys(_nudges(voice)))


def _turns() -> Iterator[tuple[Agreement, Game]]:
    """Games in which somebody has to do one thing after the other."""
    yield MUGGINS, cutting("3H 9S")
    for agreement in (TWO, FOUR):
        yield agreement, discarding(agreement)
    game = discarding(TWO)
    for seat in (BEN, ADA):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    yield TWO, game
    yield TWO, starter_cut(TWO)
    yield TWO, _until(starter_cut(TWO), lambda game: bool(game.table.count))
    yield TWO, _until(starter_cut(TWO), _may(SayGo))
    yield ALOUD, at_the_show(ALOUD)
    game = at_the_show(ALOUD)
    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    yield ALOUD, game
    game = at_the_show(MUGGINS)
    for seat in (BEN, ADA):
        game.apply(CountAloud(seat, 0))
    yield MUGGINS, game
    yield TWO, at_the_show(TWO)


def _ringing(voice: Voice) -> Iterator[str]:
    for _, game in _turns():
        yield from (ringing_line(game.view(seat), voice) for seat in (ADA, BEN))


def _nudges(voice: Voice) -> Iterator[str]:
    for agreement, game in _turns():
        for user in (1, 2):
            if Seat(user - 1) in game.table.waiting_for:
                yield nudge(user, game.table, record_of(agreement), voice)
    yield nudge(2, starter_cut(TWO).table, record_of(TWO), voice, url=URL, due=1_700_000_000)


# The table


def _table(game: Game, agreement: Agreement, voice: Voice, **changes: Any) -> Drawing:
    """The table with its picture, in place of which the board is text if `board` is None."""
    facts: dict[str, Any] = {"record": record_of(agreement), "table": game.table, "board": BOARD} | changes
    record, table = facts.pop("record"), facts.pop("table")
    return table_drawing(record, table, deal_in_hand(game), voice, **facts)


@scenes("table", table_drawing, plays_drawing)
def tables(voice: Voice) -> Iterator[Scene]:
    """The table from the cut for the deal to the end of the play."""
    yield from _tables_before_the_play(voice)
    game = starter_cut(TWO)
    yield "in play", _table(game, TWO, voice, board=None)
    game = _until(game, _has_pegged)
    yield "points in the play", _table(game, TWO, voice, board=None)
    yield "as it was", _table(game, TWO, voice, open=False)
    yield "moves were lost", _table(game, TWO, voice, board=None, has_lost_moves=True)
    drawn = _picture("board", board_alt(record_of(TWO), game.table, voice))
    yield "with its picture", _table(game, TWO, voice, board=drawn)
    yield "facts of its picture", board_facts(record_of(TWO), game.table)
    yield "play by play", plays_drawing(record_of(TWO), deal_in_hand(at_the_show(TWO)), voice)
    game = _until(starter_cut(MUGGINS), _may(CallMuggins))
    yield "may call muggins", _table(game, MUGGINS, voice)
    heels = starter_cut(FAMILY, _seed_of_heels())
    yield "may claim heels", _table(heels, FAMILY, voice)

    for title, absences in (("an opponent is away", (0, 3)), ("everybody is away", (3, 3))):
        yield (
            title,
            _table(discarding(TWO), TWO, voice, table=replace(discarding(TWO).table, absences=absences)),
        )
    alone = record_of(THREE, occupants=_with_computers(3))
    yield "with computers", _table(starter_cut(THREE), THREE, voice, record=alone, board=None)


def _with_computers(players: int) -> tuple[Occupant, ...]:
    """Ada and computers of one level."""
    seated: tuple[Occupant, ...] = (Occupant(1, "Ada"),)
    while len(seated) < players:
        seated = (*seated, computer_at(Level.STEADY, seated))
    return seated


def _tables_before_the_play(voice: Voice) -> Iterator[Scene]:
    game = cutting("3H 3S", "KD 7C")
    yield "the deal is cut for", _table(game, MUGGINS, voice, board=None)
    for seat, place in ((ADA, 4), (BEN, 5)):
        game.apply(CutForFirstDeal(seat, place))
    yield "a tie", _table(game, MUGGINS, voice)
    game.apply(CutForFirstDeal(ADA, 4))
    game.apply(StandIn(CutForFirstDeal(BEN, 5)))
    game.apply(Deal(BEN))
    sealed = record_of(MUGGINS, has_deck=True, seal="0123456789abcdef" * 4)
    yield "the cut is over", _table(game, MUGGINS, voice, record=sealed)
    for seat in (ADA, BEN):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    game.apply(CutStarter(ADA))
    yield "the cut is long over", _table(game, MUGGINS, voice)
    three = cutting("9H 3H 3S", "KD KC", players=3)
    for place, seat in enumerate(map(Seat, range(3)), 4):
        three.apply(CutForFirstDeal(seat, place))
    yield "a tie of two of three", _table(three, THREE, voice)
    game = discarding(TWO)
    behind, to_press = ("B*n",), ("Ada", "B*n")
    hidden = {"hand_behind_button": behind, "to_press_my_hand": to_press, "calling": ("<@1>",)}
    yield "with closed DMs", _table(game, TWO, voice, **hidden)
    for seat in (BEN, ADA):
        game.apply(Discard(seat, game.view(seat).hand[:2]))
    yield "the starter is cut", _table(game, TWO, voice)
    later: dict[str, Any] = {
        "match": "first",
        "match_before": (MatchGame(Side(0), 1, (121, 104)),),
        "won_before": (1, 0),
    }
    match = Agreement.of(best_of=3)
    yield "in a match", _table(discarding(match), match, voice, record=record_of(match, **later))
    five = Game.new(FIVE.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    yield "five have cut for the deal", _table(five, FIVE, voice)
    captains = Agreement.of(preset="captains", captain=1)
    yield "with a captain", _table(discarding(captains), captains, voice, board=None)
    yield "facts of a captain's picture", board_facts(record_of(captains), discarding(captains).table)
    yield "alt text of a captain's picture", board_alt(record_of(captains), discarding(captains).table, voice)


@scenes("own table", own_table_drawing)
def own_tables(voice: Voice) -> Iterator[Scene]:
    """The table in the bot's own DM, in one message with the hand."""

    def own(
        game: Game,
        agreement: Agreement = TWO,
        *,
        heard: bool = False,
        picture: DrawnFile | None = BOARD,
        **begun: Any,
    ) -> Drawing:
        seated, seal = _with_computers(agreement.players), "0123456789abcdef" * 4
        changes: dict[str, Any] = {
            "occupants": seated,
            "guild": None,
            "venue": Venue.BOT_DM,
            "has_deck": True,
            "seal": seal,
        }
        return own_table_drawing(
            record_of(agreement, **changes),
            game.view(ADA),
            deal_in_hand(game),
            voice,
            begun=Begun(**begun),
            heard=heard_so_far(public(game.log), ADA) if heard else None,
            picture=picture,
        )

    game = discarding(TWO)
    yield "chooses", own(game, picture=None)
    yield "has chosen", own(game, chosen=game.view(ADA).hand[:2], note=voice.gettext("Nothing was deleted."))
    yield "explains the choice", own(game, heard=True)
    game = _until(starter_cut(TWO, 4), _has_pegged)
    game = _until(game, lambda game: ADA in game.table.waiting_for)
    yield "plays", own(game)
    yield "explains the play", own(game, heard=True)
    game = starter_cut(MUGGINS)
    game.apply(PlayCard(BEN, game.view(BEN).hand[0], 0))
    yield "is asked for points", own(game, MUGGINS, asked=Asked(game.view(ADA).hand[0]))
    yield "deals", own(at_the_show(TWO), picture=None, likes=Preferences(always_cut=True))
    yield "explains the show", own(at_the_show(TWO), heard=True)
    for title, agreement in (("plays three", THREE), ("plays six", SIX)):
        game = _until(starter_cut(agreement), lambda game: ADA in game.table.waiting_for)
        yield title, own(game, agreement)


# The show


def _show(game: Game, agreement: Agreement, voice: Voice, **changes: Any) -> Drawing:
    facts: dict[str, Any] = {"open": True, "events": deal_in_hand(game)} | changes
    return show_drawing(record_of(agreement), game.table, facts.pop("events"), voice, **facts)


@scenes("show", show_drawing)
def shows(voice: Voice) -> Iterator[Scene]:
    """The show as it is counted by the bot, aloud, and with muggins."""
    game = at_the_show(TWO)
    yield "of two", _show(game, TWO, voice)
    yield "as it was", _show(game, TWO, voice, open=False)
    yield "moves were lost", _show(game, TWO, voice, has_lost_moves=True)
    yield "with its picture", _show(game, TWO, voice, show=_show_picture(game, TWO, voice))
    yield "facts of its picture", show_facts(record_of(TWO), game.table, *_shown(game))
    yield "of a perfect hand", _show(game, TWO, voice, events=tuple(with_29(deal_in_hand(game))))
    yield "of partners", _show(at_the_show(FOUR), FOUR, voice)
    six = at_the_show(SIX)
    yield "of six, with its picture", _show(six, SIX, voice, show=_show_picture(six, SIX, voice))
    yield "by the family's rules", _show(at_the_show(FAMILY), FAMILY, voice)

    game = at_the_show(ALOUD)
    yield "to be counted aloud", _show(game, ALOUD, voice)
    great = tuple(with_29(deal_in_hand(game)))
    yield "of a perfect hand to be counted aloud", _show(game, ALOUD, voice, events=great)
    game.apply(CountAloud(BEN, 0))
    yield "counted short", _show(game, ALOUD, voice)
    game = at_the_show(PRICED, seed=3)
    game.apply(CountAloud(BEN, 29))
    yield "counted too high", _show(game, PRICED, voice)
    game.apply(CountAloud(ADA, 0))
    yield "may call muggins", _show(game, PRICED, voice)
    game.apply(CallMuggins(BEN, 1))
    game.apply(CountAloud(ADA, 0))
    yield "called muggins", _show(game, PRICED, voice)
    false_call = (MugginsCalled(ADA, 2, 0), Pegged(BEN, 2, (Score(Reason.WRONG_CLAIM, 2),)))
    game = at_the_show(PRICED, seed=3)
    events = (*deal_in_hand(game), *false_call)
    yield "a false call on the play", _show(game, PRICED, voice, events=events)
    yield "won", _show(over(TWO), TWO, voice, open=False)


def with_29(events: tuple[PublicEvent, ...]) -> Iterator[PublicEvent]:
    """The events of a deal, in which the first hand is the perfect one."""
    first = next(event.seat for event in events if isinstance(event, HandShown))
    for event in events:
        match event:
            case StarterCut():
                yield replace(event, card=card("5D"))
            case HandShown(seat, Source.HAND) if seat == first:
                yield replace(event, cards=cards("5H 5C 5S JD"))
            case HandCounted(seat, Source.HAND) if seat == first:
                yield replace(event, points=29)
            case _:
                yield event


@scenes("last deal")
def last_deals(voice: Voice) -> Iterator[Scene]:
    """The head of a hand by DM about the deal before it."""

    def told(agreement: Agreement, seat: Seat, *, is_drawn: bool = True, is_great: bool = False) -> LastDeal:
        game = at_the_show(agreement)
        events = tuple(with_29(deal_in_hand(game))) if is_great else deal_in_hand(game)
        show = _show_picture(game, agreement, voice) if is_drawn else None
        found = last_deal(record_of(agreement), game.table, events, seat, voice, deal=1, show=show)
        assert found is not None
        return found

    def head(found: LastDeal) -> Drawing:
        return layout(container(*found.parts))

    yield "the dealer's", head(told(TWO, ADA))
    yield "the opponent's", head(told(TWO, BEN))
    yield "without a picture", head(told(TWO, ADA, is_drawn=False))
    yield "of a perfect hand", head(told(TWO, ADA, is_great=True))
    yield "of three", head(told(THREE, BEN))
    yield "of partners", head(told(FOUR, CLEO))
    yield "of six", head(told(SIX, CLEO))
    threes = Agreement.of(players=6, players_a_side=3)
    yield "of two sides of three", head(told(threes, CLEO))
    game = _until(at_the_show(TWO), lambda game: game.table.stage is Stage.DISCARDING)
    yield "above a hand", _hand(game, ADA, TWO, voice, last=told(TWO, ADA))
    last = told(TWO, ADA)
    tables = {"two": TWO, "muggins": MUGGINS, "three": THREE, "five": FIVE, "six": SIX}
    for title, agreement in tables.items():
        game = _until(at_the_show(agreement), lambda game: game.table.stage is Stage.DISCARDING)
        seat, begun = game.table.dealer, public(game.log)[:1]
        yield f"above a hand of {title}", _hand(game, seat, agreement, voice, last=last)
        first = _hand(game, seat, agreement, voice, last=last, heard=heard_so_far(begun, seat))
        yield f"above a first hand of {title}, explained", first
        if seat in game.table.waiting_for:
            game.apply(Discard(seat, game.view(seat).hand[: game.rules.discarded]))
            yield f"above a hand of {title} that waits", _hand(game, seat, agreement, voice, last=last)
