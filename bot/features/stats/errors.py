"""Refusals of statistics."""

from __future__ import annotations

from bot.language.languages import gettext_noop
from bot.model.errors import Refusal


class StatsRefusal(Refusal):
    """Reasons why a request about statistics is refused."""

    NO_MONTH = (
        gettext_noop("I know no such month. {season} offers you those with games, such as 2026-10."),
        {"season": "crib-stats season"},
    )
    NO_ZONE = (
        gettext_noop("I know no such time zone. {podium} offers you their names, such as Europe/Paris."),
        {"podium": "crib-stats podium"},
    )
