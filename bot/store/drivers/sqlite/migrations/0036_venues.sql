-- Where a table is (`bot.model.venue`), and the server without the bot in which it is, for links to it.
ALTER TABLE games ADD COLUMN venue text NOT NULL DEFAULT 'server';
ALTER TABLE games ADD COLUMN outside integer;
UPDATE games SET venue = 'bot_dm' WHERE guild IS NULL AND channel <> 0;

-- Places without the bot, of which nothing is kept a month after the last game there.
CREATE INDEX games_anywhere ON games (channel) WHERE venue = 'anywhere';
