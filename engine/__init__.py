"""The game of cribbage: rules, moves, events and views, for two to four players.

Moves in, events out: a caller holds a `Game`, asks it what a seat may do, makes moves, and draws what
happened from public events and views. The whole truth stays inside. The package is pure: no clock, file,
network or text for players, and no chance that the caller did not bring.
"""

from engine.cards import PACK, Card, Cards, Rank, Suit, card, cards, spell
from engine.chance import Chance
from engine.counting import Count, count
from engine.errors import EngineError, GameIsOver, IllegalMove, LogError, NotationError, RulesError
from engine.game import Game
from engine.legal import LegalMoves
from engine.moves import (
    CallMuggins,
    ClaimGame,
    ClaimHeels,
    CountAloud,
    CutStarter,
    Deal,
    Discard,
    LetStand,
    Move,
    PlayCard,
    Resign,
    SayGo,
    StandIn,
)
from engine.phases import Played, Result, Shown, Stage
from engine.presets import PARTNERS, PRESETS, THREE_HANDED, TWO_HANDED
from engine.rules import Rules, Skunk
from engine.scores import Reason, Score
from engine.seats import Seat, Side
from engine.state import Pegs
from engine.views import PlayerView, TableView

__all__ = [
    "PACK",
    "PARTNERS",
    "PRESETS",
    "THREE_HANDED",
    "TWO_HANDED",
    "CallMuggins",
    "Card",
    "Cards",
    "Chance",
    "ClaimGame",
    "ClaimHeels",
    "Count",
    "CountAloud",
    "CutStarter",
    "Deal",
    "Discard",
    "EngineError",
    "Game",
    "GameIsOver",
    "IllegalMove",
    "LegalMoves",
    "LetStand",
    "LogError",
    "Move",
    "NotationError",
    "Pegs",
    "PlayCard",
    "Played",
    "PlayerView",
    "Rank",
    "Reason",
    "Resign",
    "Result",
    "Rules",
    "RulesError",
    "SayGo",
    "Score",
    "Seat",
    "Shown",
    "Side",
    "Skunk",
    "Stage",
    "StandIn",
    "Suit",
    "TableView",
    "card",
    "cards",
    "count",
    "spell",
]
