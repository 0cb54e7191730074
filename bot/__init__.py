"""The Discord bot around the engine, in layers from the bottom up; each imports only from those below it.

    concurrency/   supervised tasks and locks by key
    config/        settings and logging; imported by `app` and `__main__` alone
    model/         the values that all of the bot uses
    standings/     what finished games add up to
    store/         everything that outlives the process
    render/        views and public events to texts, layouts and pictures
    tables/        live games and lobbies: decide, append to the log, accept
    sync/          outbound: makes Discord show what the log says
    background/    what acts when nobody presses
    interactions/  inbound: commands, buttons, selects and modals
    features/      lesson, drills, clubs, daily hand, squares, statistics, coach, replay, deck: a folder each
    gateway/       the gateway's shards, other processes, and the commands that Discord knows
    client.py      hears Discord's events
    maintenance.py backup and rebuild of the database
    ending.py      exit statuses, and the last sentence of the log
    app.py         the wiring, a function for each subsystem, and the list of features
    starting.py    waits for Discord and the database at the start

`tests/house/test_imports.py` holds every pair of layers. Rules of cribbage are in `engine`, not here.
"""
