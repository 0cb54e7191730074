"""Scenes of a table beside its game: the lobby, its panels and forms, and the questions to its players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from bot.interactions.modals import amount_modal, count_modal, muggins_modal
from bot.interactions.rule_forms import rule_form
from bot.model.colours import Colour
from bot.model.custom_ids import ComponentId, Verb
from bot.model.rule_forms import RulesTopic
from bot.model.rule_settings import NUMBERS, Setting, changed
from bot.model.table_record import (
    Agreement,
    Explaining,
    MatchGame,
    Occupant,
    OwnThread,
    Pace,
    Status,
    TableRecord,
    computer_at,
)
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.declined import (
    bot_not_called,
    declined_drawing,
    declined_line,
    declined_there_line,
    not_called,
)
from bot.render.messages.ending_early import (
    called_off_drawing,
    elsewhere,
    end_drawing,
    ended_drawing,
    goes_on_drawing,
    kept_between_drawing,
    kept_drawing,
    moderator_between_drawing,
    moderator_drawing,
    resting_drawing,
)
from bot.render.messages.lobby import calling_line, lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.resign import resign_drawing, resigned_drawing
from bot.render.messages.rules_panel import rules_panel_drawing, rules_selects_drawing
from bot.render.messages.substitutes import cover_drawing, cover_hint, covered_drawing
from bot.render.messages.substitutes import elsewhere as cover_elsewhere
from bot.render.text.voice import Voice
from engine import Chance, Game, Seat, Side
from engine.computer import Level
from tests.bot.render.games import (
    ADA,
    ALOUD,
    BEN,
    PRICED,
    at_the_show,
    discarding,
    record_of,
    starter_cut,
)
from tests.golden import Scene, scenes

TWO, MATCH = Agreement(), Agreement.of(best_of=5)
THREE, FOUR = Agreement.of(players=3), Agreement.of(players=4)
BETWEEN: dict[str, Any] = {
    "status": Status.GATHERING,
    "match": "first",
    "match_before": (MatchGame(Side(0), 1, (121, 104)), MatchGame(Side(1), 2, (80, 121))),
    "won_before": (1, 2),
    "rematch_of": "second",
}
"""A table that gathers for the third game of a match."""
COMPUTER = computer_at(Level.EXPERT, ())
_TOMORROW = 1_800_000_001.0


def gathering(players: int, seated: int, **changes: Any) -> TableRecord:
    """A table with so many of its players."""
    agreement = changes.pop("agreement", Agreement.of(players=players))
    record = record_of(agreement, status=Status.GATHERING, **changes)
    return replace(record, occupants=record.occupants[:seated])


@scenes("lobby", lobby_drawing)
def lobbies(voice: Voice) -> Iterator[Scene]:
    """The lobby while it gathers, and what stays of it."""

    def lobby(record: TableRecord, **changes: Any) -> Drawing:
        return lobby_drawing(replace(record, **changes), voice)

    one, full = gathering(2, 1), gathering(2, 2)
    yield "of two, one seated", lobby(one)
    yield "of two, full", lobby(full, thread=OwnThread.WANTED)
    yield "of partners", lobby(gathering(4, 3))
    priced = Agreement.of(players=3, preset="family", muggins=True, wrong_claims=2, hints=True, best_of=3)
    yield "with rules of its own", lobby(gathering(3, 1), agreement=priced)
    yield "with a computer", lobby(one, occupants=(*one.occupants, COMPUTER))
    yield "calls somebody", lobby(one, called=77)
    yield "calls somebody, as a line", calling_line(replace(one, called=77), 77, voice)
    yield "calls somebody, and is full", lobby(full, called=77)
    people = (Occupant(2, "*Ben*"), Occupant(3, "Cleo"))
    slow = replace(THREE, pace=Pace.SLOW)
    yield "a rematch", lobby(one, rematch_of="a1b2", held=people[:1], opened_at=400)
    yield "a rematch of three", lobby(gathering(3, 1), agreement=slow, rematch_of="a1b2", held=people)
    yield "a rematch with a free seat", lobby(gathering(3, 1), rematch_of="a1b2", held=people[1:])
    yield "a sealed deck with words", lobby(full, has_deck=True, words=(ADA, BEN))
    yield "a deck that lost its words", lobby(full, has_deck=True, words_dropped=True)
    yield "between people", lobby(one, guild=None, venue=Venue.ANYWHERE)
    yield "a rematch between people", lobby(one, guild=None, venue=Venue.ANYWHERE, rematch_of="a1b2")
    yield "between two games of a match", lobby(record_of(MATCH, **BETWEEN))
    yield "has begun", lobby(full, status=Status.PLAYING)
    yield "has begun in a thread", lobby(full, status=Status.PLAYING, thread=OwnThread.OPEN)
    yield "has begun without a thread", lobby(full, status=Status.PLAYING, thread=OwnThread.REFUSED)
    closed: dict[str, Any] = {"status": Status.CANCELLED}
    yield "was closed", lobby(full, **closed)
    yield "was closed by time", lobby(full, **closed, timed_out=True)
    ended = record_of(MATCH, **BETWEEN | closed)
    yield "a match was ended", lobby(ended)
    yield "a match was ended by time", lobby(ended, timed_out=True)


@scenes("own seat", own_seat_drawing)
def own_seats(voice: Voice) -> Iterator[Scene]:
    """The private panel of each person at a table."""

    def seat(record: TableRecord, user: int, **changes: Any) -> Drawing:
        return own_seat_drawing(record, user, voice, **changes)

    three = gathering(3, 2)
    yield "of the host", seat(three, 1, is_newcomer=True)
    yield "of a guest", seat(three, 2, note=voice.gettext("Nothing was deleted."))
    ada, ben = three.occupants
    pink = replace(three, occupants=(ada, replace(ben, colour=Colour.PINK, explaining=Explaining.ON)))
    yield "with a chosen colour", seat(pink, 2)
    explained = replace(three, occupants=(replace(ada, explaining=Explaining.NEWCOMER), ben))
    yield "of somebody who is no newcomer any more", seat(explained, 1)
    explained = replace(three, occupants=(replace(ada, explaining=Explaining.OFF), ben))
    yield "of a newcomer without explanations", seat(explained, 1, is_newcomer=True)
    yield "with a computer", seat(replace(three, occupants=(ada, COMPUTER)), 1)
    yield "of a full table of partners", seat(gathering(4, 4), 1)
    held = (Occupant(2, "*Ben*"), Occupant(3, "Cleo"))
    rematch = replace(gathering(3, 1), rematch_of="a1b2", held=held)
    yield "of the host of a rematch", seat(rematch, 1)
    yield "with one seat held", seat(replace(rematch, held=held[:1]), 1)
    yield "between two games", seat(record_of(MATCH, **BETWEEN), 1)
    yield "of somebody without a seat", seat(three, 9)
    yield "of somebody at a full table", seat(gathering(2, 2), 9)
    yield "of somebody while seats are held", seat(rematch, 9)
    yield "of somebody for whom a seat is held", seat(rematch, 3)
    yield "has begun", seat(replace(gathering(2, 2), status=Status.PLAYING), 1)
    yield "was closed", seat(replace(gathering(2, 2), status=Status.CANCELLED), 1)


@scenes("rules panel", rules_panel_drawing, rules_selects_drawing)
def rules_panels(voice: Voice) -> Iterator[Scene]:
    """The host's panel, its selects and its forms."""
    one = gathering(2, 1)
    yield "forms", rules_panel_drawing(one, voice)
    priced = Agreement.of(preset="family", players=3, muggins=True, aloud=True, wrong_claims=2)
    yield "forms of many rules", rules_panel_drawing(gathering(3, 1, agreement=priced), voice)
    yield "selects", rules_selects_drawing(one, voice)
    yield "a setting", rules_selects_drawing(one, voice, Setting.COUNTING)
    long = changed(one.agreement, Setting.LENGTH, "77")
    yield (
        "a number of the host's own",
        rules_selects_drawing(replace(one, agreement=long), voice, Setting.LENGTH),
    )
    for topic in RulesTopic:
        yield f"the form: {topic.value}", rule_form(one, topic, voice)
    yield "the form of partners", rule_form(gathering(4, 1), RulesTopic.TABLE, voice)
    for setting in NUMBERS:
        yield f"a number: {setting.value}", amount_modal(ComponentId("k3f9", 0, Verb.SET), setting, voice)


@scenes("counts", count_modal, muggins_modal)
def count_forms(voice: Voice) -> Iterator[Scene]:
    """The forms in which a player says how much something is worth."""
    at, game = ComponentId("k3f9", 1, Verb.COUNT), at_the_show(ALOUD)
    yield "a hand", count_modal(at, game.view(BEN), voice)
    yield "too early", count_modal(at, game.view(ADA), voice)
    for seat in (BEN, ADA):
        game.apply(game.legal_moves(seat).moves[0])
    yield "a crib", count_modal(at, game.view(ADA), voice)
    yield "muggins", muggins_modal(at, ALOUD.rules, voice)
    yield "muggins with a price", muggins_modal(at, PRICED.rules, voice)


@scenes("declined", declined_drawing)
def declined_challenges(voice: Voice) -> Iterator[Scene]:
    """The panel of who declines a challenge, and what its host reads."""
    record = record_of(TWO)
    for title, for_good in (("this one", None), ("all of this player", True), ("none of this player", False)):
        yield title, declined_drawing(record, 1, voice, for_good=for_good)
    yield "this one, for a day", declined_drawing(record, 1, voice, for_good=None, until=_TOMORROW)
    yield "of somebody who has left", declined_drawing(record, 9, voice, for_good=None)
    yield (
        "the host reads",
        "\n".join(said("*Ben*", voice) for said in (not_called, bot_not_called, declined_line)),
    )
    yield (
        "the host reads, who may ask again tomorrow",
        "\n".join(said("*Ben*", voice, until=_TOMORROW) for said in (not_called, declined_line)),
    )
    yield "the host reads by DM", declined_there_line("*Ben*", 20, voice, until=_TOMORROW)


@scenes(
    "ending early",
    end_drawing,
    kept_drawing,
    goes_on_drawing,
    ended_drawing,
    moderator_drawing,
    moderator_between_drawing,
    kept_between_drawing,
    resting_drawing,
    called_off_drawing,
    resign_drawing,
    resigned_drawing,
)
def endings(voice: Voice) -> Iterator[Scene]:
    """The questions before a game ends without a result, and what becomes of them."""
    record, table = record_of(TWO), starter_cut(TWO).table
    yield "is asked", end_drawing(record, table, frozenset({ADA}), voice)
    three, of_three = record_of(THREE), starter_cut(THREE).table
    yield "two agree", end_drawing(three, of_three, frozenset({ADA, BEN}), voice)
    yield "two are asked", end_drawing(three, of_three, frozenset({ADA}), voice)
    yield "one of two is asked", end_drawing(three, of_three, frozenset({ADA}), voice, asked=frozenset({BEN}))
    with_computer = replace(three, occupants=(*three.occupants[:2], COMPUTER))
    yield "a computer agrees", end_drawing(with_computer, of_three, frozenset({ADA, Seat(2)}), voice)
    yield "goes on", kept_drawing(record, BEN, voice)
    yield "has ended", ended_drawing(voice)
    yield "where it is asked", elsewhere(record, voice)
    match, between = record_of(MATCH, won_before=(1, 2)), record_of(MATCH, **BETWEEN)
    yield "a moderator is asked", moderator_drawing(record, table, voice)
    cutting = Game.new(TWO.rules, chance=Chance(Random(1))).table
    yield "a moderator is asked before the first deal", moderator_drawing(record, cutting, voice)
    yield "a moderator is asked in a match", moderator_drawing(match, table, voice)
    yield "a moderator lets it go on", goes_on_drawing(record, table, voice)
    yield "a moderator is asked between two games", moderator_between_drawing(between, voice)
    yield "a moderator lets a match go on", kept_between_drawing(between, voice)
    yield "was called off", called_off_drawing(record, table, voice, head="0123456789abcdef" * 4)
    yield "was called off by time", called_off_drawing(replace(record, timed_out=True), table, voice)
    yield "was called off in a match", called_off_drawing(match, table, voice)
    yield "rests", resting_drawing(record, voice)
    captains = Agreement.of(preset="captains", captain=0)
    for name, agreement in (("two", TWO), ("three", THREE), ("partners", FOUR), ("captain's", captains)):
        game = discarding(agreement)
        yield f"resigns, of {name}", resign_drawing(record_of(agreement), game.table, voice)
    yield "has resigned", resigned_drawing(voice)


@scenes("substitutes", cover_drawing, covered_drawing)
def substitutes(voice: Voice) -> Iterator[Scene]:
    """The question whether a computer may play for somebody, and what becomes of it."""
    record, table, cleo = record_of(THREE), starter_cut(THREE).table, Seat(2)
    steady, expert = Level.STEADY, Level.EXPERT
    yield "is asked", cover_drawing(record, table, (cleo,), voice=voice)
    yield "for two", cover_drawing(record, table, (BEN, cleo), voice=voice)
    yield "one agrees", cover_drawing(record, table, (cleo,), {BEN: expert}, voice=voice)
    yield "both want another", cover_drawing(record, table, (cleo,), {ADA: steady, BEN: expert}, voice=voice)
    ada, ben, gone = record.occupants
    covered = replace(record, occupants=(ada, ben, replace(gone, level=expert)))
    yield "plays", covered_drawing(covered, table, (cleo,), voice)
    yield "plays, of no level", covered_drawing(record, table, (cleo,), voice)
    yield "where it is asked", cover_elsewhere(record, voice)
    view = starter_cut(THREE).view(ADA)
    absent = replace(view, table=replace(view.table, absences=(0, 3, 4)))
    alone = replace(record, occupants=(ada, *(replace(each, level=expert) for each in (ben, gone))))
    hints = {
        "nobody is away": cover_hint(record, view, voice),
        "two are away": cover_hint(record, absent, voice),
        "to one of them": cover_hint(record, replace(absent, seat=BEN), voice),
        "two are covered": cover_hint(alone, absent, voice),
    }
    yield "hints", "\n".join(f"`{title}`: {hint or '-'}" for title, hint in hints.items())
