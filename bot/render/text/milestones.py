"""Milestones in words, for the person who has reached them."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model.great_moments import LONG_WAY
from bot.render.text.names import computer_called
from bot.render.text.voice import Voice
from bot.standings.milestones import GAMES, HANDS, LEVELS, TWENTY, Milestone

_BEATEN = {milestone: level for level, milestone in LEVELS.items()}


def milestones_line(reached: Iterable[Milestone], voice: Voice) -> str:
    """As `Milestone: your first win against people`; empty without any."""
    found = [_words(each, voice) for each in reached]
    if not found:
        return ""
    return voice.ngettext(
        "Milestone: {reached}", "Milestones: {reached}", len(found), reached=", ".join(found)
    )


def _words(milestone: Milestone, voice: Voice) -> str:
    if milestone in HANDS:
        return voice.gettext("your first hand of {points} or more", points=HANDS[milestone])
    if milestone in GAMES:
        return voice.ngettext("{number} game finished", "{number} games finished", GAMES[milestone])
    if milestone is Milestone.PEOPLE:
        return voice.gettext("your first win against people")
    if milestone is Milestone.ALOUD:
        return voice.gettext("your first hand of {points} or more counted right aloud", points=TWENTY)
    if milestone is Milestone.WEEK:
        return voice.gettext("a perfect week of daily hands")
    if milestone is Milestone.COMEBACK:
        return voice.gettext("your first win from {holes} holes behind", holes=LONG_WAY)
    return voice.gettext(
        "your first win against {computer}", computer=computer_called(_BEATEN[milestone], voice)
    )
