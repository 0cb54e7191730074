"""Teams of a club event for partners: who is together stays so, and nobody who plays is left alone."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.features.clubs.event import Entrant, Event, Presence
from bot.features.clubs.teams import captains
from bot.model.table_record import Agreement
from engine.computer import Level
from tests.bot.features.clubs.test_store import night


def evening(*entrants: Entrant) -> Event:
    return replace(night(), agreement=Agreement.of(players=4), entrants=entrants)


def person(number: int, captain: int | None = None) -> Entrant:
    return Entrant(number=number, user=number, name=f"P{number}", presence=Presence.HERE, captain=captain)


def test_a_team_of_which_both_are_there_stays_and_the_others_are_joined_in_their_order() -> None:
    event = evening(person(1), person(2), person(3, 1), person(4), person(5), person(6, 5))
    assert captains(event, event.entrants, ()) == {4: 2}
    without_five = tuple(each for each in event.entrants if each.number != 5)
    computer = Entrant(number=7, user=None, name="", level=Level.STEADY)
    assert captains(event, without_five, [computer]) == {6: None, 4: 2, 7: 6}


@given(st.data(), st.integers(1, 12))
def test_everybody_who_plays_is_in_a_team_of_two(data: st.DataObject, number: int) -> None:
    order = data.draw(st.permutations(range(1, number + 1)))
    teamed = data.draw(st.integers(0, number // 2))
    pairs = [sorted(order[2 * each : 2 * each + 2]) for each in range(teamed)]
    led = {pair[1]: pair[0] for pair in pairs}
    event = evening(*(person(each, led.get(each)) for each in range(1, number + 1)))
    people = [each for each in event.entrants if data.draw(st.booleans())]
    computers = [Entrant(number=number + 1, user=None, name="", level=Level.STEADY)][: len(people) % 2]
    changed = captains(event, people, computers)
    after = evening(
        *(
            replace(each, captain=changed.get(each.number, each.captain))
            for each in (*event.entrants, *computers)
        )
    )
    playing = {each.number for each in (*people, *computers)}
    teams = [{one.number for one in after.team(each.number)} for each in after.sides]
    assert all(len(team) == (2 if team & playing else 1) for team in teams)
    assert all(team <= playing or not team & playing for team in teams)
