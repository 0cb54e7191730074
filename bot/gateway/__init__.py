"""The connection to Discord's gateway, and all that knows of other processes of the bot.

Shards with their leases, the hand-over of a shard, deduplication of presses that two processes hear, and the
commands that Discord knows. Nothing here knows a card.
"""
