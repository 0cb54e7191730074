"""Values shared by the whole bot: tables, posts, custom_ids, typed cards and errors.

Pure: imports only the engine. No store, no Discord connection, no texts for players.
"""
