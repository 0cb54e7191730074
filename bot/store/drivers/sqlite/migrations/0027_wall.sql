-- A server's wall, which is no projection: it stays when the standings are computed again. It names seats, not
-- people. A hand has what it counted; a game the holes by which it was won, and one row a server.
CREATE TABLE wall (
    guild   INTEGER NOT NULL,
    kind    TEXT    NOT NULL CHECK (kind IN ('hand', 'crib', 'game')),
    game    TEXT    NOT NULL REFERENCES games (id),
    deal    INTEGER NOT NULL,
    seat    INTEGER NOT NULL,
    number  INTEGER NOT NULL,        -- of the game in the order of finishing
    at      INTEGER NOT NULL,        -- when the game ended
    points  INTEGER NOT NULL,
    hand    TEXT,                    -- a JSON object: a `BestHand`
    PRIMARY KEY (guild, kind, game, deal, seat)
) STRICT, WITHOUT ROWID;
