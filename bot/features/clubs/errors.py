"""Refusals of club events."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class ClubRefusal(Refusal):
    """Reasons why a club event refuses a request."""

    TAKEN = (
        gettext_noop("A club event is open here already. {close} ends it."),
        {"close": "crib-organise close"},
    )
    NO_EVENT = (
        gettext_noop("No club event here. {open} opens one."),
        {"open": "crib-organise open"},
    )
    NO_EVENT_HERE = gettext_noop("No club event here. Ask a moderator to open one.")
    """`NO_EVENT` for those who may not open one."""
    NOT_ORGANISER = (
        gettext_noop("Only organisers and moderators can do this. Moderators name them with {organisers}."),
        {"organisers": "crib-organise role"},
    )
    FULL = gettext_noop("This event is full. If somebody leaves, sign up again.")
    TOO_SMALL = (
        gettext_noop(
            "Too few people yet: it takes two, or three where partners play. The option `places` of {open} "
            "lets computers fill up."
        ),
        {"open": "crib-organise open"},
    )
    UNDER_WAY = gettext_noop("This event has started. Press *I'm here* to join the next round.")
    NOT_ENTERED = gettext_noop("That person isn't signed up here. They can press *Sign up*.")
    SINGLES = gettext_noop("In this event everybody plays for themselves, without partners.")
    PARTNER_TAKEN = gettext_noop("They have a partner already. Choose somebody else.")
    NEEDS_TEXT_CHANNEL = gettext_noop(
        "A club event needs a text channel: its games get threads there. Open it in one."
    )
    NOT_POSTED = gettext_noop(
        "Discord doesn't let me post the club event here, so I've closed it again. "
        "Ask a moderator whether I may write here, or open it in another channel."
    )
    NO_PAIRING = gettext_noop(
        "I can't find that game. Give its round, its table and a winner who played there."
    )
