-- The version of each log's hash chain (`engine.fair`); `settle_chains` finds that of games from before.
ALTER TABLE games ADD COLUMN chain INTEGER;  -- of its links; NULL without an honest deck
ALTER TABLE games ADD COLUMN unversioned INTEGER NOT NULL DEFAULT 0;  -- its first links of version 1 before those
