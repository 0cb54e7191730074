"""Finished games in a list, and one of them step by step."""
