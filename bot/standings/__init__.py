"""The standings: figures, ratings, careers and leaderboards, from finished games.

All of it is a projection, computed from the logs, the seats and the order in which games finished, and can be
rebuilt from them at any time. `protocol` has its interface to a store. Nothing here speaks to Discord.
"""
