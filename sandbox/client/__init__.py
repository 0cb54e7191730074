"""The people's side: the views and actions of Discord's own client, and the WebSocket of the page.

`people` is used by tests and by the page, so that both have the same limits as a real client. The bot's side
is in `rest` and `gateway`.
"""
