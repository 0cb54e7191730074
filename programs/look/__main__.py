"""`make look`: play as people do, and see what they see.

One game each way is played on phones in headless Chromium, and scenes of others are photographed. Then the
table of `report` is printed and written to `table.md`; the pictures of all that was seen lie in the folder.
What is worse than wanted is marked. With `--readme` the README's pictures are taken from there.

The cards are random, so no two runs give the same pictures. It needs Chromium on PATH and some minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from engine.output import escape_what_cannot_be_written
from programs.look.report import rows, table
from programs.look.scenes import README, photograph_scenes
from programs.look.stage import chromium
from programs.look.ways import WAYS, Measured, played

_FOLDER = Path("build/look")
_DOCS = Path(__file__).parents[2] / "docs"
_LENGTH = 121
_SCENES = "scenes"


def main(arguments: Sequence[str] | None = None) -> None:
    """Look, and print what was measured."""
    escape_what_cannot_be_written()
    given = _parser().parse_args(arguments)
    asyncio.run(_look(given.folder, given.ways or [*_BY_FOLDER, _SCENES], given.length))
    if given.readme:
        for picture in (given.folder / README).iterdir():
            shutil.copy(picture, _DOCS / picture.name)


async def _look(folder: Path, chosen: Sequence[str], length: int) -> None:
    measured: list[Measured] = []
    async with chromium() as browser:
        for name in chosen:
            if name != _SCENES:
                begun = time.monotonic()
                measured.append(await played(_BY_FOLDER[name], browser, folder, length=length))
                _say_time(name, begun)
        if measured:
            written = table(list(rows(measured)))
            (folder / "table.md").write_text(f"{written}\n", encoding="utf-8")
            print(f"\n{written}\n", flush=True)
        if _SCENES in chosen:
            begun = time.monotonic()
            await photograph_scenes(browser, folder)
            _say_time(_SCENES, begun)
    print(f"\nThe pictures are in {folder}/.")


def _say_time(name: str, begun: float) -> None:
    print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)


_BY_FOLDER = {way.folder: way for way in WAYS}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m programs.look", description="See what players see.")
    names = [*_BY_FOLDER, _SCENES]
    parser.add_argument("ways", nargs="*", metavar="WAY", help=f"{', '.join(names)}; all without one")
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="for pictures and figures: %(default)s")
    parser.add_argument("--length", type=int, choices=(61, 121), default=_LENGTH, help="of each game")
    parser.add_argument("--readme", action="store_true", help="take the README's pictures from the scenes")
    return parser


if __name__ == "__main__":
    main()
