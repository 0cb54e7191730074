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

Places without the bot are direct messages between people, two (`ada.open_dm_with(ben)`) or a group
(`ada.open_group(ben, cleo)`), and servers that have never heard of it
(`world.add_guild(name, with_bot=False)`). Who has installed the application (`ada.install_app()`) has its
commands for users there, as far as their contexts allow; anybody who sees an answer may press its buttons. Of
such a place the bot gets INTERACTION_CREATE and no other event, and can answer by the interaction's token
alone: for fifteen minutes (`sandbox.clock.advance(901)`), with five follow-ups
(`sandbox.interactions.follow_ups_in(channel)`). A request with its own token is refused and kept in
`sandbox.refused_elsewhere`. Without *Use External Apps*, which
`sandbox.allow_external_apps(channel, allowed=False)` takes away, a server's answers are private; so are
follow-ups between people with `assumptions.FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE`.
`world.has_user_install = False` turns *User Install* off.
"""
