"""Actions of organisers at club events: they open, start, correct and close them, and take people out.

They also choose whether events follow each other weekly, and how many nights count for the club's year.

Organisers are the members of the role that moderators have named, and all moderators (*Manage Server* or
*Manage Channels*). An event has no owner: any organiser can run it. What cannot be taken back is asked first:
the question says what ends, and its button carries the answer.
"""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.features.clubs.actions import ClubActions, moderates
from bot.features.clubs.custom_ids import ClubId, ClubWish
from bot.features.clubs.errors import ClubRefusal
from bot.features.clubs.event import Ended, Event, Outcome, Pairing, Phase, Points
from bot.features.clubs.messages import correction_line, next_line
from bot.features.clubs.nights import ClubNights
from bot.features.clubs.questions import closing, correcting, done, removing
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weeks import next_time
from bot.features.clubs.year import year_of
from bot.features.clubs.year_messages import best_text
from bot.features.clubs.year_store import YearStore
from bot.interactions.answering import Answer
from bot.interactions.lookup import channel_of
from bot.language.languages import Language
from bot.model.errors import NoServer, Refused, TableRefusal
from bot.model.table_record import Agreement, Pace
from bot.store import Store
from bot.sync.permissions import check_permissions, check_thread
from bot.sync.venues import guild_of
from engine import Skunk
from engine.computer import Level

_NOBODY = "nobody"
"""In a button that corrects a result: nobody won."""


class Organising:
    """The actions behind `/crib-organise` and the buttons of organisers."""

    def __init__(
        self,
        players: ClubActions,
        clubs: ClubStore,
        years: YearStore,
        store: Store,
        nights: ClubNights,
        *,
        now: Callable[[], float],
    ) -> None:
        """`now` returns seconds since 1970."""
        self._players = players
        self._clubs = clubs
        self._years = years
        self._store = store
        self._nights = nights
        self._now = now

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
        said = answer.voice.gettext(
            "It's open: people sign up below. When they're in, use {start} or press *Start* there.",
            start=answer.voice.command("crib-organise start"),
        )
        await answer.reply(said)

    async def weekly(self, answer: Answer, *, repeat: bool) -> None:
        """Let another event open in this channel in a week, at this hour, and so on; or none any more.

        The hour is that of the server's time zone. Raises `NO_EVENT` and `NOT_ORGANISER`.
        """
        guild = await self._organised(answer)
        event = await self._clubs.event_in(channel_of(answer.interaction))
        if event is None:
            raise Refused(ClubRefusal.NO_EVENT)
        zone = await self._clubs.zone(guild)
        again = next_time(int(self._now()), self._now(), zone) if repeat else None
        ended = await self._clubs.repeat(event.id, again)
        for number in {event.id, *ended}:
            self._nights.changed(number)
        voice = answer.voice
        if again is not None:
            stop = voice.command("crib-organise weekly")
            said = voice.gettext(
                "The next one opens {when}, and then one each week at this hour ({zone}). "
                "{weekly} with `repeat:False` ends that.",
                when=f"<t:{again}:F>",
                zone=str(zone),
                weekly=stop,
            )
        elif ended:
            said = voice.gettext("No event opens here by itself any more.")
        else:
            said = voice.gettext("No event opens here by itself.")
        await answer.reply(said)

    async def count_best(self, answer: Answer, nights: int | None) -> None:
        """Let each player's best `nights` count in this year and later ones; all of them with `None`.

        Raises `NoServer` and `NOT_ORGANISER`.
        """
        guild = await self._organised(answer)
        year = year_of(self._now())
        await self._years.count_best(guild, year, nights)
        await answer.reply(best_text(year, nights, answer.voice))

    async def press(self, answer: Answer, at: ClubId) -> None:
        """Handle an organiser's button. Raises `NO_EVENT` if the event is over, or its refusals."""
        event = await self._clubs.event(at.event)
        await self._organised(answer)
        if at.wish is ClubWish.START:
            await self._start(answer, event)
        else:
            await answer.redraw(done(await self._confirmed(answer, event, at)))

    async def start(self, answer: Answer) -> None:
        """Start the event of this channel. Raises `NO_EVENT`, `NOT_ORGANISER` and `TOO_SMALL`."""
        await self._organised(answer)
        await self._start(answer, await self._players.here(answer))

    async def close(self, answer: Answer) -> None:
        """Ask whether to end the event of this channel early. Raises `NO_EVENT` and `NOT_ORGANISER`."""
        await self._organised(answer)
        await answer.show(closing(await self._players.here(answer), answer.voice))

    async def remove(self, answer: Answer, user: discord.abc.User, level: Level | None) -> None:
        """Ask whether to remove an entrant; with a `level`, the computer plays for them instead.

        Raises `NO_EVENT`, `NOT_ORGANISER` and `NOT_ENTERED`.
        """
        await self._organised(answer)
        event = await self._players.here(answer)
        known = event.entrant_of(user.id)
        if known is None:
            raise Refused(ClubRefusal.NOT_ENTERED)
        what = f"{user.id}.{level.value}" if level else str(user.id)
        await answer.show(removing(event, known, level, what, answer.voice))

    async def correct(
        self, answer: Answer, *, number: int, table: int, winner: int | None, loser_points: int | None
    ) -> None:
        """Ask whether to set the result of a game: `winner` is 0 for the home side, 1 for the away side.

        `None` is for neither. Without `loser_points` the win counts as a forfeit. Raises `NO_EVENT`,
        `NOT_ORGANISER` and `NO_PAIRING`.
        """
        await self._organised(answer)
        event = await self._clubs.event_in(channel_of(answer.interaction))
        if event is None:
            raise Refused(ClubRefusal.NO_EVENT)
        pairing, outcome = _corrected(event, number, table, winner, loser_points)
        side = _NOBODY if winner is None else str(winner)
        points = "" if loser_points is None else f".{loser_points}"
        what = f"{number}.{table}.{side}{points}"
        await answer.show(correcting(event, pairing, outcome, what, answer.voice))

    async def name_organisers(self, answer: Answer, role: int | None) -> None:
        """Name the role whose members run events. Raises `NOT_MODERATOR`."""
        guild = guild_of(answer.interaction)
        if guild is None:
            raise NoServer("crib-organise role")
        if not moderates(answer.interaction):
            raise Refused(TableRefusal.NOT_MODERATOR)
        await self._clubs.name_organisers(guild, role)
        said = (
            answer.voice.gettext("Only moderators run club events now.")
            if role is None
            else answer.voice.gettext("Members with {role} can run club events now.", role=f"<@&{role}>")
        )
        await answer.reply(said)

    async def _start(self, answer: Answer, event: Event) -> None:
        if event.phase is Phase.PLAYING:
            raise Refused(ClubRefusal.UNDER_WAY)
        await self._nights.begin(event.id)
        await answer.reply(answer.voice.gettext("Off you go! Each game gets its own thread here."))

    async def _confirmed(self, answer: Answer, event: Event, at: ClubId) -> str:
        """Do what a question's button says, in the words of its outcome. Raises `NO_EVENT` and others."""
        voice = answer.voice
        if at.wish is ClubWish.KEEP:
            return voice.gettext("Nothing has changed.")
        if at.wish is ClubWish.CORRECT:
            number, table, side, *points = at.what.split(".")
            pairing, outcome = _corrected(
                event,
                int(number),
                int(table),
                None if side == _NOBODY else int(side),
                int(points[0]) if points else None,
            )
            event = await self._nights.correct(event.id, pairing, outcome)
            return correction_line(event, event.pairing(pairing.round, pairing.table) or pairing, voice)
        if event.phase not in {Phase.GATHERING, Phase.PLAYING}:
            raise Refused(ClubRefusal.NO_EVENT)
        if at.wish is ClubWish.CLOSE:
            await self._clubs.end(event.id, Phase.CLOSED)
            self._nights.changed(event.id)
            said = voice.gettext("Closed. Its unfinished games are cancelled.")
            return "\n".join(filter(None, (said, next_line(event, voice))))
        user, _, level = at.what.partition(".")
        return await self._removed(answer, event, int(user), Level(level) if level else None)

    async def _removed(self, answer: Answer, event: Event, user: int, level: Level | None) -> str:
        voice, known = answer.voice, event.entrant_of(user)
        if known is None:
            raise Refused(ClubRefusal.NOT_ENTERED)
        if level is not None:
            event = await self._clubs.substitute(event.id, user, level)
            await self._nights.cover(event, known.number)
            self._nights.changed(event.id)
            return voice.gettext("Done. The computer plays for them until they press *I'm here* again.")
        event = await self._players.leave(event, user, known.name)
        if event.phase is Phase.GATHERING:
            return voice.gettext("Done. They're out.")
        if event.partners:
            return voice.gettext("Done. The computer plays beside their partner.")
        return voice.gettext("Done. Their opponent wins this round's game, if it isn't over.")

    async def _organised(self, answer: Answer) -> int:
        """The server's id, if the user may run events there. Raises `NoServer` and `NOT_ORGANISER`."""
        guild = guild_of(answer.interaction)
        if guild is None:
            raise NoServer("crib-organise open")
        if moderates(answer.interaction):
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


def _corrected(
    event: Event, number: int, table: int, winner: int | None, loser_points: int | None
) -> tuple[Pairing, Outcome]:
    """The pairing, and the outcome that it is given. Raises `NO_PAIRING`."""
    pairing, rules = event.pairing(number, table), event.agreement.rules
    if pairing is None or pairing.away is None or (loser_points or 0) >= rules.target:
        raise Refused(ClubRefusal.NO_PAIRING)
    if winner is None:
        return pairing, Outcome(ended=Ended.NOTHING, winner=None, corrected=True)
    if loser_points is None:
        return pairing, Outcome(ended=Ended.FORFEIT, winner=pairing.players[winner], corrected=True)
    is_skunk = rules.skunk_at(loser_points) is not Skunk.NONE
    return pairing, Outcome(
        ended=Ended.SKUNK if is_skunk else Ended.WIN,
        winner=pairing.players[winner],
        scores=(rules.target, loser_points) if winner == 0 else (loser_points, rules.target),
        corrected=True,
    )
