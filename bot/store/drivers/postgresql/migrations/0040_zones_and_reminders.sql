-- In which time zone a server's seasons begin and end (`bot.standings.seasons`): from that month on.
CREATE TABLE season_zones (
    guild    bigint NOT NULL,
    month    bigint NOT NULL,           -- the first month that begins by it, as 202611
    zone     text   NOT NULL,           -- as `Europe/Paris`
    PRIMARY KEY (guild, month)
);

-- People who want one direct message a day when slow games wait for them (`bot.features.stats.reminders`).
CREATE TABLE reminders (
    "user"   bigint  NOT NULL PRIMARY KEY,
    rung     bigint  NOT NULL,          -- when the last one was sent, in seconds since 1970; 0 for never
    seen     bigint  NOT NULL,          -- when they last pressed something, to ten minutes
    state    text    NOT NULL           -- on, off, or refused: Discord has refused one, which ends them
);
