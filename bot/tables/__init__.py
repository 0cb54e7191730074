"""Live games and lobbies: decide, append, accept, notify the listeners.

Every move of a game, and every vote in one, is made here. `sync` keeps Discord's messages in step with
it; `interactions` parses the press or command that asked for it.
"""
