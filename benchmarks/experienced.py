"""The bot of `without_search`, for people who know the game: it explains no score unasked."""

from __future__ import annotations

import runpy

from bot.model import table_record

if __name__ == "__main__":
    table_record.GAMES_EXPLAINED = 0  # type: ignore[misc] # before the store's statements are made from it
    runpy.run_module("benchmarks.without_search", run_name="__main__")
