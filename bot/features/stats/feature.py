"""Registers statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from bot.features.stats.actions import StatsActions
from bot.features.stats.commands import (
    CribStats,
    set_reminders,
    share_figures,
    stats_of_a_person,
    turn_page,
    turn_season,
    turn_wall,
)
from bot.features.stats.custom_ids import FIGURES, RANK, REMINDERS, SEASON, WALL
from bot.features.stats.own_games import OwnGames
from bot.features.stats.player_stats import placement
from bot.features.stats.reminder_store import ReminderStore
from bot.features.stats.reminders import Reminders
from bot.features.stats.season_posts import SeasonPosts
from bot.features.stats.season_store import SeasonStore
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.model.custom_ids import Topic
from bot.render.text.voice import Additions, Ratings, Voice
from bot.standings.ratings import (
    DEALS_TO_COUNT,
    POINTS_TO_COUNT,
    PROVISIONAL,
    RATED_A_DAY,
)
from bot.standings.results import SeatRating
from engine import Seat


def feature(core: Core) -> Feature:
    """`/crib-stats`, its buttons, and the ratings on a result."""
    seasons = core.database.part(SeasonStore, "seasons")
    actions = StatsActions(core.database.standings, core.projection, seasons, sync=core.sync)
    store, kept = core.database.store, core.database.part(ReminderStore, "reminders")
    own_games = OwnGames(store, core.sessions, core.sync.tables, kept, core.now)
    reminders = Reminders(
        core.client,
        kept,
        own_games,
        store=store,
        presence=core.presence,
        dms=core.sync.dms,
        voices=core.voices,
        tasks=core.tasks,
        now=core.now,
        banned=core.banned,
    )
    posts = SeasonPosts(
        core.client,
        seasons,
        core.database.standings.queries,
        core.projection,
        store=store,
        voices=core.voices,
        tasks=core.tasks,
        now=core.now,
        owns=core.presence.owns,
    )

    async def start() -> None:
        await posts.start()
        await reminders.start()

    return Feature(
        name="stats",
        commands=(CribStats(actions, own_games), stats_of_a_person(actions)),
        components=(
            Component("rank", RANK, partial(turn_page, actions)),
            Component("wall", WALL, partial(turn_wall, actions)),
            Component("season", SEASON, partial(turn_season, actions)),
            Component("reminders", REMINDERS, partial(set_reminders, own_games)),
            Component("figures", FIGURES, partial(share_figures, actions)),
        ),
        additions=Additions(
            lines=((Topic.BETTER, _help), (Topic.MODERATORS, _for_moderators)), on_result=(ratings_line,)
        ),
        pressed=reminders.pressed,
        start=start,
    )


def ratings_line(ratings: Ratings, names: Sequence[str], seat: Seat | None, voice: Voice) -> str:
    """The rating before and after of the player at `seat`, or of all players who do not hide theirs.

    Until it has enough games, a rating is a placement, and it appears without the leap from one. Players of
    one placement share their words, and are not named where it is everybody's.
    """
    if seat is not None:
        rating = ratings[seat] if ratings else None
        if rating is None:
            return ""
        return voice.gettext("Your rating: {change}", change=_change(rating, voice))
    players: dict[str, list[str]] = {}
    for place, rating in enumerate(ratings):
        if rating is not None and not rating.is_hidden:
            players.setdefault(_change(rating, voice), []).append(names[place])
    if _are_placed_alike(ratings):
        return voice.gettext("Ratings: {changes}", changes=next(iter(players)))
    changes = [f"{', '.join(who)}\N{NO-BREAK SPACE}{change}" for change, who in players.items()]
    return voice.gettext("Ratings: {changes}", changes=" · ".join(changes)) if changes else ""


def _are_placed_alike(ratings: Ratings) -> bool:
    """True if all seats, of which nobody hides theirs, have one and the same placement."""
    shown = [each.games for each in ratings if each is not None and not each.is_hidden]
    return len(set(shown)) == 1 and len(shown) == len(ratings) and shown[0] < PROVISIONAL


def _change(rating: SeatRating, voice: Voice) -> str:
    """As `1,512 → 1,527 (+15)`, `1,527` or `placement 3 of 10`."""
    change = rating.change
    if rating.games < PROVISIONAL:
        return placement(rating.games, voice)
    if rating.games == PROVISIONAL:
        return f"**{voice.number(change.after)}**"
    before, after = voice.number(change.before), voice.number(change.after)
    return f"{before} → **{after}** ({voice.language.change(change.after - change.before)})"


def _for_moderators(voice: Voice) -> Iterator[str]:
    yield voice.gettext(
        "{podium}: each month's podium here, and the server's time zone.",
        podium=voice.command("crib-stats podium"),
    )


def _help(voice: Voice) -> Iterator[str]:
    yield voice.gettext(
        "{games}, {player}, {leaderboard}, {season} and {wall}: your games, and this server's best.",
        games=voice.command("crib-stats games"),
        player=voice.command("crib-stats player"),
        leaderboard=voice.command("crib-stats leaderboard"),
        season=voice.command("crib-stats season"),
        wall=voice.command("crib-stats wall"),
    )
    yield voice.gettext(
        "**Ratings** count games that reach deal {deals} or {points} points, up to {number} a day with "
        "the same players. From {games} games, you have a place.",
        deals=DEALS_TO_COUNT,
        points=POINTS_TO_COUNT,
        number=RATED_A_DAY,
        games=PROVISIONAL,
    )
