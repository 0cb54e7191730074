"""How the bot is set up: its settings from the environment, and what is logged.

Only the composition root and `__main__` read this package. Nothing here knows a table, a player or Discord.
"""
