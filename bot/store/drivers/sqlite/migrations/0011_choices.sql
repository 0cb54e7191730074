-- The cards that a player has tapped for the crib and not discarded yet, in the order of the taps.
CREATE TABLE choices (
    game   TEXT    NOT NULL REFERENCES games (id),
    seat   INTEGER NOT NULL,
    deal   INTEGER NOT NULL,
    cards  TEXT    NOT NULL,          -- a JSON array, as ["5H","JD"]
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
