"""A variant of cribbage as data: `Rules`, and the choices that its fields offer.

Question numbers (C10 and so on) are those of the project's rules dossier; defaults are the rules of the
American Cribbage Congress. Code outside this module never branches on the number of players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine.errors import RulesError
from engine.seats import Seat, Side


class Flush(Enum):
    """The cards of one suit that are a flush in a hand (C23)."""

    HAND = "hand"
    """The hand's own cards; the starter adds one."""
    ANY_FOUR = "any_four"
    """Any four of the five, the starter among them."""


class CribFlush(Enum):
    """The cards of one suit that are a flush in the crib (C24)."""

    FIVE = "five"
    """The whole crib and the starter."""
    FOUR = "four"
    """As in a hand."""


class GoScoring(Enum):
    """The moment at which the point for a go is pegged (C10)."""

    LAST_CARD = "last_card"
    """Claimed when nobody can play on, by the player of the last card."""
    AT_CALL = "at_call"
    """Claimed when the go is said, by the player who is left to play on; a count that ends
    without a go, against empty hands, is worth nothing."""


class Counting(Enum):
    """The way in which hands are counted at the show."""

    MACHINE = "machine"
    """The bot counts the hands for the players."""
    ALOUD = "aloud"
    """Players count their own hands, and peg no more than they say."""


class StarterCutter(Enum):
    """The player who cuts the starter (C4). It never changes a score."""

    PONE = "pone"
    DEALER = "dealer"


class FirstDeal(Enum):
    """The way in which the first dealer is found (C1)."""

    CUT = "cut"
    """All cut; the lowest card deals, ties cut again."""
    RANDOM = "random"
    NAMED = "named"
    """The players name the dealer when the game begins; unless they do, they cut."""


class NextDeal(Enum):
    """The first dealer of the next game of a match (C2)."""

    LOSER = "loser"
    """The losing side; with more than two sides the deal simply goes on to the left."""
    ALTERNATE = "alternate"
    """The seat to the left of the one that dealt first."""
    WINNER = "winner"
    CUT = "cut"
    """Found as in the first game (`FirstDeal`)."""


class Skunk(Enum):
    """The severity of a loss."""

    NONE = "none"
    SKUNK = "skunk"
    DOUBLE = "double"
    LURCH = "lurch"


class SkunkRule(Enum):
    """The places of the skunk lines (C29)."""

    MODERN = "modern"
    """Losing by more than 30 is a skunk, and in a game of 121 or more, by more than 60 a double."""
    HALF = "half"
    """Less than half of the target is a lurch: under 31 of 61, under 61 of 121 (document 000)."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SkunkLine:
    """A line: a loser who has not reached `reach` holes loses more than a game."""

    kind: Skunk
    reach: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPoints:
    """Games that a win counts for in a match (C30)."""

    game: int = 1
    skunk: int = 2
    """For a skunk, and for a lurch, which is worth one game more (document 000)."""
    double: int = 3

    def worth(self, kind: Skunk) -> int:
        """The games that a win counts for, by how badly the loser lost."""
        match kind:
            case Skunk.NONE:
                return self.game
            case Skunk.SKUNK | Skunk.LURCH:
                return self.skunk
            case Skunk.DOUBLE:
                return self.double


FREE_PLAY = MatchPoints()
PLAIN = MatchPoints(skunk=1, double=1)
"""A win is a win, as in a match that is won by games alone."""
ACC_TOURNAMENT = MatchPoints(game=2, skunk=3, double=3)
LONG_MATCH = MatchPoints(game=3, skunk=4, double=4)
DOUBLING = MatchPoints(game=1, skunk=2, double=4)
"""Two games for a skunk, four for a double skunk: the BSD program and others."""


MOST_SEATS = 6
_USUAL_CAPTAIN = 61
MOST_USUAL_SEATS = 4
"""Most players of the usual game: five and six play one of their own, which nobody rates."""
USUAL_HAND = 4
"""Cards in a hand of the usual game."""

MOST_FOR_A_WRONG_CLAIM = 5
"""Highest price (points) of a wrong claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One variant of cribbage. Raises `RulesError` if nobody could play it."""

    seats: int = 2
    """The number of players: two to six."""
    partners: bool = False
    """Players share a side and its pegs: `players_a_side` of them, evenly round the table (C35)."""
    players_a_side: int = 2
    """Players of one side, with partners; two of four or six sit opposite each other."""
    captain: int | None = None
    """Seat of the captain, who plays alone, to `captain_target`, against the two others together."""
    captain_target: int = _USUAL_CAPTAIN
    """The captain's target (holes)."""
    target: int = 121
    """The side that pegs this many holes first wins, at once."""
    low_wins: bool = False
    """The side that reaches the target first loses, at once."""
    start: int = 0
    """Score (holes) of every side when the game begins; at least 31 holes are left to the target."""
    dealt: int = 6
    """Cards dealt to each seat, but to those that are spared."""
    discarded: int = 2
    """Cards each seat gives to the crib, but those that are spared."""
    spared: int = 0
    """Seats that are dealt no cards for the crib and give none: with 1 the dealer, with 2 the seat opposite
    as well."""
    crib_from_pack: int = 0
    """Cards dealt from the pack to the crib, unseen by all: one with three players (C34)."""
    three_for_last: int = 0
    """Points for the player who does not deal, of two, as soon as the first deal's cards are dealt."""
    his_heels: int = 2
    """Points for the dealer when a jack is turned (C6)."""
    heels_claimed: bool = False
    """The dealer must claim his heels before playing a card, or lose those points (C7)."""
    his_nobs: int = 1
    """Points for the jack of the starter's suit, in hand or crib (C25)."""
    flush: Flush = Flush.HAND
    crib_flush: CribFlush = CribFlush.FIVE
    pairs_in_play: bool = True
    """Pairs score in the play (C18)."""
    runs_in_play: bool = True
    """Runs score in the play (C19)."""
    thirty_one_plus_last: bool = False
    """Thirty-one is two, and one more as the last card of its count (C11)."""
    go_scoring: GoScoring = GoScoring.LAST_CARD
    play_out: bool = True
    """All cards are played; otherwise the play stops at the first go or thirty-one (C21)."""
    starter_cut: StarterCutter = StarterCutter.PONE
    first_deal: FirstDeal = FirstDeal.CUT
    next_deal: NextDeal = NextDeal.LOSER
    skunks: SkunkRule = SkunkRule.MODERN
    match_points: MatchPoints = FREE_PLAY
    counting: Counting = Counting.MACHINE
    muggins: bool = False
    """Players count aloud, in the play too, and opponents may take the points they miss (C32).
    The point for the last card of a count is pegged by the machine: that nobody else can
    play follows from hands that no player can see, so nobody can be said to have missed it."""
    wrong_claims: int = 0
    """Price (points) of a wrong claim, with muggins. For a count above the truth the seat to the left of the
    claimant pegs it, after the true points; for a call of muggins where nothing was missed, the accused."""

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= MOST_SEATS:
            raise RulesError(f"cribbage is for two to six players, not {self.seats}")
        self._check_sides()
        self._check_course()
        self._check_cards()
        self._check_points()

    def _check_sides(self) -> None:
        """Raises `RulesError` if the players cannot be sides."""
        if self.seats == MOST_SEATS and not self.partners:
            raise RulesError(f"{self.seats} players share sides")
        fits = self.players_a_side > 1 and self.seats % self.players_a_side == 0
        if self.partners and (self.seats < 4 or not fits or self.seats == self.players_a_side):
            raise RulesError(f"{self.seats} players cannot be sides of {self.players_a_side}")
        if not self.partners and self.players_a_side != 2:
            raise RulesError("nobody shares a side")
        if self.captain is None and self.captain_target != _USUAL_CAPTAIN:
            raise RulesError("there is no captain")
        if self.captain is not None and (self.seats != 3 or self.partners or not self.has_seat(self.captain)):
            raise RulesError("a captain plays against two others")
        if self.low_wins and (self.sides != 2 or self.captain is not None):
            raise RulesError("the game that is lost at its target is for two sides")

    def _check_course(self) -> None:
        """Raises `RulesError` if the game cannot begin where it does, or end."""
        if not 31 <= self.target <= 999:
            raise RulesError(f"a game is to 31 holes at least and 999 at most, not {self.target}")
        if not 0 <= self.start <= self.target - 31:
            raise RulesError(f"a game to {self.target} begins at 0 to {self.target - 31}, not {self.start}")
        if self.captain is not None and (self.start or not 31 <= self.captain_target <= self.target):
            raise RulesError(f"a captain needs 31 to {self.target} holes from 0, not {self.captain_target}")
        if self.skunks is not SkunkRule.NONE and (self.low_wins or self.captain is not None):
            raise RulesError("there is no skunk in this game")

    def _check_cards(self) -> None:
        """Raises `RulesError` if hands and crib cannot be dealt."""
        if self.discarded < 1 or self.kept < 1:
            raise RulesError(f"nobody can give {self.discarded} of {self.dealt} cards to the crib")
        if self.spared not in {0, 1, 2} or (self.spared == 2 and self.seats not in {4, 6}):
            raise RulesError(f"the crib cannot spare {self.spared} of {self.seats} players")
        if self.kept > 4 or self.crib_size > 4:
            raise RulesError("a hand and a crib have four cards at most")

    def _check_points(self) -> None:
        """Raises `RulesError` if points cannot be pegged so."""
        if self.three_for_last and self.seats != 2:
            raise RulesError("three for last is for the one player who does not deal")
        if min(self.his_heels, self.his_nobs, self.crib_from_pack, self.three_for_last) < 0:
            raise RulesError("points and cards cannot be fewer than none")
        if self.his_nobs > 1:
            raise RulesError("his nobs is one point, or none")
        if self.muggins and self.counting is not Counting.ALOUD:
            raise RulesError("muggins needs players who count aloud")
        if not 0 <= self.wrong_claims <= MOST_FOR_A_WRONG_CLAIM:
            raise RulesError(f"a wrong claim costs at most {MOST_FOR_A_WRONG_CLAIM}, not {self.wrong_claims}")
        if self.wrong_claims and not self.muggins:
            raise RulesError("wrong claims have a price with muggins only")
        if self.low_wins and (self.counting is Counting.ALOUD or self.heels_claimed):
            raise RulesError("players who would rather miss points do not count them")

    @property
    def sides(self) -> int:
        """The number of sides, each with a score of its own."""
        if self.captain is not None:
            return 2
        return self.seats // self.players_a_side if self.partners else self.seats

    @property
    def is_variant(self) -> bool:
        """True for another game than the usual one: its results have no place beside those of others."""
        another = self.low_wins or self.captain is not None or self.start > 0
        return another or self.seats > MOST_USUAL_SEATS or self.kept < USUAL_HAND

    @property
    def kept(self) -> int:
        """Cards in a hand after discarding."""
        return self.dealt - self.discarded

    @property
    def crib_size(self) -> int:
        """Cards in the complete crib."""
        return (self.seats - self.spared) * self.discarded + self.crib_from_pack

    def discards_of(self, seat: Seat, dealer: Seat) -> int:
        """Number of cards that `seat` gives to the crib when `dealer` deals; none if it is spared."""
        is_spared = self.spared and (seat - dealer) % (self.seats // self.spared) == 0
        return 0 if is_spared else self.discarded

    def dealt_to(self, seat: Seat, dealer: Seat) -> int:
        """Number of cards that `seat` is dealt when `dealer` deals."""
        return self.kept + self.discards_of(seat, dealer)

    @property
    def skunk_lines(self) -> tuple[SkunkLine, ...]:
        """The lines that a loser should have reached, the furthest back first."""
        match self.skunks:
            case SkunkRule.NONE:
                return ()
            case SkunkRule.HALF:
                return (SkunkLine(Skunk.LURCH, (self.target + 1) // 2),)
            case SkunkRule.MODERN:
                skunk = SkunkLine(Skunk.SKUNK, self.target - 30)
                if self.target < 121:
                    return (skunk,)
                return (SkunkLine(Skunk.DOUBLE, self.target - 60), skunk)

    def has_seat(self, seat: int) -> bool:
        """True if the game has that seat."""
        return 0 <= seat < self.seats

    def side_of(self, seat: Seat) -> Side:
        """The side that `seat` pegs for; the side of seat 0 is the first."""
        if self.captain is not None:
            return Side(int((seat == self.captain) != (self.captain == 0)))
        return Side(seat % self.sides)

    def seats_of(self, side: Side) -> tuple[Seat, ...]:
        """The seats that peg for `side`."""
        return tuple(seat for seat in map(Seat, range(self.seats)) if self.side_of(seat) == side)

    def target_of(self, side: Side) -> int:
        """The target (holes) of `side`."""
        if self.captain is not None and side == self.side_of(Seat(self.captain)):
            return self.captain_target
        return self.target

    def games_won(self, winner: Side, skunks: Sequence[Skunk]) -> int:
        """Games that a win counts for, by each side's severity of loss; with several losers, by the least."""
        return min(self.match_points.worth(skunk) for side, skunk in enumerate(skunks) if side != winner)

    def skunked(self, winner: Side, scores: Sequence[int]) -> tuple[Skunk, ...]:
        """By side: its severity of loss in a game that was played out."""
        return tuple(
            Skunk.NONE if side == winner else self.skunk_at(score) for side, score in enumerate(scores)
        )

    def skunk_at(self, score: int) -> Skunk:
        """The severity of loss of a side that ends on `score`."""
        return next((line.kind for line in self.skunk_lines if score < line.reach), Skunk.NONE)
