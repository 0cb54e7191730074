"""Scenes beyond the games on phones: desktops, the light theme, other numbers of players, another board, a
match, replays, statistics, great hands, French. And the pictures of the README.

These games are played without the page, which is opened for the pictures. Scenes that would take too many
games are drawn from invented facts and posted as the bot posts them: a great hand, a page of finished games,
a long career, a wall.
"""

from __future__ import annotations

import asyncio
import io
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

from PIL import Image
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from bot.features.replay.custom_ids import PastId
from bot.features.replay.history import history_drawing
from bot.features.replay.illustrations import open_hands_picture
from bot.features.replay.messages import ReplayPictures, replay_drawing
from bot.features.stats.illustrations import statistics_pictures
from bot.features.stats.player_stats import stats_drawing
from bot.features.stats.wall import wall_drawing
from bot.language.languages import Language
from bot.model.custom_ids import ReplayId, ReplayWish
from bot.model.table_record import Agreement
from bot.render.drawing import Drawing
from bot.render.messages.show import show_drawing
from bot.sync.illustrator import Illustrator
from bot.sync.picture_cache import PictureCache
from engine import (
    Card,
    Cards,
    Chance,
    DealBegan,
    DealEnded,
    Game,
    HandCounted,
    HandShown,
    Pegged,
    Pegs,
    PlayEnded,
    Reason,
    Score,
    Seat,
    Source,
    StarterCut,
    card,
    cards,
    count,
    steps_of,
)
from engine import Stage as GameStage
from engine.coach import decision_at
from programs.look.memories import CAREER, NAMES, REPLAYED, finished_games, great_wall
from programs.look.stage import DESKTOP, Stage, screenshot, stage
from sandbox.answers.messages import compose
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message, MessageFlag
from sandbox.validation.messages import Upload
from tests.bot.registered import full_voice
from tests.bot.render.games import over, record_of
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.tables import lobby_by, reply_to
from tests.page.conftest import PHONE
from tests.page.people import Somebody
from tests.patience import PATIENCE

README = "readme"
"""The folder of the README's pictures: `table.png`, `show.png`, `hand.png`."""

_WIDE = ViewportSize(width=780, height=1600)
_NARROW = ViewportSize(width=430, height=1400)
"""Windows that show a whole message; the width is the picture's."""
_MOST_BYTES = 200_000
"""Of a picture in the README, which many people load."""

_MIDDLE = range(25, 110)
"""Scores at which a side is well along the board."""
_STEP = re.compile(r"Step (\d+) of (\d+)")
_IN_PLAY = re.compile(r"(Ada|Ben) (?!cuts|deals)[a-z]+(?!.*🎓)", re.DOTALL)
_SCORED = re.compile(r"fifteen for two|a run of")


async def photograph_scenes(browser: Browser, folder: Path) -> None:
    """Play them all."""
    played = (_two, _three, _four, _piecepack, _match, _fair, _in_french, _daily, _daily_in_french)
    clubs = (_club, _club_of_teams, _club_in_french)
    for scene in (*played, *clubs, _celebrated, _remembered):
        async with stage(browser) as here:
            await scene(here, folder / "scenes", folder / README)


@dataclass(slots=True)
class _Table:
    """A game that is played without the page."""

    here: Stage
    game: str
    players: list[Player]

    @property
    def state(self) -> Game:
        """The game as it stands."""
        return self.here.archive.replayed(self.game)

    @property
    def text(self) -> str:
        """Of the newest message about it that everybody sees."""
        channel = self.players[0].channel
        public = [each for each in channel.messages.values() if each.only_for is None]
        return public[-1].text

    async def play(self, until: Callable[[], bool]) -> None:
        """Play until something is to be seen, or the game is over."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + 2 * PATIENCE
        while not until() and self.state.table.result is None:
            for player in self.players:
                if not until():
                    await player.act()
            if loop.time() > deadline:
                raise TimeoutError(f"nothing to see: {self.text}")
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)  # what everybody sees follows

    def is_in_play(self, cards: int = 3, deal: int = 2) -> bool:
        """True if the count has that many cards, after some deals."""
        table = self.state.table
        return table.stage is GameStage.PLAYING and len(table.series) >= cards and table.deal_number >= deal

    def is_well_along(self) -> bool:
        """True if `is_in_play`, both sides are well along the board, and the count has scored."""
        scores = self.state.table.scores
        return (
            self.is_in_play()
            and all(score in _MIDDLE for score in scores)
            and _SCORED.search(self.text) is not None
        )

    def is_shown(self, deal: int) -> bool:
        """True if that deal has ended and the next one waits for *Deal*."""
        state = self.state.table
        return state.stage is GameStage.DEALING and state.deal_number >= deal

    def is_a_choice(self, seat: Seat) -> bool:
        """True if that player has three cards, can play most of them, and others are on the table."""
        view = self.state.view(seat)
        return len(view.hand) == 3 and len(view.legal_moves.playable) >= 2 and bool(view.table.series)


async def _seated(here: Stage, channel: Channel, people: Sequence[Person], **options: object) -> _Table:
    """A table in that channel with its game begun."""
    host = people[0]
    lobby = await lobby_by(host.command(channel, "crib new", players=len(people), **options))
    return await _begun(here, lobby, people)


async def _begun(here: Stage, lobby: Message, people: Sequence[Person]) -> _Table:
    """The table of that lobby, where all but its host still have to sit down, with its game begun."""
    (host, *others), channel = people, lobby.channel
    game = controls(lobby)[0][0]["game"]
    for other in others:
        await other.press(lobby, _button(lobby, "join"))
    await host.press(lobby, _button(lobby, "start"))
    random = Random(15)
    players = [Player(person, channel, game, random) for person in people]
    await host.until(lambda: bool(here.archive.replayed(game).table.waiting_for), timeout=PATIENCE)
    return _Table(here, game, players)


def _button(message: object, verb: str) -> str:
    component = of_verb(message, verb)  # type: ignore[arg-type]
    assert component is not None
    return str(component["custom_id"])


async def _two(here: Stage, folder: Path, readme: Path) -> None:
    """Two players, on desktops and on a light phone; and the README's pictures."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben")]
    table = await _seated(here, here.sandbox.channels["cribbage"], people)
    await table.play(table.is_well_along)
    await _whole(here, folder / "desktop-dark-table.png", "Ada", "Ben", viewport=DESKTOP)
    await _whole(here, folder / "desktop-light-table.png", "Ada", viewport=DESKTOP, theme="light")
    await _whole(here, folder / "phone-light-table.png", "Ada", theme="light")
    await _message(here, "Ada", readme / "table.png", viewport=_WIDE)
    await table.play(lambda: table.is_a_choice(Seat(1)))
    await _message(here, "Ben", readme / "hand.png", viewport=_NARROW, channel="dm")
    deal = table.state.table.deal_number

    def shown() -> bool:
        return f"**Deal {deal}** · the show" in table.text or table.state.table.deal_number > deal

    await table.play(shown)
    await _message(here, "Ada", readme / "show.png", viewport=_WIDE, says="· the show")
    await _whole(here, folder / "desktop-dark-show.png", "Ada", viewport=DESKTOP)
    await table.play(lambda: False)
    await people[0].until(lambda: "🏆" in table.text, timeout=PATIENCE)
    await _whole(here, folder / "desktop-light-result.png", "Ada", viewport=DESKTOP, theme="light")
    page = await here.page("Ada")
    ada = Somebody(page, "Ada", in_dm=False)
    await ada.presses("review", ada.article("🏆"))
    await ada.client.locator("article[data-ephemeral]").last.wait_for()
    await screenshot(page, folder / "phone-dark-review.png")
    await page.close()


async def _three(here: Stage, folder: Path, _: Path) -> None:
    """Three players: the lobby with a free seat, and the board with three tracks."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben", "Cleo")]
    channel = here.sandbox.channels["cribbage"]
    lobby = await lobby_by(people[0].command(channel, "crib new", players=3))
    await people[1].press(lobby, _button(lobby, "join"))
    await _whole(here, folder / "phone-dark-lobby-of-three.png", "Cleo")
    await people[0].press(lobby, _button(lobby, "seat"))
    other = here.sandbox.channels["second-table"]
    table = await _seated(here, other, people)
    await table.play(lambda: table.is_in_play(deal=3))
    await _whole(here, folder / "phone-dark-three.png", "Ada", channel=other.name)
    await _whole(here, folder / "desktop-dark-three.png", "Ada", channel=other.name, viewport=DESKTOP)
    await table.play(lambda: table.is_shown(3))
    for theme in ("dark", "light"):
        await _whole(
            here, folder / f"phone-{theme}-show-of-three.png", "Ada", channel=other.name, theme=theme
        )


async def _four(here: Stage, folder: Path, _: Path) -> None:
    """Four players, as partners: the show and the result."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    table = await _seated(here, here.sandbox.channels["cribbage"], people, length=61)
    await table.play(lambda: table.is_shown(2))
    for theme in ("dark", "light"):
        await _whole(here, folder / f"phone-{theme}-show-of-four.png", "Ada", theme=theme)
    await table.play(lambda: False)
    await people[0].until(lambda: "🏆" in table.text, timeout=PATIENCE)
    for theme in ("dark", "light"):
        await _whole(here, folder / f"phone-{theme}-result-of-four.png", "Ada", theme=theme)


async def _piecepack(here: Stage, folder: Path, _: Path) -> None:
    """The board of the piecepack; and four who play each alone."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    table = await _seated(here, here.sandbox.channels["cribbage"], people[:2], rules="piecepack")
    await table.play(lambda: table.is_in_play(deal=4))
    await _whole(here, folder / "phone-dark-piecepack.png", "Ada")
    await _whole(here, folder / "desktop-light-piecepack.png", "Ada", viewport=DESKTOP, theme="light")


async def _match(here: Stage, folder: Path, _: Path) -> None:
    """A match of five games: its second game, its result, and the first game watched once more."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben")]
    ada, channel = people[0], here.sandbox.channels["cribbage"]
    first = await _seated(here, channel, people, length=61, games=5)
    await first.play(lambda: False)
    await _said(ada, channel, "## Game 2 of the match")
    await _whole(here, folder / "phone-dark-match-next.png", "Ada")
    second = await _next_game(first, 2)
    await second.play(lambda: second.is_in_play(deal=2))
    await _whole(here, folder / "phone-dark-match-table.png", "Ada")
    await _whole(here, folder / "desktop-light-match-table.png", "Ada", viewport=DESKTOP, theme="light")
    won = here.archive.tables()[-1].won_before
    for number in (3, 4, 5, 6):
        await people[won.index(min(won))].command(channel, "crib resign", sure=True)
        await ada.until(
            lambda n=number: _standing(channel, "the match, ") or _standing(channel, f"## Game {n} of "),
            timeout=PATIENCE,
        )
        if _standing(channel, "the match, "):
            break
        await _next_game(second, number)
    for theme, viewport in (("dark", PHONE), ("light", PHONE), ("light", DESKTOP)):
        kind = "phone" if viewport is PHONE else "desktop"
        path = folder / f"{kind}-{theme}-match-result.png"
        await _whole(here, path, "Ada", viewport=viewport, theme=theme)
    await _replay(here, folder, ada)


async def _next_game(table: _Table, number: int) -> _Table:
    """The match's game of that number, begun."""
    host, tables = table.players[0], table.here.archive.tables
    lobby = await _said(host.person, host.channel, f"## Game {number} of the match")
    await host.person.press(lobby, _button(lobby, "start"))
    await host.person.until(lambda: tables()[-1].version > 0, timeout=PATIENCE)
    game = tables()[-1].game
    players = [Player(each.person, each.channel, game, Random(7)) for each in table.players]
    return _Table(table.here, game, players)


async def _replay(here: Stage, folder: Path, person: Person) -> None:
    """The first game, step by step: the play, the coach's word, the show, the end; and the list of games."""
    channel = here.sandbox.channels["cribbage"]
    page = await here.page(person.name)
    await reply_to(person.command(channel, "crib-stats history"))
    await page.locator("article[data-ephemeral]").last.wait_for()
    await screenshot(page, folder / "phone-dark-history-of-one.png")
    own = await reply_to(person.command(channel, "crib-coach replay"))
    await page.locator("article[data-ephemeral]").nth(1).wait_for()
    await screenshot(page, folder / "phone-dark-replay-begins.png")
    own = await reply_to(person.press(own, "▶ Game 1"))
    shared = person.press(own, "Show everybody")
    await shared
    await person.until(lambda: bool(shared.messages), timeout=PATIENCE)
    await page.close()
    wanted: dict[str, Callable[[str], object]] = {
        "discard": lambda said: "🎓" in said and "discards" in said,
        "play": lambda said: "discards" not in said and _IN_PLAY.search(said),
        "coach": lambda said: "🎓" in said,
        "show": lambda said: "'s crib " in said,
    }
    for name, is_there in wanted.items():
        await _turn(person, shared.reply, "Next", is_there)
        await _each_way(here, folder, f"replay-{name}")
        await _message(here, "Cleo", folder / f"whole-replay-{name}.png", viewport=_NARROW, says="Step ")
    await _turn(person, shared.reply, "⏭", _is_last_step)
    await _each_way(here, folder, "replay-end")
    page = await here.page(person.name)
    await person.press(shared.reply, "Fair?")
    await page.locator("article[data-ephemeral]").last.wait_for()
    await screenshot(page, folder / "phone-dark-fair.png")
    await page.close()
    await _turn(person, shared.reply, "⏮", _is_first_step)  # a button leads back by one deal
    person.choose_server_language("fr")
    person.choose_language("fr")
    await _turn(person, shared.reply, "Next", str)
    await _turn(person, shared.reply, "Suivant", wanted["coach"])
    await _each_way(here, folder, "french-replay")


def _is_first_step(said: str) -> bool:
    found = _STEP.search(said)
    return found is not None and found[1] == "1"


def _is_last_step(said: str) -> bool:
    found = _STEP.search(said)
    return found is not None and found[1] == found[2]


async def _turn(person: Person, message: Message, way: str, is_there: Callable[[str], object]) -> None:
    """Press that button until the message says what is wanted."""
    for _ in range(200):
        await person.press(message, way)
        if is_there(message.text):
            return
    raise RuntimeError(f"not in this game: {message.text}")


async def _each_way(here: Stage, folder: Path, name: str, viewer: str = "Cleo") -> None:
    """On phones and desktops, dark and light."""
    for theme in ("dark", "light"):
        await _whole(here, folder / f"phone-{theme}-{name}.png", viewer, theme=theme)
        path = folder / f"desktop-{theme}-{name}.png"
        await _whole(here, path, viewer, viewport=DESKTOP, theme=theme)


def _standing(channel: Channel, says: str) -> list[Message]:
    """Public messages of the channel with that text."""
    return [each for each in channel.messages.values() if each.only_for is None and says in each.text]


async def _said(person: Person, channel: Channel, says: str) -> Message:
    """The newest message for everybody that says this, once it is there."""
    await person.until(lambda: bool(_standing(channel, says)), timeout=PATIENCE)
    return _standing(channel, says)[-1]


async def _in_french(here: Stage, folder: Path, _: Path) -> None:
    """A server that speaks French."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben")]
    people[0].choose_server_language("fr")
    channel = here.sandbox.channels["cribbage"]
    table = await _seated(here, channel, people, length=61)
    await table.play(lambda: table.is_in_play(deal=2))
    people[0].choose_language("fr")
    shown = [each for each in channel.messages.values() if of_verb(each, "hand")]
    await people[0].press(shown[-1], _button(shown[-1], "hand"))
    await _whole(here, folder / "phone-dark-french-table.png", "Ben")
    page = await here.page("Ada")
    await people[0].command(channel, "crib help")
    await page.locator("article[data-ephemeral]").last.wait_for()
    await screenshot(page, folder / "phone-dark-french-help.png")
    await page.close()
    await table.play(lambda: table.is_shown(2))
    await _whole(here, folder / "phone-dark-french-show.png", "Ben")
    await table.play(lambda: False)
    await people[0].until(lambda: "🏆" in table.text, timeout=PATIENCE)
    for theme in ("dark", "light"):
        await _whole(here, folder / f"phone-{theme}-french-result.png", "Ben", theme=theme)


async def _club(here: Stage, folder: Path, _: Path) -> None:
    """A club night of four: its sign-up, a round with its threads, standings, podium and year."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    channel = here.sandbox.channels["cribbage"]
    await _opened_night(channel, people, name="Tuesday at the club", games=3)
    await people[0].command(channel, "crib-organise weekly")
    await _each_way(here, folder, "club-sign-up", "Cleo")
    await _begun_night(channel, people)
    for number in (1, 2, 3):
        tables = await _tables_of(here, channel, people, number)
        if number == 1:
            first, thread = tables[0], tables[0].players[0].channel
            await first.play(partial(first.is_in_play, deal=2))
            await _each_way(here, folder, "club-round", "Ben")
            await _whole(here, folder / "phone-dark-club-thread.png", "Ada", channel=thread.name)
            await _whole(
                here,
                folder / "desktop-light-club-thread.png",
                "Ada",
                channel=thread.name,
                viewport=DESKTOP,
                theme="light",
            )
        for table in tables:
            await table.play(lambda: False)
        if number == 1:
            await _whole(here, folder / "phone-dark-club-result.png", "Ada", channel=thread.name)
        if number == 2:
            await people[0].until(lambda: "Round 3 of 3" in _night(channel)[0].text, timeout=PATIENCE)
            await people[1].command(channel, "crib-club standings")
            await _each_way(here, folder, "club-standings", "Ben")
    await people[0].until(lambda: _has(channel, "🏆"), timeout=PATIENCE)
    await _each_way(here, folder, "club-podium", "Ada")
    await people[1].command(channel, "crib-club year")
    await _each_way(here, folder, "club-year", "Ben")


async def _club_of_teams(here: Stage, folder: Path, _: Path) -> None:
    """An evening of two teams: who plays with whom, and their table."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    channel = here.sandbox.channels["cribbage"]
    await _opened_night(channel, people, name="Doubles", games=1, partners=True)
    await people[0].command(channel, "crib-club partner", player=people[3].user)
    await people[0].until(lambda: "Ada ✅ & Dan" in _night(channel)[0].text, timeout=PATIENCE)
    await _each_way(here, folder, "club-teams-sign-up", "Cleo")
    await _begun_night(channel, people)
    [table] = await _tables_of(here, channel, people, 1, number_of=1)
    await _whole(here, folder / "phone-dark-club-teams-round.png", "Ben")
    await table.play(lambda: False)
    await people[0].until(lambda: _has(channel, "🏆"), timeout=PATIENCE)
    await _whole(here, folder / "phone-light-club-teams-podium.png", "Ada", theme="light")


async def _club_in_french(here: Stage, folder: Path, _: Path) -> None:
    """The same in a server that speaks French."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    for person in people:
        person.choose_language("fr")
    people[0].choose_server_language("fr")
    channel = here.sandbox.channels["cribbage"]
    await _opened_night(channel, people, games=1)
    await _whole(here, folder / "phone-dark-french-club-sign-up.png", "Cleo")
    await _begun_night(channel, people)
    tables = await _tables_of(here, channel, people, 1)
    await _whole(here, folder / "phone-light-french-club-round.png", "Ben")
    for table in tables:
        person = table.players[0].person
        await person.command(table.players[0].channel, "crib resign", sure=True)
    await people[0].until(lambda: _has(channel, "🏆"), timeout=PATIENCE)
    await _whole(here, folder / "phone-light-french-club-podium.png", "Ada", theme="light")
    await people[1].command(channel, "crib-club standings")
    await _whole(here, folder / "phone-dark-french-club-standings.png", "Ben")
    await people[2].command(channel, "crib-club year")
    await _whole(here, folder / "phone-dark-french-club-year.png", "Cleo")


async def _opened_night(channel: Channel, people: Sequence[Person], **options: object) -> None:
    """A club night in that channel with all who are given signed up, and all but the last checked in."""
    await people[0].command(channel, "crib-organise open", rules="short", **options)
    await people[0].until(lambda: _night(channel), timeout=PATIENCE)
    for person in people:
        await person.press(_night(channel)[0], _wish(channel, "sign"))
    for person in people[:3]:
        await person.press(_night(channel)[0], _wish(channel, "here"))
    await people[0].until(lambda: _night(channel)[0].text.count("✅") == 4, timeout=PATIENCE)


async def _begun_night(channel: Channel, people: Sequence[Person]) -> None:
    await people[3].press(_night(channel)[0], _wish(channel, "here"))
    await people[0].press(_night(channel)[0], _wish(channel, "start"))


async def _tables_of(
    here: Stage, channel: Channel, people: Sequence[Person], number: int, *, number_of: int = 2
) -> list[_Table]:
    """The tables of that round, each in its thread, as soon as their games are begun."""

    def threads() -> list[Channel]:
        calls = [each for each in channel.messages.values() if each.thread is not None]
        found = [
            each.thread
            for each in calls[number_of * (number - 1) : number_of * number]
            if each.thread is not None
        ]
        return found if all(map(_game_in, found)) else []

    await people[0].until(lambda: len(threads()) == number_of, timeout=PATIENCE)
    tables, random = [], Random(15)
    for thread in threads():
        seated = [each for each in people if any(each.id in one.text for one in _calls(channel, thread))]
        game = _game_in(thread)
        tables.append(_Table(here, game, [Player(each, thread, game, random) for each in seated]))
    return tables


def _calls(channel: Channel, thread: Channel) -> list[Message]:
    return [each for each in channel.messages.values() if each.thread is thread]


def _game_in(thread: Channel) -> str:
    """The game that is played in a thread; empty until it begins."""
    found = [each for each in thread.messages.values() if of_verb(each, "hand")]
    return controls(found[-1])[0][0]["game"] if found else ""


def _night(channel: Channel) -> list[Message]:
    """The message of the club night there, if it stands."""
    return [each for each in channel.messages.values() if any("club:" in str(one) for one in each.buttons)][
        :1
    ]


def _wish(channel: Channel, wish: str) -> str:
    """The button of that message with that wish."""
    return next(str(each["custom_id"]) for each in _night(channel)[0].buttons if wish in each["custom_id"])


def _has(channel: Channel, words: str) -> bool:
    return any(words in each.text for each in channel.messages.values())


async def _celebrated(here: Stage, folder: Path, _: Path) -> None:
    """A hand of 24, a 28 and a 29."""
    for starter, hand in (("6H", "4H 5C 5S 6D"), ("5D", "5H 5C 5S JH"), ("5D", "5H 5C 5S JD")):
        drawing = await _great_show(card(starter), cards(hand))
        points = count(cards(hand), starter=card(starter)).points
        _post(here, drawing)
        for theme in ("dark", "light"):
            await _whole(here, folder / f"phone-{theme}-show-of-{points}.png", "Dan", theme=theme)


async def _remembered(here: Stage, folder: Path, _: Path) -> None:
    """A page of finished games, a long career and a wall, in English and once in French."""
    voices = {"": full_voice(), "french-": full_voice(Language.of("fr"))}
    gallery = PictureCache()
    for french, voice in voices.items():
        pictures = await statistics_pictures(CAREER, Illustrator(gallery), voice)
        drawings = {
            "history": history_drawing(finished_games(), PastId(whose=1), "Zoë", voice),
            "player": stats_drawing("Zoë", CAREER, voice, own=True, here=True, pictures=pictures),
            "wall": wall_drawing(great_wall(), 1, voice),
        }
        for name, drawing in drawings.items():
            _post(here, drawing)
            await _each_way(here, folder, f"{french}{name}")
            await _message(here, "Dan", folder / f"whole-{french}{name}.png", viewport=_NARROW)
    for name, agreement in REPLAYED.items():
        _post(here, await _replayed(agreement, Illustrator(gallery)))
        await _each_way(here, folder, f"replay-of-{name}")
    gallery.close()


async def _replayed(agreement: Agreement, illustrator: Illustrator) -> Drawing:
    """A step in the middle of the play, with the coach's word, of a game of people of many scripts."""
    log = over(agreement).log
    steps, record, voice = steps_of(log), record_of(agreement, NAMES), full_voice()
    judged = ((number, decision_at(log, step.at)) for number, step in enumerate(steps))
    number, decision = next(
        (number, decision)
        for number, decision in judged
        if steps[number].table.series and decision is not None and decision.is_costly
    )
    pictures = ReplayPictures(
        await illustrator.board(record, steps[number].table, voice),
        await open_hands_picture(record, steps[number], illustrator, voice),
    )
    at = ReplayId(record.game, ReplayWish.ON, number)
    return replay_drawing(record, steps, at, voice, decision=decision, pictures=pictures, can_share=True)


async def _great_show(starter: Card, kept: Cards) -> Drawing:
    """The show of a deal with that hand, which is its non-dealer's."""
    dealer, pone = Seat(0), Seat(1)
    other, crib = cards("2D 3S 4C 8C"), cards("9D 9C KH AS")
    shown = ((pone, Source.HAND, kept), (dealer, Source.HAND, other), (dealer, Source.CRIB, crib))
    points = [count(hand, starter=starter, crib=source is Source.CRIB) for _, source, hand in shown]
    events = (
        DealBegan(dealer, 5),
        StarterCut(pone, starter),
        Pegged(dealer, 3, (Score(Reason.THIRTY_ONE, 2), Score(Reason.LAST, 1))),
        PlayEnded(),
        *(
            event
            for (seat, source, hand), counted in zip(shown, points, strict=True)
            for event in (HandShown(seat, source, hand), HandCounted(seat, source, counted.points))
        ),
        DealEnded(),
    )
    table = replace(
        Game.new(Agreement().rules, chance=Chance(Random(15)), dealer=pone).table,
        pegs=(Pegs(62 + points[1].points + points[2].points, 62), Pegs(40 + points[0].points, 40)),
        stage=GameStage.DEALING,
        waiting_for=(pone,),
        starter=starter,
    )
    gallery, record, voice = PictureCache(), record_of(Agreement()), full_voice()
    picture = await Illustrator(gallery).show(record, table, events, voice)
    gallery.close()
    return show_drawing(record, table, events, voice, open=True, show=picture)


async def _fair(here: Stage, folder: Path, _: Path) -> None:
    """The honest deck: the lobby with its promise, a word of one's own, and the check as the game goes on."""
    people = [here.sandbox.people[name] for name in ("Ada", "Ben")]
    ada, channel, looks = people[0], here.sandbox.channels["cribbage"], await _looks_of(here, "Ada")

    async def take(what: str) -> None:
        for look, page in looks.items():
            await screenshot(page, folder / "fair" / f"{look}-{what}.png")

    async def ask(what: str, **options: object) -> None:
        said = [page.locator("article[data-ephemeral]") for page in looks.values()]
        before = [await each.count() for each in said]
        await reply_to(ada.command(channel, "crib fair", **options))
        for each, number in zip(said, before, strict=True):
            await each.nth(number).wait_for()
        await take(what)

    lobby = await lobby_by(ada.command(channel, "crib new", players=2, length=61))
    await take("lobby")
    await ask("before")
    await ask("word", word="one for his nobs")
    table = await _begun(here, lobby, people)
    await table.play(lambda: table.is_in_play(deal=1))
    await ask("during")
    await table.play(lambda: False)
    await take("result")
    await ask("after")
    for page in looks.values():
        await page.close()


async def _looks_of(here: Stage, name: str) -> dict[str, Page]:
    """That person's pages: on a desktop and a phone, dark and light."""
    sizes = {"desktop": DESKTOP, "phone": PHONE}
    return {
        f"{size}-{theme}": await here.page(name, viewport=viewport, theme=theme)
        for size, viewport in sizes.items()
        for theme in ("dark", "light")
    }


async def _daily(here: Stage, folder: Path, _: Path) -> None:
    """The daily hand, on desktops and phones."""
    await _play_daily(here, folder / "daily", await _looks_of(here, "Ada"))


async def _daily_in_french(here: Stage, folder: Path, _: Path) -> None:
    """The same in a server that speaks French, on a phone."""
    ada = here.sandbox.people["Ada"]
    ada.choose_server_language("fr")
    ada.choose_language("fr")
    looks = {"phone-dark-french": await here.page("Ada")}
    await _play_daily(here, folder / "daily", looks, Language.of("fr"))


async def _play_daily(
    here: Stage, folder: Path, looks: dict[str, Page], language: Language | None = None
) -> None:
    """The channel's post, choosing, the answer, its whole length, the shared squares and the past week."""
    language = language or Language.of(None)

    async def take(what: str) -> None:
        for look, page in looks.items():
            await screenshot(page, folder / f"{look}-{what}.png")

    async def ask(command: str) -> Locator:
        answers = ada.client.locator("article[data-ephemeral]")
        before = await answers.count()
        await ada.asks(f"crib-daily {language.pgettext('command', command)}")
        await expect(answers).to_have_count(before + 1)
        return answers.last

    async def press(verb: str, place: int = 0) -> None:
        await ada.button(verb, panel).nth(place).click()
        await expect(ada.client.locator("[data-held]")).to_have_count(0)

    first, *_ = looks.values()
    ada, channel = Somebody(first, "Ada", in_dm=False), here.sandbox.channels["cribbage"]
    _was_played_yesterday(here, channel)
    await here.sandbox.people["Ada"].until(lambda: channel.messages, timeout=PATIENCE)
    await take("post")
    panel = await ask("play")
    for place in (0, 5):
        await press("pick", place)
    await take("choice")
    await press("discard")
    await take("answer")
    for look, page in looks.items():
        size = page.viewport_size or PHONE
        await page.set_viewport_size(ViewportSize(width=size["width"], height=1400))
        await screenshot(page, folder / f"{look}-answer-whole.png")
        await page.set_viewport_size(size)
    await press("share")
    await take("share")
    for command in ("practice", "post"):
        await ask(command)
        await take(command if command == "practice" else "hour")
    for page in looks.values():
        await page.close()


def _was_played_yesterday(here: Stage, channel: Channel) -> None:
    """Let three people have played there yesterday, and let today's hand be due in the channel."""
    guild, today = here.sandbox.world.guild.id, datetime.now(UTC).date().toordinal()
    played = [(guild, each, today - 1, name, 40 * place) for place, (each, name) in enumerate(_PLAYED)]
    with closing(sqlite3.connect(here.bot.database)) as connection, connection:
        connection.executemany(
            "INSERT INTO daily_here (guild, user, day, name, cost) VALUES (?, ?, ?, ?, ?)", played
        )
        connection.execute(
            "INSERT INTO daily_posts (guild, channel, hour, posted) VALUES (?, ?, 0, ?)",
            (guild, channel.id, today - 1),
        )


_PLAYED = ((1, "Cleo"), (2, "Dan"), (3, "Eve"))
"""Players of yesterday's daily hand, the best first."""


def _post(here: Stage, drawing: Drawing) -> None:
    """Post what was drawn as the bot would."""
    world, channel = here.sandbox.world, here.sandbox.channels["cribbage"]
    files = [Upload(place, file.name, file.content) for place, file in enumerate(drawing.files)]
    body = {
        "flags": MessageFlag.IS_COMPONENTS_V2.value,
        "components": drawing.layout.to_components(),
        "attachments": [{"id": place, "filename": file.name} for place, file in enumerate(drawing.files)],
    }
    world.add_message(compose(world, channel, world.bot, body, files))


async def _whole(
    here: Stage,
    path: Path,
    *names: str,
    viewport: ViewportSize = PHONE,
    theme: str = "dark",
    channel: str = "cribbage",
) -> None:
    """The whole screen of these people."""
    page = await here.page(*names, viewport=viewport, theme=theme, channel=channel)
    await screenshot(page, path)
    await page.close()


async def _message(
    here: Stage, name: str, path: Path, *, viewport: ViewportSize, channel: str = "cribbage", says: str = ""
) -> None:
    """The newest message that says this, in as few colours as a picture for many people needs."""
    page = await here.page(name, viewport=viewport, channel=channel)
    found: Locator = page.locator("article[data-message-id] .container").filter(has_text=says).last
    _save(await screenshot(found, path), path)
    await page.close()


def _save(taken: bytes, path: Path) -> None:
    image = Image.open(io.BytesIO(taken)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
    if path.stat().st_size > _MOST_BYTES:
        raise RuntimeError(f"{path} has become too large for a page that many people load.")
