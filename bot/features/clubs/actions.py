"""The actions of club events: organisers open, start, correct and close them; everybody signs up.

Organisers are the members of the role that moderators have named, and all moderators (*Manage Server* or
*Manage Channels*). An event has no owner: any organiser can run it.
"""

from __future__ import annotations

import discord

from bot.features.clubs.custom_ids import ClubId, ClubWish
from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import Ended, Event, Outcome, Phase, Points, Presence
from bot.features.clubs.illustrations import standings_picture
from bot.features.clubs.messages import correction_line, standings_drawing
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.store import ClubStore
from bot.interactions.answering import Answer
from bot.interactions.lookup import channel_of
from bot.language.languages import Language, gettext_noop
from bot.model.errors import NoServer, Refused, TableRefusal
from bot.model.table_record import Agreement, Pace
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice
from bot.store import Store
from bot.sync.illustrator import Illustrator
from bot.sync.permissions import check_permissions, check_thread
from engine import Skunk
from engine.computer import Level

_SAID = {
    Presence.SIGNED: gettext_noop("You're signed up. Press *I'm here* before the start."),
    Presence.HERE: gettext_noop("You're in! I'll call you when your next game starts."),
    Presence.LEFT: gettext_noop("You've left. *I'm here* brings you back for the next round."),
}


class ClubActions:
    """The actions behind `/crib-club` and its buttons."""

    def __init__(
        self, clubs: ClubStore, store: Store, nights: ClubNights, *, illustrator: Illustrator | None
    ) -> None:
        """Without an `illustrator`, standings are text."""
        self._clubs = clubs
        self._store = store
        self._nights = nights
        self._illustrator = illustrator

    async def open(
        self,
        answer: Answer,
        *,
        name: str,
        games: int,
        pace: Pace,
        hours: int,
        preset: str,
        points: Points,
        fill: int,
        level: Level,
        partners: bool = False,
    ) -> None:
        """Open an event in this channel.

        Raises `NOT_ORGANISER`, `TAKEN`, `NEEDS_TEXT_CHANNEL`, `NOT_POSTED`, and what `check_permissions` and
        `check_thread` raise.
        """
        guild = await self._organised(answer)
        interaction = answer.interaction
        check_permissions(interaction)
        if not isinstance(interaction.channel, discord.TextChannel):
            raise Refused(ClubRefusal.NEEDS_TEXT_CHANNEL)
        check_thread(interaction)
        settings = await self._store.server(guild)
        language = settings.language or str(interaction.guild_locale or interaction.locale)
        event = await self._clubs.open(
            Event(
                id=0,
                guild=guild,
                channel=channel_of(interaction),
                place=interaction.guild.name if interaction.guild else "",
                name=" ".join(name.split()) or Language.of(language).gettext("Club night"),
                phase=Phase.GATHERING,
                agreement=Agreement.of(players=4 if partners else 2, preset=preset, pace=pace),
                points=points,
                rounds=games,
                hours=hours,
                fill=fill,
                level=level,
                language=language,
            )
        )
        self._nights.changed(event.id)
        await self._nights.opened(event.id)
        await answer.reply(
            answer.voice.gettext(
                "It's open: people sign up below. When they're in, use {start} or press *Start* there.",
                start=answer.voice.command("crib-club start"),
            )
        )

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
            case ClubWish.START:
                await self._start(answer, event)
            case ClubWish.STANDINGS:
                await answer.show(await self._standings(event, answer.voice))

    async def choose_partner(self, answer: Answer, partner: discord.abc.User | None) -> None:
        """Make a team of the user and `partner`, who has signed up; with `None`, end the user's team.

        Raises `NO_EVENT`, `UNDER_WAY`, `SINGLES`, `NOT_ENTERED`, `PARTNER_TAKEN` and `FULL`.
        """
        event, user = await self._here(answer), answer.interaction.user
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

    async def start(self, answer: Answer) -> None:
        """Start the event of this channel. Raises `NO_EVENT`, `NOT_ORGANISER` and `TOO_SMALL`."""
        await self._start(answer, await self._here(answer))

    async def standings(self, answer: Answer, *, everybody: bool) -> None:
        """Show the standings of this channel's latest event: to everybody, or only to the user.

        Raises `NO_EVENT`.
        """
        event = await self._clubs.event_in(channel_of(answer.interaction))
        if event is None:
            raise Refused(ClubRefusal.NO_EVENT)
        drawing = await self._standings(event, answer.voice)
        await (answer.post if everybody else answer.show)(drawing)

    async def remove(self, answer: Answer, user: discord.abc.User, level: Level | None) -> None:
        """Remove an entrant; with a `level`, the computer plays for them instead.

        Raises `NO_EVENT`, `NOT_ORGANISER` and `NOT_ENTERED`.
        """
        await self._organised(answer)
        event = await self._here(answer)
        known = event.entrant_of(user.id)
        if known is None:
            raise Refused(ClubRefusal.NOT_ENTERED)
        if level is not None:
            event = await self._clubs.substitute(event.id, user.id, level)
            await self._nights.cover(event, known.number)
            self._nights.changed(event.id)
            await answer.reply(
                answer.voice.gettext("Done. The computer plays for them until they press *I'm here* again.")
            )
            return
        event = await self._leave(event, user.id, known.name)
        if event.phase is Phase.GATHERING:
            said = answer.voice.gettext("Done. They're out.")
        elif event.partners:
            said = answer.voice.gettext("Done. The computer plays beside their partner.")
        else:
            said = answer.voice.gettext("Done. Their opponent wins this round's game, if it isn't over.")
        await answer.reply(said)

    async def correct(
        self, answer: Answer, *, number: int, table: int, winner: int | None, loser_points: int | None
    ) -> None:
        """Set the result of a game: `winner` is 0 for the home side, 1 for the away side, `None` for neither.

        Without `loser_points` the win counts as a forfeit. Raises `NO_EVENT`, `NOT_ORGANISER` and
        `NO_PAIRING`.
        """
        await self._organised(answer)
        event = await self._clubs.event_in(channel_of(answer.interaction))
        if event is None:
            raise Refused(ClubRefusal.NO_EVENT)
        pairing = next((each for each in event.pairings if (each.round, each.table) == (number, table)), None)
        rules = event.agreement.rules
        if pairing is None or pairing.away is None or (loser_points or 0) >= rules.target:
            raise Refused(ClubRefusal.NO_PAIRING)
        if winner is None:
            outcome = Outcome(ended=Ended.NOTHING, winner=None, corrected=True)
        elif loser_points is None:
            outcome = Outcome(ended=Ended.FORFEIT, winner=pairing.players[winner], corrected=True)
        else:
            is_skunk = rules.skunk_at(loser_points) is not Skunk.NONE
            scores = (rules.target, loser_points) if winner == 0 else (loser_points, rules.target)
            outcome = Outcome(
                ended=Ended.SKUNK if is_skunk else Ended.WIN,
                winner=pairing.players[winner],
                scores=scores,
                corrected=True,
            )
        event = await self._nights.correct(event.id, pairing, outcome)
        corrected = next(each for each in event.pairings if (each.round, each.table) == (number, table))
        await answer.reply(correction_line(event, corrected, answer.voice))

    async def close(self, answer: Answer) -> None:
        """End the event of this channel early. Raises `NO_EVENT` and `NOT_ORGANISER`."""
        await self._organised(answer)
        event = await self._here(answer)
        await self._clubs.end(event.id, Phase.CLOSED)
        self._nights.changed(event.id)
        await answer.reply(answer.voice.gettext("Closed. Its unfinished games are cancelled."))

    async def name_organisers(self, answer: Answer, role: int | None) -> None:
        """Name the role whose members run events. Raises `NOT_MODERATOR`."""
        guild = answer.interaction.guild_id
        if guild is None:
            raise NoServer("crib-club organisers")
        if not _moderates(answer.interaction):
            raise Refused(TableRefusal.NOT_MODERATOR)
        await self._clubs.name_organisers(guild, role)
        said = (
            answer.voice.gettext("Only moderators run club events now.")
            if role is None
            else answer.voice.gettext("Members with {role} can run club events now.", role=f"<@&{role}>")
        )
        await answer.reply(said)

    async def _start(self, answer: Answer, event: Event) -> None:
        await self._organised(answer)
        if event.phase is Phase.PLAYING:
            raise Refused(ClubRefusal.UNDER_WAY)
        await self._nights.begin(event.id)
        await answer.reply(answer.voice.gettext("Off you go! Each game gets its own thread here."))

    async def _enter(self, answer: Answer, event: Event, presence: Presence) -> None:
        user = answer.interaction.user
        known = event.entrant_of(user.id)
        if presence is Presence.LEFT and known is None:
            await answer.reply(answer.voice.gettext("You haven't signed up."))
            return
        if presence is Presence.LEFT:
            event = await self._leave(event, user.id, user.display_name)
        else:
            event = await self._clubs.enter(event.id, user.id, user.display_name, presence)
            self._nights.changed(event.id)
        entrant = event.entrant_of(user.id)
        assert entrant is not None, "they are entered"
        said = [answer.voice.gettext(_SAID[entrant.presence])]
        if event.phase is Phase.GATHERING and entrant.presence is Presence.LEFT:
            said = [answer.voice.gettext("You've left. *Sign up* brings you back.")]
        elif event.phase is Phase.GATHERING and event.partners and not event.is_teamed(entrant.number):
            partner = answer.voice.command("crib-club partner")
            said.append(answer.voice.gettext("{partner} chooses who you play with.", partner=partner))
        await answer.reply(" ".join(said))

    async def _leave(self, event: Event, user: int, name: str) -> Event:
        """Remove an entrant; the computer takes their seat beside a partner."""
        event = await self._clubs.enter(event.id, user, name, Presence.LEFT)
        entrant = event.entrant_of(user)
        if event.partners and event.phase is Phase.PLAYING and entrant is not None:
            await self._nights.cover(event, entrant.number)
        self._nights.changed(event.id)
        return event

    async def _standings(self, event: Event, voice: Voice) -> Drawing:
        file = await standings_picture(event, self._illustrator, voice) if self._illustrator else None
        return standings_drawing(event, voice, file)

    async def _here(self, answer: Answer) -> Event:
        """The open event of this channel. Raises `NO_EVENT`."""
        event = await self._clubs.event_in(channel_of(answer.interaction))
        if event is None or event.phase not in {Phase.GATHERING, Phase.PLAYING}:
            raise Refused(ClubRefusal.NO_EVENT)
        return event

    async def _organised(self, answer: Answer) -> int:
        """The server's id, if the user may run events there. Raises `NOT_IN_SERVER` and `NOT_ORGANISER`."""
        guild = answer.interaction.guild_id
        if guild is None:
            raise Refused(TableRefusal.NOT_IN_SERVER)
        if _moderates(answer.interaction):
            return guild
        role = await self._clubs.organisers(guild)
        member = answer.interaction.user
        is_everybody = role == guild  # the id of @everyone, which no member lists among their roles
        has_role = (
            isinstance(member, discord.Member) and role is not None and member.get_role(role) is not None
        )
        if not is_everybody and not has_role:
            raise Refused(ClubRefusal.NOT_ORGANISER)
        return guild


def _moderates(interaction: discord.Interaction) -> bool:
    may = interaction.permissions
    return may.manage_guild or may.manage_channels
