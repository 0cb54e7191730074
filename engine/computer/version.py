"""The version of the computer player."""

PLAYER = "5"
"""The version of the player and of its tables, which a game's sealed terms name.

It rises with every change after which a computer may choose another move from the same view.
"""
