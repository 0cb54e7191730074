"""Refusals of club events."""

from __future__ import annotations

from bot.language.languages import later
from bot.model.errors import Refusal


class ClubRefusal(Refusal):
    """Reasons why a club event refuses a request."""

    TAKEN = later("A club event is open here already. {close} ends it."), {"close": "crib-club close"}
    NO_EVENT = later("There's no club event under way here. {open} opens one."), {"open": "crib-club open"}
    NOT_ORGANISER = (
        later("Only organisers and moderators can do this. Moderators name them with {organisers}."),
        {"organisers": "crib-club organisers"},
    )
    FULL = later("This event is full. If somebody leaves, sign up again.")
    TOO_SMALL = (
        later(
            "Too few people yet: it takes two, or three where partners play. The option `places` of {open} "
            "lets computers fill up."
        ),
        {"open": "crib-club open"},
    )
    UNDER_WAY = later("This event has started. Press *I'm here* to join the next round.")
    NOT_ENTERED = later("That person isn't signed up here. They can press *Sign up*.")
    SINGLES = later("In this event everybody plays for themselves, without partners.")
    PARTNER_TAKEN = later("They have a partner already. Choose somebody else.")
    NEEDS_TEXT_CHANNEL = later(
        "A club event needs a text channel: its games get threads there. Open it in one."
    )
    NO_PAIRING = later("I can't find that game. Give its round, its table and a winner who played there.")
