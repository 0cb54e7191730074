"""The bot, built and not connected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.app import FEATURES, Bot, build
from bot.config.settings import Settings
from bot.gateway.sharing import Sharing
from bot.interactions.core import Core
from bot.interactions.registry import Feature
from bot.standings.protocol import Standings
from bot.store import Store
from bot.store.connection import Database
from bot.store.opening import Opened, standings_in


def built(
    database: Database,
    store: Store,
    settings: Settings,
    *,
    standings: Standings | None = None,
    sharing: Sharing | None = None,
    features: Sequence[Callable[[Core], Feature]] = FEATURES,
) -> Bot:
    """The bot with that store, and everything else in the database."""
    opened = Opened(
        store=store,
        standings=standings or standings_in(database),
        database=database,
        when_unusable=lambda _: None,
        refuse_if_unusable=lambda: None,
    )
    return build(opened, settings, sharing=sharing, features=features)
