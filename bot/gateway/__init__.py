"""The connection to Discord's gateway, and cooperation with other processes of the bot.

Shards and their leases, the hand-over of a shard, deduplication of presses that two processes receive, and
the registration of commands. Nothing here knows a card.
"""
