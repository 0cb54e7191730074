"""Configuration: settings from the environment, and logging.

Only `client` (the composition root) and `__main__` import this package; everything else gets its settings as
arguments. Nothing here knows tables, players or Discord.
"""
