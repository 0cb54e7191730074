-- A server's finished games, the newest first, page by page.
CREATE INDEX results_of_a_server_in_order ON results (guild, number);
