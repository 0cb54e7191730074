"""Tasks and locks that belong to a key, such as a game: started once, supervised, and gone after use.

All background work of the bot runs in here, so that nothing fails silently and closing waits for all of it.
What the work is about is not known here, and nothing of ours is imported.
"""
