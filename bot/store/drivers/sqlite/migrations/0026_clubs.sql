-- Club nights and seasons (`bot.clubs`).
CREATE TABLE clubs (
    id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    guild      INTEGER NOT NULL,
    channel    INTEGER NOT NULL,
    place      TEXT    NOT NULL,            -- the server's name
    name       TEXT    NOT NULL,
    phase      TEXT    NOT NULL CHECK (phase IN ('gathering', 'playing', 'over', 'closed')),
    preset     TEXT    NOT NULL,
    pace       TEXT    NOT NULL CHECK (pace IN ('live', 'slow')),
    points     TEXT    NOT NULL CHECK (points IN ('congress', 'plain')),
    rounds     INTEGER NOT NULL,
    hours      INTEGER NOT NULL,            -- for each round
    fill       INTEGER NOT NULL,            -- computers fill up to so many places
    level      TEXT    NOT NULL,            -- how well they play
    language   TEXT    NOT NULL,
    round      INTEGER NOT NULL DEFAULT 0,  -- from 1; 0 before the first
    due        INTEGER NOT NULL DEFAULT 0,  -- when it has to be over, in seconds since 1970
    reminded   INTEGER NOT NULL DEFAULT 0 CHECK (reminded IN (0, 1)),
    message    INTEGER                      -- the one on which people sign up
) STRICT;

CREATE UNIQUE INDEX one_club_a_channel ON clubs (channel) WHERE phase IN ('gathering', 'playing');
CREATE INDEX clubs_of_a_server ON clubs (guild);

CREATE TABLE club_entrants (
    club      INTEGER NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,             -- from 1
    user      INTEGER,                      -- NULL for a computer, negative once forgotten
    name      TEXT    NOT NULL,
    level     TEXT,                         -- of a computer
    presence  TEXT    NOT NULL CHECK (presence IN ('signed', 'here', 'left')),
    PRIMARY KEY (club, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_entries_of_a_person ON club_entrants (user) WHERE user IS NOT NULL;

CREATE TABLE club_pairings (
    club       INTEGER NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    round      INTEGER NOT NULL,
    place      INTEGER NOT NULL,            -- the table's number in the round, from 1
    home       INTEGER NOT NULL,            -- an entrant's number
    away       INTEGER,                     -- NULL for a bye
    thread     INTEGER,
    game       TEXT,
    ended      TEXT CHECK (ended IN ('win', 'skunk', 'bye', 'forfeit', 'nothing')),
    winner     INTEGER,
    home_score INTEGER NOT NULL DEFAULT 0,
    away_score INTEGER NOT NULL DEFAULT 0,
    corrected  INTEGER NOT NULL DEFAULT 0 CHECK (corrected IN (0, 1)),
    PRIMARY KEY (club, round, place)
) STRICT, WITHOUT ROWID;

-- Which role may run them, by server.
CREATE TABLE club_organisers (
    guild  INTEGER NOT NULL PRIMARY KEY,
    role   INTEGER NOT NULL
) STRICT;
