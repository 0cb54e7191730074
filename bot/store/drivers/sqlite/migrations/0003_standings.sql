-- The order in which games were finished, which ratings depend on. It is no projection: it cannot be had
-- from the logs, whose times are whole seconds. A trigger writes it in the transaction that ends the game.
CREATE TABLE finished (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    game    TEXT NOT NULL UNIQUE REFERENCES games (id)
) STRICT;

-- Games that were over before this migration, by the time of their last event.
INSERT INTO finished (game)
SELECT id FROM games WHERE status = 'over'
ORDER BY (SELECT max(at) FROM events WHERE events.game = games.id), number;

CREATE TRIGGER game_finished AFTER UPDATE OF status ON games
WHEN NEW.status = 'over' AND OLD.status != 'over'
BEGIN
    INSERT INTO finished (game) VALUES (NEW.id);
END;

-- From here on: the projection. All of it can be computed anew from the logs, the seats and the order above.

-- How far it has come, and by which version of its figures.
CREATE TABLE projection (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    through  INTEGER NOT NULL,        -- the last number in `finished` that it has seen
    figures  INTEGER NOT NULL
) STRICT;

INSERT INTO projection (one, through, figures) VALUES (1, 0, 0);

CREATE TABLE results (
    number   INTEGER PRIMARY KEY REFERENCES finished (number),
    game     TEXT    NOT NULL UNIQUE REFERENCES games (id),
    guild    INTEGER,
    at       INTEGER NOT NULL,        -- when the last event happened
    seats    INTEGER NOT NULL,
    winner   INTEGER NOT NULL,        -- a side
    ending   TEXT    NOT NULL,
    deals    INTEGER NOT NULL
) STRICT;

CREATE INDEX results_of_a_server ON results (guild, at);

CREATE TABLE result_seats (
    number         INTEGER NOT NULL REFERENCES results (number),
    seat           INTEGER NOT NULL,
    user           INTEGER,           -- below nought: somebody who has been forgotten
    computer       TEXT,              -- the level, where no person sits
    side           INTEGER NOT NULL,
    won            INTEGER NOT NULL CHECK (won IN (0, 1)),
    score          INTEGER NOT NULL,
    skunk          TEXT    NOT NULL,  -- how badly it lost
    skunked        INTEGER NOT NULL,  -- sides that it skunked
    doubled        INTEGER NOT NULL,  -- sides that it double-skunked
    lurched        INTEGER NOT NULL,  -- sides that it left in the lurch
    dealer_deals   INTEGER NOT NULL,  -- deals in which a starter was cut, as dealer
    dealer_pegged  INTEGER NOT NULL,
    dealer_hands   INTEGER NOT NULL,  -- hands that were counted
    dealer_points  INTEGER NOT NULL,
    other_deals    INTEGER NOT NULL,  -- the same when somebody else dealt
    other_pegged   INTEGER NOT NULL,
    other_hands    INTEGER NOT NULL,
    other_points   INTEGER NOT NULL,
    cribs          INTEGER NOT NULL,
    crib_points    INTEGER NOT NULL,
    muggins        INTEGER NOT NULL,
    best           INTEGER,           -- the best hand's points, cards and starter
    best_cards     TEXT,
    best_starter   TEXT,
    PRIMARY KEY (number, seat),
    CHECK ((user IS NULL) != (computer IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX results_of_a_person ON result_seats (user, number);

CREATE TABLE ratings (
    guild  INTEGER NOT NULL,
    kind   TEXT    NOT NULL CHECK (kind IN ('two', 'more')),
    user   INTEGER NOT NULL,
    mu     REAL    NOT NULL,
    sigma  REAL    NOT NULL,
    games  INTEGER NOT NULL,
    PRIMARY KEY (guild, kind, user)
) STRICT, WITHOUT ROWID;

-- No projection: what people have asked for.
CREATE TABLE hidden (
    user  INTEGER PRIMARY KEY         -- stands on no leaderboard
) STRICT;

-- One row while deleted data may still lie in unused parts of the file. Older versions left some there.
CREATE TABLE scrubbing (
    due  INTEGER PRIMARY KEY CHECK (due = 1)
) STRICT;

INSERT INTO scrubbing (due) VALUES (1);

-- The way to a forgotten person's direct messages is not written down again by a telling under way.
CREATE TRIGGER no_post_to_the_forgotten BEFORE INSERT ON posts
WHEN NEW.seat >= 0
    AND EXISTS (SELECT 1 FROM seats WHERE game = NEW.game AND seat = NEW.seat AND user < 0)
BEGIN
    SELECT RAISE(IGNORE);
END;
