"""A store that forgets everything when it goes: small, real, and held to the same contract."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from bot.model.deck import Deck
from bot.model.declined import Declined
from bot.model.errors import ChannelTaken, DamagedGame, IdTaken, NoSuchGame, StaleGame, StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.preferences import Preferences
from bot.model.sent_commands import SentCommands
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Agreement, Occupant, OwnThread, Status, TableRecord
from bot.model.votes import Question, Vote
from bot.store import RESTING, SETTLED
from bot.store.protocol import Judged, every_server
from engine import Cards, Seat, entries_of
from engine.computer import Level
from engine.fair import CHAIN_BEGINS, Proof, Terms, commitment, lengthened, proof_of
from engine.secret_events import Discarded, LoggedEvent

OPEN = frozenset({Status.GATHERING, Status.PLAYING})


class MemoryStore:
    """A `Store` in memory. While `broken` is true every call is refused and changes nothing."""

    def __init__(self) -> None:
        self.broken = False
        self._tables: dict[str, TableRecord] = {}
        self._logs: dict[str, tuple[LoggedEvent, ...]] = {}
        self._posts: dict[tuple[str, PostKind, int, int], Post] = {}
        self._preferences: dict[int, Preferences] = {}
        self._servers: dict[int, ServerSettings] = {}
        self._declined: set[tuple[int, int | None]] = set()
        self._left: dict[int, int] = {}
        self._commands: dict[int, SentCommands] = {}
        self._moved: dict[str, int] = {}
        self._votes: dict[tuple[str, Question, Seat], Vote] = {}
        self._choices: dict[tuple[str, Seat], tuple[int, Cards]] = {}
        self._decks: dict[str, Deck] = {}
        self._terms: dict[str, Terms] = {}
        self.now = 1_000_000
        self.aside: list[str] = []

    async def open_table(self, record: TableRecord, secret: bytes | None = None) -> TableRecord:
        if record.status is not Status.GATHERING or record.version or record.told:
            raise ValueError("a new table gathers players and has no log")
        await self._turn()
        return self._opened(record, secret)

    def _opened(self, record: TableRecord, secret: bytes | None) -> TableRecord:
        record = replace(record, commitment=None, begins=False)
        if record.game in self._tables:
            raise IdTaken(record.game)
        for other in self._where(lambda each: each.channel == record.channel and each.status in OPEN):
            raise ChannelTaken(record.channel, other.game)
        if record.rematch_of is not None:
            self._table(record.rematch_of)
        if record.called is not None and self._is_declined(record.called, record.host):
            record = replace(record, called=None)
        if secret is not None:
            self._decks[record.game] = Deck(game=record.game, secret=secret)
            record = replace(record, commitment=commitment(record.game, secret))
        self._tables[record.game] = replace(record, occupants=tuple(record.occupants))
        self._logs[record.game] = ()
        self._moved[record.game] = self.now
        return self._tables[record.game]

    async def table(self, game: str) -> TableRecord:
        await self._turn()
        return self._table(game)

    async def table_in(self, channel: int) -> TableRecord | None:
        await self._turn()
        found = self._where(lambda each: each.channel == channel and each.status in OPEN)
        return found[0] if found else None

    async def newest_in(self, channel: int) -> TableRecord | None:
        await self._turn()
        found = self._where(lambda each: each.channel == channel)
        return found[-1] if found else None

    async def latest_in(self, channel: int) -> TableRecord | None:
        await self._turn()
        found = self._where(lambda each: each.channel == channel and each.status is not Status.CANCELLED)
        return found[-1] if found else None

    async def last_finished(self, user: int, channel: int | None) -> TableRecord | None:
        await self._turn()
        found = self._where(
            lambda each: (
                each.status is Status.OVER
                and each.channel == (channel or each.channel)
                and each.seat_of(user) is not None
            )
        )
        return found[-1] if found else None

    async def open_tables(self) -> tuple[TableRecord, ...]:
        await self._turn()
        return self._where(lambda each: each.status in OPEN)

    async def count_open_tables(self) -> dict[Status, int]:
        await self._turn()
        return dict.fromkeys(OPEN, 0) | Counter(
            each.status for each in self._where(lambda each: each.status in OPEN)
        )

    async def tables_of(self, user: int) -> tuple[TableRecord, ...]:
        await self._turn()
        return self._where(lambda each: each.status in OPEN and each.seat_of(user) is not None)

    async def untold(self) -> tuple[TableRecord, ...]:
        await self._turn()
        return self._where(self._has_news)

    async def seat(
        self,
        game: str,
        occupants: Sequence[Occupant],
        host: int,
        *,
        before: Sequence[Occupant] | None = None,
    ) -> TableRecord:
        await self._turn()
        if before is not None and self._gathering(game).occupants != tuple(before):
            raise StaleGame(game, 0)
        seated = replace(self._gathering(game), occupants=tuple(occupants), host=host)
        self._moved[game] = self.now
        return self._keep(seated)

    async def agree(self, game: str, agreement: Agreement) -> TableRecord:
        await self._turn()
        return self._keep(replace(self._gathering(game), agreement=agreement))

    async def call_nobody(self, game: str) -> TableRecord:
        await self._turn()
        return self._keep(replace(self._gathering(game), called=None))

    async def reseat(
        self, game: str, occupants: Sequence[Occupant], won_before: Sequence[int]
    ) -> TableRecord:
        await self._turn()
        gathering = self._gathering(game)
        return self._keep(replace(gathering, occupants=tuple(occupants), won_before=tuple(won_before)))

    async def deck(self, game: str) -> Deck | None:
        await self._turn()
        return self._decks.get(game)

    async def keep_word(self, game: str, user: int, word: str | None) -> None:
        await self._turn()
        self._gathering(game)
        if deck := self._decks.get(game):
            others = {each: given for each, given in deck.words.items() if each != user}
            self._decks[game] = replace(deck, words=others if word is None else others | {user: word})

    async def let_begin(self, game: str) -> TableRecord:
        await self._turn()
        return self._keep(replace(self._gathering(game), begins=True))

    async def proof(self, game: str) -> Proof | None:
        await self._turn()
        if game not in self._terms or self._tables[game].status in OPEN:
            return None
        return proof_of(self._terms[game], self._decks[game].secret, self._logs[game])

    async def head(self, game: str) -> str | None:
        await self._turn()
        if game not in self._terms:
            return None
        return lengthened(CHAIN_BEGINS, entries_of(self._logs[game])).hex()

    async def begin(
        self, game: str, events: Sequence[LoggedEvent], terms: Terms | None = None
    ) -> TableRecord:
        await self._turn()
        begun = replace(self._gathering(game), status=Status.PLAYING, called=None, version=len(events))
        if game in self._decks:
            self._decks[game] = replace(
                self._decks[game], words={}, seal=None if terms is None else terms.seal
            )
        if terms is not None:
            self._terms[game] = terms
        self._logs[game] = tuple(events)
        self._moved[game] = self.now
        return self._keep(begun)

    async def settle_thread(self, game: str, thread: int | None) -> TableRecord:
        await self._turn()
        record = self._table(game)
        if record.status is not Status.PLAYING:
            raise StaleGame(game, record.version)
        for other in self._where(lambda each: each.channel == thread and each.status in OPEN):
            if other.game != game:
                raise ChannelTaken(other.channel, other.game)
        if thread is None:
            return self._keep(replace(record, thread=OwnThread.REFUSED))
        return self._keep(replace(record, channel=thread, thread=OwnThread.OPEN))

    async def hand_over(self, game: str, seats: Collection[Seat], level: Level | None) -> TableRecord:
        await self._turn()
        record = self._table(game)
        persons = {seat for seat, each in enumerate(record.occupants) if each.user is not None}
        if record.status is not Status.PLAYING or not persons.issuperset(seats):
            raise StaleGame(game, record.version)
        if level is not None:
            self._drop_votes(game, Question.SUBSTITUTE)
        occupants = (
            replace(each, level=level) if seat in seats else each
            for seat, each in enumerate(record.occupants)
        )
        return self._keep(replace(record, occupants=tuple(occupants)))

    async def votes(self, game: str, deal: int, about: Question) -> tuple[Vote, ...]:
        await self._turn()
        cast = (vote for vote in self._votes.values() if (vote.game, vote.deal) == (game, deal))
        return tuple(sorted((vote for vote in cast if vote.about is about), key=lambda vote: vote.seat))

    async def keep_vote(self, vote: Vote) -> None:
        await self._turn()
        record = self._table(vote.game)
        if record.status is not Status.PLAYING:
            raise StaleGame(vote.game, record.version)
        for key, each in tuple(self._votes.items()):
            if each.game == vote.game and each.deal != vote.deal:
                del self._votes[key]
        self._votes[vote.game, vote.about, vote.seat] = vote

    async def drop_vote(self, game: str, about: Question, seat: Seat) -> None:
        await self._turn()
        self._votes.pop((game, about, seat), None)

    async def choices(self, game: str, deal: int) -> dict[Seat, Cards]:
        await self._turn()
        kept = self._choices.items()
        return {seat: cards for (of, seat), (made, cards) in kept if (of, made) == (game, deal)}

    async def keep_choice(self, game: str, deal: int, seat: Seat, cards: Cards) -> None:
        await self._turn()
        record = self._table(game)
        if record.status is not Status.PLAYING:
            raise StaleGame(game, record.version)
        self._choices.pop((game, seat), None)
        if cards:
            self._choices[game, seat] = deal, cards

    async def append(
        self,
        game: str,
        version: int,
        events: Sequence[LoggedEvent],
        *,
        over: bool,
        follows: TableRecord | None = None,
        secret: bytes | None = None,
    ) -> int:
        await self._turn()
        record = self._table(game)
        if record.version != version or record.status is not Status.PLAYING:
            raise StaleGame(game, version)
        if follows is not None and follows.game in self._tables:
            raise IdTaken(follows.game)
        self._logs[game] += tuple(events)
        self._moved[game] = self.now
        for event in events:
            if isinstance(event, Discarded):
                self._choices.pop((game, event.seat), None)
        if over:
            self._drop_votes(game, *Question)
            self._drop_choices(game)
        status = Status.OVER if over else Status.PLAYING
        longer = self._keep(replace(record, version=len(self._logs[game]), status=status)).version
        if follows is not None:
            self._opened(follows, secret)
        return longer

    async def log(self, game: str) -> tuple[LoggedEvent, ...]:
        await self._turn()
        self._table(game)
        return self._logs[game]

    async def told(self, game: str, version: int, posts: Sequence[Post] = ()) -> None:
        await self._turn()
        record = self._tables.get(game)
        if record is None:
            return
        self._keep(replace(record, told=max(record.told, min(version, record.version))))
        for post in posts:
            self._posts[post.game, post.kind, post.deal, post.seat] = post

    async def cancel(self, game: str, *, timed_out: bool = False) -> TableRecord:
        await self._turn()
        record = self._gathering(game)
        return self._keep(replace(record, status=Status.CANCELLED, timed_out=timed_out, called=None))

    async def call_off(self, game: str, *, timed_out: bool = False) -> TableRecord:
        await self._turn()
        record = self._table(game)
        if record.status is not Status.PLAYING:
            raise StaleGame(game, record.version)
        self._drop_votes(game, *Question)
        self._drop_choices(game)
        return self._keep(replace(record, status=Status.CANCELLED, timed_out=timed_out))

    def set_aside(self, damaged: DamagedGame) -> None:
        self.aside.append(damaged.game)

    async def put_away(self, game: str) -> None:
        await self._turn()
        record = self._table(game)
        if record.status in OPEN:
            self._keep(replace(record, status=Status.CANCELLED))

    async def last_touched(self, game: str) -> int:
        await self._turn()
        return self._moved.get(game, 0)

    async def last_moves(self) -> dict[str, int]:
        await self._turn()
        return {
            each.game: self._moved[each.game]
            for each in self._where(lambda each: each.status is Status.PLAYING)
        }

    async def posts(self, game: str) -> tuple[Post, ...]:
        await self._turn()
        found = (post for post in self._posts.values() if post.game == game)
        return tuple(sorted(found, key=lambda post: post.message))

    async def keep_post(self, post: Post) -> None:
        await self._turn()
        self._table(post.game)
        self._posts[post.game, post.kind, post.deal, post.seat] = post
        deck = self._decks.get(post.game)
        if post.kind is PostKind.LOBBY and deck is not None and deck.message is None:
            self._decks[post.game] = replace(deck, message=post.message)

    async def drop_post(self, game: str, kind: PostKind, deal: int = 0, seat: int = -1) -> None:
        await self._turn()
        self._posts.pop((game, kind, deal, seat), None)

    async def server(self, guild: int) -> ServerSettings:
        await self._turn()
        return self._servers.get(guild, ServerSettings())

    async def keep_server(self, guild: int, settings: ServerSettings) -> None:
        await self._turn()
        self._servers[guild] = settings

    async def note_left_servers(self, present: frozenset[int], judged: Judged = every_server) -> None:
        await self._turn()
        named = {each.guild for each in self._tables.values() if each.guild is not None} - present
        named = {each for each in named if judged(each)}
        self._left = {guild: self._left.get(guild, self.now) for guild in named}

    async def forget_left_server(self, until: int) -> tuple[str, ...] | None:
        await self._turn()
        for guild in [guild for guild, since in self._left.items() if since <= until]:
            games = self._where(lambda each, guild=guild: each.guild == guild)
            if any(each.status in OPEN for each in games):
                continue
            del self._left[guild]
            for each in games:
                gone = replace(each, guild=None, channel=0, place="", told=each.version)
                self._tables[each.game] = gone
                self._posts = {key: post for key, post in self._posts.items() if key[0] != each.game}
            return tuple(each.game for each in games)
        return None

    async def sent_commands(self, application: int) -> SentCommands | None:
        await self._turn()
        return self._commands.get(application)

    async def keep_commands(self, sent: SentCommands) -> None:
        await self._turn()
        self._commands[sent.application] = sent

    async def forget_servers_but(self, guilds: frozenset[int], judged: Judged = every_server) -> None:
        await self._turn()
        self._servers = {
            guild: each for guild, each in self._servers.items() if guild in guilds or not judged(guild)
        }

    async def preferences(self, user: int) -> Preferences:
        await self._turn()
        return self._preferences.get(user, Preferences())

    async def prefer(self, user: int, **changes: bool | str | int | None) -> None:
        await self._turn()
        known = {name: value for name, value in changes.items() if value is not None}
        self._preferences[user] = replace(self._preferences.get(user, Preferences()), **known)  # type: ignore[arg-type]

    def _is_declined(self, user: int, challenger: int) -> bool:
        return not self._declined.isdisjoint({(user, None), (user, challenger)})

    async def declined(self, user: int) -> Declined:
        await self._turn()
        theirs = {challenger for each, challenger in self._declined if each == user}
        return Declined(everybody=None in theirs, people=len(theirs - {None}))

    async def decline(self, user: int, challenger: int | None) -> None:
        await self._turn()
        self._declined.add((user, challenger))

    async def accept(self, user: int, challenger: int | None) -> None:
        await self._turn()
        taken_back = {each for each in self._declined if each[0] == user and challenger in {None, each[1]}}
        self._declined -= taken_back

    async def close(self) -> None:
        self.broken = True

    async def _turn(self) -> None:
        """Let other tasks run first, as any call that reaches a disk does."""
        await asyncio.sleep(0)
        if self.broken:
            raise StoreUnavailable("broken")

    def _table(self, game: str) -> TableRecord:
        if game not in self._tables:
            raise NoSuchGame(game)
        return self._tables[game]

    def _gathering(self, game: str) -> TableRecord:
        record = self._table(game)
        if record.status is not Status.GATHERING:
            raise StaleGame(game, 0)
        return record

    def _keep(self, record: TableRecord) -> TableRecord:
        self._tables[record.game] = record
        return record

    def _drop_choices(self, game: str) -> None:
        for key in [key for key in self._choices if key[0] == game]:
            del self._choices[key]

    def _drop_votes(self, game: str, *about: Question) -> None:
        for key in [key for key in self._votes if key[0] == game and key[1] in about]:
            del self._votes[key]

    def _where(self, holds: Callable[[TableRecord], bool]) -> tuple[TableRecord, ...]:
        return tuple(record for record in self._tables.values() if holds(record))

    def _has_news(self, record: TableRecord) -> bool:
        unsettled = any(
            post.game == record.game
            and post.kind in {PostKind.LOBBY, PostKind.TABLE}
            and post.drawn != SETTLED
            for post in self._posts.values()
        )
        rests = any(
            post.game == record.game and (post.drawn == RESTING or post.kind is PostKind.STALE)
            for post in self._posts.values()
        )
        return (
            record.told < record.version
            or record.status is Status.GATHERING
            or (record.status is Status.CANCELLED and unsettled)
            or (record.status is Status.PLAYING and rests)
        )
