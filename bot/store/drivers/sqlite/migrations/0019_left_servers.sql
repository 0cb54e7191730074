-- Servers that have removed the bot while games from there are kept, and since when that is known.
CREATE TABLE left_servers (
    guild  INTEGER NOT NULL PRIMARY KEY,
    since  INTEGER NOT NULL
) STRICT;

CREATE INDEX games_of_a_server ON games (guild) WHERE guild IS NOT NULL;
