-- People at whose tables no game begins by itself, so that they can give its deck a word (`bot.features.fair`).
ALTER TABLE people ADD COLUMN waits_for_word INTEGER NOT NULL DEFAULT 0 CHECK (waits_for_word IN (0, 1));
