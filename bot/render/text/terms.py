"""The words of the game, each explained in thirty words by the rules of a table, with an example in cards.

The points of an example are counted as it is written, so they follow the rules too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from bot.language.languages import gettext_noop, pgettext_noop
from bot.render.text.speech import speech
from bot.render.text.voice import WITH_OWN_WORDS, Voice
from engine import (
    PRESETS,
    USUAL_HAND,
    Cards,
    CribFlush,
    FirstDeal,
    Flush,
    GoScoring,
    Rules,
    Skunk,
    SkunkRule,
    StarterCutter,
    card,
    cards,
    count,
    fifteens,
    heels,
    pairs,
    running_count,
    runs,
)

_NEAREST = 3
"""Most words that are offered for an unknown one."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, its explanation, and its example."""

    name: str
    """Msgid of the context `term`, by which `explained` finds it in every language."""
    says: Callable[[Voice, Rules], str]
    example: Callable[[Voice, Rules], str] | None = None
    also: tuple[str, ...] = ()
    """Other spellings of the name that people type."""

    def named(self, voice: Voice) -> str:
        """The word in the voice's language."""
        return voice.pgettext("term", self.name)


def explained(typed: str, voice: Voice, rules: Rules) -> str:
    """The explanation of the word by `rules`; for an unknown one, the words nearest to it."""
    wanted = _plain(typed)
    for term in TERMS:
        if wanted in {*_spellings(term, voice)}:
            name = term.named(voice)
            lines = [f"### {name[:1].upper()}{name[1:]}", term.says(voice, rules)]
            if term.example is not None:
                lines.append(term.example(voice, rules))
            return "\n".join(lines)
    return _unknown(wanted, voice)


def rule_of(name: str, voice: Voice, rules: Rules) -> str:
    """The explanation of the term of that name by `rules`."""
    return next(term.says(voice, rules) for term in TERMS if term.name == name)


def matching(typed: str, voice: Voice) -> tuple[Term, ...]:
    """The terms of which a spelling contains the typed letters, those that begin with them first."""
    wanted = _plain(typed)
    found = [term for term in TERMS if any(wanted in each for each in _spellings(term, voice))]
    return tuple(sorted(found, key=lambda term: not _plain(term.named(voice)).startswith(wanted)))


def _unknown(wanted: str, voice: Voice) -> str:
    near = list(matching(wanted, voice)) if wanted else []
    spelled = {each: term for term in TERMS for each in _spellings(term, voice)}
    near += [spelled[each] for each in get_close_matches(wanted, spelled, n=_NEAREST)]
    names = list(dict.fromkeys(f"*{term.named(voice)}*" for term in near))[:_NEAREST]
    if not names:
        return voice.gettext("I don't know that word. As you type, a list shows those that I explain.")
    return voice.gettext(
        "I don't know that word. Do you mean {words}?", words=voice.listing(names, last="or")
    )


def _spellings(term: Term, voice: Voice) -> tuple[str, ...]:
    return tuple(map(_plain, (term.named(voice), term.name, *term.also)))


def _plain(typed: str) -> str:
    """The letters and figures of the word in lower case, without accents."""
    letters = unicodedata.normalize("NFKD", typed.casefold())
    return "".join(each for each in letters if each.isalnum())


def _text(sentence: str) -> Callable[[Voice, Rules], str]:
    return lambda voice, _: voice.gettext(sentence)


def _points(voice: Voice, points: int) -> str:
    return voice.ngettext("{number} point", "{number} points", points)


def _games(voice: Voice, games: int) -> str:
    return voice.ngettext("{number} game", "{number} games", games)


def _counted(hand: str, starter: str) -> Callable[[Voice, Rules], str]:
    """The points of the hand with the starter."""

    def example(voice: Voice, rules: Rules) -> str:
        kept, turned = cards(hand), card(starter)
        return voice.ngettext(
            "{number} point: {cards} with {starter}",
            "{number} points: {cards} with {starter}",
            count(kept, starter=turned, rules=rules).points,
            cards=voice.faces.all_small(kept),
            starter=voice.faces.small(turned),
        )

    return example


def _together(shown: str) -> Callable[[Voice, Rules], str]:
    """The points of these cards among others at the show, suits aside."""

    def example(voice: Voice, _: Rules) -> str:
        those = cards(shown)
        scores = (*fifteens(those), *pairs(those), *runs(those))
        return _valued(voice, those, sum(each.points for each in scores))

    return example


def _valued(voice: Voice, those: Cards, points: int) -> str:
    return voice.gettext(
        "{cards}: {points}.", cards=voice.faces.all_small(those), points=_points(voice, points)
    )


def _heels_example(voice: Voice, rules: Rules) -> str:
    starter = card("JS")
    return _valued(voice, (starter,), heels(starter, rules).points)


def _counts(played: str) -> Callable[[Voice, Rules], str]:
    """The running count of these cards."""

    def example(voice: Voice, _: Rules) -> str:
        those = cards(played)
        return voice.gettext(
            "{cards}: a count of {count}.",
            cards=voice.faces.all_small(those),
            count=running_count(those),
        )

    return example


def _go_example(voice: Voice, _: Rules) -> str:
    played, (held,) = cards("KC 9D 8H"), cards("5S")
    return voice.gettext(
        "After {cards} the count is {count}: {held} doesn't fit.",
        cards=voice.faces.all_small(played),
        count=running_count(played),
        held=voice.faces.small(held),
    )


def _crib(voice: Voice, rules: Rules) -> str:
    return voice.gettext(
        "The extra hand of {size} cards to which all discard. The dealer counts it last, as their own.",
        size=rules.crib_size,
    )


def _discard(voice: Voice, rules: Rules) -> str:
    return voice.gettext(
        "What you put into the crib before the starter is cut: {discarded} of your {dealt} cards.",
        discarded=rules.discarded,
        dealt=rules.dealt,
    )


def _cut(voice: Voice, rules: Rules) -> str:
    turned = (
        voice.gettext("The pone lifts off part of the deck, and the card below is turned up as the starter.")
        if rules.starter_cut is StarterCutter.PONE
        else voice.gettext(
            "The dealer lifts off part of the deck, and the card below is turned up as the starter."
        )
    )
    if rules.first_deal is not FirstDeal.CUT:
        return turned
    return f"{turned} {voice.gettext('Before the first deal all cut, and the lowest card deals.')}"


def _heels(voice: Voice, rules: Rules) -> str:
    if not rules.his_heels:
        return voice.gettext("A jack turned up as the starter. It scores nothing by these rules.")
    points = _points(voice, rules.his_heels)
    said = (
        voice.gettext(
            "A jack turned up as the starter: {points} for the dealer, if claimed before they play a card.",
            points=points,
        )
        if rules.heels_claimed
        else voice.gettext("A jack turned up as the starter: {points} for the dealer at once.", points=points)
    )
    if voice.preset not in WITH_OWN_WORDS:
        return said
    named = voice.gettext("At this table it's called *{heels}*.", heels=speech(voice).heels_name)
    return f"{said} {named}"


def _nobs(voice: Voice, rules: Rules) -> str:
    if not rules.his_nobs:
        return voice.gettext(
            "The jack of the starter's suit in hand or crib. It scores nothing by these rules."
        )
    return voice.gettext(
        "The jack of the starter's suit in hand or crib: {points}.", points=_points(voice, rules.his_nobs)
    )


def _pair(voice: Voice, rules: Rules) -> str:
    if rules.pairs_in_play:
        return voice.gettext(
            "Two cards of one rank: 2 points, at the show and one after the other in the play."
        )
    return voice.gettext("Two cards of one rank: 2 points at the show. The play has no pairs by these rules.")


def _run(voice: Voice, rules: Rules) -> str:
    if rules.runs_in_play:
        return voice.gettext(
            "Three or more cards in sequence, suits aside: 1 point a card. "
            "In the play they may come in any order."
        )
    return voice.gettext(
        "Three or more cards in sequence, suits aside: 1 point a card at the show. "
        "The play has no runs by these rules."
    )


_FLUSHES: Final = {
    (Flush.HAND, CribFlush.FIVE): gettext_noop(
        "Four cards of a suit in hand: 4 points, 5 if the starter is of it too. "
        "A crib needs all five for its 5 points."
    ),
    (Flush.HAND, CribFlush.FOUR): gettext_noop(
        "Four cards of a suit in hand or crib: 4 points, 5 if the starter is of it too."
    ),
    (Flush.ANY_FOUR, CribFlush.FIVE): gettext_noop(
        "Any four cards of a suit, the starter included: 4 points, 5 for five. "
        "A crib needs all five for its 5 points."
    ),
    (Flush.ANY_FOUR, CribFlush.FOUR): gettext_noop(
        "Any four cards of a suit in hand or crib, the starter included: 4 points, 5 for five."
    ),
}


def _flush(voice: Voice, rules: Rules) -> str:
    if rules.kept < USUAL_HAND:
        return voice.gettext(
            "Three cards of a suit in hand: 3 points, 4 with the starter. A crib needs the starter too: 5."
        )
    return voice.gettext(_FLUSHES[rules.flush, rules.crib_flush])


def _go(voice: Voice, rules: Rules) -> str:
    if rules.go_scoring is GoScoring.AT_CALL:
        return voice.gettext(
            "Said when each card you hold would pass 31. The player who is left to play on pegs 1 at once."
        )
    return voice.gettext(
        "Said when each card you hold would pass 31. "
        "The last card of the count then scores 1 if it stays below 31."
    )


def _thirty_one(voice: Voice, rules: Rules) -> str:
    if rules.thirty_one_plus_last:
        return voice.gettext(
            "The highest count in the play. Reaching it scores 3: 2, and 1 for the last card. "
            "The next count begins at 0."
        )
    return voice.gettext(
        "The highest count in the play. Reaching it scores 2, and the next count begins at 0."
    )


def _last_card(voice: Voice, rules: Rules) -> str:
    if rules.go_scoring is GoScoring.AT_CALL:
        return voice.gettext("The last card of a count. It scores nothing by these rules: the go does.")
    if rules.thirty_one_plus_last:
        return voice.gettext("The last card of a count: 1 point for its player, at 31 beside the 2.")
    return voice.gettext("The last card of a count below 31, after which nobody can play: 1 point.")


def _muggins(voice: Voice, rules: Rules) -> str:
    if rules.muggins:
        return voice.gettext(
            "You count your own points, and an opponent may call and peg those that you miss."
        )
    return voice.gettext("An opponent calls and pegs the points that you miss. Not by these rules.")


def _wrong_claim(voice: Voice, rules: Rules) -> str:
    if rules.wrong_claims:
        return voice.gettext(
            "A count above the truth, or muggins called where nothing was missed. "
            "It costs {points}: to the player on your left, or to the one you accused.",
            points=_points(voice, rules.wrong_claims),
        )
    return voice.gettext(
        "A count above the truth, or muggins called where nothing was missed. "
        "It costs nothing by these rules."
    )


_OTHERWISE: Final = {
    Skunk.SKUNK: SkunkRule.MODERN,
    Skunk.DOUBLE: SkunkRule.MODERN,
    Skunk.LURCH: SkunkRule.HALF,
}
"""The rule by which each would be counted, for a table that does not."""


def _reach(kind: Skunk, rules: Rules) -> int | None:
    """Points below which a loss is one of that kind; `None` if the rules have none."""
    return next((line.reach for line in rules.skunk_lines if line.kind is kind), None)


def _loss(kind: Skunk) -> Callable[[Voice, Rules], str]:
    def says(voice: Voice, rules: Rules) -> str:
        reach = _reach(kind, rules)
        if reach is None:
            usual = _reach(kind, PRESETS["standard"](target=rules.target, skunks=_OTHERWISE[kind]))
            if usual is None:
                return voice.gettext(
                    "A loss by more than 60 points in a longer game. It isn't counted by these rules."
                )
            return voice.gettext(
                "A loss with fewer than {reach} of {target} points. It isn't counted by these rules.",
                reach=usual,
                target=rules.target,
            )
        return voice.gettext(
            "A loss with fewer than {reach} of {target} points. In a match it counts as {games}.",
            reach=reach,
            target=rules.target,
            games=_games(voice, rules.match_points.worth(kind)),
        )

    return says


def _street(voice: Voice, rules: Rules) -> str:
    return voice.gettext("A row of 30 holes on the board. The game is to {target}.", target=rules.target)


def _hole(voice: Voice, rules: Rules) -> str:
    said = (
        gettext_noop("One point on the board. The side whose peg reaches hole {target} first loses at once.")
        if rules.low_wins
        else gettext_noop(
            "One point on the board. The side whose peg reaches hole {target} first wins at once."
        )
    )
    return voice.gettext(said, target=rules.target)


def _three_for_last(voice: Voice, _: Rules) -> str:
    return voice.gettext(
        "In the old five-card game the player who doesn't deal first begins with 3 points: "
        "the first crib is the other's."
    )


def _match(voice: Voice, _: Rules) -> str:
    return voice.gettext(
        "Several games in a row, such as the best of three: `games` of {new} opens one.",
        new=voice.command("crib new"),
    )


TERMS: Final = (
    Term(pgettext_noop("term", "crib"), _crib),
    Term(
        pgettext_noop("term", "dealer"),
        _text(gettext_noop("The player who deals. The crib is theirs, and they count their hand last.")),
    ),
    Term(
        pgettext_noop("term", "pone"),
        _text(gettext_noop("The player to the dealer's left, who plays the first card and counts first.")),
        also=("non-dealer", "nondealer"),
    ),
    Term(
        pgettext_noop("term", "deal"),
        _text(
            gettext_noop(
                "Everything from dealing the hands to counting the crib. The player to the left deals next."
            )
        ),
    ),
    Term(pgettext_noop("term", "discard"), _discard),
    Term(pgettext_noop("term", "cut"), _cut),
    Term(
        pgettext_noop("term", "starter"),
        _text(gettext_noop("The card turned up after the discard. It counts with every hand and the crib.")),
    ),
    Term(pgettext_noop("term", "his heels"), _heels, _heels_example, also=("heels", "his knobs", "knobs")),
    Term(pgettext_noop("term", "his nobs"), _nobs, _counted("2C 4D 6H JS", "KS"), also=("nobs", "nob")),
    Term(
        pgettext_noop("term", "count"),
        _text(
            gettext_noop(
                "In the play, the sum of the cards laid so far, at most 31. "
                "Faces are 10, aces 1. At the show, the points of a hand."
            )
        ),
        _counts("7D KC AS"),
    ),
    Term(
        pgettext_noop("term", "fifteen"),
        _text(
            gettext_noop(
                "Cards that add up to 15, faces as 10, aces as 1: 2 points for each set at the show, "
                "and for a count of 15 in the play."
            )
        ),
        _together("7C 8H"),
        also=("15", "fifteen two"),
    ),
    Term(pgettext_noop("term", "pair"), _pair, _together("9C 9D")),
    Term(
        pgettext_noop("term", "pair royal"),
        _text(gettext_noop("Three cards of one rank: three pairs, so 6 points.")),
        _together("9C 9D 9H"),
        also=("three of a kind",),
    ),
    Term(
        pgettext_noop("term", "double pair royal"),
        _text(gettext_noop("All four cards of one rank: six pairs, so 12 points.")),
        _together("9C 9D 9H 9S"),
        also=("four of a kind",),
    ),
    Term(pgettext_noop("term", "run"), _run, _together("2C 3D 4H")),
    Term(
        pgettext_noop("term", "double run"),
        _text(gettext_noop("A run in which one card is paired: two runs and the pair, at the show.")),
        _together("2C 2D 3H 4S"),
    ),
    Term(pgettext_noop("term", "flush"), _flush, _counted("2H 4H 8H KH", "QS")),
    Term(pgettext_noop("term", "go"), _go, _go_example),
    Term(pgettext_noop("term", "thirty-one"), _thirty_one, _counts("KC QD 6H 5S"), also=("31",)),
    Term(pgettext_noop("term", "last card"), _last_card, also=("last",)),
    Term(
        pgettext_noop("term", "pegging"),
        _text(
            gettext_noop(
                "Scoring on the board: the back peg jumps past the front one by the points. "
                "Also what is scored in the play."
            )
        ),
        also=("peg",),
    ),
    Term(
        pgettext_noop("term", "the show"),
        _text(
            gettext_noop(
                "After the play the hands are counted with the starter, the pone's first, "
                "the dealer's last, then the crib."
            )
        ),
        also=("show",),
    ),
    Term(pgettext_noop("term", "muggins"), _muggins),
    Term(pgettext_noop("term", "wrong claim"), _wrong_claim),
    Term(pgettext_noop("term", "skunk"), _loss(Skunk.SKUNK)),
    Term(pgettext_noop("term", "double skunk"), _loss(Skunk.DOUBLE)),
    Term(pgettext_noop("term", "lurch"), _loss(Skunk.LURCH)),
    Term(pgettext_noop("term", "three for last"), _three_for_last),
    Term(pgettext_noop("term", "street"), _street),
    Term(pgettext_noop("term", "hole"), _hole),
    Term(pgettext_noop("term", "match"), _match),
    Term(
        pgettext_noop("term", "nineteen"),
        _text(gettext_noop("A hand worth nothing, in jest: no hand can score 19.")),
        _counted("2C 4D 6H 8S", "KD"),
        also=("19",),
    ),
)
"""Every word that is explained, about in the order in which a deal meets them."""
