-- What somebody's drills (`bot.features.drill`) add up to, by kind.
CREATE TABLE drills (
    "user" bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,   -- counting or discards
    asked bigint NOT NULL,            -- the last question that counted: when it was asked, in ms since 1970
    given text NOT NULL,              -- its answer: points, or two cards in notation
    answers bigint NOT NULL,
    hits bigint NOT NULL,             -- right answers, or best discards
    streak bigint NOT NULL,
    longest bigint NOT NULL,
    timed bigint NOT NULL,            -- answers whose time counts
    spent bigint NOT NULL,            -- the time of these, in ms
    done text NOT NULL,               -- deals of past games and days that were answered, with spaces between
    PRIMARY KEY ("user", kind)
);
