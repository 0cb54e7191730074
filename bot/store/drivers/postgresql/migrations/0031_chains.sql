-- The version of each log's hash chain (`engine.fair`); `settle_chains` finds that of games from before.
ALTER TABLE games ADD COLUMN chain bigint;  -- of its links; NULL without an honest deck
ALTER TABLE games ADD COLUMN unversioned bigint NOT NULL DEFAULT 0;  -- its first links of version 1 before those

-- The last write of each of the bot's writers, from which the outcome of a commit follows (`commits`).
CREATE TABLE commits (
    writer bigint PRIMARY KEY,
    number bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
