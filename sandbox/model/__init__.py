"""The state of this Discord: users, the guild, channels, messages, components, interactions.

Each knows its payload (its JSON as Discord sends it), and `World` holds them all and announces their changes.
No request is validated, authorized or answered here.
"""
