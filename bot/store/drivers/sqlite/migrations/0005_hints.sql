-- Whether the players agreed that hints may be asked for.
ALTER TABLE games ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
