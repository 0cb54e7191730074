"""Configuration: settings from the environment, and logging.

Only `client` (the composition root) and `__main__` import this package; everything else is given what it
needs as arguments. Nothing here knows tables, players or Discord.
"""
