"""The screens of the lesson: a picture of the table, what is told and asked, and the table's own buttons.

A screen fits a phone: at most thirty words beside the buttons. After a wrong answer the reason stands where
the step was told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from discord import ButtonStyle

from bot.features.lesson.custom_ids import AGAIN, GAME, SKIP, LearnId
from bot.features.lesson.deal import AGREEMENT, LEARNER, TEACHER, at
from bot.features.lesson.steps import CARDS, CUT, STEPS, THROW, THROWN_KEY, Choice, Picture, Step
from bot.language.languages import gettext_noop
from bot.model.custom_ids import Hello
from bot.model.table_record import Occupant, Status, TableRecord
from bot.model.venue import Venue
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import BAIZE, GOLD, Part, button, container, layout, link, picture, row, subtext, text
from bot.render.messages.cut import places_offered
from bot.render.text.calls import count_line
from bot.render.text.voice import Voice
from engine import Card, Cards, Seat, Stage

_CARDS_A_ROW: Final = 4
"""Card buttons in a row, as in a hand: phones wrap a fifth one to a line of its own."""

INVITATION: Final = gettext_noop("New here? Three minutes")
"""The label of the button that opens the lesson."""


def step_drawing(
    number: int,
    voice: Voice,
    *,
    why: str = "",
    chosen: Cards = (),
    came_back: bool = False,
    drawn: DrawnFile | None = None,
) -> Drawing:
    """The screen of a step, counted from 0.

    `why` is the reason why an answer was wrong; `chosen` are the cards tapped for the crib; with `came_back`
    it offers to begin again.
    """
    step = STEPS[number]
    return layout(
        container(
            text(
                subtext(f"{voice.number(number + 1)}/{voice.number(len(STEPS))}"),
                why or voice.gettext(step.told, **_named(voice)),
            ),
            picture(drawn) if drawn else None,
            text(
                subtext(_pegs(voice)) if step.picture is Picture.BOARD else None, _on_the_table(step, voice)
            ),
            text(f"### {voice.gettext(step.asked, **_named(voice))}"),
            *_rows(step, chosen, voice, came_back=came_back),
            colour=BAIZE,
        ),
        files=(drawn,) if drawn else (),
    )


def end_drawing(voice: Voice) -> Drawing:
    """The last screen, which offers the first game."""
    return layout(
        container(
            text(
                f"## {voice.gettext('You can play cribbage!')}",
                voice.gettext(
                    "Your first game is to 61, against a learner. I count all points for you, and say why."
                ),
            ),
            row(
                button(LearnId(GAME), voice.gettext("Play a first game"), style=ButtonStyle.success),
                button(Hello.HELP, voice.gettext("Help")),
                button(LearnId(AGAIN), voice.gettext("Start over")),
            ),
            colour=GOLD,
        )
    )


def begun_drawing(channel: int, voice: Voice) -> Drawing:
    """Replaces the last screen: the first game has begun in the person's direct messages."""
    return layout(
        container(
            text(voice.gettext("Your first game has begun in our direct messages.")),
            row(link(f"https://discord.com/channels/@me/{channel}", voice.gettext("Go there"))),
            colour=GOLD,
        )
    )


def remark(step: Step, choice: Choice, voice: Voice) -> str:
    """Explanation of a wrong choice."""
    assert choice.why is not None, "a right choice needs no reason"
    of_card = {}
    if choice.card is not None:
        of_card = {"card": voice.faces.text(choice.card), "sum": voice.number(step.base + choice.card.pips)}
    return voice.gettext(choice.why, **_named(voice), **of_card)


def record_of(voice: Voice) -> TableRecord:
    """The lesson's table, with the learner and the bot at it, for its pictures. It is never stored."""
    return TableRecord(
        game="lesson",
        guild=None,
        venue=Venue.BOT_DM,
        channel=0,
        place="",
        host=0,
        status=Status.PLAYING,
        agreement=AGREEMENT,
        occupants=(Occupant(0, voice.gettext("You")), Occupant(1, voice.gettext("Me"))),
    )


def _named(voice: Voice) -> dict[str, str]:
    return {name: voice.faces.text(each) for name, each in CARDS.items()}


def _pegs(voice: Voice) -> str:
    """The colour of each side's pegs."""
    return " · ".join(_player(seat, voice) for seat in (LEARNER, TEACHER))


def _player(seat: Seat, voice: Voice) -> str:
    """A player as the pictures show them: alone, *Me* and *You* would leave open who speaks."""
    record = record_of(voice)
    return f"{record.colours[seat].emoji} {record.names[seat]}"


def _on_the_table(step: Step, voice: Voice) -> str:
    """The cards of the running count, or the hand that no button shows."""
    view = at(step.moment)
    if step.word == CUT:
        return f"# {voice.faces.all(view.hand)}"
    return count_line([each.card for each in view.table.series], voice)


def _rows(step: Step, chosen: Cards, voice: Voice, *, came_back: bool) -> Iterator[Part | None]:
    """The buttons of the choices: the cards first, as in a hand."""
    beside = [
        button(LearnId(step.word, SKIP), voice.gettext("Skip")),
        *([button(LearnId(AGAIN), voice.gettext("Start over"))] if came_back else []),
    ]
    if step.word == CUT:
        yield row(
            *(
                button(LearnId(step.word, str(place)), voice.number(place), style=ButtonStyle.success)
                for place in places_offered(at(step.moment).table)
            )
        )
        yield row(*beside)
        return
    cards, others = [], []
    for choice in step.choices:
        if choice.card is not None:
            cards.append(_card_button(step, choice, choice.card, chosen, voice))
        else:
            style = ButtonStyle.secondary if choice.key.isdigit() else ButtonStyle.primary
            others.append(button(LearnId(step.word, choice.key), _label(choice, voice), style=style))
    yield row(*cards[:_CARDS_A_ROW])
    rest = [*cards[_CARDS_A_ROW:], *others]
    if step.word == THROW and len(chosen) == at(step.moment).table.rules.discarded:
        names = " ".join(_text(each, voice) for each in chosen)
        label = voice.gettext("Discard {cards}", cards=names)
        rest.append(button(LearnId(step.word, THROWN_KEY), label, style=ButtonStyle.success))
    yield row(*rest, *beside)


def _label(choice: Choice, voice: Voice) -> str:
    """The label of a choice that is no card."""
    if choice.seat is not None:
        return _player(choice.seat, voice)
    return voice.number(int(choice.key)) if choice.label is None else voice.gettext(choice.label)


def _card_button(step: Step, choice: Choice, card: Card, chosen: Cards, voice: Voice) -> Part:
    """A card; where two are thrown, its custom_id carries the cards chosen after the press."""
    is_chosen = card in chosen
    key = choice.key
    if step.word == THROW:
        after = tuple(each for each in chosen if each != card) if is_chosen else (*chosen, card)
        key = "".join(map(str, after))
    emoji = voice.faces.emoji(card)
    label = " ".join(filter(None, ("✓" if is_chosen else "", "" if emoji else _text(card, voice))))
    fits = at(step.moment).table.stage is not Stage.PLAYING or card in at(step.moment).legal_moves.playable
    style = ButtonStyle.primary if is_chosen or (fits and step.word != THROW) else ButtonStyle.secondary
    return button(LearnId(step.word, key), label, style=style, emoji=emoji)


def _text(card: Card, voice: Voice) -> str:
    """The card in a button's label, with its suit in the colour of the text, for contrast."""
    return f"{voice.faces.plain(card)}\N{VARIATION SELECTOR-15}"
