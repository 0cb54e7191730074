-- What the cards of each game follow from (`engine.fair`); games from before have none of it.
ALTER TABLE games ADD COLUMN commitment TEXT;  -- in hexadecimal
ALTER TABLE games ADD COLUMN begins INTEGER NOT NULL DEFAULT 0 CHECK (begins IN (0, 1));  -- once its message stands
ALTER TABLE games ADD COLUMN head BLOB;  -- of the chain that the log is

CREATE TABLE decks (
    game     TEXT PRIMARY KEY REFERENCES games (id),
    secret   BLOB NOT NULL,
    message  INTEGER,                 -- the first that showed the commitment
    terms    TEXT,                    -- canonical JSON, from the game's beginning on
    seal     TEXT,                    -- of these terms, in hexadecimal
    forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1))  -- somebody's word was deleted
) STRICT, WITHOUT ROWID;

-- People's own words, until the game begins; then they stand in the terms.
CREATE TABLE words (
    game  TEXT    NOT NULL REFERENCES games (id),
    user  INTEGER NOT NULL,
    word  TEXT    NOT NULL,
    PRIMARY KEY (game, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX words_of_a_person ON words (user);
