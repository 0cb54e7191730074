"""The messages of a game, each as a layout: lobby, table, hand, show, result and the questions in between.

What they say in a sentence comes from `render.text`; when they are sent is decided in `delivery`.
"""
