"""Live games and lobbies: decide, append, accept, and tell the subscribers.

A move is made here and nowhere else, and so are votes in the middle of a game. What Discord shows of it is
the business of `delivery`, and who asked of `interactions`.
"""
