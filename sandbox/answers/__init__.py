"""What the bot's messages and answers to interactions do to the world.

Bodies arrive here validated; routes are in `rest`, rules in `validation`.
"""
