"""The people's side: what Discord's own app lets a person do and see, and the socket of the page.

Everything here goes through the world as an app would; the bot's side is in `rest` and `gateway`.
"""
