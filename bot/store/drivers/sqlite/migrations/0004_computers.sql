-- Seats that the computer plays: its own, which are nobody's, and those of people who are away.
-- SQLite lets no column take NULL afterwards, so the table is written anew; what looks at it goes first.
DROP TRIGGER no_post_to_the_forgotten;
DROP INDEX seats_of_a_person;

CREATE TABLE new_seats (
    game      TEXT    NOT NULL REFERENCES games (id),
    seat      INTEGER NOT NULL,
    user      INTEGER,               -- NULL: nobody but the computer ever sat here
    name      TEXT    NOT NULL,
    computer  TEXT,                  -- the level, where the computer plays now
    PRIMARY KEY (game, seat),
    CHECK (user IS NOT NULL OR computer IS NOT NULL)
) STRICT, WITHOUT ROWID;

INSERT INTO new_seats (game, seat, user, name) SELECT game, seat, user, name FROM seats;

DROP TABLE seats;

ALTER TABLE new_seats RENAME TO seats;

CREATE INDEX seats_of_a_person ON seats (user);

-- The way to a forgotten person's direct messages is not written down again by a telling under way.
CREATE TRIGGER no_post_to_the_forgotten BEFORE INSERT ON posts
WHEN NEW.seat >= 0
    AND EXISTS (SELECT 1 FROM seats WHERE game = NEW.game AND seat = NEW.seat AND user < 0)
BEGIN
    SELECT RAISE(IGNORE);
END;

-- Games with a computer in them count apart. Those before this migration had none.
ALTER TABLE results ADD COLUMN with_computer INTEGER NOT NULL DEFAULT 0 CHECK (with_computer IN (0, 1));
