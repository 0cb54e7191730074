"""Live games and lobbies: decide, append, accept, and tell whoever subscribed.

A move is made here and nowhere else. What Discord shows of it is the business of `delivery`, and who asked of
`interactions`.
"""
