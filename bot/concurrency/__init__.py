"""Supervised tasks and locks by key, such as a game's id; they exist only while in use.

All of the bot's background work runs in `keyed_tasks`, so that no failure is silent and closing waits for all
of it. This package knows neither the work nor Discord: it imports nothing of the bot.
"""
