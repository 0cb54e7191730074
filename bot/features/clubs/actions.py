"""Actions of players at club events: they sign up, come, leave, choose partners, and look at standings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import discord

from bot.features.clubs.custom_ids import ClubId, ClubWish, YearId
from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import Event, Phase, Presence
from bot.features.clubs.illustrations import standings_picture
from bot.features.clubs.messages import standings_drawing
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.store import ClubStore
from bot.features.clubs.year import ClubYear, year_of
from bot.features.clubs.year_messages import year_drawing
from bot.features.clubs.year_store import YearStore
from bot.interactions.answering import Answer
from bot.interactions.audience import show_all
from bot.interactions.lookup import channel_of
from bot.language.languages import gettext_noop
from bot.model.errors import NoServer, Refused
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice
from bot.standings.protocol import PeopleData
from bot.sync.illustrator import Illustrator
from bot.sync.venues import guild_of

_SAID = {
    Presence.SIGNED: gettext_noop("You're signed up. Press *I'm here* before the start."),
    Presence.HERE: gettext_noop("You're in! I'll call you when your next game starts."),
    Presence.LEFT: gettext_noop("You've left. *I'm here* brings you back for the next round."),
}


class ClubActions:
    """The actions behind `/crib-club` and the buttons of players."""

    def __init__(
        self,
        clubs: ClubStore,
        years: YearStore,
        people: PeopleData,
        nights: ClubNights,
        *,
        illustrator: Illustrator | None,
        now: Callable[[], float],
    ) -> None:
        """Without an `illustrator`, standings are text. `now` returns seconds since 1970."""
        self._clubs = clubs
        self._years = years
        self._people = people
        self._now = now
        self._nights = nights
        self._illustrator = illustrator

    async def press(self, answer: Answer, at: ClubId) -> None:
        """Handle a button of an event's message. Raises `NO_EVENT` if the event is over, or its refusals."""
        event = await self._clubs.event(at.event)
        match at.wish:
            case ClubWish.SIGN_UP:
                await self._enter(answer, event, Presence.SIGNED)
            case ClubWish.HERE:
                await self._enter(answer, event, Presence.HERE)
            case ClubWish.LEAVE:
                await self._enter(answer, event, Presence.LEFT)
            case ClubWish.STANDINGS:
                await answer.show(await self._standings(event, answer.voice))
            case _:
                raise ValueError(f"{at.wish} is a wish of organisers")

    async def choose_partner(self, answer: Answer, partner: discord.abc.User | None) -> None:
        """Make a team of the user and `partner`, who has signed up; with `None`, end the user's team.

        Raises `NO_EVENT`, `UNDER_WAY`, `SINGLES`, `NOT_ENTERED`, `PARTNER_TAKEN` and `FULL`.
        """
        event, user = await self.here(answer), answer.interaction.user
        if not event.partners:
            raise Refused(ClubRefusal.SINGLES)
        if event.phase is Phase.PLAYING:
            raise Refused(ClubRefusal.UNDER_WAY)
        known = event.entrant_of(user.id)
        if partner is not None and (known is None or known.presence is Presence.LEFT):
            await self._clubs.enter(event.id, user.id, user.display_name, Presence.SIGNED)
        await self._clubs.choose_partner(event.id, user.id, partner.id if partner else None)
        self._nights.changed(event.id)
        await answer.reply(
            answer.voice.gettext("You'll get a partner at the start.")
            if partner is None
            else answer.voice.gettext(
                "You and {player} play together. Either of you can change that before the start.",
                player=f"<@{partner.id}>",
            )
        )

    async def standings(self, answer: Answer) -> None:
        """Show the standings of this channel's latest event to everybody, or in private if nobody is in it.

        Raises `NO_EVENT`.
        """
        event = await self._clubs.event_in(channel_of(answer.interaction))
        if event is None:
            raise Refused(_no_event(answer))
        await show_all(answer, await self._standings(event, answer.voice), is_private=not event.entrants)

    async def year(self, answer: Answer, year: int | None) -> None:
        """Show the server's year to everybody; in private if it is empty or the user hides their figures.

        Without `year` it is the present one. Raises `NoServer`.
        """
        guild = self._guild(answer)
        at = YearId(year or year_of(self._now()), 0, answer.user)
        found = await self._years.year(guild, at.year)
        is_private = not found.rows or await self._people.is_hidden(answer.user)
        await show_all(answer, self._year(found, at, answer.voice), is_private=is_private)

    async def turn_year(self, answer: Answer, at: YearId) -> None:
        """Turn to another page or year: in place for the person who asked, in private for everybody else."""
        found = await self._years.year(self._guild(answer), at.year)
        if answer.user == at.asker:
            await answer.redraw(self._year(found, at, answer.voice))
        else:
            await answer.show(self._year(found, replace(at, asker=answer.user), answer.voice))

    async def here(self, answer: Answer) -> Event:
        """The open event of this channel. Raises `NO_EVENT`, or `NO_EVENT_HERE`."""
        event = await self._clubs.event_in(channel_of(answer.interaction))
        if event is None or event.phase not in {Phase.GATHERING, Phase.PLAYING}:
            raise Refused(_no_event(answer))
        return event

    async def leave(self, event: Event, user: int, name: str) -> Event:
        """Remove an entrant; the computer takes their seat beside a partner."""
        event = await self._clubs.enter(event.id, user, name, Presence.LEFT)
        entrant = event.entrant_of(user)
        if event.partners and event.phase is Phase.PLAYING and entrant is not None:
            await self._nights.cover(event, entrant.number)
        self._nights.changed(event.id)
        return event

    async def _enter(self, answer: Answer, event: Event, presence: Presence) -> None:
        user = answer.interaction.user
        known = event.entrant_of(user.id)
        if presence is Presence.LEFT and known is None:
            await answer.reply(answer.voice.gettext("You haven't signed up."))
            return
        if presence is Presence.LEFT:
            event = await self.leave(event, user.id, user.display_name)
        else:
            event = await self._clubs.enter(event.id, user.id, user.display_name, presence)
            self._nights.changed(event.id)
        entrant = event.entrant_of(user.id)
        assert entrant is not None, "they are entered"
        if presence is Presence.HERE and event.phase is Phase.PLAYING:
            opened = await self._nights.reopen(event, entrant.number)
            if opened is not None:
                thread = f"<#{opened.thread}>"
                await answer.reply(
                    answer.voice.gettext("Your game's table opens again: {thread}", thread=thread)
                )
                return
        said = [answer.voice.gettext(_SAID[entrant.presence])]
        if event.phase is Phase.GATHERING and entrant.presence is Presence.LEFT:
            said = [answer.voice.gettext("You've left. *Sign up* brings you back.")]
        elif event.phase is Phase.GATHERING and event.partners and not event.is_teamed(entrant.number):
            partner = answer.voice.command("crib-club partner")
            said.append(answer.voice.gettext("{partner} chooses who you play with.", partner=partner))
        await answer.reply(" ".join(said))

    def _year(self, found: ClubYear, at: YearId, voice: Voice) -> Drawing:
        return year_drawing(found, at, voice, is_over=found.year < year_of(self._now()))

    @staticmethod
    def _guild(answer: Answer) -> int:
        guild = guild_of(answer.interaction)
        if guild is None:
            raise NoServer("crib-club year")
        return guild

    async def _standings(self, event: Event, voice: Voice) -> Drawing:
        file = await standings_picture(event, self._illustrator, voice) if self._illustrator else None
        return standings_drawing(event, voice, file)


def moderates(interaction: discord.Interaction) -> bool:
    """True if the user may run events without being named for it."""
    may = interaction.permissions
    return may.manage_guild or may.manage_channels


def _no_event(answer: Answer) -> ClubRefusal:
    """The refusal for want of an event: who moderates can open one."""
    return ClubRefusal.NO_EVENT if moderates(answer.interaction) else ClubRefusal.NO_EVENT_HERE
