-- Where moderators have the podium of each month posted (`bot.features.stats.season_posts`).
CREATE TABLE season_posts (
    guild    bigint NOT NULL PRIMARY KEY,
    channel  bigint NOT NULL,
    posted   bigint NOT NULL,           -- the last month that needs no post any more, as 202611
    tried    bigint                     -- when sending began whose outcome is not known, in seconds since 1970
);
