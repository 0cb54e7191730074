"""The scenes of replays: each kind of step of a game, and lists of games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from bot.features.replay.custom_ids import PastId
from bot.features.replay.history import history_drawing
from bot.features.replay.messages import ReplayPictures, Seeking, replay_drawing
from bot.features.replay.open_hands import open_hands_alt, open_hands_facts
from bot.model.custom_ids import ReplayId, ReplayWish
from bot.model.table_record import Agreement, MatchGame, TableRecord
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.pictures import board_alt
from bot.render.text.voice import Voice
from bot.standings.history import CancelledGame, History, PastGame
from engine import Chance, ClaimGame, Ending, Game, Resign, Seat, Side, StandIn, Step, card, steps_of
from engine.coach import CardChoice, Decision
from engine.computer import plain_move
from tests.bot.render.games import discarding, over, played, record_of
from tests.golden import Scene, scenes

TWO = Agreement.of(target=61)
PRICED = Agreement.of(players=3, preset="short", muggins=True, aloud=True, wrong_claims=2)
PARTNERS = Agreement.of(players=4, preset="family")
NAMES = ("A*da", "Ben", "Cleo", "Dan")


@lru_cache(maxsize=8)
def steps(agreement: Agreement) -> tuple[Step, ...]:
    """The steps of a game that was played out."""
    return steps_of(over(agreement).log)


def resigned(*, at_once: bool = False) -> tuple[Step, ...]:
    """The steps of a game that Ben gave up."""
    game = Game.new(TWO.rules, chance=Chance(Random(1))) if at_once else discarding(TWO)
    game.apply(Resign(Seat(1)))
    return steps_of(game.log)


def claimed() -> tuple[Step, ...]:
    """The steps of a game that Ada claimed, as Ben was away."""
    game = discarding(TWO)
    while ClaimGame not in game.legal_moves(Seat(0)).kinds:
        seat = game.table.waiting_for[0]
        move = plain_move(game.view(seat))
        game.apply(StandIn(move) if seat else move)
    game.apply(ClaimGame(Seat(0)))
    return steps_of(game.log)


def step(
    agreement: Agreement, number: int, voice: Voice, *, wish: ReplayWish = ReplayWish.ON, **more: Any
) -> Drawing:
    """A step of that game."""
    at = ReplayId("k3f9", wish, number, more.pop("owner", 0))
    record = more.pop("record", record_of(agreement, NAMES))
    return replay_drawing(record, more.pop("of", steps(agreement)), at, voice, **more)


def kinds(agreement: Agreement) -> Iterator[int]:
    """The first step of each kind of events."""
    seen = set()
    for number, each in enumerate(steps(agreement)):
        kind = tuple(dict.fromkeys(type(event) for event in each.events))
        if kind not in seen:
            seen.add(kind)
            yield number


def pictures(record: TableRecord, shown: Step, voice: Voice) -> ReplayPictures:
    """The pictures of a step, without their content."""
    board, hands = board_alt(record, shown.table, voice), open_hands_alt(record, shown, voice)
    return ReplayPictures(
        DrawnFile(name="board.png", content=b"", description=board),
        DrawnFile(name="hands.png", content=b"", description=hands) if shown.hands else None,
    )


@scenes("replay", replay_drawing)
def replay(voice: Voice) -> Iterator[Scene]:
    two = steps(TWO)
    first = [number for number, each in enumerate(two) if each.deal <= 1]
    for number in first:
        yield f"step {number + 1}", step(TWO, number, voice)
    second = next(number for number, each in enumerate(two) if each.deal == 2)
    for title, number in (("the second deal", second), ("in the second deal", second + 2)):
        yield title, step(TWO, number, voice)
    yield "the last step but one", step(TWO, len(two) - 2, voice)
    yield "the last step", step(TWO, len(two) - 1, voice)
    yield "past the last step", step(TWO, 999, voice)
    third = first[5]
    shown = pictures(record_of(TWO, NAMES), two[third], voice)
    yield "pictured", step(TWO, third, voice, pictures=shown)
    of_four = steps(PARTNERS)
    for title, number in (("before the deal", 0), ("dealt", 2)):
        found = pictures(record_of(PARTNERS, NAMES), of_four[number], voice)
        yield f"partners, {title}, pictured", step(PARTNERS, number, voice, pictures=found)
    for title, ended in (
        ("resigned", resigned()),
        ("resigned at once", resigned(at_once=True)),
        ("claimed", claimed()),
    ):
        yield title, step(TWO, 999, voice, of=ended)


@scenes("replay-muggins", replay_drawing)
def muggins(voice: Voice) -> Iterator[Scene]:
    for number in kinds(PRICED):
        yield f"step {number + 1}", step(PRICED, number, voice)


@scenes("replay-buttons", replay_drawing)
def buttons(voice: Voice) -> Iterator[Scene]:
    fair = record_of(TWO, NAMES, has_deck=True)
    number = 3
    for seeking in Seeking:
        yield f"mistakes are {seeking.value}", step(TWO, number, voice, seeking=seeking, can_share=True)
    every: dict[str, Any] = {"wish": ReplayWish.MORE, "seeking": Seeking.OFFERED, "can_share": True}
    yield "more", step(TWO, number, voice, record=fair, **every)
    yield "shown to all", step(TWO, number, voice, record=fair, owner=7)
    view = played_view()
    made, best = CardChoice(card("5D"), -0.3, 0.5), CardChoice(card("JS"), 1.1, 0.521)
    yield "the coach speaks", step(TWO, number, voice, decision=Decision(view, made, (best, made)))
    yield "the coach says nothing", step(TWO, number, voice, decision=Decision(view, best, (best, made)))
    match = Agreement.of(target=61, best_of=9)
    before = tuple(MatchGame(Side(place % 2), 1, (61, 40)) for place in range(7))
    earlier = [f"game{place}" for place in range(2, 8)]
    record = record_of(match, NAMES, match_before=before)
    yield "a game of a match", step(TWO, number, voice, record=record, earlier=earlier)


def played_view() -> Any:
    """A view in which Ben is to play a card."""
    for game in played(TWO, 1):
        view = game.view(Seat(1))
        if len(view.legal_moves.playable) > 1:
            return view
    raise AssertionError("somebody plays a card")


@scenes("replay-pictures", open_hands_facts, open_hands_alt)
def open_hands(voice: Voice) -> Iterator[Scene]:
    record = record_of(TWO, NAMES)
    deal = [each for each in steps(TWO) if each.deal == 1]
    for title, shown in (("dealt", deal[0]), ("in play", deal[6]), ("counted", deal[-1])):
        yield title, open_hands_facts(record, shown)
        yield f"{title}, in words", open_hands_alt(record, shown, voice)


@scenes("history", history_drawing)
def history(voice: Voice) -> Iterator[Scene]:
    listed = History(games=tuple(past()), has_newer=True, has_older=True)
    yield "one's own", history_drawing(listed, PastId(whose=1), "A*da", voice, own=True)
    yield "somebody's, posted", history_drawing(listed, PastId(whose=1, owner=7), "A*da", voice)
    few = History(games=listed.games[:1])
    yield "the server's", history_drawing(few, PastId(whose=None), None, voice)
    yield "nobody's", history_drawing(few, PastId(whose=5), None, voice)
    record = record_of(Agreement.of(players=4), NAMES)
    gone = CancelledGame(number=9, record=record, at=1_795_262_400, deals=1)
    cancelled = History(games=(gone,), is_cancelled=True, has_older=True)
    empty = History(games=())
    for title, whose, name, own in (
        ("one's own", 1, "A*da", True),
        ("somebody's", 1, "A*da", False),
        ("the server's", None, None, False),
        ("nobody's", 5, None, False),
    ):
        at = PastId(whose=whose, is_cancelled=True)
        yield f"cancelled, {title}", history_drawing(cancelled, at, name, voice, own=own)
        yield f"none, {title}", history_drawing(empty, replace(at, is_cancelled=False), name, voice, own=own)
    none = replace(empty, is_cancelled=True)
    yield "none cancelled", history_drawing(none, PastId(whose=1, is_cancelled=True), "A*da", voice, own=True)


def past() -> Iterator[PastGame]:
    """A game of each ending, of each number of sides, and a match."""
    two, four = record_of(Agreement(), NAMES), record_of(Agreement.of(players=4), NAMES)
    three = record_of(Agreement.of(players=3), ("A*da", "", "Cleo"))
    won_before = (MatchGame(Side(0), 1, (121, 104)), MatchGame(Side(1), 2, (58, 121)))
    match = record_of(Agreement.of(best_of=3), NAMES, match_before=won_before)
    out, first, second = Ending.PEGGED_OUT, Side(0), Side(1)
    for place, (record, scores, winner, ending, deals) in enumerate(
        (
            (two, (121, 98), first, out, 9),
            (four, (117, 121), second, out, 1),
            (three, (87, 121, 60), second, out, 10),
            (match, (121, 90), first, out, 27),
            (two, (64, 31), first, Ending.RESIGNED, 5),
            (two, (88, 40), first, Ending.CLAIMED, 7),
        )
    ):
        yield PastGame(
            number=500 - place,
            record=replace(record, game=f"game{place}"),
            at=1_795_262_400 - 86_400 * place,
            deals=deals,
            winner=winner,
            ending=ending,
            scores=scores,
        )
