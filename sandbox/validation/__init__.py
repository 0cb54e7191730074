"""Discord's documented rules for request bodies.

Each module validates one kind of body and raises Discord's error with all invalid fields. It is written from
the documentation and shares no code with discord.py; it changes no state and checks no permissions.
"""
