"""Discord's gateway: sessions that outlive their connections, and the frames that pass over them.

It tells the bot what changes in the world; it changes nothing itself.
"""
