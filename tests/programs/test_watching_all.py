"""The watcher of the soak knows what the cards of each game follow from, in whatever spelling it is told."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from bot.store.store import SqlStore
from engine import Game, Seat
from engine.fair import Secrets
from programs.soak.watching_all import WatchAll
from sandbox.server import Sandbox
from sandbox.traffic import Exchange
from tests.bot.store.opened import open_store
from tests.end_to_end.archive import Archive
from tests.engine.tables import PlainChance

SECRET = bytes(range(200, 232))

SPELLINGS = {
    "small": SECRET.hex(),
    "capitals": SECRET.hex().upper(),
    "bytes": repr(SECRET),
    "base64": base64.b64encode(SECRET).decode(),
    "numbers": str(list(SECRET)),
}


def told(text: str) -> Exchange:
    return Exchange(method="POST", path="/channels/1/messages", body={"content": text}, status=200)


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_secret_is_a_leak_until_its_game_has_ended_and_in_the_log_always(
    spelling: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.sqlite3"
    store = await open_store(path)
    watch = WatchAll(Sandbox(), Archive(path))
    try:
        await watched_to_its_end(store, watch, SPELLINGS[spelling])
    finally:
        watch.close()
        await store.close()


async def watched_to_its_end(store: SqlStore, watch: WatchAll, spelled: str) -> None:
    message, agreement = told(f"as you wish: {spelled}"), Agreement()
    people = (Occupant(1, "Ada"), Occupant(2, "Ben"))
    await store.open_table(
        TableRecord(
            game="deck", guild=1, channel=9, place="Snug", host=1,
            status=Status.GATHERING, agreement=agreement, occupants=people,
        ),
        Secrets(secret=SECRET, salts=()),
    )  # fmt: skip
    watch(message)
    assert len(watch.leaks([])) == 1, "while it gathers"
    game = Game.new(agreement.rules, chance=PlainChance(1), dealer=Seat(0))
    await store.begin("deck", game.log, None)
    watch(message)
    assert len(watch.leaks([])) == 2, "while it is played"
    await store.call_off("deck")
    watch(message)
    assert len(watch.leaks([])) == 2, "then it is published"
    assert len(watch.leaks([f"WARNING bot: {spelled}"])) == 3
