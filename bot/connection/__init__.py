"""The connection to Discord's gateway: one session for each shard, kept up, and what is done once it stands.

Nothing here knows a table or a card.
"""
