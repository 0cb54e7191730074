"""The README's pictures, and every kind of message as it looks on phones and desktops, in English and French.

The README's are of a game that is played without the page, which is opened for the pictures. The messages are
the golden scenes (`tests.golden`), posted as the bot posts them: of each kind the first that is a message.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Locator, ViewportSize

from bot.language.languages import Language
from bot.render.drawing import Drawing
from engine import Pegged, Seat
from engine import Stage as GameStage
from programs.look.stage import DESKTOP, Stage, screenshot, stage
from sandbox.answers.messages import compose
from sandbox.model.channels import MessageFlag
from sandbox.validation.messages import Upload
from tests.bot.registered import full_voice
from tests.end_to_end.tables import Table, everything_told
from tests.golden import all_kinds, file_of
from tests.page.conftest import PHONE
from tests.page.people import Somebody

README = "readme"
"""The folder of the README's pictures: `table.png`, `show.png`, `hand.png`."""

_WIDE = ViewportSize(width=780, height=1600)
_NARROW = ViewportSize(width=430, height=1400)
"""Windows that show a whole message; the width is the picture's."""
_MOST_BYTES = 200_000
"""Of a picture in the README, which many people load."""

_MIDDLE = range(25, 110)
"""Scores at which a side is well along the board."""

_LOOKS = {
    "phone-dark": (PHONE, "dark", "en"),
    "desktop-light": (DESKTOP, "light", "en"),
    "phone-light-french": (PHONE, "light", "fr"),
}
"""By name: the window, the theme and the language in which each kind of message is photographed."""

_PICTURES = Path(__file__).parents[2] / "tests" / "data" / "pictures"
_DRAWN = {"board.png": "board-2.png", "result.png": "result-2.png"}
"""By name of a file whose content a golden scene leaves out: a picture of its kind; of others, hands."""


async def photograph_scenes(browser: Browser, folder: Path) -> None:
    """Play the game, and post all messages."""
    async with stage(browser) as here:
        await _game_of_two(here, folder / "scenes", folder / README)
    for name, (viewport, theme, language) in _LOOKS.items():
        async with stage(browser) as here:
            await _every_message(here, folder / "scenes" / name, viewport, theme, Language.of(language))


async def _game_of_two(here: Stage, folder: Path, readme: Path) -> None:
    """A game of two on desktops and on a light phone, and the README's pictures."""
    table = await _well_along(here)
    await _whole(here, folder / "desktop-dark-table.png", *_TWO, viewport=DESKTOP)
    await _whole(here, folder / "phone-light-table.png", "Ada", theme="light")
    await _message(here, "Ada", readme / "table.png", viewport=_WIDE)
    await _play(here, table, lambda: _is_a_choice(here, table, Seat(1)))
    await _message(here, "Ben", readme / "hand.png", viewport=_NARROW, channel="dm")
    shows = len(table.shows)
    await _play(here, table, lambda: len(table.shows) > shows)
    await _message(here, "Ada", readme / "show.png", viewport=_WIDE, says="· the show")
    await table.play()
    await everything_told([table], here.archive)
    await _whole(here, folder / "desktop-light-result.png", "Ada", viewport=DESKTOP, theme="light")
    page = await here.page("Ada")
    ada = Somebody(page, "Ada", in_dm=False)
    await ada.presses("review", ada.article("🏆"))
    await ada.client.locator("article[data-ephemeral]").last.wait_for()
    await screenshot(page, folder / "phone-dark-review.png")
    await page.close()


_TWO = ("Ada", "Ben")


async def _well_along(here: Stage) -> Table:
    """A table with both sides well along the board; after a game that never comes to that, another."""
    while True:
        people = [here.sandbox.people[each] for each in _TWO]
        table = await Table.begin(here.sandbox.channels["cribbage"], people)
        await _play(here, table, lambda table=table: table.is_over or _is_well_along(here, table))
        if not table.is_over:
            return table


async def _play(here: Stage, table: Table, until: Callable[[], object]) -> None:
    """Play until then, and wait until everybody sees it."""
    await table.play(until)
    await table.until(lambda: here.archive.is_synced(table.game))


def _is_well_along(here: Stage, table: Table) -> bool:
    """True if both sides are well along the board, and the third card of the count or a later one scored."""
    state = here.archive.replayed(table.game).table
    is_in_play = state.stage is GameStage.PLAYING and len(state.series) >= 3
    has_scored = isinstance(here.archive.log(table.game)[-1], Pegged)
    return is_in_play and has_scored and all(score in _MIDDLE for score in state.scores)


def _is_a_choice(here: Stage, table: Table, seat: Seat) -> bool:
    """True if that player has three cards, can play most of them, and others are on the table."""
    view = here.archive.replayed(table.game).view(seat)
    return len(view.hand) == 3 and len(view.legal_moves.playable) >= 2 and bool(view.table.series)


async def _every_message(
    here: Stage, folder: Path, viewport: ViewportSize, theme: str, language: Language
) -> None:
    """The first message of each kind, as somebody sees it who has just got it."""
    page = await here.page("Dan", viewport=viewport, theme=theme)
    for name, kind in sorted(all_kinds().items()):
        shown = (what for _, what in kind.scenes(full_voice(language)))
        drawings = (what for what in shown if isinstance(what, Drawing) and _is_whole(what))
        if (drawing := next(drawings, None)) is not None:
            _post(here, drawing)
            await screenshot(page, folder / f"{file_of(name).stem}.png")
    await page.close()


def _is_whole(drawing: Drawing) -> bool:
    """False for a part of a message, and for one with a picture without words."""
    named = re.findall(r"attachment://([\w.-]+)", str(drawing.layout.to_components()))
    return set(named) == {file.name for file in drawing.files if file.description}


def _post(here: Stage, drawing: Drawing) -> None:
    """Post what was drawn as the bot would."""
    world, channel = here.sandbox.world, here.sandbox.channels["cribbage"]
    files = [
        Upload(
            place, file.name, file.content or (_PICTURES / _DRAWN.get(file.name, "show-2-4.png")).read_bytes()
        )
        for place, file in enumerate(drawing.files)
    ]
    body = {
        "flags": MessageFlag.IS_COMPONENTS_V2.value,
        "components": drawing.layout.to_components(),
        "attachments": [{"id": place, "filename": file.name} for place, file in enumerate(drawing.files)],
    }
    world.add_message(compose(world, channel, world.bot, body, files))


async def _whole(
    here: Stage, path: Path, *names: str, viewport: ViewportSize = PHONE, theme: str = "dark"
) -> None:
    """The whole screen of these people."""
    page = await here.page(*names, viewport=viewport, theme=theme)
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
