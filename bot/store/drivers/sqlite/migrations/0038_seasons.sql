-- Where moderators have the podium of each month posted (`bot.features.stats.season_posts`).
CREATE TABLE season_posts (
    guild    INTEGER NOT NULL PRIMARY KEY,
    channel  INTEGER NOT NULL,
    posted   INTEGER NOT NULL,          -- the last month that needs no post any more, as 202611
    tried    INTEGER                    -- when sending began whose outcome is not known, in seconds since 1970
) STRICT;
