"""Renders views, public events and rules as text, layouts and pictures for players.

    text/       sentences, names, cards and counts, without layouts
    messages/   the messages of a game, each as a layout
    pictures/   card images
    drawing.py  a message's content: a layout and files; the result of every renderer
    layouts.py  the components that drawings are built of

Pure functions: no network, no clock, no store. Nothing in here can import a secret event of the engine.
"""
