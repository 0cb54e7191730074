"""Figures of finished games: a player's, the leaderboards, the wall."""
