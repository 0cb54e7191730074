"""The rules in sentences: those of a table, the presets, and the game in brief.

A new option of `Rules` gets its sentence here.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.table_record import Agreement, Pace
from bot.render.drawing import Drawing
from bot.render.layouts import container, layout, rule, subtext, text
from bot.render.text.words import duration, listing, number, sentence, some
from engine import (
    PRESETS,
    Counting,
    CribFlush,
    FirstDeal,
    Flush,
    GoScoring,
    NextDeal,
    Rules,
    Skunk,
    StarterCutter,
)

_PRESETS = {
    "standard": "The rules of the American Cribbage Congress, to 121: what most people play.",
    "short": "The same once around the board, to 61: a quick game.",
    "lurch": "An old text: the dealer cuts, a go is pegged as it is said, "
    "and a loser short of half way is left in the lurch and loses two games.",
    "piecepack": "As the piecepack players have it: four of a suit are a flush in the crib, too. No skunks.",
    "parlour": "An old British parlour game: no pairs and no runs in the play, "
    "one for a jack turned up, none for his nob. No skunks.",
    "family": "The leaflet from a shop-bought board: claim his heels or lose them, "
    "thirty-one is two and one for last, any four of a suit are a flush. No skunks.",
}

_CHOICES = {
    "standard": "what most people play, to 121",
    "short": "once around the board, to 61",
    "lurch": "an old text, where a bad loss counts twice",
    "piecepack": "four of a suit are a flush in the crib, too",
    "parlour": "no pairs and no runs in the play",
    "family": "claim his heels, and any four of a suit are a flush",
}

_SKUNKS = {Skunk.SKUNK: "skunk", Skunk.DOUBLE: "double skunk", Skunk.LURCH: "in the lurch"}

_FIRST_DEALS = {
    FirstDeal.RANDOM: "The first dealer is drawn by lot",
    FirstDeal.NAMED: "The players name the first dealer, or else they cut",
}

_NEXT_DEALS = {
    NextDeal.ALTERNATE: "In a match, the first deal goes round to the left",
    NextDeal.WINNER: "In a match, the winner of a game deals first in the next",
    NextDeal.CUT: "In a match, the players cut for the first deal of each game",
}

_GAME = """\
**Lay away.** Each player gives cards to the crib, an extra hand that is the dealer's.
**Cut.** The pack is cut and a starter turned. A jack is *his heels*: two for the dealer.
**Play.** In turn, cards are added to a count that stops at 31. Who cannot play says *go*.
-# Fifteen two · thirty-one two · pair two, pair royal six, double pair royal twelve · \
a run a point a card · last card of a count one
**Show.** Hands are counted with the starter, the dealer's last, and then the crib.
-# Each fifteen two · each pair two · each run a point a card · four of a suit four, with the starter five · \
*his nob*, the jack of the starter's suit, one
**Win.** The first past the last hole wins at once, even in the middle of the play."""


def describe(rules: Rules) -> str:
    """The rules of a game as a short list."""
    return "\n".join(f"- {line}" for line in _described(rules))


def preset_text(name: str) -> str:
    """Where the preset's rules come from, and what they change. Raises `KeyError` for an unknown name."""
    return _PRESETS[name]


def preset_choice(name: str) -> str:
    """The preset as a choice of an option. Raises `KeyError` for an unknown name."""
    return f"{name}: {_CHOICES[name]}"


def pace_text(agreement: Agreement) -> str:
    """How long a move may take."""
    time = f"{sentence(duration(agreement.time_to_move))} for a move"
    return f"{time}, then the clock moves" if agreement.pace is Pace.LIVE else time


def rules_drawing(agreement: Agreement | None) -> Drawing:
    """The rules of this table if there is one, the game in brief, and the presets."""
    presets = "\n".join(f"- **{name.capitalize()}.** {preset_text(name)}" for name in PRESETS)
    table = None
    if agreement is not None:
        table = text(f"## At this table: {agreement.preset} rules", describe(agreement.rules))
    return layout(
        container(
            table,
            rule() if table else None,
            text("## Cribbage in brief", _GAME),
            rule(),
            text("### Rules to choose from", presets, subtext("Choose with `/crib new`.")),
        )
    )


def _described(rules: Rules) -> Iterator[str]:
    yield _players(rules)
    yield _cards(rules)
    yield from _changes(rules)
    yield from filter(None, (_FIRST_DEALS.get(rules.first_deal), _NEXT_DEALS.get(rules.next_deal)))
    yield _counting(rules)
    yield _skunks(rules)


def _players(rules: Rules) -> str:
    who = "Four players, partners opposite" if rules.partners else some(rules.seats, "player").capitalize()
    alone = ", each alone" if rules.seats == 4 and not rules.partners else ""
    return f"{who}{alone}, to {rules.target}"


def _cards(rules: Rules) -> str:
    from_pack = f", {number(rules.crib_from_pack)} to it from the pack" if rules.crib_from_pack else ""
    three = f", which has {number(rules.crib_size)}" if rules.crib_size < 4 else ""
    cards = some(rules.dealt, "card").capitalize()
    return f"{cards} each, {number(rules.discarded)} to the crib{from_pack}{three}"


def _changes(rules: Rules) -> Iterator[str]:
    """What differs from the standard rules."""
    if rules.starter_cut is StarterCutter.DEALER:
        yield "The dealer cuts the starter"
    if rules.heels_claimed:
        yield "His heels must be claimed before the dealer's first card, or they are lost"
    if rules.his_heels != 2:
        yield f"{number(rules.his_heels).capitalize() if rules.his_heels else 'Nothing'} for his heels"
    if not rules.his_nobs:
        yield "Nothing for his nob"
    if silent := [
        name for name, counts in (("pairs", rules.pairs_in_play), ("runs", rules.runs_in_play)) if not counts
    ]:
        yield f"No {listing(silent, 'or')} in the play"
    if rules.go_scoring is GoScoring.AT_CALL:
        yield "A go is pegged as it is said; a count that ends without a go gives no point"
    if rules.thirty_one_plus_last:
        yield "Thirty-one is two, and one for last"
    if rules.flush is Flush.ANY_FOUR:
        where = "in hand or crib" if rules.crib_flush is CribFlush.FOUR else "in a hand"
        yield f"Any four of a suit are a flush, the starter among them, {where}"
    elif rules.crib_flush is CribFlush.FOUR:
        yield "Four of a suit are a flush in the crib, too"
    if not rules.play_out:
        yield "The play stops at the first go or thirty-one"


def _counting(rules: Rules) -> str:
    if rules.muggins:
        return "Players count for themselves, and muggins takes what they miss"
    if rules.counting is Counting.ALOUD:
        return "Players count their own hands; what they miss is lost"
    return "Hands are counted for you"


def _skunks(rules: Rules) -> str:
    points = rules.match_points
    if not rules.skunk_lines:
        return f"No skunks: every win is {some(points.game, 'game')}"
    lines = [
        f"{_SKUNKS[line.kind]} under {line.reach}: {some(points.worth(line.kind), 'game')}"
        for line in reversed(rules.skunk_lines)
    ]
    win = [f"a win: {some(points.game, 'game')}"] if points.game != 1 else []
    return sentence("; ".join((*win, *lines)))
