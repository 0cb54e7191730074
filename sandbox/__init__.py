"""Discord on this machine: a local server for its REST API and gateway, simulated people, and a web page.

The real bot process runs against it unmodified, in tests and with `make play`. It keeps everything in memory,
knows nothing of cribbage, and imports neither the game nor the bot.

    model/          users, guild, channels, messages, interactions: plain state
    validation/     Discord's rules for request bodies
    answers/        effects of the bot's messages and interaction responses on the state
    rest/, gateway/ the two ways by which a bot is connected
    client/         people's actions in Discord's app, and the socket of the page
    page/           the page itself: HTML, CSS and JavaScript
    server.py       the composition root; `__main__.py` runs it with the bot
"""
