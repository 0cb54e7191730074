"""Finished games as layouts: a player's statistics, leaderboards, and what is stored about a person.

The figures come from `standings`; nothing is counted here except averages and shares for display.
"""
