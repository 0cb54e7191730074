-- The commands that Discord has of the bot, so that they are sent again only when they have changed.
CREATE TABLE commands (
    application  INTEGER NOT NULL PRIMARY KEY,
    digest       TEXT    NOT NULL,      -- of what was sent
    ids          TEXT    NOT NULL       -- a JSON object: Discord's id of each by its name, for mentions
) STRICT;
