"""Finished games as layouts: one player's statistics, leaderboards, and what is kept about a person.

The figures come from `standings`; nothing is counted here.
"""
