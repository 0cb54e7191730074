-- When an event's first round began, for the year that it counts in (`bot.features.clubs.year`); 0 before.
ALTER TABLE clubs ADD COLUMN begun bigint NOT NULL DEFAULT 0;
-- When the next event of a weekly one opens (`bot.features.clubs.weekly`); NULL if none does.
ALTER TABLE clubs ADD COLUMN again bigint;

-- Events from before have the deadline of their last round only.
UPDATE clubs SET begun = greatest(due - hours * 3600, 0)
    WHERE round > 0 AND hours BETWEEN 0 AND 100000 AND due BETWEEN 0 AND 1099511627776;

CREATE UNIQUE INDEX one_weekly_club_a_channel ON clubs (channel) WHERE again IS NOT NULL;

-- How many nights of each player count, from that year on until another choice.
CREATE TABLE club_years (
    guild  bigint NOT NULL,
    year   bigint NOT NULL,
    best   bigint,                      -- NULL for all
    PRIMARY KEY (guild, year)
);
