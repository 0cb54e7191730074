-- What players agree on in the middle of a game, with the deal in which they did. Seats, never people.
CREATE TABLE votes (
    game   TEXT    NOT NULL REFERENCES games (id),
    about  TEXT    NOT NULL CHECK (about IN ('end', 'substitute')),
    seat   INTEGER NOT NULL,
    deal   INTEGER NOT NULL,
    level  TEXT,                     -- of the computer that is to play; NULL about the end
    PRIMARY KEY (game, about, seat),
    CHECK ((level IS NULL) = (about = 'end'))
) STRICT, WITHOUT ROWID;
