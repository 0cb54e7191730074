"""Rules in players' words: a table's in short and in full, the rule sets, the settings and their values.

A new option of `Rules` gets its sentence and its setting's words here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.language.languages import gettext_noop
from bot.model.custom_ids import RulesId, RulesPage
from bot.model.match import games_to_win
from bot.model.rule_settings import OTHER, Setting, value_of
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.layouts import Part, button, container, layout, row, subtext, text
from bot.render.text.speech import Telling, speech
from bot.render.text.spoken_counts import spoken
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import (
    Counting,
    CribFlush,
    FirstDeal,
    Flush,
    GoScoring,
    NextDeal,
    Rules,
    Skunk,
    SkunkLine,
    SkunkRule,
    StarterCutter,
    card,
    cards,
    count,
)

PRESET_NAMES: Final = {
    "standard": gettext_noop("Standard"),
    "short": gettext_noop("Short"),
    "lurch": gettext_noop("Lurch"),
    "piecepack": gettext_noop("Piecepack"),
    "parlour": gettext_noop("Parlour"),
    "family": gettext_noop("Family"),
    "shotgun": gettext_noop("Shotgun"),
    "five_card": gettext_noop("Five-card"),
    "lowball": gettext_noop("Lowball"),
    "captains": gettext_noop("Captain's"),
}

PRESET_CHOICES: Final = {
    "standard": gettext_noop("Standard: what most people play, to 121"),
    "short": gettext_noop("Short: the same to 61"),
    "lurch": gettext_noop("Lurch: old rules; a bad loss counts twice"),
    "piecepack": gettext_noop("Piecepack: four of a suit are a flush in the crib, too"),
    "parlour": gettext_noop("Parlour: no pairs or runs in the play"),
    "family": gettext_noop("Family: claim his heels; any four of a suit are a flush"),
    "shotgun": gettext_noop("Shotgun: 2 players, from 90 to 121"),
    "five_card": gettext_noop("Five-card: the old game for 2, hands of three, to 61"),
    "lowball": gettext_noop("Lowball: 2 or 4 players; who reaches 121 loses"),
    "captains": gettext_noop("Captain's: 3 players, one against two"),
}
"""Rule sets as choices of a command's option."""

CREDITS: Final = {
    "standard": gettext_noop("American Cribbage Congress rules"),
    "short": gettext_noop("American Cribbage Congress rules"),
    "lurch": gettext_noop("After “The Rules of Cribbage”"),
    "piecepack": gettext_noop("After “Cribbage” for the piecepack by Trevor L. Davis"),
    "parlour": gettext_noop("After “What Is Cribbage?”, an old parlour game"),
    "family": gettext_noop("After the leaflet of a family board"),
    "shotgun": gettext_noop("American Cribbage Congress rules, from the skunk line"),
    "five_card": gettext_noop("The oldest game of cribbage"),
    "lowball": gettext_noop("American Cribbage Congress rules, upside down"),
    "captains": gettext_noop("American Cribbage Congress rules, one against two"),
}

_PAGES: Final = {
    RulesPage.TABLE: gettext_noop("Rules"),
    RulesPage.SOURCES: gettext_noop("Sources"),
    RulesPage.EXAMPLE: gettext_noop("Examples"),
}
"""The label of the button of each page."""

SETTING_NAMES: Final = {
    Setting.PLAYERS: gettext_noop("Players"),
    Setting.PARTNERS: gettext_noop("Partners"),
    Setting.SIDES: gettext_noop("Six players: sides"),
    Setting.LENGTH: gettext_noop("Length"),
    Setting.GAMES: gettext_noop("Games"),
    Setting.COUNTING: gettext_noop("Counting hands"),
    Setting.WRONG_CLAIMS: gettext_noop("Wrong claims: price in points"),
    Setting.TIME: gettext_noop("Time for a turn"),
    Setting.HINTS: gettext_noop("Hints from the coach"),
    Setting.BOARD: gettext_noop("Board"),
    Setting.SKUNKS: gettext_noop("Skunks"),
    Setting.WORTH: gettext_noop("What a win is worth"),
    Setting.HEELS: gettext_noop("His heels: points"),
    Setting.CLAIM: gettext_noop("His heels: must be claimed"),
    Setting.NOBS: gettext_noop("His nobs: points"),
    Setting.FLUSH: gettext_noop("Flush in hand"),
    Setting.CRIB_FLUSH: gettext_noop("Flush in the crib"),
    Setting.PAIRS: gettext_noop("Pairs in the play"),
    Setting.RUNS: gettext_noop("Runs in the play"),
    Setting.GO: gettext_noop("Point for a go"),
    Setting.THIRTY_ONE: gettext_noop("31 also scores the last card"),
    Setting.PLAY_OUT: gettext_noop("Play all cards"),
    Setting.FOURTH: gettext_noop("Three players: 4th crib card"),
    Setting.CUTTER: gettext_noop("Who cuts the starter"),
    Setting.FIRST_DEAL: gettext_noop("First dealer"),
    Setting.NEXT_DEAL: gettext_noop("First dealer of the next game"),
}

_VALUES: Final = {
    "yes": gettext_noop("Yes"),
    "no": gettext_noop("No"),
    OTHER: gettext_noop("Another number…"),
    "machine": gettext_noop("Auto-count"),
    "aloud": gettext_noop("Count your own"),
    "muggins": gettext_noop("Count your own, with muggins"),
    "live": gettext_noop("2 minutes, live"),
    "slow": gettext_noop("A day, slow"),
    "pictures": gettext_noop("Drawn"),
    "text": gettext_noop("Text"),
    "pairs": gettext_noop("Three pairs"),
    "threes": gettext_noop("Two sides of three"),
    "best1": gettext_noop("One game"),
    "best3": gettext_noop("Best of three"),
    "best5": gettext_noop("Best of five"),
    "none": gettext_noop("None"),
    "plain": gettext_noop("1 game, skunks too"),
    "free": gettext_noop("1 game, skunk 2, double 3"),
    "tournament": gettext_noop("2 games, skunk 3, double 3"),
    "long": gettext_noop("3 games, skunk 4, double 4"),
    "doubling": gettext_noop("1 game, skunk 2, double 4"),
    "hand": gettext_noop("Four in hand"),
    "anyfour": gettext_noop("Any four, with the starter"),
    "five": gettext_noop("All five cards"),
    "four": gettext_noop("As in hand"),
    "lastcard": gettext_noop("With the last card"),
    "atcall": gettext_noop("At once"),
    "pone": gettext_noop("The non-dealer"),
    "dealer": gettext_noop("The dealer"),
    "cut": gettext_noop("Lowest cut"),
    "random": gettext_noop("At random"),
    "named": gettext_noop("Named, or lowest cut"),
    "loser": gettext_noop("The loser"),
    "alternate": gettext_noop("In turn"),
    "winner": gettext_noop("The winner"),
}
"""Words for the values that are not numbers."""

_SKUNKS: Final = {
    Skunk.SKUNK: gettext_noop("loser under {reach}: skunk"),
    Skunk.DOUBLE: gettext_noop("under {reach}: double skunk"),
    Skunk.LURCH: gettext_noop("loser under {reach}: lurch"),
}
_LINES: Final = frozenset({SkunkRule.MODERN.value, SkunkRule.HALF.value})
"""Values of the setting that draw a line."""

_FIRST_DEALS: Final = {
    FirstDeal.RANDOM: gettext_noop("First dealer at random."),
    FirstDeal.NAMED: gettext_noop("Name the first dealer, or cut."),
}

_NEXT_DEALS: Final = {
    NextDeal.ALTERNATE: gettext_noop("Rematch: first deal in turn."),
    NextDeal.WINNER: gettext_noop("Rematch: the winner deals."),
    NextDeal.CUT: gettext_noop("Rematch: cut for deal."),
}

_MATCHES: Final = {
    1: gettext_noop("One game"),
    3: gettext_noop("Best of three: first to win {games}"),
    5: gettext_noop("Best of five: first to win {games}"),
}

_EXAMPLE: Final = (cards("7H 8H 8S JC"), card("9C"))
"""A hand and a starter with fifteens, a pair, a double run and his nobs."""


def rules_drawing(agreement: Agreement | None, voice: Voice) -> Drawing:
    """Rules of this table, or the standard ones, with a scored example; at most 120 words."""
    agreed = agreement or Agreement()
    voice = voice.by(agreed.preset)
    title = voice.gettext("## Standard rules") if agreement is None else rules_title(agreed, voice)
    return layout(
        container(
            text(title, *rules_lines(agreed, voice), example(agreed.rules, voice)),
            text(subtext(credit(agreed.preset, voice))),
            row(*page_buttons(RulesPage.TABLE, voice)),
        )
    )


def page_buttons(shown: RulesPage, voice: Voice) -> list[Part]:
    """Buttons to the other pages of the rules."""
    return [button(RulesId(each), voice.gettext(_PAGES[each])) for each in RulesPage if each is not shown]


def rules_title(agreement: Agreement, voice: Voice) -> str:
    """Heading of a table's rules: the rule set, marked if single rules were changed."""
    name = voice.gettext(PRESET_NAMES[agreement.preset])
    if agreement.is_changed:
        return voice.gettext("## This table: {name} rules, changed", name=name)
    return voice.gettext("## This table: {name} rules", name=name)


def rules_lines(agreement: Agreement, voice: Voice) -> list[str]:
    """Rules of a game as a list, with the time for a turn and the permission of hints."""
    voice = voice.by(agreement.preset)
    lines = [*_described(agreement.rules, voice), time_text(agreement, voice)]
    if agreement.is_match:
        lines.append(f"{match_text(agreement, voice)}.")
    if agreement.hints:
        lines.append(voice.gettext("Hints are allowed."))
    return [f"- {line}" for line in lines]


def rules_in_short(agreement: Agreement, voice: Voice) -> str:
    """Agreed rules in one line."""
    name = voice.gettext(PRESET_NAMES[agreement.preset])
    parts = [
        voice.gettext("{name}, changed", name=name) if agreement.is_changed else name,
        _length(agreement.rules, voice),
        value_text(Setting.COUNTING, value_of(agreement, Setting.COUNTING), voice, agreement.rules),
        time_text(agreement, voice).removesuffix("."),
    ]
    if price := agreement.rules.wrong_claims:
        parts.insert(3, voice.gettext("wrong claims cost {points}", points=price))
    if agreement.rules.captain is not None:
        parts.insert(2, voice.gettext("three games"))
    elif agreement.is_match:
        parts.insert(2, value_text(Setting.GAMES, value_of(agreement, Setting.GAMES), voice, agreement.rules))
    if agreement.hints:
        parts.append(voice.gettext("hints"))
    return " · ".join(parts)


def _length(rules: Rules, voice: Voice) -> str:
    if rules.start:
        return voice.gettext("from {start} to {target}", start=rules.start, target=rules.target)
    if rules.captain is not None:
        return voice.gettext(
            "captain to {captain}, pair to {target}", captain=rules.captain_target, target=rules.target
        )
    return voice.gettext("to {target}", target=rules.target)


def describe(rules: Rules, voice: Voice) -> str:
    """Rules of a game as a short list."""
    return "\n".join(f"- {line}" for line in _described(rules, voice))


def credit(preset: str, voice: Voice) -> str:
    """Origin of a rule set. Raises `KeyError` for an unknown name."""
    return voice.gettext(CREDITS[preset])


def setting_text(setting: Setting, voice: Voice) -> str:
    """Name of the setting."""
    return voice.gettext(SETTING_NAMES[setting])


def value_text(setting: Setting, value: str, voice: Voice, rules: Rules) -> str:
    """Name of a value of the setting at a table with these rules."""
    if setting is Setting.SKUNKS and value in _LINES:
        lines = replace(rules, skunks=SkunkRule(value)).skunk_lines
        return sentence(voice.gettext("; ").join(_skunk_line(line, voice) for line in reversed(lines)))
    if value in _VALUES:
        return voice.gettext(_VALUES[value])
    if setting is Setting.TIME:
        return turn_text(int(value), voice)
    return value or voice.gettext("Something else")


def match_text(agreement: Agreement, voice: Voice) -> str:
    """Length of a match, such as `Best of three: first to win 2 games`, by the worth of a win."""
    if agreement.rules.captain is not None:
        return voice.gettext("Three games: each is captain once, and most games won wins")
    games = voice.ngettext("{number} game", "{number} games", games_to_win(agreement))
    return voice.gettext(_MATCHES[agreement.best_of], games=games)


def time_text(agreement: Agreement, voice: Voice) -> str:
    """Time for a turn."""
    return voice.gettext("{time} a turn.", time=turn_text(agreement.time_to_move, voice))


def turn_text(seconds: int, voice: Voice) -> str:
    """A time in the largest unit in which it is a whole number."""
    if seconds % 86_400 == 0:
        return voice.ngettext("{number} day", "{number} days", seconds // 86_400)
    if seconds % 3_600 == 0:
        return voice.ngettext("{number} hour", "{number} hours", seconds // 3_600)
    if seconds >= 120 and seconds % 60 == 0:
        return voice.ngettext("{number} minute", "{number} minutes", seconds // 60)
    return voice.gettext("{number} s", number=voice.number(seconds))


def example(rules: Rules, voice: Voice) -> str:
    """An example hand with its count under these rules."""
    hand, starter = _EXAMPLE
    counted = count(hand, starter=starter, rules=rules)
    return voice.gettext(
        "{hand} with {starter} is **{points}**: {counted}.",
        hand=voice.faces.all(hand),
        starter=voice.faces.text(starter),
        points=voice.number(counted.points),
        counted=spoken(counted.scores, counted.points, voice, Telling.TERSE),
    )


def _described(rules: Rules, voice: Voice) -> Iterator[str]:
    yield _players(rules, voice)
    if rules.start:
        yield voice.gettext(
            "All start at {start}: {points} to go.", start=rules.start, points=rules.target - rules.start
        )
    if rules.three_for_last:
        yield voice.gettext("Who doesn't deal first begins with {points}.", points=rules.three_for_last)
    yield _cards(rules, voice)
    yield from _changes(rules, voice)
    for said in (_FIRST_DEALS.get(rules.first_deal), _NEXT_DEALS.get(rules.next_deal)):
        if said is not None:
            yield voice.gettext(said)
    yield _counting(rules, voice)
    if rules.wrong_claims:
        yield voice.ngettext(
            "Counting too many costs {number} point; so does muggins where nothing was missed.",
            "Counting too many costs {number} points; so does muggins where nothing was missed.",
            rules.wrong_claims,
        )
    yield _skunks(rules, voice)
    if rules.is_variant:
        yield voice.gettext("Unrated, with records of its own.")


def _players(rules: Rules, voice: Voice) -> str:
    facts = {"number": rules.seats, "target": rules.target, "captain": rules.captain_target}
    return voice.gettext(_sides(rules), **facts)


def _sides(rules: Rules) -> str:
    if rules.captain is not None:
        return gettext_noop("3 players: the captain needs {captain}, the two others together {target}.")
    if rules.low_wins and rules.partners:
        return gettext_noop("{number} players, partners opposite; first to {target} loses.")
    if rules.low_wins:
        return gettext_noop("{number} players; first to {target} loses.")
    if rules.partners and rules.players_a_side > 2:
        return gettext_noop("{number} players, two sides in turn; first to {target} wins.")
    if rules.partners:
        return gettext_noop("{number} players, partners opposite; first to {target} wins.")
    if rules.seats >= 4:
        return gettext_noop("{number} players, each alone; first to {target} wins.")
    return gettext_noop("{number} players; first to {target} wins.")


_SPARED: Final = {
    1: gettext_noop("{dealt} cards each, {discarded} to the crib; the dealer gets {kept} and gives none."),
    2: gettext_noop(
        "{dealt} cards each, {discarded} to the crib; dealer and seat opposite get {kept} and give none."
    ),
}
"""Cards dealt and given, by the number of seats that give none."""


def _cards(rules: Rules, voice: Voice) -> str:
    dealt, discarded = rules.dealt, rules.discarded
    if rules.spared:
        return voice.gettext(_SPARED[rules.spared], dealt=dealt, discarded=discarded, kept=rules.kept)
    if rules.crib_from_pack:
        return voice.gettext(
            "{dealt} cards each, {discarded} to the crib, {more} to it from the deck.",
            dealt=dealt,
            discarded=discarded,
            more=rules.crib_from_pack,
        )
    if rules.crib_size < 4:
        return voice.gettext(
            "{dealt} cards each, {discarded} to the crib, which has {size}.",
            dealt=dealt,
            discarded=discarded,
            size=rules.crib_size,
        )
    return voice.gettext("{dealt} cards each, {discarded} to the crib.", dealt=dealt, discarded=discarded)


def _changes(rules: Rules, voice: Voice) -> Iterator[str]:
    """Differences from the standard rules."""
    if rules.starter_cut is StarterCutter.DEALER:
        yield voice.gettext("The dealer cuts the starter.")
    heels = speech(voice).heels_name
    if rules.heels_claimed:
        yield voice.gettext("Claim {heels} before your first card, or lose the points.", heels=heels)
    if rules.his_heels != 2:
        yield voice.gettext("{heels}: {points}.", heels=sentence(heels), points=rules.his_heels)
    if not rules.his_nobs:
        yield voice.gettext("No point for {nobs}, the jack of the starter's suit.", nobs=speech(voice).nob)
    if not rules.pairs_in_play:
        yield voice.gettext("No pairs in the play.")
    if not rules.runs_in_play:
        yield voice.gettext("No runs in the play.")
    if rules.go_scoring is GoScoring.AT_CALL:
        yield voice.gettext("A go scores at once; a last card alone scores nothing.")
    if rules.thirty_one_plus_last:
        yield voice.gettext("31 is 2, and 1 more for last.")
    if rules.flush is Flush.ANY_FOUR:
        yield voice.gettext("Any four of a suit are a flush, the starter included.")
    if rules.crib_flush is CribFlush.FOUR:
        yield voice.gettext("Four of a suit are a flush in the crib, too.")
    if not rules.play_out:
        yield voice.gettext("The play stops at the first go or 31.")


def _counting(rules: Rules, voice: Voice) -> str:
    if rules.muggins:
        return voice.gettext("Count your own points; muggins takes what you miss.")
    if rules.counting is Counting.ALOUD:
        return voice.gettext("Count your own hands; what you miss is lost.")
    return voice.gettext("Auto-count.")


def _skunk_line(line: SkunkLine, voice: Voice) -> str:
    return voice.gettext(_SKUNKS[line.kind], reach=line.reach)


def _skunks(rules: Rules, voice: Voice) -> str:
    points = rules.match_points
    if not rules.skunk_lines:
        return voice.gettext("A win counts {number}; no skunks.", number=points.game)
    lines = [
        voice.gettext(
            "{loser}, counts {number}", loser=_skunk_line(line, voice), number=points.worth(line.kind)
        )
        for line in reversed(rules.skunk_lines)
    ]
    return voice.gettext(
        "A win counts {number}; {more}.", number=points.game, more=voice.gettext("; ").join(lines)
    )
