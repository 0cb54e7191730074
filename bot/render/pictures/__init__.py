"""Images drawn with Pillow: boards, shows, results, and cards for the bot's emojis.

Each function takes plain values and returns the bytes of a file, which `sync` sends or uploads.
"""
