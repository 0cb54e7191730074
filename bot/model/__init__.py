"""The values that the whole bot talks about: tables, posts, custom_ids, typed cards and errors.

Everything is pure and imports nothing of ours but the engine. No store, no Discord connection, no words for
players.
"""
