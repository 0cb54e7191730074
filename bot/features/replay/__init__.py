"""The list of finished games, and the replay of one, step by step."""
