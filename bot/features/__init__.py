"""What the bot offers beyond the table, a folder a feature; none imports another.

`bot.app` lists them, and the core names none. `feature.py` of each makes its parts from those of the table
(`bot.interactions.core`) and registers them (`bot.interactions.registry`): commands, custom_ids, listeners,
and additions to messages of the table and to the help. A button that is still on a message when its feature
is not offered any more is refused in a sentence.
"""
