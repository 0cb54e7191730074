"""Simulated players who use slash commands alone, and write cards as people do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from random import Random

from engine import (
    CallMuggins,
    Card,
    ClaimHeels,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    Game,
    LetStand,
    Move,
    PlayCard,
    SayGo,
    Seat,
)
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from sandbox.model.interactions import Interaction, State
from tests.end_to_end.archive import Archive
from tests.end_to_end.tables import reply_to

_SIGNS = str.maketrans("CDHS", "♣♦♥♠")


class Typists:
    """The players of one table; moves are typed alternately in the channel and in the DM."""

    def __init__(self, people: Sequence[Person], channel: Channel, archive: Archive, game: str) -> None:
        self._people = people
        self._channel = channel
        self._archive = archive
        self._game = game
        self._random = Random(15)
        self._ways = cycle(range(4))
        self.used: set[str] = set()
        """The commands typed so far."""

    @property
    def now(self) -> Game:
        """The current state of the game."""
        return self._archive.replayed(self._game)

    async def play_to_the_end(self) -> None:
        """Make legal moves until the game is won."""
        while not self.now.is_over:
            await self.move()

    async def move(self) -> None:
        """A player to move types one legal move, and the log grows by it."""
        game = self.now
        seat = self._random.choice(game.table.waiting_for)
        moves: list[Move] = [move for move in game.legal_moves(seat) if not isinstance(move, CallMuggins)]
        if self._random.random() < 0.5:
            # Half the time any legal move, including muggins for any number of points.
            moves = list(game.legal_moves(seat))
        move = self._random.choice(moves)
        typed = self.type(seat, move)
        answer = await reply_to(typed)
        assert typed.state is State.ACKNOWLEDGED
        assert self.now.version > game.version, (typed.data, answer.text)

    def type(self, seat: Seat, move: Move) -> Interaction:
        """The command for a move."""
        name, options = self._command_for(move)
        self.used.add(name)
        person = self._people[seat]
        place = person.dm if person.dm is not None and next(self._ways) % 2 else self._channel
        return person.command(place, f"crib {name}", **options)

    def _command_for(self, move: Move) -> tuple[str, dict[str, object]]:
        match move:
            case Deal():
                return "deal", {}
            case Discard(_, cards):
                return "discard", {"cards": " ".join(map(self._written, cards))}
            case CutStarter(_, place) | CutForFirstDeal(_, place):
                return "cut", {"place": place}
            case PlayCard(_, card, points):
                return "play", {"card": self._written(card), "points": points}
            case SayGo():
                return "go", {}
            case ClaimHeels():
                return "claim", {}
            case CountAloud(_, points):
                return "count", {"points": points}
            case CallMuggins(_, points):
                return "muggins", {"points": points}
            case LetStand():
                return "muggins", {"points": 0}
        raise AssertionError(f"no command for {move}")

    def _written(self, card: Card) -> str:
        ways = (
            str(card),
            str(card).lower().replace("t", "10"),
            str(card).replace("T", "10").translate(_SIGNS),
            f"{card.rank.name.lower()} of {card.suit.name.lower()}",
        )
        return ways[next(self._ways)]
