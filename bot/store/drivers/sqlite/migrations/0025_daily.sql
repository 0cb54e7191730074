-- The daily hand. Each follows from this secret and its day (`bot.store.sqlite.daily`); it is made on the first day.
CREATE TABLE daily_secret (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    secret  BLOB    NOT NULL
) STRICT;

-- The hands of days that have come, as they were first dealt. A day is a number: the first of January of the
-- year 1 is 1, as in Python.
CREATE TABLE daily_hands (
    day   INTEGER NOT NULL PRIMARY KEY,
    hand  TEXT    NOT NULL              -- a JSON object: a `DailyHand`, by its fields
) STRICT;

-- What people discarded on its day: the first time counts.
CREATE TABLE daily_answers (
    user    INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    given   TEXT    NOT NULL,           -- two cards, in notation
    cost    INTEGER NOT NULL,           -- chances to win, in ten thousandths
    streak  INTEGER NOT NULL,           -- days in a row, with this one
    PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;

-- A place among ten thousand is found without looking at anybody's row.
CREATE INDEX daily_answers_by_cost ON daily_answers (day, cost, user);

-- In which servers they have played or looked at it: for places there, for a week.
CREATE TABLE daily_here (
    guild   INTEGER NOT NULL,
    user    INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    cost    INTEGER NOT NULL,
    shared  INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
    PRIMARY KEY (guild, day, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX daily_here_by_cost ON daily_here (guild, day, cost, user);
CREATE INDEX daily_here_of_a_person ON daily_here (user);

-- Where and when (UTC) moderators have it posted.
CREATE TABLE daily_posts (
    guild    INTEGER NOT NULL PRIMARY KEY,
    channel  INTEGER NOT NULL,
    hour     INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23),
    posted   INTEGER NOT NULL,          -- the last day that needs no post any more
    tried    INTEGER                    -- when sending began whose outcome is not known, in seconds since 1970
) STRICT;

CREATE INDEX daily_posts_by_hour ON daily_posts (hour);
