-- The second scheme of the honest deck (`engine.fair`); games and lobbies from before keep the first.
ALTER TABLE decks ADD COLUMN dropped boolean NOT NULL DEFAULT false;  -- words, by a change

-- By seat: its salt, and its person's own word. Decks of the first scheme have none.
CREATE TABLE salts (
    game text COLLATE "C" NOT NULL REFERENCES games (id),
    seat bigint NOT NULL,
    salt bytea,           -- NULL once its person's data were deleted
    hash text,            -- of the salt that was deleted, in hexadecimal
    word text,
    PRIMARY KEY (game, seat)
);
