"""Images drawn with Pillow: cards for the bot's emojis.

Each function takes plain values and returns the bytes of a file. Uploading is done in `delivery`.
"""
