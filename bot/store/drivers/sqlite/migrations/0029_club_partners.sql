-- Club events for partners (`bot.clubs.teams`).
ALTER TABLE clubs ADD COLUMN partners INTEGER NOT NULL DEFAULT 0 CHECK (partners IN (0, 1));

-- The number of the one whose partner they are; NULL for the first of a team, or in singles.
ALTER TABLE club_entrants ADD COLUMN captain INTEGER;
