"""The honest deck explained, and checked once the game is over."""
