"""Registers club events."""

from __future__ import annotations

from functools import partial

from bot.features.clubs.actions import ClubActions
from bot.features.clubs.commands import CribClub, CribOrganise, press_club
from bot.features.clubs.custom_ids import CLUB
from bot.features.clubs.help import club_lines
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.organising import Organising
from bot.features.clubs.store import ClubStore
from bot.interactions.core import Core
from bot.interactions.registry import Component, Feature
from bot.language.languages import gettext_noop
from bot.render.text.additions import Additions, HelpPage


def feature(core: Core) -> Feature:
    """`/crib-club` and `/crib-organise`, the buttons of an event's message, and the jobs that run events."""
    clubs = core.database.part(ClubStore, "clubs")
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
    players = ClubActions(clubs, nights, illustrator=illustrator)
    organising = Organising(players, clubs, core.database.store, nights)
    return Feature(
        name="clubs",
        commands=(CribClub(players), CribOrganise(organising)),
        components=(Component("club", CLUB, partial(press_club, players, organising)),),
        additions=Additions(pages=(HelpPage("club", gettext_noop("Clubs"), club_lines),)),
        game_ended=nights.game_ended,
        channel_gone=nights.channel_gone,
        shards_gained=nights.resume,
        start=nights.start,
    )
