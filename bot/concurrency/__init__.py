"""Tasks and locks that belong to a key, such as a game: supervised while they are used, gone afterwards.

All background work of the bot runs in `keyed_tasks`, so that nothing fails silently and closing waits for all
of it. What the work is about is not known here: nothing of ours is imported, and nothing of Discord.
"""
