"""Public events, which the whole table may know: past tense, frozen, in order.

Three of these are the public faces of secret events in `secret_events`, which carry cards that
only one seat, or nobody, may know. Code that draws for the table imports this module and not that one.

Events record outcomes, never seeds: the card cut, the points pegged.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engine.cards import Card, Cards
from engine.rules import Rules
from engine.scores import Reason, Score
from engine.seats import Seat, Side


class Source(Enum):
    """The kind of cards counted at the show."""

    HAND = "hand"
    CRIB = "crib"


class Ending(Enum):
    """The way in which a game ended."""

    PEGGED_OUT = "pegged_out"
    RESIGNED = "resigned"
    CLAIMED = "claimed"


@dataclass(frozen=True, slots=True)
class GameBegan:
    """The players agreed on the rules and sat down. The first event of every log."""

    rules: Rules


NOTED_DIGITS = 40
"""Hexadecimal digits of a note, a seal and a head that people keep: 160 bits, so no other matches."""


@dataclass(frozen=True, slots=True)
class DeckSealed:
    """Every card after this follows from a secret and from terms, both fixed (`engine.fair`).

    It is a log's second event; a game that no deck was sealed for has none.
    """

    commitment: str
    """The commitment to the secret, in hexadecimal."""
    seal: str
    """The hash of the terms, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class CutForDeal:
    """A seat cut the pack for the first deal. Ties of the lowest card cut again."""

    seat: Seat
    card: Card
    place: int
    """Number of cards above it."""
    by_chance: bool = False
    """Chance named the place, for a player who did not."""


@dataclass(frozen=True, slots=True)
class DealerChosen:
    """The first dealer is known."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealBegan:
    """The dealer shuffled and began to deal."""

    dealer: Seat
    number: int
    """The deal's number in the game, from 1."""


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """A seat was dealt this number of cards; the public face of `HandDealt`."""

    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class CribCardsDealt:
    """This number of cards went from the pack to the crib; the public face of `CribDealt`."""

    number: int


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """A seat discarded this number of cards; the public face of `Discarded`."""

    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class StarterCut:
    """The pack was cut and the starter turned."""

    seat: Seat
    card: Card
    place: int
    """Number of cards above it."""
    by_chance: bool = False
    """Chance named the place, for a player who did not."""


@dataclass(frozen=True, slots=True)
class HeelsClaimed:
    """The dealer claimed his heels, the points for a jack turned, in time."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HeelsForfeited:
    """The dealer played a card before claiming his heels, and so lost those points."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card joined the count."""

    seat: Seat
    card: Card
    called: int | None = None
    """The points the player called for it, with muggins."""


@dataclass(frozen=True, slots=True)
class GoSaid:
    """A seat that holds cards can play none."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeriesEnded:
    """The count went back to zero and the cards were turned over."""


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """The play is over; the hands are shown."""


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand, or the crib, was laid open to be counted."""

    seat: Seat
    source: Source
    cards: Cards


@dataclass(frozen=True, slots=True)
class HandCounted:
    """A hand, or the crib, was counted by its owner, or for them."""

    seat: Seat
    source: Source
    points: int
    """The points counted: no more than it is worth, and less if its owner missed some."""
    called: int | None = None
    """The points that the owner said, where players count aloud."""


@dataclass(frozen=True, slots=True)
class CountStood:
    """A hand counted aloud is settled."""

    seat: Seat
    source: Source
    missed: int
    """Its points that nobody pegged."""


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """A seat called muggins on what an opponent had counted."""

    seat: Seat
    called: int
    taken: int
    """The missed points that it took; 0 for a wrong call."""


@dataclass(frozen=True, slots=True)
class CountLetStand:
    """A seat left an opponent's count as it was said."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Pegged:
    """A seat pegged for its side. The only event that changes a score."""

    seat: Seat
    points: int
    scores: tuple[Score, ...]

    @property
    def is_price(self) -> bool:
        """True if the points are the price of somebody else's wrong claim."""
        return any(score.reason is Reason.WRONG_CLAIM for score in self.scores)


@dataclass(frozen=True, slots=True)
class DealEnded:
    """Everything was counted; the deal passes to the left."""


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat resigned the game for its side."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StoodIn:
    """The next move was made for the seat, whose player is away."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SubstituteMoved:
    """The next move was made for the seat by the computer of that level, its player's substitute."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class ComputerChanged:
    """From here on that version of the computer player moves, at whatever level: the bot was upgraded."""

    player: str


@dataclass(frozen=True, slots=True)
class CameBack:
    """The seat's player is back and moves for themselves."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameClaimed:
    """A seat claimed the game from a side that had been away too long."""

    seat: Seat
    absent: Side


@dataclass(frozen=True, slots=True)
class GameWon:
    """The game is over. The last event of every log that has an end."""

    side: Side
    ending: Ending


PublicEvent: TypeAlias = (
    GameBegan
    | DeckSealed
    | CutForDeal
    | DealerChosen
    | DealBegan
    | CardsDealt
    | CribCardsDealt
    | CardsDiscarded
    | StarterCut
    | HeelsClaimed
    | HeelsForfeited
    | CardPlayed
    | GoSaid
    | SeriesEnded
    | PlayEnded
    | HandShown
    | HandCounted
    | CountStood
    | MugginsCalled
    | CountLetStand
    | Pegged
    | DealEnded
    | Resigned
    | StoodIn
    | SubstituteMoved
    | ComputerChanged
    | CameBack
    | GameClaimed
    | GameWon
)
