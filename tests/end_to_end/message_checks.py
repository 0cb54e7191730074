"""Checks the messages of a finished game against its log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.model.posts import PostKind
from engine import (
    MOST_USUAL_SEATS,
    DealBegan,
    Game,
    GameWon,
    HandCounted,
    HandShown,
    Pegged,
    PlayEnded,
    PublicEvent,
    Rules,
    Seat,
    Side,
    Source,
)
from sandbox.model.channels import Message
from sandbox.model.world import Change
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive, deals_of
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, is_lobby

_HAND = re.compile(
    r"^(?P<symbol>\S+) \*\*(?P<name>(?:🤖 )?\w+(?: \d)?)(?P<crib>'s crib)?"
    r"(?::? claimed \d+, has)? (?P<points>\d+)\*\*",
    re.MULTILINE,
)
_SIDE = re.compile(r"(\S+) \*\*([^*\n]+)\*\* \d+")
"""A side's symbol and name, before its score."""
_PEGGED = re.compile(
    r"^-# \S+ (\d+) in the play(?:: .*?)?(?: · (?:his heels|his nob|His Knobs) (\d+))?$", re.MULTILINE
)
_LAST_DEAL = re.compile(r"^Deal \d+: .*$", re.MULTILINE)
_ENDED = re.compile(r"\b[Ww]ins?\b|\bwon\b|\blost\b|is over")
_NUMBERED = re.compile(r"(?<=🤖 )(\w+) \d+|\+")
"""A computer whose name has a number, and the sign before the crib."""
_AFTERWARDS = frozenset({"rematch", "review"})
_SCORE = re.compile(
    r"\*\*(?P<side>[\w &🤖]+?) (?P<points>\d+)\*\*(?:(?:\n-#| ·) (?:start \d+ · )?pegging | · \d+ \+ \d+ \+ )"
)


def assert_told_once_and_truly(table: Table, archive: Archive, *, up_to: Message | None = None) -> None:
    """Check that the game is won, and that its messages show what the log says, each deal once and in order.

    Messages after `up_to` are not checked.
    """
    assert len(table.results) == 1, "one result"
    game = assert_result_is_true(table, archive)
    log, names = archive.log(table.game), archive.table(table.game).names

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
            counted, shown_points = list(_counted(message)), list(_shown(events, names))
            assert counted == shown_points, message.text
            in_play = [int(play) + int(heels or 0) for play, heels in _PEGGED.findall(message.text)]
            assert in_play == [points for points in _pegged(events, game.rules) if points]


def assert_result_is_true(table: Table, archive: Archive) -> Game:
    """Check that the game is won, and that its newest result shows what the log says; returns the game."""
    log = archive.log(table.game)
    names = archive.table(table.game).names
    game = Game.replay(log)
    result = game.table.result
    assert isinstance(log[-1], GameWon)
    assert result is not None
    home = 1 - result.winner if game.rules.low_wins else result.winner
    assert result.scores[home] == game.rules.target

    sides = [
        " & ".join(names[seat] for seat in game.rules.seats_of(Side(side)))
        for side in range(game.rules.sides)
    ]
    shown = table.results[-1].text
    told = {match["side"]: int(match["points"]) for match in _SCORE.finditer(shown)}
    assert told == dict(zip(sides, result.scores, strict=True))
    winner = re.escape(sides[result.winner])
    said = rf"^## (🏆 {winner}\b|🏆 You win by |You lost to {winner}\b)"
    assert re.match(said, shown)
    return game


class DealsToldByDm:
    """An observer of a sandbox: what each message by DM has said of deals that were over, in order."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.by_message: dict[str, list[str]] = {}
        """By id: the lines at its head, each once."""
        sandbox.world.listeners.append(self)

    def __call__(self, change: Change) -> None:
        if change.name not in {"MESSAGE_CREATE", "MESSAGE_UPDATE"} or change.channel is None:
            return
        message = change.channel.messages.get(change.data["id"])
        if message is None or not change.channel.is_dm:
            return
        told = self.by_message.setdefault(message.id, [])
        told += [line for line in _LAST_DEAL.findall(message.text) if line not in told]


def assert_one_hand_a_game(
    tables: Sequence[Table], archive: Archive, told: DealsToldByDm | None = None
) -> None:
    """Check that every player's DM has one message for each of their games, which says how it ended.

    One who opened the hand at the table before it came by DM has none. It offers nothing to play with.
    With `told`, everybody has played by DM, and it has said of every deal but the last, in order,
    what each side gained, the player's own by its origin, and of two sides how it stood then.
    """
    games: dict[str, list[Table]] = {}
    people = {player.person.name: player.person for table in tables for player in table.players}
    for table in tables:
        for player in table.players:
            if player.looks_at_dms or _has_hand(player.person.name, table, archive):
                games.setdefault(player.person.name, []).append(table)
    for name, played in games.items():
        hands = [message for message in people[name].dms() if not message.is_ephemeral]
        assert len(hands) == len(played), f"{name}: {[message.text for message in hands]}"
        for hand in hands:
            assert _ENDED.search(hand.text), hand.text
            assert not playable(hand), hand.text
        if told is not None:
            found = [_numbers_told(told.by_message[hand.id]) for hand in hands]
            worth = [_worth(table, archive, name) for table in played]
            # Of the last deal it says something only if that was counted to its end.
            length = {str(each[0]): len(each) for each in worth}
            assert sorted(each[: length[str(each[0])]] for each in found) == sorted(worth), name


def _has_hand(name: str, table: Table, archive: Archive) -> bool:
    """True if the bot has recorded a message by DM for the player of that name."""
    seat = archive.table(table.game).names.index(name)
    return any(post.kind is PostKind.HAND and post.seat == seat for post in archive.posts(table.game))


def playable(message: Message) -> list[str]:
    """The verbs of a message's buttons with which a game in play is played."""
    return [address["verb"] for address, _ in controls(message) if address["verb"] not in _AFTERWARDS]


def _numbers_told(lines: Sequence[str]) -> list[list[int]]:
    return [[int(number) for number in re.findall(r"\d+", _NUMBERED.sub("", line))] for line in lines]


def _worth(table: Table, archive: Archive, name: str) -> list[list[int]]:
    """Of every deal but the last: its number, and the points in the order in which `name` is told them."""
    log = archive.log(table.game)
    seat = next(seat for seat, each in enumerate(archive.table(table.game).names) if each == name)
    starts = [place for place, event in enumerate(log) if isinstance(event, DealBegan)]
    found = []
    for number, (events, ended) in enumerate(zip(deals_of(log), starts[1:], strict=False), 1):
        game = Game.replay(log[:ended]).table
        rules, own = game.rules, game.rules.side_of(Seat(seat))
        gained = [0] * rules.sides
        for event in events:
            if isinstance(event, Pegged):
                gained[rules.side_of(event.seat)] += event.points
        counted = [
            event.points
            for event in events
            if isinstance(event, HandCounted) and rules.side_of(event.seat) == own
        ]
        in_play = _pegged(events, rules)[own]
        muggins = gained[own] - in_play - sum(counted)
        others = [points for side, points in enumerate(gained) if side != own]
        scores: list[int] = []
        is_full = rules.seats > MOST_USUAL_SEATS
        if rules.sides == 2 and not rules.low_wins and rules.captain is None and not is_full:
            # Equal scores are one number.
            scores = sorted({pegs.front for pegs in game.pegs}, reverse=True)
        told = [gained[own], in_play, *counted, *filter(None, [muggins]), *others, *scores]
        found.append([number, *told])
    return found


def _counted(message: Message) -> Iterator[tuple[str, bool, int]]:
    """The player, whether it was the crib, and the points of every hand in the message."""
    names = dict(_SIDE.findall(message.text))
    for match in _HAND.finditer(message.text):
        if names.get(match["symbol"]) == f"{match['name']} {match['points']}" and not match["crib"]:
            continue  # a hand that was not counted any more, of a computer whose name has a number
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
