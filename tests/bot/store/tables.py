"""Tables, people and games for the store's tests."""

from collections.abc import Iterator
from random import Random
from typing import Any

from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from engine import Chance, CutForFirstDeal, Game, Resign
from engine.secret_events import LoggedEvent

ANNA = Occupant(2**63 - 1, "Änna *the* 猫 🂱")
BERT = Occupant(7, "'; DROP TABLE games; --\n\x00")
EVERYTHING = Agreement.of(
    players=4, preset="short", target=99, partners=False, aloud=True, muggins=True, hints=True, best_of=5
)


def table(game: str = "k3f9a", **changes: Any) -> TableRecord:
    """A table that gathers in channel 20 of server 10."""
    facts: dict[str, Any] = {
        "game": game,
        "guild": 10,
        "channel": 20,
        "place": "Anna’s Ünder🃏world",
        "host": ANNA.user,
        "status": Status.GATHERING,
        "agreement": Agreement(),
        "occupants": (ANNA,),
    }
    return TableRecord(**facts | changes)


def turns(seed: int, agreement: Agreement) -> Iterator[tuple[LoggedEvent, ...]]:
    """A whole game played at random: its first events, then those of each move."""
    random = Random(seed)
    game = Game.new(agreement.rules, chance=Chance(random), automatic={CutForFirstDeal})
    yield game.log
    while not game.is_over:
        seat = random.choice(game.table.waiting_for)
        yield game.apply(random.choice([move for move in game.legal_moves(seat) if type(move) is not Resign]))
