"""Named rules: their source, and their changes to the standard ones.

Each is a function of the number of players; any field can be changed by keyword, as in
`standard(4, target=61)`. Players choose among `PRESETS`, which say for how many each is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import WrongNumberOfPlayers
from engine.rules import CribFlush, Flush, GoScoring, NextDeal, Rules, SkunkRule, StarterCutter


def standard(seats: int = 2, **changes: Any) -> Rules:
    """The rules of the American Cribbage Congress, to 121.

    Three players get five cards each and the pack gives the crib its fourth; four play as
    partners, five cards each. With five or six the crib has a card of each of four players: the
    dealer, and of six the seat opposite too, are dealt four cards and give none. Six play as
    partners.
    """
    return Rules(**_cards_for(seats) | {"seats": seats, "partners": seats in {4, 6}} | changes)


def short(seats: int = 2, **changes: Any) -> Rules:
    """Once around the board: the standard rules to 61 (documents 000 and 001)."""
    return standard(seats, **{"target": 61} | changes)


def lurch(seats: int = 2, **changes: Any) -> Rules:
    """The old rules of document 000, where a beaten player can be left in the lurch.

    The dealer cuts the starter, a go is pegged when it is said, and a loser under half way
    loses two games.
    """
    old = {"go_scoring": GoScoring.AT_CALL, "skunks": SkunkRule.HALF, "starter_cut": StarterCutter.DEALER}
    return standard(seats, **old | changes)


def piecepack(seats: int = 2, **changes: Any) -> Rules:
    """Cribbage as played with a piecepack, Trevor L. Davis (document 001).

    Four cards of a suit are a flush in the crib too, and there are no skunks.
    """
    return standard(seats, **{"crib_flush": CribFlush.FOUR, "skunks": SkunkRule.NONE} | changes)


def parlour(seats: int = 2, **changes: Any) -> Rules:
    """The old British parlour game of document 002, read to the letter.

    One for the knave turned up, none for his nobs in the hand, and neither pairs nor runs in
    the play; no skunks.
    """
    quiet = {
        "his_heels": 1,
        "his_nobs": 0,
        "pairs_in_play": False,
        "runs_in_play": False,
        "skunks": SkunkRule.NONE,
    }
    return standard(seats, **quiet | changes)


def family(seats: int = 2, **changes: Any) -> Rules:
    """The leaflet of a shop-bought board, document 003, read to the letter.

    His heels are lost unless the dealer claims them before their own first card, thirty-one is two
    and one for the last card, any four cards of a suit are a flush, in the crib too, and with
    three players the crib has three cards; no skunks.
    """
    leaflet = {
        "heels_claimed": True,
        "thirty_one_plus_last": True,
        "flush": Flush.ANY_FOUR,
        "crib_flush": CribFlush.FOUR,
        "crib_from_pack": 0,
        "skunks": SkunkRule.NONE,
    }
    return standard(seats, **leaflet | changes)


def shotgun(seats: int = 2, **changes: Any) -> Rules:
    """The standard rules from the skunk line: both sides begin at 90 of 121, with 31 to go.

    The first deal is cut for, then it goes in turn from game to game; no skunks. At another length there are
    31 to go as well.
    """
    from_the_line = {"next_deal": NextDeal.ALTERNATE, "skunks": SkunkRule.NONE}
    begins = {"start": standard(seats, **changes).target - TO_GO}
    return standard(seats, **from_the_line | begins | changes)


def five_card(seats: int = 2, **changes: Any) -> Rules:
    """The old game of two: five cards dealt and two thrown, to 61.

    Who does not deal first begins with three points, "three for last". The play stops at its first go or
    thirty-one. A loser under half way is left in the lurch.
    """
    old = {
        "dealt": 5,
        "target": 61,
        "three_for_last": 3,
        "play_out": False,
        "skunks": SkunkRule.HALF,
    }
    return standard(seats, **old | changes)


def lowball(seats: int = 2, **changes: Any) -> Rules:
    """The standard rules, but the side that reaches 121 loses; no skunks."""
    return standard(seats, **{"low_wins": True, "skunks": SkunkRule.NONE} | changes)


def captains(seats: int = 3, **changes: Any) -> Rules:
    """Three players: the captain alone, to 61, against the two others together, to 121; no skunks.

    In a match each is captain once, and the first deal goes on to the left. At another length, too, the
    captain's way is half as long as the others'.
    """
    alone = {"captain": 0, "next_deal": NextDeal.ALTERNATE, "skunks": SkunkRule.NONE}
    half = {"captain_target": (changes.get("target", standard(seats).target) + 1) // 2}
    return standard(seats, **alone | half | changes)


TO_GO: Final = 31
"""Holes from the start of a shotgun game to its end."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set, and the numbers of players that it is for."""

    name: str
    rules: Callable[..., Rules]
    """Its rules, for any of `players`."""
    players: frozenset[int] = frozenset({2, 3, 4})

    def __call__(self, seats: int | None = None, **changes: Any) -> Rules:
        """The rules for that many players, by default as few as it is for, with `changes`.

        Raises `WrongNumberOfPlayers`, and `RulesError` for changes that nobody could play.
        """
        number = min(self.players) if seats is None else seats
        if number not in self.players:
            raise WrongNumberOfPlayers(self.name, number, tuple(sorted(self.players)))
        return self.rules(number, **changes)


PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset("standard", standard, frozenset({2, 3, 4, 5, 6})),
        Preset("short", short),
        Preset("lurch", lurch),
        Preset("piecepack", piecepack),
        Preset("parlour", parlour),
        Preset("family", family),
        Preset("shotgun", shotgun, frozenset({2})),
        Preset("five_card", five_card, frozenset({2})),
        Preset("lowball", lowball, frozenset({2, 4})),
        Preset("captains", captains, frozenset({3})),
    )
}
"""Every preset by name, in the order in which players see them."""


def presets_for(*players: int) -> tuple[str, ...]:
    """Names of the presets that are for any of these numbers of players, in the order of `PRESETS`."""
    return tuple(name for name, preset in PRESETS.items() if not preset.players.isdisjoint(players))


def preset_of(rules: Rules) -> str:
    """Name of the preset whose rules these are, or `custom`."""
    fitting = presets_for(rules.seats)
    return next((name for name in fitting if PRESETS[name](rules.seats) == rules), "custom")


def _cards_for(seats: int) -> dict[str, Any]:
    """Numbers of cards dealt, discarded and given to the crib (dossier, sections 6 and 7)."""
    if seats == 2:
        return {"dealt": 6, "discarded": 2}
    return {
        "dealt": 5,
        "discarded": 1,
        "crib_from_pack": 1 if seats == 3 else 0,
        "spared": {5: 1, 6: 2}.get(seats, 0),
    }


TWO_HANDED = standard(2)
THREE_HANDED = standard(3)
PARTNERS = standard(4)
