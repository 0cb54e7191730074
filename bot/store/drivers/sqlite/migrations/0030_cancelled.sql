-- A server's games that had begun and were cancelled, the newest first, page by page.
CREATE INDEX cancelled_games_of_a_server ON games (guild, number) WHERE status = 'cancelled' AND version > 0;
