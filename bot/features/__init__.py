"""What the bot offers beyond the table, a folder a feature; none imports another.

The list of them is in `bot.app`, and nothing below names one: each registers what it has with the core.
"""
