-- What somebody's drills (`bot.features.drill`) add up to, by kind.
CREATE TABLE drills (
    user     INTEGER NOT NULL,
    kind     TEXT    NOT NULL,          -- counting or discards
    asked    INTEGER NOT NULL,          -- the last question that counted: when it was asked, in ms since 1970
    given    TEXT    NOT NULL,          -- its answer: points, or two cards in notation
    answers  INTEGER NOT NULL,
    hits     INTEGER NOT NULL,          -- right answers, or best discards
    streak   INTEGER NOT NULL,
    longest  INTEGER NOT NULL,
    timed    INTEGER NOT NULL,          -- answers whose time counts
    spent    INTEGER NOT NULL,          -- the time of these, in ms
    done     TEXT    NOT NULL,          -- deals of past games and days that were answered, with spaces between
    PRIMARY KEY (user, kind)
) STRICT, WITHOUT ROWID;
