"""Discord's gateway: the WebSocket over which the bot receives events.

`sessions` keeps sessions and connections and decides which events a session gets; `frames` has the protocol's
constants and compression. It changes no state; the bot does that by REST.
"""
