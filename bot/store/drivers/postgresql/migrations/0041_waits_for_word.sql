-- People at whose tables no game begins by itself, so that they can give its deck a word (`bot.features.fair`).
ALTER TABLE people ADD COLUMN waits_for_word boolean NOT NULL DEFAULT false;
