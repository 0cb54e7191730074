"""Rules in players' words: a table's in short and in full, the rule sets, the settings and their values.

A new option of `Rules` gets its sentence and its setting's words here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.language.languages import later
from bot.model.match import games_to_win
from bot.model.rule_settings import OTHER, Setting, value_of
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.layouts import container, layout, subtext, text
from bot.render.text.speech import Telling
from bot.render.text.spoken_counts import spoken
from bot.render.text.voice import Voice
from engine import (
    Counting,
    CribFlush,
    FirstDeal,
    Flush,
    GoScoring,
    NextDeal,
    Rules,
    Skunk,
    StarterCutter,
    card,
    cards,
    count,
)

PRESET_NAMES: Final = {
    "standard": later("Standard"),
    "short": later("Short"),
    "lurch": later("Lurch"),
    "piecepack": later("Piecepack"),
    "parlour": later("Parlour"),
    "family": later("Family"),
}

PRESET_CHOICES: Final = {
    "standard": later("Standard: what most people play, to 121"),
    "short": later("Short: the same to 61"),
    "lurch": later("Lurch: old rules; a bad loss counts twice"),
    "piecepack": later("Piecepack: four of a suit are a flush in the crib, too"),
    "parlour": later("Parlour: no pairs or runs in the play"),
    "family": later("Family: claim his heels; any four of a suit are a flush"),
}
"""Rule sets as choices of a command's option."""

_CREDITS: Final = {
    "standard": later("American Cribbage Congress rules"),
    "short": later("American Cribbage Congress rules"),
    "lurch": later("After “The Rules of Cribbage”"),
    "piecepack": later("After “Cribbage” for the piecepack by Trevor L. Davis"),
    "parlour": later("After “What Is Cribbage?”, an old parlour game"),
    "family": later("After the leaflet of a family board"),
}

SETTING_NAMES: Final = {
    Setting.PLAYERS: later("Players"),
    Setting.PARTNERS: later("Partners"),
    Setting.LENGTH: later("Length"),
    Setting.GAMES: later("Games"),
    Setting.COUNTING: later("Counting hands"),
    Setting.TIME: later("Time for a turn"),
    Setting.HINTS: later("Hints from the coach"),
    Setting.BOARD: later("Board"),
    Setting.SKUNKS: later("Skunks"),
    Setting.WORTH: later("What a win is worth"),
    Setting.HEELS: later("His heels: points"),
    Setting.CLAIM: later("His heels: must be claimed"),
    Setting.NOBS: later("His nobs: points"),
    Setting.FLUSH: later("Flush in hand"),
    Setting.CRIB_FLUSH: later("Flush in the crib"),
    Setting.PAIRS: later("Pairs in the play"),
    Setting.RUNS: later("Runs in the play"),
    Setting.GO: later("Point for a go"),
    Setting.THIRTY_ONE: later("31 also scores the last card"),
    Setting.PLAY_OUT: later("Play all cards"),
    Setting.FOURTH: later("Three players: 4th crib card"),
    Setting.CUTTER: later("Who cuts the starter"),
    Setting.FIRST_DEAL: later("First dealer"),
    Setting.NEXT_DEAL: later("First dealer of the next game"),
}

_VALUES: Final = {
    "yes": later("Yes"),
    "no": later("No"),
    OTHER: later("Another number…"),
    "machine": later("Auto-count"),
    "aloud": later("Count your own"),
    "muggins": later("Count your own, with muggins"),
    "live": later("2 minutes, live"),
    "slow": later("A day, slow"),
    "pictures": later("Drawn"),
    "text": later("Text"),
    "best1": later("One game"),
    "best3": later("Best of three"),
    "best5": later("Best of five"),
    "modern": later("Skunk 31 behind, double 61 behind"),
    "half": later("Lurch: under half way"),
    "none": later("None"),
    "plain": later("1 game, skunks too"),
    "free": later("1 game, skunk 2, double 3"),
    "tournament": later("2 games, skunk 3, double 3"),
    "long": later("3 games, skunk 4, double 4"),
    "doubling": later("1 game, skunk 2, double 4"),
    "hand": later("Four in hand"),
    "anyfour": later("Any four, with the starter"),
    "five": later("All five cards"),
    "four": later("As in hand"),
    "lastcard": later("With the last card"),
    "atcall": later("When it is said"),
    "pone": later("The non-dealer"),
    "dealer": later("The dealer"),
    "cut": later("Lowest cut"),
    "random": later("At random"),
    "named": later("Named, or lowest cut"),
    "loser": later("The loser"),
    "alternate": later("In turn"),
    "winner": later("The winner"),
}
"""Words for the values that are not numbers."""

_SKUNKS: Final = {
    Skunk.SKUNK: later("skunk under {reach}: {games}"),
    Skunk.DOUBLE: later("double skunk under {reach}: {games}"),
    Skunk.LURCH: later("in the lurch under {reach}: {games}"),
}

_FIRST_DEALS: Final = {
    FirstDeal.RANDOM: later("First dealer at random."),
    FirstDeal.NAMED: later("Name the first dealer, or cut."),
}

_NEXT_DEALS: Final = {
    NextDeal.ALTERNATE: later("Rematch: first deal in turn."),
    NextDeal.WINNER: later("Rematch: the winner deals."),
    NextDeal.CUT: later("Rematch: cut for deal."),
}

_MATCHES: Final = {
    1: later("One game"),
    3: later("Best of three: first to win {games}"),
    5: later("Best of five: first to win {games}"),
}

_EXAMPLE: Final = (cards("7H 8H 8S JC"), card("9C"))
"""A hand and a starter with fifteens, a pair, a double run and his nobs."""


def rules_drawing(agreement: Agreement | None, voice: Voice) -> Drawing:
    """Rules of this table, or the standard ones, with a scored example; at most 120 words."""
    agreed = agreement or Agreement()
    title = voice.say("## Standard rules") if agreement is None else rules_title(agreed, voice)
    return layout(
        container(
            text(title, *rules_lines(agreed, voice), example(agreed.rules, voice)),
            text(subtext(credit(agreed.preset, voice))),
        )
    )


def rules_title(agreement: Agreement, voice: Voice) -> str:
    """Heading of a table's rules: the rule set, marked if single rules were changed."""
    name = voice.say(PRESET_NAMES[agreement.preset])
    if agreement.is_changed:
        return voice.say("## This table: {name} rules, changed", name=name)
    return voice.say("## This table: {name} rules", name=name)


def rules_lines(agreement: Agreement, voice: Voice) -> list[str]:
    """Rules of a game as a list, with the time for a turn and the permission of hints."""
    lines = [*_described(agreement.rules, voice), time_text(agreement, voice)]
    if agreement.is_match:
        lines.append(f"{match_text(agreement, voice)}.")
    if agreement.hints:
        lines.append(voice.say("Hints are allowed."))
    return [f"- {line}" for line in lines]


def rules_in_short(agreement: Agreement, voice: Voice) -> str:
    """Agreed rules in one line."""
    name = voice.say(PRESET_NAMES[agreement.preset])
    parts = [
        voice.say("{name}, changed", name=name) if agreement.is_changed else name,
        voice.say("to {target}", target=agreement.rules.target),
        value_text(Setting.COUNTING, value_of(agreement, Setting.COUNTING), voice),
        time_text(agreement, voice).removesuffix("."),
    ]
    if agreement.is_match:
        parts.insert(2, value_text(Setting.GAMES, value_of(agreement, Setting.GAMES), voice))
    if agreement.hints:
        parts.append(voice.say("hints"))
    return " · ".join(parts)


def describe(rules: Rules, voice: Voice) -> str:
    """Rules of a game as a short list."""
    return "\n".join(f"- {line}" for line in _described(rules, voice))


def credit(preset: str, voice: Voice) -> str:
    """Origin of a rule set. Raises `KeyError` for an unknown name."""
    return voice.say(_CREDITS[preset])


def setting_text(setting: Setting, voice: Voice) -> str:
    """Name of the setting."""
    return voice.say(SETTING_NAMES[setting])


def value_text(setting: Setting, value: str, voice: Voice) -> str:
    """Name of a value of the setting."""
    if value in _VALUES:
        return voice.say(_VALUES[value])
    if setting is Setting.TIME:
        return _turn(int(value), voice)
    return value or voice.say("Something else")


def match_text(agreement: Agreement, voice: Voice) -> str:
    """Length of a match, such as `Best of three: first to win 2 games`, by the worth of a win."""
    games = voice.some(games_to_win(agreement), "{number} game", "{number} games")
    return voice.say(_MATCHES[agreement.best_of], games=games)


def time_text(agreement: Agreement, voice: Voice) -> str:
    """Time for a turn."""
    return voice.say("{time} a turn.", time=_turn(agreement.time_to_move, voice))


def example(rules: Rules, voice: Voice) -> str:
    """An example hand with its count under these rules."""
    hand, starter = _EXAMPLE
    counted = count(hand, starter=starter, rules=rules)
    return voice.say(
        "{hand} with {starter} is **{points}**: {counted}.",
        hand=voice.faces.all(hand),
        starter=voice.faces.text(starter),
        points=voice.number(counted.points),
        counted=spoken(counted.scores, counted.points, voice, Telling.TERSE),
    )


def _turn(seconds: int, voice: Voice) -> str:
    """A time in the largest unit in which it is a whole number."""
    if seconds % 86_400 == 0:
        return voice.some(seconds // 86_400, "{number} day", "{number} days")
    if seconds % 3_600 == 0:
        return voice.some(seconds // 3_600, "{number} hour", "{number} hours")
    if seconds >= 120 and seconds % 60 == 0:
        return voice.some(seconds // 60, "{number} minute", "{number} minutes")
    return voice.say("{number} s", number=voice.number(seconds))


def _described(rules: Rules, voice: Voice) -> Iterator[str]:
    yield _players(rules, voice)
    yield _cards(rules, voice)
    yield from _changes(rules, voice)
    for sentence in (_FIRST_DEALS.get(rules.first_deal), _NEXT_DEALS.get(rules.next_deal)):
        if sentence is not None:
            yield voice.say(sentence)
    yield _counting(rules, voice)
    yield _skunks(rules, voice)


def _players(rules: Rules, voice: Voice) -> str:
    if rules.partners:
        return voice.say("4 players, partners opposite; first to {target} wins.", target=rules.target)
    if rules.seats == 4:
        return voice.say("4 players, each alone; first to {target} wins.", target=rules.target)
    return voice.say("{number} players; first to {target} wins.", number=rules.seats, target=rules.target)


def _cards(rules: Rules, voice: Voice) -> str:
    dealt, discarded = rules.dealt, rules.discarded
    if rules.crib_from_pack:
        return voice.say(
            "{dealt} cards each, {discarded} to the crib, {more} to it from the deck.",
            dealt=dealt,
            discarded=discarded,
            more=rules.crib_from_pack,
        )
    if rules.crib_size < 4:
        return voice.say(
            "{dealt} cards each, {discarded} to the crib, which has {size}.",
            dealt=dealt,
            discarded=discarded,
            size=rules.crib_size,
        )
    return voice.say("{dealt} cards each, {discarded} to the crib.", dealt=dealt, discarded=discarded)


def _changes(rules: Rules, voice: Voice) -> Iterator[str]:
    """Differences from the standard rules."""
    if rules.starter_cut is StarterCutter.DEALER:
        yield voice.say("The dealer cuts the starter.")
    if rules.heels_claimed:
        yield voice.say("Claim his heels before your first card, or lose them.")
    if rules.his_heels != 2:
        yield voice.say("His heels: {points}.", points=rules.his_heels)
    if not rules.his_nobs:
        yield voice.say("No point for his nobs.")
    if not rules.pairs_in_play:
        yield voice.say("No pairs in the play.")
    if not rules.runs_in_play:
        yield voice.say("No runs in the play.")
    if rules.go_scoring is GoScoring.AT_CALL:
        yield voice.say("A go is pegged when it is said; no point for a last card without a go.")
    if rules.thirty_one_plus_last:
        yield voice.say("31 is 2, and 1 more for last.")
    if rules.flush is Flush.ANY_FOUR:
        yield voice.say("Any four of a suit are a flush, the starter included.")
    if rules.crib_flush is CribFlush.FOUR:
        yield voice.say("A flush in the crib counts as in a hand.")
    if not rules.play_out:
        yield voice.say("The play stops at the first go or 31.")


def _counting(rules: Rules, voice: Voice) -> str:
    if rules.muggins:
        return voice.say("Count your own points; muggins takes what you miss.")
    if rules.counting is Counting.ALOUD:
        return voice.say("Count your own hands; what you miss is lost.")
    return voice.say("Auto-count.")


def _skunks(rules: Rules, voice: Voice) -> str:
    points = rules.match_points
    if not rules.skunk_lines:
        games = voice.some(points.game, "{number} game", "{number} games")
        return voice.say("No skunks: a win is {games}.", games=games)
    lines = [
        voice.say(
            _SKUNKS[line.kind],
            reach=line.reach,
            games=voice.some(points.worth(line.kind), "{number} game", "{number} games"),
        )
        for line in reversed(rules.skunk_lines)
    ]
    return voice.say(
        "A win is {games}; {more}.",
        games=voice.some(points.game, "{number} game", "{number} games"),
        more="; ".join(lines),
    )
