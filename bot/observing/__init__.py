"""What owners see of the bot from outside: metrics for Prometheus, and whether it lives and is ready.

Only a bot with METRICS loads this, and prometheus-client with it; `readings` alone is imported by others. No
label is the id of a person, a server or a game, and none a card: all come from short lists.
"""
