"""Everything that players read or see: views, public events and rules rendered as text, layouts and pictures.

    text/       sentences, names, cards and counts, without layouts
    messages/   the messages of a game, each as a layout
    coaching/   hint, discards and review
    stats/      statistics, leaderboards, privacy
    pictures/   card images
    drawing.py  what a message shows: a layout and files; the result of every renderer
    layouts.py  the components that drawings are built of

Pure functions: no network, no clock, no store. Nothing in here can import a secret event of the engine.
"""
