"""A replay: one step of a finished game, with the board, all hands open, and the coach's comment on a choice.

It lists the step's events, and the coach's choice if that is better. To fit a phone's screen, the picture of
the board gives way to that, and what is pressed rarely is behind *More*. Buttons carry the step they lead
to, so they work on a message of any age.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from discord import ButtonStyle

from bot.features.replay.open_hands import counting_order
from bot.model.custom_ids import ReplayId, ReplayWish
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import BAIZE, GOLD, Part, button, container, layout, picture, row, subtext, text
from bot.render.messages.board import board
from bot.render.messages.shared import show_everybody
from bot.render.text.advice import cards_of, cost_of
from bot.render.text.calls import by_count, call_line, muggins, overcount, spoken_call, with_pegs
from bot.render.text.names import Names
from bot.render.text.places import place_of
from bot.render.text.reasons import because
from bot.render.text.sides import Sides
from bot.render.text.spoken_counts import spoken
from bot.render.text.voice import Voice
from engine import (
    CardsDiscarded,
    DealBegan,
    Ending,
    GameClaimed,
    GameWon,
    HandCounted,
    HandShown,
    MugginsCalled,
    Pegged,
    PublicEvent,
    Resigned,
    Side,
    Source,
    Step,
    count,
)
from engine.coach import Decision

_BY_ROW = 5
"""Discord's limit of buttons in a row."""


_IN_A_LINE = 2
"""Buttons with words in a line of a phone."""


class Seeking(Enum):
    """The state of *Next mistake*, which is for the replay of somebody who played."""

    ABSENT = "absent"
    OFFERED = "offered"
    NONE_LEFT = "none left"
    """It was pressed, and the reader made mistakes in earlier steps only."""
    FLAWLESS = "flawless"
    """It was pressed, and the reader made no mistake in the game."""


@dataclass(frozen=True, slots=True)
class ReplayPictures:
    """Pictures of a step: the board unless the coach comments, and the hands once cards are dealt."""

    board: DrawnFile | None
    hands: DrawnFile | None


def replay_drawing(
    record: TableRecord,
    steps: Sequence[Step],
    at: ReplayId,
    voice: Voice,
    *,
    decision: Decision | None = None,
    pictures: ReplayPictures | None = None,
    can_share: bool = False,
    seeking: Seeking = Seeking.ABSENT,
    earlier: Sequence[str] = (),
) -> Drawing:
    """The step of a finished game; `decision` is the choice made in it.

    Without `pictures`, board and hands are text. `can_share` lets the reader show the step to everybody.
    `earlier` are the ids of the earlier games of a match, in order; each gets a button.
    """
    voice = voice.by(record.agreement.preset)
    number = min(at.step, len(steps) - 1)
    at = ReplayId(at.game, at.wish, number, at.owner)
    step = steps[number]
    names = Names.at(record, voice)
    sides = Sides(record, names)
    scores = " · ".join(
        f"{sides[Side(side)]} {voice.number(score)}" for side, score in enumerate(step.table.scores)
    )
    place = [
        voice.gettext(
            "Step {step} of {steps}", step=voice.number(number + 1), steps=voice.number(len(steps))
        ),
        *(
            [voice.gettext("Game {number} of the match", number=len(record.match_before) + 1)]
            if record.agreement.is_match
            else []
        ),
        # Where the game was played stands at its beginning, the scores at every other step.
        scores if step.deal else place_of(record, voice),
    ]
    files = () if pictures is None else tuple(filter(None, (pictures.board, pictures.hands)))
    return layout(
        container(
            text(f"## {_heading(step, names, voice)}", subtext(" · ".join(place))),
            *(
                map(picture, files)
                if files
                else (text(board(step.table, names), *_hands(step, names, voice)),)
            ),
            text(*_whose_hands(step, names, voice)) if files else None,
            text(*_happened(steps, number, names, voice)),
            text(*_coached(decision, names, voice)),
            text(*_sought(seeking, voice)),
            row(*_ways(steps, at, voice)),
            # On a phone a fifth button beside the ways would take a line of its own.
            row(*_others(record, at, seeking, voice, can_share=can_share)),
            *_games_before(record, earlier, voice),
            colour=GOLD if step.table.result is not None else BAIZE,
        ),
        files=files,
    )


def is_told(decision: Decision | None) -> bool:
    """True if the coach comments on the choice."""
    return decision is not None and decision.is_costly


def _heading(step: Step, names: Names, voice: Voice) -> str:
    if not step.deal:
        return voice.gettext("Before the first deal")
    return voice.gettext(
        "Deal {deal}, {dealer}'s crib", deal=voice.number(step.deal), dealer=names[step.table.dealer]
    )


def _hands(step: Step, names: Names, voice: Voice) -> Iterator[str]:
    """The hands without a picture: the starter, each hand, its played cards, and the crib."""
    faces = voice.faces
    if step.table.starter is not None:
        yield voice.gettext("starter {card}", card=faces.text(step.table.starter))
    for seat in counting_order(step):
        hand = step.hands[seat]
        played = f"~~{faces.all_small(hand.played)}~~" if hand.played else ""
        yield f"{names[seat]}: {' '.join(filter(None, (faces.all(hand.held), played)))}"
    if step.crib:
        yield voice.gettext("crib {cards}", cards=faces.all(step.crib))


def _whose_hands(step: Step, names: Names, voice: Voice) -> Iterator[str]:
    """Names below a picture that marks hands by side, where partners share a mark."""
    rules = step.table.rules
    if step.hands and rules.seats > rules.sides:
        players = voice.listing(names[seat] for seat in counting_order(step))
        yield subtext(voice.gettext("Hands from the top: {players}", players=players))


def _happened(steps: Sequence[Step], number: int, names: Names, voice: Voice) -> Iterator[str]:
    """The step's events, a line each."""
    step = steps[number]
    is_show = any(isinstance(event, HandShown) for event in step.events)
    for event, pegs in with_pegs(step.events):
        match event:
            case DealBegan(dealer):
                yield voice.gettext("{player} deals.", player=names[dealer])
            case CardsDiscarded(seat):
                cards = voice.faces.all(sorted(step.given))
                yield voice.gettext("{player} discards {cards}", player=names[seat], cards=cards)
            case HandCounted():
                yield _counted(event, pegs, step, names, voice)
            case MugginsCalled() if is_show:
                yield spoken_call(muggins(event, pegs, voice), names)
            case Resigned(seat):
                yield voice.gettext("{player} resigned.", player=names[seat])
            case GameClaimed(seat):
                yield voice.gettext("{player} claimed the game.", player=names[seat])
            case _:
                pass  # the calls of the play follow, and the board shows the rest
    before = tuple(_deal_until(steps, number - 1, step.deal))
    now = tuple(_deal_until(steps, number, step.deal))
    called = by_count(now, voice)
    calls = (*called.starter, *(call for series in called.counts for call in series))
    earlier = by_count(before, voice)
    known = len(earlier.starter) + sum(map(len, earlier.counts))
    yield from (call_line(call, names, voice) for call in calls[known:])
    for event in step.events:
        if isinstance(event, GameWon):
            yield f"**{_won(event, names, voice)}**"


def _deal_until(steps: Sequence[Step], number: int, deal: int) -> Iterator[PublicEvent]:
    """Events of the deal up to that step, inclusive."""
    for step in steps[: number + 1]:
        if step.deal == deal:
            yield from step.events


def _counted(event: HandCounted, pegs: Sequence[Pegged], step: Step, names: Names, voice: Voice) -> str:
    shown = next(each for each in step.events if isinstance(each, HandShown))
    starter, rules = step.table.starter, step.table.rules
    assert starter is not None, "hands are shown when the starter is cut"
    scores = count(shown.cards, starter=starter, rules=rules, crib=event.source is Source.CRIB).scores
    count_in_words = spoken(scores, sum(score.points for score in scores), voice)
    if event.called is not None and event.called > event.points:
        price = next((peg for peg in pegs if peg.is_price), None)
        return f"{overcount(event, price, names, voice)} · {count_in_words}"
    parts = {"player": names[event.seat], "points": voice.number(event.points)}
    if event.source is Source.CRIB:
        whose = voice.gettext("{player}'s crib {points}", **parts)
    else:
        whose = voice.gettext("{player} {points}", **parts)
    return f"**{whose}** · {count_in_words}"


def _won(event: GameWon, names: Names, voice: Voice) -> str:
    winner = names.side(event.side)
    match event.ending:
        case Ending.RESIGNED:
            return voice.gettext("{winner} won by resignation", winner=winner)
        case Ending.CLAIMED:
            return voice.gettext("{winner} claimed the win", winner=winner)
        case _:
            return voice.gettext("{winner} won", winner=winner)


def _coached(decision: Decision | None, names: Names, voice: Voice) -> Iterator[str]:
    """The coach's choice and the reason, if it was better."""
    if decision is None or not decision.is_costly:
        return
    yield voice.gettext(
        "🎓 **Better for {player}:** {cards}",
        player=names[decision.view.seat],
        cards=cards_of(decision.best, voice),
    )
    yield because(decision, voice)
    yield subtext(cost_of(decision, voice, places=1))


def _ways(steps: Sequence[Step], at: ReplayId, voice: Voice) -> Iterator[Part]:
    """The four buttons to other steps; one that leads nowhere stays in its place, disabled."""
    deals = [number for number, step in enumerate(steps) if not number or steps[number - 1].deal != step.deal]
    here = max((number for number in deals if number < at.step), default=0)
    onward = min((number for number in deals if number > at.step), default=len(steps) - 1)
    is_first, is_last = at.step == 0, at.step == len(steps) - 1

    def way(wish: ReplayWish, label: str, step: int, *, ends: bool, is_main: bool = False) -> Part:
        style = ButtonStyle.primary if is_main else ButtonStyle.secondary
        goal = ReplayId(at.game, wish, min(max(step, 0), len(steps) - 1), at.owner)
        return button(goal, label, style=style, enabled=not ends)

    yield way(ReplayWish.EARLIER, "⏮", here, ends=is_first)
    yield way(ReplayWish.BACK, voice.gettext("Back"), at.step - 1, ends=is_first)
    yield way(ReplayWish.ON, voice.gettext("Next"), at.step + 1, ends=is_last, is_main=True)
    yield way(ReplayWish.LATER, "⏭", onward, ends=is_last)


def _to_mistake(at: ReplayId, seeking: Seeking, voice: Voice) -> Iterator[Part]:
    if seeking is not Seeking.ABSENT:
        goal = ReplayId(at.game, ReplayWish.MISTAKE, at.step, at.owner)
        is_offered = seeking is Seeking.OFFERED
        yield button(goal, voice.gettext("Next mistake"), enabled=is_offered)


def _sought(seeking: Seeking, voice: Voice) -> Iterator[str]:
    match seeking:
        case Seeking.NONE_LEFT:
            yield subtext(voice.gettext("You made no mistake after this step"))
        case Seeking.FLAWLESS:
            yield subtext(voice.gettext("You made no mistake in this game"))
        case _:
            pass


def _others(
    record: TableRecord, at: ReplayId, seeking: Seeking, voice: Voice, *, can_share: bool
) -> Iterator[Part]:
    """The buttons below the ways: all of them after *More*, or else as many as a phone has in a line."""
    buttons = [*_to_mistake(at, seeking, voice), *_more(record, at, voice, can_share=can_share)]
    if at.wish is ReplayWish.MORE or len(buttons) <= _IN_A_LINE:
        yield from buttons
        return
    yield from buttons[: _IN_A_LINE - 1]
    yield button(ReplayId(at.game, ReplayWish.MORE, at.step, at.owner), voice.gettext("More"))


def _more(record: TableRecord, at: ReplayId, voice: Voice, *, can_share: bool) -> Iterator[Part]:
    if can_share:
        yield show_everybody(ReplayId(at.game, ReplayWish.SHARE, at.step), voice)
    yield button(ReplayId(at.game, ReplayWish.FILES, at.step), voice.gettext("Get the file"))
    check = ReplayId(at.game, ReplayWish.CHECK, at.step)
    if record.has_deck and voice.additions.offers(check):
        yield button(check, voice.gettext("Fair?"))


def _games_before(record: TableRecord, earlier: Sequence[str], voice: Voice) -> Iterator[Part | None]:
    """Rows of buttons that open the earlier games of the match; `earlier` may lack the first ones."""
    first_number = len(record.match_before) - len(earlier) + 1
    buttons = [
        button(ReplayId(game, ReplayWish.OPEN), voice.gettext("▶ Game {number}", number=number))
        for number, game in enumerate(earlier, first_number)
    ]
    for first in range(0, len(buttons), _BY_ROW):
        yield row(*buttons[first : first + _BY_ROW])
