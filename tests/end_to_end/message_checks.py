"""Checks the messages of a finished game against its log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from engine import (
    Game,
    GameWon,
    HandCounted,
    HandShown,
    Pegged,
    PlayEnded,
    PublicEvent,
    Rules,
    Side,
    Source,
)
from sandbox.model.channels import Message
from tests.end_to_end.archive import Archive, deals_of
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, is_lobby

_HAND = re.compile(
    r"^\S+ \*\*(?P<name>(?:🤖 )?\w+(?: \d)?)(?P<crib>'s crib)? (?P<points>\d+)\*\*", re.MULTILINE
)
_PEGGED = re.compile(r"^-# \S+ pegged (\d+)", re.MULTILINE)
_DEAL = re.compile(r"^(?:\*\*|-# )Deal (\d+)\b", re.MULTILINE)
_LAST_DEAL = re.compile(r"^-# .*?\bdeal (\d+)\b[^·\n]* · ", re.MULTILINE)
"""In a result: the deal in which the game ended."""
_AFTERWARDS = frozenset({"rematch", "review"})
_SCORE = re.compile(r"\*\*(?P<side>[\w &🤖]+?) (?P<points>\d+)\*\*\n-# pegging ")


def assert_told_once_and_truly(table: Table, archive: Archive, *, up_to: Message | None = None) -> None:
    """Check that the game is won, and that its messages show what the log says, each deal once and in order.

    Messages after `up_to` are not checked.
    """
    log = archive.log(table.game)
    names = archive.table(table.game).names
    game = Game.replay(log)
    result = game.table.result
    assert isinstance(log[-1], GameWon)
    assert result is not None
    assert result.scores[result.winner] == game.rules.target

    assert len(table.results) == 1, "one result"
    sides = [
        " & ".join(names[seat] for seat in game.rules.seats_of(Side(side)))
        for side in range(game.rules.sides)
    ]
    told = {match["side"]: int(match["points"]) for match in _SCORE.finditer(table.results[0].text)}
    assert told == dict(zip(sides, result.scores, strict=True))
    winner = re.escape(sides[result.winner])
    said = rf"^## (🏆 (You win, )?{winner}\b|🏆 You win by |You lost to {winner}\b)"
    assert re.match(said, table.results[0].text)

    deals = deals_of(log)
    shown = [number for number, events in enumerate(deals, 1) if _is_shown(events)]
    assert [number for number, _ in table.deals] == list(range(1, len(deals) + 1)), "one message a deal"
    assert [number for number, _ in table.shows] == shown, "each deal became its show, if it came to one"
    # A game alone against the computer begins at once, and has no lobby.
    lobby = is_lobby(table.messages[0])
    messages = table.messages[lobby : table.messages.index(up_to) + 1 if up_to else None]
    assert [_kind(message) for message in messages] == list(_order(len(deals))), _kinds(messages)
    for (_, message), events in zip(table.deals, deals, strict=True):
        assert controls(message) == [], "the buttons of a deal that is over are gone"
        if _is_shown(events):
            assert list(_counted(message)) == list(_shown(events, names))
            assert [int(points) for points in _PEGGED.findall(message.text)] == _pegged(events, game.rules)


def assert_one_hand_a_deal(
    tables: Sequence[Table], archive: Archive, *, may_lack_the_last: bool = False
) -> None:
    """Check that every player's DM has one message for each deal of each of their games.

    There is nothing to play with on any, and the last is the result.
    With `may_lack_the_last` that of a game's last deal may be missing: while a request hung, its player may
    have played it to the end at the table, and a hand that nobody can play any more is not sent.
    """
    dealt: dict[str, Counter[int]] = {}
    last: dict[str, Counter[int]] = {}
    for table in tables:
        numbers = range(1, len(deals_of(archive.log(table.game))) + 1)
        for player in table.players:
            dealt.setdefault(player.person.name, Counter()).update(numbers)
            last.setdefault(player.person.name, Counter()).update(numbers[-1:])
    people = {player.person.name: player.person for table in tables for player in table.players}
    for name, person in people.items():
        hands = [message for message in person.dms() if not message.is_ephemeral]
        found = Counter(
            int(match[1])
            for message in hands
            for match in (_LAST_DEAL if controls(message) else _DEAL).finditer(message.text)
        )
        too_many, missing = found - dealt[name], dealt[name] - found
        excused = last[name] if may_lack_the_last else Counter()
        assert (too_many, missing - excused) == (Counter(), Counter()), name
        assert [message.text for message in hands if playable(message)] == []


def playable(message: Message) -> list[str]:
    """The verbs of a message's buttons with which a game in play is played."""
    return [address["verb"] for address, _ in controls(message) if address["verb"] not in _AFTERWARDS]


def _counted(message: Message) -> Iterator[tuple[str, bool, int]]:
    """The player, whether it was the crib, and the points of every hand in the message."""
    for match in _HAND.finditer(message.text):
        yield match["name"], bool(match["crib"]), int(match["points"])


def _shown(events: Sequence[PublicEvent], names: Sequence[str]) -> Iterator[tuple[str, bool, int]]:
    for event in events:
        if isinstance(event, HandCounted):
            yield names[event.seat], event.source is Source.CRIB, event.points


def _pegged(events: Sequence[PublicEvent], rules: Rules) -> list[int]:
    """By side: the points pegged before the show."""
    pegged = [0] * rules.sides
    for event in events:
        if isinstance(event, PlayEnded):
            break
        if isinstance(event, Pegged):
            pegged[rules.side_of(event.seat)] += event.points
    return pegged


def _is_shown(events: Sequence[PublicEvent]) -> bool:
    return any(isinstance(event, HandShown) for event in events)


def _order(deals: int) -> Iterator[str]:
    for number in range(1, deals + 1):
        yield f"deal {number}"
    yield "result"


def _kind(message: Message) -> str:
    if deal := re.search(r"\*\*Deal (\d+)\*\* · ", message.text):
        return f"deal {deal[1]}"
    return "result" if of_verb(message, "rematch") else message.text


def _kinds(messages: Sequence[Message]) -> str:
    return ", ".join(map(_kind, messages))
