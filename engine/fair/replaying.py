"""A game played again with the cards that follow from its secret, move by move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.codec import Entry, decode, decode_rules, kind_of
from engine.errors import EngineError, LogError
from engine.events import (
    CameBack,
    CardPlayed,
    ComputerChanged,
    CountLetStand,
    CountStood,
    CutForDeal,
    DealBegan,
    GameClaimed,
    GoSaid,
    HandCounted,
    HeelsClaimed,
    HeelsForfeited,
    MugginsCalled,
    Resigned,
    StarterCut,
    StoodIn,
    SubstituteMoved,
)
from engine.fair.draws import FairChance
from engine.fair.findings import Checked, Finding
from engine.fair.terms import is_player
from engine.game import Game
from engine.moves import (
    BySubstitute,
    CallMuggins,
    ChangeComputer,
    ClaimGame,
    ClaimHeels,
    ComeBack,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    OwnMove,
    PlayCard,
    PreArranged,
    Resign,
    SayGo,
    StandIn,
)
from engine.seats import Seat
from engine.secret_events import Discarded, LoggedEvent


def played_again(entries: Sequence[Entry], chance: FairChance, terms: dict[str, Any]) -> Finding:
    """The result of playing the log again by the rules and with the first dealer of the terms."""
    again = None
    try:
        again = Replay(entries, chance, terms)
        for _ in again.moves():
            pass
    except (EngineError, AttributeError, LookupError, TypeError, ValueError) as error:
        same = 0 if again is None else again.same
        return Finding(Checked.CARDS, holds=False, detail=f"event {same} ({type(error).__name__})")
    return Finding(Checked.CARDS, again.is_whole, f"event {again.same}")


class Replay:
    """A game that is played again from its log, with cards that come from `chance`."""

    def __init__(self, entries: Sequence[Entry], chance: FairChance, terms: dict[str, Any]) -> None:
        """Raises `EngineError`, and whatever reading a log that no game wrote raises."""
        self._log = tuple(decode(each.kind, each.body, each.codec) for each in entries)
        rules, dealer = decode_rules(terms["rules"], entries[0].codec), terms["dealer"]
        self.game = Game.new(rules, chance=chance, dealer=None if dealer is None else Seat(dealer))
        self.same = _alike(self.game.log, self._log)
        """The number of events that are alike so far."""

    @property
    def is_whole(self) -> bool:
        """True if the game played again has the whole log, and no more."""
        return self.same == self.game.version == len(self._log)

    def moves(self) -> Iterator[Move]:
        """Yields each move before it is made; stops at the first event that is another one.

        Raises as the constructor does.
        """
        while self.same == self.game.version < len(self._log):
            move = _move(self._log[self.same : self.same + _MOST_AT_ONCE])
            yield move
            events = self.game.apply(move)
            if not events:
                return  # a move that changes nothing writes nothing
            self.same += _alike(events, self._log[self.same :])


def _alike(ours: Sequence[LoggedEvent], theirs: Sequence[LoggedEvent]) -> int:
    """The number of equal events from the first on."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((place for place, (our, their) in pairs if our != their), min(len(ours), len(theirs)))


_MOST_AT_ONCE = 6
"""Events searched for the one that shows the move: a settled count may come before it."""


def _move(log: Sequence[LoggedEvent]) -> Move:
    """The move that wrote the first of these events. Raises `LogError` if none did.

    A cut by chance may have been arranged beforehand: only then does it leave an absent player absent.
    """
    match log[0]:
        case StoodIn():
            return StandIn(_own_move(log[1:]))
        case SubstituteMoved(_, level):
            return BySubstitute(_own_move(log[1:]), level)
        case ComputerChanged(player) if is_player(player):
            return ChangeComputer(player)
        case CameBack(seat):
            return ComeBack(seat)  # the move that brings its player back writes the same events
        case CutForDeal(by_chance=True) | StarterCut(by_chance=True):
            return PreArranged(_own_move(log))
        case _:
            return _own_move(log)


def _own_move(log: Sequence[LoggedEvent]) -> OwnMove:  # noqa: C901, PLR0912 -- one case a move
    match log[0]:
        case CountStood() | HeelsForfeited():
            return _own_move(log[1:])  # the next event shows the move
        case CutForDeal(seat, _, place, by_chance):
            return CutForFirstDeal(seat, None if by_chance else place)
        case DealBegan(dealer):
            return Deal(dealer)
        case Discarded(seat, given):
            return Discard(seat, given)
        case StarterCut(seat, _, place, by_chance):
            return CutStarter(seat, None if by_chance else place)
        case HeelsClaimed(seat):
            return ClaimHeels(seat)
        case CardPlayed(seat, played, called):
            return PlayCard(seat, played, called)
        case GoSaid(seat):
            return SayGo(seat)
        case HandCounted(seat=seat, called=int(called)):
            return CountAloud(seat, called)
        case MugginsCalled(seat, called):
            return CallMuggins(seat, called)
        case CountLetStand(seat):
            return LetStand(seat)
        case Resigned(seat):
            return Resign(seat)
        case GameClaimed(seat):
            return ClaimGame(seat)
        case event:
            raise LogError(f"no move begins with a {kind_of(event)}")
