"""Registers club events."""

from __future__ import annotations

from functools import partial

from bot.features.clubs.actions import ClubActions
from bot.features.clubs.commands import CribClub, CribOrganise, press_club, turn_year
from bot.features.clubs.custom_ids import CLUB, CLUB_YEAR
from bot.features.clubs.help import club_lines
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.organising import Organising
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weekly import WeeklyEvents
from bot.features.clubs.year_store import YearStore
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.language.languages import gettext_noop
from bot.render.text.voice import Additions, HelpPage


def feature(core: Core) -> Feature:
    """`/crib-club` and `/crib-organise`, the buttons of their messages, and the jobs that run events."""
    clubs = core.database.part(ClubStore, "clubs")
    years = core.database.part(YearStore, "club_years")
    illustrator = core.sync.illustrator
    nights = ClubNights(
        core.client,
        clubs=clubs,
        sessions=core.sessions,
        lobbies=core.lobbies,
        shards=core.presence,
        voices=core.voices,
        worker=core.worker,
        tasks=core.tasks,
        illustrator=illustrator,
        now=core.now,
    )
    weekly = WeeklyEvents(clubs, nights, shards=core.presence, tasks=core.tasks, now=core.now)
    players = ClubActions(
        clubs, years, core.database.standings.people, nights, illustrator=illustrator, now=core.now
    )
    organising = Organising(players, clubs, years, core.database.store, nights, now=core.now)

    async def start() -> None:
        await nights.start()
        await weekly.start()

    return Feature(
        name="clubs",
        commands=(CribClub(players), CribOrganise(organising)),
        components=(
            Component("club", CLUB, partial(press_club, players, organising)),
            Component("clubyear", CLUB_YEAR, partial(turn_year, players)),
        ),
        additions=Additions(pages=(HelpPage("club", gettext_noop("Clubs"), club_lines),)),
        game_ended=nights.game_ended,
        channel_gone=nights.channel_gone,
        shards_gained=nights.resume,
        start=start,
    )
