-- Whether time closed a table: nobody touched its lobby, or moved in its game, for too long.
ALTER TABLE games ADD COLUMN timed_out INTEGER NOT NULL DEFAULT 0;
