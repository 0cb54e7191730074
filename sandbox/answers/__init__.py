"""Effects of the bot's messages and interaction responses on the state of the sandbox.

`messages` builds a message from a request body, `components` its component tree, and `responses` carries out
interaction callbacks, edits and follow-ups. The routes are in `rest`, the rules for bodies in `validation`.
"""
