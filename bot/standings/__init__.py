"""What finished games add up to: figures, ratings, careers and leaderboards.

All of it is a projection: computed from the logs, the seats and the order in which games were finished,
and computed anew whenever somebody likes. Nothing here speaks to Discord.
"""
