-- Where a table is (`bot.model.venue`), and the server without the bot in which it is, for links to it.
ALTER TABLE games ADD COLUMN venue text NOT NULL DEFAULT 'server';
ALTER TABLE games ADD COLUMN outside integer;
UPDATE games SET venue = 'bot_dm' WHERE guild IS NULL AND channel <> 0;
