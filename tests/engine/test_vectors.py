"""Every vector of the rules: hands, plays, deals and games, those of other projects, and kept games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, permutations, product
from pathlib import Path
from typing import Any

import pytest

from engine import (
    CannotCount,
    ClaimHeels,
    CutStarter,
    Deal,
    Discard,
    Game,
    IllegalMove,
    Move,
    PlayCard,
    Reason,
    Rules,
    SayGo,
    Seat,
    Stage,
    card,
    cards,
    count,
)
from engine.errors import CardNotHeld, MustPlay, NotYourTurn
from engine.events import (
    CardPlayed,
    DealBegan,
    DealEnded,
    HandCounted,
    HandShown,
    HeelsForfeited,
    Pegged,
    SeriesEnded,
    Source,
)
from engine.pegging import running_count, scores_in_play
from engine.presets import PRESETS
from engine.rules import CribFlush, Flush, StarterCutter
from engine.scores import Score
from engine.seats import left_of
from engine.secret_events import LoggedEvent
from tests.engine.games import PRESET_SEATS, mostly_deep
from tests.engine.playthroughs import FOLDER, GAMES, playthrough
from tests.engine.tables import StackedChance, at_play, opening, pack_for

DATA = Path(__file__).parent.parent / "data" / "rules"

Vector = dict[str, Any]

OPTIONS: dict[str, Any] = {
    "target": lambda value: {"target": value},
    "flush": lambda value: {"flush": Flush(value)},
    "crib_flush": lambda value: {"crib_flush": CribFlush(value)},
    "pairs_in_play": lambda value: {"pairs_in_play": value},
    "play_out": lambda value: {"play_out": value},
}
"""Every option that a vector sets beside its preset, as changes to `Rules`."""


def vectors(kind: str) -> list[Vector]:
    """All vectors of a file."""
    read: list[Vector] = json.loads((DATA / f"{kind}.json").read_text())["vectors"]
    return read


def rules_of(vector: Vector) -> Rules:
    """The rules that a vector's preset and options ask for, for its players and sides."""
    options = dict(vector["options"])
    preset = PRESETS[options.pop("preset", "standard")]
    changes = {name: value for key, chosen in options.items() for name, value in OPTIONS[key](chosen).items()}
    seats = vector.get("players", 2)
    sides = vector.get("sides", list(range(seats)))
    partners = len(set(sides)) < seats
    if not options.get("play_out", True):
        changes |= {"dealt": 5, "discarded": 2}  # the old five-card game
    return preset(seats, partners=partners, **changes)


def tuples(hands: Iterable[list[str]]) -> list[tuple[Any, ...]]:
    """The hands of a vector, as cards."""
    return [cards(" ".join(hand)) for hand in hands]


SHOW = vectors("show_hands")
PEGGING = vectors("pegging")
PLAYS = [each for each in PEGGING if each["kind"] == "play"]
COUNTS = [each for each in PEGGING if each["kind"] == "count"]
ILLEGAL = [each for each in PEGGING if each["kind"] == "illegal"]
DEALS = vectors("deals")
WHOLE = {name: list(deals) for name, deals in groupby(DEALS, key=lambda each: each.get("game")) if name}

REFUSALS: dict[str, type[IllegalMove]] = {
    "PG-S071": MustPlay,
    "PG-S072": CardNotHeld,
    "PG-S073": NotYourTurn,
    "PG-S074": CardNotHeld,
    "PG-S075": NotYourTurn,
    "PG-S076": NotYourTurn,
    "PG-S077": NotYourTurn,
    "PG-S078": NotYourTurn,
}
"""The class of the refusal of each illegal attempt."""

BREAKDOWN = {
    Reason.FIFTEEN: "fifteens",
    Reason.PAIR: "pairs",
    Reason.RUN: "runs",
    Reason.FLUSH: "flush",
    Reason.NOBS: "nobs",
}


def of(these: list[Vector]) -> Any:
    return pytest.mark.parametrize("vector", these, ids=[each["id"] for each in these])


def test_no_vector_is_left_out() -> None:
    run = {each["id"] for each in (*SHOW, *PLAYS, *COUNTS, *ILLEGAL, *DEALS)}

    assert (len(SHOW), len(PLAYS) + len(COUNTS) + len(ILLEGAL), len(DEALS)) == (108, 78, 38)
    assert len(run) == 108 + 78 + 38
    assert {name: len(each) for name, each in WHOLE.items()} == {
        "two-player game A": 8,
        "four-player game D": 6,
    }
    assert set(REFUSALS) == {each["id"] for each in ILLEGAL}


def test_hands_and_plays_that_the_tests_of_other_projects_expect() -> None:
    """By project: cards and points, of plays those of the last card, by the standard rules."""
    peers = json.loads((DATA / "peers.json").read_text())
    standard = PRESETS["standard"](2)
    assert (len(peers["hands"]), len(peers["plays"])) == (318, 138)
    for source, hand, starter, crib, points in peers["hands"]:
        if hand == "6C 6D 6C 6S":  # no hand of one pack
            with pytest.raises(CannotCount):
                count(cards(hand), starter=card(starter), rules=standard, crib=crib)
            continue
        counted = count(cards(hand), starter=card(starter), rules=standard, crib=crib)
        assert counted.points == points, (source, hand, starter)
    for source, series, points in peers["plays"]:
        scores = scores_in_play(cards(series), standard)
        assert sum(score.points for score in scores) == points, (source, series)


@of(SHOW)
def test_a_hand_counts_what_the_rules_say_and_for_the_same_cards(vector: Vector) -> None:
    starter = card(vector["starter"])
    for order in permutations(cards(" ".join(vector["hand"]))):
        counted = count(order, starter=starter, rules=rules_of(vector), crib=vector["crib"])

        assert vector["score"] == counted.points
        assert vector["breakdown"] == breakdown(counted.scores)
        assert combos(vector) == Counter(map(combo, counted.scores))


def breakdown(those: tuple[Score, ...]) -> dict[str, int]:
    return {
        name: sum(score.points for score in those if score.reason is reason)
        for reason, name in BREAKDOWN.items()
    }


def combo(score: Score) -> tuple[str, frozenset[str], int]:
    return BREAKDOWN[score.reason], frozenset(map(str, score.cards)), score.points


def combos(vector: Vector) -> Counter[tuple[str, frozenset[str], int]]:
    return Counter((each["type"], frozenset(each["cards"]), each["points"]) for each in vector["combos"])


@of(PLAYS)
def test_the_play_goes_card_by_card_as_written(vector: Vector) -> None:
    rules = rules_of(vector)
    dealer = (vector["leader"] - 1) % rules.seats
    game = at_play(rules, *tuples(vector["hands"]), dealer=dealer, scores=vector["start_scores"])
    for step in vector["steps"]:
        run_step(game, step)
        assert step["scores"] == at_end_of_play(game)

    result = game.table.result
    winner = result.winner if result and result.stage is Stage.PLAYING else None

    assert vector["winner"] == winner
    assert vector["final_scores"] == at_end_of_play(game)


def at_end_of_play(game: Game) -> list[int]:
    """The scores before any hand was shown."""
    pegged = [0] * game.rules.sides
    for event in game.log:
        if isinstance(event, HandShown):
            break
        if isinstance(event, Pegged):
            pegged[game.rules.side_of(event.seat)] += event.points
    return pegged


@of(COUNTS)
def test_a_card_in_the_play_scores_with_those_before_it(vector: Vector) -> None:
    series = cards(" ".join(vector["cards"]))

    assert vector["cards"] == [step["card"] for step in vector["steps"]]
    for length, step in enumerate(vector["steps"], start=1):
        scored = scores_in_play(series[:length], rules_of(vector))

        assert step["count"] == running_count(series[:length])
        assert step["points"] == {score.reason.value: score.points for score in scored}


@of(ILLEGAL)
def test_what_the_rules_forbid_is_refused_and_changes_nothing(vector: Vector) -> None:
    rules = rules_of(vector)
    dealer = (vector["leader"] - 1) % rules.seats
    started = at_play(rules, *tuples(vector["hands"]), dealer=dealer, scores=vector["start_scores"])
    game = Game.replay(started.log, automatic={SayGo})
    for played in vector["plays"]:
        game.apply(PlayCard(Seat(played["player"]), card(played["card"])))

    assert (vector["turn"],) == game.table.waiting_for

    before = (game.state, game.log)
    with pytest.raises(IllegalMove) as refusal:
        game.apply(attempt(vector["attempt"]))

    assert REFUSALS[vector["id"]] is type(refusal.value)
    assert vector["attempt"]["player"] == refusal.value.seat
    assert before == (game.state, game.log)


def attempt(written: dict[str, Any]) -> Move:
    seat = Seat(written["player"])
    return SayGo(seat) if written["action"] == "go" else PlayCard(seat, card(written["card"]))


@of(DEALS)
def test_a_deal_goes_from_the_first_card_to_the_crib_as_written(vector: Vector) -> None:
    rules = rules_of(vector)
    log = opening(rules, dealer=vector["dealer"], scores=vector["start_scores"])
    run_deal(Game.replay(log, chance=StackedChance(**stacked(vector))), vector)


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_game_goes_deal_by_deal_as_written(name: str) -> None:
    deals = WHOLE[name]
    packs = [pack for vector in deals for pack in stacked(vector)["packs"]]
    chance = StackedChance()
    game = Game.new(rules_of(deals[0]), chance=chance, dealer=Seat(deals[0]["dealer"]))
    chance.packs = packs
    for vector in deals:
        assert vector["deal_no"] == game.table.deal_number + 1

        run_deal(game, vector)

    assert game.is_over
    assert Game.replay(game.log).table == game.table


def stacked(vector: Vector) -> dict[str, Any]:
    extra = cards(vector["crib_extra"] or "")
    rules, dealer, starter = rules_of(vector), vector["dealer"], card(vector["starter"])
    return {"packs": [pack_for(rules, dealer, tuples(vector["dealt"]), extra, starter=starter)]}


def run_deal(game: Game, vector: Vector) -> None:
    dealer = Seat(vector["dealer"])

    assert (dealer, vector["start_scores"]) == (game.table.dealer, fronts(game))

    game.apply(Deal(dealer))
    for seat, dealt in enumerate(tuples(vector["dealt"])):
        assert tuple(sorted(dealt)) == game.view(Seat(seat)).hand
    for seat, given in enumerate(tuples(vector["discards"])):
        game.apply(Discard(Seat(seat), given))
    happened = list(game.apply(CutStarter(cutter(game))))

    assert card(vector["starter"]) == game.table.starter
    assert sorted(cards(" ".join(vector["crib"]))) == sorted(crib_of(game))

    run_heels(game, vector, happened)
    for step in vector["play"]:
        start = game.version
        run_step(game, step)
        happened = list(game.log[start:])
        if not any(isinstance(event, HandShown) for event in happened):
            assert step["scores"] == fronts(game)

    run_show(game, vector, happened)
    run_result(game, vector)


def cutter(game: Game) -> Seat:
    if game.rules.starter_cut is StarterCutter.DEALER:
        return game.table.dealer
    return left_of(game.table.dealer, game.rules.seats)


def crib_of(game: Game) -> tuple[Any, ...]:
    phase: Any = game.state.phase
    layout: Any = getattr(phase, "before", phase).layout
    crib: tuple[Any, ...] = layout.crib
    return crib


def run_heels(game: Game, vector: Vector, happened: list[LoggedEvent]) -> None:
    if vector.get("heels_claimed"):
        happened += game.apply(ClaimHeels(game.table.dealer))
    pegged = [event for event in happened if isinstance(event, Pegged)]
    if vector["heels"] is None or not vector["heels"]["points"]:
        assert (pegged, vector["heels"] is not None) == ([], game.table.heels_open)
        return
    (heels,) = pegged

    assert Reason.HEELS is heels.scores[0].reason
    assert vector["heels"] == {
        "side": game.rules.side_of(heels.seat),
        "points": heels.points,
        "scores": fronts(game),
    }


def run_show(game: Game, vector: Vector, happened: list[LoggedEvent]) -> None:
    """The hands shown, in order; the points of each are pegged before the next is shown."""
    told = iter(shown(happened, game, before_show(game, happened)))
    for written in vector["show"]:
        found = next(told)

        assert written | {"cards": sorted(written["cards"])} == found
    assert list(told) == []
    if vector["heels"] and not vector["heels"]["points"]:
        assert any(isinstance(event, HeelsForfeited) for event in game.log)


def before_show(game: Game, happened: list[LoggedEvent]) -> list[int]:
    """The scores when the play ended: what has been pegged since is taken off again."""
    left = fronts(game)
    after = next(
        (place for place, event in enumerate(happened) if isinstance(event, HandShown)), len(happened)
    )
    for event in happened[after:]:
        if isinstance(event, Pegged):
            left[game.rules.side_of(event.seat)] -= event.points
    return left


def shown(happened: list[LoggedEvent], game: Game, running: list[int]) -> Iterator[dict[str, Any]]:
    for place, event in enumerate(happened):
        if not isinstance(event, HandShown):
            continue
        counted = happened[place + 1]
        following = happened[place + 2] if place + 2 < len(happened) else None
        pegged = following if isinstance(following, Pegged) else None
        if pegged:
            running[game.rules.side_of(pegged.seat)] += pegged.points

        assert isinstance(counted, HandCounted)
        assert (event.seat, event.source) == (counted.seat, counted.source)

        yield {
            "what": "crib" if event.source is Source.CRIB else "hand",
            "player": event.seat,
            "cards": sorted(map(str, event.cards)),
            "score": counted.points,
            "breakdown": breakdown(pegged.scores if pegged else ()),
            "scores": list(running),
        }


def run_result(game: Game, vector: Vector) -> None:
    written = vector["result"]
    result = game.table.result

    assert written["final_scores"] == fronts(game)
    assert (written["winner"] is not None) == game.is_over
    if result is None:
        assert isinstance(game.log[-1], DealEnded)
        assert written["next_dealer"] == game.table.dealer
        return
    ended_in = Stage.PLAYING.value if written["ended_in"] == "heels" else ENDED_IN[written["ended_in"]]

    assert written["winner"] == result.winner
    assert ended_in == result.stage.value
    assert tuple(min(score, game.rules.target) for score in written["final_scores"]) == result.scores
    assert written["skunk"] == {
        str(side): skunk.value for side, skunk in enumerate(result.skunks) if side != result.winner
    }


ENDED_IN = {"play": Stage.PLAYING.value, "show": Stage.SHOWING.value}


def fronts(game: Game) -> list[int]:
    return [pegs.front for pegs in game.table.pegs]


def run_step(game: Game, step: Vector) -> None:
    """Play a step's card and the passes that follow it, and hold the game against the step."""
    seat = Seat(step["player"])

    assert (seat,) == game.table.waiting_for

    happened = list(game.apply(PlayCard(seat, card(step["card"]))))

    assert step["count"] == _count_reached(game.log)

    for passing in step["go"]:
        happened += game.apply(SayGo(Seat(passing)))
    has_ended = any(isinstance(event, SeriesEnded) for event in happened)

    assert step["points"] == _points(happened)
    assert step["pegged"] == sum(step["points"].values())
    assert step["next"] == _next(game)
    assert step["reset"] == has_ended or game.is_over


def _count_reached(log: Iterable[LoggedEvent]) -> int:
    """The count that the last card played has reached."""
    count, is_new = 0, True
    for event in log:
        if isinstance(event, SeriesEnded | DealBegan):
            is_new = True
        elif isinstance(event, CardPlayed):
            count, is_new = event.card.pips + (0 if is_new else count), False
    return count


def _points(happened: list[LoggedEvent]) -> dict[str, int]:
    """Points pegged by reason, up to the end of the play."""
    points: dict[str, int] = {}
    for event in happened:
        if isinstance(event, SeriesEnded):
            break
        if isinstance(event, Pegged):
            for score in event.scores:
                assert score.reason in _IN_PLAY
                points[score.reason.value] = points.get(score.reason.value, 0) + score.points
    return points


def _next(game: Game) -> int | None:
    if game.table.stage.value != "playing":
        return None
    (seat,) = game.table.waiting_for
    return seat


_IN_PLAY = {Reason.FIFTEEN, Reason.THIRTY_ONE, Reason.PAIR, Reason.RUN, Reason.GO, Reason.LAST}


WITHIN_REASON = 170_000
"""Bytes that somebody may still want to read."""


@pytest.mark.parametrize("name", mostly_deep(GAMES, [*GAMES][::3]))
def test_the_game_is_played_as_it_was(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()

    assert kept == playthrough(name).splitlines()


def test_every_preset_and_number_of_players_has_a_game_and_every_file_is_one() -> None:
    wanted = {
        f"{name}-{seats}.txt"
        for name, seats in (*PRESET_SEATS, *product(("aloud", "muggins"), (2, 3, 4)), ("price", 3))
    } | {"standard-6-threes.txt"}
    kept = {path.name: path.stat().st_size for path in FOLDER.iterdir()}

    assert wanted == set(kept)
    assert max(kept.values()) < WITHIN_REASON
