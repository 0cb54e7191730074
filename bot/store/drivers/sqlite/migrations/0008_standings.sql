-- A seat's part in a game is one JSON value, so that a new figure needs no column; and rules of the game's life
-- stand in the store's code, not in triggers. The projection is emptied: at the next start it is computed from
-- the logs, as whenever its figures have another version.
DROP TRIGGER game_finished;
DROP TRIGGER no_post_to_the_forgotten;

DROP TABLE result_seats;
DELETE FROM results;
DELETE FROM ratings;
UPDATE projection SET through = 0, figures = 0;

CREATE TABLE result_seats (
    number     INTEGER NOT NULL REFERENCES results (number),
    seat       INTEGER NOT NULL,
    user       INTEGER,              -- negative: somebody who has been forgotten
    computer   TEXT,                 -- the level, where no person sits
    part       TEXT NOT NULL,        -- a JSON object: a `SeatResult`, by its fields
    won        INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(part, '$.won')) STORED,
    best       INTEGER GENERATED ALWAYS AS (json_extract(part, '$.figures.best.points')) STORED,
    best_hand  TEXT GENERATED ALWAYS AS (json_extract(part, '$.figures.best')) STORED,
    PRIMARY KEY (number, seat),
    CHECK ((user IS NULL) != (computer IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX results_of_a_person ON result_seats (user, number);
