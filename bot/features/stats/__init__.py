"""Statistics of finished games: a player's, the leaderboards, and the wall."""
