-- Everything that the bot keeps. Times are in seconds since 1970 where nothing else is said.

-- Tables for play, from the lobby to the end: the address card of each game.
CREATE TABLE games (
    number        INTEGER PRIMARY KEY,      -- the order in which tables were opened
    id            TEXT    NOT NULL UNIQUE,
    guild         INTEGER,
    channel       INTEGER NOT NULL,
    place         TEXT    NOT NULL,
    venue         TEXT    NOT NULL,         -- `bot.model.venue`
    outside       INTEGER,                  -- the server without the bot in which it is, for links to it
    host          INTEGER NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('gathering', 'playing', 'over', 'cancelled')),
    rules         TEXT    NOT NULL,         -- a JSON object, as the engine's codec writes it
    codec         INTEGER NOT NULL,         -- the version of the object's meaning
    preset        TEXT    NOT NULL,
    pace          TEXT    NOT NULL CHECK (pace IN ('live', 'slow')),
    seconds       INTEGER CHECK (seconds > 0),            -- for a move, where it is not the pace's time
    hints         INTEGER NOT NULL,         -- 1 if players may ask for hints
    board         TEXT    NOT NULL CHECK (board IN ('pictures', 'text')),
    language      TEXT    NOT NULL,
    thread        TEXT    NOT NULL CHECK (thread IN ('none', 'wanted', 'open', 'refused')),
    called        INTEGER,                  -- who is asked to play, as long as it gathers
    best_of       INTEGER NOT NULL,
    match         TEXT    REFERENCES games (id),          -- the match's first game; NULL in that game itself
    match_before  TEXT    NOT NULL,         -- a JSON array of `MatchGame`, by its fields
    match_game    INTEGER NOT NULL GENERATED ALWAYS AS
        (CASE WHEN json_valid(match_before) THEN json_array_length(match_before) + 1 ELSE 0 END) VIRTUAL,
    won_before    TEXT    NOT NULL,         -- a JSON array of games won, by side
    rematch_of    TEXT    REFERENCES games (id),
    timed_out     INTEGER NOT NULL DEFAULT 0,             -- 1 if it closed because nobody moved for too long
    version       INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0),
    told          INTEGER NOT NULL DEFAULT 0 CHECK (told BETWEEN 0 AND version),
    head          BLOB,                     -- of the hash chain that the log is (`engine.fair`)
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;

-- One table in a channel, even when two processes open one in the same moment.
CREATE UNIQUE INDEX one_open_table_in_a_channel ON games (channel) WHERE status IN ('gathering', 'playing');
CREATE UNIQUE INDEX games_of_a_match ON games (match, match_game) WHERE match IS NOT NULL;
CREATE INDEX tables_of_a_channel ON games (channel, number);
CREATE INDEX untold_games ON games (number) WHERE told < version;
CREATE INDEX open_tables ON games (number) WHERE status IN ('gathering', 'playing');
CREATE INDEX cancelled_tables ON games (number) WHERE status = 'cancelled';
CREATE INDEX games_of_a_host ON games (host);
CREATE INDEX games_of_somebody_called ON games (called) WHERE called IS NOT NULL;
CREATE INDEX games_of_a_server ON games (guild) WHERE guild IS NOT NULL;
CREATE INDEX cancelled_games_of_a_server ON games (guild, number) WHERE status = 'cancelled' AND version > 0;
-- Places without the bot, of which nothing is kept a month after the last game there.
CREATE INDEX games_anywhere ON games (channel) WHERE venue = 'anywhere';

CREATE TABLE seats (
    game        TEXT    NOT NULL REFERENCES games (id),
    seat        INTEGER NOT NULL,
    user        INTEGER,                    -- NULL: nobody but the computer ever sat here; negative: forgotten
    name        TEXT    NOT NULL,
    computer    TEXT,                       -- the level, where the computer plays now
    colour      TEXT,                       -- NULL leaves it to the table
    explaining  TEXT,                       -- 'newcomer', 'on' or 'off'; NULL: in a lobby no choice, in a game no
    PRIMARY KEY (game, seat),
    CHECK (user IS NOT NULL OR computer IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_of_a_person ON seats (user);

-- The log, which is the truth. The primary key lets one of two writers at a version through.
CREATE TABLE events (
    game     TEXT    NOT NULL REFERENCES games (id),
    version  INTEGER NOT NULL,              -- how many events came before this one
    kind     TEXT    NOT NULL,
    codec    INTEGER NOT NULL,              -- the version of the body's meaning
    body     TEXT    NOT NULL,              -- a JSON object
    at       INTEGER NOT NULL,
    PRIMARY KEY (game, version)
) STRICT, WITHOUT ROWID;

-- Messages in Discord that show a game, and the digest of what each shows.
CREATE TABLE posts (
    game     TEXT    NOT NULL REFERENCES games (id),
    kind     TEXT    NOT NULL,
    deal     INTEGER NOT NULL,
    seat     INTEGER NOT NULL,
    channel  INTEGER NOT NULL,
    message  INTEGER NOT NULL,
    drawn    TEXT    NOT NULL,
    PRIMARY KEY (game, kind, deal, seat)
) STRICT, WITHOUT ROWID;

-- What players agree on in the middle of a game, with the deal in which they did. Seats, never people.
CREATE TABLE votes (
    game   TEXT    NOT NULL REFERENCES games (id),
    about  TEXT    NOT NULL CHECK (about IN ('end', 'substitute')),
    seat   INTEGER NOT NULL,
    deal   INTEGER NOT NULL,
    level  TEXT,                            -- of the computer that is to play; NULL about the end
    PRIMARY KEY (game, about, seat),
    CHECK ((level IS NULL) = (about = 'end'))
) STRICT, WITHOUT ROWID;

-- The cards that a player has tapped for the crib and not discarded yet, in the order of the taps.
CREATE TABLE choices (
    game   TEXT    NOT NULL REFERENCES games (id),
    seat   INTEGER NOT NULL,
    deal   INTEGER NOT NULL,
    cards  TEXT    NOT NULL,                -- a JSON array, as ["5H","JD"]
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- What the cards of each game follow from (`engine.fair`).
CREATE TABLE decks (
    game     TEXT    PRIMARY KEY REFERENCES games (id),
    secret   BLOB    NOT NULL,
    terms    TEXT,                          -- canonical JSON, as of the last word and the game's beginning
    seal     TEXT,                          -- of these terms, in hexadecimal, from the game's beginning on
    dropped  INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1))  -- 1 if a change of the table deleted words
) STRICT, WITHOUT ROWID;

-- By seat: its salt, and its person's own word for the deck.
CREATE TABLE salts (
    game  TEXT    NOT NULL REFERENCES games (id),
    seat  INTEGER NOT NULL,
    salt  BLOB,                             -- NULL once its person's data were deleted
    hash  TEXT,                             -- of the salt that was deleted, in hexadecimal
    word  TEXT,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- People and servers.

CREATE TABLE people (
    user            INTEGER PRIMARY KEY,
    dms_closed      INTEGER NOT NULL CHECK (dms_closed IN (0, 1)),
    language        TEXT,                   -- Discord's code, as `fr` or `en-GB`
    always_cut      INTEGER NOT NULL DEFAULT 0 CHECK (always_cut IN (0, 1)),
    dm_channel      INTEGER,
    lesson          TEXT,                   -- the step at which they go on; NULL before the lesson and after its end
    waits_for_word  INTEGER NOT NULL DEFAULT 0 CHECK (waits_for_word IN (0, 1))  -- 1: `Preferences.waits_for_word`
) STRICT;

-- Whose challenges a person takes no more, or not now: a digest of both ids (`bot.store.declined`), empty for
-- everybody's.
CREATE TABLE declined (
    user        INTEGER NOT NULL,
    challenger  BLOB    NOT NULL,
    until       INTEGER,                    -- NULL: until they take it back themselves
    refusals    INTEGER NOT NULL DEFAULT 0, -- how often they have said *Not now*
    PRIMARY KEY (user, challenger)
) STRICT, WITHOUT ROWID;
CREATE INDEX declined_until ON declined (until) WHERE until IS NOT NULL;

CREATE TABLE hidden (
    user  INTEGER PRIMARY KEY               -- stands on no leaderboard
) STRICT;

-- People who want one direct message a day when slow games wait for them (`bot.features.stats.reminders`).
CREATE TABLE reminders (
    user   INTEGER PRIMARY KEY,
    rung   INTEGER NOT NULL,                -- when the last one was sent; 0 for never
    seen   INTEGER NOT NULL,                -- when they last pressed something, to ten minutes
    state  TEXT    NOT NULL                 -- on, off, or refused: Discord has refused one, which ends them
) STRICT;

-- What a server's moderators have chosen for the tables there.
CREATE TABLE servers (
    guild     INTEGER NOT NULL PRIMARY KEY,
    language  TEXT,                         -- a code, as `fr`; NULL for the server's own
    board     TEXT    NOT NULL CHECK (board IN ('pictures', 'text'))
) STRICT;

-- Servers that have removed the bot while games from there are kept, and since when that is known.
CREATE TABLE left_servers (
    guild  INTEGER NOT NULL PRIMARY KEY,
    since  INTEGER NOT NULL
) STRICT;

-- Deletions of people's data.

-- Somebody whose data is being deleted, until all of it is: by whom they are replaced in a server, or in the
-- games that belong to none, and up to which game. Games after that are of somebody who has come back.
CREATE TABLE leaving (
    user    INTEGER NOT NULL,
    guild   INTEGER,
    nobody  INTEGER NOT NULL,
    until   INTEGER NOT NULL
) STRICT;

-- One row while deleted data may still lie in unused parts of the file.
CREATE TABLE scrubbing (
    due  INTEGER PRIMARY KEY CHECK (due = 1)
) STRICT;

-- While `scrubbing` is due: bytes that must not be found in the file at last, such as the id and the names of
-- somebody whose data was deleted.
CREATE TABLE traces (
    trace  BLOB NOT NULL
) STRICT;

-- When somebody's data was deleted, with a digest of their ID (`bot.store.deletions`).
CREATE TABLE deletions (
    at   INTEGER NOT NULL,
    who  TEXT    NOT NULL,
    PRIMARY KEY (at, who)
) STRICT, WITHOUT ROWID;

-- The bot itself.

-- What the next start recognises the database by (`Database.identity`).
CREATE TABLE identity (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    name  TEXT    NOT NULL
) STRICT;

-- The commands that Discord has of the bot, so that they are sent again only when they have changed.
CREATE TABLE commands (
    application  INTEGER NOT NULL PRIMARY KEY,
    digest       TEXT    NOT NULL,          -- of what was sent
    ids          TEXT    NOT NULL           -- a JSON object: Discord's id of each by its name, for mentions
) STRICT;

-- Results. `finished` and `wall` are no projection; all else can be computed again from the logs, the seats and
-- the order of finishing.

-- The order in which games were finished, which ratings depend on.
CREATE TABLE finished (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    game    TEXT    NOT NULL UNIQUE REFERENCES games (id)
) STRICT;

-- How far the projection has come.
CREATE TABLE projection (
    one           INTEGER PRIMARY KEY CHECK (one = 1),
    through       INTEGER NOT NULL,         -- the last number in `finished` that it has seen
    figures       INTEGER NOT NULL,         -- the version of its figures
    edition       INTEGER NOT NULL DEFAULT 0,  -- the one that is read
    -- While another edition is made: the version of its figures; the number of the game above which it has all
    -- statistics; and the number through which it has the ratings.
    next_figures  INTEGER,
    down_to       INTEGER NOT NULL DEFAULT 0,
    rated         INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO projection (one, through, figures) VALUES (1, 0, 0);

CREATE TABLE results (
    number         INTEGER PRIMARY KEY REFERENCES finished (number),
    game           TEXT    NOT NULL UNIQUE REFERENCES games (id),
    guild          INTEGER,
    at             INTEGER NOT NULL,        -- when the last event happened
    seats          INTEGER NOT NULL,
    winner         INTEGER NOT NULL,        -- a side
    ending         TEXT    NOT NULL,
    deals          INTEGER NOT NULL,
    with_computer  INTEGER NOT NULL CHECK (with_computer IN (0, 1)),
    long_enough    INTEGER NOT NULL CHECK (long_enough IN (0, 1))
) STRICT;
CREATE INDEX results_of_a_server ON results (guild, at);
CREATE INDEX results_of_a_server_in_order ON results (guild, number);

CREATE TABLE result_seats (
    number    INTEGER NOT NULL REFERENCES results (number),
    seat      INTEGER NOT NULL,
    user      INTEGER,                      -- negative: somebody who has been forgotten
    computer  TEXT,                         -- the level, where no person sits
    part      TEXT    NOT NULL,             -- a JSON object: a `SeatResult`, by its fields
    won       INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(part, '$.won')) STORED,
    PRIMARY KEY (number, seat),
    CHECK ((user IS NULL) != (computer IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX results_of_a_person ON result_seats (user, number);

-- What the standings answer is kept, person by person, in two editions: the one that is read, and another while
-- they are computed again. Users below zero, who have been forgotten, stand in `ratings` alone, where the ratings
-- of others follow from theirs.

-- A person's games against people, in a server, or everywhere (guild 0).
CREATE TABLE careers (
    edition  INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    user     INTEGER NOT NULL,
    last     INTEGER NOT NULL,              -- the number of the last game
    career   TEXT    NOT NULL,              -- a JSON object: a `Career`, by its fields
    PRIMARY KEY (edition, guild, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX careers_of_a_person ON careers (user);

-- The same against computers, by the strongest level at the table.
CREATE TABLE computer_records (
    edition  INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    user     INTEGER NOT NULL,
    level    TEXT    NOT NULL,
    games    INTEGER NOT NULL,
    wins     INTEGER NOT NULL,
    PRIMARY KEY (edition, guild, user, level)
) STRICT, WITHOUT ROWID;
CREATE INDEX computer_records_of_a_person ON computer_records (user);

-- What leaderboards are made of.
CREATE TABLE tallies (
    edition    INTEGER NOT NULL,
    guild      INTEGER NOT NULL,
    month      INTEGER NOT NULL,            -- as 202611; 0 of all time
    kind       TEXT    NOT NULL CHECK (kind IN ('two', 'more', 'any')),
    user       INTEGER NOT NULL,
    name       TEXT    NOT NULL,            -- in the last game
    last       INTEGER NOT NULL,            -- the number of the last game
    games      INTEGER NOT NULL,
    wins       INTEGER NOT NULL,
    best       INTEGER,                     -- points of the best hand, the earliest of several
    best_hand  TEXT,                        -- a JSON object: a `BestHand`
    best_in    INTEGER,                     -- the number of its game
    PRIMARY KEY (edition, guild, month, kind, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_of_a_person ON tallies (user);

CREATE TABLE ratings (
    edition  INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('two', 'more')),
    user     INTEGER NOT NULL,
    mu       REAL    NOT NULL,
    sigma    REAL    NOT NULL,
    games    INTEGER NOT NULL,
    shown    INTEGER NOT NULL,              -- `Rating.shown`
    PRIMARY KEY (edition, guild, kind, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_of_a_person ON ratings (user);

-- What each game did to the ratings, as players read them; a game without rows here is not rated.
CREATE TABLE rating_changes (
    edition  INTEGER NOT NULL,
    number   INTEGER NOT NULL REFERENCES results (number),
    seat     INTEGER NOT NULL,
    before   INTEGER NOT NULL,
    after    INTEGER NOT NULL,
    PRIMARY KEY (edition, number, seat)
) STRICT, WITHOUT ROWID;

-- A server's wall, which stays when the standings are computed again. It names seats, not people. A hand has what
-- it counted; a game the holes by which it was won, and one row a server.
CREATE TABLE wall (
    guild   INTEGER NOT NULL,
    kind    TEXT    NOT NULL CHECK (kind IN ('hand', 'crib', 'game')),
    game    TEXT    NOT NULL REFERENCES games (id),
    deal    INTEGER NOT NULL,
    seat    INTEGER NOT NULL,
    number  INTEGER NOT NULL,               -- of the game in the order of finishing
    at      INTEGER NOT NULL,               -- when the game ended
    points  INTEGER NOT NULL,
    hand    TEXT,                           -- a JSON object: a `BestHand`
    PRIMARY KEY (guild, kind, game, deal, seat)
) STRICT, WITHOUT ROWID;

-- Seasons (`bot.standings.seasons`).

-- Where moderators have the podium of each month posted (`bot.features.stats.season_posts`).
CREATE TABLE season_posts (
    guild    INTEGER NOT NULL PRIMARY KEY,
    channel  INTEGER NOT NULL,
    posted   INTEGER NOT NULL,              -- the last month that needs no post any more, as 202611
    tried    INTEGER                        -- when sending began whose outcome is not known
) STRICT;

-- In which time zone a server's seasons begin and end: from that month on.
CREATE TABLE season_zones (
    guild  INTEGER NOT NULL,
    month  INTEGER NOT NULL,                -- the first month that begins by it, as 202611
    zone   TEXT    NOT NULL,                -- as `Europe/Paris`
    PRIMARY KEY (guild, month)
) STRICT, WITHOUT ROWID;

-- The daily hand (`bot.features.daily`). A day is a number: the first of January of the year 1 is 1, as in Python.

-- Each hand follows from this secret and its day; it is made on the first day.
CREATE TABLE daily_secret (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    secret  BLOB    NOT NULL
) STRICT;

-- The hands of days that have come, as they were first dealt.
CREATE TABLE daily_hands (
    day   INTEGER NOT NULL PRIMARY KEY,
    hand  TEXT    NOT NULL                  -- a JSON object: a `DailyHand`, by its fields
) STRICT;

-- What people discarded on its day: the first time counts.
CREATE TABLE daily_answers (
    user    INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    given   TEXT    NOT NULL,               -- two cards, in notation
    cost    INTEGER NOT NULL,               -- chances to win, in ten thousandths
    streak  INTEGER NOT NULL,               -- days in a row, with this one
    PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;
-- A place among ten thousand is found without looking at anybody's row.
CREATE INDEX daily_answers_by_cost ON daily_answers (day, cost, user);

-- In which servers they have played or looked at it: for places there, for a week.
CREATE TABLE daily_here (
    guild   INTEGER NOT NULL,
    user    INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    cost    INTEGER NOT NULL,
    shared  INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
    PRIMARY KEY (guild, day, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_here_by_cost ON daily_here (guild, day, cost, user);
CREATE INDEX daily_here_of_a_person ON daily_here (user);

-- Where and when (UTC) moderators have it posted.
CREATE TABLE daily_posts (
    guild    INTEGER NOT NULL PRIMARY KEY,
    channel  INTEGER NOT NULL,
    hour     INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23),
    posted   INTEGER NOT NULL,              -- the last day that needs no post any more
    tried    INTEGER                        -- when sending began whose outcome is not known
) STRICT;
CREATE INDEX daily_posts_by_hour ON daily_posts (hour);

-- Practice.

-- What somebody's drills (`bot.features.drill`) add up to, by kind.
CREATE TABLE drills (
    user     INTEGER NOT NULL,
    kind     TEXT    NOT NULL,              -- counting or discards
    asked    INTEGER NOT NULL,              -- the last question that counted: when it was asked, in ms since 1970
    given    TEXT    NOT NULL,              -- its answer: points, or two cards in notation
    answers  INTEGER NOT NULL,
    hits     INTEGER NOT NULL,              -- right answers, or best discards
    streak   INTEGER NOT NULL,
    longest  INTEGER NOT NULL,
    timed    INTEGER NOT NULL,              -- answers whose time counts
    spent    INTEGER NOT NULL,              -- the time of these, in ms
    done     TEXT    NOT NULL,              -- deals of past games and days that were answered, with spaces between
    PRIMARY KEY (user, kind)
) STRICT, WITHOUT ROWID;

-- Somebody's squares (`bot.features.squares`) of a day.
CREATE TABLE squares (
    user   INTEGER NOT NULL,
    day    INTEGER NOT NULL,                -- as of the daily hand, in UTC
    cells  TEXT    NOT NULL,                -- the cells of the cards so far, a digit of base 16 each
    total  INTEGER,                         -- the points; NULL before the last card
    PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;

-- The best total that a search has found, by day.
CREATE TABLE squares_best (
    day   INTEGER PRIMARY KEY,
    best  INTEGER NOT NULL
) STRICT;

-- In which servers somebody has shown their squares to everybody.
CREATE TABLE squares_shared (
    guild  INTEGER NOT NULL,
    user   INTEGER NOT NULL,
    day    INTEGER NOT NULL,
    PRIMARY KEY (guild, user, day)
) STRICT, WITHOUT ROWID;

-- Club nights (`bot.features.clubs`).

CREATE TABLE clubs (
    id        INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    guild     INTEGER NOT NULL,
    channel   INTEGER NOT NULL,
    place     TEXT    NOT NULL,             -- the server's name
    name      TEXT    NOT NULL,
    phase     TEXT    NOT NULL CHECK (phase IN ('gathering', 'playing', 'over', 'closed')),
    preset    TEXT    NOT NULL,
    pace      TEXT    NOT NULL CHECK (pace IN ('live', 'slow')),
    points    TEXT    NOT NULL CHECK (points IN ('congress', 'plain')),
    rounds    INTEGER NOT NULL,
    hours     INTEGER NOT NULL,             -- for each round
    fill      INTEGER NOT NULL,             -- computers fill up to so many places
    level     TEXT    NOT NULL,             -- how well they play
    language  TEXT    NOT NULL,
    round     INTEGER NOT NULL DEFAULT 0,   -- from 1; 0 before the first
    due       INTEGER NOT NULL DEFAULT 0,   -- when it has to be over
    begun     INTEGER NOT NULL DEFAULT 0,   -- when the first round began, for the year it counts in; 0 before
    again     INTEGER,                      -- when the next event of a weekly one opens; NULL if none does
    reminded  INTEGER NOT NULL DEFAULT 0 CHECK (reminded IN (0, 1)),
    message   INTEGER,                      -- the one on which people sign up
    partners  INTEGER NOT NULL DEFAULT 0 CHECK (partners IN (0, 1))  -- 1 for teams of two
) STRICT;
CREATE UNIQUE INDEX one_club_a_channel ON clubs (channel) WHERE phase IN ('gathering', 'playing');
CREATE UNIQUE INDEX one_weekly_club_a_channel ON clubs (channel) WHERE again IS NOT NULL;
CREATE INDEX clubs_of_a_server ON clubs (guild);

CREATE TABLE club_entrants (
    club      INTEGER NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,             -- from 1
    user      INTEGER,                      -- NULL for a computer, negative once forgotten
    name      TEXT    NOT NULL,
    level     TEXT,                         -- of a computer
    presence  TEXT    NOT NULL CHECK (presence IN ('signed', 'here', 'left')),
    captain   INTEGER,                      -- whose partner they are; NULL for a team's first, and in singles
    PRIMARY KEY (club, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX club_entries_of_a_person ON club_entrants (user) WHERE user IS NOT NULL;

CREATE TABLE club_pairings (
    club        INTEGER NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    round       INTEGER NOT NULL,
    place       INTEGER NOT NULL,           -- the table's number in the round, from 1
    home        INTEGER NOT NULL,           -- an entrant's number
    away        INTEGER,                    -- NULL for a bye
    thread      INTEGER,
    game        TEXT,
    ended       TEXT CHECK (ended IN ('win', 'skunk', 'bye', 'forfeit', 'nothing')),
    winner      INTEGER,
    home_score  INTEGER NOT NULL DEFAULT 0,
    away_score  INTEGER NOT NULL DEFAULT 0,
    corrected   INTEGER NOT NULL DEFAULT 0 CHECK (corrected IN (0, 1)),
    PRIMARY KEY (club, round, place)
) STRICT, WITHOUT ROWID;

-- Which role may run them, by server.
CREATE TABLE club_organisers (
    guild  INTEGER NOT NULL PRIMARY KEY,
    role   INTEGER NOT NULL
) STRICT;

-- How many nights of each player count, from that year on until another choice.
CREATE TABLE club_years (
    guild  INTEGER NOT NULL,
    year   INTEGER NOT NULL,
    best   INTEGER,                         -- NULL for all
    PRIMARY KEY (guild, year)
) STRICT, WITHOUT ROWID;
