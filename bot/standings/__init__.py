"""What finished games add up to: figures, ratings, careers and leaderboards.

All of it is a projection: computed from the logs, the seats and the order in which games were finished, and
computed again from them at any time. `protocol` is what it asks of a store. Nothing here speaks to Discord.
"""
