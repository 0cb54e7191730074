-- The second scheme of the honest deck (`engine.fair`); games and lobbies from before keep the first.
ALTER TABLE decks ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1));  -- words, by a change

-- By seat: its salt, and its person's own word. Decks of the first scheme have none.
CREATE TABLE salts (
    game  TEXT    NOT NULL REFERENCES games (id),
    seat  INTEGER NOT NULL,
    salt  BLOB,                       -- NULL once its person's data were deleted
    hash  TEXT,                       -- of the salt that was deleted, in hexadecimal
    word  TEXT,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
