"""Texts of the forms in which the host sets the rules."""

from __future__ import annotations

from typing import Final

from bot.language.languages import gettext_noop
from bot.model.rule_forms import Field, RulesTopic
from bot.model.rule_settings import NUMBERS, Setting
from bot.render.text.rules import setting_text, turn_text
from bot.render.text.voice import Voice

_TOPICS: Final = {
    RulesTopic.TABLE: gettext_noop("Table"),
    RulesTopic.LENGTH: gettext_noop("Length"),
    RulesTopic.DEAL: gettext_noop("Deal and crib"),
    RulesTopic.PLAY: gettext_noop("The play"),
    RulesTopic.COUNTING: gettext_noop("Counting"),
}

_BOXES: Final = {
    RulesTopic.TABLE: gettext_noop("At this table"),
    RulesTopic.DEAL: gettext_noop("Also"),
    RulesTopic.PLAY: gettext_noop("In the play"),
    RulesTopic.COUNTING: gettext_noop("Hands and crib"),
}
"""Labels of the groups of boxes; a form has one at most."""

_TICKED: Final = {
    Setting.PARTNERS: gettext_noop("Four players: partners sit opposite"),
    Setting.NOBS: gettext_noop("His nobs is 1 point"),
    Setting.FLUSH: gettext_noop("Any four of a suit are a flush, the starter included"),
    Setting.CRIB_FLUSH: gettext_noop("Four of a suit are a flush in the crib, too"),
}
"""The meaning of a tick, where the name of the setting does not say it."""


def topic_text(topic: RulesTopic, voice: Voice) -> str:
    """Label of a topic's button, and title of its form."""
    return voice.gettext(_TOPICS[topic])


def boxes_text(topic: RulesTopic, voice: Voice) -> str:
    """Label of a form's group of boxes."""
    return voice.gettext(_BOXES[topic])


def ticked_text(setting: Setting, voice: Voice) -> str:
    """The meaning of a tick in the setting's box."""
    said = _TICKED.get(setting)
    return setting_text(setting, voice) if said is None else voice.gettext(said)


def hint_text(field: Field, voice: Voice) -> str | None:
    """The hint of a field: its format, or when it applies; None where its label is enough."""
    numbers = NUMBERS.get(field.settings[0])
    match field.settings:
        case (Setting.LENGTH,) if numbers:
            return voice.gettext("Points to win, {first} to {last}", first=numbers[0], last=numbers[-1])
        case (Setting.TIME,) if numbers:
            first, last = (turn_text(each, voice) for each in (numbers[0], numbers[-1]))
            return voice.gettext("{first} to {last}, such as 90 s, 5 min or 12 h", first=first, last=last)
        case (Setting.WRONG_CLAIMS,):
            return voice.gettext("With muggins only")
        case _:
            return None
