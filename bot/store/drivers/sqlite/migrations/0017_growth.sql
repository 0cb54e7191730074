-- What the standings answer is kept, person by person, and not added up at each asking. Each of these tables
-- holds two editions: the one that is read, and another while the standings are computed again. Users below
-- zero, who have been forgotten, stand in `ratings` alone, where the ratings of others follow from theirs.

-- A person's games against people, in a server, or everywhere (guild 0).
CREATE TABLE careers (
    edition  INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    user     INTEGER NOT NULL,
    last     INTEGER NOT NULL,        -- the number of the last game
    career   TEXT    NOT NULL,        -- a JSON object: a `Career`, by its fields
    PRIMARY KEY (edition, guild, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX careers_of_a_person ON careers (user);

-- The same against computers, by the strongest level at the table.
CREATE TABLE computer_records (
    edition  INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    user     INTEGER NOT NULL,
    level    TEXT    NOT NULL,
    games    INTEGER NOT NULL,
    wins     INTEGER NOT NULL,
    PRIMARY KEY (edition, guild, user, level)
) STRICT, WITHOUT ROWID;

CREATE INDEX computer_records_of_a_person ON computer_records (user);

-- What leaderboards are made of.
CREATE TABLE tallies (
    edition    INTEGER NOT NULL,
    guild      INTEGER NOT NULL,
    month      INTEGER NOT NULL,      -- as 202611; 0 of all time
    kind       TEXT    NOT NULL CHECK (kind IN ('two', 'more', 'any')),
    user       INTEGER NOT NULL,
    name       TEXT    NOT NULL,      -- in the last game
    last       INTEGER NOT NULL,      -- the number of the last game
    games      INTEGER NOT NULL,
    wins       INTEGER NOT NULL,
    best       INTEGER,               -- points of the best hand, the earliest of several
    best_hand  TEXT,                  -- a JSON object: a `BestHand`
    best_in    INTEGER,               -- the number of its game
    PRIMARY KEY (edition, guild, month, kind, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX tallies_of_a_person ON tallies (user);

-- What each game did to the ratings, as players read them; a game without rows here is not rated.
CREATE TABLE rating_changes (
    edition  INTEGER NOT NULL,
    number   INTEGER NOT NULL REFERENCES results (number),
    seat     INTEGER NOT NULL,
    before   INTEGER NOT NULL,
    after    INTEGER NOT NULL,
    PRIMARY KEY (edition, number, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE new_ratings (
    edition  INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('two', 'more')),
    user     INTEGER NOT NULL,
    mu       REAL    NOT NULL,
    sigma    REAL    NOT NULL,
    games    INTEGER NOT NULL,
    shown    INTEGER NOT NULL,        -- `Rating.shown`
    PRIMARY KEY (edition, guild, kind, user)
) STRICT, WITHOUT ROWID;

-- The answers so far stay until they are computed again: edition 0.
INSERT INTO new_ratings
SELECT 0, guild, kind, user, mu, sigma, games, 1000 + CAST(round(40 * (mu - 3 * sigma)) AS INTEGER) FROM ratings;
DROP TABLE ratings;
ALTER TABLE new_ratings RENAME TO ratings;
CREATE INDEX ratings_of_a_person ON ratings (user);

INSERT INTO rating_changes
SELECT 0, number, seat, json_extract(part, '$.rating.before'), json_extract(part, '$.rating.after')
FROM result_seats WHERE json_extract(part, '$.rating') IS NOT NULL;

INSERT INTO careers
SELECT 0, results.guild, user, max(number), career_of(number, results.seats, part)
FROM result_seats JOIN results USING (number)
WHERE user >= 0 AND NOT with_computer AND results.guild IS NOT NULL GROUP BY results.guild, user;

INSERT INTO careers
SELECT 0, 0, user, max(number), career_of(number, results.seats, part)
FROM result_seats JOIN results USING (number)
WHERE user >= 0 AND NOT with_computer GROUP BY user;

CREATE TEMP TABLE counted AS
SELECT results.guild, 0 AS month, 'any' AS kind, user, name, number, won, best, best_hand
FROM result_seats JOIN results USING (number) JOIN seats USING (game, seat, user)
WHERE user >= 0 AND NOT with_computer AND results.guild IS NOT NULL;
INSERT INTO counted
SELECT counted.guild, 0, CASE results.seats WHEN 2 THEN 'two' ELSE 'more' END,
    user, name, number, won, best, best_hand
FROM counted JOIN results USING (number);
INSERT INTO counted
SELECT counted.guild, CAST(strftime('%Y%m', at, 'unixepoch') AS INTEGER), kind,
    user, name, number, won, best, best_hand
FROM counted JOIN results USING (number);
CREATE INDEX temp.counted_by ON counted (guild, month, kind, user, best);
INSERT INTO tallies
SELECT 0, guild, month, kind, user, name, max(number), count(*), sum(won), NULL, NULL, NULL
FROM counted GROUP BY guild, month, kind, user;
UPDATE tallies SET (best, best_hand, best_in) = (
    SELECT best, best_hand, number FROM counted
    WHERE (counted.guild, counted.month, counted.kind, counted.user)
        = (tallies.guild, tallies.month, tallies.kind, tallies.user) AND counted.best IS NOT NULL
    ORDER BY counted.best DESC, number LIMIT 1);
DROP TABLE counted;

ALTER TABLE results ADD COLUMN long_enough INTEGER NOT NULL DEFAULT 0 CHECK (long_enough IN (0, 1));

ALTER TABLE projection ADD COLUMN edition INTEGER NOT NULL DEFAULT 0;       -- the one that is read
-- While another edition is made: by which version of the figures; the number of the game above which it has all
-- statistics; and the number through which it has the ratings.
ALTER TABLE projection ADD COLUMN next_figures INTEGER;
ALTER TABLE projection ADD COLUMN down_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projection ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;

-- Somebody whose data is being deleted, until all of it is: by whom they are replaced in a server, or in the
-- games that belong to none, and up to which game. Games after that are of somebody who has come back.
CREATE TABLE leaving (
    user    INTEGER NOT NULL,
    guild   INTEGER,
    nobody  INTEGER NOT NULL,
    until   INTEGER NOT NULL
) STRICT;

-- While `scrubbing` is due: bytes that must not be found in the file at last, such as the id and the names of
-- somebody whose data was deleted.
CREATE TABLE traces (
    trace  BLOB NOT NULL
) STRICT;

-- A person is found, to be forgotten, without looking through all games.
CREATE INDEX games_of_a_host ON games (host);
CREATE INDEX games_of_somebody_called ON games (called) WHERE called IS NOT NULL;
