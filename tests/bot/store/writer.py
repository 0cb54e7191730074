"""A process that writes games until it is killed: `python -m tests.bot.store.writer FILE`.

It says which game and version it has reached after each write that the store has confirmed.
"""

import asyncio
import sys
from itertools import count
from pathlib import Path

from bot.model.table_record import Agreement
from tests.bot.store.opened import open_store
from tests.bot.store.tables import table, turns


async def main(path: str) -> None:
    store = await open_store(Path(path))
    for seed in count():
        begun, *moves = turns(seed, Agreement())
        await store.open_table(table(f"g{seed}"))
        version = (await store.begin(f"g{seed}", begun)).version
        for number, events in enumerate(moves, 1):
            version = await store.append(f"g{seed}", version, events, over=number == len(moves))
            print(seed, version, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
