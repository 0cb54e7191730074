"""Discord on this machine: a local server for its REST API and gateway, people to play with, and a page.

The real bot process runs against it unmodified. It keeps everything in memory, knows nothing of cribbage,
and imports neither the game nor the bot.
"""
