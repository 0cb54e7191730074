-- Somebody's squares (`bot.features.squares`) of a day.
CREATE TABLE squares (
    user     INTEGER NOT NULL,
    day      INTEGER NOT NULL,          -- ordinal of the day, in UTC
    cells    TEXT    NOT NULL,          -- the cells of the cards so far, a digit of base 16 each
    total    INTEGER,                   -- the points; NULL before the last card
    PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;

-- The best total that a search has found, by day.
CREATE TABLE squares_best (
    day      INTEGER PRIMARY KEY,
    best     INTEGER NOT NULL
) STRICT;

-- In which servers somebody has shown their squares to everybody.
CREATE TABLE squares_shared (
    guild    INTEGER NOT NULL,
    user     INTEGER NOT NULL,
    day      INTEGER NOT NULL,
    PRIMARY KEY (guild, user, day)
) STRICT, WITHOUT ROWID;
