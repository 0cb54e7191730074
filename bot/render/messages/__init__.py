"""The messages of a game, each as a layout: lobby, table, hand, show, result, and questions to the players.

Their sentences come from `render.text`. When a message is posted or edited is decided in `sync` and
`interactions`.
"""
