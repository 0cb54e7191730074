-- The address card of every game, from its lobby to its end.
CREATE TABLE games (
    number      INTEGER PRIMARY KEY,  -- the order in which tables were opened
    id          TEXT    NOT NULL UNIQUE,
    guild       INTEGER,
    channel     INTEGER NOT NULL,
    place       TEXT    NOT NULL,
    host        INTEGER NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('gathering', 'playing', 'over', 'cancelled')),
    players     INTEGER NOT NULL,
    preset      TEXT    NOT NULL,
    target      INTEGER,              -- holes; NULL as the preset has it
    partners    INTEGER CHECK (partners IN (0, 1)),
    aloud       INTEGER NOT NULL CHECK (aloud IN (0, 1)),
    muggins     INTEGER NOT NULL CHECK (muggins IN (0, 1)),
    won_before  TEXT    NOT NULL,     -- a JSON array of games won, by side
    rematch_of  TEXT    REFERENCES games (id),
    version     INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0),
    told        INTEGER NOT NULL DEFAULT 0 CHECK (told BETWEEN 0 AND version),
    created_at  INTEGER NOT NULL,     -- seconds since 1970, as all times here
    updated_at  INTEGER NOT NULL
) STRICT;

-- One table in a channel, even when two processes open one in the same moment.
CREATE UNIQUE INDEX one_open_table_in_a_channel ON games (channel) WHERE status IN ('gathering', 'playing');

CREATE INDEX tables_of_a_channel ON games (channel, number);

CREATE INDEX untold_games ON games (number) WHERE told < version;

CREATE TABLE seats (
    game  TEXT    NOT NULL REFERENCES games (id),
    seat  INTEGER NOT NULL,
    user  INTEGER NOT NULL,
    name  TEXT    NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_of_a_person ON seats (user);

-- The log, which is the truth. The primary key lets one of two writers at a version through.
CREATE TABLE events (
    game     TEXT    NOT NULL REFERENCES games (id),
    version  INTEGER NOT NULL,        -- how many events came before this one
    kind     TEXT    NOT NULL,
    codec    INTEGER NOT NULL,        -- the version of the body's meaning
    body     TEXT    NOT NULL,        -- a JSON object
    at       INTEGER NOT NULL,
    PRIMARY KEY (game, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE posts (
    game     TEXT    NOT NULL REFERENCES games (id),
    kind     TEXT    NOT NULL,
    deal     INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    channel  INTEGER NOT NULL,
    message  INTEGER NOT NULL,
    drawn    TEXT    NOT NULL,
    PRIMARY KEY (game, kind, deal, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
    user        INTEGER PRIMARY KEY,
    dms_closed  INTEGER NOT NULL CHECK (dms_closed IN (0, 1))
) STRICT;
