"""The coach's answers as layouts: a hint, the discards of any hand, a review of a game.

The figures come from `engine.coach`; nothing is computed here except how they are rounded.
"""
