"""`Game`, the engine's interface to a game.

    game = Game.new(TWO_HANDED, chance=Chance(Random(7)), automatic={SayGo})
    events = game.apply(Deal(game.table.dealer))
    events = game.play("1 discards 5H JD")

`apply` is `accept(decide(move))`. `decide` changes nothing, so that a caller can make the events durable
in between. The log is the game: `Game.replay(game.log)` is the same game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce
from random import SystemRandom

from engine.chance import Chance
from engine.evolution import evolve, replay
from engine.legal import LegalMoves, legal_moves, only_move, waiting_for
from engine.moves import Move
from engine.notation import read_move
from engine.phases import Over
from engine.presets import preset_of
from engine.referee import Verdict, decide, open_game
from engine.rules import Rules
from engine.seats import Seat
from engine.secret_events import LoggedEvent
from engine.soundness import examined
from engine.state import State
from engine.views import PlayerView, TableView, in_short, player_view, table_view


class Game:
    """One game of cribbage, from the cut for deal to the winning peg.

    Views are cached until the next event; they are immutable, so callers may share them.
    """

    def __init__(
        self,
        log: Iterable[LoggedEvent],
        *,
        chance: Chance | None = None,
        automatic: Collection[type[Move]] = frozenset(),
        doubted: bool = False,
    ) -> None:
        """Replays `log`, as `Game.replay` does; `Game.new` begins a new game."""
        self._log = tuple(log)
        self._state = examined(self._log) if doubted else replay(self._log)
        self._chance = Chance(SystemRandom()) if chance is None else chance
        self._automatic = frozenset(automatic)
        self._decided: Verdict | None = None
        self._table: TableView | None = None
        self._views: dict[Seat, PlayerView] = {}

    @classmethod
    def new(
        cls,
        rules: Rules,
        *,
        chance: Chance,
        dealer: Seat | None = None,
        automatic: Collection[type[Move]] = frozenset(),
    ) -> Game:
        """A new game: `dealer` deals first, or the players cut for it.

        The game makes a move of the kinds in `automatic` itself, when it is the only legal move of a seat for
        which it waits.
        """
        game = cls(open_game(rules, chance, dealer).events, chance=chance, automatic=automatic)
        game.accept(game._follow(Verdict((), game._state)).events)
        return game

    @classmethod
    def replay(
        cls,
        log: Iterable[LoggedEvent],
        *,
        chance: Chance | None = None,
        automatic: Collection[type[Move]] = frozenset(),
        doubted: bool = False,
    ) -> Game:
        """The game that wrote `log`. Raises `LogError` if none did.

        `doubted` is for a log that may be damaged, as one from a disk: each event is checked against the
        table before it happens. Cards still to be dealt come from `chance`, or else from the system's
        generator.
        """
        return cls(log, chance=chance, automatic=automatic, doubted=doubted)

    @property
    def log(self) -> tuple[LoggedEvent, ...]:
        """Every event so far, in order. It has every card."""
        return self._log

    @property
    def state(self) -> State:
        """The position behind the views. It has every card."""
        return self._state

    @property
    def version(self) -> int:
        """The number of events in the log."""
        return len(self._log)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._state.rules

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return isinstance(self._state.phase, Over)

    @property
    def table(self) -> TableView:
        """The view of the whole table."""
        if self._table is None:
            self._table = table_view(self._state)
        return self._table

    def view(self, seat: Seat) -> PlayerView:
        """The view of `seat`. Raises `NoSuchSeat`."""
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = player_view(self._state, seat, self.table)
        return view

    def legal_moves(self, seat: Seat) -> LegalMoves:
        """The legal moves of `seat` now."""
        view = self._views.get(seat)
        return legal_moves(self._state, seat) if view is None else view.legal_moves

    def decide(
        self, move: Move, *, automatic: Collection[type[Move]] | None = None
    ) -> tuple[LoggedEvent, ...]:
        """The events of the move and of the automatic moves that follow. Changes nothing.

        `automatic` overrides the game's own kinds of automatic moves for this call. Raises `IllegalMove` if
        the seat may not make the move now, and `GameIsOver`.
        """
        self._decided = self._follow(decide(self._state, move, self._chance), automatic)
        return self._decided.events

    def table_after(self, events: Iterable[LoggedEvent]) -> TableView:
        """The table's view after these events. Raises `LogError` if they cannot happen here."""
        return table_view(reduce(evolve, events, self._state))

    def accept(self, events: Iterable[LoggedEvent]) -> None:
        """Appends the events. Raises `LogError` if they cannot happen here, and then changes nothing."""
        happened = tuple(events)
        if self._decided is not None and happened is self._decided.events:
            state = self._decided.state  # decided at this version: these events are folded already
        else:
            state = reduce(evolve, happened, self._state)
        self._state = state
        self._log += happened
        self._decided = None
        self._table = None
        self._views = {}

    def apply(self, move: Move) -> tuple[LoggedEvent, ...]:
        """Makes the move and returns its events. Raises as `decide` does, and then changes nothing."""
        events = self.decide(move)
        self.accept(events)
        return events

    def play(self, line: str) -> tuple[LoggedEvent, ...]:
        """Makes the move that a line of notation writes, as `1 plays 5H`, and returns its events.

        Raises `NotationError` if the line is no move, and as `decide` does.
        """
        return self.apply(read_move(line))

    def __repr__(self) -> str:
        rules = self.rules
        return f"<Game {preset_of(rules)} for {rules.seats}: {in_short(self.table)}, {self.version} events>"

    def _follow(self, verdict: Verdict, automatic: Collection[type[Move]] | None = None) -> Verdict:
        """The verdict with the automatic moves that follow, until a player has a choice."""
        kinds = self._automatic if automatic is None else automatic
        while move := _forced(verdict.state, kinds):
            following = decide(verdict.state, move, self._chance)
            verdict = Verdict((*verdict.events, *following.events), following.state)
        return verdict


def _forced(state: State, automatic: Collection[type[Move]]) -> Move | None:
    for seat in waiting_for(state) if automatic else ():
        move = only_move(state, seat)
        if type(move) in automatic:
            return move
    return None
