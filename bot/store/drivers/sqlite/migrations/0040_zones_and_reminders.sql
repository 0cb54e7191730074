-- In which time zone a server's seasons begin and end (`bot.standings.seasons`): from that month on.
CREATE TABLE season_zones (
    guild    INTEGER NOT NULL,
    month    INTEGER NOT NULL,          -- the first month that begins by it, as 202611
    zone     TEXT    NOT NULL,          -- as `Europe/Paris`
    PRIMARY KEY (guild, month)
) STRICT, WITHOUT ROWID;

-- People who want one direct message a day when slow games wait for them (`bot.features.stats.reminders`).
CREATE TABLE reminders (
    user     INTEGER PRIMARY KEY,
    rung     INTEGER NOT NULL,          -- when the last one was sent, in seconds since 1970; 0 for never
    seen     INTEGER NOT NULL,          -- when they last pressed something, to ten minutes
    state    TEXT    NOT NULL           -- on, off, or refused: Discord has refused one, which ends them
) STRICT;
