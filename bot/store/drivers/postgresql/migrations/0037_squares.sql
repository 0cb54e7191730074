-- Somebody's squares (`bot.features.squares`) of a day.
CREATE TABLE squares (
    "user" bigint NOT NULL,
    day bigint NOT NULL,        -- ordinal of the day, in UTC
    cells text NOT NULL,        -- the cells of the cards so far, a digit of base 16 each
    total bigint,               -- the points; NULL before the last card
    PRIMARY KEY ("user", day)
);

-- The best total that a search has found, by day.
CREATE TABLE squares_best (
    day bigint PRIMARY KEY,
    best bigint NOT NULL
);

-- In which servers somebody has shown their squares to everybody.
CREATE TABLE squares_shared (
    guild bigint NOT NULL,
    "user" bigint NOT NULL,
    day bigint NOT NULL,
    PRIMARY KEY (guild, "user", day)
);
