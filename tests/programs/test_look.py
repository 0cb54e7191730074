"""A look measures what it says: taps belong to the move that they led to, and what is worse is marked."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from bot.model.table_record import Agreement
from engine import CardPlayed, CardsDiscarded, DealBegan, GoSaid, Seat, SeriesEnded, StarterCut, card
from programs.look.report import WORSE, Row, figure, rows, table
from programs.look.tally import Kind, Tally
from programs.look.ways import BY_DM, played
from sandbox.model.world import Change
from tests.bot.render.games import record_of
from tests.page.people import IMPATIENT, MILLISECONDS


def pressed(user: int, verb: str) -> Change:
    """A press of a button with that verb."""
    told = {
        "type": 3,
        "user": {"id": str(user), "global_name": f"{user}"},
        "data": {"custom_id": f"crib:k3f9:1:{verb}:5H"},
    }
    return Change("INTERACTION_CREATE", told)


def test_taps_belong_to_the_next_move_of_the_person_who_made_them() -> None:
    world = SimpleNamespace(listeners=[])
    sandbox: Any = SimpleNamespace(world=world)
    events: list[Any] = []
    archive: Any = SimpleNamespace(tables=lambda: (record_of(Agreement()),), log=lambda _: tuple(events))
    tally = Tally(sandbox, archive)
    [told] = world.listeners
    told(pressed(2, "deal"))
    events.append(DealBegan(Seat(0), 1))
    tally.look()
    for user, verb in ((1, "pick"), (2, "pick"), (1, "pick"), (1, "hand"), (1, "discard")):
        told(pressed(user, verb))
    events.append(CardsDiscarded(Seat(0), 2))
    tally.look()
    events += [CardsDiscarded(Seat(1), 2), StarterCut(Seat(1), card("5H"), 17)]
    tally.look()
    told(pressed(2, "play"))
    events.append(CardPlayed(Seat(1), card("9H")))
    tally.look()
    told(pressed(1, "play"))
    told(pressed(1, "call"))
    events += [CardPlayed(Seat(0), card("KH")), GoSaid(Seat(1)), SeriesEnded()]
    tally.look()
    told(pressed(2, "play"))
    events.append(CardPlayed(Seat(1), card("4H")))  # a lead again
    tally.look()

    assert tally.taps_for(Kind.DEAL) == 1
    assert tally.taps_for(Kind.DISCARD) == 2  # three of the first, and one of the second
    assert tally.taps_for(Kind.CUT) is None, "cut by the bot"
    assert tally.taps_for(Kind.LEAD) == 1
    assert tally.taps_for(Kind.CARD) == 2
    assert tally.taps_for(Kind.GO) is None, "said by the bot"
    assert tally.hands_opened["1"] == 1


def test_what_is_worse_than_wanted_is_marked() -> None:
    written = table([Row(what="taps", wanted="3", now="3"), Row(what="words", now="61", is_worse=True)])
    heading, _, taps, words = written.splitlines()

    assert len({len(line) for line in written.splitlines()}) == 1
    assert heading.split("|")[1:4] == [" " * len("taps  ") + " ", " wanted ", " now "]
    assert WORSE not in taps
    assert WORSE in words


def test_only_a_slip_of_the_hand_may_pass_what_is_wanted() -> None:
    assert figure("requests", 1.106, at_most=1.1).is_worse
    assert not figure("requests", 1.104, at_most=1.1).is_worse, "it is told as 1.1"
    assert not figure("taps", 1.04, at_most=1, slack=0.05).is_worse
    assert figure("taps", 1.06, at_most=1, slack=0.05).is_worse


@pytest.mark.deep
@pytest.mark.page
@pytest.mark.sockets
@pytest.mark.asyncio(loop_scope="session")
async def test_a_deal_is_played_measured_and_photographed(browser: Browser, tmp_path: Path) -> None:
    expect.set_options(timeout=MILLISECONDS)
    try:
        measured = await played(BY_DM, browser, tmp_path, length=61, deals=1)
    finally:
        expect.set_options(timeout=IMPATIENT)

    figures = {row.what: row.now for row in rows([measured])}
    assert figures["taps: discard"] == "3"
    assert figures["taps: lead"] == "1"
    assert figures["buttons: lobby"] == "4"
    assert int(figures["words: lobby"].split()[-1]) > 0
    assert (tmp_path / "by-dm" / "lobby.png").read_bytes().startswith(b"\x89PNG")
